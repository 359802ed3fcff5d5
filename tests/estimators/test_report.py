"""A fitted estimator judged by the theory."""

import warnings

import numpy as np

from rosenblatt import AveragedPerceptron, Perceptron


def test_report_puts_the_count_beside_the_bound():
    """W3: x = 9 (−), x = 11 (+) takes 202 updates of at most 12 322."""
    X, y = np.array([[9.0], [11.0]]), [0, 1]
    report = Perceptron(shuffle=False).fit(X, y).report(X, y)
    assert (report.n_updates, report.bound.most, report.certificate.proved) == (202, 12322, True)
    assert "202 updates, of at most 12322" in str(report)
    assert "standardise" in str(report)


def test_report_of_data_that_cannot_be_separated_names_what_to_try():
    X, y = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), ["no", "yes", "yes", "no"]
    model = AveragedPerceptron(max_iter=1)
    report = _fit_quietly(model, X, y).report(X, y)
    assert report.bound is None
    assert "kernel" in str(report)


def test_report_of_many_classes_has_a_verdict_for_each():
    X, y = np.array([[0.0], [1.0], [2.0]]), ["a", "b", "c"]
    text = str(_fit_quietly(Perceptron(max_iter=5), X, y).report(X, y))
    assert "'b' against the rest: not separable" in text


def _fit_quietly(model, X, y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(X, y)
