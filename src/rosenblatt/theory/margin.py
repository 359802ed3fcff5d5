"""Margins: of a vector (`margin_of`) and of the data (`max_margin`), in the space the perceptron works in.

Problem   max gamma over unit vectors u with z_i·u >= gamma for all i
Method    gamma is the distance of the origin from the convex hull of the z_i, so Wolfe's algorithm in floating point
          finds the rows that touch; then the same cycles once more in integers, from those rows on
Why       of the candidates it is the only one that ends with an exact optimum: gamma² is a rational number, and the
          touching rows name it. An interior-point or SMO solver stops at a tolerance, and loses the digits that a raw
          data set of radius 5000 and margin 0.00004 (breast cancer) does not have to spare
"""

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt._typing import Doubles, Ints
from rosenblatt.errors import DataError
from rosenblatt.theory.certificate import margin_proved
from rosenblatt.theory.exact import exact_products, integers
from rosenblatt.theory.explain import number
from rosenblatt.theory.lifting import relation
from rosenblatt.theory.nearest import Nearest, nearest, power_scale
from rosenblatt.theory.separability import check
from rosenblatt.theory.signed import Signed, signed

EXACT_SUPPORT = 150  # touching rows up to which the optimum is solved for in integers, whatever the float gap
EXACT_NUMBERS = 2_000_000  # numbers in the touching rows beyond which Python integers would take minutes
GOOD_GAP = 1e-10  # a float gap above this is sent to the integers too
NEAR = 1e-9  # rows within this share of the margin are examined exactly
SAFETY = Fraction(1, 10**12)  # share added to what was rounded, where it must not be too low
SQUARED = 200_000  # numbers in rows of about the largest norm up to which their squares are summed in integers


class BeyondFloats(DataError):
    """A margin above 0, or its bound, that no float can hold."""


@dataclass(frozen=True, eq=False)
class Margin:
    """The largest margin of a data set, and who attains it.

    Attributes
    ----------
    w, b : the unit vector: ‖(w, b)‖ = 1 with a bias, ‖w‖ = 1 (and b = 0) through the origin.
    gamma, R : the margin ``min y (w·x + b)`` and the radius ``max ‖(x, 1)‖`` (through the origin ``max ‖x‖``).
    rows : the rows that touch, that is, have ``y (w·x + b) = gamma``.
    support, weights : some of them, with weights > 0 of sum 1, for which ``Σ weight_i y_i (x_i, 1) = gamma (w, b)``.
    gap : (upper − lower bound) / gamma; 0 if the optimum was solved for exactly.
    space : "(x, 1)" or "x".
    exact_square : gamma² as a fraction, if it was solved for exactly; else None.
    exact_vector : (w, b)/gamma as fractions, if solved for exactly; else empty.
    """

    w: Doubles
    b: float
    gamma: float
    R: float
    rows: Ints
    support: Ints
    weights: Doubles
    gap: float
    space: str
    exact_square: Fraction | None = field(default=None, repr=False)
    exact_vector: tuple[Fraction, ...] = field(default=(), repr=False)

    def __str__(self) -> str:
        kind = "exact" if self.exact_square is not None else f"relative gap {self.gap:.0e}"
        return (
            f"Largest margin {self.gamma:.10g} ({kind}) with radius {number(self.R)}, in the space of {self.space}; "
            f"{len(self.rows)} rows touch."
        )


def max_margin(X: Any, y: Any, *, bias: bool = True) -> Margin:
    """Find the separator of largest margin: ``max min_i y_i (w·x_i + b)`` over ``‖(w, b)‖ = 1``.

    With a bias the perceptron works on (x, 1), and so does this: the bias counts in the norm (unlike in a support
    vector machine). Through the origin (bias=False) it is ``‖w‖ = 1`` and no b.

    Returns
    -------
    Margin : with ``w, b, gamma, R``, the touching ``rows``, and the duality ``gap``.

    Notes
    -----
    gamma equals the distance of the origin from the convex hull of the y_i (x_i, 1), so any convex combination bounds
    it from above as any separator does from below; ``gap`` is the relative difference of the two. With up to 150
    support rows the optimality conditions are solved and checked in integers and the gap is 0.
    Raises DataError if the data are not separable.

    References
    ----------
    Wolfe (1976), Mathematical Programming 11; Keerthi, Shevade, Bhattacharyya and Murthy (2000) for the geometry.

    Examples
    --------
    >>> best = max_margin([[9], [11]], [0, 1])
    >>> str(best.exact_square), best.rows.tolist()
    ('1/101', [0, 1])
    """
    problem = signed(X, y, bias)
    with np.errstate(all="ignore"):  # squares of 1e200 and 1e-200 leave the floats; the integers then have the word
        start = nearest(problem, np.ones(problem.D))
        if start.end != "apart" or not (problem.products(start.p) > 0).all():
            start = _second_start(problem, X, y)
        rough = _from_floats(problem, start)
        if len(start.rows) * problem.D > EXACT_NUMBERS or (len(start.rows) > EXACT_SUPPORT and rough.gap <= GOOD_GAP):
            return rough
        best = _exact(problem, start) or rough
    if not best.gamma > 0:
        raise BeyondFloats("the margin is positive but too small for floats; scale the features, then ask again.")
    return best


def margin_of(w: Any, b: Any, X: Any, y: Any) -> float:
    """Return the margin of a vector, ``min y (w·x + b) / ‖(w, b)‖``, or −inf if it does not separate.

    Whether it separates is decided in exact arithmetic. Through the origin give b = 0.

    Examples
    --------
    >>> margin_of([3, 4], 0, [[3, 4], [-1, 0]], [1, 0])
    0.6
    >>> margin_of([1, 0], 0, [[0, 1], [-1, 0]], [1, 0])
    -inf
    """
    problem = signed(X, y, True)
    v = problem.join(w, b)
    margin = margin_proved(problem, v)
    return -math.inf if margin is None else margin


def exact_radius(problem: Signed) -> Fraction:
    """Return R² = max ‖z_i‖², exactly; rounded up where very many rows are about as long as the longest."""
    with np.errstate(over="ignore", under="ignore"):
        square = problem.squared_norms()
    near = np.arange(problem.n)
    if 1e-290 < square.max() < np.inf:  # else the squares have left the floats
        near = np.flatnonzero(square >= square.max() * (1 - 1e-12))  # beyond rounding, only these can be largest
        if len(near) * problem.D > SQUARED:
            return Fraction(float(square.max())) * (1 + SAFETY)
    ints, e = integers(problem.matrix(near))
    return Fraction(int((ints * ints).sum(axis=1).max())) * Fraction(2) ** (2 * e)


def _second_start(problem: Signed, X: Any, y: Any) -> Nearest:
    """Return where to start from when floats saw no margin; if there is none, say so with the proof."""
    certificate = check(X, y, bias=problem.bias)
    if certificate.separable:
        return nearest(problem, power_scale(problem))
    raise DataError(f"there is no margin: the data are not separable.\n{certificate}")


def _from_floats(problem: Signed, found: Nearest) -> Margin:
    """Return the nearest point as a margin, with its gap."""
    p = problem.combination(found.rows, found.weights)
    upper = float(np.linalg.norm(p))
    products = exact_products(problem, p)
    lower = float(products.value.min() / upper) if (products.sign > 0).all() else 0.0
    gap = (upper - lower) / lower if lower > 0 else math.inf
    touching = np.flatnonzero(products.value <= products.value.min() * (1 + NEAR))
    w, b = problem.split(p / upper)
    R = root(exact_radius(problem))
    return Margin(w, b, lower, R, touching, found.rows, found.weights, gap, problem.space)


def _exact(problem: Signed, start: Nearest) -> Margin | None:
    """Continue Wolfe's algorithm from a start in integers, up to the optimum."""
    rows, weights = start.rows, [Fraction(float(weight)) for weight in start.weights]
    units = _units(problem)
    for _ in range(20 * problem.D + 100):
        c, v = _affine_exact(problem, rows)
        if v is not None and min(c) > 0:
            total = sum(c, Fraction(0))
            weights = [part / total for part in c]
            touching, entering = _priced(problem, v, units)
            if entering is None:
                return _exact_margin(problem, rows, weights, v, total, touching)
            rows, weights = np.append(rows, entering), [*weights, Fraction(0)]
            continue
        along = _towards(c, weights)
        falls = [i for i, part in enumerate(along) if part < 0]
        if not falls:
            return None
        out = min(falls, key=lambda i: weights[i] / -along[i])
        step = weights[out] / -along[out]
        weights = [
            weight + step * part for i, (weight, part) in enumerate(zip(weights, along, strict=True)) if i != out
        ]
        rows = np.delete(rows, out)
    return None


def _towards(c: list[Fraction], weights: list[Fraction]) -> list[Fraction]:
    """Return the way from the weights to the nearest point of the affine hull, which c describes up to a factor.

    If Σ c = 0 the rows are affinely dependent, and going along −c moves the weights but not the point.
    """
    total = sum(c, Fraction(0))
    if total != 0:
        return [part / total - weight for part, weight in zip(c, weights, strict=True)]
    return [-part for part in c]


def _affine_exact(problem: Signed, rows: Ints) -> tuple[list[Fraction], list[Fraction] | None]:
    """Return c and v = Σ c_i z_i with z_i·v = 1 for the given rows; if they are dependent, c with Σ c_i z_i = 0."""
    Z, e = integers(problem.matrix(rows))
    ones = np.full((1, len(rows)), -1, dtype=object)
    solution = relation(np.vstack([Z @ Z.T, ones]))
    assert solution is not None  # k + 1 vectors in k dimensions
    if solution[-1] == 0:
        return [Fraction(part) for part in solution[:-1]], None
    unit, power = Fraction(1, solution[-1]), Fraction(2) ** (-e)
    V: NDArray[Any] = np.array(solution[:-1], dtype=object) @ Z
    return [part * unit * power * power for part in solution[:-1]], [int(part) * unit * power for part in V]


def _units(problem: Signed) -> list[Fraction]:
    """Return to which power of two each coordinate of v may be rounded, so that no z·v changes by more than 2^-64."""
    exponents = np.frexp(problem.largest())[1].tolist()
    return [Fraction(2) ** -(e + problem.D.bit_length() + 64) for e in exponents]


def _priced(problem: Signed, v: list[Fraction], units: list[Fraction]) -> tuple[Ints, int | None]:
    """Return the rows with z·v = 1 exactly, and the row with the least z·v < 1, if any."""
    values = exact_products(problem, [round(part / unit) * unit for part, unit in zip(v, units, strict=True)]).value
    near = np.flatnonzero(values < 1 + NEAR)
    Z, e = integers(problem.matrix(near))
    common = math.lcm(*(part.denominator for part in v))
    V = np.array([int(part * common) for part in v], dtype=object)
    one = common * Fraction(2) ** (-e)
    excess = [int(part) - one for part in Z @ V]
    if min(excess) < 0:
        return near, int(near[min(range(len(excess)), key=lambda i: excess[i])])
    return near[[part == 0 for part in excess]], None


def _exact_margin(
    problem: Signed, rows: Ints, weights: list[Fraction], v: list[Fraction], square: Fraction, touching: Ints
) -> Margin:
    """Return the optimum: ‖v‖² = Σ c = 1/gamma²."""
    gamma = root(1 / square)
    w, b = problem.split(np.array([float(part * Fraction(gamma)) for part in v]))
    order = np.argsort(rows)
    return Margin(
        w,
        b,
        gamma,
        root(exact_radius(problem)),
        touching,
        rows[order],
        np.array([float(weights[i]) for i in order]),
        0.0,
        problem.space,
        1 / square,
        tuple(v),
    )


def root(value: Fraction) -> float:
    """Return the square root of a fraction that may be too long or too large for a float itself."""
    shift = (value.numerator.bit_length() - value.denominator.bit_length()) // 2
    return math.ldexp(math.sqrt(float(value / Fraction(4) ** shift)), shift)
