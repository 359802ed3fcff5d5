"""Boundaries: exact lines, honest captions, the user's own labels."""

import warnings

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

from rosenblatt import DataError, KernelPerceptron, Perceptron, VotedPerceptron, learn, trace
from rosenblatt.datasets import iris, w2, w3
from rosenblatt.plot import BoundaryDisplay
from rosenblatt.plot.look import COLOURS

X = np.array([[-2.0, 0.0], [0.0, -2.0], [-2.0, 2.0], [2.0, 2.0]])
LABELS = [(-1, 1), (0, 1), (99, 100), ("ham", "spam"), (False, True), (0.0, 1.0)]


def labels(low, high):
    return np.array([low, low, high, high])


@pytest.mark.parametrize(("low", "high"), LABELS)
def test_labels_of_any_kind_keep_colour_shape_and_name(low, high, ax):
    """The second class in sorted order is the positive one: a blue circle; the first a vermilion square."""
    y = labels(low, high)
    model = Perceptron(fit_intercept=False, shuffle=False).fit(X, y)
    display = BoundaryDisplay.from_estimator(model, X, y, ax=ax)
    negative, positive = display.points_
    assert to_hex(negative.get_facecolor()[0]).upper() == "#D55E00"
    assert to_hex(positive.get_facecolor()[0]).upper() == "#0072B2"
    assert negative.get_offsets().tolist() == X[:2].tolist()
    assert positive.get_offsets().tolist() == X[2:].tolist()
    assert len(negative.get_paths()[0].vertices) < len(positive.get_paths()[0].vertices)  # a square, and a circle
    names = [text.get_text() for text in display.legend_.get_texts()]
    assert names[:2] == (["+1", "−1"] if (low, high) == (-1, 1) else [str(high), str(low)])
    assert display.w.tolist() == [2.0, 4.0]
    assert not display.wrong.any()


def test_points_and_regions_share_one_palette(ax):
    y = labels("ham", "spam")
    model = Perceptron().fit(X, y)
    display = BoundaryDisplay.from_estimator(model, X, y, ax=ax, palette={"ham": "#009E73"})
    assert to_hex(display.points_[0].get_facecolor()[0]).upper() == "#009E73"
    red, green, blue, _ = display.areas_[0].get_facecolor()
    assert green > red
    assert green > blue
    with pytest.raises(DataError, match="palette names 'eggs'"):
        display.plot(ax=ax, palette={"eggs": "red"})


def test_the_line_is_the_exact_one(ax):
    display = BoundaryDisplay.from_trace(trace(*w2(), bias=False), ax=ax, xlim=(-4, 4), ylim=(-4, 4))
    assert display.line.tolist() == [[-4.0, 2.0], [4.0, -2.0]]
    assert display.line_.get_xydata().tolist() == display.line.tolist()
    assert display.level == 4.0
    assert display.margin == pytest.approx(2 / np.sqrt(5))
    assert len(display.band_) == 3  # the band and its two edges


def test_a_vertical_line(ax):
    display = BoundaryDisplay.from_trace(trace(*w2(), bias=False), k=1, ax=ax)
    assert display.w.tolist() == [2.0, 0.0]
    assert display.line[:, 0].tolist() == [0.0, 0.0]
    assert display.line[:, 1].tolist() == [display.view.bottom, display.view.top]
    assert display.wrong.tolist() == [False, True, True, False]
    assert display.rings_.get_offsets().tolist() == X[1:3].tolist()


def test_the_zero_vector_has_no_line_and_says_so(ax):
    display = BoundaryDisplay.from_trace(trace(*w2(), bias=False), k=0, ax=ax)
    assert display.line is None
    assert display.line_ is None
    assert display.areas_ == []
    assert display.wrong.all()
    assert "no boundary" in ax.get_title(loc="left")


def test_one_feature_is_a_point_on_a_line(ax):
    display = BoundaryDisplay.from_trace(trace(*w3()), ax=ax)
    w, b = learn(*w3()).w[0], learn(*w3()).b
    assert display.line[:, 0].tolist() == pytest.approx([-b / w, -b / w])
    assert list(ax.get_yticks()) == []


def ring():
    rng = np.random.default_rng(0)
    points = rng.normal(size=(60, 2))
    return points, np.where((points**2).sum(axis=1) > 1, "out", "in")


def test_a_kernel_boundary_is_a_contour_with_the_models_scores(ax):
    points, y = ring()
    model = KernelPerceptron(kernel="rbf", gamma=1.0).fit(points, y)
    display = BoundaryDisplay.from_estimator(model, points, y, ax=ax)
    grid = np.column_stack([display.xx.ravel(), display.yy.ravel()])
    np.testing.assert_allclose(display.Z.ravel(), model.decision_function(grid))
    assert display.line is None
    assert len(display.line_.get_paths()[0].vertices) > 20
    assert display.wrong.tolist() == (model.predict(points) != y).tolist()


def test_a_vote_is_drawn_as_it_predicts(ax):
    y = labels(0, 1)
    model = VotedPerceptron(shuffle=False).fit(X, y)
    display = BoundaryDisplay.from_estimator(model, X, y, ax=ax)
    at = (display.Z >= 0).ravel()
    grid = np.column_stack([display.xx.ravel(), display.yy.ravel()])
    assert (model.predict(grid) == at).all()


def test_more_features_are_held_at_their_median_and_the_caption_says_so(ax):
    data = iris()
    kept = data.y != "virginica"
    frame = pd.DataFrame(data.X[kept], columns=list(data.names))
    model = Perceptron().fit(frame, data.y[kept])
    display = BoundaryDisplay.from_estimator(
        model, frame, data.y[kept], features=("petal length (cm)", "petal width (cm)"), ax=ax
    )
    rest = np.median(data.X[kept][:, :2], axis=0)
    ends = np.column_stack([np.broadcast_to(rest, (2, 2)), display.line])
    assert np.abs(ends @ model.coef_[0] + model.intercept_[0]).max() < 1e-9
    caption = ax.get_xlabel()
    assert "petal length (cm)" in caption
    assert "at the median" in caption
    assert f"sepal length (cm) = {rest[0]:.4g}" in caption
    assert 0 < display.shown.near.sum() < kept.sum()
    assert len(set(display.points_[0].get_alpha())) == 2  # far from the slice: faint


def test_projection_along_w_shows_signed_distances(ax):
    data = iris()
    kept = data.y != "virginica"
    Z, y = data.X[kept], data.y[kept]
    model = Perceptron().fit(Z, y)
    display = BoundaryDisplay.from_estimator(model, Z, y, project="w", ax=ax)
    distance = model.decision_function(Z) / np.linalg.norm(model.coef_)
    np.testing.assert_allclose(display.shown.xy[:, 0], distance, atol=1e-12)
    np.testing.assert_allclose(display.line[:, 0], 0, atol=1e-12)
    with pytest.raises(DataError, match="needs one vector"):
        BoundaryDisplay.from_estimator(KernelPerceptron().fit(Z, y), Z, y, project="w", ax=ax)


def test_three_classes_have_three_exact_regions(ax):
    data = iris()
    with warnings.catch_warnings(action="ignore"):
        model = Perceptron(max_iter=20, multi_class="direct").fit(data.X[:, 2:], data.y)
    display = BoundaryDisplay.from_estimator(model, data.X[:, 2:], data.y, ax=ax)
    assert len(display.areas) == 3
    for k, area in enumerate(display.areas):
        if len(area):
            assert model.predict([area.mean(axis=0)])[0] == data.y[0:1].tolist()[0] or k > 0
            assert model.predict([area.mean(axis=0)])[0] == model.classes_[k]
    drawn = dict.fromkeys(to_hex(part.get_facecolor()[0]).upper() for part in display.points_)
    assert list(drawn) == list(COLOURS[:3])


@pytest.mark.parametrize("other", [LogisticRegression(), SVC()])
def test_classifiers_of_scikit_learn_can_be_drawn(other, ax):
    y = labels("a", "b")
    display = BoundaryDisplay.from_estimator(other.fit(X, y), X, y, ax=ax)
    assert (display.line is None) == isinstance(other, SVC)


def test_a_new_figure_is_made_only_when_no_axes_are_given(ax):
    run = trace(*w2(), bias=False)
    display = BoundaryDisplay.from_trace(run, ax=ax)
    assert plt.get_fignums() == []
    assert display.plot() is display
    assert len(plt.get_fignums()) == 1
    assert display.figure_ is plt.figure(plt.get_fignums()[0])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"features": (0, 0)}, "two different features"),
        ({"features": ("nose", 1)}, "no feature 'nose'"),
        ({"features": (0, 7)}, "no feature 7"),
        ({"fixed": "mode"}, "fixed='mode' is unknown"),
        ({"project": "pca"}, "project='pca' is unknown"),
        ({"xlim": (2, 1)}, "smaller, larger"),
    ],
)
def test_bad_choices_are_refused_by_name(options, message, ax):
    data = iris()
    kept = data.y != "virginica"
    model = Perceptron().fit(data.X[kept], data.y[kept])
    with pytest.raises(DataError, match=message):
        BoundaryDisplay.from_estimator(model, data.X[kept], data.y[kept], ax=ax, **options)


def test_what_cannot_be_drawn_says_so(ax):
    with pytest.raises(DataError, match="has nothing to draw"):
        BoundaryDisplay.from_estimator(object(), X, labels(0, 1), ax=ax)
    with pytest.raises(DataError, match="trained on 2"):
        BoundaryDisplay.from_outcome(learn(X, labels(0, 1)), X[:, :1], labels(0, 1), ax=ax)
