"""The sum of an average that a second thread keeps is the first thread's own, to the last bit."""

import os
import subprocess
import sys
from textwrap import dedent

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from rosenblatt.data.arrays import as_rows
from rosenblatt.learning.drive import make_learners
from rosenblatt.learning.plan import Plan, start_vectors
from rosenblatt.learning.policy import Order, Rule

N = 40_000  # enough to be worth a thread; half of them wrong in a pass, more is owed than there is room for
KINDS = ["dense", "long", "float64", "bytes", "sparse", "wide"]


def problem(kind: str):
    """Labels that have little to do with the rows."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N, 200 if kind == "long" else 9)).astype(np.float32)
    y = (X[:, 0] + 4 * rng.normal(size=N) > 0).astype(np.int32)
    if kind == "bytes":
        X = (40 * X + 128).clip(0, 255).astype(np.uint8)
    elif kind == "float64":
        X = X.astype(np.float64) * 1.1
    elif kind in ("sparse", "wide"):
        X = csr_matrix(np.where(X > 0.3, X, 0))
        if kind == "wide":
            X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
    return as_rows(X), y


def learner_of(d: int, order: str = "shuffle"):
    plan = Plan(d, 2, Rule(rate=0.3), Order(order, 7), memory="average", journal=False)
    return make_learners(plan, start_vectors(None, plan))[0]


def whole(learner) -> list:
    return [*learner.average, learner.w, learner.b, learner.row_updates, learner.updates_per_pass]


def assert_same(mine, expected) -> None:
    for a, b in zip(whole(mine), whole(expected), strict=True):
        assert np.array_equal(a, b)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("order", ["shuffle", "cyclic"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_same_average_on_one_thread_and_on_two(kind, order, weighted):
    rows, y = problem(kind)
    weight = np.random.default_rng(1).uniform(0.5, 2, N) if weighted else None
    runs = []
    for threads in (1, 2):
        learner = learner_of(rows.d, order)
        learner.bind(rows.examples(), y, weight)
        assert learner.run(60.0, 4, 2**60, threads) == "max_passes"
        runs.append(learner)
    assert runs[0].updates_per_pass.sum() > 40_000
    assert_same(*runs)


def test_pauses_and_states_at_any_moment():
    """What is owed is paid before a run pauses, so that a state in between is whole."""
    rows, y = problem("dense")
    plain, paused = learner_of(rows.d), learner_of(rows.d)
    plain.bind(rows.examples(), y, None)
    plain.run(60.0, 12, 2**60, 1)
    paused.bind(rows.examples(), y, None)
    pauses = 0
    while paused.run(1e-4, 12, 2**60, 2) == "time":
        pauses += 1
        if pauses % 3 == 0:
            again = learner_of(rows.d)
            again.restore(paused.state())
            again.rebind(rows.examples(), y, None)
            paused = again
    assert pauses > 5
    for a, b in zip([*paused.average, paused.w], [*plain.average, plain.w], strict=True):
        assert np.array_equal(a, b)


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory and /proc are Linux's")
@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="the sanitizer itself needs the memory")
def test_without_a_thread_the_first_pays_itself():
    script = """
        import resource
        from tests.core.test_owing import assert_same, learner_of, problem

        rows, y = problem("dense")
        plain, starved = learner_of(rows.d), learner_of(rows.d)
        for learner in (plain, starved):
            learner.bind(rows.examples(), y, None)
        plain.run(60.0, 4, 2**60, 1)
        with open("/proc/self/statm") as file:
            used = int(file.read().split()[0]) * resource.getpagesize()
        limits = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (used + 4_000_000, limits[1]))  # a thread's stack takes more
        starved.run(60.0, 4, 2**60, 2)
        resource.setrlimit(resource.RLIMIT_AS, limits)
        assert_same(starved, plain)
    """
    done = subprocess.run([sys.executable, "-c", dedent(script)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
