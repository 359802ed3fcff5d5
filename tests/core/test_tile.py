"""Kernel values of sparse rows, tile by tile, are those of the formula; sums are sums of them."""

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import rosenblatt._core as _core
from rosenblatt.data.arrays import as_rows
from rosenblatt.data.rows import Rows
from rosenblatt.models.kernels import Kernel, weighted_sums

VALUES = {
    "bits": lambda rng, size: np.ones(size),
    "few": lambda rng, size: rng.integers(-3, 4, size).astype(float),
    "whole": lambda rng, size: rng.integers(-127, 128, size).astype(float),
    "large": lambda rng, size: rng.integers(-(2**40), 2**40, size).astype(float),
    "halves": lambda rng, size: rng.integers(-99, 100, size) / 2,
    "any": lambda rng, size: rng.normal(size=size),
}


def thin(n, d, kind="any", seed=0, index=np.int32, dtype=np.float64) -> Rows:
    rng = np.random.default_rng(seed)
    X = sparse.random(n, d, density=0.1, format="csr", random_state=seed)
    X.data = VALUES[kind](rng, X.nnz).astype(dtype)
    X.indices, X.indptr = X.indices.astype(index), X.indptr.astype(index)
    return as_rows(X)


def copies(values, columns, d, times=70) -> Rows:
    """One row so often that its values are worth a table."""
    starts = np.arange(times + 1, dtype=np.int32) * np.int32(len(values))
    return Rows(np.tile(values, times), d, np.tile(columns.astype(np.int32), times), starts)


def by_hand(kernel: Kernel, A: Rows, B: Rows):
    a, b = A.dense(), B.dense()
    if kernel.name == "poly":
        return (kernel.gamma * (a @ b.T) + kernel.coef0) ** kernel.degree
    return np.exp(-kernel.gamma * ((a[:, None] - b[None]) ** 2).sum(axis=2))


KERNELS = [Kernel("rbf", gamma=0.05), Kernel("poly", gamma=0.5, degree=3, coef0=1.0), Kernel("poly", degree=16)]


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
@pytest.mark.parametrize("kind", ["bits", "few", "whole", "halves", "any"])
@pytest.mark.parametrize("d", [1, 2, 30, 123, 600, 1024])
def test_values_and_sums(kernel, kind, d):
    A, B = thin(70, d, kind, 1), thin(45, d, kind, 2)
    K = by_hand(kernel, A, B)
    assert A.is_thin
    assert np.allclose(kernel(A, B), K, rtol=1e-10, atol=1e-14 * np.abs(K).max())
    weights = np.random.default_rng(3).normal(size=(3, A.n))
    assert np.allclose(
        weighted_sums(kernel, weights, A, B), weights @ K, rtol=1e-10, atol=1e-12 * np.abs(weights @ K).max()
    )


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_every_kind_of_storage(index, dtype):
    A, B = thin(50, 40, "whole", 1, index, dtype), thin(300, 40, "whole", 2, index, dtype)
    assert np.allclose(KERNELS[0](A, B), by_hand(KERNELS[0], A, B))


@pytest.mark.parametrize("kind", ["bits", "few", "whole"])
def test_values_of_whole_distances_are_those_of_the_formula_to_the_last_bit(kind):
    """Distances up to 4 095 are looked up; rows made dense go through the formula."""
    A, B = thin(90, 100, kind, 1), thin(70, 100, kind, 2)
    assert A.is_thin
    assert not as_rows(A.dense()).is_thin
    assert np.array_equal(KERNELS[0](A, B), KERNELS[0](as_rows(A.dense()), as_rows(B.dense())))


@pytest.mark.parametrize("squared", [0, 1, 1023, 1024, 1025])
def test_the_largest_distance_there_can_be(squared):
    """Of opposite rows, twice as far apart as either is long; the table ends at 4 095."""
    A, B = (copies(np.full(squared, one), np.arange(squared), 1100) for one in (1.0, -1.0))
    found = _core.sparse_kernel(A.examples(), B.examples(), None, gamma=1e-3, poly=None)
    assert np.allclose(found, np.exp(-1e-3 * 4 * squared), rtol=1e-14)


@pytest.mark.parametrize("value", [30.0, -30.0])
def test_a_column_that_stands_twice_is_not_looked_up(value):
    """Its sum may be longer than the squares of its parts say."""
    A, B = copies(np.ones(1000), np.zeros(1000), 8), copies(np.array([value]), np.zeros(1), 8)
    found = _core.sparse_kernel(A.examples(), B.examples(), None, gamma=1e-3, poly=None)
    assert np.allclose(found, np.exp(-1e-3 * max(0.0, 1000 + 900 - 2000 * value)))


def test_small_whole_numbers_are_exact_at_the_limit():
    """1 024 columns of 127 sum to just below 2^24, where float32 ends."""
    d = 1024
    A = Rows(np.full(d, 127.0), d, np.arange(d, dtype=np.int32), np.array([0, d], np.int32))
    found = _core.sparse_kernel(A.examples(), A.examples(), None, gamma=1.0, poly=(0.0, 1))
    assert found.item() == d * 127.0**2


def test_large_numbers_are_not_summed_in_float32():
    A, B = thin(40, 60, "large", 1), thin(40, 60, "large", 2)
    found = _core.sparse_kernel(A.examples(), B.examples(), None, gamma=1.0, poly=(0.0, 1))
    assert np.allclose(found, A.dense() @ B.dense().T, rtol=1e-14, atol=1e9)


@settings(max_examples=60)
@given(st.integers(1, 90), st.integers(1, 90), st.integers(1, 80), st.sampled_from(sorted(VALUES)), st.integers(1, 5))
def test_threads_and_tiles_do_not_matter(n, m, d, kind, threads):
    """Each value is that of its two rows alone: whatever else is computed, and by how many."""
    A, B = thin(n, d, kind, n), thin(m, d, kind, m + 1)
    values = _core.sparse_kernel(A.examples(), B.examples(), None, gamma=0.1, threads=threads)
    assert values.shape == (n, m)
    weights = np.random.default_rng(0).normal(size=(2, n))
    sums = _core.sparse_kernel(A.examples(), B.examples(), weights, gamma=0.1, threads=threads)
    alone = _core.sparse_kernel(A.examples(), B.examples(), weights, gamma=0.1, threads=1)
    assert (sums == alone).all()
    assert np.allclose(sums, weights @ values, atol=1e-12)


def test_impossible_calls_are_refused():
    A, B = thin(5, 10), thin(5, 11)
    with pytest.raises(ValueError, match="widths"):
        _core.sparse_kernel(A.examples(), B.examples(), None, gamma=1.0)
    with pytest.raises(ValueError, match="one weight"):
        _core.sparse_kernel(A.examples(), A.examples(), np.ones((1, 6)), gamma=1.0)
    with pytest.raises(ValueError, match="sparse"):
        _core.sparse_kernel(as_rows(np.ones((5, 10))).examples(), A.examples(), None, gamma=1.0)


PROGRAM = """
import hashlib, numpy as np
from rosenblatt.models.kernels import Kernel, weighted_sums
from tests.core.test_tile import VALUES, thin
digest = hashlib.sha256()
for kind in VALUES:
    A, B = thin(80, 70, kind, 1), thin(60, 70, kind, 2)
    for kernel in (Kernel("rbf", gamma=1e-3), Kernel("poly", degree=2)):
        digest.update(kernel(A, B).tobytes())
        digest.update(weighted_sums(kernel, np.linspace(-1, 1, 160).reshape(2, 80), A, B).tobytes())
print(digest.hexdigest())
"""


def test_the_same_bits_on_every_instruction_set():
    def at(level: str) -> str:
        environment = {**os.environ, "ROSENBLATT_LEVEL": level}
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout

    assert len({at(level) for level in _core.levels()}) == 1


def test_no_vector_of_weights():
    A = thin(5, 10)
    with pytest.raises(ValueError, match="at least one vector"):
        _core.sparse_kernel(A.examples(), A.examples(), np.zeros((0, 5)), gamma=1.0)


def test_rows_that_a_tile_does_not_have_count_for_nothing():
    """Their products are 0, and a large coef0 makes infinity of that."""
    one = as_rows(sparse.csr_matrix(np.array([[1e80, 0, 0, 0, 0, 0, 0, 0, 0]])))
    values = _core.sparse_kernel(one.examples(), one.examples(), None, gamma=-1.0, poly=(1e160, 2))
    sums = _core.sparse_kernel(one.examples(), one.examples(), np.ones((1, 1)), gamma=-1.0, poly=(1e160, 2))
    assert sums == values


def test_more_threads_than_tiles():
    A, B = thin(3, 20), thin(50, 20, seed=1)
    weights = np.ones((2, 3))
    sums = [_core.sparse_kernel(A.examples(), B.examples(), weights, gamma=0.1, threads=k) for k in (1, 64)]
    assert (sums[0] == sums[1]).all()
