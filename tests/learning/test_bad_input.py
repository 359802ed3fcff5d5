"""Whatever is given, the answer is a result or a sentence that says what to do."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

import rosenblatt
from rosenblatt import DataError, learn

X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]])
Y = [0, 1, 1]


def with_value(value):
    bad = X.copy()
    bad[1, 1] = value
    return bad


def refused(match, *args, **options):
    with pytest.raises(DataError, match=match):
        learn(*args, **options)


def test_nan_and_infinity_are_named_by_row_and_column():
    refused(r"contains NaN: row 1, column 1 is nan", with_value(np.nan), Y)
    refused(r"contains infinity: row 1, column 1 is inf", with_value(np.inf), Y)
    refused(r"contains infinity: row 1, column 1 is -inf", with_value(-np.inf).astype("f4"), Y)
    refused(r"row 1, column 'weight' is nan", pd.DataFrame(with_value(np.nan), columns=["height", "weight"]), Y)
    refused(r"row 1, column 1 is nan", sparse.csr_array(with_value(np.nan)), Y)
    refused(r"row 1, column 1 is nan", np.hstack([with_value(np.nan)] * 2)[:, :2], Y)


@pytest.mark.parametrize("at", [0, 15, 16, 1023, 1024, 5000, 12345])
def test_a_lone_nan_is_found_wherever_it_hides(at):
    flat = np.zeros(12346)
    flat[at] = np.nan
    refused(rf"row {at}, column 0 ", flat.reshape(-1, 1), np.arange(12346) % 2)


def test_wrong_shapes():
    refused("1D array instead", [1.0, 2.0], [0, 1])
    refused("dim 3", np.zeros((2, 2, 2)), [0, 1])
    refused(r"0 sample\(s\)", np.zeros((0, 2)), [])
    refused(r"0 feature\(s\)", np.zeros((2, 0)), [0, 1])
    refused("3 rows, 2 labels", X, [0, 1])
    refused("1d array", X, np.zeros((3, 2)))
    refused("row 1 has 1 values, row 0 has 2", [[1, 2], [3]], [0, 1])
    refused("is empty", [], [])
    refused("row 0, column 0 is beyond the floats", [[10**400, 1], [2, 3]], [0, 1])
    refused("rule for two classes", X, ["a", "b", "c"], ties="positive", multiclass="direct")


def test_labels():
    refused(r"y has 1 class \('spam'\); a perceptron needs at least 2", X, ["spam"] * 3)
    refused("label 2 is nan", X, [0.0, 1.0, np.nan])
    refused("label 1 is None", X, np.array(["a", None, "b"], dtype=object))
    refused("y mixes int and str", X, np.array([1, "b", 2], dtype=object))
    refused("y mixes int and str", X, [1, "b", 2])
    refused("can be sorted", X, [1j, 2j, 1j])
    many = np.linspace(0, 1, 60)
    refused("60 different values in 60 rows.*looks like regression.*y > 0", many[:, None], many)
    assert learn(many[:, None], np.round(many * 4) / 4, max_passes=1).model.classes.tolist() == [0, 0.25, 0.5, 0.75, 1]


def test_what_is_masked_is_not_learnt_from():
    X = np.ma.array([[1.0, 2.0], [3.0, -999.0]], mask=[[False, False], [False, True]])
    with pytest.raises(DataError, match=r"X\[1, 1\] is masked; drop .*X\.filled"):
        learn(X, [0, 1])
    with pytest.raises(DataError, match=r"y\[1\] is masked"):
        learn(X.filled(0), np.ma.array([0, 1], mask=[False, True]))
    assert learn(np.ma.array([[1.0], [2.0]]), [0, 1]).n_updates


def test_times_that_are_none_are_no_labels():
    with pytest.raises(DataError, match="label 1 is NaT"):
        learn([[1], [2], [3]], np.array(["2020", "NaT", "2021"], dtype="datetime64[D]"))


def test_words_in_x_are_named():
    refused(r"row 0, column 1: 'red' is not a number", [[1, "red"], [2, "3"]], [0, 1])
    with pytest.raises(TypeError, match="row 1, column 0"):
        learn(np.array([[1], [{}]], dtype=object), [0, 1])
    refused("Complex data", X + 1j, Y)
    assert learn(np.array([["1", "2"], ["3", "4.5"]], dtype=object), [0, 1]).converged in (True, False)


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"rate": 0}, "rate=0 must be a finite number above 0"),
        ({"rate": -1}, "above 0"),
        ({"rate": np.nan}, "above 0"),
        ({"margin": -0.5}, "margin=-0.5 must be a finite number, 0 or more"),
        ({"margin": np.inf}, "finite"),
        ({"order": "sorted"}, "order='sorted' is unknown; choose one of 'cyclic'"),
        ({"memory": "mean"}, "memory='mean' is unknown"),
        ({"ties": "negative"}, "ties='negative' is unknown"),
        ({"ties": "positive", "margin": 1.0}, "rule for margin 0"),
        ({"multiclass": "ovo"}, "multiclass='ovo' is unknown"),
        ({"max_passes": 0}, "max_passes=0 must be a whole number"),
        ({"max_updates": 1.5}, "max_updates=1.5"),
        ({"max_seconds": 0}, "max_seconds=0"),
        ({"seed": -1}, "seed=-1"),
        ({"seed": 1.5}, "seed=1.5"),
        ({"margin": "a"}, "margin='a' must be a finite number"),
        ({"max_passes": "a"}, "max_passes='a' must be a whole number"),
        ({"max_passes": True}, "max_passes=True"),
        ({"threads": 0}, "threads=0"),
        ({"bias": "no"}, "bias='no' must be True or False"),
        ({"start": [[1, 2], 3]}, "start="),
        ({"weights": ["a", "b", "c"]}, "weights must be numbers"),
        ({"start": "ones"}, "start='ones' is unknown"),
        ({"start": [1.0]}, "start has w of shape"),
        ({"start": [1.0, 2.0, 3.0]}, "To give b, too"),
        ({"start": ([1.0, np.nan], 0.0)}, "NaN or infinity"),
        ({"start": ([1.0, 2.0], 3.0), "bias": False}, "bias=False"),
        ({"weights": [1.0, 1.0]}, "one number for each of 3 rows"),
        ({"weights": [1.0, -1.0, 1.0]}, "weight 1 is -1.0"),
        ({"weights": [0.0, 0.0, 0.0]}, "all weights are zero"),
    ],
)
def test_options_are_refused_by_value(options, match):
    refused(match, X, Y, **options)


def test_a_missing_y_is_named():
    with pytest.raises(DataError, match="y is missing"):
        rosenblatt.learn(X)


ASKED = (rosenblatt.learn, rosenblatt.check, rosenblatt.max_margin, rosenblatt.mistake_bound, rosenblatt.trace)


@pytest.mark.parametrize("ask", [*ASKED, rosenblatt.study, rosenblatt.lab])
def test_bias_is_true_or_false_everywhere(ask):
    data = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]
    for wrong in ("no", 2, 0):
        with pytest.raises(DataError, match=f"bias={wrong!r} must be True or False"):
            ask(*data, bias=wrong)
    ask(*data, bias=np.True_)


def test_huge_sparse_indices_are_refused_not_read():
    csr = sparse.csr_array(X)
    csr.indices = csr.indices.copy()
    csr.indices[0] = 2**30
    with pytest.raises(ValueError, match=r"index|indices"):
        learn(csr, Y)
    csr = sparse.csr_array(X)
    csr.indptr = np.array([0, 1, 99, 4], dtype=csr.indptr.dtype)
    with pytest.raises(ValueError, match=r"indptr|index"):
        learn(csr, Y)


@pytest.mark.parametrize("wide", [np.int32, np.int64])
def test_several_threads_see_every_index(wide):
    rows = 6_600_000  # enough for three threads
    values, starts = np.ones(rows), np.arange(rows + 1, dtype=wide)
    columns = np.zeros(rows, dtype=wide)
    for place in (0, rows // 2 - 1, rows // 2, rows - 1):
        for outside in (-1, 3):
            columns[place] = outside
            csr = sparse.csr_array((values, columns, starts), shape=(rows, 3))
            csr.has_canonical_format = True
            with pytest.raises(DataError, match=f"column index {outside} is outside 0..2"):
                learn(csr, np.arange(rows) % 2, threads=3)
            columns[place] = 0


def test_overflow_is_an_error_not_a_nan_model():
    refused("overflowed", [[1e308], [1.1e308]], [0, 1], rate=100.0, max_passes=5)
    far = [[1e200, 1e200], [1e200, -1e200], [-1e200, 0.0]]  # inf - inf is no verdict
    refused("overflowed", far, [1, 1, 0], bias=False, max_passes=50)


@pytest.mark.filterwarnings("ignore:overflow encountered", "ignore:invalid value encountered")
def test_an_average_that_overflows_is_refused_even_if_the_last_vector_is_small():
    refused("overflowed", [[1e308]] * 3 + [[-1e308]] * 3, [0, 1, 0, 1, 1, 0], memory="average", max_passes=1)
    pair = [[1.0], [-1.0], [0.5]], [0, 0, 1]
    for options in ({"eta0": 1e308}, {}):
        weights = None if options else [1e308] * 3
        with pytest.raises(DataError, match="the weights overflowed"):
            rosenblatt.KernelPerceptron(kernel="linear", max_iter=50, **options).fit(*pair, sample_weight=weights)


def test_missing_values_and_dates_of_pandas_are_named():
    missing = pd.DataFrame({"a": pd.array([1, None, 3], dtype="Int64"), "b": [1.0, 2, 3]})
    refused(r"Input X contains NaN: row 1, column 'a' is <NA>", missing, Y)
    dates = pd.DataFrame({"a": [1.0, 2, 3], "t": pd.to_datetime(["2020-01-01"] * 3)})
    refused(r"X holds dates or times \(row 0, column 't'", dates, Y)
    assert learn([[1e120, 1.0], [-1e120, 1.0]], [0, 1]).converged


def test_what_works_besides_plain_arrays(tmp_path):
    reference = learn(X, Y)
    frozen = X.copy()
    frozen.flags.writeable = False
    np.save(tmp_path / "x.npy", X)
    views = [
        frozen,
        np.load(tmp_path / "x.npy", mmap_mode="r"),
        np.hstack([X, X])[:, :2],
        np.vstack([X, X])[:3],
        np.repeat(X, 2, axis=0)[::2],
        np.asfortranarray(X),
        X[::-1][::-1],
        X.astype(">f8"),
        np.ma.MaskedArray(X),
        X.tolist(),
        tuple(map(tuple, X)),
        pd.DataFrame(X),
        pl.DataFrame(X, schema=["a", "b"]),
        X.astype(object),
        X.astype(bool) | True,
    ]
    for view in views[:-1]:
        assert (learn(view, Y).w == reference.w).all()
    learn(views[-1], Y, max_passes=2)
    for labels in (
        np.array(Y),
        pd.Series(Y),
        pl.Series(Y),
        ["ham", "spam", "spam"],
        [False, True, True],
        [[0], [1], [1]],
    ):
        assert (learn(X, labels).w == reference.w).all()
    assert learn(X, ["ham", "spam", "spam"]).model.predict(X).tolist() == ["ham", "spam", "spam"]


def test_rows_that_can_never_be_right_do_not_hang():
    zero_row = learn([[0.0], [1.0]], [0, 1], bias=False, max_passes=50)
    assert not zero_row.converged
    twins = learn([[1.0], [1.0], [2.0]], [0, 1, 1], max_passes=50)
    assert not twins.converged
    assert twins.stopped_by == "max_passes"


def test_prediction_refuses_other_columns():
    model = learn(X, Y).model
    with pytest.raises(DataError, match="3 features, but the model was trained on 2"):
        model.predict(np.zeros((1, 3)))
