"""Estimators come back as they were: the same predictions bit for bit, the same parameters, and they go on learning."""

import json

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

import rosenblatt
from rosenblatt.errors import DataError
from rosenblatt.models import load, read_model, save
from rosenblatt.models.container import read_tensors, write_tensors
from tests.models.fuzz import mutate_document
from tests.models.zoo import fresh_rows, problem

FAMILY = {
    "standard": rosenblatt.Perceptron(max_iter=2),
    "margin": rosenblatt.MarginPerceptron(margin=2.5, max_iter=2, eta0=0.5),
    "averaged": rosenblatt.AveragedPerceptron(max_iter=3, class_weight={"ham": 1.0, "spam": 2.0}),
    "voted": rosenblatt.VotedPerceptron(max_iter=2, fit_intercept=False),
    "pocket": rosenblatt.PocketPerceptron(max_iter=2, random_state=np.int64(3)),
    "stopped early": rosenblatt.AveragedPerceptron(early_stopping=True, max_iter=20),
    "started": rosenblatt.Perceptron(init=(np.arange(5.0), 1.0), max_iter=2),
    "direct": rosenblatt.Perceptron(multi_class="direct", max_iter=2),
    "rbf": rosenblatt.KernelPerceptron(max_iter=3),
    "poly voted": rosenblatt.KernelPerceptron(kernel="poly", degree=2, memory="voted", max_iter=2),
    "averaged kernel": rosenblatt.KernelPerceptron(kernel="laplacian", gamma=0.5, memory="averaged", max_iter=2),
}
pytestmark = pytest.mark.filterwarnings("ignore::rosenblatt.ConvergenceWarning")


def fitted(name, n_classes=2, kind="str", storage=np.asarray):
    X, y = problem(kind, n_classes)
    estimator = clone(FAMILY[name])
    if "class_weight" in estimator.get_params() and n_classes > 2:
        estimator.set_params(class_weight=None)
    if name == "started" and n_classes > 2:
        estimator.set_params(init="random")
    return estimator.fit(storage(X), y)


def same(a, b, X):
    assert type(a) is type(b)
    np.testing.assert_array_equal(a.decision_function(X), b.decision_function(X), strict=True)
    np.testing.assert_array_equal(a.predict(X), b.predict(X))
    assert repr(a.get_params()) == repr(b.get_params())


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("name", FAMILY)
def test_estimators_predict_the_same_after_loading(name, n_classes, tmp_path):
    estimator = fitted(name, n_classes)
    save(estimator, tmp_path / "e.safetensors")
    back = load(tmp_path / "e.safetensors")
    same(estimator, back, fresh_rows(40))
    for attribute in ("n_iter_", "n_updates_", "converged_", "n_features_in_", "stop_reason_"):
        assert getattr(back, attribute) == getattr(estimator, attribute), attribute
    np.testing.assert_array_equal(back.alpha_, estimator.alpha_)
    np.testing.assert_array_equal(back.intercept_, estimator.intercept_)


@pytest.mark.parametrize("name", [name for name in FAMILY if name != "stopped early"])
def test_learning_goes_on_where_it_stood(name, tmp_path):
    estimator = fitted(name)
    save(estimator, tmp_path / "e.safetensors")
    back = load(tmp_path / "e.safetensors")
    X, y = problem("str", 2, seed=9)
    same(estimator.partial_fit(X, y), back.partial_fit(X, y), fresh_rows(40))


@pytest.mark.parametrize("kind", ["int", "negative", "bool"])
@pytest.mark.parametrize("name", ["standard", "voted", "rbf"])
def test_labels_and_sparse_rows_come_back(name, kind, tmp_path):
    estimator = fitted(name, kind=kind, storage=sparse.csr_array)
    save(estimator, tmp_path / "e.safetensors")
    back = load(tmp_path / "e.safetensors")
    same(estimator, back, sparse.csr_array(fresh_rows(40)))
    assert back.classes_.dtype == estimator.classes_.dtype


def test_feature_names_come_back(tmp_path):
    pandas = pytest.importorskip("pandas")
    X, y = problem()
    frame = pandas.DataFrame(X, columns=list("abcde"))
    for name in ("standard", "voted", "rbf"):
        estimator = clone(FAMILY[name]).fit(frame, y)
        save(estimator, tmp_path / "e.safetensors")
        back = load(tmp_path / "e.safetensors")
        assert back.feature_names_in_.tolist() == list("abcde")
        same(estimator, back, frame)
        with pytest.raises(ValueError, match="feature names"):
            back.predict(frame[list("edcba")])


def test_the_model_alone_needs_no_estimator(tmp_path):
    estimator = fitted("rbf")
    save(estimator, tmp_path / "e.safetensors")
    saved = read_model(tmp_path / "e.safetensors")
    assert saved.estimator is None
    X = fresh_rows(20)
    np.testing.assert_array_equal(saved.model.score(X), estimator.decision_function(X))


def test_what_cannot_be_saved_says_so(tmp_path):
    from sklearn.linear_model import LogisticRegression

    X, y = problem()
    with pytest.raises(DataError, match="not fitted"):
        save(rosenblatt.Perceptron(), tmp_path / "e")
    with pytest.raises(DataError, match="LogisticRegression cannot be saved"):
        save(LogisticRegression(), tmp_path / "e")
    with pytest.raises(DataError, match=r"params\.random_state"):
        save(rosenblatt.Perceptron(random_state=np.random.RandomState(0)).fit(X, y), tmp_path / "e")
    with pytest.raises(DataError, match=r"a file cannot hold|Python function"):
        save(rosenblatt.KernelPerceptron(kernel=lambda A, B: A @ B.T).fit(X, y), tmp_path / "e")
    with pytest.raises(DataError, match="plain JSON"):
        save(fitted("standard"), tmp_path / "e.json")
    surrogate = rosenblatt.Perceptron().fit(X, np.array(["a", "\ud800"], dtype=object)[np.arange(len(X)) % 2])
    for name in ("e", "e.json"):
        with pytest.raises(DataError, match="cannot be written as JSON"):
            save(surrogate.model_, tmp_path / name)
    overflowed = surrogate.model_
    overflowed.w[0] = np.nan
    with pytest.raises(DataError, match="NaN or infinity"):
        save(overflowed, tmp_path / "e")
    assert list(tmp_path.iterdir()) == []


def changed(path, change):
    metadata, tensors = read_tensors(path)
    document = json.loads(metadata["document"])
    change(document["estimator"], tensors)
    write_tensors(path, {**metadata, "document": json.dumps(document)}, tensors)


HOSTILE = {
    "class": lambda state, tensors: state.update({"class": "os.system"}),
    "class a list": lambda state, tensors: state.update({"class": ["Perceptron"]}),
    "wrong parameter": lambda state, tensors: state["params"].update(class_weight=5),
    "parameter": lambda state, tensors: state["params"].update(evil=1),
    "attribute": lambda state, tensors: state["learned"].update(__class__=1),
    "record": lambda state, tensors: state["learned"].update(coef_={"$": "subprocess", "fields": {}}),
    "other weights": lambda state, tensors: tensors.update({"estimator.coef_": tensors["estimator.coef_"] + 1}),
    "no weights": lambda state, tensors: state["learned"].pop("coef_"),
    "a text for a number": lambda state, tensors: state["learned"].update(n_features_in_="5"),
    "stream": lambda state, tensors: state.update(stream=None),
    "huge plan": lambda state, tensors: state["stream"]["fields"]["plan"]["fields"].update(d=2**60),
    "no learners": lambda state, tensors: state["stream"]["fields"].update(learners=[]),
    "short state": lambda state, tensors: tensors.update({"estimator.stream.learners.0.w": np.zeros(1)}),
}


HOSTILE_KERNEL = {
    "steps": lambda fields: fields.update(machine_steps=["x"]),
    "passes": lambda fields: fields.update(updates_per_pass=[-1]),
    "rows": lambda fields: fields.update(n_rows=None),
    "no pass": lambda fields: fields.update(in_pass=True, updates_per_pass=[]),
    "chronicle": lambda fields: fields.update(chronicle=3),
    "places": lambda fields: fields["chronicle"]["fields"].update(places=[]),
    "many classes": lambda fields: fields["plan"]["fields"].update(n_classes=10**9),
    "rule": lambda fields: fields["plan"]["fields"].update(rule=7),
    "unit": lambda fields: fields["chronicle"]["fields"]["journals"][0]["fields"].update(unit="x"),
    "start": lambda fields: fields["chronicle"]["fields"]["journals"][0]["fields"].update(start=3),
}


@pytest.mark.parametrize("name", HOSTILE_KERNEL)
def test_hostile_states_of_kernel_machines_are_refused(name, tmp_path):
    path = tmp_path / "e.safetensors"
    save(fitted("rbf"), path)
    changed(path, lambda state, tensors: HOSTILE_KERNEL[name](state["stream"]["fields"]))
    with pytest.raises(DataError):
        load(path)


@pytest.mark.parametrize("rival", [-1, 99])
def test_a_journal_that_names_no_class_is_refused(rival, tmp_path):
    path = tmp_path / "e.safetensors"
    X, _ = problem()
    save(rosenblatt.KernelPerceptron(kernel="linear", max_iter=2).fit(X, np.arange(len(X)) % 3), path)
    wrong = "estimator.stream.chronicle.journals.0.rival"
    changed(path, lambda state, tensors: tensors.update({wrong: np.full_like(tensors[wrong], rival)}))
    with pytest.raises(DataError, match="names a class that there is not"):
        load(path)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_states_are_refused(name, tmp_path):
    path = tmp_path / "e.safetensors"
    save(fitted("standard"), path)
    changed(path, HOSTILE[name])
    with pytest.raises(DataError):
        load(path)


def test_mutated_estimators_never_crash(tmp_path):
    rng, path = np.random.default_rng(0), tmp_path / "e.safetensors"
    for name in ("standard", "voted", "rbf"):
        save(fitted(name), path)
        content = path.read_bytes()
        for _ in range(60):
            path.write_bytes(mutate_document(content, rng))
            try:
                back = load(path)
            except DataError:
                continue
            assert len(back.predict(fresh_rows(3))) == 3
