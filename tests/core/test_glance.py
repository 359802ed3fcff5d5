"""Settling rows of bytes by small integers never changes the journal."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rosenblatt._core as _core
from rosenblatt.data.arrays import as_rows
from rosenblatt.learning.drive import make_learners
from rosenblatt.learning.plan import Plan, start_vectors
from rosenblatt.learning.policy import Order, Rule


def assert_same_run(
    X, y, *, classes=2, multiclass="ovr", start=None, weights=None, passes=6, updates=2**60, order="shuffle",
    memory="last", **rule
):  # fmt: skip
    """Learn with and without the glance; every column, count and weight must be equal, to the sign of a zero."""
    rows = as_rows(X)
    assert rows.examples() is not None
    plan = Plan(rows.d, classes, Rule(**rule), Order(order, 5), multiclass=multiclass, memory=memory)
    results = []
    for glancing in (True, False):
        (learner,) = make_learners(plan, start_vectors(start, plan), glancing=glancing, screening=False)
        learner.bind(rows.examples(), np.ascontiguousarray(y, dtype=np.int32), weights)
        learner.run(60.0, passes, updates)
        kept = {"average": lambda one: one.average, "pocket": lambda one: one.pocket}.get(memory, lambda one: ())
        results.append((learner.journal, learner.counts, (learner.w, learner.b, learner.row_updates, *kept(learner))))
    (journal, counts, found), (plain, plain_counts, expected) = results
    for column in plain:
        assert np.array_equal(journal[column], plain[column], equal_nan=True), column
    assert [part.tobytes() for part in found] == [part.tobytes() for part in expected]
    assert counts == plain_counts
    return len(plain["row"])


def bytes_of(n, d, kind, seed=0):
    rng = np.random.default_rng(seed)
    low, high = (0, 256) if kind is np.uint8 else (-128, 128)
    X = rng.integers(low, high, (n, d)).astype(kind)
    X[rng.random((n, d)) < 0.6] = 0
    return X, rng


@pytest.mark.parametrize("kind", [np.uint8, np.int8])
@pytest.mark.parametrize("d", [1, 7, 16, 33, 64, 784, 3000])
@pytest.mark.parametrize(("classes", "multiclass"), [(2, "ovr"), (3, "ovr"), (7, "ovr"), (12, "ovr"), (6, "direct")])
def test_every_width_and_number_of_classes(kind, d, classes, multiclass):
    X, rng = bytes_of(400, d, kind, seed=d)
    y = (X.astype(float) @ rng.normal(size=(d, classes)) + 30 * rng.normal(size=(400, classes))).argmax(1)
    assert assert_same_run(X, y, classes=classes, multiclass=multiclass) > 0


@pytest.mark.parametrize("kind", [np.uint8, np.int8])
@pytest.mark.parametrize("d", [1, 31, 32, 33, 64, 65, 100, 784])
@pytest.mark.parametrize(("classes", "multiclass"), [(2, "ovr"), (7, "ovr"), (4, "direct")])
def test_rows_with_blank_margins(kind, d, classes, multiclass):
    """Of any width on either side; some rows are blank altogether, and the first columns of some are all they have."""
    X, rng = bytes_of(400, d, kind, seed=d)
    left, right = rng.integers(0, d + 1, (2, 400, 1))
    columns = np.arange(d)
    X[(columns < left) | (columns >= np.where(rng.random((400, 1)) < 0.2, d, right))] = 0
    y = (X.astype(float) @ rng.normal(size=(d, classes)) + 30 * rng.normal(size=(400, classes))).argmax(1)
    assert assert_same_run(X, y, classes=classes, multiclass=multiclass) > 0
    wide = np.hstack([np.full_like(X, 7), X, np.full_like(X, 7)])
    assert assert_same_run(wide[:, d : 2 * d], y, classes=classes, multiclass=multiclass) > 0


@pytest.mark.parametrize("updates", [3, 40, 2**60])
@pytest.mark.parametrize("classes", [3, 5, 6, 11])
def test_machines_stop_one_after_another(classes, updates):
    """Each after its own clean pass or with its last update: those between two that go on are looked at in vain."""
    X, rng = bytes_of(300, 40, np.uint8, seed=classes)
    y = rng.integers(0, classes, 300)
    hard = rng.random(classes) < 0.5
    X[:, :classes] = np.where(np.arange(classes) == y[:, None], np.where(hard, 1, 250), 0)
    assert assert_same_run(X, y, classes=classes, passes=60, updates=updates) > 0


@pytest.mark.parametrize("rate", [1.0, 0.1, 1e-9, 1e12, 1e-300])
@pytest.mark.parametrize("margin", [0.0, 3.7, 1e6])
def test_rates_and_margins(rate, margin):
    X, rng = bytes_of(500, 50, np.uint8)
    y = (X.astype(float) @ rng.normal(size=50) > 0).astype(np.int32)
    assert_same_run(X, y, rate=rate, margin=margin)


@pytest.mark.parametrize(
    "start",
    [
        (np.full(20, 1e300), 0.0),
        (np.full(20, 1e-310), 1e-310),
        (np.arange(20) - 9.5, 1e17),
        (np.r_[1e8, np.full(19, 1e-8)], -3e10),
        (np.zeros(20), 0.5),
        (np.full(20, 40_000.0), 3.0),
        (np.r_[np.full(10, 2.0**25), np.full(10, -(2.0**25))], 0.0),
        (np.r_[np.full(10, 2.0**27 - 1), np.full(10, 1 - 2.0**27)], 0.0),
        (np.full(20, 2.0**27 + 1), 0.0),
    ],
)
def test_starts_beyond_what_small_integers_can_say(start):
    X, rng = bytes_of(300, 20, np.uint8)
    y = (X.astype(float) @ rng.normal(size=20) > 0).astype(np.int32)
    assert_same_run(X, y, start=start)
    assert_same_run(X, y, start=start, margin=1.0, rate=0.3)


@pytest.mark.parametrize("rate", [1.0, 0.25, 0.1, 100.0, 0.001])
@pytest.mark.parametrize("d", [3, 300])
@pytest.mark.parametrize("multiclass", ["ovr", "direct"])
def test_weights_that_outgrow_the_integers(rate, d, multiclass):
    """A demanded margin that only long vectors reach: q follows, is made anew, and gets a second digit or gives up."""
    X, rng = bytes_of(300, d, np.uint8)
    y = (X.astype(float) @ rng.normal(size=(d, 3))).argmax(1)
    run = {"classes": 3, "multiclass": multiclass, "margin": 1e9 * rate, "rate": rate, "passes": 40}
    assert assert_same_run(X, y, **run) > 5000


@pytest.mark.parametrize("kind", [np.uint8, np.int8])
def test_vectors_that_outgrow_two_digits(kind):
    """A vector that starts just within them, and is pushed out."""
    X, rng = bytes_of(200, 12, kind)
    y = (X.astype(float) @ rng.normal(size=12) > 0).astype(np.int32)
    for most in (2.0**27 - 300, 2.0**27 - 3e4):
        assert assert_same_run(X, y, start=(np.full(12, most), 0.0), margin=1e14, passes=20) > 3000


@pytest.mark.parametrize("d", [40_000, 65_536])
def test_rows_so_wide_that_sums_of_integers_hardly_fit(d):
    X, rng = bytes_of(40, d, np.uint8)
    y = (X.astype(float) @ rng.normal(size=d) > 0).astype(np.int32)
    assert assert_same_run(X, y) > 0
    assert assert_same_run(X, y, margin=1e12) > 0


@pytest.mark.parametrize("memory", ["average", "pocket"])
@pytest.mark.parametrize("rate", [1.0, 0.1])
def test_what_is_remembered(memory, rate):
    X, rng = bytes_of(400, 60, np.uint8)
    y = (X.astype(float) @ rng.normal(size=(60, 4)) + 500 * rng.normal(size=(400, 4))).argmax(1)
    assert assert_same_run(X, y, classes=4, memory=memory, rate=rate) > 0
    assert assert_same_run(X, y == 0, memory=memory, rate=rate, margin=1e6 * rate) > 0


def test_zeros_of_a_start_lose_their_sign():
    X = np.array([[0, 1], [0, 9]], dtype=np.uint8)
    assert assert_same_run(X, [0, 0], start=(np.array([-0.0, 0.0]), -0.0), order="cyclic", passes=1) > 0


@pytest.mark.parametrize("power", [960, 969, 970, 989])
def test_large_rates_whose_sums_would_overflow(power):
    """Partial sums of 2^26 units each overflow where their total is nothing."""
    w = np.zeros(64)
    w[0::16], w[1::16], w[2] = 2.0**26, -(2.0**26), 1.0
    X = np.full((2, 64), 255, dtype=np.uint8)
    X[1], X[1, 2] = 0, 1
    rate = 2.0**power
    assert_same_run(X, [1, 1], start=(w * rate, 0.0), rate=rate, order="cyclic", passes=3)


@pytest.mark.parametrize("rate", [1e308, 2.0**1000, 2.0**995, 1e300])
def test_weights_that_overflow_are_never_taken_for_right(rate):
    X = np.array([[2, 0], [0, 1], [255, 255]], dtype=np.uint8)
    assert_same_run(X, [1, 0, 1], order="cyclic", rate=rate, passes=12)
    assert_same_run(X, [1, 0, 2], classes=3, multiclass="direct", order="cyclic", rate=rate, passes=12)
    assert_same_run(X, [1, 0, 2], classes=3, multiclass="ovr", order="cyclic", rate=rate, passes=12)
    heavy = np.array([1e200, 1e10, 1.0])
    assert_same_run(X, [1, 0, 2], classes=3, multiclass="direct", order="cyclic", rate=rate, weights=heavy, passes=12)


@pytest.mark.parametrize("margin", [0.0, 50.0, 1e7])
def test_direct_with_a_margin(margin):
    X, rng = bytes_of(300, 30, np.uint8)
    y = (X.astype(float) @ rng.normal(size=(30, 4))).argmax(1)
    assert assert_same_run(X, y, classes=4, multiclass="direct", margin=margin) > 0


@pytest.mark.parametrize("seed", range(5))
def test_direct_where_some_vectors_are_whole_numbers_and_others_not(seed):
    """Weights of a third on one class: only the vectors that such an example moved stop being whole."""
    X, rng = bytes_of(300, 30, np.uint8, seed)
    y = (X.astype(float) @ rng.normal(size=(30, 6))).argmax(1)
    assert assert_same_run(X, y, classes=6, multiclass="direct", weights=np.where(y == 0, 1 / 3, 1.0)) > 0


def test_pauses_and_restores_in_the_middle_of_a_pass_change_nothing():
    X, rng = bytes_of(700, 40, np.uint8)
    y = (X.astype(float) @ rng.normal(size=40) > 0).astype(np.int32)
    rows, codes = as_rows(X), np.ascontiguousarray(y)
    plan = Plan(rows.d, 2, Rule(), Order("shuffle", 5), memory="pocket")
    (whole,), (cut,) = (make_learners(plan, start_vectors(None, plan)) for _ in range(2))
    whole.bind(rows.examples(), codes, None)
    cut.bind(rows.examples(), codes, None)
    whole.run(60.0, 5, 2**60)
    while cut.run(0.0, 5, 2**60) == "time":
        state = cut.state()
        (cut,) = make_learners(plan, start_vectors(None, plan))
        cut.restore(state)
        cut.rebind(rows.examples(), codes, None)
    assert all(np.array_equal(whole.journal[column], cut.journal[column]) for column in whole.journal)
    assert np.array_equal(whole.pocket[0], cut.pocket[0])


def test_ties_zero_rows_weights_and_every_order():
    X, rng = bytes_of(300, 6, np.int8)
    X[::5] = 0
    y = (X[:, 0] > X[:, 1]).astype(np.int32)
    weights = rng.choice([0.0, 0.3, 1.0, 2.0, 1 / 7], 300)
    for order in ("cyclic", "shuffle_once", "random", "first", "worst"):
        assert_same_run(X, y, order=order, weights=weights, passes=30)


@pytest.mark.parametrize("order", ["cyclic", "shuffle", "shuffle_once", "random", "first", "worst"])
@pytest.mark.parametrize("kind", [np.uint8, np.float64])
def test_no_rows_at_all(order, kind):
    plan = Plan(1, 2, Rule(), Order(order, 1))
    (learner,) = make_learners(plan, start_vectors(None, plan))
    learner.bind(_core.Examples.dense(np.zeros((0, 1), dtype=kind)), np.zeros(0, dtype=np.int32), None)
    assert learner.run(1.0, 3, 99) == "clean_pass"


@given(
    st.lists(st.lists(st.integers(0, 255), min_size=3, max_size=3), min_size=2, max_size=12),
    st.integers(0, 2**12 - 1),
    st.sampled_from([0.0, 0.5, 100.0]),
    st.sampled_from([1.0, 0.1, 3.0]),
)
@settings(max_examples=150)
def test_any_small_table(rows, labels, margin, rate):
    y = [labels >> i & 1 for i in range(len(rows))]
    assert_same_run(np.array(rows, dtype=np.uint8), y, margin=margin, rate=rate, passes=10)
