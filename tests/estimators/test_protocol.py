"""The estimators among scikit-learn's other tools: pipelines, searches, calibration, frames, routing, pickles."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rosenblatt import (
    AveragedPerceptron,
    KernelPerceptron,
    MarginPerceptron,
    Perceptron,
    PocketPerceptron,
    VotedPerceptron,
)

FAMILY = [Perceptron, MarginPerceptron, AveragedPerceptron, VotedPerceptron, PocketPerceptron, KernelPerceptron]
pytestmark = pytest.mark.filterwarnings("ignore:no clean pass")
RNG = np.random.default_rng(1)
X = RNG.normal(size=(90, 3))
Y = (X @ [1.0, -2.0, 0.5] + 0.3 * RNG.normal(size=90) > 0).astype(int)


@pytest.mark.parametrize("make", FAMILY)
@pytest.mark.parametrize("K", [2, 3])
def test_a_pickle_predicts_the_same_and_a_clone_forgets(make, K):
    y = Y if K == 2 else Y + (X[:, 0] > 1)
    machine = make(max_iter=5).fit(X, y)
    again = pickle.loads(pickle.dumps(machine))
    assert again.decision_function(X).tolist() == machine.decision_function(X).tolist()
    assert again.predict(X).tolist() == machine.predict(X).tolist()
    assert not hasattr(clone(machine), "classes_")
    assert clone(machine).get_params() == machine.get_params()


@pytest.mark.parametrize("make", FAMILY)
def test_searching_a_pipeline(make):
    pipeline = make_pipeline(StandardScaler(), make(max_iter=20)).set_output(transform="pandas")
    step = make.__name__.lower()
    search = GridSearchCV(pipeline, {f"{step}__margin": [0.0, 1.0], f"{step}__eta0": [1.0, 0.1]}, cv=3)
    search.fit(pd.DataFrame(X, columns=["a", "b", "c"]), Y)
    assert search.best_score_ > 0.8
    assert search.best_estimator_[-1].feature_names_in_.tolist() == ["a", "b", "c"]


@pytest.mark.parametrize("make", FAMILY)
def test_probabilities_come_from_calibration(make):
    calibrated = CalibratedClassifierCV(make(max_iter=20), cv=3).fit(X, Y)
    probability = calibrated.predict_proba(X)
    np.testing.assert_allclose(probability.sum(axis=1), 1.0, atol=1e-12)
    assert calibrated.score(X, Y) > 0.8


@pytest.mark.parametrize("make", FAMILY)
@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_frames_bring_their_names(make, frame):
    table = frame({"a": X[:, 0], "b": X[:, 1], "c": X[:, 2]})
    machine = make(max_iter=5).fit(table, Y)
    assert machine.feature_names_in_.tolist() == ["a", "b", "c"]
    assert machine.n_features_in_ == 3
    assert machine.predict(table).tolist() == make(max_iter=5).fit(X, Y).predict(X).tolist()
    with pytest.raises(ValueError, match="feature names should match"):
        machine.predict(table[["b", "a", "c"]])
    with pytest.raises(ValueError, match="row 1, column 'b' is nan"):
        make().fit(frame({"a": [1.0, 2.0], "b": [1.0, float("nan")]}), [0, 1])


@pytest.mark.parametrize("make", FAMILY)
@pytest.mark.parametrize(
    "labels", [[0, 1], [-1, 1], ["ham", "spam"], [False, True], [2.0, 7.0], np.array(["a", "b"], dtype=object)]
)
def test_labels_of_any_kind_come_back(make, labels):
    y = np.asarray(labels)[Y]
    machine = make(max_iter=5).fit(X, y)
    assert machine.classes_.tolist() == list(labels)
    predicted = machine.predict(X)
    assert predicted.dtype == y.dtype
    assert (predicted == np.asarray(labels)[(machine.decision_function(X) >= 0).astype(int)]).all()


def test_a_score_of_zero_is_positive():
    machine = Perceptron(fit_intercept=False).fit([[1.0], [-1.0]], ["yes", "no"])
    assert machine.decision_function([[0.0]]).tolist() == [0.0]
    assert machine.predict([[0.0]]).tolist() == ["yes"]


def test_weights_are_routed():
    with sklearn.config_context(enable_metadata_routing=True):
        machine = Perceptron(max_iter=5).set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        scores = cross_val_score(machine, X, Y, cv=3, params={"sample_weight": np.ones(len(X))})
        assert len(scores) == 3
        assert Perceptron().set_partial_fit_request(classes=True, sample_weight=True)


def test_sparse_in_every_container():
    dense = Perceptron(max_iter=5).fit(X.round(), Y)
    for kind in ("csr", "csc", "dok", "lil", "bsr"):
        sparse = csr_array(X.round()).asformat(kind)
        assert Perceptron(max_iter=5).fit(sparse, Y).coef_.tolist() == dense.coef_.tolist()
        assert dense.predict(sparse).tolist() == dense.predict(X.round()).tolist()


@pytest.mark.parametrize("make", FAMILY)
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"margin": -1.0}, "'margin' parameter"),
        ({"margin": float("nan")}, "margin"),
        ({"eta0": 0.0}, "'eta0' parameter"),
        ({"eta0": -1.0}, "'eta0' parameter"),
        ({"max_iter": 0}, "'max_iter' parameter"),
        ({"max_iter": 2.5}, "'max_iter' parameter"),
        ({"shuffle": "yes"}, "'shuffle' parameter"),
        ({"multi_class": "ovo"}, "'multi_class' parameter"),
        ({"class_weight": "even"}, "'class_weight' parameter"),
        ({"class_weight": {0: 1.0, 7: 2.0}}, "class_weight"),
        ({"random_state": "seed"}, "'random_state' parameter"),
    ],
)
def test_bad_parameters_are_named(make, options, message):
    with pytest.raises(ValueError, match=message):
        make(**options).fit(X, Y)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"init": "ones"}, "'init' parameter"),
        ({"init": (np.ones(2), 0.0)}, "start has w of shape"),
        ({"init": (np.array([1.0, np.nan, 0.0]), 0.0)}, "NaN or infinity"),
        ({"init": (np.ones(3), 1.0), "fit_intercept": False}, "bias=False"),
        ({"ties": "negative"}, "'ties' parameter"),
        ({"ties": "positive", "margin": 1.0}, "ties='positive' is a rule for margin 0"),
        ({"validation_fraction": 1.0}, "'validation_fraction' parameter"),
        ({"n_iter_no_change": 0}, "'n_iter_no_change' parameter"),
        ({"n_jobs": 0}, "n_jobs"),
    ],
)
def test_bad_parameters_of_the_linear_ones_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        Perceptron(**options).fit(X, Y)


def test_ties_positive_is_for_two_classes():
    with pytest.raises(ValueError, match="two classes"):
        Perceptron(ties="positive", multi_class="direct").fit(X, Y + (X[:, 0] > 1))


@pytest.mark.parametrize("make", FAMILY)
@pytest.mark.parametrize(
    ("data", "message"),
    [
        (([[1.0], [2.0]], [1, 1]), "needs at least 2"),
        (([[1.0], [2.0]], [1, 0, 1]), "differ in length"),
        (([[1.0], [np.inf]], [1, 0]), "contains infinity: row 1, column 0"),
        (([[1.0], [2.0]], [0.5, 1.7]), "Unknown label type"),
        (([["a"], ["b"]], [1, 0]), "'a'.* is not a number"),
        ((np.ones((2, 2, 2)), [1, 0]), "dim 3"),
        (([], []), "1D array|0 sample"),
        (([[1.0], [2.0]], [[0, 1], [1, 0]]), "1d array|label type"),
    ],
)
def test_bad_data_is_named(make, data, message):
    with pytest.raises(ValueError, match=message):
        make().fit(*data)


@pytest.mark.parametrize("make", FAMILY)
@pytest.mark.parametrize(
    ("weight", "message"),
    [
        (np.ones(3), "for each of"),
        (-np.ones(90), "not negative"),
        (np.full(90, np.nan), "finite"),
        (np.zeros(90), "all weights are zero"),
        (Y.astype(float), "needs at least 2"),
    ],
)
def test_bad_weights_are_named(make, weight, message):
    with pytest.raises(ValueError, match=message):
        make().fit(X, Y, sample_weight=weight)
