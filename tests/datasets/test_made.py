"""Made data have the margin and the radius that were asked for."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import DataError, learn
from rosenblatt.datasets import make_noisy, make_separable

from .hull import best_margin, radius


@pytest.mark.property
@settings(max_examples=150)
@given(
    n=st.integers(2, 40),
    d=st.integers(1, 8),
    share=st.floats(0.01, 1.0),
    R=st.floats(1.1, 20),
    seed=st.integers(0, 2**32),
    bias=st.booleans(),
)
def test_best_margin_is_gamma_and_largest_norm_is_R(n, d, share, R, seed, bias):
    gamma = share * np.sqrt(R * R - 1) if bias else share * R
    data = make_separable(n, d, gamma=gamma, R=R, seed=seed, bias=bias)
    assert sorted(set(data.y.tolist())) == [-1, 1]
    assert radius(data.X, bias) == pytest.approx(R, rel=1e-12)
    w, b = data.u
    assert (data.y * (data.X @ w + b)).min() == pytest.approx(gamma, rel=1e-9)
    # nothing does better: the hull of the rows is no further from the origin (nnls is good to about 1e-8)
    assert best_margin(data.X, data.y, bias) == pytest.approx(gamma, rel=1e-6)


def test_the_perceptron_keeps_its_promise_on_made_data():
    for seed in range(10):
        for bias in (False, True):
            data = make_separable(100, 5, gamma=0.2, R=2.0, seed=seed, bias=bias)
            outcome = learn(*data, **data.settings, max_passes=None)
            assert outcome.converged
            assert outcome.n_updates <= data.bound


def test_same_seed_same_data():
    a, b = (make_separable(30, 4, gamma=0.3, seed=9) for _ in range(2))
    assert (a.X == b.X).all()
    assert (a.y == b.y).all()
    assert (make_separable(30, 4, gamma=0.3, seed=10).X != a.X).any()


def test_noisy_data_turn_over_the_labels_they_name():
    data = make_noisy(200, 3, gamma=0.05, flip=0.15, seed=2)
    w, b = data.u
    wrong = np.flatnonzero(data.y * (data.X @ w + b) <= 0)
    assert wrong.tolist() == data.flipped.tolist()
    assert len(wrong) == 30


def test_impossible_wishes_are_refused_with_the_limit():
    with pytest.raises(DataError, match=r"at most 1, the most that R=1 allows"):
        make_separable(10, 2, gamma=2.0)
    with pytest.raises(DataError, match="R=1 must be finite and above 1"):
        make_separable(10, 2, gamma=0.1, R=1, bias=True)
    with pytest.raises(DataError, match=r"flip=0\.7"):
        make_noisy(10, 2, flip=0.7)
    with pytest.raises(DataError, match="n=1"):
        make_separable(1, 2, gamma=0.1)
