"""Rows of every kind: what is computed from them does not depend on how they are stored."""

import numpy as np
import pytest

from rosenblatt.data.arrays import as_rows


@pytest.mark.parametrize(
    "kinds", [(np.int8, np.int8), (np.uint8, np.int8), (np.int8, np.float32), (np.int16, np.int16)]
)
def test_products_are_exact_whatever_the_types(kinds):
    rng = np.random.default_rng(0)
    A, B = (rng.integers(0, 128, (7, 900)).astype(kind) for kind in kinds)
    A[0], B[0] = 127, 127
    expected = A.astype(np.int64) @ B.astype(np.int64).T
    found = as_rows(A).products(as_rows(B))
    assert found.dtype == np.float64
    assert (found == expected).all()
