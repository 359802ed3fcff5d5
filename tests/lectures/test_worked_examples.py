"""The worked examples of the lectures, told step by step; every number below stands on paper somewhere."""

from fractions import Fraction

import numpy as np
import pytest

from rosenblatt import learn, trace
from rosenblatt.datasets import w1, w2, w3
from rosenblatt.models import Line, LinearModel


def numbers(values):
    """Lecture decimals, as fractions."""
    return [tuple(Fraction(str(value)) for value in line) for line in values]


def test_w1_three_points_from_a_start_of_one_and_minus_0_8():
    """Through the origin, start (1, −0.8); (1, 2) is positive, (−1, 2) and (0, −1) are negative.

    +1 × ((1)(1) + (−0.8)(2)) = −0.6: a mistake, w becomes (2, 1.2).
    −1 × ((2)(−1) + (1.2)(2)) = −0.4: a mistake, w becomes (3, −0.8).
    −1 × ((3)(0) + (−0.8)(−1)) = −0.8: a mistake, w becomes (3, 0.2).
    Second pass: 3.4, 2.6, 0.2: all right. Three updates, two passes.
    """
    data = w1()
    run = trace(*data, **data.settings, what="steps")
    assert run.exact
    assert numbers(run.vectors[0]) == numbers([(1, -0.8), (2, 1.2), (3, -0.8), (3, 0.2)])
    assert [float(m) for m in run.steps.m] == [-0.6, -0.4, -0.8, 3.4, 2.6, 0.2]
    assert run.updates.row.tolist() == [0, 1, 2]
    assert (run.counts.n_updates, run.counts.n_passes, run.counts.converged) == (3, 2, True)
    assert run.sentence(0) == "+1 × ((1)(1) + (−0.8)(2)) = −0.6 ≤ 0, so w ← (1, −0.8) + (1, 2) = (2, 1.2)"
    assert run.sentence(5) == "−1 × ((3)(0) + (0.2)(−1)) = 0.2 > 0, no change"
    assert data.bound == pytest.approx(50)
    assert learn(*data, bias=False).n_updates <= 50


def test_w2_four_points_and_the_table_of_all_margins():
    """Through the origin, zero start; (−2, 0) and (0, −2) are negative, (−2, 2) and (2, 2) positive.

    At (0, 0) every m is 0, so row 1 is a mistake: (2, 0). There the m are 4, 0, −4, 4: row 2 is the next: (2, 2).
    4, 4, 0, 8: row 3: (0, 4). 0, 8, 8, 8: row 4 is right, then row 1 again: (2, 4). 4, 8, 4, 12: done.
    Four updates on rows 1, 2, 3, 1; three passes, the clean one included; the bound is 10.
    """
    data = w2()
    run = trace(*data, **data.settings)
    assert numbers(run.vectors[0]) == numbers([(0, 0), (2, 0), (2, 2), (0, 4), (2, 4)])
    assert (run.updates.row + 1).tolist() == [1, 2, 3, 1]
    table = [(0, 0, 0, 0), (4, 0, -4, 4), (4, 4, 0, 8), (0, 8, 8, 8), (4, 8, 4, 12)]
    assert numbers(run.margins()) == numbers(table)
    assert (run.counts.n_updates, run.counts.n_passes, run.counts.n_steps) == (4, 3, 12)
    assert data.bound == pytest.approx(10)
    curves = run.proof(data.u)
    assert curves.hold
    np.testing.assert_allclose(curves.promise[1:], np.sqrt([1, 2, 3, 4]) / np.sqrt(10), rtol=1e-12)
    np.testing.assert_allclose(curves.cosine[1:], [0.447, 0.949, 0.894, 1.0], atol=5e-4)  # three printed places


def test_w2_under_the_printed_listings_tie_rule_stops_with_a_point_on_the_line():
    """ "Update if predicted != y, with sign(0) = +1" makes two updates and stops at (2, 2), where row 3 has m = 0."""
    data = w2()
    run = trace(*data, bias=False, ties="positive", what="steps")
    assert numbers(run.vectors[0]) == numbers([(0, 0), (2, 0), (2, 2)])
    assert run.counts.converged
    assert run.margins()[-1].tolist() == [4, 4, 0, 8]
    assert run.sentence(2) == "+1 × ((2)(−2) + (2)(2)) = 0, and sign(0) = +1, no change"


def test_w3_the_bias_counts_in_the_bound():
    """x = 9 is negative, x = 11 positive. It takes 202 updates, more than 11² / 1² = 121.

    In the space (x, 1) where the algorithm works R² = 11² + 1 = 122 and 1/γ² = 101: at most 12 322.
    """
    data = w3()
    run = trace(*data)
    assert run.counts.n_updates == 202
    assert run.counts.n_updates > 11**2
    assert data.bound == pytest.approx(12322)
    assert run.proof(data.u).hold


@pytest.mark.parametrize("rate", [1, 0.5, 3])
@pytest.mark.parametrize("bias", [True, False])
def test_w4_an_update_raises_m_of_its_example_by_the_squared_norm(rate, bias):
    """After w += r·y·x the same example's m has grown by exactly r‖x‖², or r(‖x‖² + 1) with a bias."""
    X = [[3, 4], [-1, 2], [0.5, -1.5], [2, -2]]
    run = trace(X, [1, -1, 1, -1], bias=bias, rate=rate, max_passes=20)
    assert run.exact
    after = run.margins()
    for k, row in enumerate(run.updates.row):
        norm = sum(Fraction(str(value)) ** 2 for value in X[row]) + bias
        assert after[k + 1][row] - run.updates.m[k] == Fraction(str(rate)) * norm


def test_w5_the_boundary_in_the_plane():
    """x2 = −(w1·x1 + b)/w2 has score 0 for every x1; with w2 = 0 the line is vertical, with w = 0 there is none."""
    X, y = w2()
    last = learn(X, y, bias=False).model
    line = last.line()
    assert (last.w.tolist(), line) == ([2, 4], Line(-0.5, 0))
    assert last.score([[x1, line.slope * x1 + line.intercept] for x1 in (-3, 0, 5)]).tolist() == [0, 0, 0]
    vertical = learn(X, y, bias=False, max_updates=1).model
    assert (vertical.w.tolist(), vertical.line(), str(vertical.line())) == ([2, 0], Line(None, 0), "x1 = 0")
    nowhere = LinearModel(np.zeros(2), 1.0, np.array([0, 1]))
    assert nowhere.line() is None
