"""BoundaryDisplay: the examples, the boundary between the classes, the margin band and the mistakes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt._typing import Doubles
from rosenblatt.errors import DataError
from rosenblatt.models.scored import functional_margins
from rosenblatt.plot.examples import Plane, Shown, along, dense_of, labelled, refuse_not_kept, slice_of
from rosenblatt.plot.hypothesis import Hypothesis, hypothesis_of, linear
from rosenblatt.plot.look import (
    EDGE,
    INK,
    arrow,
    colours,
    draw_band,
    frame,
    legend,
    new_axes,
    tidy,
    tint,
    title,
    write,
)
from rosenblatt.plot.plane import View, clip, regions, segment, view_of
from rosenblatt.plot.points import class_handles, draw_points, draw_rings, line_handle, ring_handle

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rosenblatt.theory.tracing import Trace

GRID = 240  # points of a contour's grid along each axis
VOTES = 520  # the same for votes, whose score has steps


@dataclass(eq=False, repr=False)
class BoundaryDisplay:
    """Where the prediction changes, drawn exactly for linear models and by contours for kernels and votes.

    Attributes
    ----------
    shown : the examples' two coordinates ``xy``, ``codes``, ``classes``.
    view : the part of the plane that is drawn.
    line : the two ends of the boundary ``w·x + b = 0`` in the view (2 × 2), or None: curved, out of view, or w = 0.
    w, c : the vector in the plane, where it is linear and of two classes; ``w·xy + c`` is the score.
    areas : one polygon per class (linear); else empty.
    xx, yy, Z : the grid and the scores on it (curved); else None.
    wrong : which examples have ``m <= 0`` (of more than two classes, m is the true one's score less the best rival's).
    level : the smallest m if all are right, so that ``score = ±level`` bounds the band; else None.
    margin : that level over ‖(w, b)‖, the geometric margin.
    ax_, figure_, line_, points_, rings_, band_, areas_, arrow_, legend_ : the artists, once drawn.

    Examples
    --------
    >>> from rosenblatt import trace
    >>> from rosenblatt.datasets import w2
    >>> from rosenblatt.plot import BoundaryDisplay
    >>> from matplotlib.figure import Figure
    >>> display = BoundaryDisplay.from_trace(trace(*w2(), bias=False), xlim=(-4, 4), ylim=(-4, 4), ax=Figure().subplots())
    >>> display.w.tolist(), display.line.tolist(), display.wrong.any()
    ([2.0, 4.0], [[-4.0, 2.0], [4.0, -2.0]], np.False_)
    """

    plane: Plane
    shown: Shown
    view: View
    line: Doubles | None
    w: Doubles | None
    c: float
    areas: list[Doubles]
    xx: Doubles | None
    yy: Doubles | None
    Z: Doubles | None
    wrong: NDArray[np.bool_]
    level: float | None
    margin: float | None
    bias: bool
    heading: str = ""

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        features: Sequence[int | str] = (0, 1),
        fixed: Any = "median",
        project: str | None = None,
        xlim: tuple[float, float] | None = None,
        ylim: tuple[float, float] | None = None,
        ax: "Axes | None" = None,
        **style: Any,
    ) -> "BoundaryDisplay":
        """Draw a fitted classifier among examples.

        Parameters
        ----------
        estimator : a fitted classifier of this library or of scikit-learn's kind, an ``Outcome``, or a model.
        X, y : the examples to show.
        features : which two, by place or name, where there are more.
        fixed : where the other features are held: "median", "mean", or one value per feature. The caption says so.
        project : "w" shows all features: the signed distance from the boundary, and the widest spread across.
        xlim, ylim : the view; default all examples and some room.
        ax, **style : as in ``plot``.
        """
        found = hypothesis_of(estimator)
        dense, names = dense_of(X)
        return cls._compute(found, dense, y, found.names or names, features, fixed, project, xlim, ylim).plot(
            ax=ax, **style
        )

    from_outcome = from_estimator

    @classmethod
    def from_trace(
        cls,
        trace: "Trace",
        *,
        k: int | None = None,
        features: Sequence[int | str] = (0, 1),
        fixed: Any = "median",
        project: str | None = None,
        xlim: tuple[float, float] | None = None,
        ylim: tuple[float, float] | None = None,
        ax: "Axes | None" = None,
        **style: Any,
    ) -> "BoundaryDisplay":
        """Draw the vector after k updates; the other parameters are those of ``from_estimator``.

        By default it is the model's: the last vector, or the one that the memory "average" or "pocket" made the model.
        A vote is no vector: of its voters the last is drawn, and the heading says so. Draw the vote itself with
        ``from_outcome(learn(X, y, memory="vote"), X, y)``.
        """
        model, counts, examples = trace.model, trace.counts, trace.examples
        made = counts.n_updates if k is None else k
        heading = f"after {made} update{'s' * (made != 1)}{', not converged' * (k is None and not counts.converged)}"
        if k is None:
            heading = {
                "average": f"the average over {counts.n_steps} steps",
                "pocket": f"the pocket of {made} update{'s' * (made != 1)}",
                "vote": f"not the vote: the last of its {made + 1} voters",
            }.get(model.memory, heading)
        if k is None and model.w is not None:  # the last vector of a long run is not among those kept
            w, b = model.w, model.b
        else:
            W, offsets = trace.vectors
            k = len(W) - 1 if k is None else k
            refuse_not_kept(k, range(len(W)))
            w, b = W[k], offsets[k]
        found = linear(w, b, examples.classes, examples.rows.names, bool(trace.settings["bias"]))
        dense, names = dense_of(examples.rows)
        display = cls._compute(found, dense, examples.labels, names, features, fixed, project, xlim, ylim)
        display.heading = heading
        return display.plot(ax=ax, **style)

    @classmethod
    def _compute(
        cls,
        found: Hypothesis,
        X: Doubles,
        y: Any,
        names: Sequence[str],
        features: Sequence[int | str],
        fixed: Any,
        project: str | None,
        xlim: tuple[float, float] | None,
        ylim: tuple[float, float] | None,
    ) -> "BoundaryDisplay":
        if found.d is not None and found.d != X.shape[1]:
            raise DataError(f"X has {X.shape[1]} features, but the model was trained on {found.d}.")
        plane = _plane(found, X, names, features, fixed, project)
        shown = labelled(X, y, plane, found.classes)
        scores = found.score(X)
        m = functional_margins(scores, shown.codes)
        level = float(m.min()) if scores.ndim == 1 and found.W is not None and m.min() > 0 else None
        display = cls(plane, shown, _view(shown, found, plane, xlim, ylim), None, None, 0.0, [], None, None, None,
                      m <= 0, level, None, found.bias)  # fmt: skip
        if found.W is not None and found.b is not None:
            display._straight(found.W, found.b)
            if level is not None:
                display.margin = level / float(np.linalg.norm(np.append(found.W[0], found.b[0])))
        else:
            display._curved(found)
        return display

    def _straight(self, W: Doubles, b: Doubles) -> None:
        flat, c = self.plane.shadow(W, b)
        if len(flat) > 1:
            self.areas = regions(flat, c, self.view)
            return
        self.w, self.c = flat[0], float(c[0])
        self.line = segment(self.w, self.c, self.view)
        if self.w.any():
            self.areas = [clip(self.view.corners, s * self.w, s * self.c) for s in (-1.0, 1.0)]

    def _curved(self, found: Hypothesis) -> None:
        points = VOTES if found.stepped else GRID
        x = np.linspace(self.view.left, self.view.right, points)
        y = np.linspace(self.view.bottom, self.view.top, points)
        self.xx, self.yy = np.meshgrid(x, y)
        scores = found.score(self.plane.lift(np.column_stack([self.xx.ravel(), self.yy.ravel()])))
        self.Z = (scores if scores.ndim == 1 else scores.argmax(axis=1).astype(np.float64)).reshape(self.xx.shape)

    def plot(
        self,
        ax: "Axes | None" = None,
        *,
        palette: Mapping[Any, str] | None = None,
        show_regions: bool = True,
        show_band: bool = True,
        show_mistakes: bool = True,
        show_w: bool = False,
        show_legend: bool = True,
        heading: str | None = None,
    ) -> "BoundaryDisplay":
        """Draw, on the axes given or on new ones.

        Parameters
        ----------
        palette : a colour per class, for points and regions alike.
        show_regions, show_band, show_mistakes, show_w, show_legend : what to draw; ``show_w`` is the arrow of w.
        heading : the title, instead of the one that says what is drawn.
        """
        self.ax_ = ax = new_axes(ax)
        self.figure_ = ax.figure
        paint = colours(self.shown.classes, palette)
        self.areas_ = self._draw_areas(ax, paint) if show_regions else []
        self.band_: list[Any] = []
        if show_band and self.level is not None and self.w is not None and self.w.any():
            self.band_ = draw_band(ax, self.w, self.c, self.level, self.view)
        self.line_ = self._draw_line(ax)
        self.points_ = draw_points(ax, self.shown, palette=palette)
        self.rings_ = draw_rings(ax, self.shown, self.wrong) if show_mistakes else None
        self.arrow_ = self._draw_w(ax) if show_w else None
        frame(ax, self.view, equal=self.plane.units)
        faint = "" if self.shown.near.all() else "; faint points are far from there"
        tidy(ax, *self.plane.names, self.plane.caption + faint)
        if not self.plane.names[1]:
            ax.set_yticks([])
            ax.spines["left"].set_visible(False)
        title(ax, self._heading() if heading is None else heading)
        handles = class_handles(self.shown.classes, palette)
        if self.rings_ is not None:
            handles.append(ring_handle(f"mistake ({int(self.wrong.sum())})"))
        if self.band_:
            handles.append(line_handle(f"margin {self.margin:.3g}{' in $(x, 1)$' * self.bias}", **EDGE))
        self.legend_ = legend(ax, handles) if show_legend else None
        return self

    def _heading(self) -> str:
        if self.w is not None and not self.w.any():
            return "$w = 0$: no boundary, every score is " + f"{self.c:.4g}"
        return self.heading

    def _draw_areas(self, ax: "Axes", paint: list[str]) -> list[Any]:
        if self.Z is not None:
            Z, levels = self.Z, [k - 0.5 for k in range(len(paint) + 1)]
            if len(paint) == 2:
                Z = np.where(Z == 0, np.finfo(float).tiny, Z)  # a zero score is positive
                levels = [min(Z.min(), -1.0) - 1, 0.0, max(Z.max(), 1.0) + 1]
            return [ax.contourf(self.xx, self.yy, Z, levels=levels, colors=[tint(c) for c in paint], zorder=0)]
        return [
            ax.fill(*area.T, color=tint(colour), linewidth=0, zorder=0)[0]
            for area, colour in zip(self.areas, paint, strict=False)
            if len(area)
        ]

    def _draw_line(self, ax: "Axes") -> Any:
        if self.Z is not None:
            n = len(self.shown.classes)
            levels = [0.0] if n == 2 else [k + 0.5 for k in range(n - 1)]
            if n == 2 and not self.Z.min() < 0 <= self.Z.max():
                return None
            return ax.contour(self.xx, self.yy, self.Z, levels=levels, colors=[INK], linewidths=1.6, zorder=2)
        if self.line is not None:
            return ax.plot(*self.line.T, color=INK, linewidth=1.8, solid_capstyle="butt", zorder=2)[0]
        return None

    def _draw_w(self, ax: "Axes") -> Any:
        """Draw the direction of w from the boundary's foot, a fifth of the view long: its length has no place here."""
        if self.w is None or not self.w.any() or self.line is None:
            return None
        foot = self.line.mean(axis=0)
        unit = self.w / np.linalg.norm(self.w)
        tip = foot + 0.2 * min(self.view.width, self.view.height) * unit
        made = arrow(ax, foot, tip, colour=INK)
        write(ax, tip, "$w$", away=9 * unit)
        return made


def _plane(
    found: Hypothesis, X: Doubles, names: Sequence[str], features: Sequence[int | str], fixed: Any, project: str | None
) -> Plane:
    if project is None:
        return slice_of(X, names, features, fixed)
    if project != "w":
        raise DataError(f"project={project!r} is unknown; choose 'w' or None.")
    if found.W is None or found.b is None or len(found.W) != 1:
        raise DataError("project='w' needs one vector; this model is curved or has several. Use features=(i, j).")
    return along(X, found.W[0], float(found.b[0]))


def _view(shown: Shown, found: Hypothesis, plane: Plane, xlim: Any, ylim: Any) -> View:
    """Return the view: what was asked for, else all examples, and the origin where the boundary must go through it."""
    xy = shown.xy
    if not found.bias and plane.units and not plane.caption:
        xy = np.vstack([xy, np.zeros(2)])
    view = view_of(xy)
    left, right = xlim or (view.left, view.right)
    bottom, top = ylim or (view.bottom, view.top)
    if not (left < right and bottom < top):
        raise DataError(f"xlim={xlim!r}, ylim={ylim!r}: each must be (smaller, larger).")
    return View(float(left), float(right), float(bottom), float(top))
