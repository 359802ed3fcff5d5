"""A fitted estimator judged by the theory."""

import warnings

import numpy as np
import pytest

from rosenblatt import AveragedPerceptron, DataError, Perceptron


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


@pytest.mark.parametrize("y", [["a", "b"], ["a", "b", "c"]])
def test_report_of_equal_rows_with_different_labels_advises_no_kernel(y):
    X = np.array([[1.0], [1.0], [3.0]])[: len(y)]
    text = str(_fit_quietly(Perceptron(max_iter=5), X, y).report(X, y))
    assert "no function is right on both" in text
    assert "kernel" not in text
    assert "direct" not in text


def test_report_of_all_classes_together_does_not_advise_what_was_done():
    X, y = np.array([[0.0], [1.0], [2.0]]), ["a", "b", "c"]
    text = str(_fit_quietly(Perceptron(max_iter=2, multi_class="direct"), X, y).report(X, y))
    assert "all classes together may be, after more passes" in text


def _fit_quietly(model, X, y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(X, y)


def test_report_leaves_the_bound_out_where_the_theorem_does_not_hold():
    X, y = np.array([[-1, -3], [-1, 2], [0, -2], [-3, 0], [3, 1], [-2, 2]]), [0, 1] * 3
    weighted = Perceptron(class_weight={0: 0.01, 1: 1}, shuffle=False).fit(X, y)
    assert weighted.report(X, y).bound is None
    assert "steps of one size" in str(weighted.report(X, y))


def test_report_knows_the_start_that_was_used():
    X, y = np.array([[-1.0], [1.0]]), [0, 1]
    far = Perceptron(warm_start=True, shuffle=False, max_iter=5)
    _fit_quietly(far, [[9.0], [11.0]], [1, 0])
    far.max_iter = 10**6
    report = far.fit(X, y).report(X, y)
    assert report.n_updates <= report.bound.most
    drawn = Perceptron(init="random", random_state=np.random.RandomState(0), eta0=0.01, max_iter=10**5).fit(X, y)
    assert drawn.n_updates_ <= drawn.report(X, y).bound.most


def test_a_report_on_labels_that_were_never_seen_is_refused():
    machine = Perceptron().fit([[1.0], [-1.0]], ["n", "s"])
    with pytest.raises(DataError, match="label 0 is True, which is not one of the classes"):
        machine.report([[1.0], [-1.0]], [True, False])
