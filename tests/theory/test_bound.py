"""No run ever makes more updates than the bound, and some run makes exactly as many."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import DataError, augment, blackboard, learn, max_margin, mistake_bound, repeats_until_correct
from rosenblatt.theory import one_pass_bound

from .sets import integer_sets, separable_set, separable_sets


@pytest.mark.property
@settings(max_examples=150)
@given(
    seed=st.integers(0, 2**32),
    bias=st.booleans(),
    rate=st.sampled_from([0.25, 1.0, 3.0]),
    margin=st.sampled_from([0.0, 0.5, 4.0]),
    order=st.sampled_from(["cyclic", "shuffle", "random", "first", "worst"]),
    begin=st.sampled_from(["zeros", "near", "far"]),
)
def test_updates_never_exceed_the_bound(seed, bias, rate, margin, order, begin):
    """Over starts, rates, demanded margins and orders; everything in dyadic numbers, so the run is the theorem's."""
    rng = np.random.default_rng(seed)
    X, y = separable_set(rng, bias)
    start = None
    if begin != "zeros":
        size = 3 if begin == "near" else 30
        b0 = float(rng.integers(-size, size + 1)) if bias else 0.0
        start = (rng.integers(-size, size + 1, X.shape[1]).astype(float), b0)
    bound = mistake_bound(X, y, bias=bias, start=start, rate=rate, margin=margin)
    if bound.most > 200_000:
        return
    run = learn(
        X, y, bias=bias, start=start, rate=rate, margin=margin, order=order, seed=seed % 1000, max_passes=None,
        max_updates=bound.most + 1, journal=False,
    )  # fmt: skip
    assert run.n_updates <= bound.most
    assert run.converged


def test_two_points_far_from_the_origin_take_202_updates_of_12322():
    """W3: the plain "bound" (11/1)² = 121 would be wrong; the space of (x, 1) is right."""
    X, y = [[9], [11]], [0, 1]
    bound, run = mistake_bound(X, y), learn(X, y)
    assert (bound.most, run.n_updates) == (12322, 202)
    assert bound.beside(run) == "202 updates, of at most 12322 (1.6 %)"
    assert str(bound) == (
        "At most 12322 updates: (R/gamma)² = 12322 with R = 11.045, gamma = 0.099504 in the space of (x, 1)."
    )


@pytest.mark.parametrize("n", [1, 2, 5, 20])
def test_orthonormal_rows_attain_the_bound(n):
    """n unit vectors, each of its own axis: gamma = 1/√n, R = 1, and each of the n rows is a mistake exactly once."""
    X = np.eye(n)
    X = np.vstack([X, -X[:1]])
    y = np.array([1] * n + [0])
    bound = mistake_bound(X, y, bias=False)
    run = learn(X, y, bias=False)
    assert bound.most == run.n_updates == n


def test_one_update_is_in_the_singular():
    assert str(mistake_bound([[1], [-1]], [1, 0], bias=False)).startswith("At most 1 update: ")
    one = one_pass_bound([[1], [-1]], [1, 0], [1], 1.0, bias=False)
    assert str(one).startswith("At most 1 mistake in one pass: ")


def test_worked_examples_round_to_the_integer_that_they_are():
    assert mistake_bound([[1, 2], [-1, 2], [0, -1]], [1, 0, 0], bias=False).most == 50
    assert mistake_bound([[-2, 0], [0, -2], [-2, 2], [2, 2]], [0, 0, 1, 1], bias=False).most == 10
    assert mistake_bound([[1, 2], [-1, 2], [0, -1]], [1, 0, 0], bias=False, start=([1, -0.8], 0)).most == 45


def test_a_margin_rounded_to_a_float_takes_no_update_away(monkeypatch):
    """Where the margin is not solved for in integers the bound may be one too high, never too low."""
    monkeypatch.setattr("rosenblatt.theory.margin.EXACT_SUPPORT", 0)
    X, y = [[9], [11]], [0, 1]
    assert max_margin(X, y).exact_square is None
    assert mistake_bound(X, y).most == 12322


def test_rows_rounded_when_they_were_divided_take_no_update_away():
    """Four rows that are orthogonal, and the negative of the first: gamma² = 1/4, and each of the four is a mistake once."""
    X = [[28, 28, 21, 28], [-20, 20, -20, 15], [-6, 8, 8, -8], [-32, -24, 32, 32], [-56, -56, -42, -56]]
    X, y = np.array(X, dtype=float)[[3, 2, 1, 0, 4]], np.array([1, 1, 1, 1, 0])
    bound = mistake_bound(X, y, bias=False, unit_rows=True)
    assert bound.most == learn(X / np.linalg.norm(X, axis=1)[:, None], y, bias=False).n_updates == 4
    with pytest.raises(DataError, match=r"margin .*e-17, which is lost in the rounding of their division"):
        mistake_bound([[1, 1e-17], [1, -1e-17]], [1, 0], bias=False, unit_rows=True)


def test_the_radius_of_many_rows_of_one_length_is_not_too_small(monkeypatch):
    """Among very many rows whose squares differ by rounding alone, the largest may be any: R² is then rounded up."""
    monkeypatch.setattr("rosenblatt.theory.margin.SQUARED", 100)
    X = np.random.default_rng(0).normal(size=(2000, 3))
    X /= np.linalg.norm(X, axis=1)[:, None]
    X, y = X[np.abs(X[:, 0]) > 0.1], X[np.abs(X[:, 0]) > 0.1, 0] > 0
    R2 = max(sum(Fraction(part) ** 2 for part in x) for x in X.tolist())
    best = max_margin(X, y, bias=False)
    assert R2 / best.exact_square <= Fraction(mistake_bound(X, y, bias=False).value)


def test_rows_beyond_the_margin_cost_nothing_in_one_pass():
    """x = 1 (+) and −3 (−) have m = 1 and 3 along u = 1: at gamma = 1 neither falls short, D = 0 and (R/gamma)² = 9."""
    assert one_pass_bound([[1], [-3]], [1, 0], ([1], 0), 1.0, bias=False).value == 9


def test_large_bounds_are_whole_numbers_at_once():
    """x = 0 (−) and s (+): 1/gamma² = (2/s)² + 1 and R = √(s² + 1), about 4e40 updates at s = 1e-20."""
    s = Fraction(1e-20)
    assert mistake_bound([[0], [1e-20]], [0, 1]).most == math.floor((s * s + 1) * ((2 / s) ** 2 + 1))
    start = mistake_bound([[0], [1e-20]], [0, 1], start=([1.0], 1.0))
    assert start.most == pytest.approx(4e40, rel=1e-9)
    with pytest.raises(DataError, match=r"R = 1 and gamma = 5e-201, exceeds the largest float; scale"):
        mistake_bound([[0], [1e-200]], [0, 1])


def test_demanded_margin_enters_only_through_margin_over_rate():
    X, y = [[-2, 0], [0, -2], [-2, 2], [2, 2]], [0, 0, 1, 1]
    one, two = (mistake_bound(X, y, margin=3.0 * r, rate=r) for r in (1.0, 0.5))
    assert one.most == two.most == math.floor((9 + 6) * mistake_bound(X, y).value / 9)


@pytest.mark.property
@settings(max_examples=60)
@given(st.data(), st.lists(st.integers(-4, 4), min_size=5, max_size=5))
def test_any_start_formula_is_the_largest_k_by_trial(data, start):
    X, y = data.draw(separable_sets(True))
    w0, b0 = np.array(start[: X.shape[1]], dtype=float), float(start[-1])
    bound = mistake_bound(X, y, start=(w0, b0), rate=0.5, margin=2.0)
    best = max_margin(X, y)
    along, size = best.w @ w0 + best.b * b0, w0 @ w0 + b0 * b0

    def slack(k):
        return math.sqrt(size + k * (0.25 * best.R**2 + 2.0)) - along - k * 0.5 * best.gamma

    assert slack(bound.most) > -1e-6  # floats: the square root
    assert slack(bound.most + 1) < 1e-6
    assert bound.most <= bound.value < bound.most + 1


@pytest.mark.property
@settings(max_examples=60)
@given(st.data(), st.booleans())
def test_rows_of_length_one_have_the_lower_bound_and_keep_it(data, bias):
    X, y = data.draw(separable_sets(bias))
    scaled = mistake_bound(X, y, bias=bias, unit_rows=True)
    assert scaled.value <= mistake_bound(X, y, bias=bias).value * (1 + 1e-9)
    assert pytest.approx(1) == scaled.R
    Z = augment(X).values if bias else X
    run = learn(Z / np.linalg.norm(Z, axis=1)[:, None], y, bias=False, max_passes=None, max_updates=10**6)
    assert run.n_updates <= scaled.most


@pytest.mark.property
@settings(max_examples=100)
@given(
    integer_sets(),
    st.lists(st.integers(-9, 9).filter(bool), min_size=5, max_size=5),
    st.floats(0.1, 3),
    st.booleans(),
)
def test_one_pass_never_makes_more_mistakes_than_freund_and_schapire_allow(data, u, gamma, bias):
    X, y = data
    bound = one_pass_bound(X, y, (u[: X.shape[1]], u[-1] if bias else 0), gamma, bias=bias)
    run = learn(X, y, bias=bias, max_passes=1)
    assert run.n_mistakes <= bound.most
    assert bound.beside(run).startswith(f"{run.n_mistakes} mistake")


def test_a_bound_on_one_pass_stands_beside_the_first_pass():
    """XOR never converges: 50 passes of 4 mistakes each are no 200 mistakes in one."""
    X, y = [[-1, -1], [-1, 1], [1, -1], [1, 1]], [-1, 1, 1, -1]
    bound = one_pass_bound(X, y, ([1, 1], 0), 1.0)
    assert bound.beside(learn(X, y, max_passes=50)) == "4 mistakes in one pass, of at most 20 (20 %)"


def test_a_vector_alone_may_be_a_tuple():
    X, y = [[1, 0], [0, 1]], [1, 0]
    values = {one_pass_bound(X, y, u, 1.0, bias=False).value for u in ((1, 2), [1, 2], ([1, 2], 0))}
    assert len(values) == 1


@pytest.mark.parametrize(
    ("asked", "run", "message"),
    [
        ({}, {"margin": 1.0}, "is for margin=0, and the run made an update at m = 1"),
        ({}, {"start": ([1.0], 0.0)}, r"start \(0, 0\), and the run began at \(1, 0\)"),
        ({"start": ([1.0], 0.0)}, {}, r"start \(1, 0\), and the run began at \(0, 0\)"),
        ({}, {"bias": False}, r"one vector of 2 numbers, in the space of \(x, 1\)"),
        ({"margin": 1.0}, {"margin": 1.0, "rate": 0.5}, r"the rate 1; the run's were \[0.5\]"),
        ({}, {"weights": [2, 1]}, r"the run's were \[1.0, 2.0\]"),
    ],
)
def test_a_bound_refuses_a_run_it_is_not_about(asked, run, message):
    X, y = [[1], [2]], [0, 1]
    with pytest.raises(DataError, match=message):
        mistake_bound(X, y, **asked).beside(learn(X, y, **run))


def test_a_bound_takes_runs_of_other_rates_where_they_do_not_matter():
    X, y = [[9], [11]], [0, 1]
    assert mistake_bound(X, y).beside(learn(X, y, rate=0.5)) == "202 updates, of at most 12322 (1.6 %)"
    assert mistake_bound(X, y, margin=1.0).beside(learn(X, y)).startswith("202 updates")  # its updates have m <= 0 <= 1


@pytest.mark.property
@given(
    w=st.lists(st.integers(-30, 30), min_size=1, max_size=4),
    b=st.integers(-30, 30),
    y=st.sampled_from([-1, 1]),
    bias=st.booleans(),
    data=st.data(),
)
def test_repeats_are_what_the_loop_does(w, b, y, bias, data):
    """Show one example again and again: it asks for floor(−m/‖x‖²) + 1 updates, in fractions too."""
    x = data.draw(st.lists(st.fractions(-3, 3, max_denominator=7), min_size=len(w), max_size=len(w)))
    b = b if bias else 0
    if not bias and not any(x):
        with pytest.raises(DataError, match="no number of updates"):
            repeats_until_correct(w, b, x, y, bias=False)
        return
    m = y * (sum(p * q for p, q in zip(w, x, strict=True)) + b)
    if m < -500 * (sum(part * part for part in x) + bias):
        return
    run = blackboard.learn([x], [y], start=(w, b), bias=bias, max_passes=10_000)
    assert repeats_until_correct(w, b, x, y, bias=bias) == len(run.journal)


def test_repeats_are_exact_where_floats_are_not():
    """m = −3/10 and ‖x‖² = 1/10: exactly 4 updates (at the third the example lies on the boundary)."""
    tenth = Fraction(1, 10)
    assert repeats_until_correct([-1, 0], 0, [3 * tenth, tenth], 1, bias=False) == 4
    assert repeats_until_correct(np.array([-10.0, 0.0]), 0, np.array([2.0, 0.0]), 1, bias=False) == 6


@pytest.mark.parametrize(
    ("w", "b", "x", "message"),
    [
        ([0.0, math.nan], 0, [1, 2], r"w\[1\] is nan"),
        ([0, 0], math.inf, [1, 2], "b is inf"),
        (np.zeros(2), 0, np.array([-np.inf, 2]), r"x\[0\] is .*-inf"),
        (["a", 0], 0, [1, 2], r"w\[0\] is 'a'"),
    ],
)
def test_repeats_of_what_is_no_number_are_refused_by_name(w, b, x, message):
    with pytest.raises(DataError, match=message + ".*must be a finite number"):
        repeats_until_correct(w, b, x, 1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rate": 0.0}, "rate=0.0"),
        ({"margin": -1.0}, "margin=-1.0"),
        ({"start": "random"}, "give the numbers"),
        ({"start": ([1.0, 2.0], 0)}, r"w has shape \(2,\)"),
        ({"unit_rows": True, "start": ([1.0], 0)}, "leave start out"),
    ],
)
def test_bad_settings_are_named(options, message):
    with pytest.raises(DataError, match=message):
        mistake_bound([[9], [11]], [0, 1], **options)


def test_inseparable_data_have_no_bound_but_a_proof():
    with pytest.raises(DataError, match="equal and have opposite labels"):
        mistake_bound([[1], [1]], [0, 1])


def test_a_rate_and_a_margin_are_read_as_decimals_too():
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]
    assert Fraction(0.3) / Fraction(0.1) < 3  # of the floats; on paper it is 3
    assert mistake_bound(X, y, rate=0.1, margin=0.3).most == 153 == (3 + 2 * 3) * 17
