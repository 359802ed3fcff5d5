"""Rows of every kind: what is computed from them does not depend on how they are stored."""

import numpy as np
import pytest
from scipy import sparse

from rosenblatt.data.arrays import as_rows


@pytest.mark.parametrize(
    "kinds", [(np.int8, np.int8), (np.uint8, np.int8), (np.int8, np.float32), (np.int16, np.int16)]
)
def test_products_are_exact_whatever_the_types(kinds):
    rng = np.random.default_rng(0)
    A, B = (rng.integers(0, 128, (7, 900)).astype(kind) for kind in kinds)
    A[0], B[0] = np.iinfo(A.dtype).max if A.dtype == np.uint8 else 127, 127
    A[0, 0] -= 1  # with bytes of 255 an odd sum beyond 2^24, which float32 does not hold
    expected = A.astype(np.int64) @ B.astype(np.int64).T
    found = as_rows(A).products(as_rows(B))
    assert found.dtype == np.float64
    assert (found == expected).all()


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("width", [50, 3000])
def test_products_of_sparse_rows_are_those_of_dense_ones(kind, index, width):
    rng = np.random.default_rng(1)
    A, B = (rng.integers(-3, 4, (n, width)) * (rng.random((n, width)) < 0.05) for n in (21, 34))
    A[3], B[5] = 0, 0
    rows = []
    for dense in (A, B):
        matrix = sparse.csr_array(dense.astype(kind))
        matrix.indices, matrix.indptr = matrix.indices.astype(index), matrix.indptr.astype(index)
        rows.append(as_rows(matrix))
    assert (rows[0].products(rows[1]) == A @ B.T).all()
    assert rows[0].take(np.arange(0)).products(rows[1]).shape == (0, 34)
    assert rows[0].products(rows[1].take(np.arange(0))).shape == (21, 0)
