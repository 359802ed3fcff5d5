"""Geometry in the plane, exact and without matplotlib: views, lines clipped to them, half-planes and convex regions."""

from dataclasses import dataclass

import numpy as np

from rosenblatt._typing import Doubles


@dataclass(frozen=True)
class View:
    """What part of the plane is shown: x from ``left`` to ``right``, y from ``bottom`` to ``top``."""

    left: float
    right: float
    bottom: float
    top: float

    @property
    def corners(self) -> Doubles:
        """The four corners, counter-clockwise."""
        return np.array(
            [[self.left, self.bottom], [self.right, self.bottom], [self.right, self.top], [self.left, self.top]]
        )

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.top - self.bottom

    @property
    def roundish(self) -> bool:
        """Whether equal units on both axes make a picture of sensible shape."""
        return 0.4 <= self.height / self.width <= 2.5


def view_of(xy: Doubles, *, share: float = 0.12, thinnest: float = 0.0) -> View:
    """Return a view of all points with room around them; never empty, and neither side below ``thinnest`` of the other.

    >>> view_of(np.array([[0.0, 0.0], [10.0, 10.0]]), share=0.1)
    View(left=-1.0, right=11.0, bottom=-1.0, top=11.0)
    >>> view_of(np.array([[0.0, 0.0], [10.0, 1.0]]), share=0.1, thinnest=0.5)
    View(left=-1.0, right=11.0, bottom=-2.5, top=3.5)
    """
    low, high = xy.min(axis=0), xy.max(axis=0)
    span = high - low
    room = np.where(span > 0, span, max(span.max(), 1.0)) * share
    room = np.where(span > 0, room, 4 * room)
    low, high = low - room, high + room
    lack = np.maximum(0.0, thinnest * (high - low).max() - (high - low)) / 2
    (left, bottom), (right, top) = (low - lack).tolist(), (high + lack).tolist()
    return View(left, right, bottom, top)


def clip(polygon: Doubles, w: Doubles, c: float) -> Doubles:
    """Return the part of a convex polygon where ``w·x + c >= 0``, as vertices (none left: shape (0, 2)).

    Sutherland and Hodgman (1974), one edge at a time; w may be zero.

    >>> square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    >>> clip(square, np.array([1.0, 0.0]), -0.5).tolist()
    [[0.5, 0.0], [1.0, 0.0], [1.0, 1.0], [0.5, 1.0]]
    """
    if len(polygon) == 0:
        return polygon
    score = polygon @ w + c
    kept = []
    for i in range(len(polygon)):
        j = (i + 1) % len(polygon)
        if score[i] >= 0:
            kept.append(polygon[i])
        if (score[i] >= 0) != (score[j] >= 0):
            t = score[i] / (score[i] - score[j])
            kept.append(polygon[i] + t * (polygon[j] - polygon[i]))
    return np.array(kept).reshape(-1, 2)


def segment(w: Doubles, c: float, view: View) -> Doubles | None:
    """Return the two ends of the line ``w·x + c = 0`` inside a view; None where it misses the view or w is zero.

    The line is ``x2 = −(w1 x1 + c)/w2``, vertical if w2 = 0; both kinds come out of one parametrisation: the foot of the
    perpendicular from the middle of the view, and the direction (−w2, w1).

    >>> segment(np.array([2.0, 0.0]), -2.0, View(0, 4, 0, 3)).tolist()
    [[1.0, 0.0], [1.0, 3.0]]
    >>> segment(np.zeros(2), 1.0, View(0, 4, 0, 3)) is None
    True
    """
    largest = float(np.abs(w).max())
    if largest == 0 or not np.isfinite(largest):
        return None
    w, c = w / largest, c / largest  # lengths of 1e-200 and 1e200 alike
    middle = np.array([(view.left + view.right) / 2, (view.bottom + view.top) / 2])
    foot = middle - (w @ middle + c) / (w @ w) * w
    along = np.array([w[1], -w[0]])
    low, high = -np.inf, np.inf
    for p, d, first, last in (
        (foot[0], along[0], view.left, view.right),
        (foot[1], along[1], view.bottom, view.top),
    ):
        if d == 0:
            if not first <= p <= last:
                return None
            continue
        ends = sorted(((first - p) / d, (last - p) / d))
        low, high = max(low, ends[0]), min(high, ends[1])
    if not low < high:
        return None
    found = np.array([foot + low * along, foot + high * along]) + 0.0
    return found[np.lexsort((found[:, 1], found[:, 0]))]


def regions(W: Doubles, c: Doubles, view: View) -> list[Doubles]:
    """Return for each vector the convex region of the view in which it has the largest score."""
    found = []
    for k in range(len(W)):
        polygon = view.corners
        for r in range(len(W)):
            if r != k:
                polygon = clip(polygon, W[k] - W[r], float(c[k] - c[r]))
        found.append(polygon)
    return found


def hull(points: Doubles) -> Doubles:
    """Return the convex hull of a few points in the plane, counter-clockwise (Andrew's monotone chain, 1979).

    >>> hull(np.array([[0.0, 0.0], [2.0, 0.0], [1.0, 0.5], [1.0, 2.0]])).tolist()
    [[0.0, 0.0], [2.0, 0.0], [1.0, 2.0]]
    """
    ordered = np.unique(points, axis=0)
    if len(ordered) <= 2:
        return ordered

    def chain(sequence: Doubles) -> list[Doubles]:
        made: list[Doubles] = []
        for p in sequence:
            while len(made) >= 2 and _turn(made[-2], made[-1], p) <= 0:
                made.pop()
            made.append(p)
        return made[:-1]

    return np.array(chain(ordered) + chain(ordered[::-1]))


def _turn(a: Doubles, b: Doubles, c: Doubles) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
