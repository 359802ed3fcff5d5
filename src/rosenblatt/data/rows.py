"""Rows: examples without labels, dense or sparse, as every room hands them on and the core reads them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import rosenblatt._core as _core
from rosenblatt._typing import Ints
from rosenblatt.data.cores import cores

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

    def examples(self, threads: int = 1) -> _core.Examples:
        """Return the view that the core reads, its indices looked at; it keeps the arrays alive."""
        if self.starts is None:
            return _core.Examples.dense(self.values)
        return _core.Examples.sparse(self.values, self.columns, self.starts, self.d, threads)

    def place(self, at: int) -> tuple[int, int]:
        """Return the row and the column of the number at a place in ``values``, counted row after row.

        >>> Rows(np.array([7.0, 8.0]), 9, np.array([4, 6]), np.array([0, 1, 2])).place(1)
        (1, 6)
        """
        if self.starts is None or self.columns is None:
            return divmod(at, self.d)
        return int(np.searchsorted(self.starts, at, side="right")) - 1, int(self.columns[at])

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

        >>> [(place.start, piece.n) for place, piece in Rows(np.eye(3), 3).pieces(2)]
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

    def narrowed(self, used: Ints) -> "Rows":
        """Return sparse rows with these columns alone, in ascending order; all that hold something must be among them.

        >>> rows = Rows(np.array([5.0, 7.0]), 1000, np.array([30, 900]), np.array([0, 1, 2]))
        >>> rows.narrowed(np.array([30, 900])).dense().tolist()
        [[5.0, 0.0], [0.0, 7.0]]
        """
        assert self.columns is not None
        return Rows(self.values, len(used), np.searchsorted(used, self.columns).astype(self.columns.dtype), self.starts)

    def largest(self) -> NDArray[np.float64]:
        """Return the largest |x| of every feature.

        >>> Rows(np.array([[1, -3], [2, 0]]), 2).largest().tolist()
        [2.0, 3.0]
        """
        if self.columns is None:
            high, low = (some(self.values, axis=0, initial=0).astype(np.float64) for some in (np.max, np.min))
            return np.maximum(high, -low)
        sizes = np.zeros(self.d)
        np.maximum.at(sizes, self.columns, np.abs(self.values))
        return sizes

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
        >>> from rosenblatt.data import as_rows
        >>> as_rows(eye_array(8, format="csr")).is_thin, as_rows(eye_array(7, format="csr")).is_thin
        (True, False)
        """
        return self.starts is not None and self.d <= NARROW and 8 * len(self.values) <= self.n * self.d

    def for_products(self) -> "Rows":
        """Return narrow sparse rows dense, as `products` would make them each time; small whole numbers as bytes.

        >>> from scipy.sparse import csr_array
        >>> from rosenblatt.data import as_rows
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
