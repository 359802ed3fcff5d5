"""Calls so small that the way in costs more than the learning."""

import numpy as np
from sklearn.linear_model import Perceptron as TheirPerceptron

from benchmarks.case import Case, Job, Pair, Setting
from rosenblatt import Perceptron
from rosenblatt.learning import Online

TIMES = 300
X = np.array([[-2.0, 0.0], [0.0, -2.0], [-2.0, 2.0], [2.0, 2.0]])
Y = np.array([-1, -1, 1, 1])


def repeated(call) -> Job:
    def job():
        for _ in range(TIMES):
            call()

    return job


def fit_four_points(setting: Setting) -> Pair:
    return Pair(
        repeated(lambda: Perceptron(fit_intercept=False).fit(X, Y)),
        repeated(lambda: TheirPerceptron(fit_intercept=False, max_iter=3, tol=None).fit(X, Y)),
    )


def partial_fit_one_row(setting: Setting) -> Pair:
    ours, theirs = Perceptron(), TheirPerceptron()
    for model in (ours, theirs):
        model.partial_fit(X, Y, classes=[-1, 1])
    return Pair(repeated(lambda: ours.partial_fit(X[:1], Y[:1])), repeated(lambda: theirs.partial_fit(X[:1], Y[:1])))


def online_steps(setting: Setting) -> Pair:
    """One dictionary of 28 named features after another."""
    from river.linear_model import Perceptron as RiverPerceptron

    rng = np.random.default_rng(0)
    rows = [dict(zip([f"f{j}" for j in range(28)], x.tolist(), strict=True)) for x in rng.normal(size=(2000, 28))]
    labels = [bool(v) for v in rng.integers(0, 2, 2000)]

    def ours():
        online = Online()
        for x, y in zip(rows, labels, strict=True):
            online.step(x, y)

    def theirs():
        model = RiverPerceptron()
        for x, y in zip(rows, labels, strict=True):
            model.learn_one(x, y)

    return Pair(ours, theirs)


CASES = [
    Case("fit call on 4 points", "scikit-learn Perceptron", 3, fit_four_points),
    Case("partial_fit of one row", "scikit-learn Perceptron", 2, partial_fit_one_row),
    Case("one online step of 28 named features", "River learn_one", 2, online_steps),
]
