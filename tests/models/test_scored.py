"""What follows from scores: m, the zero-one error, and the line of a vector in the plane."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt import DataError, KernelPerceptron, learn
from rosenblatt.models import Line, LinearModel
from rosenblatt.models.line import line_of
from rosenblatt.models.scored import LEAST_POSITIVE
from tests.models.zoo import fresh_rows, models

TWO = np.array(["ham", "spam"])


def test_a_score_of_zero_is_predicted_positive_and_the_next_number_below_is_not():
    model = LinearModel(np.array([1.0]), 0.0, TWO)
    assert LEAST_POSITIVE == 0
    assert model.predict([[0.0], [-0.0], [-5e-324]]).tolist() == ["spam", "spam", "ham"]


def test_a_tie_is_an_error_for_either_class():
    model = LinearModel(np.array([1.0]), 0.0, TWO)
    assert model.zero_one_error([[0], [0], [2], [-2]], ["ham", "spam", "spam", "spam"]) == 0.75


def test_of_classes_with_equal_scores_the_first_is_predicted():
    assert LinearModel(np.zeros((3, 1)), np.array([0.0, 1.0, 1.0]), np.array([0, 1, 2])).predict([[5]]).tolist() == [1]


def test_a_tie_of_the_two_best_classes_is_an_error():
    model = LinearModel(np.eye(3), np.zeros(3), np.array([0, 1, 2]))
    assert model.zero_one_error([[1, 1, 0], [1, 1, 0], [0, 1, 2]], [0, 1, 2]) == pytest.approx(2 / 3)


@pytest.mark.parametrize("name", models())
def test_the_error_of_every_model_is_the_share_predicted_wrong_and_the_ties(name):
    model, X = models()[name], fresh_rows(60)
    y = np.random.default_rng(0).choice(model.classes, len(X))
    scores = model.score(X)
    best = np.sort(scores, axis=1) if scores.ndim == 2 else np.column_stack([-abs(scores), abs(scores)])
    tied = best[:, -1] == best[:, -2]
    assert model.zero_one_error(X, y) == ((model.predict(X) != y) | (tied & (model.predict(X) == y))).mean()


def test_the_pocket_keeps_the_error_that_the_model_reports():
    rng = np.random.default_rng(1)
    X, y = rng.integers(-2, 3, (40, 2)), rng.integers(0, 2, 40)
    outcome = learn(X, y, memory="pocket", max_passes=10)
    assert outcome.model.zero_one_error(X, y) == outcome.pocket_errors[0] / 40


def test_a_fitted_kernel_reports_its_error_through_its_model():
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    assert KernelPerceptron(kernel="poly", degree=2).fit(X, y).model_.zero_one_error(X, y) == 0


def test_a_strange_label_is_named():
    with pytest.raises(DataError, match=r"label 1 is 'eggs'.*\['ham', 'spam'\]"):
        LinearModel(np.array([1.0]), 0.0, TWO).zero_one_error([[1], [2]], ["spam", "eggs"])


@pytest.mark.property
@given(*[st.integers(-1000, 1000)] * 4)
def test_the_line_is_where_the_score_is_zero(w1, w2, b, x1):
    line = line_of(np.array([w1, w2], dtype=float), float(b))
    if line is None:
        assert w1 == w2 == 0
    elif line.slope is None:
        assert (w2, w1 * line.intercept) == (0, pytest.approx(-b))
    else:
        x2 = line.slope * x1 + line.intercept
        assert w1 * x1 + w2 * x2 + b == pytest.approx(0, abs=1e-9 * (abs(w1 * x1) + abs(b)))  # two roundings of x2


@pytest.mark.parametrize(
    ("w", "b", "line", "text"),
    [
        ([2, 4], -8, Line(-0.5, 2), "x2 = -0.5 x1 + 2"),
        ([1, 1], 3, Line(-1, -3), "x2 = -1 x1 - 3"),
        ([0, 2], 0, Line(0, 0), "x2 = 0 x1 + 0"),
        ([-2, 0], 3, Line(None, 1.5), "x1 = 1.5"),
        ([1e300, 1e-300], -2e300, Line(None, 2), "x1 = 2"),
    ],
)
def test_lines_are_written_as_on_paper(w, b, line, text):
    found = LinearModel(np.array(w, dtype=float), float(b), TWO).line()
    assert (found, str(found)) == (line, text)


@pytest.mark.parametrize(("w", "b"), [(np.ones(3), 0.0), (np.ones((3, 2)), np.zeros(3))])
def test_only_the_plane_has_a_line(w, b):
    with pytest.raises(DataError, match="one line only for 2 features and 2 classes"):
        LinearModel(w, b, np.arange(max(2, len(w)))).line()
