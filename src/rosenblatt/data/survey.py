"""The first read of a file: everything an encoder must know, gathered block by block in constant memory."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rosenblatt._typing import Doubles, Ints
from rosenblatt.data.encoder import Encoder
from rosenblatt.data.features import Column, as_factor, missing_in, missing_value
from rosenblatt.data.table import Batch, Factor
from rosenblatt.data.target import LabelCount, Target
from rosenblatt.data.words import texts
from rosenblatt.errors import DataError

MAX_LEVELS = 10_000


@dataclass(frozen=True, eq=False)
class Facts:
    """What the first read found out: enough to read any block again as numbers."""

    encoder: Encoder
    target: Target | None
    class_counts: Ints
    block_sizes: Ints  # rows kept of each block
    row_bytes: float  # of an encoded row
    notes: tuple[str, ...]

    @property
    def n(self) -> int:
        return int(self.block_sizes.sum())


class Moments:
    """Mean, spread and ends of many features at once, merged block by block (Chan, Golub, LeVeque 1979).

    A feature with one value is known by its ends: rounding would give it a spread.
    """

    def __init__(self, d: int) -> None:
        self.count, self.mean, self.spread = np.zeros(d), np.zeros(d), np.zeros(d)
        self.low, self.high = np.full(d, np.inf), np.full(d, -np.inf)

    def add(self, values: Doubles) -> None:
        """Add rows; NaN is left out."""
        there = ~np.isnan(values)
        count = there.sum(axis=0).astype(np.float64)
        held = np.where(there, values, 0.0)
        mean = held.sum(axis=0) / np.maximum(count, 1)
        spread = (np.where(there, values - mean, 0.0) ** 2).sum(axis=0)
        low = np.where(there, values, np.inf).min(axis=0, initial=np.inf)
        self._merge(count, mean, spread, low, np.where(there, values, -np.inf).max(axis=0, initial=-np.inf))

    def add_sparse(self, columns: Ints, values: Doubles, n: int) -> None:
        """Add n sparse rows, whose other entries are 0; the features may have grown in number."""
        d = max(len(self.mean), int(columns.max(initial=-1)) + 1)
        old = self.count.max(initial=0.0)
        for key, empty in (("count", 0), ("mean", 0), ("spread", 0), ("low", np.inf), ("high", -np.inf)):
            grown = np.full(d, 0.0 if old else empty)
            grown[: len(getattr(self, key))] = getattr(self, key)
            setattr(self, key, grown)
        self.count[:] = old
        mean = np.bincount(columns, values, minlength=d) / max(n, 1)
        stored = np.bincount(columns, minlength=d)
        spread = np.bincount(columns, (values - mean[columns]) ** 2, minlength=d) + (n - stored) * mean**2
        low, high = np.where(stored < n, 0.0, np.inf), np.where(stored < n, 0.0, -np.inf)
        np.minimum.at(low, columns, values)
        np.maximum.at(high, columns, values)
        self._merge(np.full(d, float(n)), mean, spread, low, high)

    def _merge(self, count: Doubles, mean: Doubles, spread: Doubles, low: Doubles, high: Doubles) -> None:
        total = np.maximum(self.count + count, 1)
        gap = mean - self.mean
        self.mean = self.mean + gap * count / total
        self.spread = self.spread + spread + gap**2 * self.count * count / total
        self.count = self.count + count
        self.low, self.high = np.minimum(self.low, low), np.maximum(self.high, high)
        constant = self.low == self.high
        self.mean[constant], self.spread[constant] = self.low[constant], 0.0

    def largest(self) -> Doubles:
        """Return the largest |x|, 0 of no values."""
        return np.where(self.count > 0, np.maximum(np.abs(self.low), np.abs(self.high)), 0.0)

    def deviation(self) -> Doubles:
        """Return the standard deviations (of the population)."""
        return np.sqrt(self.spread / np.maximum(self.count, 1))


class Survey:
    """Gathers facts about the features (given by kind) and the labels of a file, weighted by a column or not."""

    def __init__(
        self, kinds: Mapping[str, str], *, missing: str, scale: str, labels: LabelCount | None, weight: str | None
    ) -> None:
        self.kinds, self.missing, self.scale, self.labels, self.weight = kinds, missing, scale, labels, weight
        self.numbers = [name for name, kind in kinds.items() if kind in ("number", "boolean")]
        self.levels: dict[str, Counter[str]] = {n: Counter() for n, kind in kinds.items() if kind == "category"}
        self.moments = Moments(len(self.numbers))
        self.block_sizes: list[int] = []
        self.entries = 0  # of a sparse matrix
        self.letters = 0  # of text columns
        self.n_missing = 0
        self.dropped = 0
        self.weightless = 0  # of those, rows of weight 0

    def add(self, batch: Batch) -> None:
        """Take in one block."""
        keep = np.ones(batch.n, dtype=bool)
        if self.labels is not None and batch.labels is not None:
            keep, gone = self.labels.keep(batch.labels)
            if gone.any() and self.missing != "drop":
                where, value = batch.place(int(np.flatnonzero(gone)[0]), self.labels.name)
                found = f" ({value!r})" if value else ""
                raise DataError(f"{where}: the label is missing{found}; missing='drop' leaves such rows out.")
        keep &= ~self._gaps(batch, keep)
        if self.weight is not None and batch.labels is not None:
            keep &= self._weighed(batch, keep)
        kept = np.flatnonzero(keep)
        if self.labels is not None and batch.labels is not None:
            whole = batch.labels
            self.labels.add(Factor(whole.codes[kept], whole.values) if isinstance(whole, Factor) else whole[kept])
        self.block_sizes.append(len(kept))
        self.dropped += batch.n - len(kept)
        if len(kept):
            self._measure(batch, kept)

    def _gaps(self, batch: Batch, keep: Any) -> Any:
        """Return the rows to drop because a value is missing; or raise for the first of them."""
        lost = np.zeros(batch.n, dtype=bool)
        first: tuple[int, str] | None = None
        for name, gaps in self._missing_cells(batch):
            gaps &= keep
            if gaps.any():
                self.n_missing += int(gaps.sum())
                row = int(np.flatnonzero(gaps)[0])
                first = (row, name) if first is None or row < first[0] else first
                lost |= gaps
        if first is not None and self.missing == "error":
            raise missing_value(batch, *first)
        return lost if self.missing == "drop" else np.zeros(batch.n, dtype=bool)

    def _weighed(self, batch: Batch, keep: Any) -> Any:
        """Return the rows of a weight above 0; raise for the first weight that is none."""
        assert self.weight is not None
        weights = np.asarray(batch.columns[self.weight], dtype=np.float64)
        gaps = np.isnan(weights)
        strange = keep & (~(weights >= 0) | np.isinf(weights)) & ~(gaps & (self.missing == "drop"))
        if strange.any():
            row = int(np.flatnonzero(strange)[0])
            where, _ = batch.place(row, self.weight)
            if gaps[row]:
                raise DataError(f"{where}: the weight is missing; missing='drop' leaves such rows out.")
            raise DataError(f"{where}: the weight is {weights[row]:g}; weights must be finite and not negative.")
        self.weightless += int((keep & (weights == 0)).sum())
        return weights > 0

    def _missing_cells(self, batch: Batch) -> Any:
        if batch.matrix is not None:
            values = batch.matrix.values
            if not batch.matrix.is_sparse and values.dtype.kind == "f":
                _refuse_infinite(batch, values)
                gaps = np.isnan(values)
                for j in np.flatnonzero(gaps.any(axis=0)).tolist():
                    yield f"x{j + 1}", gaps[:, j]
            return
        clean = batch.side_by_side.names if batch.side_by_side is not None and batch.side_by_side.whole else ()
        for name, kind in self.kinds.items():
            cells = batch.columns[name]
            if name in clean:
                continue
            gaps = missing_in(cells, kind)
            if gaps is not None and isinstance(cells, np.ndarray) and kind != "category":
                _refuse_infinite(batch, cells.reshape(-1, 1), name)
            if gaps is not None:
                yield name, gaps

    def _measure(self, batch: Batch, kept: Ints) -> None:
        if batch.matrix is not None:
            self._measure_matrix(batch, kept)
            return
        if self.numbers and (self.missing == "mean" or self.scale in ("standard", "maxabs")):
            values = batch.numbers(self.numbers, np.float64)
            self.moments.add(values if len(kept) == batch.n else values[kept])
        for name, counts in self.levels.items():
            cells = as_factor(batch.columns[name])
            found = np.bincount(cells.codes[kept] + 1, minlength=len(cells.values) + 1)[1:]
            counts.update({v: int(c) for v, c in zip(cells.values, found, strict=True) if c})
            if len(counts) > MAX_LEVELS:
                raise DataError(
                    f"column {name} has more than {MAX_LEVELS} levels; if it is text, give text={name!r}, "
                    f"if it is an identifier, leave it out with exclude=[{name!r}]."
                )
        for name, kind in self.kinds.items():
            if kind == "text":
                self.letters += sum(map(len, texts(batch.columns[name])))

    def _measure_matrix(self, batch: Batch, kept: Ints) -> None:
        rows = batch.matrix
        assert rows is not None
        if rows.starts is not None:
            assert rows.columns is not None
            part = rows if len(kept) == batch.n else rows.take(kept)
            self.entries += len(part.values)
            if self.scale in ("standard", "maxabs"):
                assert part.columns is not None
                self.moments.add_sparse(part.columns.astype(np.int64), part.values.astype(np.float64), part.n)
        elif self.missing == "mean" or self.scale in ("standard", "maxabs"):
            if len(self.moments.mean) == 0:
                self.moments = Moments(rows.d)
            self.moments.add(rows.values[kept].astype(np.float64))

    def columns(self, *, text_width: int, text_ngrams: int) -> tuple[Column, ...]:
        """Return the columns of the encoder."""
        made = []
        for name, kind in self.kinds.items():
            if kind == "category":
                levels = tuple(sorted(self.levels[name]))
                made.append(Column(name, kind, levels, len(levels)))
            elif kind == "text":
                made.append(Column(name, kind, (), text_width, text_ngrams))
            else:
                made.append(Column(name, kind))
        return tuple(made)

    def fill(self, columns: Sequence[Column]) -> Doubles | None:
        """Return the mean of every feature, for missing="mean"."""
        if self.missing != "mean":
            return None
        if not columns:
            return self.moments.mean.copy()
        fill: list[float] = []
        for column in columns:
            if column.kind == "category":
                total = max(self.levels[column.name].total(), 1)
                fill.extend(self.levels[column.name][level] / total for level in column.levels)
            elif column.kind == "text":
                fill.extend([0.0] * column.width)
            else:
                fill.append(float(self.moments.mean[self.numbers.index(column.name)]))
        return np.array(fill)

    def scaling(self, columns: Sequence[Column], *, sparse: bool) -> tuple[Doubles | None, Doubles | None]:
        """Return shift and factor of the features for "standard" and "maxabs"; constant features stay as they are."""
        if self.scale not in ("standard", "maxabs"):
            return None, None
        spread = self.moments.deviation() if self.scale == "standard" else self.moments.largest()
        factor = 1.0 / np.where(spread > 0, spread, 1.0)
        shift = self.moments.mean if self.scale == "standard" and not sparse else None
        if not columns:
            return None if shift is None else shift.copy(), factor
        scaled = [column.kind == "number" for column in columns for _ in range(column.width)]
        which = [self.numbers.index(column.name) for column in columns if column.kind == "number"]
        full_factor, full_shift = np.ones(len(scaled)), np.zeros(len(scaled))
        full_factor[scaled] = factor[which]
        if shift is not None:
            full_shift[scaled] = shift[which]
        return (None if shift is None else full_shift), full_factor


def _refuse_infinite(batch: Batch, values: Any, name: str | None = None) -> None:
    if np.isinf(values).any():
        i, j = np.argwhere(np.isinf(values))[0].tolist()
        where, _ = batch.place(i, name or f"x{j + 1}")
        raise DataError(f"{where}: {values[i, j]} is not finite; drop that row or correct it.")
