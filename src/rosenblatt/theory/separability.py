"""`check`: can a hyperplane separate the classes? The answer comes with its proof."""

import time
from fractions import Fraction
from typing import Any

import numpy as np

from rosenblatt._typing import Doubles, Ints
from rosenblatt.data.labels import encode
from rosenblatt.errors import DataError
from rosenblatt.learning.policy import deadline, true_or_false
from rosenblatt.learning.run import learn
from rosenblatt.theory.certificate import (
    Certificate,
    Certificates,
    integer_margin,
    margin_proved,
    verify_witness,
)
from rosenblatt.theory.duplicates import contradiction, zero_row
from rosenblatt.theory.nearest import Nearest, nearest, power_scale
from rosenblatt.theory.signed import Signed, rows_to_prove
from rosenblatt.theory.witness import by_pivots, witness

OUT_OF_TIME = (
    "Time ran out. The best vector so far has {wrong} of {n} rows on the wrong side; there are no equal rows with "
    "opposite labels, and the perceptron made no clean pass in a short run."
)
BRIEFLY = 300_000_000  # numbers the perceptron may read before the nearest point takes over: a fraction of a second


def check(X: Any, y: Any, *, bias: bool = True, max_seconds: float | None = None) -> Certificate | Certificates:
    """Decide whether a hyperplane separates the classes, and prove it.

    Separable means that some (w, b) has ``y (w·x + b) > 0`` on every row. Otherwise, and only then, there are weights
    ``lambda >= 0, Σ lambda = 1`` with ``Σ lambda_i y_i (x_i, 1) = 0`` (Gordan 1873), on at most d + 2 rows.

    Parameters
    ----------
    X, y : examples and labels, as for `learn`. The second of two labels in sorted order is positive.
    bias : False asks for a hyperplane through the origin: drop the 1 and the b above (at most d + 1 rows).
    max_seconds : stop looking after this long (per call) and say what is known; None for no limit.

    Returns
    -------
    Certificate for two classes; for more, Certificates: a mapping from each label to its Certificate against the rest,
    with the same ``separable``, ``proved``, ``verify``, ``to_json`` and ``str``.

    Notes
    -----
    Looked for in this order: a zero row (without a bias) and equal rows with opposite labels; a separator by the
    perceptron itself, briefly; then the point of the convex hull of the signed rows nearest to the origin (Wolfe 1976)
    on a growing pool of rows. That point is either a separator or gives the rows of the witness, whose weights are
    solved for once more in integers. Where floats cannot tell 0 from almost 0, exact pivots decide. Whatever was found
    is verified in exact rational arithmetic before ``proved`` is set; if that fails the text says "numerically".
    Separability does not change when features are scaled, so they are scaled by powers of two inside.
    What is proved is about the floats: fractions, decimals and texts are rounded to them on the way in, and so is a
    number like 0.1. Whole numbers that would be rounded (some beyond 2^53) are refused.

    References
    ----------
    Gordan (1873); Kirchberger (1903); Novikoff (1962); Wolfe (1976), Mathematical Programming 11, 128-149.

    Examples
    --------
    >>> certificate = check([[9], [11]], ["-", "+"])
    >>> certificate.separable, certificate.proved
    (True, True)
    >>> check([[9], [11]], ["-", "+"], bias=False).rows.tolist()
    [0, 1]
    """
    bias = true_or_false("bias", bias)
    end = deadline(max_seconds)
    rows = rows_to_prove(X)
    classes, codes = encode(y, rows.n)
    labels = classes.tolist()
    if len(labels) == 2:
        return _decide(Signed(rows, np.where(codes == 1, 1.0, -1.0), bias), labels[0], labels[1], end)
    of = {}
    for k, label in enumerate(labels):  # what is left of the time is shared among the classes that are left
        now = time.monotonic()
        until = now + (end - now) / (len(labels) - k)
        of[label] = _decide(Signed(rows, np.where(codes == k, 1.0, -1.0), bias), None, label, until)
    return Certificates(of)


def _decide(problem: Signed, negative: Any, positive: Any, end: float) -> Certificate:
    facts = {"bias": problem.bias, "n": problem.n, "d": problem.rows.d, "negative": negative, "positive": positive}
    hopeless = _hopeless(problem)
    if hopeless is not None:
        rows, found_by = hopeless
        weights = (Fraction(1, len(rows)),) * len(rows)
        proved = verify_witness(problem, rows, weights)
        return Certificate(False, proved, rows=rows, weights=weights, found_by=found_by, **facts)
    first, converged = _perceptron(problem, end)
    if converged and (gamma := margin_proved(problem, first)) is not None:
        return _separator(problem, first, gamma, True, "perceptron", facts)
    scale = power_scale(problem)
    found = nearest(problem, scale, end)
    v = found.p * scale
    v = v / np.abs(v).max() if v.any() else v
    return _from_nearest(problem, found, v, end, facts) or _out_of_time(problem, (first, v), facts)


def _hopeless(problem: Signed) -> tuple[Ints, str] | None:
    if not problem.bias and (zero := zero_row(problem)) is not None:
        return np.array([zero]), "zero row"
    pair = contradiction(problem)
    return None if pair is None else (np.array(pair), "equal rows")


def _perceptron(problem: Signed, end: float) -> tuple[Doubles, bool]:
    """Return the perceptron's vector after a short run, and whether its last pass was clean."""
    passes = int(np.clip(BRIEFLY // max(1, problem.rows.values.size), 10, 1000))
    left = max(0.01, (end - time.monotonic()) / 4)
    try:
        outcome = learn(
            problem.rows, problem.sign, bias=problem.bias, max_passes=passes, max_seconds=left, journal=False
        )
    except DataError:  # the weights overflowed; what follows scales the features
        return np.zeros(problem.D), False
    return problem.join(outcome.w, outcome.b), outcome.converged


def _separator(
    problem: Signed, v: Doubles, gamma: float, proved: bool, found_by: str, facts: dict[str, Any]
) -> Certificate:
    w, b = problem.split(v)
    return Certificate(True, proved, w=w, b=b, gamma=gamma, found_by=found_by, **facts)


def _from_nearest(problem: Signed, found: Nearest, v: Doubles, end: float, facts: dict[str, Any]) -> Certificate | None:
    """Turn the nearest point, and the vector v it gives, into a certificate; None if time ran out before either.

    It is proved if exact arithmetic agrees.
    """
    products = problem.products(v)
    wrong = int((products <= 0).sum())
    if wrong == 0 and (gamma := margin_proved(problem, v)) is not None:
        return _separator(problem, v, gamma, True, "nearest point", facts)
    if found.end == "time":
        return None
    proof = witness(problem, found.rows, found.weights)
    if proof is not None:
        return Certificate(False, True, rows=proof[0], weights=proof[1], found_by="nearest point", **facts)
    exact, proof = by_pivots(problem, found.rows, products, end)
    if proof is not None:
        return Certificate(False, True, rows=proof[0], weights=proof[1], found_by="exact pivots", **facts)
    if exact is not None:
        return _fine_separator(problem, exact, facts)
    if wrong == 0:
        return _separator(problem, v, float(products.min() / np.linalg.norm(v)), False, "nearest point", facts)
    weights = tuple(Fraction(float(weight)) for weight in found.weights)
    return Certificate(False, False, rows=found.rows, weights=weights, found_by="nearest point", **facts)


def _out_of_time(problem: Signed, vectors: tuple[Doubles, ...], facts: dict[str, Any]) -> Certificate:
    """Return the certificate that says what is known: how few rows the best vector so far gets wrong."""
    wrong = min(int((problem.products(v) <= 0).sum()) for v in vectors)
    return Certificate(None, False, note=OUT_OF_TIME.format(wrong=wrong, n=problem.n), **facts)


def _fine_separator(problem: Signed, exact: list[int], facts: dict[str, Any]) -> Certificate:
    """Return the certificate of a separator given in integers; they are kept where floats are too coarse for it."""
    largest = max(abs(part) for part in exact)
    v = np.array([float(Fraction(part, largest)) for part in exact])
    gamma = margin_proved(problem, v)
    if gamma is not None:
        return _separator(problem, v, gamma, True, "exact pivots", facts)
    gamma = integer_margin(problem, exact)
    w, b = problem.split(v)
    fine = tuple(exact)
    return Certificate(True, gamma is not None, w=w, b=b, gamma=gamma, integers=fine, found_by="exact pivots", **facts)
