"""AngleDisplay: Novikoff's proof as curves. cos(w_k, u) above its promise, and the two halves that squeeze it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt.plot.look import FAINT, INK, SERIES, legend, panels, tidy, title, whole_ticks, write
from rosenblatt.theory.tracing.curves import ProofCurves

if TYPE_CHECKING:
    from rosenblatt.theory.tracing import Trace

BLUE, VERMILION = SERIES[0], SERIES[1]
EXTENDED = 6  # the promises are drawn on to where they meet if that is at most so many times the updates made


@dataclass(frozen=True)
class Promises:
    """The formulas beside the curves; of a start or of steps of several sizes there are none so short."""

    cosine: str = "promised"
    floor: str = "floor"
    ceiling: str = "ceiling"
    bound: str = ""

    @classmethod
    def of(cls, rate: bool, margin: bool) -> "Promises":
        """Return those of a run from zero; ``rate``: its steps are not 1; ``margin``: it demands one, β."""
        r, once, twice = ("r", r"\,r", "2r") if rate else ("", "", "2")
        radius = rf"\sqrt{{R^2 + 2\beta{'/r' * rate}}}" if margin else "R"
        ceiling = rf"\sqrt{{k({r + '^2' * rate}R^2 + {twice}\beta)}}" if margin else rf"\sqrt{{k}}{once}\,R"
        bound = rf"(R^2 + 2\beta{'/r' * rate})/\gamma^2" if margin else r"(R/\gamma)^2"
        return cls(rf"promised: $\sqrt{{k}}\,\gamma/{radius}$", rf"$\geq k{once}\,\gamma$", rf"$\leq {ceiling}$", bound)


@dataclass(eq=False, repr=False)
class AngleDisplay:
    """What the run did, beside what the proof promises, after every update.

    Left: ``cos(w_k, u) >= √k·γ/R``, which reaches 1 at k = (R/γ)². Right: ``u·w_k >= kγ`` from below and
    ``‖w_k‖ <= √k·R`` from above; as ``u·w_k <= ‖w_k‖``, the run must end before the two promises cross.
    With a start, a rate or a demanded margin the promises are those of ``ProofCurves``.

    Attributes
    ----------
    curves : k, progress, floor, norm, ceiling, cosine, promise.
    bound : the k at which floor and ceiling meet, if the run is from zero with steps of one size; else None.
    words : the formulas of the promises.
    ax_ (the axes drawn on, one or two), figure_, cosine_, promise_, progress_, norm_, floor_, ceiling_ : the artists.

    References
    ----------
    Novikoff (1962), theorem 1.

    Examples
    --------
    >>> from rosenblatt import trace
    >>> from rosenblatt.datasets import w2
    >>> from rosenblatt.plot import AngleDisplay
    >>> from matplotlib.figure import Figure
    >>> display = AngleDisplay.from_trace(trace(*w2(), bias=False), ax=Figure().subplots(1, 2))
    >>> display.curves.cosine.round(3).tolist(), round(display.bound, 6)
    ([nan, 0.447, 0.949, 0.894, 1.0], 10.0)
    """

    curves: ProofCurves
    bound: float | None
    words: "Promises"

    @classmethod
    def from_trace(
        cls, trace: "Trace", *, u: tuple[Any, float] | None = None, ax: Any = None, **style: Any
    ) -> "AngleDisplay":
        """Draw the curves of a trace against the best separator, or against any other u = (w, b)."""
        curves = trace.proof(u)
        bound, words = None, Promises()
        if curves.norm[0] == 0 and len(set(trace.updates.tau.tolist())) == 1:
            slope = float(curves.floor[1] ** 2)  # (kγ)² = k R² at k = R²/γ², whatever the rate
            bound = float(curves.ceiling[1] ** 2) / slope if slope > 0 else None
            words = Promises.of(trace.updates.tau[0] != 1, trace.settings["margin"] != 0)
        return cls(curves, bound, words).plot(ax=ax, **style)

    def plot(self, ax: Any = None, *, show_halves: bool = True) -> "AngleDisplay":
        """Draw on one or two axes given, or on new ones; with one, or without the halves, only the cosine."""
        axes = panels(ax, 2, (9.6, 3.9)) if show_halves or ax is not None else panels(None, 1, (5.0, 3.9))
        self.ax_, self.figure_ = axes, axes[0].figure
        self._draw_cosine(axes[0])
        if len(axes) == 2:
            self._draw_halves(axes[1])
        return self

    @property
    def _far(self) -> Any:
        """The k up to which promises are drawn: to where they meet, if that is not far beyond the run."""
        last = int(self.curves.k[-1])
        if self.bound is not None and last < self.bound <= EXTENDED * max(last, 1):
            return np.linspace(0, self.bound, 200)
        return None

    def _draw_cosine(self, ax: Any) -> None:
        curves, far = self.curves, self._far
        marker = "o" if len(curves.k) <= 40 else ""
        kept = curves.promise >= 0
        if far is not None and self.bound is not None:
            (self.promise_,) = ax.plot(far, np.sqrt(far / self.bound), color=VERMILION, linewidth=1.5, linestyle="--")
        else:
            (self.promise_,) = ax.plot(curves.k[kept], curves.promise[kept], color=VERMILION, linewidth=1.5,
                                       linestyle="--")  # fmt: skip
        (self.cosine_,) = ax.plot(curves.k, curves.cosine, color=BLUE, linewidth=2, marker=marker, markersize=5)
        ax.axhline(1, color=FAINT, linewidth=1, zorder=0)
        ax.set_xlim(left=-0.02 * float(curves.k[-1] if far is None else far[-1]))
        ax.set_ylim(min(0.0, float(np.nanmin(curves.cosine))) - 0.02, 1.08)
        tidy(ax, "updates $k$", "", "")
        whole_ticks(ax, "x")
        title(ax, "the angle to the best separator $u$ closes")
        self.cosine_.set_label(r"$\cos(w_k, u)$")
        self.promise_.set_label(self.words.cosine)
        legend(ax, [self.cosine_, self.promise_])
        if far is not None and self.bound is not None:
            self._mark_bound(ax)

    def _mark_bound(self, ax: Any) -> None:
        assert self.bound is not None
        ax.plot([self.bound], [1], marker="D", color=VERMILION, markersize=6, zorder=5)
        write(ax, (self.bound, 1), rf"${self.words.bound} = {self.bound:.4g}$", away=(4, -34), ha="right",
              colour=VERMILION)  # fmt: skip

    def _draw_halves(self, ax: Any) -> None:
        curves, far = self.curves, self._far
        marker = "o" if len(curves.k) <= 40 else ""
        k, floor, ceiling = curves.k, curves.floor, curves.ceiling
        if far is not None:
            k, floor, ceiling = far, far * curves.floor[1], np.sqrt(far) * curves.ceiling[1]
        (self.ceiling_,) = ax.plot(k, ceiling, color=VERMILION, linewidth=1.5, linestyle="--")
        (self.norm_,) = ax.plot(curves.k, curves.norm, color=INK, linewidth=1.8, marker=marker, markersize=4.5)
        (self.progress_,) = ax.plot(curves.k, curves.progress, color=BLUE, linewidth=1.8, marker=marker, markersize=4.5)
        (self.floor_,) = ax.plot(k, floor, color=VERMILION, linewidth=1.5, linestyle=":")
        ax.fill_between(k, floor, ceiling, color=VERMILION, alpha=0.06, linewidth=0, zorder=0)
        self.ceiling_.set_label(self.words.ceiling)
        self.norm_.set_label(r"$\|w_k\|$")
        self.progress_.set_label(r"$u\cdot w_k$")
        self.floor_.set_label(self.words.floor)
        tidy(ax, "updates $k$", "", "")
        whole_ticks(ax, "x")
        ax.set_xlim(left=-0.02 * float(k[-1]))
        ax.set_ylim(bottom=min(0.0, float(curves.progress.min()), float(curves.floor.min())))
        meet = f", which meet at $k$ = {self.bound:.0f}" if self.bound is not None and far is None else ""
        title(ax, f"squeezed between two promises{meet}")
        legend(ax, [self.ceiling_, self.norm_, self.progress_, self.floor_])
        if far is not None and self.bound is not None:
            top = float(self.bound * curves.floor[1])
            ax.set_ylim(top=1.12 * top)
            ax.plot([self.bound], [top], marker="D", color=VERMILION, markersize=6, zorder=5)
            write(ax, (self.bound, top), "no room beyond", away=(-14, 7), ha="right", colour=VERMILION)
