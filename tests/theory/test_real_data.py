"""Verdicts on public data sets, each proved, and the explanation a user would see."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_digits, load_iris

from rosenblatt import check, margin_of, max_margin, mistake_bound
from tests.shared_data import load


def proved(X, y, **options):
    certificate = check(X, y, **options)
    assert certificate.proved
    assert certificate.verify(X, y)
    return certificate


def test_breast_cancer_is_separable_with_all_thirty_features():
    X, y = load_breast_cancer(return_X_y=True)
    assert proved(X, y).separable
    best = max_margin(X, y)
    assert best.gap == 0
    assert best.gamma == pytest.approx(4.137073011e-05, rel=1e-9)
    assert mistake_bound(X, y).most > 10**16  # raw features: the theorem allows more updates than anyone can wait for


def test_iris_versicolor_and_virginica_overlap():
    X, y = load_iris(return_X_y=True)
    certificate = proved(X[y > 0], y[y > 0])
    assert certificate.separable is False
    assert len(certificate.rows) <= 6
    three = check(X, y)
    assert [three[k].separable for k in range(3)] == [True, False, False]


def test_digits_one_against_the_rest():
    X, y = load_digits(return_X_y=True)
    certificates = proved(X, y)
    assert [certificates[k].separable for k in range(10)] == [True] * 8 + [False] * 2
    assert all(len(certificates[k].rows) <= 66 for k in (8, 9))


def test_sonar_is_separable_although_passes_do_not_show_it():
    data = load("sonar")
    X, y = data["X_train"], data["y_train"]
    certificate = proved(X, y)
    assert certificate.separable
    assert certificate.found_by == "nearest point"  # 1000 passes were not enough
    best = max_margin(X, y)
    assert best.gamma == pytest.approx(0.001079313387, rel=1e-9)
    assert margin_of(best.w, best.b, X, y) == pytest.approx(best.gamma, rel=1e-9)


@pytest.mark.parametrize(
    ("name", "separable", "found_by"),
    [
        ("mushrooms", True, "perceptron"),
        ("spambase", False, "equal rows"),
        ("phishing", False, "equal rows"),
        ("w8a", False, "equal rows"),
        ("a9a", False, "equal rows"),
        ("magic", False, "nearest point"),
        ("banknote_authentication", False, "nearest point"),
    ],
)
def test_verdicts(name, separable, found_by):
    data = load(name)
    certificate = proved(data["X_train"], data["y_train"])
    assert (certificate.separable, certificate.found_by) == (separable, found_by)


def test_contradictory_rows_of_a9a_are_named():
    data = load("a9a")
    certificate = check(data["X_train"], data["y_train"])
    assert certificate.rows.tolist() == [87, 435]
    first, second = (data["X_train"][[i]].toarray() for i in certificate.rows)
    assert np.array_equal(first, second)


@pytest.mark.slow
def test_mnist_zero_against_one():
    data = load("mnist")
    chosen = data["y_train"] < 2
    X, y = data["X_train"][chosen], data["y_train"][chosen]
    assert proved(X, y).separable
    best = max_margin(X, y)
    assert best.gap == 0
    assert best.gamma == pytest.approx(92.85742585, rel=1e-9)


@pytest.mark.slow
def test_covtype_binary_is_not_separable():
    data = load("covtype.binary")
    certificate = proved(data["X_train"], data["y_train"])
    assert certificate.separable is False
    assert len(certificate.rows) <= 56
