"""The kernel machine in blocks, for more examples than a whole Gram matrix has room for, and for a single pass.

Problem:   an update changes every example's score, one kernel value each; values cannot all be kept.
Given:     a function from two sets of rows to the matrix of kernel values.
Returns:   the textbook journal. The scores of all examples are kept. Rows up to the first that asks for an update need
           nothing; from there a block is run one by one in the core with its own Gram matrix, and then **one matrix
           product** brings all other scores up to date with the block's updates. So each (example, update) pair is
           evaluated once, at the speed of a matrix product; in the last pass only where the update came before.
"""

import time
from dataclasses import dataclass, replace

import numpy as np

import rosenblatt._core as _core
from rosenblatt._typing import Codes, Doubles, Ints
from rosenblatt.data.rows import Rows
from rosenblatt.errors import DataError
from rosenblatt.learning.drive import NO_LIMIT, make_learners
from rosenblatt.learning.journal import Journal, in_order
from rosenblatt.learning.kernel_model import KernelOutcome
from rosenblatt.learning.plan import Plan
from rosenblatt.learning.policy import Order, Stop, deadline
from rosenblatt.learning.progress import Progress
from rosenblatt.models.kernel import KernelFunction
from rosenblatt.models.kernels import PIECE, Kernel, weighted_sums
from rosenblatt.models.scored import functional_margins

SMALLEST, LARGEST = 32, 512  # rows of a block: its Gram matrix should cost less than what its updates do


def finite(values: Doubles) -> Doubles:
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
        return functional_margins(f[0] if self.shape == "binary" else f.T, self.codes)

    def steps(self, columns: dict[str, Ints], vectors: int, size: int, codes: Codes) -> Doubles:
        """Return by how much each row of a block was added to each vector."""
        total = np.zeros((vectors, size))
        row, units = columns["row"], columns["units"]
        if self.shape == "binary":
            np.add.at(total[0], row, np.where(codes[row] == 1, units, -units))
        else:
            np.add.at(total, (codes[row], row), units)
            np.add.at(total, (columns["rival"], row), -units)
        return total


@dataclass(frozen=True, eq=False)
class Shown:
    """What each live machine did on a stretch of examples. Appended whole, so that Ctrl-C leaves a consistent past."""

    pass_number: int
    steps: dict[int, int]  # examples it was shown: fewer where it stopped at its last update
    mistakes: dict[int, int]
    columns: dict[int, dict[str, Ints]]


def machines_of(plan: Plan, codes: Codes) -> list[Machine]:
    """Return the machines of a plan."""
    if plan.shape == "ovr":
        return [Machine("binary", (codes == k).astype(np.int32), slice(k, k + 1), k) for k in range(plan.n_classes)]
    return [Machine(plan.shape, codes, slice(0, plan.vectors), None)]


class Clock:
    """A time limit; None for none."""

    def __init__(self, seconds: float | None) -> None:
        self.end = deadline(seconds)
        self.rang = False

    def rings(self) -> bool:
        """Say whether the time is up."""
        self.rang = time.monotonic() >= self.end
        return self.rang


class BlockedRun:
    """The state of one run: scores of all examples without the bias, biases, and what has been shown so far."""

    def __init__(
        self,
        plan: Plan,
        rows: Rows,
        kernel: KernelFunction,
        codes: Codes,
        weight: Doubles | None,
        scores: Doubles,
        b: Doubles,
        steps: int,
    ) -> None:
        self.plan, self.rows, self.kernel, self.codes, self.weight = plan, rows, kernel, codes, weight
        self.scores, self.b = scores.copy(), b.copy()
        self.machines = machines_of(plan, codes)
        self.live = list(range(len(self.machines)))
        self.left = dict.fromkeys(self.live, NO_LIMIT)  # updates that each machine may still make
        self.first_step = steps
        self.past: list[Shown] = []
        self.size = LARGEST
        self.generator = plan.order.seed

    @property
    def capped(self) -> bool:
        """Whether a machine has made all the updates it was allowed."""
        return not all(self.left.values())

    def run(self, stop: Stop, progress: Progress | None = None) -> str:
        """Learn until every machine has had a clean pass; return why it stopped, "interrupted" after Ctrl-C."""
        clock = Clock(stop.max_seconds)
        self.left = dict.fromkeys(self.live, stop.max_updates or NO_LIMIT)
        most = stop.max_passes or NO_LIMIT
        try:
            for number in range(most):
                order = np.arange(self.rows.n)
                if self.plan.order.name == "shuffle":
                    self.generator, order = _core.permutation(self.generator, self.rows.n)
                sweep = self._last_sweep if number + 1 == most else self._sweep
                updates = sweep(order, number, clock, progress)
                if clock.rang:
                    return "max_seconds"
                self.live = [k for k in self.live if updates[k]]
                if not self.live:
                    return "max_updates" if self.capped else "clean_pass"
                self.size = min(max(sum(updates.values()) // 2, SMALLEST), LARGEST)
        except KeyboardInterrupt:
            return "interrupted"
        return "max_passes"

    def _last_sweep(self, order: Ints, number: int, clock: Clock, progress: Progress | None) -> dict[int, int]:
        """Make a pass after which no score is needed: each block asks back for the updates before it."""
        updates = dict.fromkeys(self.live, 0)
        movers: list[tuple[Rows, Doubles]] = []
        for at in range(0, self.rows.n, LARGEST):
            if not self.live or clock.rings():
                break
            block = order[at : at + LARGEST]
            some = self._take(block)
            for rows, moved in movers:
                self.scores[:, block] += finite(weighted_sums(self.kernel, moved, rows, some))
            made, moved = self._block(block, some, number)
            for k, count in made.items():
                updates[k] += count
            moving = np.flatnonzero(moved.any(axis=0))
            if len(moving):
                movers.append((some.take(moving), moved[:, moving]))
            while len(movers) > 1 and movers[-2][0].n <= 4 * movers[-1][0].n:  # few large products, not many small ones
                (a, x), (b, y) = movers.pop(-2), movers.pop(-1)
                movers.append((Rows.stack([a, b]), np.hstack([x, y])))
            if progress is not None:
                progress(number + 1, sum(updates.values()), number * self.rows.n + at + len(block))
        return updates

    def _sweep(self, order: Ints, number: int, clock: Clock, progress: Progress | None) -> dict[int, int]:
        """Make one pass; return the updates of each live machine."""
        n, at = self.rows.n, 0
        updates = dict.fromkeys(self.live, 0)
        while at < n and self.live and not clock.rings():
            margins = {k: self.machines[k].m(self.scores, self.b)[order[at:]] for k in self.live}
            asks = [m <= self.plan.rule.margin for m in margins.values()]
            asking = np.logical_or.reduce(asks)
            if self.weight is not None:
                asking &= self.weight[order[at:]] > 0
            quiet = int(asking.argmax()) if asking.any() else n - at
            if quiet:  # nothing moves before the first that asks
                mistakes = {k: int((m[:quiet] <= 0).sum()) for k, m in margins.items()}
                self.past.append(Shown(number, dict.fromkeys(mistakes, quiet), mistakes, {}))
                at += quiet
            if at < n:
                block = order[at : at + self.size]
                at += len(block)
                some = self._take(block)
                made, moved = self._block(block, some, number)
                for k, count in made.items():
                    updates[k] += count
                self._spread(block, some, moved)
            if progress is not None:
                progress(number + 1, sum(updates.values()), number * n + at)
        return updates

    def _take(self, block: Ints) -> Rows:
        """Return some rows, ready for products of ours; a user's function gets them as they came."""
        some = self.rows.take(block)
        return some.for_products() if isinstance(self.kernel, Kernel) else some

    def _block(self, block: Ints, some: Rows, number: int) -> tuple[dict[int, int], Doubles]:
        """Run a block one by one; return the updates of each machine, and by how much each row was added to whom."""
        G = finite(self.kernel(some, some))
        steps: dict[int, int] = {}
        mistakes: dict[int, int] = {}
        columns: dict[int, dict[str, Ints]] = {}
        moved = np.zeros((len(self.b), len(block)))
        scores = self.scores[:, block]
        for k in self.live:
            machine = self.machines[k]
            learner = self._learner(machine, G, block, scores, self.left[k])
            counts, columns[k] = learner.counts, learner.journal
            steps[k], mistakes[k] = counts["machine_steps"][0], counts["machine_mistakes"][0]
            scores[machine.vectors], self.b[machine.vectors] = learner.w, learner.b
            codes = machine.codes[block]
            moved[machine.vectors] = machine.steps(columns[k], learner.w.shape[0], len(block), codes)
        done = {k: {**c, "row": block[c["row"]]} for k, c in columns.items()}
        self.past.append(Shown(number, steps, mistakes, done))
        self.scores[:, block] = scores
        made = {k: len(c["row"]) for k, c in columns.items()}
        for k, count in made.items():
            self.left[k] -= count
        self.live = [k for k in self.live if self.left[k]]
        return made, moved

    def _spread(self, block: Ints, some: Rows, moved: Doubles) -> None:
        """Bring the scores of all rows outside the block up to date by one matrix product."""
        movers = np.flatnonzero(moved.any(axis=0))
        if not len(movers):
            return
        own, rows = self.scores[:, block].copy(), some.take(movers)
        for place, piece in self.rows.pieces(max(1, PIECE // rows.n)):
            self.scores[:, place] += finite(weighted_sums(self.kernel, moved[:, movers], rows, piece))
        self.scores[:, block] = own

    def _learner(self, machine: Machine, G: Doubles, block: Ints, scores: Doubles, left: int) -> _core.Learner:
        """Return a learner that has been through the block, or to its last update; its w are the block's scores."""
        n_classes = 2 if machine.shape == "binary" else self.plan.n_classes
        plan = replace(self.plan, d=len(block), n_classes=n_classes, order=Order(), memory="last", journal=True)
        start = np.ascontiguousarray(scores[machine.vectors]), self.b[machine.vectors].copy()
        (learner,) = make_learners(plan, start)
        weight = None if self.weight is None else self.weight[block]
        learner.bind(_core.Examples.dense(G, gram=True), machine.codes[block], weight, blocks=True)
        learner.run(np.inf, NO_LIMIT, left)
        return learner

    def collect(self, stopped_by: str) -> KernelOutcome:
        """Gather what was done."""
        count = len(self.machines)
        steps, passes, mistakes = [self.first_step] * count, [0] * count, 0
        per_pass = np.zeros(max((s.pass_number for s in self.past), default=-1) + 1, dtype=np.int64)
        parts: list[dict[str, Ints]] = []
        at = self.first_step
        by_row = np.zeros((count, self.rows.n), dtype=np.int64)
        for shown in self.past:
            mistakes += sum(shown.mistakes.values())
            for k, shown_to_it in shown.steps.items():
                steps[k] += shown_to_it
                passes[k] = shown.pass_number + 1
            for k, columns in shown.columns.items():
                per_pass[shown.pass_number] += len(columns["row"])
                np.add.at(by_row[k], columns["row"], 1)
                rival = self.machines[k].rival
                named = columns["rival"] if rival is None else np.full_like(columns["rival"], rival)
                parts.append({**columns, "step": columns["step"] + at, "rival": named})
            at += max(shown.steps.values())
        plan = self.plan
        zero = np.zeros((plan.vectors, self.rows.d)), np.zeros(plan.vectors)
        return KernelOutcome(
            journal=Journal(
                **in_order(parts),
                rows=self.rows,
                codes=self.codes,
                start=zero,
                bias=plan.bias,
                shape=plan.shape,
                unit=1.0,
            ),
            machine_steps=steps,
            converged=not self.live and not self.capped,
            n_passes=max(passes),
            n_updates=int(per_pass.sum()),
            n_mistakes=mistakes,
            n_steps=max(steps),
            updates_per_pass=per_pass,
            row_updates=by_row if plan.shape == "ovr" else by_row[0],
            stopped_by=stopped_by,
        )
