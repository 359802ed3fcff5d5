"""The nearest point: its optimality condition, in narrow and wide spaces, and the factorisation underneath."""

import numpy as np
import pytest
from scipy import sparse

from rosenblatt import check, max_margin
from rosenblatt.theory import separability
from rosenblatt.theory.nearest import nearest, power_scale
from rosenblatt.theory.qr import QR
from rosenblatt.theory.signed import signed


@pytest.mark.property
def test_nearest_point_is_nearer_than_any_other():
    """Gilbert's condition z·p >= ‖p‖² for all rows, with p a convex combination of the rows it names."""
    rng = np.random.default_rng(0)
    for _ in range(25):
        n, d = int(rng.integers(5, 600)), int(rng.integers(1, 20))
        X = rng.normal(size=(n, d)) + 0.5
        y = np.arange(n) % 2
        problem = signed(X, y, True)
        found = nearest(problem, np.ones(problem.D))
        assert found.weights.min() > 0
        assert found.weights.sum() == pytest.approx(1)
        assert len(found.rows) <= d + 2
        np.testing.assert_allclose(found.weights @ problem.matrix(found.rows), found.p, atol=1e-12)
        pp = found.p @ found.p
        assert (problem.products(found.p) >= pp - 1e-10 * max(pp, 1e-3)).all()  # rounding of a few hundred terms
        assert (found.end == "zero") == (not check(X, y).separable)


@pytest.mark.property
def test_rows_join_and_leave_the_factorisation_without_a_trace():
    rng = np.random.default_rng(1)
    Z = rng.normal(size=(200, 150))
    factor = QR(Z)
    assert factor.start([0])
    for step in range(400):
        if len(factor.members) > 100 or (step % 3 == 2 and len(factor.members) > 2):
            factor.drop([int(rng.integers(len(factor.members)))])
        else:
            factor.add(int(rng.choice(np.setdiff1d(np.arange(200), factor.members))))
    fresh = QR(Z)
    assert fresh.start(factor.members)
    np.testing.assert_allclose(factor.weights(), fresh.weights(), atol=1e-12)


def test_dependent_rows_are_noticed():
    factor = QR(np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5], [3.0, 3.0]]))
    assert factor.start([0, 1])
    assert not factor.add(2)
    assert not factor.start([0, 1, 2, 3])


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_wide_spaces_are_worked_on_through_inner_products(kind):
    """More columns than four times the rows: the same point, the same verdicts, the same proofs."""
    rng = np.random.default_rng(2)
    X = rng.integers(-4, 5, (40, 400)).astype(float) * (rng.random((40, 400)) < 0.2)
    y = np.arange(40) % 2
    data = sparse.csr_array(X) if kind == "sparse" else X
    wide = max_margin(data, y)
    assert wide.gap == 0
    narrow = max_margin(np.linalg.qr(np.column_stack([X, np.ones(40)]).T)[1].T, y, bias=False)  # turned into 40 columns
    assert wide.gamma == pytest.approx(narrow.gamma, rel=1e-12)
    X[1] = X[0] + X[2] - X[3]  # a mean of rows 1 and 3 is a mean of rows 0 and 2
    data = sparse.csr_array(X) if kind == "sparse" else X
    certificate = check(data, y)
    assert certificate.rows.tolist() == [0, 1, 2, 3]
    assert certificate.proved
    assert certificate.verify(data, y)


def test_scaling_by_powers_of_two_is_exact_and_tames_the_features():
    X = np.array([[1e-9, 1e12], [3e-9, 5e12], [0.0, 7e12]])
    scale = power_scale(signed(X, [0, 1, 1], True))
    assert (np.frexp(scale)[0] == 0.5).all()
    scaled = X * scale[:2]
    assert ((scaled**2).mean(axis=0) < 2).all()
    assert ((scaled**2).mean(axis=0) > 0.5).all()


@pytest.mark.parametrize("separable", [True, False])
def test_what_is_not_confirmed_exactly_is_called_numerical(separable, monkeypatch):
    """Take the exact confirmations away: the verdict stays, the word "proved" goes."""
    monkeypatch.setattr(separability, "margin_proved", lambda problem, v: None)
    monkeypatch.setattr(separability, "witness", lambda *arguments: None)
    monkeypatch.setattr(separability, "by_pivots", lambda *arguments: (None, None))
    certificate = check([[0.0], [1.0], [2.0]], [0, 1, 1] if separable else [0, 1, 0])
    assert certificate.separable is separable
    assert not certificate.proved
    assert str(certificate).startswith("Numerically " + ("separable" if separable else "not separable"))
