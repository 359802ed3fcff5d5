"""From raw cells to features, column by column: what an `Encoder` does when it encodes. Nothing is remembered here."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import rosenblatt._core as _core
from rosenblatt._typing import Ints
from rosenblatt.data.rows import Rows
from rosenblatt.data.table import Batch, Cells, Factor, factor
from rosenblatt.data.words import hash_words, texts
from rosenblatt.errors import DataError

if TYPE_CHECKING:
    from rosenblatt.data.encoder import Encoder


BEYOND = "features beyond the training ones"  # what is unknown of a matrix


@dataclass(frozen=True)
class Column:
    """One column of the table: its name, its kind, and for a category its levels, for a text width and n-grams."""

    name: str
    kind: str
    levels: tuple[str, ...] = ()
    width: int = 1
    ngrams: int = 0


class Encoded(NamedTuple):
    """Rows of numbers; which rows of the batch they are; and per column how many cells held an unknown level."""

    rows: Rows
    kept: Ints
    unknown: dict[str, int]


def missing_value(batch: Batch, row: int, column: str) -> DataError:
    """Return the error for a missing value: where, what was found, and what can be done."""
    where, value = batch.place(row, column)
    found = f"{value!r} is not a number, so the value is missing" if value else "the value is missing"
    return DataError(f"{where}: {found}; missing='drop' leaves such rows out, 'zero' and 'mean' fill them in.")


def missing_in(cells: Cells, kind: str) -> NDArray[np.bool_] | None:
    """Return which cells of a column are empty; None where none can be: a missing text has no words, and is none."""
    if kind == "category":
        return as_factor(cells).codes < 0
    if kind != "text" and isinstance(cells, np.ndarray) and cells.dtype.kind == "f":
        return np.isnan(cells)
    return None


def count_missing(encoder: "Encoder", batch: Batch) -> int:
    """Return how many of the cells that the encoder reads are empty."""
    if not encoder.columns:
        values = np.empty(0) if batch.matrix is None else batch.matrix.values
        return int(np.isnan(values).sum()) if values.dtype.kind == "f" else 0
    found = (missing_in(batch.columns[column.name], column.kind) for column in encoder.columns)
    return sum(int(gaps.sum()) for gaps in found if gaps is not None)


def encode_table(encoder: "Encoder", batch: Batch) -> Encoded:
    """Encode a batch of named columns."""
    if (straight := _numbers_alone(encoder, batch)) is not None:
        return straight
    unknown: dict[str, int] = {}
    parts = [_part(encoder, at, batch, unknown) for at in range(len(encoder.columns))]
    lost = np.zeros(batch.n, dtype=bool)
    for column, part in zip(encoder.columns, parts, strict=True):
        if part.missing is not None and part.missing.any():
            if encoder.missing == "error":
                raise missing_value(batch, int(np.flatnonzero(part.missing)[0]), column.name)
            lost |= part.missing
    kept = np.flatnonzero(~lost) if encoder.missing == "drop" else np.arange(batch.n)
    build = _sparse_rows if encoder.sparse else _dense_rows
    with np.errstate(over="ignore"):
        rows = build(encoder, parts, batch.n)
    _refuse_too_large(encoder, batch, rows, np.arange(batch.n))
    return Encoded(rows if len(kept) == batch.n else rows.take(kept), kept, unknown)


def _numbers_alone(encoder: "Encoder", batch: Batch) -> Encoded | None:
    """Encode columns that are all numbers, none missing, in one go; None where a column wants to be looked at."""
    cells = [batch.columns[column.name] for column in encoder.columns]
    if encoder.sparse or not all(column.kind in ("number", "boolean") for column in encoder.columns):
        return None
    if not all(isinstance(column, np.ndarray) and column.dtype.kind in "biuf" for column in cells):
        return None
    plain = encoder.factor is None and encoder.shift is None
    kept_type = plain and all(isinstance(c, np.ndarray) and c.dtype == encoder.dtype for c in cells)
    names = [column.name for column in encoder.columns]
    values = batch.numbers(names, encoder.dtype if kept_type else np.float64)
    if values.dtype.kind == "f" and not batch.whole(names) and _core.first_not_finite(values) >= 0:
        return None
    values = encoder.scaled(values)
    element = element_type(encoder, *(column.dtype for column in cells if isinstance(column, np.ndarray)))
    with np.errstate(over="ignore"):
        rows = Rows(np.ascontiguousarray(values, dtype=element), encoder.d, names=encoder.names)
    kept = np.arange(batch.n)
    if not kept_type:
        _refuse_too_large(encoder, batch, rows, kept)
    return Encoded(rows, kept, {})


def element_type(encoder: "Encoder", *found: np.dtype[Any]) -> np.dtype[Any]:
    """Return the type of encoded rows: the encoder's, or float64 for numbers beyond the whole ones it was made for."""
    wanted = np.dtype(encoder.dtype)
    fits = wanted.kind == "f" or np.can_cast(np.result_type(*found), wanted)
    return wanted if fits else np.dtype(np.float64)


def _refuse_too_large(encoder: "Encoder", batch: Batch, rows: Rows, kept: Ints) -> None:
    """Raise on the first number that float32 cannot hold; ``kept`` says which rows of the batch these are."""
    at = _core.first_not_finite(rows.values) if rows.values.dtype == np.float32 else -1
    if at < 0:
        return
    row, feature = rows.place(at)
    where, _ = batch.place(int(kept[row]), encoder.column(feature).name if encoder.columns else encoder.name(feature))
    raise DataError(f"{where}: the number is too large for float32; take dtype='float64'.")


class _Part(NamedTuple):
    """What one column contributes: for each entry its row, its feature within the column, its value."""

    row: Ints
    feature: Ints | int
    value: NDArray[Any]
    missing: NDArray[np.bool_] | None


def _part(encoder: "Encoder", at: int, batch: Batch, unknown: dict[str, int]) -> _Part:
    column = encoder.columns[at]
    cells = batch.columns[column.name]
    if column.kind == "text":
        return _text_part(column, cells, batch)
    if column.kind == "category":
        return _category_part(encoder, at, as_factor(cells), unknown)
    if not isinstance(cells, np.ndarray):
        row = next((i for i, code in enumerate(getattr(cells, "codes", [0])) if code >= 0), 0)
        where, _ = batch.place(row, column.name)
        raise DataError(f"{where}: {_shown(cells, row)!r} is not a number, but the column held numbers in training.")
    missing = np.isnan(cells) if cells.dtype.kind == "f" else None
    value = cells.astype(np.float64)
    if missing is not None and missing.any():
        value[missing] = encoder.filled(encoder.starts[at])
    if not np.isfinite(value).all():
        row = int(np.flatnonzero(~np.isfinite(value))[0])
        raise DataError(f"{batch.place(row, column.name)[0]}: {value[row]} is not finite; drop that row or correct it.")
    return _Part(np.arange(batch.n), 0, value, missing)


def _shown(cells: Cells, row: int) -> str:
    return cells.values[cells.codes[row]] if isinstance(cells, Factor) else str(cells[row])


def as_factor(cells: Cells) -> Factor:
    """Return numbers, booleans or texts as the levels they are written as."""
    if isinstance(cells, Factor):
        return cells
    if isinstance(cells, np.ndarray) and cells.dtype.kind == "f":
        return factor([None if v != v else repr(int(v)) if v == int(v) else repr(v) for v in cells.tolist()])
    return factor([str(value) for value in cells])


def _category_part(encoder: "Encoder", at: int, cells: Factor, unknown: dict[str, int]) -> _Part:
    column = encoder.columns[at]
    place = {level: k for k, level in enumerate(column.levels)}
    mapped = np.array([*(place.get(value, -2) for value in cells.values), -1], dtype=np.int64)
    feature = mapped[cells.codes]
    missing = feature == -1
    if strange := int((feature == -2).sum()):
        unknown[column.name] = strange
    row = np.flatnonzero(feature >= 0)
    value = np.ones(len(row))
    if missing.any() and encoder.missing == "mean" and encoder.fill is not None:
        # A missing category is filled with the share of each level: the mean of its one-hot features.
        shares = encoder.fill[encoder.starts[at] : encoder.starts[at] + column.width]
        gaps = np.flatnonzero(missing)
        row = np.concatenate([row, np.repeat(gaps, column.width)])
        filled = np.concatenate([feature[feature >= 0], np.tile(np.arange(column.width), len(gaps))])
        value = np.concatenate([value, np.tile(shares, len(gaps))])
        by_row = np.lexsort((filled, row))
        return _Part(row[by_row], filled[by_row], value[by_row], missing)
    return _Part(row, feature[row], value, missing)


def _text_part(column: Column, cells: Cells, batch: Batch) -> _Part:
    """Hash every text."""
    lengths = np.zeros(batch.n, dtype=np.int64)
    feature: list[int] = []
    value: list[int] = []
    for i, text in enumerate(texts(cells)):
        counted = sorted(hash_words(text, width=column.width, ngrams=column.ngrams).items())
        lengths[i] = len(counted)
        feature.extend(bucket for bucket, _ in counted)
        value.extend(count for _, count in counted)
    row = np.repeat(np.arange(batch.n), lengths)
    return _Part(row, np.array(feature, dtype=np.int64), np.array(value, dtype=np.float64), None)


def _scaled(encoder: "Encoder", at: int, part: _Part) -> NDArray[Any]:
    """Scale one column's entries. A shift only ever belongs to numbers, which have an entry in every row."""
    j = encoder.starts[at] + part.feature
    value = part.value if encoder.shift is None else part.value - encoder.shift[j]
    return value if encoder.factor is None else value * encoder.factor[j]


def _dense_rows(encoder: "Encoder", parts: list[_Part], n: int) -> Rows:
    out = np.zeros((n, encoder.d), dtype=element_type(encoder, *(part.value.dtype for part in parts)))
    for at, part in enumerate(parts):
        out[part.row, encoder.starts[at] + part.feature] = _scaled(encoder, at, part)
    return Rows(out, encoder.d, names=encoder.names)


def _sparse_rows(encoder: "Encoder", parts: list[_Part], n: int) -> Rows:
    """Lay the columns' entries side by side, row after row; zeros are left out."""
    entries = []
    for at, part in enumerate(parts):
        value = _scaled(encoder, at, part)
        there = np.flatnonzero(value)
        feature = np.broadcast_to(part.feature, part.row.shape)[there] + encoder.starts[at]
        entries.append((part.row[there], feature, value[there]))
    counts = [np.bincount(row, minlength=n) for row, _, _ in entries]
    starts = np.zeros(n + 1, dtype=np.int64)
    np.cumsum(np.sum(counts, axis=0), out=starts[1:])
    columns, values = np.empty(starts[-1], dtype=np.int64), np.empty(starts[-1], dtype=encoder.dtype)
    free = starts[:-1].copy()
    for (row, feature, value), count in zip(entries, counts, strict=True):
        first = np.concatenate([[0], np.cumsum(count)[:-1]])
        to = free[row] + np.arange(len(row)) - first[row]
        columns[to], values[to] = feature, value
        free += count
    index = np.int32 if max(encoder.d, int(starts[-1])) < 2**31 else np.int64
    return Rows(values, encoder.d, columns.astype(index), starts.astype(index), encoder.names)


def encode_matrix(encoder: "Encoder", batch: Batch) -> Encoded:
    """Scale and fill a matrix; features beyond the training ones are left out and counted."""
    if batch.matrix is None:
        raise DataError(f"expected {encoder.d} features as a matrix of numbers, found a table with named columns.")
    kept, unknown = np.arange(batch.n), dict[str, int]()
    if batch.matrix.starts is not None:
        rows = _fit_sparse(encoder, batch.matrix, unknown, batch.used_once)
        if rows.values.dtype != batch.matrix.values.dtype:
            _refuse_too_large(encoder, batch, rows, kept)
        return Encoded(rows, kept, unknown)
    values = batch.matrix.values
    if values.shape[1] != encoder.d:
        raise DataError(f"the file has {values.shape[1]} features, but the encoder knows {encoder.d}.")
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        values, kept = _fill_matrix(encoder, batch, values)
    values = encoder.scaled(values)
    with np.errstate(over="ignore"):
        values = np.ascontiguousarray(values, dtype=element_type(encoder, values.dtype))
    rows = Rows(values, encoder.d, names=batch.matrix.names)
    if values.dtype != batch.matrix.values.dtype:
        _refuse_too_large(encoder, batch, rows, kept)
    return Encoded(rows, kept, unknown)


def _fill_matrix(encoder: "Encoder", batch: Batch, values: NDArray[Any]) -> tuple[NDArray[Any], Ints]:
    infinite = np.argwhere(np.isinf(values))
    if len(infinite):
        i, j = infinite[0].tolist()
        where, _ = batch.place(i, encoder.name(j))
        raise DataError(f"{where}: {values[i, j]} is not finite; drop that row or correct it.")
    gaps = np.isnan(values)
    if encoder.missing == "error":
        i, j = np.argwhere(gaps)[0].tolist()
        raise missing_value(batch, i, encoder.name(j))
    if encoder.missing == "drop":
        kept = np.flatnonzero(~gaps.any(axis=1))
        return values[kept], kept
    fill = encoder.fill if encoder.missing == "mean" and encoder.fill is not None else np.zeros(encoder.d)
    return np.where(gaps, fill, values), np.arange(batch.n)


def _fit_sparse(encoder: "Encoder", rows: Rows, unknown: dict[str, int], in_place: bool) -> Rows:
    assert rows.columns is not None
    assert rows.starts is not None
    values, columns, starts = rows.values, rows.columns, rows.starts
    if encoder.first_index:
        first = columns.dtype.type(encoder.first_index)
        columns = np.subtract(columns, first, out=columns if in_place else None)
    if len(columns) and (int(columns.min()) < 0 or int(columns.max()) >= encoder.d):
        beyond = (columns < 0) | (columns >= encoder.d)
        unknown[BEYOND] = int(beyond.sum())
        keep = ~beyond
        starts = np.concatenate([[0], np.cumsum(keep)])[starts].astype(starts.dtype)
        values, columns = values[keep], columns[keep]
    if encoder.factor is not None:
        values = values * encoder.factor[columns]
    with np.errstate(over="ignore"):
        values = values.astype(element_type(encoder, values.dtype), copy=False)
    return Rows(values, encoder.d, columns, starts, rows.names)
