"""Exactly one kind of certificate exists, it verifies, and it never needs more than Kirchberger's number of rows."""

from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from rosenblatt import DataError, blackboard, check, max_margin, mistake_bound, verify
from rosenblatt.theory import Certificates, separability
from rosenblatt.theory.signed import signed

from .sets import decimal_set, decimal_sets, integer_set, integer_sets, separable_sets, signed_rows, touching_set


def assert_proved(X, y, bias):
    certificate = check(X, y, bias=bias)
    assert certificate.proved
    assert verify(certificate, X, y)
    if certificate.separable:
        assert certificate.gamma > 0
        assert certificate.rows is None
    else:
        assert len(certificate.rows) <= X.shape[1] + 1 + bias
        assert certificate.w is None
    return certificate


@pytest.mark.property
@settings(max_examples=200)
@given(integer_sets(), st.booleans())
def test_every_integer_set_has_one_kind_of_certificate_and_it_verifies(data, bias):
    """The check is by plain fractions, which share no code with the library."""
    certificate = assert_proved(*data, bias)
    Z = signed_rows(*data, bias)
    if certificate.separable:
        v = [Fraction(part) for part in [*certificate.w.tolist(), certificate.b][: len(Z[0])]]
        assert all(sum(p * q for p, q in zip(z, v, strict=True)) > 0 for z in Z)
    else:
        assert sum(certificate.weights) == 1
        assert min(certificate.weights) > 0
        for column in zip(*(Z[i] for i in certificate.rows), strict=True):
            assert sum(p * q for p, q in zip(column, certificate.weights, strict=True)) == 0


@pytest.mark.property
@settings(max_examples=100)
@given(decimal_sets(), st.booleans())
def test_decimals_are_proved_too(data, bias):
    """Where a float solver says "almost 0", pivots in integers decide."""
    assert_proved(*data, bias)


@pytest.mark.property
@pytest.mark.parametrize("make", [integer_set, decimal_set, touching_set])
@pytest.mark.parametrize("bias", [True, False])
def test_larger_sets_and_touching_hulls_are_proved_too(make, bias):
    rng = np.random.default_rng(17)
    for _ in range(100):
        assert_proved(*make(rng), bias)


@pytest.mark.property
@settings(max_examples=100)
@given(integer_sets(), st.booleans())
def test_a_clean_pass_comes_only_to_data_that_check_calls_separable(data, bias):
    X, y = data
    run = blackboard.learn(X.astype(int).tolist(), [1 if k else -1 for k in y], bias=bias, max_passes=60)
    assert check(X, y, bias=bias).separable or not run.converged


@pytest.mark.property
@settings(max_examples=100)
@given(st.data(), st.booleans())
def test_data_made_separable_are_called_separable(data, bias):
    assert check(*data.draw(separable_sets(bias)), bias=bias).separable


def test_dense_and_sparse_give_the_same_certificate():
    rng = np.random.default_rng(2)
    for _ in range(30):
        X, y = integer_set(rng)
        dense, thin = check(X, y), check(sparse.csr_array(X), y)
        assert dense.to_json() == thin.to_json()
        assert thin.verify(X, y)
        assert dense.verify(sparse.csr_array(X), y)


def test_xor_needs_all_four_rows_a_quarter_each():
    certificate = check([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    assert certificate.weights == (Fraction(1, 4),) * 4


@pytest.mark.parametrize(
    ("name", "labels"), [("and", [0, 0, 0, 1]), ("or", [0, 1, 1, 1]), ("nand", [1, 1, 1, 0]), ("first", [0, 0, 1, 1])]
)
def test_and_or_and_their_like_are_separable(name, labels):
    assert check([[0, 0], [0, 1], [1, 0], [1, 1]], labels).proved


def test_contradictory_rows_are_named():
    X = np.arange(40.0).reshape(20, 2)
    X[17] = X[3]
    y = np.arange(20) % 2
    y[[3, 17]] = [0, 1]
    for data in (X, X.astype(np.float32), sparse.csr_array(X)):
        certificate = check(data, y)
        assert certificate.rows.tolist() == [3, 17]
        assert "Rows 3 and 17 are equal and have opposite labels" in str(certificate)


def test_minus_zero_equals_zero():
    assert check([[0.0, 1.0], [-0.0, 1.0]], [0, 1]).found_by == "equal rows"


def test_zero_row_is_named_without_a_bias_only():
    X, y = [[1.0], [0.0], [-1.0]], [1, 1, 0]
    assert check(X, y).separable
    certificate = check(X, y, bias=False)
    assert certificate.rows.tolist() == [1]
    assert "Row 1 is zero" in str(certificate)


def test_offset_is_what_makes_the_two_points_separable():
    assert check([[9], [11]], [0, 1]).separable
    assert not check([[9], [11]], [0, 1], bias=False).separable


def test_decimals_that_miss_by_rounding_get_a_separator_in_integers():
    """0.1 + 0.2 > 0.3 in binary, by 5.6e-17: too little for any float vector, and the text says so."""
    X = [[0.1 + 0.2, 1e8], [0.3, 1e8], [0.3, 0.0], [0.1 + 0.2, 0.0]]
    y = [1, 0, 0, 1]
    certificate = check(X, y)
    assert certificate.separable
    assert certificate.proved
    assert certificate.verify(X, y)
    assert 0 < certificate.gamma < 1e-16


def test_huge_range_of_exponents_is_no_obstacle():
    X = [[1e300, 1e-300], [-1e300, 1e-300], [1e300, -1e-300], [-1e300, -1e-300]]
    assert check(X, [1, 1, 0, 0]).proved
    assert check(X, [1, 0, 0, 1]).proved


def test_more_classes_get_one_certificate_each():
    X, y = [[0], [1], [2], [3], [4], [5]], ["a", "a", "b", "b", "c", "c"]
    certificates = check(X, y)
    assert isinstance(certificates, Certificates)
    assert [certificates[label].separable for label in "abc"] == [True, False, True]
    assert certificates.separable is False
    assert certificates.proved
    assert certificates.verify(X, y)
    assert verify(certificates, X, y)
    assert "'b' against the rest" in str(certificates)


def test_time_limit_gives_an_honest_unknown():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4000, 300))
    y = (X @ rng.normal(size=300) + 0.5 * rng.normal(size=4000) > 0).astype(int)
    certificate = check(X, y, max_seconds=1e-9)
    assert certificate.separable is None
    assert not certificate.proved
    assert not certificate.verify(X, y)
    assert "Time ran out" in str(certificate)
    assert "4000 rows" in str(certificate)


def test_unknown_tells_of_the_vector_that_errs_least():
    """w = (1) gets row 2 wrong, w = (−1) the other two."""
    problem = signed([[1.0], [2.0], [1.0]], [1, 1, 0], False)
    facts = {"bias": False, "n": 3, "d": 1, "negative": 0, "positive": 1}
    for vectors in ((np.array([1.0]), np.array([-1.0])), (np.array([-1.0]), np.array([1.0]))):
        assert "1 of 3" in separability._out_of_time(problem, vectors, facts).note


def test_one_class_is_refused():
    with pytest.raises(DataError, match="needs at least 2"):
        check([[1], [2]], [1, 1])


LARGE = [[2**53, 0.5], [2**53 + 1, 0.5]]


@pytest.mark.parametrize(
    "X",
    [
        LARGE,
        np.array([[2**53], [2**53 + 1]]),
        np.array([[2**53], [2**53 + 1]], dtype=np.uint64),
        [[2**53, 2**80], [2**53 + 1, 2**80]],
        pd.DataFrame(LARGE),
        pl.DataFrame({"x": [2**53, 2**53 + 1], "z": [0.5, 0.5]}),
        sparse.csr_array(np.array([[2**53], [2**53 + 1]])),
    ],
    ids=["list", "int64", "uint64", "long", "pandas", "polars", "sparse"],
)
def test_nothing_is_proved_about_whole_numbers_that_were_rounded(X):
    """2^53 and 2^53 + 1 are one float, so as floats the rows would be equal: not separable, and proved to be so."""
    certificate = check([[1, 0.5], [2, 0.5]], [0, 1])
    for ask in (check, max_margin, mistake_bound, lambda X, y: verify(certificate, X, y)):
        with pytest.raises(DataError, match=r"row 1, column (0|'x') is 9007199254740993, .*shift or scale"):
            ask(X, [0, 1])


def test_large_whole_numbers_that_floats_hold_are_proved():
    assert check([[2**53, 0.5], [2**53 + 2, 0.5]], [0, 1]).proved
    assert check([[2**70], [-(2**70)]], [0, 1]).proved
