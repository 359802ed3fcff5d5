"""npy and npz files: matrices of numbers with the labels in a column or beside."""

import tempfile
import zipfile
import zlib
from collections.abc import Mapping
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from rosenblatt.data.bytefile import ByteFile
from rosenblatt.data.rows import NATIVE, Rows
from rosenblatt.data.stored import Stored, stored_in
from rosenblatt.data.table import Batch, Factor, Table, factor, find_column, place_of
from rosenblatt.errors import DataError

LABELS = ("y", "target", "labels", "label", "y_train")
CSR = ("data", "indices", "indptr", "shape")


class Matrix(Table):
    """A matrix of numbers in a file. Batches hold slices read from the disk.

    ``width`` is the number of features where that is known: of new data, which may have no labels.
    """

    def __init__(
        self,
        file: ByteFile,
        *,
        format: str,
        target: str | int | None,
        width: int | None,
        block_bytes: int,
        block_rows: int | None,
    ) -> None:
        self.file = file
        self.path = file.name
        self.format = format
        self.notes: list[str] = []
        self.kinds: Mapping[str, str] = {}
        self.target: str | None = None
        self.labels: NDArray[Any] | None = None
        self._column: int | None = None
        self._temporary: list[BinaryIO] = []
        try:
            find = self._npy if format == "npy" else self._npz
            self.held = find(file.seekable(), target, width)
        except BaseException:
            self.close()
            raise
        width = 16 if isinstance(self.held, Rows) else self.held.shape[1]  # numbers in a row, about
        width *= self.dtype.itemsize
        self.block_rows = block_rows or max(1, min(1 << 16, block_bytes // max(width, 1)))

    @property
    def n(self) -> int:
        return self.held.n if isinstance(self.held, Rows) else self.held.shape[0]

    @property
    def d(self) -> int:
        return self.held.d if isinstance(self.held, Rows) else self.held.shape[1] - (self._column is not None)

    @property
    def is_sparse(self) -> bool:
        return isinstance(self.held, Rows)

    @property
    def n_blocks(self) -> int:
        return -(-self.n // self.block_rows)

    def block(self, i: int) -> Batch:
        first, last = i * self.block_rows, min((i + 1) * self.block_rows, self.n)
        labels: NDArray[Any] | Factor | None = None if self.labels is None else np.asarray(self.labels[first:last])
        if isinstance(self.held, Rows):
            rows = self.held.take(np.arange(first, last))
        else:
            values = self.held.rows(first, last)
            if self._column is not None:
                labels = values[:, self._column].copy()
                values = np.delete(values, self._column, axis=1)
            rows = Rows(values, self.d)
        if isinstance(labels, np.ndarray) and labels.dtype.kind in "OUS":
            labels = factor(labels.astype(str))

        def place(row: int, column: str | None) -> tuple[str, str]:
            return f"{self.path} {place_of(first + row, column)}", ""

        return Batch(last - first, {}, matrix=rows, labels=labels, place=place)

    def close(self) -> None:
        for file in self._temporary:
            file.close()
        self.file.close()

    def _npy(self, file: BinaryIO, target: str | int | None, width: int | None) -> Stored:
        values = self._checked(stored_in(file, self.path))
        self._take_column(values, target, width)
        return values

    def _take_column(self, values: Stored, target: str | int | None, width: int | None) -> None:
        """Take the labels from a column of the matrix; of new data where there is one column more than features."""
        names = [f"x{j + 1}" for j in range(values.shape[1])]
        if width is not None:
            if len(names) != width + 1:
                return
            target = target if target in names else names[-1]
        self.target = names[-1] if target is None else find_column(target, names, what="target", path=self.path)
        self._column = names.index(self.target)
        if target is None:
            self.notes.append(f"{self.path}: the last column, {self.target}, was taken as the target.")

    def _npz(self, file: BinaryIO, target: str | int | None, width: int | None) -> Stored | Rows:
        try:
            archive = zipfile.ZipFile(file)
            members = {name.removesuffix(".npy"): name for name in archive.namelist()}
            arrays = {short: self._member(archive, name) for short, name in members.items()}
        except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, OSError, RuntimeError) as error:
            if isinstance(error, DataError):
                raise
            raise DataError(f"{self.path} is no npz file, or it is damaged: {error}.") from error
        self.target = self._label_name(target, arrays, new=width is not None)
        if self.target is not None:
            self.labels = arrays.pop(self.target).whole().ravel()
        if all(part in arrays for part in CSR):
            values, columns, starts, shape = (arrays[part].whole() for part in CSR)
            return self._csr(values, columns, starts, shape)
        matrices = [name for name, array in arrays.items() if array.ndim == 2]
        if len(matrices) != 1 and "X" not in matrices:
            raise DataError(f"{self.path}: expected one matrix X, found {', '.join(matrices) or 'none'}.")
        matrix = self._checked(arrays["X" if "X" in matrices else matrices[0]])
        if self.labels is None:
            self._take_column(matrix, None if width is None else target, width)
        elif len(self.labels) != matrix.shape[0]:
            raise DataError(f"{self.path}: X has {matrix.shape[0]} rows, but there are {len(self.labels)} labels.")
        return matrix

    def _label_name(self, target: str | int | None, arrays: dict[str, Stored], *, new: bool) -> str | None:
        """Return the array of labels: the one asked for, of a usual name, or beside X; new data need have none."""
        if target is not None and (target in arrays or not new):
            return find_column(target, list(arrays), what="target", path=self.path)
        if target is not None and target not in LABELS:
            return None
        usual = next((name for name in LABELS if name in arrays), None)
        if usual is not None or new:
            return usual
        vectors = [name for name, array in arrays.items() if array.ndim == 1 and name not in CSR]
        if len(vectors) > 1:
            raise DataError(f"{self.path}: which of {', '.join(vectors)} are the labels? Name them with target=.")
        for name in vectors:
            self.notes.append(f"{self.path}: array {name} was taken as the labels.")
        return vectors[0] if vectors else None

    def _member(self, archive: zipfile.ZipFile, name: str) -> Stored:
        """Return one array, unpacked to a temporary file and read from there."""
        copy = tempfile.TemporaryFile(prefix="rosenblatt-")  # noqa: SIM115  (closed by close)
        self._temporary.append(copy)
        with archive.open(name) as member:
            while chunk := member.read(1 << 20):
                copy.write(chunk)
        copy.flush()
        copy.seek(0)
        return stored_in(copy, f"{self.path}, array {name.removesuffix('.npy')}")

    def _csr(self, values: NDArray[Any], columns: NDArray[Any], starts: NDArray[Any], shape: NDArray[Any]) -> Rows:
        index = np.int32 if columns.dtype == np.int32 and starts.dtype == np.int32 else np.int64
        element = values.dtype if values.dtype in (np.float32, np.float64) else np.float64
        try:
            n, d = map(int, shape.ravel())
            rows = Rows(values.astype(element), d, columns.astype(index), starts.astype(index))
            rows.examples()
            if not len(values) == len(columns) == starts[-1]:
                raise ValueError(
                    f"{len(values)} values and {len(columns)} columns, of which its rows take {starts[-1]}"
                )
        except (ValueError, TypeError) as error:
            raise DataError(f"{self.path} holds a damaged sparse matrix: {error}.") from error
        if rows.n != n or (self.labels is not None and len(self.labels) != n):
            raise DataError(f"{self.path}: the sparse matrix, its shape and its labels differ in length.")
        return _canonical(rows)

    def _checked(self, values: Stored) -> Stored:
        if values.ndim != 2 or values.dtype.kind not in "fiub":
            raise DataError(
                f"{self.path} holds an array of shape {values.shape} and type {values.dtype}; "
                "expected a matrix of numbers, examples by features."
            )
        if values.shape[0] == 0 or values.shape[1] == 0:
            raise DataError(f"{self.path} holds no examples (shape {values.shape}).")
        return values

    @property
    def dtype(self) -> Any:
        """The element type the features will have."""
        if isinstance(self.held, Rows):
            return self.held.values.dtype
        return self.held.dtype if self.held.dtype in NATIVE else np.dtype(np.float64)


def _canonical(rows: Rows) -> Rows:
    """Return sparse rows with ascending columns; what a row has twice in one column is added up, as SciPy means it.

    By hand, since a file of SciPy's can be read where there is no SciPy.
    """
    assert rows.columns is not None
    assert rows.starts is not None
    row = np.repeat(np.arange(rows.n), np.diff(rows.starts))
    if ((np.diff(rows.columns) > 0) | (np.diff(row) > 0)).all():
        return rows
    order = np.lexsort((rows.columns, row))
    row, columns, values = row[order], rows.columns[order], rows.values[order]
    at = np.flatnonzero(np.append(True, (np.diff(columns) > 0) | (np.diff(row) > 0)))
    starts = np.append(0, np.cumsum(np.bincount(row[at], minlength=rows.n))).astype(rows.starts.dtype)
    return Rows(np.add.reduceat(values, at), rows.d, columns[at], starts, rows.names)
