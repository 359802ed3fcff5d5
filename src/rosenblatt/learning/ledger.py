"""What a streamed run writes down: the journal in the source's row numbers, the rows that caused updates, and counts."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import rosenblatt._core as _core
from rosenblatt._typing import Codes, Doubles, Ints
from rosenblatt.data.joining import joined
from rosenblatt.data.rows import Rows
from rosenblatt.data.source import Block, Source
from rosenblatt.errors import DataError
from rosenblatt.learning.checkpoint import Arrays
from rosenblatt.learning.drive import by_class
from rosenblatt.learning.journal import COLUMNS, Journal, in_order
from rosenblatt.learning.plan import Plan, unit_of

COUNTED_ROWS = 1 << 24  # examples up to which it is counted how often each caused an update


@dataclass(frozen=True, eq=False)
class KeptRows(Rows):
    """Those rows of a source that caused updates, found by their number in the source."""

    numbers: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    total: int = 0

    @property
    def n(self) -> int:
        return self.total

    def take(self, index: Ints) -> Rows:
        """Return rows by their numbers in the source."""
        return self._kept().take(self._places(index))

    def row(self, i: int) -> Doubles:
        """Return row i of the source, dense."""
        return self._kept().row(int(self._places(np.array([i]))[0]))

    def examples(self, threads: int = 1) -> _core.Examples:
        raise DataError("only the rows that caused updates were kept of this source; read it again for the others.")

    def _kept(self) -> Rows:
        return Rows(self.values, self.d, self.columns, self.starts, self.names)

    def _places(self, index: Ints) -> Ints:
        places = np.searchsorted(self.numbers, index)
        if len(self.numbers) == 0 or (self.numbers[places.clip(max=len(self.numbers) - 1)] != index).any():
            raise DataError("a row was asked for that caused no update; it was not kept.")
        return places


class Ledger:
    """What the run writes down across windows: the journal in the source's row numbers, its rows, and counts by row."""

    def __init__(self, plan: Plan, source: Source, n_learners: int) -> None:
        self.keeps = plan.keeps_journal
        self.columns: list[dict[str, list[Any]]] = [{key: [] for key in COLUMNS} for _ in range(n_learners)]
        self.rows: list[Rows] = []
        self.numbers: list[Ints] = []
        self.codes: list[Codes] = []
        self._known: set[int] = set()
        counted = source.n * plan.vectors <= COUNTED_ROWS
        machines = plan.vectors if plan.shape == "ovr" else 1
        self.counts = np.zeros((machines, source.n if counted else 0), dtype=np.int64)

    def write(self, learners: Sequence[_core.Learner], block: Block) -> None:
        """Take over the updates the learners made since the last call."""
        if not self.keeps:
            return
        for learner, columns in zip(learners, self.columns, strict=True):
            journal = learner.journal
            if len(journal["step"]) == 0:
                continue
            self._keep(np.unique(journal["row"]), block)
            journal["row"] = block.number[journal["row"]]
            for key in COLUMNS:
                columns[key].append(journal[key])
            learner.clear_journal()

    def count(self, learners: Sequence[_core.Learner], block: Block) -> None:
        """Add how often each row of a block that is left caused an update."""
        if self.counts.shape[1]:
            self.counts[:, block.number] += by_class([learner.row_updates for learner in learners])

    def _keep(self, places: Ints, block: Block) -> None:
        fresh = np.array([p for p in places.tolist() if int(block.number[p]) not in self._known], dtype=np.int64)
        if len(fresh):
            self.rows.append(block.rows.take(fresh))
            self.numbers.append(block.number[fresh])
            self.codes.append(block.codes[fresh])
            self._known.update(block.number[fresh].tolist())

    def journal(self, plan: Plan, source: Source, start: tuple[Doubles, Doubles]) -> Journal | None:
        """Return the whole journal."""
        if not self.keeps:
            return None
        whole = in_order([self._column(k) for k in range(len(self.columns))])
        rows, codes = self._kept_rows(source)
        unit = unit_of(plan.rule.rate, start)
        return Journal(**whole, rows=rows, codes=codes, start=start, bias=plan.bias, shape=plan.shape, unit=unit)

    def _column(self, k: int) -> Arrays:
        return {key: np.concatenate([np.zeros(0, kind), *self.columns[k][key]]) for key, kind in COLUMNS.items()}

    def _kept_rows(self, source: Source) -> tuple[Rows, Codes]:
        codes = np.zeros(source.n, dtype=np.int32)
        if not self.rows:
            return KeptRows(np.zeros((0, source.d)), source.d, names=source.names, total=source.n), codes
        numbers = np.concatenate(self.numbers)
        codes[numbers] = np.concatenate(self.codes)
        order = np.argsort(numbers)
        rows = joined(self.rows, order)
        parts = (rows.values, rows.d, rows.columns, rows.starts, source.names)
        return KeptRows(*parts, numbers=numbers[order], total=source.n), codes

    def state(self) -> Arrays:
        """Return everything as arrays, for a checkpoint."""
        arrays = {"counts": self.counts}
        for k in range(len(self.columns)):
            arrays.update({f"journal{k}.{key}": column for key, column in self._column(k).items()})
        if self.rows:
            rows = Rows.stack(self.rows)
            arrays.update(values=rows.values, numbers=np.concatenate(self.numbers), codes=np.concatenate(self.codes))
            if rows.starts is not None and rows.columns is not None:
                arrays.update(columns=rows.columns, starts=rows.starts)
        return arrays

    def restore(self, arrays: Arrays, d: int) -> None:
        """Take over what `state` saved."""
        if arrays["counts"].shape != self.counts.shape:
            raise ValueError("the counts belong to another source")
        self.counts = arrays["counts"].astype(np.int64)
        for k, columns in enumerate(self.columns):
            for key, kind in COLUMNS.items():
                column = arrays[f"journal{k}.{key}"]
                if column.ndim != 1 or column.dtype != kind or len(column) != len(arrays[f"journal{k}.row"]):
                    raise ValueError("the journal's columns are of other kinds or lengths")
                columns[key] = [column]
            row = columns["row"][0]
            if len(row) and not 0 <= row.min() <= row.max() < self.counts.shape[-1]:
                raise ValueError("the journal names rows that there are not")
        if "values" in arrays:
            numbers, codes = arrays["numbers"], arrays["codes"]
            if numbers.dtype != np.int64 or codes.dtype != np.int32 or numbers.shape != codes.shape:
                raise ValueError("the kept rows are of other kinds or lengths")
            if len(numbers) and not 0 <= numbers.min() <= numbers.max() < self.counts.shape[-1]:
                raise ValueError("rows are kept that there are not")
            self.rows = [Rows(arrays["values"], d, arrays.get("columns"), arrays.get("starts"))]
            self.numbers, self.codes = [arrays["numbers"]], [arrays["codes"]]
            self._known = set(arrays["numbers"].tolist())
