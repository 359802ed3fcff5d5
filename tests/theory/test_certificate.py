"""A certificate survives the trip through JSON, and a falsified one is rejected."""

import dataclasses
import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import DataError, check, verify
from rosenblatt.datasets import xor
from rosenblatt.theory import Certificate, Certificates

from .sets import decimal_set, decimal_sets, integer_set, integer_sets


def falsify(certificate, X, y, rng):
    """Change one number of the proof; return what was changed, or None where the change proves the same."""
    kind = rng.integers(3)
    if certificate.separable:
        if kind == 0:  # a weight of the separator
            if X.shape[1] == 1 and not certificate.bias:
                return None  # on the line, through the origin, w and 2w are the same separator
            w = certificate.w.copy()
            w[rng.integers(len(w))] += float(rng.integers(1, 5)) * (1 + np.abs(w).max())
            return dataclasses.replace(certificate, w=w), X, y
        if kind == 1:  # a larger margin than there is
            return (
                dataclasses.replace(certificate, gamma=certificate.gamma * (1 + 10.0 ** -int(rng.integers(1, 10)))),
                X,
                y,
            )
        flipped = y.copy()
        flipped[rng.integers(len(y))] ^= 1
        return (certificate, X, flipped) if len(set(flipped.tolist())) == 2 else None
    at = int(rng.integers(len(certificate.rows)))
    if kind == 0:
        weights = list(certificate.weights)
        weights[at] += Fraction(1, int(rng.integers(2, 10**9)))
        return dataclasses.replace(certificate, weights=tuple(weights)), X, y
    if kind == 1:
        rows = certificate.rows.copy()
        rows[at] = other = int(rng.integers(len(X)))
        same = np.array_equal(X[other], X[certificate.rows[at]]) and y[other] == y[certificate.rows[at]]
        return None if same else (dataclasses.replace(certificate, rows=rows), X, y)
    flipped = y.copy()
    flipped[certificate.rows[at]] ^= 1
    moot = not certificate.bias and not X[certificate.rows[at]].any()  # a zero row through the origin has no side
    return (certificate, X, flipped) if len(set(flipped.tolist())) == 2 and not moot else None


@pytest.mark.property
@pytest.mark.parametrize("make", [integer_set, decimal_set])
@pytest.mark.parametrize("bias", [True, False])
def test_a_thousand_falsified_certificates_are_rejected(make, bias):
    """250 in each of the four cases: a weight changed, a row swapped, a label flipped, a margin inflated."""
    rng = np.random.default_rng([3, bias])
    done = 0
    while done < 250:
        X, y = make(rng)
        certificate = check(X, y, bias=bias)
        if certificate.integers:
            continue  # its float vector is not the proof
        false = falsify(certificate, X, y, rng)
        if false is not None:
            assert not verify(*false), (certificate, X.tolist(), y.tolist())
            done += 1


@pytest.mark.property
@settings(max_examples=60)
@given(st.one_of(integer_sets(), decimal_sets()), st.booleans())
def test_json_round_trip_is_the_identity(data, bias):
    certificate = check(*data, bias=bias)
    again = Certificate.from_json(certificate.to_json())
    assert again.to_json() == certificate.to_json()
    assert again.verify(*data)
    assert str(again) == str(certificate)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([b"no", b"yes"], r"label b'no' is of type bytes"),
        (
            np.array(["2024-01-01", "2024-01-02"], dtype="datetime64[D]"),
            r"label datetime.date\(2024, 1, 1\) is of type date",
        ),
    ],
)
def test_labels_that_json_cannot_hold_are_named(labels, message):
    with pytest.raises(DataError, match=message + ".*text, numbers or booleans"):
        check([[1], [2]], labels).to_json()


def test_json_names_its_format_and_writes_weights_as_fractions():
    data = json.loads(check([[0, 0], [0, 1], [1, 0], [1, 1]], ["no", "yes", "yes", "no"]).to_json())
    assert (data["format"], data["version"]) == ("rosenblatt-certificate", 1)
    assert data["weights"] == ["1/4"] * 4
    assert (data["negative"], data["positive"]) == ("no", "yes")


def test_json_of_several_classes():
    X, y = [[0], [1], [2]], ["a", "b", "c"]
    certificates = check(X, y)
    again = Certificates.from_json(certificates.to_json())
    assert list(again) == ["a", "b", "c"]
    assert again.verify(X, y)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON"),
        ('{"format": "soup"}', "format is 'soup'"),
        ('{"format": "rosenblatt-certificate", "version": 2}', "version 2"),
    ],
)
def test_foreign_json_is_refused_with_reason(text, message):
    with pytest.raises(DataError, match=message):
        Certificate.from_json(text)


@pytest.mark.parametrize(
    ("name", "value"), [("gamma", "x"), ("proved", 1), ("n", None), ("weights", ["1/0"]), ("w", "a")]
)
def test_a_damaged_certificate_is_named(name, value):
    told = json.loads(check(*xor()).to_json())
    with pytest.raises(DataError, match="the certificate is damaged"):
        Certificate.from_json(json.dumps(told | {name: value}))


def test_weights_too_long_for_decimals_are_written_in_hexadecimal():
    long = Fraction(1, 3**4000)
    certificate = Certificate(False, False, True, 2, 1, 0, 1, rows=np.array([0, 1]), weights=(long, 1 - long))
    assert Certificate.from_json(certificate.to_json()).weights == certificate.weights


def test_certificate_of_other_data_is_rejected():
    certificate = check([[0], [1], [2]], [0, 1, 0])
    assert not certificate.verify([[0], [1], [2], [3]], [0, 1, 0, 0])
    assert not certificate.verify([[0], [1], [2]], ["a", "b", "a"])
    for other in (-1, 2):  # the positive label is there, but not against 0
        assert not certificate.verify([[0], [1], [2]], [other, 1, other])


def test_malformed_proofs_are_rejected_not_raised():
    X, y = [[-2.0, 0.0], [2.0, 2.0]], [0, 1]
    good = check(X, y)
    for w in (np.array([np.nan, 1.0]), np.array([1.0]), np.zeros(2), None):
        assert not verify(dataclasses.replace(good, w=w, b=0.0), X, y)
    through = check(X, y, bias=False)
    assert verify(through, X, y)
    assert not verify(dataclasses.replace(through, b=1.0), X, y)
    bad = check([[1], [1]], [0, 1])
    half = Fraction(1, 2)
    for rows, weights in (([0], (half, half)), ([0, 0], (half, half)), ([0, 2], (half, half)), ([0, 1], (half, -half))):
        assert not verify(dataclasses.replace(bad, rows=np.array(rows), weights=weights), [[1], [1]], [0, 1])


def test_a_weight_of_zero_is_no_part_of_a_witness():
    X, y = [[1], [1], [5]], [0, 1, 1]
    padded = (Fraction(1, 2), Fraction(1, 2), Fraction(0))
    assert not verify(dataclasses.replace(check(X, y), rows=np.array([0, 1, 2]), weights=padded), X, y)


def test_a_separator_in_integers_is_held_to_its_margin_and_to_every_row():
    """(w, b) = (2, −3) has m = 1 on both points; (1, −1) has 0 on the first, and 0 is no margin."""
    X, y = [[1], [2]], [0, 1]
    good = dataclasses.replace(check(X, y), integers=(2, -3), gamma=1 / 13**0.5)
    assert verify(good, X, y)
    assert not verify(dataclasses.replace(good, gamma=1.001 * good.gamma), X, y)
    assert not verify(dataclasses.replace(good, integers=(1, -1), gamma=0.0), X, y)
    assert not verify(dataclasses.replace(good, integers=(2, -3, 0)), X, y)


def test_explanation_reads_like_a_blackboard():
    text = str(check([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]))
    assert text.startswith("Not separable, proved: 1 against 0 (4 rows, 2 features), by a hyperplane.")
    assert "1/4 of row 0, 1/4 of row 1, 1/4 of row 2 and 1/4 of row 3" in text
    assert "no pass is ever clean" in text
    assert "kernel" in text
    text = str(check([[-2, 0], [2, 2]], ["no", "yes"]))
    assert "Separable, proved: 'yes' against 'no'" in text
    assert "mistake_bound" in text


def test_verify_asks_for_a_certificate():
    with pytest.raises(DataError, match=r"verify needs a Certificate, not a str.*read_certificate"):
        verify("proof.json", [[1], [2]], [0, 1])


@pytest.mark.parametrize(
    ("X", "kept"),
    [([[-0.4, -0.2], [0.2, -0.4], [-0.1, -0.3]], True), ([[1.0, 0.8], [1.6, 1.6], [1.3, 1.2]], False)],
    ids=["in integers", "in floats"],
)
def test_a_separator_that_only_exact_arithmetic_finds_warns_of_decimals(X, kept):
    """The third point is the midpoint of the others on paper; its rounding made room for a plane between them."""
    certificate = check(X, [0, 0, 1])
    assert certificate.proved
    assert bool(certificate.integers) == kept
    assert "most likely decimals that should meet on a line" in str(certificate)
    assert "most likely" not in str(check([[9], [11]], [0, 1]))


def test_a_zero_has_no_sign_in_words():
    text = str(dataclasses.replace(check([[1, 0], [-1, 0]], [1, 0]), w=np.array([1.0, -0.0]), b=-0.0))
    assert "w = (1, 0), b = 0;" in text
