"""The driver of the kernel machine: the same loop in the core, over blocks of a Gram matrix.

Problem:   score(x) = Σ alpha_i y_i K(x_i, x) + b. An update changes every example's score, one kernel value each.
Given:     kernel values between examples, on request, as matrices.
Returns:   the textbook journal. The scores of all examples are kept. Rows up to the first that asks for an update need
           nothing; from there a block is run one by one in the core with its own Gram matrix, and then **one matrix
           product** brings all other scores up to date with the block's updates. So each (example, update) pair is
           evaluated once, at the speed of a matrix product.
Reference: Aizerman, Braverman and Rozonoer (1964); Freund and Schapire (1999), section 3.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

import rosenblatt._core as _core
from rosenblatt._typing import Codes, Doubles, Ints, Labels
from rosenblatt.data.arrays import Rows
from rosenblatt.errors import DataError
from rosenblatt.learning.journal import Journal
from rosenblatt.learning.run import JOURNAL_LIMIT, NO_LIMIT, Plan, ballots_of
from rosenblatt.models.kernel import KernelFunction, KernelModel

BUDGET = 256 << 20  # bytes for a whole Gram matrix; a larger one is computed piece by piece, again in every pass
PIECE = 1 << 21  # kernel values computed at a time beyond that
SMALLEST, LARGEST = 32, 256  # rows of a block: its Gram matrix should cost less than what its updates do

KINDS = {"step": np.int64, "row": np.int64, "tau": np.float64, "m": np.float64, "rival": np.int32}  # the journal's
Tick = Callable[[int, int], None]  # told the pass and its updates so far


@dataclass(frozen=True, eq=False)
class KernelOutcome:
    """What a run of the kernel machine did; names as in ``Outcome``. ``kernel_model`` makes the model of it."""

    journal: Journal
    machine_steps: list[int]
    converged: bool
    n_passes: int
    n_updates: int
    n_mistakes: int
    n_steps: int
    updates_per_pass: Ints
    row_updates: Ints
    stopped_by: str


class Gram:
    """Kernel values between examples by number; ``values[i, j]`` is what an update on i adds to the score of j.

    A kernel is symmetric. With ``kernel=None`` the rows are the matrix; should it not be, its columns are the updates.
    """

    def __init__(self, rows: Rows, kernel: KernelFunction | None, budget: int = BUDGET) -> None:
        self.rows, self.kernel, self.n = rows, kernel, rows.n
        self.values: Doubles | None = None
        if kernel is None:
            self.values = np.ascontiguousarray(rows.dense().T)
        elif 8 * rows.n * rows.n <= budget:
            self.values = _finite(kernel(rows, rows))

    def block(self, index: Ints) -> Doubles:
        """Return the values among some examples."""
        if self.values is not None:
            return np.ascontiguousarray(self.values[np.ix_(index, index)])
        assert self.kernel is not None
        some = self.rows.take(index)
        return _finite(self.kernel(some, some))

    def pieces(self, index: Ints, needed: Ints | None) -> Iterator[tuple[Ints | slice, Doubles]]:
        """Yield the values of some examples with all others (or the needed ones), piece by piece."""
        if self.values is not None:
            values = self.values[index]
            yield (slice(None), values) if needed is None else (needed, values[:, needed])
            return
        assert self.kernel is not None
        some, size = self.rows.take(index), max(1, PIECE // len(index))
        for first in range(0, self.n if needed is None else len(needed), size):
            if needed is None:
                stretch = slice(first, min(first + size, self.n))
                yield stretch, _finite(self.kernel(some, _stretch(self.rows, stretch)))
            else:
                part = needed[first : first + size]
                yield part, _finite(self.kernel(some, self.rows.take(part)))


def _stretch(rows: Rows, part: slice) -> Rows:
    """Return rows in a row, not copied."""
    if rows.starts is None or rows.columns is None:
        return Rows(rows.values[part], rows.d)
    first, last = int(rows.starts[part.start]), int(rows.starts[part.stop])
    starts = rows.starts[part.start : part.stop + 1] - first
    return Rows(rows.values[first:last], rows.d, rows.columns[first:last], starts)


def _finite(values: Doubles) -> Doubles:
    values = np.ascontiguousarray(values, dtype=np.float64)
    if _core.first_not_finite(values) >= 0:
        raise DataError("the kernel gave NaN or infinity; scale the features, or look at the kernel's parameters.")
    return values


@dataclass(frozen=True, eq=False)
class Machine:
    """One machine: binary (also each of one-vs-rest, with its class's codes) or direct; ``vectors`` are its own."""

    shape: str
    codes: Codes
    vectors: slice
    rival: int | None  # one-vs-rest: its class, as the journal names it

    def m(self, scores: Doubles, b: Doubles) -> Doubles:
        """Return the functional margin of every example."""
        f = scores[self.vectors] + b[self.vectors, None]
        if self.shape == "binary":
            return np.where(self.codes == 1, f[0], -f[0])
        every = np.arange(f.shape[1])
        true = f[self.codes, every]
        f[self.codes, every] = -np.inf
        return np.asarray(true - f.max(axis=0))

    def steps(self, columns: dict[str, Ints], vectors: int, size: int, codes: Codes) -> Doubles:
        """Return by how much each row of a block was added to each vector."""
        total = np.zeros((vectors, size))
        row, tau = columns["row"], columns["tau"]
        if self.shape == "binary":
            np.add.at(total[0], row, np.where(codes[row] == 1, tau, -tau))
        else:
            np.add.at(total, (codes[row], row), tau)
            np.add.at(total, (columns["rival"], row), -tau)
        return total


@dataclass(frozen=True, eq=False)
class Shown:
    """What each live machine did on a stretch of examples. Appended whole, so that Ctrl-C leaves a consistent past."""

    pass_number: int
    length: int
    mistakes: dict[int, int]
    columns: dict[int, dict[str, Ints]]


def machines_of(plan: Plan, codes: Codes) -> list[Machine]:
    """Return the machines of a plan."""
    if plan.shape == "ovr":
        return [Machine("binary", (codes == k).astype(np.int32), slice(k, k + 1), k) for k in range(plan.n_classes)]
    return [Machine(plan.shape, codes, slice(0, plan.vectors), None)]


class KernelRun:
    """The state of one run: scores of all examples without the bias, biases, and what has been shown so far."""

    def __init__(
        self, plan: Plan, gram: Gram, codes: Codes, weight: Doubles | None, scores: Doubles, b: Doubles, steps: int
    ) -> None:
        self.plan, self.gram, self.codes, self.weight = plan, gram, codes, weight
        self.scores, self.b = scores.copy(), b.copy()
        self.machines = machines_of(plan, codes)
        self.live = list(range(len(self.machines)))
        self.first_step = steps
        self.past: list[Shown] = []
        self.size = LARGEST
        self.generator = plan.order.seed

    def run(self, max_passes: int, tick: Tick | None = None) -> tuple[str, bool]:
        """Learn until every machine has had a clean pass; return why it stopped and whether Ctrl-C was pressed."""
        try:
            for number in range(max_passes):
                order = np.arange(self.gram.n)
                if self.plan.order.name == "shuffle":
                    self.generator, order = _core.permutation(self.generator, self.gram.n)
                updates = self._sweep(order, number, last=number + 1 == max_passes, tick=tick)
                self.live = [k for k in self.live if updates[k]]
                if not self.live:
                    return "clean_pass", False
                self.size = min(max(sum(updates.values()) // 2, SMALLEST), LARGEST)
        except KeyboardInterrupt:
            return "interrupted", True
        return "max_passes", False

    def _sweep(self, order: Ints, number: int, *, last: bool, tick: Tick | None) -> dict[int, int]:
        """Make one pass; return the updates of each live machine."""
        n, at = self.gram.n, 0
        updates = dict.fromkeys(self.live, 0)
        while at < n:
            margins = {k: self.machines[k].m(self.scores, self.b)[order[at:]] for k in self.live}
            asks = [m <= self.plan.rule.margin for m in margins.values()]
            asking = np.logical_or.reduce(asks)
            if self.weight is not None:
                asking &= self.weight[order[at:]] > 0
            quiet = int(asking.argmax()) if asking.any() else n - at
            if quiet:  # nothing moves before the first that asks
                mistakes = {k: int((m[:quiet] <= 0).sum()) for k, m in margins.items()}
                self.past.append(Shown(number, quiet, mistakes, {}))
                at += quiet
            if at < n:
                block = order[at : at + self.size]
                at += len(block)
                for k, made in self._block(block, number, order[at:] if last else None).items():
                    updates[k] += made
            if tick is not None:
                tick(number + 1, sum(updates.values()))
        return updates

    def _block(self, block: Ints, number: int, needed: Ints | None) -> dict[int, int]:
        """Run a block one by one, then bring all other scores up to date by one matrix product."""
        G = self.gram.block(block)
        mistakes: dict[int, int] = {}
        columns: dict[int, dict[str, Ints]] = {}
        moved = np.zeros((len(self.b), len(block)))
        scores = self.scores[:, block]
        for k in self.live:
            machine = self.machines[k]
            learner = self._learner(machine, G, block, scores)
            mistakes[k], columns[k] = learner.counts["machine_mistakes"][0], learner.journal
            scores[machine.vectors], self.b[machine.vectors] = learner.w, learner.b
            codes = machine.codes[block]
            moved[machine.vectors] = machine.steps(columns[k], learner.w.shape[0], len(block), codes)
        done = {k: {**c, "row": block[c["row"]]} for k, c in columns.items()}
        self.past.append(Shown(number, len(block), mistakes, done))
        movers = np.flatnonzero(moved.any(axis=0))
        if len(movers):
            for part, values in self.gram.pieces(block[movers], needed):
                self.scores[:, part] += moved[:, movers] @ values
        self.scores[:, block] = scores
        return {k: len(c["row"]) for k, c in columns.items()}

    def _learner(self, machine: Machine, G: Doubles, block: Ints, scores: Doubles) -> _core.Learner:
        """Return a learner that has been through the block; its w are the block's scores."""
        vectors = machine.vectors.stop - machine.vectors.start
        learner = _core.Learner(
            shape=machine.shape,
            vectors=vectors,
            d=len(block),
            first_class=0,
            margin=self.plan.rule.margin,
            rate=self.plan.rule.rate,
            bias=self.plan.bias,
            ties_positive=False,
            order="cyclic",
            seed=0,
            average=False,
            pocket=False,
            journal=True,
            journal_limit=JOURNAL_LIMIT,
        )
        learner.start(np.ascontiguousarray(scores[machine.vectors]), self.b[machine.vectors].copy())
        weight = None if self.weight is None else self.weight[block]
        learner.bind(_core.Examples.dense(G, gram=True), machine.codes[block], weight, blocks=True)
        learner.run(np.inf, NO_LIMIT, NO_LIMIT)
        return learner

    def collect(self, rows: Rows, stopped_by: str) -> KernelOutcome:
        """Gather what was done."""
        count = len(self.machines)
        steps, passes, mistakes = [self.first_step] * count, [0] * count, 0
        per_pass = np.zeros(max((s.pass_number for s in self.past), default=-1) + 1, dtype=np.int64)
        parts: list[dict[str, Ints]] = []
        at = self.first_step
        by_row = np.zeros((count, self.gram.n), dtype=np.int64)
        for shown in self.past:
            mistakes += sum(shown.mistakes.values())
            for k in shown.mistakes:
                steps[k] += shown.length
                passes[k] = shown.pass_number + 1
            for k, columns in shown.columns.items():
                per_pass[shown.pass_number] += len(columns["row"])
                np.add.at(by_row[k], columns["row"], 1)
                rival = self.machines[k].rival
                named = columns["rival"] if rival is None else np.full_like(columns["rival"], rival)
                parts.append({**columns, "step": columns["step"] + at, "rival": named})
            at += shown.length
        return KernelOutcome(
            journal=self._journal(parts, rows),
            machine_steps=steps,
            converged=not self.live,
            n_passes=max(passes),
            n_updates=int(per_pass.sum()),
            n_mistakes=mistakes,
            n_steps=max(steps),
            updates_per_pass=per_pass,
            row_updates=by_row if self.plan.shape == "ovr" else by_row[0],
            stopped_by=stopped_by,
        )

    def _journal(self, parts: list[dict[str, Ints]], rows: Rows) -> Journal:
        joined = {
            name: np.concatenate([np.empty(0, kind), *(part[name] for part in parts)]) for name, kind in KINDS.items()
        }
        by_step = np.lexsort((joined["rival"], joined["step"]))
        joined = {name: column[by_step] for name, column in joined.items()}
        start = np.zeros((self.plan.vectors, rows.d)), np.zeros(self.plan.vectors)
        return Journal(**joined, rows=rows, codes=self.codes, start=start, bias=self.plan.bias, shape=self.plan.shape)


def kernel_model(
    plan: Plan, journal: Journal, machine_steps: list[int], kernel: KernelFunction, classes: Labels
) -> KernelModel:
    """Return the model of a journal that keeps the rows that caused updates, by the plan's memory.

    Coefficients: Σ tau y over the updates of a row; averaged, each counts by the share of steps it was in force for.
    """
    codes, vectors = journal.codes[journal.row], np.zeros((plan.vectors, journal.rows.n))
    b = np.zeros(plan.vectors)
    tau = journal.tau
    if plan.memory == "average":
        steps = np.asarray(machine_steps, dtype=np.float64)[journal.rival if plan.shape == "ovr" else 0]
        tau = tau * (1.0 - journal.step / steps)
    if plan.shape == "direct":
        moves = [(codes, tau), (journal.rival, -tau)]
    else:
        mine = np.zeros_like(codes) if plan.shape == "binary" else journal.rival
        positive = codes == (1 if plan.shape == "binary" else journal.rival)
        moves = [(mine, np.where(positive, tau, -tau))]
    for vector, step in moves:
        np.add.at(vectors, (vector, journal.row), step)
        if plan.bias:
            np.add.at(b, vector, step)
    ballots = ballots_of(plan.shape, journal, journal.row, machine_steps) if plan.memory == "vote" else ()
    return KernelModel(journal.rows, vectors, b, kernel, plan.bias, classes, ballots)
