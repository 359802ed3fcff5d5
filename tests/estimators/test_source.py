"""Estimators learn from files: from memory where they fit, in blocks where not, with the same result in file order."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import rosenblatt as rb
from rosenblatt.data import open as open_file
from rosenblatt.errors import DataError

LINEAR = [rb.Perceptron, rb.MarginPerceptron, rb.AveragedPerceptron, rb.VotedPerceptron, rb.PocketPerceptron]


@pytest.fixture
def path(tmp_path):
    chance = np.random.default_rng(5)
    X = chance.integers(-9, 10, (200, 4))
    y = np.array(["low", "mid", "top"])[np.digitize(X @ [1, 2, -1, 0] + chance.integers(-3, 4, 200), [-8, 8])]
    made = tmp_path / "t.csv"
    rows = [",".join(map(str, row)) + f",{label}" for row, label in zip(X.tolist(), y, strict=True)]
    made.write_text("a,b,c,d,size\n" + "\n".join(rows) + "\n")
    return made


def quiet(model, *data):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(*data)


@pytest.mark.parametrize("kind", LINEAR)
@pytest.mark.parametrize(
    "options", [{}, {"class_weight": "balanced"}, {"class_weight": {"low": 2.0, "mid": 1.0, "top": 0.5}}]
)
def test_a_file_in_memory_is_fitted_like_its_arrays(path, kind, options):
    with open_file(path) as source:
        rows, y = source.read()
        a = quiet(kind(max_iter=8, **options), source)
        b = quiet(kind(max_iter=8, **options), rows.values, y)
        assert np.array_equal(a.coef_, b.coef_)
        assert np.array_equal(a.alpha_, b.alpha_)
        assert a.feature_names_in_.tolist() == ["a", "b", "c", "d"]
        assert a.n_features_in_ == 4


@pytest.mark.parametrize("options", [{}, {"class_weight": "balanced"}, {"memory": "voted", "multi_class": "direct"}])
def test_a_kernel_is_fitted_to_a_file_like_to_its_arrays(path, options):
    with open_file(path) as source:
        rows, y = source.read()
        a = quiet(rb.KernelPerceptron(max_iter=8, **options), source)
        b = quiet(rb.KernelPerceptron(max_iter=8, **options), rows.values, y)
    for name in ("dual_coef_", "intercept_", "alpha_", "support_"):
        assert np.array_equal(getattr(a, name), getattr(b, name)), name
    assert a.feature_names_in_.tolist() == ["a", "b", "c", "d"]
    assert np.array_equal(a.predict(rows), b.predict(rows.values))
    with open_file(path, block_rows=33) as cut, pytest.raises(DataError, match="200 rows are beyond the memory"):
        rb.KernelPerceptron().fit(cut)


@pytest.mark.parametrize("kind", [k for k in LINEAR if k is not rb.PocketPerceptron])
@pytest.mark.parametrize("options", [{}, {"class_weight": "balanced"}])
def test_blocks_in_file_order_are_fitted_like_the_whole(path, kind, options):
    with open_file(path) as whole, open_file(path, block_rows=33) as cut:
        a = quiet(kind(max_iter=8, shuffle=False, **options), whole)
        b = quiet(kind(max_iter=8, shuffle=False, **options), cut)
        rows, y = whole.read()
    for name in ("coef_", "intercept_", "alpha_", "updates_per_pass_"):
        assert np.array_equal(getattr(a, name), getattr(b, name)), name
    assert (a.n_iter_, a.n_updates_, a.converged_, a.stop_reason_) == (
        b.n_iter_,
        b.n_updates_,
        b.converged_,
        b.stop_reason_,
    )
    assert np.array_equal(a.decision_function(rows), b.decision_function(rows))
    if options:
        return
    block = pd.DataFrame(rows.values[:20], columns=rows.names)
    a.partial_fit(block, y[:20])
    b.partial_fit(block, y[:20])
    assert np.array_equal(a.decision_function(rows), b.decision_function(rows))


def test_shuffled_blocks_are_learnt_and_told_about(path, capsys):
    with open_file(path, block_rows=33) as cut, pytest.warns(rb.ConvergenceWarning, match="no clean pass in 3"):
        model = rb.AveragedPerceptron(max_iter=3, verbose=1).fit(cut)
    assert model.n_iter_ == 3


def test_what_needs_memory_is_refused(path):
    with open_file(path, block_rows=33) as cut:
        with pytest.raises(DataError, match="in memory"):
            rb.PocketPerceptron().fit(cut)
        with pytest.raises(DataError, match="early_stopping"):
            rb.Perceptron(early_stopping=True).fit(cut)
        with pytest.raises(DataError, match="its own weights"):
            rb.Perceptron().fit(cut, None, np.ones(200))


def test_a_warm_start_goes_on_from_the_stream(path):
    with open_file(path, block_rows=33) as cut:
        model = quiet(rb.Perceptron(max_iter=2, shuffle=False, warm_start=True), cut)
        before = model.coef_.copy()
        quiet(model, cut)
        assert not np.array_equal(before, model.coef_)


@pytest.mark.parametrize("bad", [-1.0, float("nan"), float("inf")])
def test_class_weights_are_checked_where_a_source_is_fitted(path, bad):
    for memory in ("64 MB", 1):
        with open_file(path, memory=memory) as source, pytest.raises(DataError, match="weights must be finite"):
            rb.Perceptron(class_weight={"low": bad, "mid": 1.0, "top": 1.0}).fit(source)


@pytest.mark.filterwarnings("ignore:no clean pass")
def test_balanced_classes_of_a_file_weigh_what_their_rows_do(tmp_path):
    rng = np.random.default_rng(2)
    X, y, w = rng.integers(-5, 6, (200, 3)), rng.integers(0, 2, 200), rng.integers(0, 3, 200)
    made = tmp_path / "w.csv"
    made.write_text("a,b,c,label,w\n" + "".join(f"{','.join(map(str, row))}\n" for row in np.c_[X, y, w].tolist()))
    machine = rb.Perceptron(class_weight="balanced", shuffle=False, max_iter=3)
    expected = clone(machine).fit(X, y, sample_weight=w).coef_
    for memory in ("64 MB", 1):
        with open_file(made, target="label", weight="w", memory=memory) as source:
            np.testing.assert_allclose(quiet(clone(machine), source).coef_, expected, rtol=1e-12)


def test_rows_of_a_source_bring_their_names(path):
    with open_file(path) as source:
        rows, y = source.read()
    machine = quiet(rb.Perceptron(max_iter=3), rows, y)
    assert machine.feature_names_in_.tolist() == ["a", "b", "c", "d"]
    assert machine.predict(rows).shape == (200,)
