"""What every fit reports, and each parameter's effect."""

import re
import warnings

import numpy as np
import pandas as pd
import pytest
import sklearn.exceptions
from scipy.sparse import csr_array

import rosenblatt
from rosenblatt import (
    AveragedPerceptron,
    DataError,
    KernelPerceptron,
    MarginPerceptron,
    Perceptron,
    PocketPerceptron,
    VotedPerceptron,
    blackboard,
    learn,
)
from rosenblatt.models import LinearModel

FAMILY = [Perceptron, MarginPerceptron, AveragedPerceptron, VotedPerceptron, PocketPerceptron, KernelPerceptron]
LINEAR = FAMILY[:-1]
XOR = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 1, 1, 0])


def blobs(n=60, d=4, K=2, seed=0, noise=0.0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = (X @ rng.normal(size=(d, K)) + noise * rng.normal(size=(n, K))).argmax(axis=1)
    y[:K] = np.arange(K)
    return X, y


def test_the_worked_example_of_the_lectures():
    """W2: rows (−2,0)−, (0,−2)−, (−2,2)+, (2,2)+ through the origin: 4 updates, on rows 1, 2, 3, 1; 3 passes."""
    X, y = [[-2, 0], [0, -2], [-2, 2], [2, 2]], [-1, -1, 1, 1]
    machine = Perceptron(shuffle=False, fit_intercept=False).fit(X, y)
    assert machine.coef_.tolist() == [[2.0, 4.0]]
    assert machine.intercept_.tolist() == [0.0]
    assert (machine.n_updates_, machine.n_mistakes_, machine.n_iter_) == (4, 4, 3)
    assert machine.updates_per_pass_.tolist() == [3, 1, 0]
    assert machine.alpha_.tolist() == [2, 1, 1, 0]
    assert machine.converged_
    assert machine.stop_reason_ == "clean_pass"
    listing = Perceptron(shuffle=False, fit_intercept=False, ties="positive").fit(X, y)
    assert (listing.n_updates_, listing.coef_.tolist()) == (2, [[2.0, 2.0]])


@pytest.mark.parametrize("seed", [0, 1, 2**31])
def test_random_state_is_the_seed_of_the_blackboards_shuffle(seed):
    X, y = blobs()
    run = blackboard.learn(X.tolist(), np.where(y == 1, 1, -1).tolist(), order="shuffle", seed=seed)
    machine = Perceptron(random_state=seed).fit(X, y)
    assert machine.n_updates_ == len(run.journal)
    assert [*machine.coef_[0], machine.intercept_[0]] == list(run.last)


def test_a_generator_or_none_gives_a_seed():
    X, y = blobs(noise=0.5)
    with warnings.catch_warnings(action="ignore"):
        once = Perceptron(max_iter=3, random_state=np.random.RandomState(3)).fit(X, y)
        again = Perceptron(max_iter=3, random_state=np.random.RandomState(3)).fit(X, y)
        Perceptron(max_iter=3, random_state=None).fit(X, y)
    assert once.coef_.tolist() == again.coef_.tolist()


@pytest.mark.filterwarnings("ignore:no clean pass")
@pytest.mark.parametrize("make", FAMILY)
@pytest.mark.parametrize("multi_class", ["ovr", "direct"])
def test_attributes_have_their_shapes(make, multi_class):
    for K in (2, 3):
        X, y = blobs(K=K)
        machine = make(multi_class=multi_class).fit(X, y)
        vectors = 1 if K == 2 else K
        several = K > 2 and multi_class == "ovr"
        assert machine.alpha_.shape == ((K, 60) if several else (60,))
        assert machine.alpha_.sum() == machine.n_updates_ == machine.updates_per_pass_.sum()
        assert len(machine.updates_per_pass_) == machine.n_iter_
        assert machine.intercept_.shape == (vectors,)
        assert machine.decision_function(X).shape == ((60,) if K == 2 else (60, K))
        if make is KernelPerceptron:
            assert machine.dual_coef_.shape == (vectors, len(machine.support_))
            assert machine.support_.tolist() == np.flatnonzero(np.atleast_2d(machine.alpha_).any(axis=0)).tolist()
        else:
            assert machine.coef_.shape == (vectors, 4)
        if machine.converged_ and make not in (VotedPerceptron, AveragedPerceptron):
            assert machine.score(X, y) == 1.0


@pytest.mark.parametrize("K", [2, 4])
@pytest.mark.parametrize("make", LINEAR)
def test_dense_sparse_types_and_threads_agree_on_integers(make, K):
    rng = np.random.default_rng(3)
    X = rng.integers(0, 5, (50, 6))
    y = rng.integers(0, K, 50)
    with warnings.catch_warnings(action="ignore"):
        one = make(max_iter=7).fit(X, y)
        for other in (csr_array(X.astype(float)), X.astype(np.uint8), X.astype(np.float32), np.asfortranarray(X)):
            two = make(max_iter=7, n_jobs=2).fit(other, y)
            assert two.coef_.tolist() == one.coef_.tolist()
            assert two.alpha_.tolist() == one.alpha_.tolist()
            # An average is no integer, and dense and sparse sum in different orders.
            np.testing.assert_allclose(two.decision_function(other), one.decision_function(X), rtol=0, atol=1e-11)


@pytest.mark.parametrize("make", FAMILY)
def test_weight_zero_equals_removal(make):
    X, y = blobs(noise=0.3)
    rng = np.random.default_rng(0)
    weight = rng.integers(0, 3, len(X)).astype(float)
    kept = weight > 0
    with warnings.catch_warnings(action="ignore"):
        weighted = make(max_iter=5).fit(X, y, sample_weight=weight)
        removed = make(max_iter=5).fit(X[kept], y[kept], sample_weight=weight[kept])
    assert weighted.decision_function(X).tolist() == removed.decision_function(X).tolist()
    assert weighted.alpha_[kept].tolist() == removed.alpha_.tolist()
    assert not weighted.alpha_[~kept].any()


def test_the_average_is_the_mean_of_the_votes_vectors():
    X, y = blobs(noise=0.3)
    with warnings.catch_warnings(action="ignore"):
        average = AveragedPerceptron(max_iter=5).fit(X, y)
        voted = VotedPerceptron(max_iter=5).fit(X, y)
    assert voted.survival_counts_.sum() == voted.n_iter_ * len(X)
    assert len(voted.survival_counts_) == voted.n_updates_ + 1
    run = blackboard.learn(X.tolist(), np.where(y == 1, 1, -1).tolist(), order="shuffle", max_passes=5)
    assert voted.survival_counts_.tolist() == [c for _, c in run.voters]
    np.testing.assert_allclose([*average.coef_[0], *average.intercept_], run.average, rtol=1e-9)


def test_the_pocket_is_the_best_vector_visited():
    X, y = blobs(noise=1.0)
    with warnings.catch_warnings(action="ignore"):
        pocket = PocketPerceptron(max_iter=20).fit(X, y)
    run = blackboard.learn(X.tolist(), np.where(y == 1, 1, -1).tolist(), order="shuffle", max_passes=20)
    wrong = (np.where(y == 1, 1, -1) * pocket.decision_function(X) <= 0).sum()
    assert wrong == run.pocket_errors


def test_init_can_be_random_or_given():
    X, y = blobs()
    given = Perceptron(init=(np.ones((1, 4)), [2.0]), shuffle=False).fit(X, y)
    same = learn(X, y, start=(np.ones(4), 2.0))
    assert given.coef_[0].tolist() == same.w.tolist()
    assert Perceptron(init="random").fit(X, y).coef_.tolist() == Perceptron(init="random").fit(X, y).coef_.tolist()
    with pytest.raises(ValueError, match=r"start has w of shape \(3,\)"):
        Perceptron(init=(np.ones(3), 0.0)).fit(X, y)


def test_warm_start_goes_on_from_the_last_vector():
    X, y = blobs(noise=0.5)
    with warnings.catch_warnings(action="ignore"):
        for make in LINEAR:
            warm = make(max_iter=2, shuffle=False, warm_start=True).fit(X, y)
            last = learn(X, y, margin=warm.margin, max_passes=2)
            warm.fit(X, y)
            memory = {AveragedPerceptron: "average", VotedPerceptron: "last", PocketPerceptron: "pocket"}
            again = learn(
                X,
                y,
                margin=warm.margin,
                max_passes=2,
                start=(last.last.w, last.last.b),
                memory=memory.get(make, "last"),
            )
            assert warm.coef_[0].tolist() == again.w.tolist()
    with pytest.raises(ValueError, match="same columns"):
        warm.fit(X[:, :2], y)
    with pytest.raises(ValueError, match="same classes"):
        warm.fit(X, np.array(["a", "b"])[y])


@pytest.mark.parametrize("make", LINEAR)
@pytest.mark.parametrize("K", [2, 3])
def test_early_stopping_returns_the_best_on_held_out_rows(make, K):
    X, y = blobs(n=300, K=K, noise=1.0)
    machine = make(early_stopping=True, n_iter_no_change=3, validation_fraction=0.2, max_iter=200, n_jobs=2).fit(X, y)
    assert machine.stop_reason_ == "held_out"
    assert machine.n_iter_ < 200
    aside = np.flatnonzero(~np.isin(np.arange(300), _trained_on(X, y)))
    best = machine.score(X[aside], y[aside])
    for passes in range(1, machine.n_iter_ + 1):
        with warnings.catch_warnings(action="ignore"):
            others = make(max_iter=passes).fit(np.delete(X, aside, axis=0), np.delete(y, aside))
        assert others.score(X[aside], y[aside]) <= best
    machine.set_params(early_stopping=False).partial_fit(X[:5], y[:5])  # goes on from the best


def _trained_on(X, y):
    from sklearn.model_selection import StratifiedShuffleSplit

    return next(StratifiedShuffleSplit(1, test_size=0.2, random_state=0).split(X, y))[0]


@pytest.mark.parametrize("make", FAMILY)
def test_not_converging_warns_with_numbers_and_names_the_next_tools(make):
    X, y = np.array([[1.0], [1.0]]), np.array([0, 1])
    with pytest.warns(rosenblatt.ConvergenceWarning) as ours:
        machine = make(max_iter=7).fit(X, y)
    assert issubclass(ours[0].category, sklearn.exceptions.ConvergenceWarning)
    text = str(ours[0].message)
    assert text.startswith("no clean pass in 7; ")
    about = "about " * (make in (AveragedPerceptron, VotedPerceptron, PocketPerceptron))
    assert f"; {about}{machine.updates_per_pass_[-1]} updates in the last; " in text
    assert "check(X, y)" in text
    assert "\n" not in text
    assert make.__name__ not in re.split(", | or ", text)
    assert ours[0].filename == __file__
    assert not machine.converged_
    assert machine.stop_reason_ == "max_iter"


def test_a_search_over_fits_that_need_no_clean_pass_is_told_in_few_words():
    """Python shows equal words once; the number of updates in the last pass is given by its first digit."""
    chance = np.random.default_rng(0)
    exact, told = set(), set()
    for _ in range(20):
        X, y = chance.normal(size=(300, 3)), chance.integers(0, 2, 300)
        with pytest.warns(rosenblatt.ConvergenceWarning) as given:
            updates = int(AveragedPerceptron(max_iter=5).fit(X, y).updates_per_pass_[-1])
        exact.add(updates)
        told.add(str(given[0].message))
        assert f"; about {round(updates, -2)} updates in the last; " in str(given[0].message)
    assert len(exact) > 10
    assert len(told) <= 3


@pytest.mark.parametrize(
    ("make", "memory", "content"),
    [
        (AveragedPerceptron, {}, "the average needs none"),
        (VotedPerceptron, {}, "the vote needs none"),
        (PocketPerceptron, {}, "the pocket needs none"),
        (KernelPerceptron, {"memory": "voted"}, "the vote needs none"),
        (Perceptron, {}, "try check"),
        (KernelPerceptron, {}, "try a narrower kernel"),
    ],
)
def test_what_needs_no_clean_pass_is_told_so(make, memory, content):
    with pytest.warns(rosenblatt.ConvergenceWarning, match=content):
        make(max_iter=2, **memory).fit([[1.0], [1.0]], [0, 1])


@pytest.mark.parametrize("make", FAMILY)
@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("max_itr", "max_iter"),
        ("learning_rate", "eta0"),
        ("bias", "fit_intercept"),
        ("seed", "random_state"),
        ("max_pases", "max_iter"),
    ],
)
def test_an_unknown_parameter_names_the_class_and_the_nearest(make, wrong, right):
    with pytest.raises(TypeError, match=f"^{make.__name__} has no parameter '{wrong}'; did you mean '{right}'"):
        make(**{wrong: 1})
    with pytest.raises(TypeError, match=f"^{make.__name__} has no parameter 'tol': a fit ends with a clean pass"):
        make(tol=1e-3)
    with pytest.raises(TypeError, match=f"^{make.__name__} has no parameter 'foo'; it has .*margin.*"):
        make(foo=1)
    with pytest.raises(TypeError, match=f"^{make.__name__} takes its parameters by name"):
        make(1)


def test_a_subclass_may_have_parameters_of_its_own():
    class Mine(AveragedPerceptron):
        def __init__(self, colour="red", max_iter=3):
            self.colour = colour
            super().__init__(max_iter=max_iter)

    assert Mine("blue").get_params() == {"colour": "blue", "max_iter": 3}


def test_verbose_tells_pass_and_updates_on_stderr(capsys, monkeypatch):
    from rosenblatt.estimators import watch

    monkeypatch.setattr(watch, "PERIOD", 1e-4)
    for make in (Perceptron, KernelPerceptron):
        X, y = np.tile(XOR[0], (200, 1)), np.tile(XOR[1], 200)
        options = {"kernel": "linear"} if make is KernelPerceptron else {}
        with warnings.catch_warnings(action="ignore"):
            loud = make(max_iter=2000, verbose=1, **options).fit(X, y)
            captured = capsys.readouterr()
            silent = make(max_iter=2000, **options).fit(X, y)
        assert re.match(rf"\[{make.__name__}\] pass \d+: \d+ updates so far\n", captured.err)
        assert captured.out == ""
        assert capsys.readouterr() == ("", "")
        assert loud.updates_per_pass_.tolist() == silent.updates_per_pass_.tolist()


def test_too_few_rows_to_set_some_aside():
    with pytest.raises(rosenblatt.DataError, match=r"validation_fraction=0.1 of 6 rows aside with all 2 classes"):
        Perceptron(early_stopping=True).fit([[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]], [0, 0, 0, 1, 1, 1])


def test_dates_are_no_numbers():
    with pytest.raises(rosenblatt.DataError, match="holds dates"):
        Perceptron().fit(np.array([["2020-01-01"], ["2020-01-02"]], dtype="datetime64[D]"), [0, 1])


def test_a_report_of_all_classes_together_does_not_contradict_itself():
    chance = np.random.default_rng(0)
    X = chance.normal(size=(60, 3))
    y = np.array(["a", "b", "c"])[X.argmax(axis=1)]
    machine = Perceptron(multi_class="direct", max_iter=5000).fit(X, y)
    assert machine.converged_
    said = str(machine.report(X, y))
    assert "no linear perceptron" not in said
    assert "all classes together are right on every row" in said


@pytest.mark.parametrize("early", [False, True])
def test_limits_of_updates_and_of_time(early):
    chance = np.random.default_rng(3)
    X, y = chance.normal(size=(400, 3)), np.arange(400) % 3
    common = {"early_stopping": early, "n_iter_no_change": 10**6, "max_iter": 10**6, "random_state": 1}
    with pytest.warns(rosenblatt.ConvergenceWarning):
        few = Perceptron(max_updates=50, **common).fit(X, y)
    assert (few.stop_reason_, few.n_updates_, few.converged_) == ("max_updates", 150, False)
    with pytest.warns(rosenblatt.ConvergenceWarning):
        short = Perceptron(max_seconds=0.2, **common).fit(X, y)
    assert short.stop_reason_ == "max_seconds"
    assert short.n_iter_ > 1
    with pytest.raises(ValueError, match="max_seconds"):
        Perceptron(max_seconds=0).fit(X, y)


@pytest.mark.filterwarnings("ignore:no clean pass")
def test_labels_come_out_as_they_went_in():
    X = [[1.0], [2.0], [3.0]]
    for y, expected in (
        (pd.Series([1, 2, 1], dtype="Int64"), [1, 2]),
        (pd.Series([True, False, True], dtype="boolean"), [False, True]),
        (np.array([True, False, True], dtype=object), [False, True]),
        (np.array([7, 9, 7], dtype=object), [7, 9]),
    ):
        found = Perceptron(max_iter=5).fit(X, y).classes_
        assert (found.tolist(), found.dtype.kind in "bi") == (expected, True)
    with pytest.raises(DataError, match="y mixes int and str"):
        Perceptron().fit(X, [1, 1, "a"])


def test_a_row_beyond_the_floats_is_named_instead_of_labelled():
    machine = Perceptron(shuffle=False).fit([[2.0, 1.0], [-1.0, 3.0]], ["no", "yes"])
    with pytest.raises(DataError, match="row 1 has no score"):
        machine.predict([[1, 1], [1e308, 1e308]])
    three = LinearModel(np.array([[1.0, 1.0], [3.0, -3.0], [0.0, 1.0]]), np.zeros(3), np.array(["a", "b", "c"]))
    with pytest.raises(DataError, match="row 1 has no score"):
        three.predict([[1, 1], [1e308, 1e308]])


@pytest.mark.parametrize(
    "estimator", [Perceptron, AveragedPerceptron, VotedPerceptron, PocketPerceptron, KernelPerceptron]
)
def test_a_time_limit_that_is_over_at_once(estimator):
    X, y = np.random.default_rng(0).normal(size=(3000, 5)), np.arange(3000) % 2
    with pytest.warns(rosenblatt.ConvergenceWarning):
        found = estimator(max_seconds=1e-9).fit(X, y)
    assert found.stop_reason_ == "max_seconds"
    assert set(found.predict(X[:9]).tolist()) <= {0, 1}


@pytest.mark.filterwarnings("ignore:no clean pass")
def test_a_class_of_weight_0_is_not_there():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 3)), np.arange(30) % 3
    settings = {"max_iter": 3, "random_state": 0, "multi_class": "direct"}
    by_class = Perceptron(class_weight={2: 0}, **settings).fit(X, y)
    assert by_class.n_steps_ == 60
    assert by_class.classes_.tolist() == [0, 1, 2]
    assert not by_class.alpha_[y == 2].any()
