"""One example at a time makes the steps of one cyclic pass."""

import copy
import pickle

import numpy as np
import pytest

from rosenblatt import DataError, learn
from rosenblatt.learning import Online


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("memory", ["last", "average"])
def test_steps_equal_one_cyclic_pass(bias, memory):
    rng = np.random.default_rng(0)
    for d in (1, 2, 17, 40):
        X, y = rng.integers(-3, 4, (50, d)).astype(float), np.r_[0, 1, rng.integers(0, 2, 48)]
        outcome = learn(X, y, bias=bias, memory=memory, max_passes=1, margin=1.0, rate=0.5)
        vectors, named = (Online(bias=bias, memory=memory, margin=1.0, rate=0.5) for _ in range(2))
        rows = []
        for i, (x, label) in enumerate(zip(X, y, strict=True)):
            features = {f"f{j}": v for j, v in enumerate(x) if v}
            updated = vectors.step(x, bool(label))
            assert named.step(features, bool(label)) == updated
            rows += [i] * updated
        assert rows == outcome.journal.row.tolist()
        for online in (vectors, named):
            assert (online.n_steps, online.n_updates, online.n_mistakes) == (50, len(rows), outcome.n_mistakes)
            assert online.model.b == pytest.approx(outcome.b, abs=1e-12)
        np.testing.assert_allclose(vectors.model.w, outcome.w, atol=1e-12)
        weights = named.weights
        np.testing.assert_allclose([weights.get(f"f{j}", 0.0) for j in range(d)], outcome.w, atol=1e-12)


def test_an_integer_vector_and_a_list_work_too():
    online = Online()
    online.step(np.array([1, 2]), True)
    online.step([2.0, -1.0], -1)
    online.step((2, 1), np.True_)
    assert online.n_steps == 3
    assert online.score([1, 1]) == online.model.score([[1, 1]])[0]


def test_the_score_is_that_of_the_model():
    rng = np.random.default_rng(3)
    for memory in ("last", "average"):
        online = Online(memory=memory, rate=0.1)
        assert online.score([1, 2, 3]) == 0
        for x in rng.normal(size=(40, 3)):
            online.step(x, rng.random() < 0.5)
            assert online.score([1, 2, 3]) == online.model.score([[1, 2, 3]])[0], "to the last digit"


@pytest.mark.parametrize("empty", [{}, []])
@pytest.mark.parametrize("memory", ["last", "average"])
def test_examples_without_features_move_the_bias(memory, empty):
    """A stream of texts may begin with an empty one."""
    online, labels = Online(memory=memory), [True, False, True, True, False]
    for y in labels[:3]:
        online.step(empty, y)
        assert online.score(empty) == online.model.b
    one = {"a": 1.0} if empty == {} else [1.0]
    for y in labels[3:]:
        online.step(one, y)
    whole = learn([[0.0]] * 3 + [[1.0]] * 2, labels, memory=memory, max_passes=1)
    assert (online.model.w.tolist(), online.model.b) == (whole.w.tolist(), whole.b)
    assert online.n_updates == whole.n_updates
    assert online.score(one) == whole.model.score([[1.0]])[0]


@pytest.mark.parametrize("memory", ["last", "average"])
def test_a_pickled_learner_goes_on_where_it_stood(memory):
    rng = np.random.default_rng(4)
    rows = rng.integers(-3, 4, (60, 20)).astype(float)
    labels = rng.random(60) < 0.5
    for rename in (lambda x: x, lambda x: {f"f{j}": v for j, v in enumerate(x) if v}):
        whole, first = Online(memory=memory, margin=0.5), Online(memory=memory, margin=0.5)
        for x, y in zip(rows[:30], labels[:30], strict=True):
            assert whole.step(rename(x), y) == first.step(rename(x), y)
        for rest in (pickle.loads(pickle.dumps(first)), copy.deepcopy(first)):
            again = pickle.loads(pickle.dumps(whole))
            for x, y in zip(rows[30:], labels[30:], strict=True):
                assert again.step(rename(x), y) == rest.step(rename(x), y)
            assert rest.model.w.tolist() == again.model.w.tolist()
            assert (rest.n_steps, rest.n_updates, rest.n_mistakes) == (60, again.n_updates, again.n_mistakes)
    assert pickle.loads(pickle.dumps(Online())).n_steps == 0


def test_a_state_of_another_learner_is_refused():
    named = Online(memory="average")
    named.step({"a": 1.0, "b": 2.0}, True)
    w, b, u, ub, *counts, names = named._core.state()
    for bad in ((w, b, u[:1], ub, *counts, names), (w, b, u, ub, *counts, {"a": 0, "b": 0}),
                (w, b, u, ub, *counts, {"a": 0, "b": 7}), (w, b, u, ub, *counts, {"a": 0})):  # fmt: skip
        with pytest.raises(ValueError, match="no state of such a learner"):
            Online(memory="average")._core.restore(*bad)
    with pytest.raises(ValueError, match="seen nothing"):
        named._core.restore(w, b, u, ub, *counts, names)


@pytest.mark.parametrize("x", [5, None, "ab", 1j])
def test_what_is_no_example_is_named(x):
    with pytest.raises(ValueError, match="give a vector of numbers, or a dictionary"):
        Online().step(x, True)


@pytest.mark.parametrize("y", [float("nan"), None, "spam"])
def test_what_is_no_class_is_named(y):
    with pytest.raises(ValueError, match="give True or False"):
        Online().step([1.0], y)


def test_complex_numbers_are_refused():
    with pytest.raises(ValueError, match="complex numbers"):
        Online().step(np.array([1j, 2.0]), True)


def test_bad_examples_are_refused():
    online = Online()
    online.step({"a": 1.0}, True)
    with pytest.raises(ValueError, match="'b' is not finite"):
        online.step({"b": float("nan")}, True)
    with pytest.raises(TypeError):
        online.step({"b": "red"}, True)
    with pytest.raises(ValueError, match="named features"):
        online.step(np.ones(2), True)
    vectors = Online()
    vectors.step(np.ones(3), True)
    with pytest.raises(ValueError, match="the vector has 4 numbers; those before had 3"):
        vectors.step(np.ones(4), True)
    with pytest.raises(ValueError, match="number 1 of the vector is NaN or infinite"):
        vectors.step([1.0, float("inf"), 0.0], True)
    with pytest.raises(DataError, match="no named features"):
        _ = vectors.weights
    with pytest.raises(DataError, match="memory='vote'"):
        Online(memory="vote")


def test_nobody_can_move_the_columns():
    online = Online()
    online.step({"a": 1.0, "b": 2.0}, True)
    online._core.names["b"] = 10**12
    assert not online.step({"a": 1.0, "b": 2.0}, True)
    assert online.weights == {"a": 1.0, "b": 2.0}


def test_numbers_that_run_code_while_they_are_read():
    online = Online()
    x = {}

    class Sly:
        def __float__(self):
            x.clear()
            return 1.0

    class Slier:
        def __float__(self):
            online.step({"b": 1.0}, True)
            return 1.0

    x.update({f"f{k}": Sly() for k in range(100)})
    assert online.step(x, True)
    with pytest.raises(ValueError, match="asks for a step of the same learner"):
        online.step({"a": Slier()}, True)
    assert online.step({"c": 1.0}, False)


def test_looking_at_an_example_teaches_nothing():
    online = Online()
    assert online.score([1, 2, 3]) == 0
    assert online.score({"a": 1}) == 0
    with pytest.raises(ValueError, match="not finite"):
        online.step({"a": 1, "b": float("nan")}, True)
    assert online.step([1, 2], True)
    assert online.model.w.tolist() == [1, 2]
