"""Sparse rows shown in order, whose elements are asked for well ahead, are judged as the same rows kept dense."""

import numpy as np
import pytest
from scipy import sparse

from rosenblatt import learn


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("element", [np.float32, np.float64])
@pytest.mark.parametrize("n", [1, 15, 40, 300])
def test_the_journal_is_that_of_dense_rows(n, element, index):
    rng = np.random.default_rng(n)
    lengths = rng.integers(0, 101, n)  # empty rows, whole sixteens and rests; more than a thousand elements, or fewer
    lengths[-1] = 100
    X = np.zeros((n, 200), dtype=element)
    for row, length in zip(X, lengths, strict=True):
        row[rng.choice(200, length, replace=False)] = rng.integers(-9, 10, length)  # whole numbers: sums are exact
    y = rng.integers(0, 2, n)
    y[0], y[-1] = 0, 1
    thin = sparse.csr_array(X)
    thin.indices, thin.indptr = thin.indices.astype(index), thin.indptr.astype(index)
    if n == 1:
        X, thin, y = np.vstack([X, -X]), sparse.csr_array(np.vstack([X, -X])), np.array([0, 1])
    for start in ("zeros", (rng.integers(-3, 4, 200), 1.0)):
        found, expected = (learn(Z, y, start=start, max_passes=5, journal=True) for Z in (thin, X))
        assert expected.n_updates > 0
        for column in ("row", "step", "m", "tau"):
            assert getattr(found.journal, column).tolist() == getattr(expected.journal, column).tolist()
        assert found.w.tolist() == expected.w.tolist()
