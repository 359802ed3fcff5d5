"""Blocks of rows as one: copied in an order, or taken as they lie where that is one after the other."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt._typing import Ints
from rosenblatt.data.rows import Rows
from rosenblatt.data.table import Batch


def joined(parts: Iterable[Rows], order: Ints) -> Rows:
    """Return the rows of all parts as one, in the given order.

    Dense parts are laid down as they come, so that only one of them is held beside the result.
    """
    n = len(order)
    places = np.empty(n, dtype=np.int64)
    places[order] = np.arange(n)
    held, values, first, rows = [], None, 0, None
    for rows in parts:
        if rows.starts is not None:
            held.append(rows)
            continue
        if values is None:
            values = np.empty((n, rows.d), dtype=rows.values.dtype)
        values[places[first : first + rows.n]] = rows.values
        first += rows.n
    assert rows is not None
    if not held:
        assert values is not None
        return Rows(values, rows.d, names=rows.names)
    return _joined_sparse(held, places)


def together(parts: Sequence[Rows]) -> Rows | None:
    """Return rows that lie one after the other in one array already, not copied; None where they do not."""
    first = parts[0]
    values = _one_array([part.values for part in parts])
    if values is None or first.starts is None:
        return None if values is None else Rows(values, first.d, names=first.names)
    columns = _one_array([part.columns for part in parts if part.columns is not None])
    if columns is None:
        return None
    lengths = [np.diff(part.starts) for part in parts if part.starts is not None]
    starts = np.concatenate([[0], *lengths]).cumsum(dtype=np.int64)
    d = max(part.d for part in parts)
    return Rows(values, d, columns, starts.astype(columns.dtype), first.names) if starts[-1] < 2**31 else None


def in_one_piece(batches: list[Batch]) -> list[Batch]:
    """Return sparse batches that lie one after the other in one array as one batch; others as they are.

    The one batch is to be used instead of the others, once: encoding it writes over them. It does not know its lines,
    and need not: nothing in a sparse matrix is refused.
    """
    matrices = [batch.matrix for batch in batches if batch.matrix is not None and batch.matrix.is_sparse]
    labels = [batch.labels for batch in batches if isinstance(batch.labels, np.ndarray)]
    if not len(batches) == len(matrices) == len(labels):
        return batches
    rows, label = together(matrices), _one_array(labels)
    return batches if rows is None or label is None else [Batch(rows.n, {}, matrix=rows, labels=label, used_once=True)]


def _one_array(parts: Sequence[NDArray[Any]]) -> NDArray[Any] | None:
    """Return the array of which these are the pieces, one after the other; None where they are not."""
    sheet, first = parts[0].base, parts[0]
    if not isinstance(sheet, np.ndarray) or sheet.shape[1:] != first.shape[1:] or not sheet.flags.c_contiguous:
        return None
    at = begin = _address(first)
    for part in parts:
        if part.base is not sheet or _address(part) != at:
            return None
        at += part.nbytes
    row_bytes = sheet.strides[0]
    row = (begin - _address(sheet)) // row_bytes
    whole: NDArray[Any] = sheet[row : row + (at - begin) // row_bytes]
    return whole


def _address(values: NDArray[Any]) -> int:
    return int(values.__array_interface__["data"][0])


def _joined_sparse(parts: list[Rows], places: Ints) -> Rows:
    lengths = np.concatenate([np.diff(part.starts) for part in parts if part.starts is not None]).astype(np.int64)
    starts = np.zeros(len(lengths) + 1, dtype=np.int64)
    starts[1:][places] = lengths
    np.cumsum(starts, out=starts)
    wide = starts[-1] >= 2**31 or any(part.columns is not None and part.columns.dtype == np.int64 for part in parts)
    index = np.int64 if wide else np.int32
    values = np.empty(starts[-1], dtype=parts[0].values.dtype)
    columns = np.empty(starts[-1], dtype=index)
    d, names, first = parts[0].d, parts[0].names, 0
    while parts:
        part = parts.pop(0)
        assert part.starts is not None
        assert part.columns is not None
        shift = starts[:-1][places[first : first + part.n]] - part.starts[:-1]
        to = np.repeat(shift, lengths[first : first + part.n]) + np.arange(len(part.values))
        values[to], columns[to] = part.values, part.columns
        first += part.n
    return Rows(values, d, columns, starts.astype(index), names)
