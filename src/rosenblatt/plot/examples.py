"""Examples as a picture shows them: two coordinates each, whatever the number of features, and a caption that says how."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt._typing import Codes, Doubles, Labels
from rosenblatt.data.arrays import as_rows
from rosenblatt.data.labels import encode
from rosenblatt.errors import DataError
from rosenblatt.plot.look import literal

if TYPE_CHECKING:
    from rosenblatt.theory.tracing import Trace

MOST = 20_000_000  # numbers of X that a picture is ready to make dense
NAMED = 4  # fixed features that a caption lists one by one


@dataclass(frozen=True, eq=False)
class Plane:
    """The map from examples to the plane: ``xy = X @ axes.T + offset``, and back for the points of a grid.

    ``names`` are the axes' labels, ``caption`` says what the picture does not show. A vector (w, b) becomes
    ``shadow(w, b)``, the line it draws here.
    """

    axes: Doubles  # 2 × d
    offset: Doubles  # 2
    base: Doubles  # d: where the plane is hung up in feature space
    names: tuple[str, str]
    caption: str = ""
    units: bool = True  # whether both axes are features, so that equal units mean something

    def place(self, X: Doubles) -> Doubles:
        """Return the two coordinates of each row."""
        return np.asarray(X @ self.axes.T + self.offset)

    def lift(self, xy: Doubles) -> Doubles:
        """Return the rows of feature space that these points of the picture stand for."""
        return np.asarray(self.base + (xy - self.place(self.base[None])) @ np.linalg.pinv(self.axes).T)

    def shadow(self, W: Doubles, b: Doubles) -> tuple[Doubles, Doubles]:
        """Return (w, c) in the plane of vectors W (K × d), b (K): ``w·xy + c`` is the score of the lifted point."""
        flat = W @ np.linalg.pinv(self.axes)
        return flat, W @ self.base + b - flat @ self.place(self.base[None])[0]


@dataclass(frozen=True, eq=False)
class Shown:
    """Examples with two coordinates: ``xy`` (n × 2), ``codes`` into ``classes``; ``near`` says who is near the slice."""

    xy: Doubles
    codes: Codes
    classes: Labels
    near: NDArray[np.bool_]

    @property
    def sign(self) -> Doubles:
        return np.where(self.codes == 1, 1.0, -1.0)


def dense_of(X: Any) -> tuple[Doubles, tuple[str, ...]]:
    """Return X as a dense array with a name for each feature."""
    rows = as_rows(X)
    if rows.n * rows.d > MOST:
        raise DataError(f"X has {rows.n} × {rows.d} numbers, too many for a picture; draw a sample of the rows.")
    return rows.dense(), rows.names or tuple(f"x{j + 1}" for j in range(rows.d))


def labelled(X: Doubles, y: Any, plane: Plane, classes: Labels | None = None) -> Shown:
    """Return examples as shown in a plane."""
    found, codes = encode(y, len(X), classes)
    rest = _rest(plane)
    near = np.ones(len(X), dtype=bool)
    if len(rest) and len(X) > 1:
        deviation = X[:, rest].std(axis=0)
        away = (X[:, rest] - plane.base[rest]) / np.where(deviation > 0, deviation, 1.0)
        near = np.sqrt((away**2).mean(axis=1)) <= 1.0
    return Shown(plane.place(X), codes, found, near)


def _rest(plane: Plane) -> NDArray[np.intp]:
    """Return the features that a slice holds fixed (none in a projection)."""
    return np.flatnonzero(~plane.axes.any(axis=0)) if plane.caption and plane.units else np.zeros(0, dtype=np.intp)


def slice_of(X: Doubles, names: Sequence[str], features: Sequence[int | str], fixed: Any = "median") -> Plane:
    """Return the plane of two features, by place or name, with the others held at a value that the caption states.

    One feature is drawn against the constant 1 that stands for the bias.
    """
    d = X.shape[1]
    if d == 1:
        return Plane(np.array([[1.0], [0.0]]), np.zeros(2), np.zeros(1), (axis_name(names[0]), ""), units=False)
    pair = [_feature(one, names) for one in features]
    if len(pair) != 2 or pair[0] == pair[1]:
        raise DataError(f"{list(features)!r}: a picture needs two different features of {d}.")
    axes = np.zeros((2, d))
    axes[0, pair[0]] = axes[1, pair[1]] = 1.0
    base = _fixed(X, fixed)
    base[pair] = 0.0
    rest = [j for j in range(d) if j not in pair]
    return Plane(
        axes,
        np.zeros(2),
        base,
        (axis_name(names[pair[0]]), axis_name(names[pair[1]])),
        _caption(rest, names, base, fixed),
    )


def along(X: Doubles, w: Doubles, b: float) -> Plane:
    """Return the plane whose first axis is the signed distance from the boundary, the second the widest spread across.

    x = (w·x + b)/‖w‖; y is the first principal component of what is at right angles to w. All features take part.
    """
    norm = float(np.linalg.norm(w))
    if norm == 0:
        raise DataError("project='w' needs a direction, and w = 0; draw two features instead: features=(0, 1).")
    unit = w / norm
    across = X - np.outer(X @ unit, unit)
    middle = across.mean(axis=0)
    second = np.linalg.svd(across - middle, full_matrices=False)[2][0] if X.shape[1] > 1 else np.zeros(len(w))
    second = second - (second @ unit) * unit
    second = second * (1.0 if second[int(np.abs(second).argmax())] >= 0 else -1.0)
    base = middle - (b / norm) * unit
    caption = f"all {len(w)} features; across: their widest spread at right angles to $w$"
    return Plane(
        np.array([unit, second]),
        np.array([b / norm, -float(middle @ second)]),
        base,
        ("signed distance from the boundary", "across"),
        caption,
        units=False,
    )


def of_trace(trace: "Trace") -> tuple[Plane, Shown, Doubles, Doubles]:
    """Return plane, examples, and all vectors W (k+1 × 2), c (k+1) of a trace in the plane.

    One feature with a bias is drawn in the plane of (x, 1), where the boundary goes through the origin.
    """
    if not trace.binary:
        raise DataError("this picture is of two classes; trace one class against the rest: y == label.")
    X, names = dense_of(trace.examples.rows)
    W, b = (part.astype(np.float64) for part in trace.vectors)
    if X.shape[1] == 1 and trace.settings["bias"]:
        X, W = np.column_stack([X, np.ones(len(X))]), np.column_stack([W, b])
        b, names = np.zeros(len(W)), (names[0], "the constant 1")
    if X.shape[1] != 2:
        raise DataError(
            f"this picture of vectors needs two features and there are {X.shape[1]}; draw the boundary, which can "
            "show two of many."
        )
    plane = slice_of(X, names, (0, 1))
    shown = Shown(X, trace.examples.codes, trace.examples.classes, np.ones(len(X), dtype=bool))
    return plane, shown, W, b


def refuse_not_kept(k: int, kept: range) -> None:
    """Refuse an update that a trace does not have."""
    if k not in kept:
        raise DataError(f"k={k}: no such update was kept; k is from {kept.start} to {kept.stop - 1}.")


def axis_name(name: str) -> str:
    """Return a feature's name as an axis shows it: x and x1, x2, ... as a formula, others letter by letter.

    >>> axis_name("x12"), axis_name("petal width"), axis_name("US$")
    ('$x_{12}$', 'petal width', 'US\\\\$')
    """
    found = re.fullmatch(r"x(\d*)", name)
    return literal(name) if found is None else f"$x_{{{found[1]}}}$" if found[1] else "$x$"


def _feature(one: int | str, names: Sequence[str]) -> int:
    if isinstance(one, str):
        if one not in names:
            raise DataError(f"there is no feature {one!r}; choose from {', '.join(map(repr, names[:20]))}.")
        return list(names).index(one)
    if not -len(names) <= one < len(names):
        raise DataError(f"there is no feature {one}; there are {len(names)}, counted from 0.")
    return int(one) % len(names)


def _fixed(X: Doubles, fixed: Any) -> Doubles:
    if isinstance(fixed, str):
        if fixed not in ("median", "mean"):
            raise DataError(f"fixed={fixed!r} is unknown; choose 'median', 'mean' or one value per feature.")
        return np.asarray(np.median(X, axis=0) if fixed == "median" else X.mean(axis=0))
    values = np.array(fixed, dtype=np.float64)
    if values.shape != (X.shape[1],):
        raise DataError(f"fixed has shape {values.shape}; give 'median', 'mean' or {X.shape[1]} values, one a feature.")
    return values


def _caption(rest: Sequence[int], names: Sequence[str], base: Doubles, fixed: Any) -> str:
    if not rest:
        return ""
    what = f"at the {fixed}" if isinstance(fixed, str) else "fixed"
    if len(rest) > NAMED:
        return f"the other {len(rest)} features {what}"
    held = ", ".join(f"{axis_name(names[j])} = {base[j]:.4g}" for j in rest)
    return f"{what}: {held}"
