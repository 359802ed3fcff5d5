"""Learning with the vector in registers, or from sixteen rows abreast, never changes the journal."""

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

import rosenblatt._core as _core
from rosenblatt.data.arrays import as_rows
from rosenblatt.learning.drive import make_learners
from rosenblatt.learning.plan import Plan, start_vectors
from rosenblatt.learning.policy import Order, Rule


def assert_same_run(
    X,
    y,
    *,
    memory="last",
    bias=True,
    journal=True,
    start=None,
    weights=None,
    passes=4,
    updates=2**60,
    order="shuffle",
    **rule,
):
    """Learn with and without registers; every column, count, weight and sum must be equal. Return the updates."""
    rows = as_rows(X)
    plan = Plan(rows.d, 2, Rule(**rule), Order(order, 5), memory=memory, bias=bias, journal=journal)
    results = []
    for stretching, abreast in ((True, True), (True, False), (False, False)):
        tricks = {"stretching": stretching, "abreast": abreast, "screening": False}
        (learner,) = make_learners(plan, start_vectors(start, plan), **tricks)
        learner.bind(rows.examples(), np.ascontiguousarray(y, dtype=np.int32), weights)
        learner.run(60.0, passes, updates)
        memories = learner.average if memory == "average" else learner.pocket[:2] if memory == "pocket" else ()
        vectors = [learner.w, learner.b, learner.row_updates, *memories]
        results.append((learner.journal, learner.counts, [np.array(v) for v in vectors]))
    plain, plain_counts, plain_vectors = results.pop()
    for journal, counts, vectors in results:
        for column in plain:
            assert np.array_equal(journal[column], plain[column], equal_nan=True), column
        for mine, expected in zip(vectors, plain_vectors, strict=True):
            assert np.array_equal(mine, expected, equal_nan=True)
            assert (np.signbit(mine) == np.signbit(expected)).all()
        assert counts == plain_counts
    return len(plain["row"])


def noisy(n, d, kind=np.float32, noise=0.5, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)).astype(kind)
    return X, (X @ rng.normal(size=d) / np.sqrt(d) + noise * rng.normal(size=n) > 0).astype(np.int32)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("noise", [0.0, 0.5, 50.0], ids=["quiet", "busy", "hopeless"])
@pytest.mark.parametrize(
    "d", [*range(1, 35), 40, 41, 44, 45, 47, 48, 49, 63, 64, 65, 96, 97, 100, 120, 127, 128, 129, 200]
)
def test_every_width(kind, noise, d):
    assert assert_same_run(*noisy(700, d, kind, noise, seed=d)) > 0


@pytest.mark.parametrize("n", [1, 2, 3, 15, 16, 17, 255, 257, 511, 513, 1023, 1024, 1025, 2049])
def test_every_length(n):
    """The last rows may not be read past their end, wherever they come in the order."""
    for d in (1, 3, 20, 31, 100):
        for order in ("cyclic", "shuffle", "random", "shuffle_once"):
            assert_same_run(*noisy(n, d, seed=n), order=order, passes=9)


@pytest.mark.parametrize("rate", [1.0, 0.1, 1e-9, 1e12, 1e-300, 3e307])
@pytest.mark.parametrize("margin", [0.0, 3.7, 1e6])
@pytest.mark.parametrize("d", [7, 50])
def test_rates_and_margins(rate, margin, d):
    """The largest rate overflows; what is not a number is never right, here as there."""
    assert_same_run(*noisy(600, d), rate=rate, margin=margin)


@pytest.mark.parametrize("memory", ["last", "average", "vote", "pocket"])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("order", ["cyclic", "shuffle", "random", "first"])
def test_memories_and_orders(memory, bias, order):
    assert assert_same_run(*noisy(600, 20), memory=memory, bias=bias, order=order) > 0


@pytest.mark.parametrize("updates", [1, 2, 100, 300, 1023, 1024, 1025, 1026])
def test_stops_at_the_same_update(updates):
    assert assert_same_run(*noisy(5000, 20), updates=updates) == updates


@pytest.mark.parametrize("order", ["cyclic", "shuffle"])
@pytest.mark.parametrize(("n", "d"), [(8000, 20), (45_007, 48)], ids=["second", "third"])
def test_rows_that_a_cache_does_not_hold(n, d, order):
    assert assert_same_run(*noisy(n, d, np.float64), order=order, passes=2) > 0


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("order", ["cyclic", "shuffle"])
def test_a_slice_of_columns(kind, order):
    """What stands between the rows is not theirs, and need not be a number."""
    for d in (1, 2, 3, 5, 7, 18, 20, 29, 48):
        for more, between in ((1, np.nan), (3, np.inf), (20, np.nan)):
            X, y = noisy(700, d + more, kind)
            X[:, d:] = between
            assert assert_same_run(X[:, :d], y, order=order, passes=3) > 0


@pytest.mark.parametrize("d", [1, 2, 3, 5, 7, 18, 20, 29, 48])
def test_a_row_that_float32_cannot_hold(d):
    """Where it comes in the order, and behind which row it lies, are not the same."""
    for seed in range(10):
        X, y = noisy(1500, d, np.float64, seed=seed)
        X[np.random.default_rng(seed).integers(1500), 0] = 1e39
        assert assert_same_run(X, y, passes=2) > 0


def test_weights_and_ties_go_the_plain_way():
    X, y = noisy(600, 20)
    assert_same_run(X, y, weights=np.random.default_rng(1).integers(0, 3, 600).astype(float))
    assert_same_run(np.sign(X), y, ties="positive")


def test_a_start_with_negative_zeros_and_huge_numbers():
    X, y = noisy(600, 20)
    assert_same_run(X, y, start=(np.full(20, -0.0), -0.0))
    assert_same_run(X, y, start=(np.full(20, -0.0), -0.0), bias=False)
    assert_same_run(X, y, start=(np.full(20, 1e300), -1e300))
    assert_same_run(1e200 * X.astype(float), y, start=(np.full(20, 1e200), 0.0))


@pytest.mark.parametrize("memory", ["last", "average", "vote", "pocket"])
@pytest.mark.parametrize("order", ["cyclic", "shuffle", "random", "first"])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_sparse_rows(memory, order, bias, kind):
    X, y = noisy(700, 90, kind, noise=0.3)
    X *= np.random.default_rng(1).random(X.shape) < 0.2
    for indices in (np.int32, np.int64):
        sparse = csr_matrix(X)
        sparse.indices, sparse.indptr = sparse.indices.astype(indices), sparse.indptr.astype(indices)
        assert assert_same_run(sparse, y, memory=memory, bias=bias, order=order) > 0


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int16, np.int32])
def test_long_and_whole_numbers(kind):
    """Rows that do not fit into registers, and element types that are not kept there."""
    for d in (7, 300):
        X, y = noisy(600, d, noise=0.3)
        for memory in ("last", "average"):
            assert assert_same_run((10 * X).astype(kind), y, memory=memory, margin=2.0) > 0


@pytest.mark.parametrize("share", [0.001, 0.01, 0.1])
@pytest.mark.parametrize("order", ["cyclic", "shuffle"])
@pytest.mark.parametrize("margin", [0.0, 0.1])
@pytest.mark.parametrize("journal", [True, False])
def test_doubts_here_and_there(share, order, margin, journal):
    X, y = noisy(16_000, 20)  # more than the second cache holds: rows are asked for ahead
    X[np.random.default_rng(1).random(len(X)) < share] = 0  # without a bias exactly on the boundary
    assert_same_run(X, y, bias=False, order=order, margin=margin, journal=journal)


def test_rows_without_columns():
    """Nothing but the bias learns; `as_rows` refuses such rows, the core need not."""
    plan = Plan(0, 2, Rule(), Order("shuffle"))
    (learner,) = make_learners(plan, start_vectors(None, plan))
    learner.bind(_core.Examples.dense(np.zeros((3, 0))), np.array([1, 1, 1], np.int32), None)
    assert learner.run(60.0, 5, 100) == "clean_pass"
    assert learner.b.tolist() == [1.0]


@settings(max_examples=200)
@given(st.data())
def test_points_on_the_boundary(data):
    """Small whole numbers: many scores are exactly zero or exactly the margin."""
    n, d = data.draw(st.integers(1, 60)), data.draw(st.integers(1, 20))
    seed = data.draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, (n, d)).astype(data.draw(st.sampled_from([np.float32, np.float64])))
    y = rng.integers(0, 2, n)
    margin = data.draw(st.sampled_from([0.0, 1.0, 2.0]))
    order = data.draw(st.sampled_from(["cyclic", "shuffle", "random"]))
    assert_same_run(X, y, margin=margin, order=order, bias=data.draw(st.booleans()), passes=12)


@settings(max_examples=300)
@given(st.data())
def test_points_near_the_boundary(data):
    """Whole numbers and a little noise, of any scale: scores that float32 can tell from the margin, just or not."""
    n, d = data.draw(st.integers(1, 600)), data.draw(st.integers(1, 50))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    noise, scale = (10.0 ** data.draw(st.integers(-9, 0)) for _ in range(2))
    size = 10.0 ** data.draw(st.sampled_from([0, 0, 0, -44, -38, -20, 15, 18, 19, 30, 37]))
    X = rng.integers(-2, 3, (n, d)) + noise * rng.normal(size=(n, d))
    X[:, rng.integers(d)] *= scale
    X = (size * X).astype(data.draw(st.sampled_from([np.float32, np.float64])))
    bias, start = data.draw(st.booleans()), None
    if data.draw(st.booleans()):
        start = (10.0 ** rng.integers(-40, 41) * rng.normal(size=d), rng.normal() if bias else 0.0)
    assert_same_run(
        X,
        rng.integers(0, 2, n),
        start=start,
        margin=data.draw(st.sampled_from([0.0, 0.0, 1.0, 3.0, 1e-5])) * data.draw(st.sampled_from([1.0, size])),
        rate=data.draw(st.sampled_from([1.0, 0.1, 3e-20, 7e20])),
        journal=data.draw(st.booleans()),
        order=data.draw(st.sampled_from(["cyclic", "shuffle", "random"])),
        bias=bias,
    )


@pytest.mark.parametrize("level", _core.levels()[:-1])
def test_on_every_instruction_set(level):
    """The level is chosen once in a process: the same tests in one that takes another."""
    chosen = "test_every_width or test_every_length or test_sparse_rows or test_points_on_the_boundary"
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-k", chosen, __file__]
    done = subprocess.run(
        command, env={**os.environ, "ROSENBLATT_LEVEL": level}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
