"""Calls so small that the way in costs more than the learning."""

import numpy as np
from sklearn.linear_model import Perceptron as TheirPerceptron

from benchmarks.case import Case, Job
from rosenblatt import Perceptron

TIMES = 300
X = np.array([[-2.0, 0.0], [0.0, -2.0], [-2.0, 2.0], [2.0, 2.0]])
Y = np.array([-1, -1, 1, 1])


def repeated(call) -> Job:
    def job():
        for _ in range(TIMES):
            call()

    return job


def fit_four_points(quick: bool) -> dict[str, Job]:
    return {
        "ours": repeated(lambda: Perceptron(fit_intercept=False).fit(X, Y)),
        "peer": repeated(lambda: TheirPerceptron(fit_intercept=False, max_iter=3, tol=None).fit(X, Y)),
    }


def partial_fit_one_row(quick: bool) -> dict[str, Job]:
    ours, theirs = Perceptron(), TheirPerceptron()
    for model in (ours, theirs):
        model.partial_fit(X, Y, classes=[-1, 1])
    return {
        "ours": repeated(lambda: ours.partial_fit(X[:1], Y[:1])),
        "peer": repeated(lambda: theirs.partial_fit(X[:1], Y[:1])),
    }


CASES = [
    Case("fit call on 4 points", "scikit-learn Perceptron", 3, fit_four_points),
    Case("partial_fit of one row", "scikit-learn Perceptron", 2, partial_fit_one_row),
]
