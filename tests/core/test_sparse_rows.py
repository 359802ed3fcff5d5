"""Sparse rows are read in whole registers: what lies behind a row never counts, and nothing is read that is not there."""

import numpy as np
import pytest
from scipy import sparse

import rosenblatt._core as _core
from rosenblatt import learn
from rosenblatt.data import Rows

LENGTHS = [0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 48, 70]


def scores(X, w):
    examples = _core.Examples.sparse(X.data, X.indices, X.indptr, X.shape[1])
    return _core.scores(examples, w[None], np.zeros(1), 1).ravel()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_scores_of_rows_of_every_length(dtype, index):
    """Integers, so that every order of summation gives the same; each length is the last row once."""
    rng = np.random.default_rng(0)
    for last in LENGTHS:
        lengths = np.array([*rng.permutation(LENGTHS), last])
        columns = np.concatenate([rng.permutation(90)[:length] for length in lengths]).astype(index)
        starts = np.concatenate([[0], np.cumsum(lengths)]).astype(index)
        X = sparse.csr_matrix((rng.integers(-3, 4, len(columns)).astype(dtype), columns, starts), (len(lengths), 90))
        X.indices, X.indptr = columns, starts  # SciPy has made them narrower
        w = rng.integers(-9, 10, 90).astype(float)
        assert np.array_equal(scores(X, w), X.toarray().astype(float) @ w)


@pytest.mark.parametrize("length", LENGTHS)
def test_weights_that_no_row_touches_do_not_count(length):
    """Not even one that is no number, wherever the row stands."""
    columns = np.tile(np.arange(1, length + 1, dtype=np.int32), 20)
    starts = np.arange(21, dtype=np.int32) * length
    X = sparse.csr_matrix((np.ones(20 * length), columns, starts), (20, 72))
    w = np.ones(72)
    w[0] = np.inf
    w[length + 1 :] = np.nan
    assert scores(X, w).tolist() == [length] * 20


def test_a_neighbour_that_overflows_does_not_count():
    X = sparse.csr_matrix(np.array([[1.0, 0.0], [0.0, 1e300]] * 20))
    assert scores(X, np.array([2.0, 1e300])).tolist() == [2.0, np.inf] * 20


def test_rows_without_columns():
    """Nothing but the bias learns: 1, 0, 1, and from then on right, 0, 1."""
    rows = Rows(np.zeros(0), 0, np.zeros(0, np.int32), np.zeros(4, np.int32))
    outcome = learn(rows, [1, 0, 1], max_passes=2)
    assert outcome.w.size == 0
    assert outcome.journal.row.tolist() == [0, 1, 2, 1, 2]
    examples = _core.Examples.sparse(np.zeros(0), np.zeros(0, np.int32), np.zeros(4, np.int32), 0)
    assert _core.scores(examples, np.zeros((1, 0)), np.array([2.5]), 1).ravel().tolist() == [2.5] * 3


@pytest.mark.parametrize("n", [1, 2, 16, 17, 33, 49, 400])
@pytest.mark.parametrize("order", ["cyclic", "shuffle", "random"])
def test_long_rows_are_learnt_as_dense_ones_are(n, order):
    """However near the end of the pass is, from where rows are asked for some time before they are needed."""
    rng = np.random.default_rng(n)
    X = sparse.random(n, 300, 0.25, "csr", np.float64, rng, data_rvs=lambda size: rng.integers(1, 5, size))
    y = np.arange(n) % 2 if n > 1 else np.ones(1, int)
    y = [*y, 1 - y[-1]]  # two classes, whatever n is
    X = sparse.vstack([X, X[-1]]).tocsr()
    runs = [learn(rows, y, order=order, max_passes=5) for rows in (X, X.toarray())]
    assert runs[0].journal.row.tolist() == runs[1].journal.row.tolist()
    assert runs[0].journal.m.tolist() == runs[1].journal.m.tolist()


def test_rows_that_the_third_cache_does_not_hold():
    """Those are asked for a second time, soon before their turn."""
    rng = np.random.default_rng(3)
    columns = rng.integers(0, 4, (20_001, 75), np.int32) + 4 * np.arange(75, dtype=np.int32)
    values = rng.integers(1, 5, columns.size).astype(np.float64)
    X = sparse.csr_matrix((values, columns.ravel(), np.arange(0, columns.size + 1, 75)), (20_001, 300))
    y = rng.integers(0, 2, 20_001)
    runs = [learn(rows, y, order="shuffle", max_passes=2) for rows in (X, X.toarray())]
    assert runs[0].journal.row.tolist() == runs[1].journal.row.tolist()
    assert runs[0].journal.m.tolist() == runs[1].journal.m.tolist()
