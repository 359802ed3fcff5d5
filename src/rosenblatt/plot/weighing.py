"""MarginDisplay and DualDisplay: how right each example is, and who taught."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt._typing import Codes, Doubles, Labels
from rosenblatt.data.labels import encode
from rosenblatt.errors import DataError
from rosenblatt.models.scored import functional_margins
from rosenblatt.plot.examples import Plane, Shown, dense_of, labelled, refuse_not_kept, slice_of
from rosenblatt.plot.hypothesis import hypothesis_of, linear
from rosenblatt.plot.look import (
    FAINT,
    INK,
    QUIET,
    SERIES,
    SHAPES,
    colours,
    frame,
    legend,
    new_axes,
    panels,
    tidy,
    tint,
    title,
    whole_ticks,
    write,
)
from rosenblatt.plot.plane import view_of
from rosenblatt.plot.points import class_handles

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rosenblatt.theory.tracing import Trace

DOTS = 60  # examples up to which each is a mark of its own; more become a histogram
BARS = 30  # bars of alpha drawn, the largest first


@dataclass(eq=False, repr=False)
class MarginDisplay:
    """The geometric margins ``y (w·x + b)/‖(w, b)‖`` of all examples; those at 0 or below are mistakes.

    Attributes
    ----------
    margins : one per example (scores y·f(x) as they are where the model is curved).
    codes, classes : who is who; ``smallest`` : the margin of the vector if all are right, else −inf.
    best : the largest margin any vector could have, where that is known; else None.
    ax_, figure_, marks_, legend_ : the artists, once drawn.
    """

    margins: Doubles
    codes: Codes
    classes: Labels
    best: float | None
    geometric: bool
    bias: bool

    @property
    def smallest(self) -> float:
        least = float(self.margins.min())
        return least if least > 0 else -np.inf

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, best: float | None = None, ax: "Axes | None" = None, **style: Any
    ) -> "MarginDisplay":
        """Draw the margins of examples under a fitted classifier; ``best`` is ``max_margin(X, y).gamma`` if wanted."""
        found = hypothesis_of(estimator)
        dense, _ = dense_of(X)
        _, codes = encode(y, len(dense), found.classes)
        scores = found.score(dense)
        if scores.ndim != 1:
            raise DataError(f"margins are drawn for two classes; the model has {len(found.classes)}.")
        m = functional_margins(scores, codes)
        norm = 0.0
        if found.W is not None and found.b is not None:
            norm = float(np.linalg.norm(np.append(found.W[0], found.b[0])))
        return cls(m / norm if norm else m, codes, found.classes, best, norm > 0, found.bias).plot(ax=ax, **style)

    from_outcome = from_estimator

    @classmethod
    def from_trace(
        cls, trace: "Trace", *, k: int | None = None, ax: "Axes | None" = None, **style: Any
    ) -> "MarginDisplay":
        """Draw the margins after k updates, by default after the last."""
        if not trace.binary:
            raise DataError("margins are drawn for two classes; trace one class against the rest: y == label.")
        if k is None and not trace.complete and trace.model.memory == "last":  # its vector is not among those kept
            w, b = np.asarray(trace.model.w, dtype=np.float64), float(trace.model.b)
            found = linear(w, b, trace.examples.classes, None, bool(trace.settings["bias"]))
            m = functional_margins(found.score(trace.examples.rows.dense()), trace.examples.codes)
            norm = float(np.linalg.norm(np.append(w, b)))
        else:
            k = len(trace.updates) if k is None else k
            refuse_not_kept(k, range(len(trace.updates) + 1))
            m, norm = trace.margins(k).astype(np.float64), float(trace.norms[k])
        best = None if trace.best is None else trace.best.gamma
        examples, bias = trace.examples, bool(trace.settings["bias"])
        made = cls(m / norm if norm else m, examples.codes, examples.classes, best, norm > 0, bias)
        return made.plot(ax=ax, **style)

    def plot(
        self, ax: "Axes | None" = None, *, palette: Mapping[Any, str] | None = None, show_legend: bool = True
    ) -> "MarginDisplay":
        """Draw, on the axes given or on new ones: a mark per example up to 60, else a histogram."""
        self.ax_ = ax = new_axes(ax, (6.4, 3.6))
        self.figure_ = ax.figure
        paint = colours(self.classes, palette)
        self.marks_ = self._dots(ax, paint) if len(self.margins) <= DOTS else self._bars(ax, paint)
        low, high = ax.get_xlim()
        low = min(low, -0.06 * (high - low))
        ax.axvspan(low, 0, color=FAINT, alpha=0.4, linewidth=0, zorder=0)
        ax.axvline(0, color=INK, linewidth=1.4, zorder=3)
        ax.set_xlim(low, high)
        formula = r"$y\,(w\cdot x + b)\,/\,\|(w, b)\|$" if self.bias else r"$y\,(w\cdot x)\,/\,\|w\|$"
        tidy(ax, f"margin {formula}" if self.geometric else r"score of the true side $y\,f(x)$")
        wrong = int((self.margins <= 0).sum())
        verdict = f"margin {self.smallest:.4g}" if wrong == 0 else f"{wrong} of {len(self.margins)} at 0 or below"
        if self.best is not None and self.geometric:
            ax.axvline(self.best, color=SERIES[2], linewidth=1.5, linestyle="--", zorder=3)
            write(ax, (self.best, 1), rf"best possible $\gamma$ = {self.best:.4g}", away=(5, -3), ha="left", va="top",
                  colour=SERIES[2], xycoords=("data", "axes fraction"))  # fmt: skip
        if wrong:
            write(ax, (low, 1), "mistakes", away=(5, -3), ha="left", va="top", colour=QUIET,
                  xycoords=("data", "axes fraction"))  # fmt: skip
        title(ax, verdict)
        self.legend_ = legend(ax, class_handles(self.classes, palette)) if show_legend else None
        return self

    def _dots(self, ax: "Axes", paint: list[str]) -> list[Any]:
        """Stack a mark per example over its margin, as a dot plot does."""
        span = float(np.ptp(self.margins)) or max(1.0, abs(float(self.margins[0])))
        bins = np.round((self.margins - self.margins.min()) / span * 30).astype(int)
        order = np.lexsort((self.codes, bins))
        height = np.zeros(len(bins))
        for b in np.unique(bins):
            mine = order[bins[order] == b]
            height[mine] = np.arange(1, len(mine) + 1)
        made = [
            ax.scatter(self.margins[self.codes == k], height[self.codes == k], s=46, marker=SHAPES[k % len(SHAPES)],
                       color=colour, edgecolors="white", linewidths=0.6, zorder=4)
            for k, colour in enumerate(paint)
        ]  # fmt: skip
        ax.set_ylim(0.2, max(4.0, height.max() + 1.5))
        ax.set_yticks([])
        ax.spines["left"].set_visible(False)
        ax.set_xlim(self.margins.min() - 0.08 * span, self.margins.max() + 0.08 * span)
        return made

    def _bars(self, ax: "Axes", paint: list[str]) -> list[Any]:
        edges = np.histogram_bin_edges(self.margins, bins=min(40, max(12, len(self.margins) // 12)))
        if edges[0] < 0 < edges[-1]:  # no bar may lie on both sides of 0
            edges = edges - edges[np.abs(edges).argmin()]
            edges = np.append(edges, edges[-1] + edges[1] - edges[0]) if edges[-1] < self.margins.max() else edges
            edges = np.insert(edges, 0, 2 * edges[0] - edges[1]) if edges[0] > self.margins.min() else edges
        made, below = [], np.zeros(len(edges) - 1)
        for k, colour in enumerate(paint):
            counts, _ = np.histogram(self.margins[self.codes == k], edges)
            made.append(ax.bar(edges[:-1], counts, width=np.diff(edges), bottom=below, align="edge", color=colour,
                               edgecolor="white", linewidth=0.5, hatch="" if k else "//", zorder=2))  # fmt: skip
            below = below + counts
        ax.set_ylabel("examples")
        whole_ticks(ax, "y")
        ax.set_ylim(0, 1.15 * below.max())
        ax.set_xlim(edges[0], edges[-1])
        return made


@dataclass(eq=False, repr=False)
class DualDisplay:
    """How often each example caused an update: at rate 1 and without weights, ``w = start + Σ alpha_i y_i x_i``.

    Attributes
    ----------
    alpha : one count per example; their sum is the number of updates.
    shown, plane : the examples in the plane.
    ax_, figure_, points_, bars_, legend_ : the artists, once drawn.
    """

    alpha: Doubles
    plane: Plane
    shown: Shown
    updates: int
    cut: str = ""

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, features: Any = (0, 1), ax: Any = None, **style: Any
    ) -> "DualDisplay":
        """Draw the counts of a fitted estimator with ``alpha_``; X and y are the rows it learnt from."""
        alpha = getattr(estimator, "alpha_", getattr(estimator, "row_updates", None))
        if alpha is None:
            raise DataError(f"{type(estimator).__name__} has no alpha_, one count per example.")
        if np.ndim(alpha) != 1:
            raise DataError(
                "the counts of one machine are drawn, and this model has several: choose two classes, or learn one "
                "class against all others."
            )
        return cls._compute(np.asarray(alpha, dtype=np.float64), X, y, features).plot(ax=ax, **style)

    from_outcome = from_estimator

    @classmethod
    def from_trace(cls, trace: "Trace", *, features: Any = (0, 1), ax: Any = None, **style: Any) -> "DualDisplay":
        """Draw the counts of a trace's updates."""
        examples = trace.examples
        alpha = np.bincount(trace.updates.row, minlength=examples.n).astype(np.float64)
        made = cls._compute(alpha, examples.rows, examples.labels, features)
        made.cut = trace.cut
        return made.plot(ax=ax, **style)

    @classmethod
    def _compute(cls, alpha: Doubles, X: Any, y: Any, features: Any) -> "DualDisplay":
        dense, names = dense_of(X)
        if len(alpha) != len(dense):
            raise DataError(f"alpha counts {len(alpha)} examples and X has {len(dense)}; give the rows learnt from.")
        plane = slice_of(dense, names, features)
        return cls(alpha, plane, labelled(dense, y, plane), int(alpha.sum()))

    def plot(
        self, ax: Any = None, *, palette: Mapping[Any, str] | None = None, show_legend: bool = True
    ) -> "DualDisplay":
        """Draw on two axes given (on one: the plane only), or on new ones."""
        axes = panels(ax, 2, (9.2, 4.0), (1.15, 1.0))
        self.ax_, self.figure_ = axes, axes[0].figure
        self._draw_plane(axes[0], palette, show_legend)
        self.bars_ = self._draw_bars(axes[1], palette) if len(axes) == 2 else None
        return self

    def _draw_plane(self, ax: "Axes", palette: Mapping[Any, str] | None, show_legend: bool) -> None:
        largest = max(float(self.alpha.max()), 1.0)
        self.points_ = []
        n = len(self.alpha)
        least, most, empty = (50, 650, 16.0) if n <= 40 else (50, 260, 16.0) if n <= 150 else (14, 90, 8.0)
        for k, colour in enumerate(colours(self.shown.classes, palette)):
            for mine, area, face in (
                (self.alpha == 0, empty, "white"),
                (self.alpha > 0, least + most * self.alpha / largest, tint(colour, 0.75)),
            ):
                at = mine & (self.shown.codes == k)
                x, y = self.shown.xy[at].T
                sizes = np.broadcast_to(area, n)[at]
                self.points_.append(
                    ax.scatter(x, y, s=sizes, marker=SHAPES[k % len(SHAPES)], facecolors=face,
                               edgecolors=colour, linewidths=1.0 if n <= 150 else 0.6, zorder=3)
                )  # fmt: skip
        if n <= 40:
            for i in np.flatnonzero(self.alpha):
                ax.annotate(f"{self.alpha[i]:g}", self.shown.xy[i], ha="center", va="center_baseline", color="white",
                            fontsize="small", zorder=5)  # fmt: skip
        view = view_of(self.shown.xy, share=0.18)
        frame(ax, view, equal=self.plane.units)
        tidy(ax, *self.plane.names, "" if not self.plane.caption else "the other features are not shown")
        taught = int((self.alpha > 0).sum())
        counted = self.cut or f"{self.updates} update{'s' * (self.updates != 1)}"
        title(ax, f"$\\Sigma\\alpha$ = {counted}, by {taught} of {len(self.alpha)} examples")
        self.legend_ = legend(ax, class_handles(self.shown.classes, palette)) if show_legend else None

    def _draw_bars(self, ax: "Axes", palette: Mapping[Any, str] | None) -> Any:
        order = np.argsort(-self.alpha, kind="stable")
        order = order[self.alpha[order] > 0][:BARS]
        paint = colours(self.shown.classes, palette)
        bars = ax.barh(np.arange(len(order)), self.alpha[order], height=0.72, zorder=2,
                       color=[paint[int(c)] for c in self.shown.codes[order]])  # fmt: skip
        for bar, code in zip(bars, self.shown.codes[order], strict=True):
            bar.set_hatch("" if code else "//")
            bar.set_edgecolor("white")
            bar.set_linewidth(0.5)
        few = len(order) <= 15
        ax.set_yticks(np.arange(len(order)) if few else [], [str(i + 1) for i in order] if few else [])
        ax.set_ylim(max(len(order), 6) - 0.4, -0.6)
        left_out = int((self.alpha > 0).sum()) - len(order)
        tidy(ax, r"$\alpha$: updates on this example", "row" if few else "examples, most updates first",
             f"{left_out} more not drawn" if left_out else "")  # fmt: skip
        ax.tick_params(axis="y", length=0)
        whole_ticks(ax, "x")
        ax.set_xlim(0, 1.08 * max(1.0, float(self.alpha.max())))
        return bars
