"""Skipping examples that are provably right never changes the journal."""

import numpy as np
import pytest
from scipy import sparse

from rosenblatt.data.arrays import as_rows
from rosenblatt.learning.drive import make_learners
from rosenblatt.learning.plan import Plan, start_vectors
from rosenblatt.learning.policy import Order, Rule


def journals(X, y, *, margin=0.0, rate=1.0, order="cyclic", bias=True, passes=200, start=None, weights=None):
    """The journal with and without screening, and how many examples were skipped."""
    rows = as_rows(X)
    plan = Plan(rows.d, 2, Rule(margin, rate), Order(order, 3), bias=bias)
    results = []
    for screening in (True, False):
        (learner,) = make_learners(plan, start_vectors(start, plan), screening=screening)
        learner.bind(rows.examples(), np.ascontiguousarray(y, dtype=np.int32), weights)
        learner.run(60.0, passes, 2**60)
        results.append((learner.journal, learner.counts, learner.w, learner.b))
    return results


def assert_unchanged(results) -> int:
    (with_screen, counts, w, b), (plain, plain_counts, plain_w, plain_b) = results
    for column in plain:
        assert (with_screen[column] == plain[column]).all()
    assert (w == plain_w).all()
    assert (b == plain_b).all()
    skipped = counts.pop("skipped")
    assert plain_counts.pop("skipped") == 0
    assert counts == plain_counts
    return skipped


def separable(n, d, gap, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    u = rng.normal(size=d)
    u /= np.linalg.norm(u)
    score = X @ u
    X += np.outer(np.sign(score) * np.maximum(0, gap - np.abs(score)), u)
    return X, (X @ u > 0).astype(np.int32)


@pytest.mark.parametrize("order", ["cyclic", "shuffle", "shuffle_once", "random", "first"])
@pytest.mark.parametrize("margin", [0.0, 3.0])
def test_small_margin_problems_are_skipped_through_with_the_same_journal(order, margin):
    X, y = separable(2000, 5, 0.002, 0)
    skipped = assert_unchanged(journals(X, y, order=order, margin=margin, passes=1000))
    if order != "first":
        assert skipped > 10_000


@pytest.mark.parametrize("order", ["cyclic", "shuffle_once"])
@pytest.mark.parametrize("d", [5, 8])
def test_the_short_list_is_made_anew_when_the_vector_moves_farther_than_before(order, d):
    X, y = separable(6000, d, 0.0005, d)
    skipped = assert_unchanged(journals(X, y, order=order, passes=1500))
    assert skipped > 6000 * 1500 / 2


def test_a_vector_that_jumps_beyond_the_short_list_finds_what_is_wrong_there():
    # w_2 falls by 1 a pass until a row of great weight throws it up by 500; then rows are wrong that were right by far.
    rng = np.random.default_rng(0)
    falls, throws = [[0.0, -1.0]], [[0.0, 1.0]]
    far = np.c_[rng.uniform(0.3, 0.4, 40), np.full(40, -1.0)]
    X = np.r_[falls, throws, np.c_[rng.uniform(1, 2, 3000), rng.normal(size=3000) / 10], far]
    weights = np.ones(len(X))
    weights[1] = 500.0
    start = (np.array([1000.0, 200.0]), 0.0)
    results = journals(X, np.ones(len(X)), passes=300, start=start, weights=weights, bias=False)
    assert assert_unchanged(results) > 3000 * 200
    assert (results[0][0]["row"] >= 3002).any()


@pytest.mark.parametrize("order", ["cyclic", "shuffle_once"])
def test_a_run_in_slices_passes_every_listed_example_once(order):
    X, y = separable(6000, 5, 0.0005, 5)
    rows, codes = as_rows(X), np.ascontiguousarray(y)
    plan = Plan(rows.d, 2, Rule(), Order(order, 3))
    whole, sliced = (make_learners(plan, start_vectors(None, plan), screening=on)[0] for on in (False, True))
    for learner in (whole, sliced):
        learner.bind(rows.examples(), codes, None)
    whole.run(60.0, 1500, 2**60)
    slices = 1
    while sliced.run(0.0, 1500, 2**60) == "time":
        slices += 1
    assert slices > 5
    assert sliced.counts["skipped"] > 6000 * 1500 / 2
    for column, values in whole.journal.items():
        assert (sliced.journal[column] == values).all()


def test_rows_of_very_different_lengths_and_a_far_start():
    rng = np.random.default_rng(1)
    X, y = separable(1500, 3, 0.01, 1)
    X *= 10.0 ** rng.integers(-8, 9, (len(X), 1))
    assert_unchanged(journals(X, y, bias=False))
    assert_unchanged(journals(X, y, start=([1e6, -1e6, 1.0], 5.0)))


@pytest.mark.parametrize("size", [0.3, 0.1])
def test_a_bias_counts_in_the_length_of_short_rows(size):
    """A step along (x, 1) is far longer than x: what is provably right is so by the length of (x, 1)."""
    X, y = separable(1500, 3, 0.02, 7)
    assert assert_unchanged(journals(size * (X + 0.3), y)) > 1000


def test_ties_duplicates_zero_rows_and_contradictions():
    rng = np.random.default_rng(2)
    X = rng.integers(-2, 3, (600, 2)).astype(float)
    y = (X @ [1, 2] >= 0).astype(np.int32)
    assert_unchanged(journals(X, y))
    y[rng.integers(0, 600, 2)] ^= 1
    assert_unchanged(journals(X, y, bias=False))


def test_bytes_are_settled_at_a_glance_there_too():
    X, y = separable(2000, 20, 0.05, 8)
    X = np.clip(np.round(X * 40), -128, 127).astype(np.int8)
    assert assert_unchanged(journals(X, y, passes=400)) > 10_000


def test_sparse_rows_and_weights():
    X, y = separable(1200, 30, 0.01, 4)
    X = X * (np.abs(X) > 1.2)
    rng = np.random.default_rng(5)
    weights = rng.integers(0, 4, len(X)).astype(float)
    assert_unchanged(journals(sparse.csr_array(X), y, passes=100, weights=weights))


def test_values_near_the_limits_of_rounding():
    """Points at 1e-15 of the boundary after huge weights: the bound on rounding must hold them back."""
    rng = np.random.default_rng(6)
    X = np.column_stack([rng.normal(size=900), np.full(900, 1.0)])
    X[::7, 0] = rng.choice([1e-15, -1e-15, 1e-16, 0.0], len(X[::7]))
    y = (X[:, 0] > 0).astype(np.int32)
    assert_unchanged(journals(X, y, start=([1e8, 1e-8], 0.0), passes=300))
    assert_unchanged(journals(X * 1e150, y, bias=False, passes=300))


@pytest.mark.parametrize("seed", [8, 236, 356])
def test_limits_too_small_for_relative_rounding(seed):
    """With steps of 2^-151 the limits are among the last floats before zero, where rounding is no longer relative."""
    X, y = separable(500, 3, 0.003, seed)
    assert_unchanged(journals(X, y, rate=2.0**-151, order="shuffle", bias=False, passes=600))


def test_another_start_between_two_runs_is_looked_at_afresh():
    X, y = separable(3000, 5, 0.002, 1)
    rows, plan = as_rows(X), Plan(5, 2, Rule(), Order("cyclic"))
    found = []
    for screening in (True, False):
        (learner,) = make_learners(plan, start_vectors(None, plan), screening=screening)
        learner.bind(rows.examples(), y, None)
        learner.run(60.0, 60, 2**60)
        learner.start(-np.asarray(learner.w).reshape(-1), np.asarray(learner.b))
        learner.run(60.0, 120, 2**60)
        found.append((learner.journal["row"], np.asarray(learner.w)))
        skipped = learner.counts["skipped"]
        assert (skipped > 0) == screening
    assert np.array_equal(found[0][0], found[1][0])
    assert np.array_equal(found[0][1], found[1][1])


@pytest.mark.parametrize("order", ["cyclic", "shuffle_once", "shuffle"])
def test_vectors_that_wander_far_from_their_anchors(order):
    """Steps of very different weights: what was right by far from one anchor is not from the next."""
    for seed in range(150):
        rng = np.random.default_rng(seed)
        n, d = int(rng.integers(300, 1500)), int(rng.integers(2, 8))
        X, y = separable(n, d, 10.0 ** rng.uniform(-4, -2), seed)
        weights = 10.0 ** rng.uniform(-2, 2, n)
        assert_unchanged(journals(X, y, order=order, passes=200, weights=weights, bias=bool(seed % 2)))
