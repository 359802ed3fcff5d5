"""Signed rows z_i = y_i (x_i, 1), or y_i x_i through the origin: the vectors that every proof is about."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import rosenblatt._core as _core
from rosenblatt._typing import Doubles, Ints
from rosenblatt.data.arrays import as_rows
from rosenblatt.data.labels import encode
from rosenblatt.data.rows import Rows
from rosenblatt.errors import DataError
from rosenblatt.learning.policy import true_or_false


@dataclass(frozen=True, eq=False)
class Signed:
    """Rows with signs −1 and +1, in the space the algorithm works in.

    A vector v of that space is (w, b) with a bias and w without; it separates iff z_i·v > 0 for every i.
    """

    rows: Rows
    sign: Doubles
    bias: bool

    @property
    def n(self) -> int:
        return self.rows.n

    @property
    def D(self) -> int:
        """Dimension of the space: d + 1 with a bias, d without."""
        return self.rows.d + self.bias

    @property
    def space(self) -> str:
        return "(x, 1)" if self.bias else "x"

    def split(self, v: Doubles) -> tuple[Doubles, float]:
        """Return w and b of a vector of the space."""
        return (v[:-1], float(v[-1])) if self.bias else (v, 0.0)

    def join(self, w: Any, b: Any) -> Doubles:
        """Return the vector of (w, b), or say why there is none."""
        w = np.asarray(w, dtype=np.float64)
        if w.shape != (self.rows.d,):
            raise DataError(
                f"w has shape {w.shape}; the rows have {self.rows.d} features, so ({self.rows.d},) is needed."
            )
        if not self.bias and float(b) != 0.0:
            raise DataError(f"b = {b}, but bias=False; leave b at 0.")
        v = np.append(w, float(b)) if self.bias else w
        if not np.isfinite(v).all():
            raise DataError("(w, b) holds NaN or infinity; every number must be finite.")
        return v

    def products(self, v: Doubles) -> Doubles:
        """Return z_i·v for every row, in floating point."""
        w, b = self.split(v)
        scores = _core.scores(self.rows.examples(), np.ascontiguousarray(w[None, :]), np.array([b]))
        return self.sign * scores[:, 0]

    def matrix(self, index: Ints) -> Doubles:
        """Return the chosen signed rows, dense."""
        x = self.rows.take(index).dense()
        if self.bias:
            x = np.column_stack([x, np.ones(len(x))])
        return np.asarray(x * self.sign[index][:, None])

    def compact(self, index: Ints) -> Doubles:
        """Return the chosen signed rows, dense, without the columns that are zero in all of them."""
        part = self.rows.take(index)
        if part.columns is None:
            return self.matrix(index)
        narrow = Signed(part.narrowed(np.unique(part.columns)), self.sign[index], self.bias)
        return narrow.matrix(np.arange(len(index)))

    def combination(self, index: Ints, weights: Doubles) -> Doubles:
        """Return Σ weights_i z_i over the chosen rows."""
        factor = weights * self.sign[index]
        part = self.rows.take(index)
        if part.starts is None or part.columns is None:
            x = np.asarray(factor @ part.values.astype(np.float64))
        else:
            each = np.repeat(factor, np.diff(part.starts)) * part.values
            x = np.bincount(part.columns, weights=each, minlength=self.rows.d).astype(np.float64)
        return np.append(x, factor.sum()) if self.bias else x

    def gram(self, index: Ints, scale: Doubles) -> Doubles:
        """Return the inner products of the chosen signed rows, each coordinate multiplied by ``scale``."""
        part = self.rows.take(index)
        at = slice(None) if part.columns is None else part.columns
        x = Rows(part.values * scale[: self.rows.d][at], self.rows.d, part.columns, part.starts)
        K = x.products(x) + (scale[-1] ** 2 if self.bias else 0.0)
        return np.asarray(K * np.multiply.outer(self.sign[index], self.sign[index]))

    def largest(self) -> Doubles:
        """Return the largest size of each coordinate."""
        return np.append(self.rows.largest(), 1.0) if self.bias else self.rows.largest()

    def squared_norms(self) -> Doubles:
        """Return ‖z_i‖² for every row."""
        return self.rows.squared_norms() + self.bias


def near_one(v: Doubles) -> tuple[Doubles, Any]:
    """Return vectors divided by powers of two that bring their largest parts near 1, and the exponents.

    Exact, and no square leaves the floats any more.

    >>> near_one(np.array([12.0, -3.0]))[0].tolist()
    [0.75, -0.1875]
    """
    e = np.frexp(np.abs(v).max(axis=-1))[1]
    return np.ldexp(v, -e[..., None]), e


def lengths(V: Doubles) -> Doubles:
    """Return ‖v‖ of every line.

    >>> lengths(np.array([[3.0, 4.0], [0.0, 0.0]]) * 2.0**600).tolist() == [5 * 2.0**600, 0.0]
    True
    """
    near, e = near_one(V)
    return np.ldexp(np.linalg.norm(near, axis=-1), e)


def rows_to_prove(X: Any) -> Rows:
    """Return X as rows, or refuse a whole number that float64 rounds: a proof would speak of another number."""
    rows = as_rows(X)
    values = rows.values
    if (
        isinstance(X, Rows)
        or values.dtype != np.float64
        or max(values.max(initial=0.0), -values.min(initial=0.0)) < 2.0**53
    ):
        return rows
    at = np.flatnonzero(np.abs(values) >= 2.0**53)
    for place, value, kept in zip(at.tolist(), _as_given(X)[at], values.ravel()[at], strict=True):
        if isinstance(value, (int, np.integer)) and int(value) != int(kept):
            i, j = rows.place(place)
            raise DataError(
                f"X row {i}, {f'column {rows.names[j]!r}' if rows.names else f'column {j}'} is {value}, which float64 "
                f"rounds to {int(kept)}; shift or scale that column first, so that what is proved is about your numbers."
            )
    return rows


def _as_given(X: Any) -> NDArray[Any]:
    """Return the numbers of X, row after row, before they became floats; of a sparse matrix those that are stored."""
    if hasattr(X, "tocsr"):
        csr = X.tocsr(copy=True)
        csr.sum_duplicates()
        return np.asarray(csr.data)
    if hasattr(X, "astype"):
        X = X.astype(object)  # a frame's columns, which as one array would be floats already
    elif hasattr(X, "rows"):
        X = X.rows()  # of a polars frame
    return np.asarray(X, dtype=object).ravel()


def signed(X: Any, y: Any, bias: bool) -> Signed:
    """Return the signed rows of a problem with two classes; the second class in sorted order is +1."""
    bias = true_or_false("bias", bias)
    rows = rows_to_prove(X)
    classes, codes = encode(y, rows.n)
    if len(classes) != 2:
        raise DataError(
            f"y has {len(classes)} classes ({', '.join(map(repr, classes.tolist()[:5]))}); the theorem is about two. "
            "Ask one class against the rest: y == label."
        )
    return Signed(rows, np.where(codes == 1, 1.0, -1.0), bias)
