"""Where the semantics agree, scikit-learn's own perceptron and averaged SGD find the same weights as ours."""

import numpy as np
import pytest
from sklearn import linear_model

from rosenblatt import AveragedPerceptron, MarginPerceptron, Perceptron

pytestmark = pytest.mark.filterwarnings("ignore:no clean pass", "ignore:Maximum number")


def problem(seed, K=2):
    rng = np.random.default_rng(seed)
    X = rng.integers(-9, 10, (80, 4)).astype(float)
    y = (X @ rng.integers(-2, 3, (4, K)) + rng.integers(-3, 4, K) + rng.normal(0, 3, (80, K))).argmax(axis=1)
    y[:K] = np.arange(K)
    return X, y


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("K", [2, 4])
def test_the_perceptrons_weights_are_scikit_learns(K, fit_intercept):
    for seed in range(10):
        X, y = problem(seed, K)
        options = {"shuffle": False, "fit_intercept": fit_intercept, "max_iter": 5, "eta0": 0.5}
        theirs = linear_model.Perceptron(tol=None, **options).fit(X, y)
        ours = Perceptron(**options).fit(X, y)
        assert ours.coef_.tolist() == theirs.coef_.tolist()
        assert ours.intercept_.tolist() == theirs.intercept_.tolist()
        assert ours.predict(X).tolist() == theirs.predict(X).tolist() or (ours.decision_function(X) == 0).any()


@pytest.mark.parametrize("K", [2, 3])
def test_the_average_is_that_of_averaged_sgd(K):
    for seed in range(10):
        X, y = problem(seed, K)
        theirs = linear_model.SGDClassifier(
            loss="perceptron",
            penalty=None,
            alpha=1e-9,
            average=True,
            eta0=1.0,
            learning_rate="constant",
            shuffle=False,
            tol=None,
            max_iter=4,
        ).fit(X, y)
        ours = AveragedPerceptron(shuffle=False, max_iter=4).fit(X, y)
        assert not ours.converged_  # at a clean pass ours would stop, theirs go on averaging
        np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-9, atol=1e-9)  # sums in another order
        np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-9, atol=1e-9)


def test_sample_and_class_weights_scale_the_step_as_theirs_do():
    rng = np.random.default_rng(5)
    X, y = problem(3)
    weight = rng.integers(1, 4, len(X)).astype(float)
    options = {"shuffle": False, "max_iter": 3, "class_weight": {0: 2.0, 1: 0.5}}
    theirs = linear_model.Perceptron(tol=None, **options).fit(X, y, sample_weight=weight)
    ours = Perceptron(**options).fit(X, y, sample_weight=weight)
    assert ours.coef_.tolist() == theirs.coef_.tolist()
    balanced = Perceptron(shuffle=False, max_iter=3, class_weight="balanced").fit(X, y)
    by_hand = {k: len(y) / (2 * (y == k).sum()) for k in (0, 1)}
    assert (
        balanced.coef_.tolist() == Perceptron(shuffle=False, max_iter=3, class_weight=by_hand).fit(X, y).coef_.tolist()
    )


def test_a_margin_of_one_is_the_hinge_loss():
    """Hinge loss with a constant rate updates iff m <= 1, as the margin perceptron does with margin 1."""
    X, y = problem(7)
    theirs = linear_model.SGDClassifier(
        loss="hinge", penalty=None, eta0=1.0, learning_rate="constant", shuffle=False, tol=None, max_iter=3
    ).fit(X, y)
    ours = MarginPerceptron(shuffle=False, max_iter=3).fit(X, y)
    # Theirs leaves m = 1 alone, so the weights agree where no margin is exactly 1.
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-9, atol=1e-9)
