"""Our loop driven by hand, where a case needs a switch that `learn` does not show or the time of the passes alone."""

import time

import numpy as np

from benchmarks import data
from benchmarks.case import Clocked, Job, clock
from rosenblatt.data.arrays import as_rows
from rosenblatt.learning.drive import NO_LIMIT, make_learners
from rosenblatt.learning.plan import Plan, start_vectors
from rosenblatt.learning.policy import Order, Rule

FOREVER = 1e9  # seconds


def learner(X, y, *, order: str = "cyclic", journal: bool = False, start=None, **tricks: bool):
    """Return a learner bound to the data, with ``screening``, ``glancing``, ``stretching`` and ``abreast`` as told."""
    rows = as_rows(X)
    plan = Plan(rows.d, int(y.max()) + 1, Rule(), Order(order), journal=journal)
    (made,) = make_learners(plan, start_vectors(start, plan), **tricks)
    made.bind(rows.examples(), np.ascontiguousarray(y, dtype=np.int32), None)
    return made


def passes_alone(X, y, start, passes: int, *, order: str = "cyclic", threads: int = 1) -> Job:
    """Time a pass in the steady state: passes k+1 to 2k of a run that looks at every row in every pass."""

    def job() -> Clocked:
        ours = learner(X, y, order=order, screening=False, start=start)
        ours.run(FOREVER, passes, NO_LIMIT, threads)
        begin = time.perf_counter()
        ours.run(FOREVER, 2 * passes, NO_LIMIT, threads)
        took = time.perf_counter() - begin
        assert ours.counts["skipped"] == 0
        return Clocked(took / passes, f"{ours.updates_per_pass[passes:].mean():.1f} updates a pass")

    return job


def until(X, y, passes: int, *, order: str = "cyclic", journal: bool = True, **tricks: bool) -> Job:
    """Run that many passes; show the updates and a digest of the journal or, where none is kept, of the vector: no trick
    may change them."""

    def job():
        ours = learner(X, y, order=order, journal=journal, **tricks)
        ours.run(FOREVER, passes, NO_LIMIT)
        written = [ours.journal["row"], ours.journal["m"]] if journal else [ours.w]
        return f"{ours.updates_per_pass.sum()} updates, {hash(b''.join(c.tobytes() for c in written)) % 10**6}"

    return job


def a_pass_in_cache() -> float:
    """Return the seconds of a pass over 4 000 × 100 float32 that the caches hold: arithmetic, not memory."""
    X, y, start = data.settled(data.dense(4000, 100)[0])
    return min(clock(passes_alone(X, y, start, 200)).seconds for _ in range(5))
