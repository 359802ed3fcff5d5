"""A second thread that shuffles the next pass never changes the journal."""

import os

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from rosenblatt.data.arrays import as_rows
from rosenblatt.learning.drive import make_learners
from rosenblatt.learning.plan import Plan, start_vectors
from rosenblatt.learning.policy import Order, Rule

N = 70_000  # enough to be worth a thread


def rows_of(kind: str, classes: int):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N, 6)).astype(np.float32)
    y = np.argmax(X[:, :classes] + rng.normal(size=(N, classes)), axis=1).astype(np.int32)
    return as_rows(csr_matrix(X) if kind == "sparse" else X), y


def learner_of(shape: str, classes: int, order: str = "shuffle"):
    plan = Plan(6, classes, Rule(), Order(order, 7), multiclass=shape)
    return make_learners(plan, start_vectors(None, plan), screening=False)[0]


def whole(learner) -> list:
    return [*learner.journal.values(), learner.w, learner.b, learner.row_updates, learner.updates_per_pass]


def assert_same(mine, expected) -> None:
    for a, b in zip(whole(mine), whole(expected), strict=True):
        assert np.array_equal(a, b)


@pytest.mark.parametrize("order", ["shuffle", "shuffle_once", "random", "cyclic"])
@pytest.mark.parametrize(
    ("kind", "shape", "classes"),
    [("dense", "ovr", 2), ("sparse", "ovr", 2), ("dense", "ovr", 3), ("dense", "direct", 3)],
)
def test_the_same_run_on_one_thread_and_on_two(kind, shape, classes, order):
    rows, y = rows_of(kind, classes)
    runs = []
    for threads in (1, 2):
        learner = learner_of(shape, classes, order)
        learner.bind(rows.examples(), y, None)
        assert learner.run(60.0, 6, 2**60, threads) == "max_passes"
        runs.append(learner)
    assert_same(*runs)


def test_pauses_and_states_at_any_moment():
    """A state that is saved in a pause, and gone on with on one thread or on two, is the same run."""
    rows, y = rows_of("dense", 2)
    plain = learner_of("ovr", 2)
    plain.bind(rows.examples(), y, None)
    plain.run(60.0, 12, 2**60, 1)
    paused = learner_of("ovr", 2)
    paused.bind(rows.examples(), y, None)
    pauses = 0
    while paused.run(1e-4, 12, 2**60, 2) == "time":
        pauses += 1
        if pauses % 3 == 0:
            again = learner_of("ovr", 2)
            again.restore(paused.state())
            again.rebind(rows.examples(), y, None)
            paused = again
    assert pauses > 5
    for a, b in zip([paused.w, paused.b, paused.row_updates], [plain.w, plain.b, plain.row_updates], strict=True):
        assert np.array_equal(a, b)


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system does not say which cores a thread has")
def test_an_order_that_is_not_there_in_time_is_made_by_the_first_thread():
    """Both threads on one core: the second gets to work when it may, or not at all before the pass is over."""
    rows, y = rows_of("dense", 2)
    runs, before = [], os.sched_getaffinity(0)
    for threads in (1, 2):
        learner = learner_of("ovr", 2)
        learner.bind(rows.examples(), y, None)
        os.sched_setaffinity(0, {min(before)})
        try:
            learner.run(60.0, 40, 2**60, threads)
        finally:
            os.sched_setaffinity(0, before)
        runs.append(learner)
    assert_same(*runs)


def test_other_rows_are_shuffled_afresh():
    rows, y = rows_of("dense", 2)
    ends = []
    for threads in (1, 2):
        learner = learner_of("ovr", 2)
        for last, passes in ((N, 5), (N - 1, 10)):
            some = rows.take(np.arange(last))
            learner.bind(some.examples(), y[:last].copy(), None)
            learner.run(60.0, passes, 2**60, threads)
        ends.append(learner)
    assert_same(*ends)
