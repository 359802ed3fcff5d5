"""Gathering what the learners did: the model their memory made, the journal, and the counts."""

from collections.abc import Sequence
from typing import Any

import numpy as np

import rosenblatt._core as _core
from rosenblatt._typing import Codes, Doubles, Ints, Labels
from rosenblatt.data.rows import Rows
from rosenblatt.errors import DataError
from rosenblatt.learning.drive import by_class
from rosenblatt.learning.journal import Journal, in_order
from rosenblatt.learning.outcome import Counts, Outcome
from rosenblatt.learning.plan import Plan, unit_of
from rosenblatt.models.linear import LinearModel
from rosenblatt.models.voted import Ballot, VotedModel

OVERFLOWED = "the weights overflowed: features, rate or example weights are too large; scale them down."


def collect(
    plan: Plan,
    learners: Sequence[_core.Learner],
    rows: Rows,
    codes: Codes,
    classes: Labels,
    start: tuple[Doubles, Doubles],
    stopped_by: str,
    written: Journal | None = None,
) -> Outcome:
    """Gather what the learners did into an Outcome; ``written`` is the journal where the driver kept it itself."""
    W, b = (by_class([getattr(learner, part) for learner in learners]) for part in ("w", "b"))
    last = _linear(plan, W, b, classes, rows.names)
    _refuse_overflow(last, rows)
    if not plan.bias:
        refuse_vanishing(W, unit_of(plan.rule.rate, start))
    journal = written
    if journal is None and all(learner.keeps_journal for learner in learners):
        journal = journal_of(plan, learners, rows, codes, start)
    model: LinearModel | VotedModel = last
    pocket_errors = None
    if plan.memory == "average":
        averages = [learner.average for learner in learners]
        mean_w, mean_b = (by_class(part) for part in zip(*averages, strict=True))
        model = _linear(plan, mean_w, mean_b, classes, rows.names)
        # Vectors on the way may have been larger than the last.
        if not (np.isfinite(mean_w).all() and np.isfinite(mean_b).all()):
            raise DataError(OVERFLOWED)
    elif plan.memory == "pocket":
        pockets = [learner.pocket for learner in learners]
        best_w, best_b, pocket_errors = (by_class(part) for part in zip(*pockets, strict=True))
        model = _linear(plan, best_w, best_b, classes, rows.names)
    elif plan.memory == "vote":
        assert journal is not None
        model = voted_model(plan, journal, machine_steps(learners), classes)
    return Outcome(
        **vars(counts_of(learners, stopped_by)),
        model=model,
        last=last,
        journal=None if plan.journal is False else journal,
        row_updates=row_updates_of(plan, learners),
        pocket_errors=pocket_errors,
    )


def counts_of(learners: Sequence[_core.Learner], stopped_by: str) -> Counts:
    """Return how a run went: its counts, the machines of one-vs-rest taken together."""
    counts = [learner.counts for learner in learners]

    def every(key: str) -> list[Any]:
        return [value for count in counts for value in count[key]]

    return Counts(
        converged=all(running == "clean" for running in every("machine_running")),
        stopped_by=stopped_by,
        n_passes=max(every("machine_passes")),
        n_updates=sum(every("machine_updates")),
        n_mistakes=sum(every("machine_mistakes")),
        n_steps=max(every("machine_steps")),
        updates_per_pass=added([learner.updates_per_pass for learner in learners]),
    )


def added(per_pass: Sequence[Sequence[int] | Ints]) -> Ints:
    """Return the updates of each pass, summed over learners that made different numbers of passes."""
    total = np.zeros(max(map(len, per_pass)), dtype=np.int64)
    for some in per_pass:
        total[: len(some)] += some
    return total


def machine_steps(learners: Sequence[_core.Learner]) -> list[int]:
    """Return the steps of each machine."""
    steps: list[int] = by_class([np.array(learner.counts["machine_steps"]) for learner in learners]).tolist()
    return steps


def row_updates_of(plan: Plan, learners: Sequence[_core.Learner]) -> Ints:
    """Return how often each example caused an update: (n,), or (K, n) in one-vs-rest."""
    if plan.shape != "ovr":
        return learners[0].row_updates[0]
    return by_class([learner.row_updates for learner in learners])


def refuse_vanishing(W: Doubles, unit: float) -> None:
    """Refuse vectors through the origin whose products with the rows that made them are 0 in floating point."""
    if 0 < float(np.abs(W).max(initial=0.0)) / unit < 2.0**-511:
        raise DataError(
            "the weights are so small that their products with the features vanish in floating point; multiply the "
            "features by a power of two, such as 2.0**600."
        )


def _refuse_overflow(last: LinearModel, rows: Rows) -> None:
    """Refuse weights or scores beyond the floats: a verdict about such sums would mean nothing."""
    largest = max(float(np.abs(last.w).max(initial=0.0)), float(np.abs(last.b).max()))
    # Below 1e100 no sum of products with the rows that made it can overflow.
    if not largest < 1e100 and not (np.isfinite(largest) and np.isfinite(last.score(rows)).all()):
        raise DataError(OVERFLOWED)


def _linear(plan: Plan, W: Doubles, b: Doubles, classes: Labels, names: tuple[str, ...] | None) -> LinearModel:
    if plan.shape == "binary":
        return LinearModel(W[0], float(b[0]), classes, names)
    return LinearModel(W, b, classes, names)


def journal_of(
    plan: Plan, learners: Sequence[_core.Learner], rows: Rows, codes: Codes, start: tuple[Doubles, Doubles]
) -> Journal:
    """Return the journal that the core kept."""
    columns = in_order([learner.journal for learner in learners])
    unit = unit_of(plan.rule.rate, start)
    return Journal(**columns, rows=rows, codes=codes, start=start, bias=plan.bias, shape=plan.shape, unit=unit)


def voted_model(plan: Plan, journal: Journal, machine_steps: Sequence[int], classes: Labels) -> VotedModel:
    """Return the voted model of a journal: its distinct rows, and per machine the sequence with survival counts."""
    kept, _ = journal.compact()
    ballots = ballots_of(kept, machine_steps)
    start = _linear(plan, journal.start[0] / journal.unit, journal.start[1] / journal.unit, classes, None)
    return VotedModel(kept.rows, ballots, start, plan.bias, classes)


def ballots_of(journal: Journal, machine_steps: Sequence[int]) -> tuple[Ballot, ...]:
    """Return one ballot per machine, in units, over the journal's rows."""
    codes, units = journal.codes[journal.row], journal.units
    if journal.shape == "direct":
        count = _survival(journal.step, machine_steps[0])
        return (Ballot(journal.row, units, count, gains=codes, loses=journal.rival),)
    ballots = []
    for k, steps in enumerate(machine_steps):
        binary = journal.shape == "binary"
        mine = slice(None) if binary else journal.rival == k
        positive = codes[mine] == (1 if binary else k)
        step = np.where(positive, units[mine], -units[mine])
        ballots.append(Ballot(np.ascontiguousarray(journal.row[mine]), step, _survival(journal.step[mine], steps)))
    return tuple(ballots)


def _survival(step: Any, n_steps: int) -> Doubles:
    """Return how many steps each vector was in force after: the start, then each update's, its own step included."""
    return np.diff(np.concatenate([[0], step, [n_steps]])).astype(np.float64)
