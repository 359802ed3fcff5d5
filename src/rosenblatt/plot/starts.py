"""StartsDisplay: the boundaries of many runs on the same examples; other starts and orders, other lines."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt._typing import Doubles
from rosenblatt.errors import DataError
from rosenblatt.plot.examples import Plane, Shown, dense_of, labelled, of_trace, slice_of
from rosenblatt.plot.look import INK, SERIES, frame, legend, new_axes, tidy, title
from rosenblatt.plot.plane import View, segment, view_of
from rosenblatt.plot.points import class_handles, draw_points, line_handle

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rosenblatt.theory.studying import Study
    from rosenblatt.theory.tracing import Trace

LINES = 200  # boundaries drawn; more are one grey blot


@dataclass(eq=False, repr=False)
class StartsDisplay:
    """Many boundaries, and in bold that of the mean direction.

    Attributes
    ----------
    W, c : the vectors in the plane, one line a run; ``lines`` their segments in the view (None out of view).
    mean : the mean of the unit vectors (w, b), in the plane, and ``mean_line`` its segment.
    spread : the largest angle in degrees between a run's line normal and the mean's.
    runs, not_converged : how many there are, and how many of them ended without a clean pass.
    varied : what differs between the runs of a study.
    ax_, figure_, lines_, mean_line_, points_, legend_ : the artists, once drawn.

    Examples
    --------
    >>> from rosenblatt import trace
    >>> from rosenblatt.datasets import w2
    >>> from rosenblatt.plot import StartsDisplay
    >>> from matplotlib.figure import Figure
    >>> runs = [trace(*w2(), bias=False, start=start) for start in ([1, 0], [0, 1], [-1, 1])]
    >>> StartsDisplay.from_traces(runs, ax=Figure().subplots()).W.tolist()
    [[1.0, 2.0], [2.0, 3.0], [1.0, 3.0]]
    """

    plane: Plane
    shown: Shown
    view: View
    W: Doubles
    c: Doubles
    runs: int
    not_converged: int
    varied: str = ""

    @classmethod
    def from_traces(cls, traces: "Sequence[Trace]", *, ax: "Axes | None" = None, **style: Any) -> "StartsDisplay":
        """Draw the last vectors of several traces on the same examples."""
        if not traces:
            raise DataError("there is no trace to draw; give at least one.")
        plane, shown, _, _ = of_trace(traces[0])
        ends = [of_trace(run)[1:] for run in traces]
        if any(part.xy.shape != shown.xy.shape or (part.xy != shown.xy).any() for part, _, _ in ends):
            raise DataError("the traces are of different examples; draw each set for itself.")
        W, c = np.array([W[-1] for _, W, _ in ends]), np.array([c[-1] for _, _, c in ends])
        unsettled = sum(not run.counts.converged for run in traces)
        return cls(plane, shown, _view(shown, bool(c.any())), W, c, len(W), unsettled).plot(ax=ax, **style)

    @classmethod
    def from_study(
        cls, study: "Study", *, features: Sequence[int | str] = (0, 1), ax: "Axes | None" = None, **style: Any
    ) -> "StartsDisplay":
        """Draw the models of a study's runs, at most the first 200; other features are held at their median."""
        if len(study.design.scales) > 1:
            raise DataError("the runs are in differently scaled features; draw study.only(...) one scaling at a time.")
        rows, _ = study.data(0)
        dense, names = dense_of(rows)
        plane = slice_of(dense, names, features)
        shown = labelled(dense, study.labels, plane)
        W, c = plane.shadow(study.results.w[:LINES], study.results.b[:LINES])
        view = _view(shown, bool(study.settings["bias"]))
        unsettled = int((~study.results.converged).sum())
        varied = f", varied: {', '.join(study.design.vary) or 'nothing'}"
        return cls(plane, shown, view, W, c, len(study), unsettled, varied).plot(ax=ax, **style)

    @property
    def lines(self) -> list[Doubles | None]:
        return [segment(w, float(c), self.view) for w, c in zip(self.W, self.c, strict=True)]

    @property
    def mean(self) -> tuple[Doubles, float]:
        V = np.column_stack([self.W, self.c])
        norm = np.linalg.norm(V, axis=1, keepdims=True)
        mean = (V / np.where(norm > 0, norm, 1.0)).mean(axis=0)
        return mean[:2], float(mean[2])

    @property
    def mean_line(self) -> Doubles | None:
        return segment(*self.mean, self.view)

    @property
    def spread(self) -> float:
        w, _ = self.mean
        norms = np.linalg.norm(self.W, axis=1) * np.linalg.norm(w)
        if not (norms > 0).any():
            return float("nan")
        cosine = (self.W @ w)[norms > 0] / norms[norms > 0]
        return float(np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0))).max())

    def plot(
        self, ax: "Axes | None" = None, *, palette: Mapping[Any, str] | None = None, show_legend: bool = True
    ) -> "StartsDisplay":
        """Draw, on the axes given or on new ones."""
        self.ax_ = ax = new_axes(ax)
        self.figure_ = ax.figure
        kept = [ends for ends in self.lines if ends is not None]
        opacity = float(np.clip(8 / max(len(kept), 1), 0.06, 0.7))
        self.lines_ = [
            ax.plot(*ends.T, color=SERIES[2], linewidth=1.1, alpha=opacity, zorder=1, solid_capstyle="butt")[0]
            for ends in kept
        ]
        bold = self.mean_line
        self.mean_line_ = None if bold is None else ax.plot(*bold.T, color=INK, linewidth=2.4, zorder=2)[0]
        self.points_ = draw_points(ax, self.shown, palette=palette)
        frame(ax, self.view, equal=self.plane.units)
        tidy(ax, *self.plane.names, self.plane.caption)
        shown = f"the first {len(self.W)} of {self.runs}" if self.runs > len(self.W) else f"{self.runs}"
        unsettled = f"; {self.not_converged} of them did not converge" if self.not_converged else ""
        title(ax, f"{shown} runs{self.varied}; up to {self.spread:.0f}° off their mean{unsettled}")
        handles = [
            *class_handles(self.shown.classes, palette),
            line_handle("one run", color=SERIES[2], linewidth=1.4),
            *([] if bold is None else [line_handle("mean direction", color=INK, linewidth=2.4)]),
        ]
        self.legend_ = legend(ax, handles) if show_legend else None
        return self


def _view(shown: Shown, bias: bool) -> View:
    return view_of(shown.xy if bias else np.vstack([shown.xy, np.zeros((1, 2))]))
