"""The lecture sets have the margins they claim, and behave as their text says."""

import numpy as np
import pytest

from rosenblatt import DataError, datasets, learn

from .hull import best_margin, radius

SMALL = [name for name in datasets.NAMED if name not in ("iris", "breast_cancer", "digits")]


@pytest.mark.parametrize("name", SMALL)
def test_known_gamma_R_and_u_are_those_of_the_data(name):
    data = datasets.load(name)
    if data.R is not None:
        assert pytest.approx(radius(data.X, data.bias), rel=1e-12) == data.R
    if data.gamma is not None:
        assert data.gamma == pytest.approx(best_margin(data.X, data.y, data.bias), rel=1e-9)
        w, b = data.u
        assert np.hypot(np.linalg.norm(w), b) == pytest.approx(1, abs=1e-15)
        assert (data.y * (data.X @ w + b)).min() == pytest.approx(data.gamma, rel=1e-12)


@pytest.mark.parametrize("name", SMALL)
def test_a_run_converges_exactly_where_the_set_says_so(name):
    data = datasets.load(name)
    outcome = learn(*data, **data.settings, max_passes=300)
    assert outcome.converged == data.separable
    assert data.expect
    assert data.title in repr(data)


def test_offset_picture_needs_its_offset_and_origin_picture_does_not():
    assert not learn(*datasets.offset(), bias=False, max_passes=300).converged
    assert learn(*datasets.origin(), bias=True).converged


@pytest.mark.parametrize("n", range(1, 7))
def test_every_k_of_n_is_learnt_and_its_stated_solution_is_right(n):
    for k in range(1, n + 1):
        data = datasets.k_of_n(n, k)
        assert learn(*data, max_passes=None).converged
        assert (data.y * (data.X @ np.full(n, 2) + 1 - 2 * k) > 0).all()


def test_and_or_are_k_of_n_with_k_two_and_one():
    assert datasets.and_().y.tolist() == datasets.k_of_n(2, 2).y.tolist()
    assert datasets.or_().y.tolist() == datasets.k_of_n(2, 1).y.tolist()


def test_xor_never_has_a_clean_pass_in_any_order():
    for order in ("cyclic", "shuffle", "random", "first", "worst"):
        assert not learn(*datasets.xor(), order=order, max_passes=500).converged


def test_sets_are_read_only_values():
    with pytest.raises(ValueError, match="read-only"):
        datasets.w1().X[0, 0] = 3


def test_bad_names_and_sizes_are_named():
    with pytest.raises(DataError, match="no data set 'w9'"):
        datasets.load("w9")
    with pytest.raises(DataError, match="k=0"):
        datasets.k_of_n(3, 0)
    with pytest.raises(DataError, match="n=40"):
        datasets.k_of_n(40, 3)
    with pytest.raises(DataError, match="no class 'rose'"):
        datasets.iris().only("setosa", "rose")


def test_real_sets_come_from_scikit_learn():
    iris = datasets.iris()
    assert (iris.n, iris.d, iris.names[0]) == (150, 4, "sepal length (cm)")
    two = iris.only("setosa", "versicolor")
    assert sorted(set(two.y.tolist())) == ["setosa", "versicolor"]
    assert learn(*two).converged
    assert datasets.breast_cancer().X.shape == (569, 30)
    assert datasets.digits().X.shape == (1797, 64)
