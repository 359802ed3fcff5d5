"""Driving the core: make the learners of a plan and run them to their stop in slices, so that Ctrl-C and clocks work."""

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

import rosenblatt._core as _core
from rosenblatt._typing import Doubles
from rosenblatt.learning.ctrl_c import CtrlC
from rosenblatt.learning.plan import Plan, unit_of
from rosenblatt.learning.policy import Stop, deadline
from rosenblatt.learning.progress import Gauge, Progress

SLICE = 0.05  # seconds between two looks at Ctrl-C, clocks and callbacks
NO_LIMIT = 2**62
JOURNAL_LIMIT = 20_000_000  # updates, about 0.7 GB, of a journal that was not asked for
# Several learners may stop for several reasons: the first of these counts, as it would if they were one.
RANKED = ("max_seconds", "max_passes", "max_updates", "block_end")


def make_learners(plan: Plan, start: tuple[Doubles, Doubles], threads: int = 1, **tricks: Any) -> list[_core.Learner]:
    """Return the learners of a plan: one, or in one-vs-rest as many as there are threads, each with some classes.

    ``tricks`` are the core's switches, for tests and measurements; the journal is the same with and without. screening:
    skip examples that are provably right; glancing: settle rows of bytes by small integers where that leaves no doubt;
    stretching: learn from many rows in one go, short ones with the vector in registers; abreast: judge sixteen short
    ones at once, in float32 first; least_share: bytes of examples from which a further thread looks ahead.
    """
    groups = [np.arange(plan.vectors)]
    if plan.shape == "ovr":
        own_order = plan.order.name in ("first", "worst")  # what is shown depends on the machine
        count = plan.vectors if own_order else min(max(threads, 1), plan.vectors)
        groups = [groups[0][k::count] for k in range(count)]  # classes that are hard to tell apart are often neighbours
    learners, unit = [], unit_of(plan.rule.rate, start)
    for group in groups:
        learner = _core.Learner(
            shape=plan.shape,
            vectors=len(group),
            d=plan.d,
            first_class=int(group[0]),
            class_step=len(groups),
            margin=plan.rule.margin / unit,
            rate=plan.rule.rate / unit,
            unit=unit,
            bias=plan.bias,
            ties_positive=plan.rule.ties == "positive",
            order=plan.order.name,
            seed=plan.order.seed,
            average=plan.memory == "average",
            pocket=plan.memory == "pocket",
            journal=plan.keeps_journal,
            journal_limit=NO_LIMIT if plan.journal or plan.memory == "vote" else JOURNAL_LIMIT,
            **tricks,
        )
        learner.start(np.ascontiguousarray(start[0][group]), np.ascontiguousarray(start[1][group]))
        learners.append(learner)
    return learners


def by_class(parts: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Join what the learners hold by machine, in the order of the classes: of T learners each has every T-th.

    >>> by_class([np.array([0, 2, 4]), np.array([1, 3])]).tolist()
    [0, 1, 2, 3, 4]
    """
    if len(parts) == 1:
        return parts[0]
    joined = np.empty((sum(map(len, parts)), *parts[0].shape[1:]), parts[0].dtype)
    for k, part in enumerate(parts):
        joined[k :: len(parts)] = part
    return joined


def drive(learners: Sequence[_core.Learner], stop: Stop, *, threads: int = 1, progress: Progress | None = None) -> str:
    """Run the learners to their stop, in slices; return why it stopped, "interrupted" after Ctrl-C."""
    reasons, interrupted = drive_each(learners, stop, threads=threads, progress=progress)
    return "interrupted" if interrupted else first_reason(reasons)


def first_reason(reasons: Sequence[str]) -> str:
    """Return why a run of several learners stopped."""
    return next((reason for reason in RANKED if reason in reasons), "clean_pass")


def any_capped(learners: Sequence[_core.Learner]) -> bool:
    """Return whether a machine has made all the updates it was allowed."""
    return any("capped" in learner.counts["machine_running"] for learner in learners)


def share_of(threads: int, learners: Sequence[_core.Learner]) -> int:
    """Return how many threads each learner has: those beyond the first look ahead while it finds no example wrong."""
    return max(1, threads // max(1, len(learners)))


def drive_each(
    learners: Sequence[_core.Learner], stop: Stop, *, threads: int, progress: Progress | None
) -> tuple[list[str], bool]:
    """Run the learners to their stop, in slices; return why each stopped and whether Ctrl-C was pressed."""
    end = deadline(stop.max_seconds)
    max_passes, max_updates = stop.max_passes or NO_LIMIT, stop.max_updates or NO_LIMIT
    each = share_of(threads, learners)
    halt: list[bool] = []
    ctrl_c = CtrlC()
    gauge = None if progress is None else Gauge(progress)

    def run(learner: _core.Learner) -> str:
        while True:  # a first look is taken however short the time: a pocket holds the start at least
            left = max(0.0, min(SLICE, end - time.monotonic()))
            pause = learner.run(left, max_passes, max_updates, each)
            if gauge is not None:
                gauge.read(learner)
            if pause != "time":
                return pause
            if ctrl_c.pressed or halt:
                return "interrupted"
            if time.monotonic() >= end:
                return "max_seconds"

    try:
        if len(learners) == 1:
            return [run(learners[0])], False
        # Never welcome: the learners look whether it was pressed. Raised while threads start or are waited for, it
        # would leave some that nobody waits for.
        with ctrl_c, ThreadPoolExecutor(max(threads, 1)) as pool:
            try:
                tasks = [pool.submit(run, learner) for learner in learners]
                reasons = [task.result() for task in tasks]
            except BaseException:  # what the progress of one raised: the others must not go on
                halt.append(True)
                raise
    except KeyboardInterrupt:
        return [], True
    return reasons, ctrl_c.pressed
