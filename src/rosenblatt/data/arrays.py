"""Rows from what the user has in memory: arrays, lists, data frames, SciPy sparse matrices.

Element types are kept (float64, float32, uint8, int8, int16, int32 are read as they are); everything else becomes
float64 once. NaN and infinity are refused by name of row and column.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import rosenblatt._core as _core
from rosenblatt._typing import Ints
from rosenblatt.data.cores import cores
from rosenblatt.errors import DataError

CHUNK = 1 << 22  # numbers made float64 at a time
NARROW = 1024  # columns up to which products of sparse rows are faster made dense
NATIVE = tuple(np.dtype(t) for t in ("float64", "float32", "uint8", "int8", "int16", "int32"))


def _largest(dtype: Any) -> float:
    """Return the largest size of a value of this type; infinity for floats."""
    return float(max(-np.iinfo(dtype).min, np.iinfo(dtype).max)) if dtype.kind in "iu" else np.inf


@dataclass(frozen=True, eq=False)
class Rows:
    """Examples without labels, dense (``values`` is n × d) or sparse (CSR: ``values, columns, starts``)."""

    values: NDArray[Any]
    d: int
    columns: NDArray[Any] | None = None
    starts: NDArray[Any] | None = None
    names: tuple[str, ...] | None = None

    @property
    def n(self) -> int:
        return len(self.values) if self.starts is None else len(self.starts) - 1

    @property
    def is_sparse(self) -> bool:
        return self.starts is not None

    def examples(self) -> _core.Examples:
        """Return the view that the core reads; it keeps the arrays alive."""
        if self.starts is None:
            return _core.Examples.dense(self.values)
        return _core.Examples.sparse(self.values, self.columns, self.starts, self.d)

    def take(self, index: Ints) -> "Rows":
        """Return the chosen rows, copied."""
        if self.starts is None:
            return Rows(np.ascontiguousarray(self.values[index]), self.d, names=self.names)
        assert self.columns is not None
        length = (self.starts[1:] - self.starts[:-1])[index]
        starts = np.zeros(len(index) + 1, dtype=self.starts.dtype)
        np.cumsum(length, out=starts[1:])
        within = np.arange(int(starts[-1]), dtype=np.int64) - np.repeat(starts[:-1].astype(np.int64), length)
        source = np.repeat(self.starts[:-1][index].astype(np.int64), length) + within
        return Rows(self.values[source], self.d, self.columns[source], starts, self.names)

    def pieces(self, size: int) -> "Iterator[tuple[slice, Rows]]":
        """Return the rows, at most ``size`` of them at a time, each piece with its place; nothing is copied.

        >>> [(place.start, piece.n) for place, piece in as_rows([[1], [2], [3]]).pieces(2)]
        [(0, 2), (2, 1)]
        """
        for first in range(0, self.n, size):
            place = slice(first, min(first + size, self.n))
            if self.starts is None:
                yield place, Rows(self.values[place], self.d, names=self.names)
            else:
                assert self.columns is not None
                part = slice(int(self.starts[first]), int(self.starts[place.stop]))
                starts = self.starts[first : place.stop + 1] - self.starts[first]
                yield place, Rows(self.values[part], self.d, self.columns[part], starts, self.names)

    @staticmethod
    def stack(parts: "Sequence[Rows]") -> "Rows":
        """Return the rows of several sets, one after another: sparse as soon as one set is."""
        d, names = parts[0].d, parts[0].names
        if not any(part.is_sparse for part in parts):
            return Rows(np.concatenate([part.values for part in parts]), d, names=names)
        values, columns, lengths = [], [], []
        for part in parts:
            if part.starts is None:
                at = np.nonzero(part.values)
                lengths.append(np.bincount(at[0], minlength=part.n))
                columns.append(at[1])
                values.append(part.values[at].astype(np.result_type(part.values, np.float32)))
            else:
                assert part.columns is not None
                lengths.append(np.diff(part.starts))
                columns.append(part.columns)
                values.append(part.values)
        joined = np.concatenate(columns)
        starts = np.concatenate([[0], np.cumsum(np.concatenate(lengths))])
        index = np.int32 if joined.dtype == np.int32 and starts[-1] < 2**31 else np.int64
        return Rows(np.concatenate(values), d, joined.astype(index, copy=False), starts.astype(index), names)

    def squared_norms(self) -> NDArray[np.float64]:
        """Return ‖x‖² of every row."""
        if self.starts is not None:
            of = np.repeat(np.arange(self.n), np.diff(self.starts))
            squares = np.bincount(of, weights=self.values.astype(np.float64) ** 2, minlength=self.n)
            return squares.astype(np.float64, copy=False)
        found = np.empty(self.n)
        for place, piece in self.pieces(max(1, CHUNK // max(1, self.d))):
            x = piece.values.astype(np.float64, copy=False)
            np.einsum("ij,ij->i", x, x, out=found[place])
        return found

    def row(self, i: int) -> NDArray[np.float64]:
        """Return row i, dense, as float64."""
        if self.starts is None:
            return self.values[i].astype(np.float64)
        assert self.columns is not None
        x = np.zeros(self.d)
        part = slice(int(self.starts[i]), int(self.starts[i + 1]))
        np.add.at(x, self.columns[part], self.values[part])
        return x

    def dense(self, dtype: Any = np.float64) -> NDArray[Any]:
        """Return all rows as a dense array, float64 unless told otherwise."""
        if self.starts is None:
            return self.values.astype(dtype)
        assert self.columns is not None
        x = np.zeros((self.n, self.d), dtype=dtype)
        row = np.repeat(np.arange(self.n), np.diff(self.starts))
        x[row, self.columns] = self.values  # no column comes twice in a row
        return x

    def products(self, other: "Rows") -> NDArray[np.float64]:
        """Return the matrix of inner products, self.n × other.n."""
        if not self.is_sparse and not other.is_sparse:
            # Small whole numbers: float32 holds every sum exactly, at twice the speed.
            exact = self.d * _largest(self.values.dtype) * _largest(other.values.dtype) <= 2**24
            wide: Any = np.float32 if exact else np.float64
            product = self.values.astype(wide, copy=False) @ other.values.astype(wide, copy=False).T
            return product.astype(np.float64, copy=False)
        if self.d <= NARROW and max(self.n, other.n) * self.d <= CHUNK:
            return np.asarray(self.dense() @ other.dense().T)
        if not self.is_sparse:
            return np.ascontiguousarray(other.products(self).T)
        if not other.is_sparse:
            return _core.scores(self.examples(), other.values.astype(np.float64), np.zeros(other.n))
        few = self.n * other.n < 1 << 15  # one thread has made them before another has started
        return _core.sparse_products(self.examples(), other.examples(), 1 if few else cores())

    @property
    def is_thin(self) -> bool:
        """Return whether these are sparse rows of few columns with most of them empty: a case for tiles.

        >>> from scipy.sparse import eye_array
        >>> as_rows(eye_array(8, format="csr")).is_thin, as_rows(eye_array(7, format="csr")).is_thin
        (True, False)
        """
        return self.starts is not None and self.d <= NARROW and 8 * len(self.values) <= self.n * self.d

    def for_products(self) -> "Rows":
        """Return narrow sparse rows dense, as `products` would make them each time; small whole numbers as bytes.

        >>> from scipy.sparse import csr_array
        >>> as_rows(csr_array([[0.0, 3.0], [1.0, 0.0]])).for_products().values
        array([[0, 3],
               [1, 0]], dtype=int8)
        """
        if not self.is_sparse or self.d > NARROW or self.is_thin:
            return self
        small = np.abs(self.values).max(initial=0) <= 127 and bool((self.values == np.rint(self.values)).all())
        return Rows(self.dense(np.int8 if small else np.float64), self.d, names=self.names)

    def to_scipy(self) -> Any:
        """Return sparse rows as a SciPy CSR array."""
        from scipy import sparse

        return sparse.csr_array((self.values, self.columns, self.starts), shape=(self.n, self.d))


def as_rows(X: Any, *, where: str = "X", check_finite: bool = True) -> Rows:
    """Return X as rows of numbers the core can read, without a copy where that is possible."""
    if isinstance(X, Rows):
        return X
    if isinstance(X, str | os.PathLike):
        raise DataError(
            f"{where} is the name {os.fspath(X)!r}; open a file with rosenblatt.data.open(name, target=...)."
        )
    names = _column_names(X)
    if hasattr(X, "tocsr"):
        rows = _from_sparse(X, names)
    else:
        rows = Rows(_dense_values(X, where, names), 0, names=names)
        rows = Rows(rows.values, rows.values.shape[1], names=names)
    if rows.n == 0:
        raise DataError(f"{where} has 0 sample(s) (shape={(0, rows.d)}) while a minimum of 1 is required.")
    if rows.d == 0:
        raise DataError(f"{where} has 0 feature(s) (shape={(rows.n, 0)}) while a minimum of 1 is required.")
    if check_finite:
        refuse_not_finite(rows, where)
    return rows


def augment(X: Any) -> Rows:
    """Append the constant feature 1: training on it through the origin equals training with a bias.

    >>> augment([[2.0], [3.0]]).values.tolist()
    [[2.0, 1.0], [3.0, 1.0]]
    """
    rows = as_rows(X)
    if rows.starts is None:
        return Rows(np.column_stack([rows.values, np.ones(rows.n, rows.values.dtype)]), rows.d + 1)
    assert rows.columns is not None
    at = rows.starts[1:].astype(np.int64)
    return Rows(
        np.insert(rows.values, at, 1),
        rows.d + 1,
        np.insert(rows.columns, at, rows.d),
        rows.starts + np.arange(rows.n + 1, dtype=rows.starts.dtype),
    )


def _column_names(X: Any) -> tuple[str, ...] | None:
    columns: Sequence[Any] | None = getattr(X, "columns", None)
    if columns is None or callable(columns):
        return None
    names = list(columns)
    return tuple(names) if names and all(isinstance(name, str) for name in names) else None


def _dense_values(X: Any, where: str, names: tuple[str, ...] | None) -> NDArray[Any]:
    try:
        values = np.asarray(X.to_numpy() if hasattr(X, "to_numpy") else X)
    except ValueError:
        raise DataError(f"{where} is ragged: {_first_ragged(X)} Every row needs the same number of values.") from None
    if values.dtype.kind == "c":
        raise DataError(f"Complex data not supported: {where} has element type {values.dtype}; give real numbers.")
    if values.ndim == 1 and values.size == 0:
        raise DataError(
            f"Found array with 0 sample(s) (shape={values.shape}): {where} is empty; give one row an example."
        )
    if values.ndim == 1:
        raise DataError(
            f"Expected 2D array, got 1D array instead: {where} has shape {values.shape}. "
            "Reshape your data: X.reshape(-1, 1) for one feature, X.reshape(1, -1) for one example."
        )
    if values.ndim == 0 and values.dtype == object:
        raise DataError(
            f"{where} is a {type(X).__name__}; give an array, a sparse matrix or a table, a row an example. "
            "Of an open file: X, y = source.read(), or without labels X = source.rows()."
        )
    if values.dtype.kind in "mM":
        raise DataError(f"{where} holds dates or times ({values.dtype}); give numbers, such as days since a date.")
    if values.ndim != 2:
        raise DataError(f"Found array with dim {values.ndim}. {where} must be examples by features, shape (n, d).")
    if values.dtype.kind not in "fiub":
        values = _numbers(values, where, names)
    if values.dtype not in NATIVE:
        values = values.astype(np.float64)
    if values.size and (values.strides[1] != values.itemsize or values.strides[0] < values.itemsize * values.shape[1]):
        values = np.ascontiguousarray(values)  # columns first, reversed or repeated: the core wants whole rows
    if not values.flags.aligned or not values.dtype.isnative:
        values = np.array(values, dtype=values.dtype.newbyteorder("="))
    return values


def _numbers(values: NDArray[Any], where: str, names: tuple[str, ...] | None) -> NDArray[np.float64]:
    """Convert objects and strings, or name the first that is no number."""
    try:
        return values.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        for i, j in np.ndindex(values.shape):
            value = values[i, j : j + 1].tolist()[0]
            try:
                float(value)
            except OverflowError:
                raise DataError(
                    f"{where} row {i}, {_column(j, names)} is beyond the floats; scale that column."
                ) from None
            except (TypeError, ValueError) as error:
                message = (
                    f"{where} row {i}, {_column(j, names)}: {value!r} is not a number; "
                    "the argument must be a string or a number that float() accepts. "
                    "Encode categories first, for example with one column per level."
                )
                raise (TypeError(message) if isinstance(error, TypeError) else DataError(message)) from None
        raise


def _first_ragged(X: Any) -> str:
    lengths = [len(row) if hasattr(row, "__len__") else None for row in X]
    i = next((i for i, length in enumerate(lengths) if length != lengths[0]), 0)
    return f"row {i} has {lengths[i]} values, row 0 has {lengths[0]}."


def _from_sparse(X: Any, names: tuple[str, ...] | None) -> Rows:
    if X.ndim != 2:
        raise DataError(f"a sparse X must have two dimensions, not {X.ndim}")
    if np.dtype(X.dtype).kind == "c":
        raise DataError(f"Complex data not supported: X has element type {X.dtype}; give real numbers.")
    csr = X.tocsr()
    native = csr.data.dtype in (np.dtype("float64"), np.dtype("float32")) and csr.data.dtype.isnative
    try:  # before anybody's sort walks over indices that may point anywhere
        values = csr.data if native else csr.data.astype(np.float64)
        _core.Examples.sparse(np.ascontiguousarray(values), *_one_index_type(csr), int(X.shape[1]))
    except ValueError as error:
        raise DataError(f"the sparse X is damaged: {error}") from None
    if not csr.has_canonical_format:
        csr = csr.copy()
        csr.sum_duplicates()
    values = csr.data if native else csr.data.astype(np.float64)
    return Rows(np.ascontiguousarray(values), int(X.shape[1]), *_one_index_type(csr), names)


def _one_index_type(csr: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    columns, starts = np.ascontiguousarray(csr.indices), np.ascontiguousarray(csr.indptr)
    if columns.dtype == starts.dtype and columns.dtype in (np.dtype("int32"), np.dtype("int64")):
        return columns, starts
    return columns.astype(np.int64), starts.astype(np.int64)


def refuse_not_finite(rows: Rows, where: str = "X") -> None:
    """Raise on the first NaN or infinity, naming its row and column."""
    values = rows.values
    if values.dtype.kind != "f":
        return
    if rows.starts is None and not values.flags.c_contiguous:
        bad = next((i for i, x in enumerate(values) if _core.first_not_finite(x) >= 0), -1)
        at = -1 if bad < 0 else bad * rows.d + _core.first_not_finite(values[bad])
    else:
        at = _core.first_not_finite(values)
    if at < 0:
        return
    if rows.starts is None:
        i, j = divmod(at, rows.d)
        value = values[i, j]
    else:
        assert rows.columns is not None
        i, j, value = int(np.searchsorted(rows.starts, at, side="right")) - 1, int(rows.columns[at]), values[at]
    kind = "NaN" if np.isnan(value) else "infinity"
    raise DataError(
        f"Input {where} contains {kind}: row {i}, {_column(j, rows.names)} is {value}. "
        "Every value must be finite; drop such rows or fill them in first (NaN and infinity have no place in a sum)."
    )


def _column(j: int, names: tuple[str, ...] | None) -> str:
    return f"column {names[j]!r}" if names else f"column {j}"
