"""CertificateDisplay: the proof that a line exists, or that none does, as a picture."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt._typing import Doubles, Ints
from rosenblatt.errors import DataError
from rosenblatt.plot.examples import Plane, Shown, dense_of, labelled, slice_of
from rosenblatt.plot.look import INK, QUIET, colours, draw_band, frame, legend, new_axes, tidy, tint, title, write
from rosenblatt.plot.plane import View, clip, hull, segment, view_of
from rosenblatt.plot.points import class_handles, draw_points, draw_rings, line_handle, ring_handle
from rosenblatt.theory.certificate import Certificate
from rosenblatt.theory.margin import Margin, max_margin
from rosenblatt.theory.separability import check

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TOUCH = 1e-9  # rows within this share of the margin touch it
CROWD = 60  # examples among which four rows are hard to find


@dataclass(eq=False, repr=False)
class CertificateDisplay:
    """Separable: the boundary with its margin and the rows that touch. Not: the few rows whose hulls meet, and where.

    Through the origin the second proof reads ``Σ λ_i y_i x_i = 0``: the rows y·x surround the origin, and so they are drawn.

    Attributes
    ----------
    separable : the verdict.
    rows : the rows of the proof: those that touch, or those with weights.
    weights : λ of those rows (not separable); else empty.
    w, c, level : the separator in the plane and its smallest m (separable); else None.
    meet : the common point of both hulls (not separable), or the origin.
    hulls : the hull of the proof's rows of each class; through the origin, one hull of y·x.
    ax_, figure_, line_, band_, points_, rings_, hulls_, meet_, labels_, legend_ : the artists, once drawn.

    Examples
    --------
    >>> from rosenblatt.datasets import xor
    >>> from rosenblatt.plot import CertificateDisplay
    >>> from matplotlib.figure import Figure
    >>> display = CertificateDisplay.from_data(*xor(), ax=Figure().subplots())
    >>> display.separable, display.meet.tolist(), [str(weight) for weight in display.weights]
    (False, [0.5, 0.5], ['1/4', '1/4', '1/4', '1/4'])
    """

    plane: Plane
    shown: Shown
    separable: bool
    rows: Ints
    weights: tuple[Fraction, ...]
    bias: bool
    words: str
    w: Doubles | None = None
    c: float = 0.0
    level: float = 0.0
    gamma: float | None = None
    hulls: tuple[Doubles, ...] = ()
    meet: Doubles | None = None

    @classmethod
    def from_data(
        cls, X: Any, y: Any, *, bias: bool = True, features: Sequence[int | str] = (0, 1), ax: Any = None, **style: Any
    ) -> "CertificateDisplay":
        """Ask ``check``, and where the answer is yes ``max_margin``, and draw what they say."""
        found = check(X, y, bias=bias)
        if not isinstance(found, Certificate):
            raise DataError("a certificate is drawn for two classes; draw one class against the rest: y == label.")
        proof: Certificate | Margin = max_margin(X, y, bias=bias) if found.separable else found
        return cls.from_certificate(proof, X, y, features=features, ax=ax, **style)

    @classmethod
    def from_certificate(
        cls,
        certificate: Certificate | Margin,
        X: Any,
        y: Any,
        *,
        features: Sequence[int | str] = (0, 1),
        ax: "Axes | None" = None,
        **style: Any,
    ) -> "CertificateDisplay":
        """Draw a certificate of ``check``, or the result of ``max_margin``, among its examples.

        More than two features: a separator's line is that of the slice with the others at their median; the hulls that
        meet are seen from above, as their shadows on the two features, which meet as well.
        """
        dense, names = dense_of(X)
        plane = slice_of(dense, names, features)
        shown = labelled(dense, y, plane)
        if isinstance(certificate, Margin):
            return cls._separated(plane, shown, dense, certificate, True).plot(ax=ax, **style)
        if certificate.separable is None or len(shown.classes) != 2:
            raise DataError("this certificate proves nothing for two classes, so there is nothing to draw.")
        if certificate.separable:
            return cls._separated(plane, shown, dense, certificate, False).plot(ax=ax, **style)
        return cls._inseparable(plane, shown, dense, certificate).plot(ax=ax, **style)

    @classmethod
    def _separated(
        cls, plane: Plane, shown: Shown, X: Doubles, found: Certificate | Margin, best: bool
    ) -> "CertificateDisplay":
        if found.w is None:
            raise DataError("the separator is known as integers only, too long to draw.")
        m = shown.sign * (X @ found.w + found.b)
        touching = np.flatnonzero(m <= m.min() * (1 + TOUCH) + 1e-300)
        rows = found.rows if isinstance(found, Margin) else touching
        bias = found.space != "x" if isinstance(found, Margin) else found.bias
        w, c = plane.shadow(found.w[None], np.array([found.b]))
        kind = "largest margin" if best else "a separator with margin"
        words = f"separable: {kind} $\\gamma$ = {found.gamma:.4g}{' in $(x, 1)$' * bias}"
        return cls(plane, shown, True, rows, (), bias, words, w[0], float(c[0]), float(m.min()), found.gamma)

    @classmethod
    def _inseparable(cls, plane: Plane, shown: Shown, X: Doubles, found: Certificate) -> "CertificateDisplay":
        assert found.rows is not None
        rows, weights = found.rows, found.weights
        xy = plane.place(X)[rows]
        share = np.array([float(weight) for weight in weights])
        sign = shown.sign[rows]
        proof = "proved" if found.proved else "numerically"
        if found.bias:
            plus = sign > 0
            meet = (share[plus, None] * xy[plus]).sum(axis=0) / share[plus].sum()
            words = f"not separable ({proof}): the hulls of {len(rows)} rows meet"
            return cls(plane, shown, False, rows, weights, True, words, hulls=(hull(xy[~plus]), hull(xy[plus])),
                       meet=meet)  # fmt: skip
        turned = hull(sign[:, None] * xy)
        around = f"{len(rows)} rows $y\\,x$ surround it" if len(rows) > 1 else "a zero row"
        words = f"not separable through the origin\n{proof}: {around}"
        flipped = Shown(shown.sign[:, None] * shown.xy, shown.codes, shown.classes, shown.near)
        return cls(plane, flipped, False, rows, weights, False, words, hulls=(turned,), meet=np.zeros(2))

    @property
    def view(self) -> View:
        extra = [self.shown.xy] + ([self.meet[None]] if self.meet is not None else [])
        if not self.bias:
            extra.append(np.zeros((1, 2)))
        return view_of(np.vstack(extra), share=0.16 if self.separable else 0.24)

    @property
    def line(self) -> Doubles | None:
        """The two ends of the separator in the view."""
        return None if self.w is None else segment(self.w, self.c, self.view)

    def plot(
        self, ax: "Axes | None" = None, *, palette: Mapping[Any, str] | None = None, show_legend: bool = True
    ) -> "CertificateDisplay":
        """Draw, on the axes given or on new ones."""
        self.ax_ = ax = new_axes(ax)
        self.figure_ = ax.figure
        paint = colours(self.shown.classes, palette)
        view = self.view
        self.line_: Any = None
        self.meet_: Any = None
        self.band_: list[Any] = []
        self.hulls_: list[Any] = []
        self.labels_: list[Any] = []
        handles = self._draw_separator(ax, paint, view) if self.separable else self._draw_hulls(ax, paint)
        chosen = np.zeros(len(self.shown.xy), dtype=bool)
        chosen[self.rows] = True
        crowded = len(chosen) > CROWD and not self.separable  # then the few rows of the proof stand out
        self.points_ = draw_points(ax, replace(self.shown, near=chosen) if crowded else self.shown, palette=palette)
        self.rings_ = draw_rings(ax, self.shown, chosen)
        frame(ax, view, equal=self.plane.units)
        turned = not self.separable and not self.bias
        names = [f"$y\\,\\cdot$ {name}" if turned and name else name for name in self.plane.names]
        tidy(ax, names[0], names[1], self._caption())
        title(ax, self.words)
        self.legend_ = legend(ax, [*class_handles(self.shown.classes, palette), *handles]) if show_legend else None
        return self

    def _caption(self) -> str:
        if not self.plane.caption:
            return ""
        return self.plane.caption if self.separable else "seen from above: shadows of the hulls on these two features"

    def _draw_separator(self, ax: "Axes", paint: list[str], view: View) -> list[Any]:
        assert self.w is not None
        for side, colour in ((-1.0, paint[0]), (1.0, paint[1])):
            area = clip(view.corners, side * self.w, side * self.c)
            if len(area):
                ax.fill(*area.T, color=tint(colour), linewidth=0, zorder=0)
        self.band_ = draw_band(ax, self.w, self.c, self.level, view)
        if self.line is not None:
            (self.line_,) = ax.plot(*self.line.T, color=INK, linewidth=1.9, zorder=2)
        few = (
            f"rows {', '.join(str(row + 1) for row in self.rows)}" if len(self.rows) <= 6 else f"{len(self.rows)} rows"
        )
        return [ring_handle(f"touching: {few}")]

    def _draw_hulls(self, ax: "Axes", paint: list[str]) -> list[Any]:
        inks = paint if len(self.hulls) == 2 else [QUIET]
        for corners, colour in zip(self.hulls, inks, strict=True):
            if len(corners) >= 3:
                self.hulls_ += ax.fill(*corners.T, facecolor=tint(colour, 0.3), edgecolor=colour, linewidth=1.6,
                                       alpha=0.7, zorder=1)  # fmt: skip
            else:
                self.hulls_ += ax.plot(*corners.T, color=colour, linewidth=2.2, zorder=1.5)
        assert self.meet is not None
        (self.meet_,) = ax.plot(*self.meet, marker="*", markersize=23, color=INK, markeredgecolor="white", zorder=3,
                                linestyle="none")  # fmt: skip
        for at, row, weight in zip(self.shown.xy[self.rows], self.rows, self.weights, strict=True):
            across, up = at - self.meet
            sideways = abs(up) < 0.35 * abs(across)
            away = (36.0 * np.sign(across), 0.0) if sideways else (0.0, -19.0 if up < 0 else 19.0)
            ink = paint[int(self.shown.codes[row])]
            self.labels_.append(write(ax, at, f"$\\lambda$ = {_share(weight)}", away=away, colour=ink))
        what = "in both hulls" if self.bias else "the origin"
        return [line_handle(what, linestyle="none", marker="*", markersize=11, color=INK)]


def _share(weight: Fraction) -> str:
    """Write a weight as a fraction where that is short."""
    text = str(weight)
    return text if len(text) <= 7 else f"{float(weight):.3f}"
