"""The largest margin is the largest: exact on integers, equal to brute force, and above every other separator's."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, sparse

from rosenblatt import DataError, learn, margin_of, max_margin
from rosenblatt.theory import margin as room

from .sets import separable_set, separable_sets, signed_rows


@pytest.mark.property
@settings(max_examples=100)
@given(st.data(), st.booleans())
def test_exact_optimum_satisfies_its_optimality_conditions_in_fractions(data, bias):
    """v = (w, b)/gamma: z·v >= 1 everywhere, = 1 on the touching rows, and v is a combination of those: no better one."""
    X, y = data.draw(separable_sets(bias))
    best = max_margin(X, y, bias=bias)
    assert best.gap == 0
    Z = signed_rows(X, y, bias)
    products = [sum(p * q for p, q in zip(z, best.exact_vector, strict=True)) for z in Z]
    assert min(products) == 1
    assert [i for i, m in enumerate(products) if m == 1] == best.rows.tolist()
    assert set(best.support.tolist()) <= set(best.rows.tolist())
    assert sum(part * part for part in best.exact_vector) == 1 / best.exact_square
    assert best.gamma**2 == pytest.approx(float(best.exact_square), rel=1e-15)
    unit = best.weights @ np.array([Z[i] for i in best.support], dtype=float) / best.gamma
    np.testing.assert_allclose(unit, [*best.w, best.b][: len(unit)], atol=1e-12)  # the float copies
    assert margin_of(best.w, best.b, X, y) == pytest.approx(best.gamma, rel=1e-12)
    assert pytest.approx(math.sqrt(max(sum(p * p for p in z) for z in Z)), rel=1e-15) == best.R


@pytest.mark.property
@settings(max_examples=60)
@given(st.data(), st.booleans(), st.integers(0, 99))
def test_no_perceptron_has_a_larger_margin(data, bias, seed):
    X, y = data.draw(separable_sets(bias))
    run = learn(X, y, bias=bias, order="shuffle", seed=seed, margin=1.0, max_passes=100_000, journal=False)
    assert 0 < margin_of(run.w, run.b, X, y) <= max_margin(X, y, bias=bias).gamma * (1 + 1e-12)


@pytest.mark.property
def test_agrees_with_a_quadratic_programme():
    rng = np.random.default_rng(12)
    for _ in range(10):
        X, y = separable_set(rng, True)
        Z = np.column_stack([X, np.ones(len(X))]) * np.where(y, 1, -1)[:, None]
        solved = optimize.minimize(
            lambda v: v @ v / 2,
            max_margin(X, y).w.sum() + np.ones(Z.shape[1]),
            jac=lambda v: v,
            constraints={"type": "ineq", "fun": lambda v, Z=Z: Z @ v - 1, "jac": lambda v, Z=Z: Z},
            method="SLSQP",
            options={"ftol": 1e-14, "maxiter": 1000},
        )
        if solved.success:
            assert max_margin(X, y).gamma == pytest.approx(1 / np.linalg.norm(solved.x), rel=1e-5)  # SLSQP's accuracy


def test_worked_examples():
    one = max_margin([[1, 2], [-1, 2], [0, -1]], [1, 0, 0], bias=False)
    assert (one.exact_square, one.R**2) == (Fraction(1, 10), pytest.approx(5))
    two = max_margin([[-2, 0], [0, -2], [-2, 2], [2, 2]], [0, 0, 1, 1], bias=False)
    assert (two.exact_square, two.R**2) == (Fraction(4, 5), pytest.approx(8))
    three = max_margin([[9], [11]], [0, 1])
    assert three.exact_square == Fraction(1, 101)
    assert three.space == "(x, 1)"
    assert "in the space of (x, 1); 2 rows touch" in str(three)


@pytest.mark.property
def test_floats_alone_reach_the_promised_accuracy(monkeypatch):
    """With many support rows the integers are left out; the gap that is reported must then be true and small."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        X, y = separable_set(rng, True)
        exact = max_margin(X, y)
        monkeypatch.setattr(room, "EXACT_SUPPORT", 0)
        rough = max_margin(X, y)
        monkeypatch.undo()
        assert rough.exact_square is None
        assert rough.gap <= 1e-9
        assert rough.gamma == pytest.approx(exact.gamma, rel=1e-9)
        assert set(exact.rows.tolist()) <= set(rough.rows.tolist())


def test_dense_sparse_and_small_types_agree():
    rng = np.random.default_rng(3)
    X, y = separable_set(rng, True)
    squares = {max_margin(data, y).exact_square for data in (X, sparse.csr_array(X), X.astype(np.int8), X.tolist())}
    assert len(squares) == 1


def test_badly_scaled_data_lose_no_digits():
    """Multiplying a feature by 2^-30 and another by 2^10 keeps the rows exact; the optimum stays exact too."""
    rng = np.random.default_rng(3)
    for _ in range(10):
        X, y = separable_set(rng, True)
        X = X * np.array([2.0**-30, *[2.0**10] * (X.shape[1] - 1)])
        best = max_margin(X, y)
        assert best.gap == 0
        assert margin_of(best.w, best.b, X, y) > 0


@pytest.mark.parametrize("scale", [1e-310, 1e-200, 1e155, 1e200, 1e300])
def test_rows_whose_squares_leave_the_floats_keep_their_exact_margin(scale):
    """x = s (−) and 2s (+): v = (2/s, −3) has m = 1 on both rows, so 1/gamma² = 4/s² + 9; through the origin w2 gives 1/2."""
    best = max_margin([[scale], [2 * scale]], [0, 1])
    assert (best.exact_square, best.rows.tolist()) == (1 / (4 / Fraction(scale) ** 2 + 9), [0, 1])
    corners = np.array([[1.0, 1.0], [-1.0, -1.0], [-3.0, -1.0]]) * scale
    best = max_margin(corners, [1, 0, 0], bias=False)
    assert (best.exact_square, best.rows.tolist()) == (2 * Fraction(scale) ** 2, [0, 1])
    assert pytest.approx(math.sqrt(10) * scale, rel=1e-4) == best.R  # 1e-310 has few digits


def test_the_radius_is_that_of_the_largest_row_among_many_whose_squares_overflow():
    X = np.r_[np.full(1500, -1e200), 1e200, 3e200][:, None]
    assert max_margin(X, np.r_[np.zeros(1500), 1, 1], bias=False).R == 3e200


def test_without_a_margin_the_error_carries_the_proof():
    with pytest.raises(DataError, match=r"not separable(.|\n)*1/4 of row 0"):
        max_margin([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])


def test_vector_that_does_not_separate_has_margin_minus_infinity():
    X, y = [[1, 0], [0, 1], [-1, -1]], [1, 1, 0]
    assert margin_of([0, 0], 0, X, y) == -math.inf
    assert margin_of([1, 0], 0, X, y) == -math.inf  # row 1 lies on the boundary
    assert margin_of([3, 4], 0, X, y) == pytest.approx(0.6)


def test_three_classes_are_asked_for_one_against_the_rest():
    with pytest.raises(DataError, match="one class against the rest"):
        max_margin([[1], [2], [3]], [0, 1, 2])


@pytest.mark.parametrize(("w", "b"), [([1, 2], 0), ([math.nan], 0)])
def test_vectors_of_the_wrong_kind_are_refused(w, b):
    with pytest.raises(DataError):
        margin_of(w, b, [[1], [2]], [0, 1])
