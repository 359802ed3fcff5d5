"""UpdateDisplay: one update as the lectures draw it: w, the example added at its tip, the new w, the line turning."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt._typing import Doubles
from rosenblatt.errors import DataError, MissingExtra
from rosenblatt.plot.examples import Plane, Shown, of_trace, refuse_not_kept
from rosenblatt.plot.look import INK, LETTERS, QUIET, arrow, colours, legend, new_axes, tidy, tint, title, write
from rosenblatt.plot.plane import View, clip, segment, view_of
from rosenblatt.plot.points import class_handles, draw_points, draw_rings, line_handle, number_points, ring_handle
from rosenblatt.theory.decimals import number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rosenblatt.theory.tracing import Trace

BEFORE: dict[str, Any] = {"color": "#9A9A9A", "linewidth": 1.4, "linestyle": (0, (4, 3))}
AFTER: dict[str, Any] = {"color": INK, "linewidth": 1.9}
NUMBERED = 12  # examples that are few enough to carry their numbers

WIDEST = 42  # letters of a heading that a panel has room for


@dataclass(eq=False, repr=False)
class UpdateDisplay:
    """Update k, which makes w_k = w_(k−1) + tau·y·x.

    Attributes
    ----------
    k : which update, counted from 1; ``row`` its example (from 0), ``m`` its functional margin before.
    w_before, w_after : the vectors in the plane, to the picture's scale; ``step`` is their difference tau·y·x.
    line_before, line_after : the ends of both boundaries in the view, or None.
    scale : by what the vectors were multiplied to fit beside the examples; 1 where they fit as they are.
    ax_, figure_, points_, ring_, arrows_, ghost_, line_, areas_, legend_ : the artists, once drawn.

    Examples
    --------
    >>> from rosenblatt import trace
    >>> from rosenblatt.datasets import w2
    >>> from rosenblatt.plot import UpdateDisplay
    >>> from matplotlib.figure import Figure
    >>> display = UpdateDisplay.from_trace(trace(*w2(), bias=False), k=2, ax=Figure().subplots())
    >>> display.w_before.tolist(), display.step.tolist(), display.w_after.tolist()
    ([2.0, 0.0], [0.0, 2.0], [2.0, 2.0])
    """

    plane: Plane
    shown: Shown
    view: View
    k: int
    row: int
    tau: float
    m: Any
    w_before: Doubles
    w_after: Doubles
    line_before: Doubles | None
    line_after: Doubles | None
    half: Doubles | None  # the positive side of the new line
    sentence: str
    scale: float = 1.0

    @property
    def step(self) -> Doubles:
        return np.asarray(self.w_after - self.w_before)

    @classmethod
    def from_trace(cls, trace: "Trace", *, k: int = 1, ax: "Axes | None" = None, **style: Any) -> "UpdateDisplay":
        """Draw update k (counted from 1) of a trace with two features, or with one and a bias."""
        return cls.compute(trace, [k])[0].plot(ax=ax, **style)

    @classmethod
    def grid(
        cls,
        trace: "Trace",
        ks: Sequence[int] | None = None,
        *,
        ncols: int | None = None,
        axes: Any = None,
        **style: Any,
    ) -> tuple["UpdateDisplay", ...]:
        """Draw several updates side by side in one view, like the slides of a lecture.

        Parameters
        ----------
        ks : which updates, counted from 1; by default all, or the first 12.
        ncols : pictures in a row.
        axes : as many axes as updates, else a new figure.
        **style : as in ``plot``.
        """
        kept = len(trace.updates)
        ks = list(range(1, min(kept, 12) + 1)) if ks is None else list(ks)
        displays = cls.compute(trace, ks)
        made = axes is None
        if made:
            axes = _new_grid(len(ks), ncols, displays[0].view, noted=any(display.gone for display in displays))
        flat = list(np.ravel(np.asarray(axes, dtype=object)))
        if len(flat) < len(ks):
            raise DataError(f"axes holds {len(flat)} axes for {len(ks)} updates.")
        for display, ax in zip(displays, flat, strict=False):
            display.plot(ax=ax, **({"show_legend": False} | style))
        for ax in flat[len(ks) :]:
            ax.set_visible(False)
        if made:
            for ax in flat:
                ax.label_outer()
            below = max(0, len(ks) - axes.shape[1])  # the first that has nothing below it
            for k, (display, ax) in enumerate(zip(displays, flat, strict=False)):
                if k >= below:
                    ax.tick_params(labelbottom=True)
                tidy(ax, display.plane.names[0] * (k >= below), ax.get_ylabel(), display.gone)
            _shared_legend(displays, style.get("palette"))
            some = f"{len(ks)} of {trace.counts.n_updates} updates" if len(ks) < trace.counts.n_updates else ""
            if heads := [head for head in (some, displays[0].scaled) if head]:
                displays[0].figure_.suptitle("; ".join(heads), fontsize="medium")
        return tuple(displays)

    @classmethod
    def compute(cls, trace: "Trace", ks: Sequence[int]) -> list["UpdateDisplay"]:
        """Return the displays of some updates, in one view and to one scale."""
        plane, shown, W, c = of_trace(trace)
        kept = len(trace.updates)
        for k in ks:
            refuse_not_kept(k, range(1, kept + 1))
        if not ks:
            raise DataError("ks names no update, so there is nothing to draw.")
        vectors = np.vstack([W[[k - 1 for k in ks]], W[list(ks)]])
        reach, longest = float(np.abs(shown.xy).max()), float(np.linalg.norm(vectors, axis=1).max())
        scale = 1.0 if longest <= 2.5 * reach or reach == 0 else 1.2 * reach / longest
        view = view_of(np.vstack([shown.xy, vectors * scale, np.zeros((1, 2))]), share=0.16, thinnest=0.45)
        made = []
        for k in ks:
            step = int(trace.updates.step[k - 1])
            after = W[k]
            half = clip(view.corners, after, float(c[k])) if after.any() else None
            made.append(
                cls(plane, shown, view, k, int(trace.updates.row[k - 1]), float(trace.updates.tau[k - 1]),
                    trace.updates.m[k - 1], W[k - 1] * scale, after * scale,
                    segment(W[k - 1], float(c[k - 1]), view), segment(after, float(c[k]), view), half,
                    trace.sentence(step), scale)
            )  # fmt: skip
        return made

    def plot(
        self,
        ax: "Axes | None" = None,
        *,
        palette: Mapping[Any, str] | None = None,
        beat: int = 2,
        show_regions: bool = True,
        show_sentence: bool = True,
        show_legend: bool = True,
        show_numbers: bool | None = None,
    ) -> "UpdateDisplay":
        """Draw, on the axes given or on new ones.

        Parameters
        ----------
        palette : a colour per class.
        beat : 1 shows the mistake and what is about to be added; 2 also the new vector and the new line.
        show_regions, show_sentence, show_legend, show_numbers : what to draw; the sentence is the arithmetic in words,
            the numbers those of the rows (by default up to 12).
        """
        self.ax_ = ax = new_axes(ax, (5.6, 5.2))
        self.figure_ = ax.figure
        paint = colours(self.shown.classes, palette)
        self.areas_ = self._draw_areas(ax, paint) if show_regions and beat == 2 else []
        self._cross(ax)
        self.ghost_ = self._draw_line(ax, self.line_before, ghost=beat == 2)
        self.line_ = self._draw_line(ax, self.line_after, ghost=False) if beat == 2 else None
        self.points_ = draw_points(ax, self.shown, palette=palette)
        mine = np.arange(len(self.shown.xy)) == self.row
        self.ring_ = draw_rings(ax, self.shown, mine)
        numbers = len(self.shown.xy) <= NUMBERED if show_numbers is None else show_numbers
        self.numbers_ = number_points(ax, self.shown, away=self._free_corners()) if numbers else []
        self.arrows_ = self._draw_arrows(ax, paint[int(self.shown.codes[self.row])], beat)
        ax.set_xlim(self.view.left, self.view.right)
        ax.set_ylim(self.view.bottom, self.view.top)
        ax.set_aspect("equal")
        notes = [note for note in (self.scaled, self.gone if beat == 2 else "") if note]
        tidy(ax, *self.plane.names, "; ".join(notes))
        title(ax, self.heading(beat) if show_sentence else self.brief)
        handles = class_handles(self.shown.classes, palette)
        self.legend_ = legend(ax, [*handles, *self._handles(beat)]) if show_legend else None
        return self

    @property
    def scaled(self) -> str:
        """Return to which scale the vectors are drawn, if not to that of the axes."""
        return "" if self.scale == 1 else f"vectors drawn at {self.scale:.2g} of their length"

    @property
    def gone(self) -> str:
        """Return why no new line is seen, if none is."""
        if not self.w_after.any():
            return f"$w_{{{self.k}}} = 0$: no line"
        return "new line: outside the picture" if self.line_after is None else ""

    @property
    def brief(self) -> str:
        """Return which update, of which row, with which margin."""
        return f"update {self.k}: row {self.row + 1}, $m$ = {number(self.m)}"

    def heading(self, beat: int) -> str:
        """Return the arithmetic in words, in lines; or where one would run into the panel beside, what is brief."""
        judged, _, moved = self.sentence.partition(", so ")
        moves = moved.replace(", b ←", "\nb ←").split("\n")
        moves = moves if beat == 2 else [f"{move.rpartition(' = ')[0]} = ?" for move in moves]
        lines = [f"update {self.k}: row {self.row + 1}", judged, *moves]
        return "\n".join(lines) if max(map(len, lines)) <= WIDEST else self.brief

    def _free_corners(self) -> list[tuple[float, float]]:
        """Return for each point the corner beside it that is farthest from all arrows and lines, in points."""
        strokes = [(np.zeros(2), self.w_before), (self.w_before, self.w_after), (np.zeros(2), self.w_after)]
        strokes += [(ends[0], ends[1]) for ends in (self.line_before, self.line_after) if ends is not None]
        unit = self.view.width / 250  # about one typographic point, in data
        if self.w_after.any():
            label = self.w_after + 11 * unit * _outward(self.w_after)
            strokes.append((label, label))
        corners = [(11.0, 10.0), (-11.0, 10.0), (11.0, -10.0), (-11.0, -10.0)]
        found = []
        for at in self.shown.xy:
            room = [min(_distance(at + unit * np.array(corner), *ends) for ends in strokes) for corner in corners]
            # Upper right unless another corner is clearly freer: numbers should not jump about for nothing.
            found.append(corners[0] if room[0] >= 9 * unit else corners[int(np.argmax(room))])
        return found

    def _handles(self, beat: int) -> list[Any]:
        """Return the legend of what is drawn: in the first beat the old line is the line."""
        ghost = beat == 2 and self.line_before is not None
        line = self.line_after if beat == 2 else self.line_before
        handles = [line_handle("line before", **BEFORE)] if ghost else []
        return handles if line is None else [*handles, line_handle("line after" if ghost else "line", **AFTER)]

    def _draw_areas(self, ax: "Axes", paint: list[str]) -> list[Any]:
        if self.half is None:
            return []
        ground = ax.fill(*self.view.corners.T, color=tint(paint[0], 0.10), linewidth=0, zorder=0)
        if len(self.half) == 0:  # all that is seen is on the negative side
            return ground
        return [*ground, *ax.fill(*self.half.T, color=tint(paint[1], 0.12), linewidth=0, zorder=0.1)]

    def _cross(self, ax: "Axes") -> None:
        """Draw the axes through the origin, faintly: vectors start there."""
        ax.axhline(0, color="white", linewidth=1.0, zorder=0.3)
        ax.axvline(0, color="white", linewidth=1.0, zorder=0.3)
        ax.plot([0], [0], marker="o", markersize=3, color=INK, zorder=5)

    def _draw_line(self, ax: "Axes", ends: Doubles | None, *, ghost: bool) -> Any:
        if ends is None:
            return None
        style, zorder = (BEFORE, 1.5) if ghost else (AFTER, 2)
        return ax.plot(*ends.T, **style, zorder=zorder)[0]

    def _draw_arrows(self, ax: "Axes", colour: str, beat: int) -> dict[str, Any]:
        """Draw w before, tau·y·x from its tip, and w after; label each beside its middle or tip, off the others."""
        old, new = self.w_before, self.w_after
        beside = _aside(new, np.array([0.0, -1.0]))
        # From the zero vector the step and the new w are one arrow: draw the step beside it.
        shift = np.zeros(2) if old.any() or beat == 1 else 0.022 * self.view.height * beside
        made = {
            "before": arrow(ax, (0, 0), old, colour=QUIET, width=1.6),
            "step": arrow(ax, old + shift, new + shift, colour=colour, width=2.0),
            "after": arrow(ax, (0, 0), new, colour=INK, width=2.4) if beat == 2 else None,
        }
        plus = self.shown.codes[self.row] == 1
        size = "" if self.tau == 1 else f"{self.tau:.4g}\\,"
        labels: list[tuple[Doubles, Doubles, str, str]] = []
        if beat == 2 and new.any() and not (old.any() and np.allclose(new, old)):
            labels.append((new, _outward(new), f"$w_{{{self.k}}}$", INK))
        if old.any():
            labels.append((0.5 * old, _aside(old, new), f"$w_{{{self.k - 1}}}$", QUIET))
        middle = (old + new) / 2 + shift
        side = _aside(new - old, -old) if old.any() else beside
        labels.append((middle, side, f"${'+' if plus else '-'}{size}x_{{{self.row + 1}}}$", colour))
        for at, away, text, ink in labels:
            write(ax, at, text, away=11 * away, colour=ink, fontsize="medium")
        return made


def _shared_legend(displays: "Sequence[UpdateDisplay]", palette: Mapping[Any, str] | None) -> None:
    """Put one legend under all pictures of a grid."""
    all_wrong = all(display.m <= 0 for display in displays)
    handles = [
        *class_handles(displays[0].shown.classes, palette),
        ring_handle("the mistake" if all_wrong else "the mistake, or too near"),
        line_handle("line before", **BEFORE),
        line_handle("line after", **AFTER),
    ]
    figure = displays[0].figure_
    lines = ceil(
        sum(6 + len(str(handle.get_label())) for handle in handles) / (LETTERS * figure.bbox.width / figure.dpi)
    )
    displays[0].legend_ = figure.legend(
        handles=handles, loc="outside lower center", ncols=ceil(len(handles) / lines), frameon=False, fontsize="small"
    )


def _distance(p: Doubles, a: Doubles, b: Doubles) -> float:
    """Return how far p is from the segment from a to b."""
    along = b - a
    t = float(np.clip((p - a) @ along / max(float(along @ along), 1e-300), 0.0, 1.0))
    return float(np.linalg.norm(p - a - t * along))


def _outward(v: Doubles) -> Doubles:
    return np.asarray(v / np.linalg.norm(v))


def _aside(v: Doubles, other: Doubles) -> Doubles:
    """Return the unit normal of v on the side away from another vector."""
    n = np.array([-v[1], v[0]]) / max(float(np.linalg.norm(v)), 1e-300)
    return np.asarray(-n if n @ other > 0 else n)


def _new_grid(count: int, ncols: int | None, view: View, *, noted: bool) -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise MissingExtra("matplotlib", "plot", "drawing") from None
    columns = min(count, ncols or (count if count <= 4 else 4))
    lines = ceil(count / columns)
    ratio = min(max(view.height / view.width, 0.5), 2.0)
    width = 3.4
    size = (width * columns, lines * (0.98 * width * ratio + 1.05 + 0.3 * noted) + 0.3)
    _, axes = plt.subplots(lines, columns, figsize=size, layout="constrained", sharex=True, sharey=True, squeeze=False)
    return axes
