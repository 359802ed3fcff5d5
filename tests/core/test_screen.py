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
