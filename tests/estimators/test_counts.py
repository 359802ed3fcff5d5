"""Counts and claims of the estimators agree with the model they return."""

import warnings

import numpy as np
import pytest

from rosenblatt import DataError, Perceptron, VotedPerceptron


def noisy(seed, n=80):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    return X, (X[:, 0] + 0.4 * rng.normal(size=n) > 0).astype(int)


def test_steps_are_reported():
    X, y = noisy(0)
    model = Perceptron(max_iter=3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X, y)
    assert model.n_steps_ == 240
    assert model.n_updates_ <= model.n_mistakes_ <= model.n_steps_


@pytest.mark.parametrize("seed", range(12))
def test_after_early_stopping_counts_are_those_of_the_model_returned(seed):
    X, y = noisy(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = VotedPerceptron(early_stopping=True, n_iter_no_change=3, max_iter=40).fit(X, y)
    assert len(model.survival_counts_) == model.n_updates_ + 1
    assert model.updates_per_pass_.sum() == model.n_updates_
    assert model.converged_ == (model.stop_reason_ == "clean_pass")


def test_a_right_block_is_not_a_clean_pass():
    X, y = noisy(1)
    model = Perceptron(shuffle=False).partial_fit(X, y, classes=[0, 1])
    model.partial_fit(X[:1], model.predict(X[:1]))
    assert not model.converged_


@pytest.mark.parametrize("weights", [{0: -1, 1: 1}, {0: np.nan, 1: 1}, {0: 0, 1: 0}])
def test_class_weights_are_held_to_the_rules_of_sample_weights(weights):
    X, y = noisy(2)
    with pytest.raises(DataError, match="weight"):
        Perceptron(class_weight=weights).fit(X, y)


def test_a_missing_label_is_named():
    X, _ = noisy(3, n=4)
    with pytest.raises(DataError, match="label 1 is None"):
        Perceptron().fit(X, np.array(["a", None, "b", "a"], dtype=object))
