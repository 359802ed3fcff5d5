"""Numbers near the ends of the floats: squares leave them long before the numbers do."""

from fractions import Fraction

import numpy as np
import pytest

from rosenblatt import DataError, check, learn, margin_of, max_margin, mistake_bound, study, trace, verify
from rosenblatt.datasets import w2
from rosenblatt.theory import one_pass_bound
from rosenblatt.theory.report import report


@pytest.mark.parametrize(
    ("X", "bias", "gamma"),
    [
        ([[1e-310], [-1e-310]], True, 1e-310),
        ([[2e238, 0], [0, 1e-160]], False, 1e-160),
        ([[5e-324], [1]], True, None),
        ([[1.7e308, -1.7e308], [-1.7e308, 1.7e308]], False, None),
    ],
)
def test_what_is_proved_can_be_verified(X, bias, gamma):
    certificate = check(X, [0, 1], bias=bias)
    assert certificate.separable
    assert certificate.proved == verify(certificate, X, [0, 1])
    if gamma is not None:
        assert certificate.proved
        assert certificate.gamma == pytest.approx(gamma, rel=1e-9)


@pytest.mark.parametrize("scale", [1e160, 1e-170])
def test_rows_scaled_to_length_one(scale):
    assert mistake_bound([[scale], [-scale]], [1, 0], bias=False, unit_rows=True).most == 1


@pytest.mark.parametrize("size", [1e200, 1e-200, 5e-324])
def test_the_length_of_a_separator_does_not_matter(size):
    assert margin_of([size], 0, [[1], [-1]], [1, 0]) == 1
    assert trace([[1, 0], [-1, 0]], [1, -1]).proof(u=([size, 0], 0)).hold


@pytest.mark.parametrize(
    ("X", "y"),
    [
        ([[-1e-13, 1000.0], [0, 0], [2e15, 2e-9], [-1e7, 2e-17]], [1, 1, 0, 1]),
        ([[0, 0], [1e291, -2e291], [1e291, 1e291]], [0, 1, 0]),
        ([[-2e-133], [1e188], [0.0], [1e-149]], [1, 0, 1, 1]),
    ],
)
def test_the_margin_of_columns_of_thirty_decades_is_exact(X, y):
    best = max_margin(X, y)
    assert best.gap == 0
    assert best.gamma == pytest.approx(1, rel=1e-9)


WIDE = [
    ([[-2e20, -3e20, 1], [-3e40, 1, -1e-20], [2e20, -1e-20, 0]], [1, 0, 0], True),
    ([[1e-30, -3], [2e30, -1e30], [-3, 1], [-2, 1]], [1, 0, 0, 0], True),
    (
        [[2, -2e-160, 1, -2], [1e-160, 2, -3, 1], [1e-160, 1, -2, 2e-160], [-3, 1, 3, -2], [1e-160, -1e-160, 1e-160, 3e-160]],
        [0, 0, 1, 0, 1],
        False,
    ),
]  # fmt: skip


@pytest.mark.parametrize(("X", "y", "bias"), WIDE, ids=["squares", "touching", "entering"])
def test_rows_of_numbers_far_apart_touch_where_fractions_say(X, y, bias):
    """v = (w, b)/gamma has z·v = 1 on the touching rows and more on all others, in plain fractions."""
    best = max_margin(X, y, bias=bias)
    Z = [
        [Fraction(part) * (1 if label else -1) for part in [*x, 1][: len(x) + bias]]
        for x, label in zip(X, y, strict=True)
    ]
    products = [sum(p * q for p, q in zip(z, best.exact_vector, strict=True)) for z in Z]
    assert min(products) == 1
    assert [i for i, m in enumerate(products) if m == 1] == best.rows.tolist()
    assert set(best.support.tolist()) <= set(best.rows.tolist())


@pytest.mark.filterwarnings("ignore::rosenblatt.errors.TieWarning")
@pytest.mark.parametrize(("X", "y", "bias"), WIDE, ids=["squares", "touching", "entering"])
def test_runs_on_numbers_far_apart_are_traced_studied_and_judged(X, y, bias):
    """Where a float holds the bound it is told, and elsewhere left out."""
    run = learn(X, y, bias=bias, max_passes=5)
    found = report(X, y, w=run.w, b=run.b, converged=run.converged, n_updates=run.n_updates, bias=bias)
    assert "Separable, proved." in str(found)
    many = study(X, y, bias=bias, runs=3, max_passes=5)
    if found.bound is None:
        assert (many.bound == np.inf).all()
    else:
        np.testing.assert_allclose(many.bound, found.bound.value, rtol=1e-9)
    assert repr(many)
    told = "bound (R/γ)²" in repr(trace(X, y, bias=bias, max_passes=5))
    assert told == (found.bound is not None)


def test_a_report_of_rows_whose_squares_overflow_advises_to_scale_them():
    X, y = [[1e200, 1.0], [-1e200, 1.0]], [1, 0]
    found = report(X, y, w=[1.0, 0.0], b=0.0, converged=True, n_updates=1)
    assert found.bound.most == 1
    far = report([[0.0, 1e-200], [0.0, 0.0]], y, w=[0.0, 1.0], b=0.0, converged=False, n_updates=1)
    assert far.bound is None
    assert far.advice[0] == "standardise the features: the bound falls from beyond the largest float to 2 updates."


def test_one_pass_bound_at_any_scale():
    X, y = np.array([[1.0], [-1.0], [1.0]]), [1, 0, 0]
    for scale in (1.0, 1e160, 1e-160):
        assert one_pass_bound(scale * X, y, ([1], 0), scale, bias=False).most == 9


@pytest.mark.parametrize("exponent", [148, 130, -130, -148, -500])
def test_screening_steps_aside_where_float32_ends(exponent):
    chance = np.random.default_rng(0)
    X = chance.standard_normal((1000, 5))
    y = X @ chance.standard_normal(5) > 0
    plain = learn(X, y, bias=False)
    scaled = learn(X * 2.0**exponent, y, bias=False, rate=2.0**-exponent)
    assert scaled.journal.row.tolist() == plain.journal.row.tolist()


@pytest.mark.parametrize("exponent", [-600, -500, 500])
def test_the_pocket_does_not_depend_on_the_rate(exponent):
    chance = np.random.default_rng(1)
    X = chance.integers(0, 256, (300, 8))
    score = X @ chance.standard_normal(8)
    y = score + 60 * chance.standard_normal(300) > np.median(score)
    errors = [learn(X, y, memory="pocket", rate=rate, max_passes=20).pocket_errors[0] for rate in (1, 2.0**exponent)]
    assert errors[0] == errors[1]


def test_a_step_too_small_for_a_float_is_refused():
    with pytest.raises(ValueError, match="row 0: its weight times the rate is too small for a float"):
        learn([[1.0], [2.0], [-1.0]], [1, 0, 1], rate=1e-200, weights=[1e-200] * 3)


def test_a_study_refuses_what_learn_refuses():
    X = [[1e308, 1e308], [-1e308, 1e308], [1e308, 1e308]]
    for run in (learn, study):
        with pytest.raises(DataError, match="the weights overflowed"):
            run(X, [1, 0, 0], bias=False, max_passes=9)


@pytest.mark.parametrize("run", [learn, study, trace])
def test_weights_whose_products_vanish_are_refused_through_the_origin(run):
    """Every product would be 0, every example a mistake, and every bound broken."""
    X, y = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0], [0.5, -2.0]]), [1, 1, 0, 0]
    with pytest.raises(DataError, match="so small that their products with the features vanish"):
        run(X * 1e-200, y, bias=False, max_passes=9)
    near = learn(X * 2.0**-505, y, bias=False)
    assert near.journal.row.tolist() == learn(X, y, bias=False).journal.row.tolist()
    assert learn(X, y, bias=False, rate=1e-200).converged
    assert check(X * 1e-200, y, bias=False).proved


def test_labels_beyond_int64():
    y = np.array([2**63, 2**63 + 1], dtype=np.uint64)
    assert learn([[1.0], [-1.0]], y).model.predict([[1.0]]).tolist() == [2**63]


def test_two_classes_in_the_direct_machine_are_traced():
    run = trace(*w2(), bias=False, multiclass="direct")
    assert run.counts.n_updates == trace(*w2(), bias=False).counts.n_updates == 4


def test_verdicts_of_rounding_are_named_for_several_classes_and_large_whole_numbers():
    chance = np.random.default_rng(0)
    X = chance.integers(-9, 10, (30, 2)) * 1e-7 / 3
    assert len(trace(X, chance.integers(0, 3, 30), multiclass="direct", exact=False, max_passes=9).ties) > 0
    large = chance.integers(-3, 4, (6, 2)) * (2.0**52 + 1)
    assert len(trace(large, [0, 1, 0, 1, 0, 1], exact=False, max_passes=30).ties) > 0
    small = chance.integers(-3, 4, (6, 2))
    assert len(trace(small, [0, 1, 0, 1, 0, 1], exact=False, max_passes=30).ties) == 0
