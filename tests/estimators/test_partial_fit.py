"""Blocks in a row are one cyclic pass over their concatenation: updates, averages, votes; also after a pickle."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from rosenblatt import (
    AveragedPerceptron,
    DataError,
    KernelPerceptron,
    MarginPerceptron,
    Perceptron,
    PocketPerceptron,
    VotedPerceptron,
)

pytestmark = pytest.mark.filterwarnings("ignore:no clean pass")
FAMILY = [
    Perceptron,
    MarginPerceptron,
    AveragedPerceptron,
    VotedPerceptron,
    lambda **options: KernelPerceptron(kernel="linear", **options),
    lambda **options: KernelPerceptron(kernel="poly", degree=2, gamma=1.0, memory="averaged", **options),
    lambda **options: KernelPerceptron(kernel="linear", memory="voted", **options),
]


def problem(seed, K, n=40, d=3):
    rng = np.random.default_rng(seed)
    X = rng.integers(-4, 5, (n, d)).astype(float)
    y = (X @ rng.integers(-2, 3, (d, K)) + rng.integers(-1, 2, K)).argmax(axis=1)
    y[:K] = np.arange(K)
    return X, y, rng


def feed(estimator, X, y, cuts, between=lambda estimator: estimator):
    for rows in np.split(np.arange(len(X)), cuts):
        if len(rows):
            estimator = between(estimator.partial_fit(X[rows], y[rows], classes=np.unique(y)))
    return estimator


def assert_same(a, b, X, *, exact=True):
    assert a.n_updates_ == b.n_updates_
    assert a.n_mistakes_ == b.n_mistakes_
    assert a.n_iter_ == b.n_iter_
    assert a.updates_per_pass_.tolist() == b.updates_per_pass_.tolist()
    if exact:
        assert a.decision_function(X).tolist() == b.decision_function(X).tolist()
    np.testing.assert_allclose(a.decision_function(X), b.decision_function(X), rtol=1e-9, atol=1e-9)


@pytest.mark.property
@settings(max_examples=12)
@given(st.integers(0, 10**6), st.lists(st.integers(0, 40), max_size=5), st.sampled_from([2, 3]), st.booleans())
@pytest.mark.parametrize("make", FAMILY)
def test_blocks_in_a_row_equal_one_cyclic_pass(make, seed, cuts, K, direct):
    X, y, _ = problem(seed, K)
    options = {"multi_class": "direct" if direct else "ovr"}
    whole = make(shuffle=False, max_iter=1, **options).fit(X, y)
    blocks = feed(make(**options), X, y, sorted(cuts))
    assert_same(blocks, whole, X)
    assert blocks.converged_ == whole.converged_
    assert blocks.stop_reason_ == "block_end"
    if hasattr(whole, "survival_counts_"):
        counts = [np.concatenate([*e.survival_counts_], axis=None) for e in (blocks, whole)]
        assert counts[0].tolist() == counts[1].tolist()
    if hasattr(whole, "support_"):
        assert blocks.support_.tolist() == whole.support_.tolist()
        assert blocks.dual_coef_.tolist() == whole.dual_coef_.tolist()
    elif not isinstance(whole, VotedPerceptron):
        assert blocks.coef_.tolist() == whole.coef_.tolist()


@pytest.mark.parametrize("make", [*FAMILY, PocketPerceptron])
@pytest.mark.parametrize("K", [2, 3])
def test_a_pickled_estimator_goes_on_identically(make, K):
    X, y, _ = problem(1, K)
    plain = feed(make(), X, y, [10, 20, 30])
    thawed = feed(make(), X, y, [10, 20, 30], between=lambda e: pickle.loads(pickle.dumps(e)))
    assert_same(thawed, plain, X)


@pytest.mark.parametrize("make", FAMILY)
@pytest.mark.parametrize("K", [2, 3])
def test_partial_fit_after_fit_goes_on_with_memory_and_counts(make, K):
    """A fit of p cyclic passes and a block is p passes and a pass: as a stream of the same rows shows."""
    X, y, _ = problem(4, K)
    fitted = make(shuffle=False, max_iter=30).fit(X, y)
    went_on = pickle.loads(pickle.dumps(fitted)).partial_fit(X[:7], y[:7])
    rows = np.concatenate([np.tile(np.arange(len(X)), fitted.n_iter_), np.arange(7)])
    stream = make().partial_fit(X[rows], y[rows], classes=np.unique(y))
    assert went_on.n_updates_ == stream.n_updates_
    assert went_on.n_iter_ == fitted.n_iter_ + 1
    np.testing.assert_allclose(went_on.decision_function(X), stream.decision_function(X), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("make", FAMILY)
def test_a_fit_that_ended_clean_moves_again(make):
    """The clean pass is over: the next block is shown to the vector it left, mistakes and all."""
    X, y = np.array([[1.0, 2.0], [-1.0, -2.0]]), np.array([1, 0])
    machine = make(shuffle=False).fit(X, y)
    assert machine.converged_
    before = machine.n_updates_
    assert machine.partial_fit(X, 1 - y).n_updates_ > before


def test_a_clean_block_does_not_freeze_the_machine():
    X, y = np.array([[2.0], [-2.0]]), np.array([1, 0])
    machine = Perceptron().partial_fit(X, y, classes=[0, 1])
    for _ in range(3):
        machine.partial_fit(X, y)
    before = machine.n_updates_
    assert machine.partial_fit(X, 1 - y).n_updates_ > before


def test_blocks_may_be_dense_or_sparse_and_lack_classes():
    X, y, _ = problem(6, 3)
    order = np.argsort(y, kind="stable")
    X, y = X[order], y[order]
    dense, mixed = VotedPerceptron(), VotedPerceptron()
    for k, rows in enumerate(np.split(np.arange(len(X)), [5, 20, 21])):
        dense.partial_fit(X[rows], y[rows], classes=[0, 1, 2])
        mixed.partial_fit(csr_array(X[rows]) if k % 2 else X[rows].astype(np.int8), y[rows], classes=[0, 1, 2])
    assert_same(mixed, dense, X)


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.int32, np.float32, bool])
@pytest.mark.parametrize("make", FAMILY)
def test_blocks_may_be_of_any_numbers(make, dtype):
    X, y, _ = problem(6, 2)
    X = np.abs(X).astype(dtype)
    whole = make().partial_fit(X.astype(float), y, classes=[0, 1])
    assert_same(make().partial_fit(X[:9], y[:9], classes=[0, 1]).partial_fit(X[9:], y[9:]), whole, X)


def test_the_pocket_is_judged_on_the_latest_block():
    X, y, _ = problem(8, 2)
    y = np.where(np.arange(len(y)) % 7 == 0, 1 - y, y)
    pocket = feed(PocketPerceptron(), X, y, [20])
    assert pocket.score(X[20:], y[20:]) >= feed(Perceptron(), X, y, [20]).score(X[20:], y[20:])


def test_alpha_counts_the_rows_of_the_block():
    X, y, _ = problem(9, 2)
    machine = Perceptron().partial_fit(X[:10], y[:10], classes=[0, 1])
    first = machine.n_updates_
    assert machine.alpha_.shape == (10,)
    assert machine.alpha_.sum() == first
    machine.partial_fit(X[10:], y[10:])
    assert machine.alpha_.shape == (30,)
    assert machine.alpha_.sum() == machine.n_updates_ - first


def test_a_stream_holds_no_data_between_blocks():
    import gc
    import weakref

    X, y, _ = problem(2, 2)
    X = np.ascontiguousarray(X)
    there = weakref.ref(X)
    for machine in (Perceptron(), AveragedPerceptron(max_iter=3)):
        machine.partial_fit(X, y, classes=[0, 1])
        machine.fit(X, y)
    del X
    gc.collect()
    assert there() is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"early_stopping": True}, "early_stopping=True needs all"),
        ({"class_weight": "balanced"}, "balanced' needs all"),
    ],
)
def test_what_needs_all_examples_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        Perceptron(**options).partial_fit([[1.0], [2.0]], [0, 1], classes=[0, 1])


def test_classes_are_needed_once_and_then_fixed():
    with pytest.raises(ValueError, match="classes must be passed"):
        Perceptron().partial_fit([[1.0]], [0])
    with pytest.raises(ValueError, match="needs at least 2"):
        Perceptron().partial_fit([[1.0]], [0], classes=[0])
    machine = Perceptron().partial_fit([[1.0]], ["a"], classes=["a", "b"])
    with pytest.raises(ValueError, match="not one of the classes"):
        machine.partial_fit([[1.0]], ["z"])
    with pytest.raises(ValueError, match="expecting 1 features"):
        machine.partial_fit([[1.0, 2.0]], ["a"])


@pytest.mark.parametrize("make", [*FAMILY, PocketPerceptron])
def test_a_block_of_weight_zero_is_as_if_it_were_not_there(make):
    X, y, _ = problem(5, 2)
    with_it = make().partial_fit(X, y, classes=[0, 1]).partial_fit(X[:7], y[:7], sample_weight=np.zeros(7))
    assert with_it.alpha_.tolist() == [0] * 7
    with_it.partial_fit(X[20:], y[20:])
    without = make().partial_fit(X, y, classes=[0, 1]).partial_fit(X[20:], y[20:])
    assert_same(with_it, without, X)


@pytest.mark.parametrize("make", [*FAMILY, PocketPerceptron])
@pytest.mark.parametrize("K", [2, 3])
def test_a_block_of_weight_zero_after_a_fit_changes_nothing(make, K):
    X, y, _ = problem(5, K)
    machine = make(max_iter=10).fit(X, y)
    scores = machine.decision_function(X)
    machine.partial_fit(X[:7], y[:7], sample_weight=np.zeros(7))
    assert np.array_equal(machine.decision_function(X), scores)


@pytest.mark.parametrize("make", [*FAMILY, PocketPerceptron])
@pytest.mark.filterwarnings("ignore:overflow encountered", "ignore:invalid value encountered")
def test_a_block_that_overflows_is_refused_and_leaves_no_trace(make):
    X, y, _ = problem(5, 2)
    machine = make().partial_fit(X, y, classes=[0, 1])
    scores = machine.decision_function(X)
    with pytest.raises(DataError, match="the weights overflowed"):
        machine.partial_fit(X, 1 - y, sample_weight=np.full(40, 1.5e308))
    assert np.array_equal(machine.decision_function(X), scores)
    assert_same(machine.partial_fit(X, y), make().partial_fit(X, y, classes=[0, 1]).partial_fit(X, y), X)
    fresh = make()
    with pytest.raises(DataError, match="the weights overflowed"):
        fresh.partial_fit(X, y, classes=[0, 1], sample_weight=np.full(40, 1.7e308))
    with pytest.raises(NotFittedError):
        fresh.predict(X)
    assert_same(fresh.partial_fit(X, y, classes=[0, 1]), make().partial_fit(X, y, classes=[0, 1]), X)


@pytest.mark.parametrize("make", [Perceptron, AveragedPerceptron, VotedPerceptron, PocketPerceptron])
def test_a_first_block_of_weight_zero_leaves_the_start(make):
    X, y, _ = problem(5, 2)
    machine = make().partial_fit(X, y, classes=[0, 1], sample_weight=np.zeros(40))
    assert (machine.n_updates_, machine.coef_.any(), machine.predict(X).tolist()) == (0, False, [1] * 40)
    assert_same(machine.partial_fit(X, y), make().partial_fit(X, y, classes=[0, 1]), X)


def test_a_kernel_is_not_made_from_a_block_of_weight_zero():
    X, y, _ = problem(5, 2)
    machine = KernelPerceptron()
    with pytest.raises(DataError, match="all weights of the first block are zero"):
        machine.partial_fit(X, y, classes=[0, 1], sample_weight=np.zeros(40))
    assert_same(machine.partial_fit(X, y, classes=[0, 1]), KernelPerceptron().partial_fit(X, y, classes=[0, 1]), X)


def test_a_block_of_a_class_of_weight_zero_is_not_there():
    X, y, _ = problem(5, 2)
    machine = AveragedPerceptron(class_weight={0: 0, 1: 1}).partial_fit(X[y == 1], y[y == 1], classes=[0, 1])
    n_steps, coef = machine.n_steps_, machine.coef_
    machine.partial_fit(X[y == 0], y[y == 0])
    assert machine.n_steps_ == n_steps
    assert np.array_equal(machine.coef_, coef)


def test_settings_changed_between_blocks_are_refused_by_name():
    X, y = [[-2.0, 0], [0, -2], [-2, 2], [2, 2]], [0, 0, 1, 1]
    for made in (Perceptron(), KernelPerceptron(kernel="linear")):
        for name, value in {"eta0": 5.0, "margin": 3.0, "fit_intercept": False, "multi_class": "direct"}.items():
            machine = clone(made).partial_fit(X, y, classes=[0, 1])
            before = machine.n_updates_
            with pytest.raises(DataError, match=f"{name}={value!r} was set since the first block"):
                machine.set_params(**{name: value}).partial_fit(X, y)
            assert machine.n_updates_ == before


@pytest.mark.parametrize(
    ("name", "value"), [("kernel", "linear"), ("memory", "voted"), ("gamma", 2.0), ("degree", 5), ("coef0", 3.0)]
)
def test_a_kernel_changed_between_blocks_is_refused_by_name(name, value):
    X, y, _ = problem(5, 2)
    machine = KernelPerceptron(kernel="poly", gamma=1.0).partial_fit(X, y, classes=[0, 1])
    with pytest.raises(DataError, match=f"{name}={value!r} was set since the first block"):
        machine.set_params(**{name: value}).partial_fit(X, y)


def test_a_first_block_that_is_refused_leaves_nothing_behind():
    for made in (Perceptron(), KernelPerceptron()):
        with pytest.raises(ValueError, match="NaN"):
            made.partial_fit([[np.nan, 0]], [0], classes=[0, 1])
        with pytest.raises(NotFittedError):
            made.predict([[1, 0]])
        assert made.partial_fit([[1, 0, 2]], ["a"], classes=["a", "b"]).n_features_in_ == 3
    wrong_start = Perceptron(init=(np.ones(3), 0.0))
    with pytest.raises(DataError, match="start has w of shape"):
        wrong_start.partial_fit([[1, 0]], [0], classes=[0, 1])
    with pytest.raises(NotFittedError):
        wrong_start.predict([[1, 0]])
