"""Scores by limbs, relations by lifting and pivots in integers agree with plain fractions."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse

from rosenblatt.theory import exact
from rosenblatt.theory.lifting import relation
from rosenblatt.theory.pivoting import decide_exactly
from rosenblatt.theory.signed import signed


def random_numbers(rng, shape):
    kind = rng.integers(4)
    if kind == 0:
        return rng.integers(-3, 4, shape).astype(float)
    if kind == 1:
        return np.round(rng.normal(size=shape), 1)
    if kind == 2:
        return rng.normal(size=shape) * 10.0 ** rng.integers(-8, 9, shape)
    return rng.normal(size=shape) * 10.0 ** rng.choice([-310.0, -200.0, 0.0, 200.0], shape)  # subnormal to huge


@pytest.mark.property
@pytest.mark.parametrize("bias", [True, False])
def test_products_by_limbs_have_the_sign_and_value_of_fractions(bias, monkeypatch):
    monkeypatch.setattr(exact, "BLOCK", 8)  # several blocks even here
    rng = np.random.default_rng(1)
    for _ in range(60):
        n, d = int(rng.integers(2, 9)), int(rng.integers(1, 5))
        X, v = random_numbers(rng, (n, d)), random_numbers(rng, d + bias)
        y = np.r_[0, 1, rng.integers(0, 2, n - 2)]
        Z = np.column_stack([X, np.ones(n)]) if bias else X
        for data in (X, sparse.csr_array(X)):
            problem = signed(data, y, bias)
            with np.errstate(over="ignore"):
                found = exact.exact_products(problem, v)
            for i in range(n):
                true = int(problem.sign[i]) * sum(Fraction(p) * Fraction(q) for p, q in zip(Z[i], v, strict=True))
                assert found.sign[i] == (true > 0) - (true < 0)
                if 1e-290 < true < 1e300:
                    assert abs(Fraction(float(found.value[i])) / true - 1) < 1e-14  # one rounding per limb


def test_integer_types_are_read_as_they_are():
    for kind in (np.uint8, np.int8, np.int16, np.int32, np.float32):
        problem = signed(np.array([[100, 1], [2, 3]], dtype=kind), [1, 0], True)
        assert exact.exact_products(problem, np.array([1.0, -100.0, 0.5])).value.tolist() == [0.5, 297.5]


@pytest.mark.property
@pytest.mark.parametrize(("k", "D", "largest"), [(5, 4, 5), (12, 11, 2**50), (30, 40, 100), (60, 59, 2**60)])
def test_relation_is_found_and_is_one(k, D, largest):
    rng = np.random.default_rng(k)
    for _ in range(3):
        Z = np.array(rng.integers(-largest, largest, (k, D)), dtype=object)
        if k <= D:
            Z[-1] = sum(int(c) * Z[i] for i, c in enumerate(rng.integers(-9, 10, k - 1)))
        c = relation(Z)
        assert any(c)
        assert not (np.array(c, dtype=object) @ Z).any()


def test_independent_rows_have_no_relation():
    assert relation(np.array([[1, 0, 0], [1, 1, 0]], dtype=object)) is None


def test_prime_that_divides_everything_does_not_mislead():
    p = 2147483629
    assert relation(np.array([[p, 0], [0, 1]], dtype=object)) is None
    assert relation(np.array([[p], [p * p]], dtype=object)) == [-p, 1]


@pytest.mark.property
def test_pivots_decide_every_small_system():
    rng = np.random.default_rng(6)
    seen = set()
    for _ in range(300):
        n, D = int(rng.integers(1, 9)), int(rng.integers(1, 5))
        Z = np.array(rng.integers(-2, 3, (n, D)), dtype=object)
        v, c = decide_exactly(Z)
        seen.add(v is None)
        if v is not None:
            assert all(sum(p * q for p, q in zip(z, v, strict=True)) >= 1 for z in Z)
        else:
            assert min(c) >= 0
            assert any(c)
            assert sum(part > 0 for part in c) <= D + 1
            assert not (np.array(c, dtype=object) @ Z).any()
    assert seen == {True, False}
