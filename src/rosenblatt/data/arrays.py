"""Rows from what the user has in memory: arrays, lists, data frames, SciPy sparse matrices.

Element types are kept (float64, float32, uint8, int8, int16, int32 are read as they are); everything else becomes
float64 once. NaN and infinity are refused by name of row and column.
"""

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import rosenblatt._core as _core
from rosenblatt.data.labels import refuse_masked
from rosenblatt.data.rows import NATIVE, Rows
from rosenblatt.errors import DataError


def as_rows(X: Any, *, check_finite: bool = True, threads: int = 1) -> Rows:
    """Return X as rows of numbers the core can read, without a copy where that is possible.

    ``threads`` look whether all indices and values are such that they can be read.
    """
    if isinstance(X, Rows):
        return X
    if isinstance(X, str | os.PathLike):
        raise DataError(f"X is the name {os.fspath(X)!r}; open a file with rosenblatt.data.open(name, target=...).")
    names = _column_names(X)
    if hasattr(X, "tocsr"):
        rows = _from_sparse(X, names, threads)
    else:
        values = _dense_values(X, names)
        rows = Rows(values, values.shape[1], names=names)
    if rows.n == 0:
        raise DataError(f"X has 0 sample(s) (shape={(0, rows.d)}) while a minimum of 1 is required.")
    if rows.d == 0:
        raise DataError(f"X has 0 feature(s) (shape={(rows.n, 0)}) while a minimum of 1 is required.")
    if check_finite:
        refuse_not_finite(rows, threads)
    return rows


def augment(X: Any) -> Rows:
    """Append the constant feature 1: training on it through the origin equals training with a bias.

    With a bias the b is added to a score last, while the 1 takes its place among the columns: bit for bit the journals
    are the same where sums are exact, such as of whole numbers; elsewhere up to the rounding of a sum.

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


def _dense_values(X: Any, names: tuple[str, ...] | None) -> NDArray[Any]:
    refuse_masked(X, "X")
    try:
        values = np.asarray(X.to_numpy() if hasattr(X, "to_numpy") else X)
    except ValueError:
        raise DataError(f"X is ragged: {first_ragged(X)} Every row needs the same number of values.") from None
    if values.dtype.kind == "c":
        raise DataError(f"Complex data not supported: X has element type {values.dtype}; give real numbers.")
    if values.ndim == 1 and values.size == 0:
        raise DataError(f"Found array with 0 sample(s) (shape={values.shape}): X is empty; give one row an example.")
    if values.ndim == 1:
        raise DataError(
            f"Expected 2D array, got 1D array instead: X has shape {values.shape}. "
            "Reshape your data: X.reshape(-1, 1) for one feature, X.reshape(1, -1) for one example."
        )
    if values.ndim == 0 and values.dtype == object:
        raise DataError(
            f"X is a {type(X).__name__}; give an array, a sparse matrix or a table, a row an example. "
            "Of an open file: X, y = source.read(), or without labels X = source.rows()."
        )
    if values.dtype.kind in "mM":
        raise DataError(f"X holds dates or times ({values.dtype}); give numbers, such as days since a date.")
    if values.ndim != 2:
        raise DataError(f"Found array with dim {values.ndim}. X must be examples by features, shape (n, d).")
    if values.dtype.kind not in "fiub":
        values = _numbers(values, names)
    if values.dtype not in NATIVE:
        values = values.astype(np.float64)
    if values.size and (values.strides[1] != values.itemsize or values.strides[0] < values.itemsize * values.shape[1]):
        values = np.ascontiguousarray(values)  # columns first, reversed or repeated: the core wants whole rows
    return values if values.flags.aligned else np.array(values)


def _numbers(values: NDArray[Any], names: tuple[str, ...] | None) -> NDArray[np.float64]:
    """Convert objects and strings, or name the first that is no number."""
    try:
        return values.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        for i, j in np.ndindex(values.shape):
            value = values[i, j : j + 1].tolist()[0]
            where = f"row {i}, {_column(j, names)}"
            if type(value).__name__ == "NAType":  # pandas' own, which is no float
                raise DataError(
                    f"Input X contains NaN: {where} is {value}. Drop such rows or fill them in first."
                ) from None
            if hasattr(value, "isoformat"):
                raise DataError(
                    f"X holds dates or times ({where}: {value}); give numbers, such as days since a date."
                ) from None
            try:
                float(value)
            except OverflowError:
                raise DataError(f"X {where} is beyond the floats; scale that column.") from None
            except (TypeError, ValueError) as error:
                message = (
                    f"X {where}: {value!r} is not a number; "
                    "the argument must be a string or a number that float() accepts. "
                    "Encode categories first, for example with one column per level."
                )
                raise (TypeError(message) if isinstance(error, TypeError) else DataError(message)) from None
        raise


def first_ragged(X: Any) -> str:
    """Return which row is not as long as the first."""
    lengths = [len(row) if hasattr(row, "__len__") else None for row in X]
    i = next((i for i, length in enumerate(lengths) if length != lengths[0]), 0)
    return f"row {i} has {lengths[i]} values, row 0 has {lengths[0]}."


def _from_sparse(X: Any, names: tuple[str, ...] | None, threads: int) -> Rows:
    if X.ndim != 2:
        raise DataError(f"a sparse X must have two dimensions, not {X.ndim}")
    if np.dtype(X.dtype).kind == "c":
        raise DataError(f"Complex data not supported: X has element type {X.dtype}; give real numbers.")
    csr = X.tocsr()
    native = csr.data.dtype in (np.dtype("float64"), np.dtype("float32"))
    try:  # before anybody's sort walks over indices that may point anywhere
        values = csr.data if native else csr.data.astype(np.float64)
        _core.Examples.sparse(np.ascontiguousarray(values), *_one_index_type(csr), int(X.shape[1]), threads)
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


def refuse_not_finite(rows: Rows, threads: int = 1) -> None:
    """Raise on the first NaN or infinity, naming its row and column."""
    values = rows.values
    if values.dtype.kind != "f":
        return
    at = _core.first_not_finite(values, threads)
    if at < 0:
        return
    i, j = rows.place(at)
    value = values[i, j] if rows.starts is None else values[at]
    kind = "NaN" if np.isnan(value) else "infinity"
    raise DataError(
        f"Input X contains {kind}: row {i}, {_column(j, rows.names)} is {value}. "
        "Every value must be finite; drop such rows or fill them in first (NaN and infinity have no place in a sum)."
    )


def _column(j: int, names: tuple[str, ...] | None) -> str:
    return f"column {names[j]!r}" if names else f"column {j}"
