"""From almost a proof to a proof: what the nearest point found in floating point, made exact in integers."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from rosenblatt._typing import Doubles, Ints
from rosenblatt.theory.certificate import verify_witness
from rosenblatt.theory.exact import exact_products, signed_integers
from rosenblatt.theory.lifting import relation
from rosenblatt.theory.pivoting import decide_exactly
from rosenblatt.theory.signed import Signed

MOST_PIVOTED = 128  # dimensions; a tableau of long integers beyond that takes minutes
Weighted = tuple[Ints, tuple[Fraction, ...]]


def witness(problem: Signed, rows: Ints, weights: Doubles) -> Weighted | None:
    """Return rows and exact weights > 0 with Σ weight_i z_i = 0, near the given ones; None if there are none.

    Each integer relation c among the rows is either of one sign, and then it is the witness, or it is used to move the
    weights along c until one of them vanishes (Carathéodory's argument), which leaves fewer rows.
    """
    while len(rows) > 0:
        c = relation(signed_integers(problem, rows))
        if c is None:
            return None
        if max(c) <= 0:
            c = [-value for value in c]
        if min(c) >= 0:
            return _normalised(problem, rows, c)
        largest = max(abs(value) for value in c)
        along = np.array([float(Fraction(value, largest)) for value in c])
        step = np.where(along > 0, weights / np.where(along > 0, along, 1.0), np.inf)
        out = int(step.argmin())
        weights = np.maximum(weights - step[out] * along, 0.0)
        keep = np.arange(len(rows)) != out
        rows, weights = rows[keep], weights[keep]
    return None


def by_pivots(problem: Signed, rows: Ints, products: Doubles, end: float) -> tuple[list[int] | None, Weighted | None]:
    """Decide by exact pivots on a growing pool, starting from ``rows`` and those with the least products.

    Returns (v, None) with integers v that separate, (None, witness), or (None, None) if it would take too long.
    """
    if problem.D > MOST_PIVOTED:
        return None, None
    close = np.argsort(products, kind="stable")[: 4 * problem.D + 50]
    pool = np.concatenate([rows, np.setdiff1d(close, rows)])
    while True:
        exact, c = decide_exactly(signed_integers(problem, pool), end)
        if c is not None:
            return None, _normalised(problem, pool, c)
        if exact is None:
            return None, None
        v, wrong = _shortest(problem, exact, pool)
        if not len(wrong):
            return v, None
        pool = np.concatenate([pool, wrong[:200]])


def _shortest(problem: Signed, exact: Sequence[Fraction], pool: Ints) -> tuple[list[int], Ints]:
    """Round v to so few bits that the pool is still separated; return it in integers, and the rows it gets wrong."""
    largest = max(abs(part) for part in exact)
    bits = 53
    while True:
        v = [round(part / largest * 2**bits) for part in exact]
        sign = exact_products(problem, [Fraction(part) for part in v]).sign
        if (sign[pool] > 0).all():
            return v, np.flatnonzero(sign <= 0)
        bits *= 2


def _normalised(problem: Signed, rows: Ints, c: Sequence[int]) -> Weighted | None:
    total = sum(c)
    used = sorted((i for i, value in enumerate(c) if value > 0), key=lambda i: int(rows[i]))
    found = rows[used], tuple(Fraction(c[i], total) for i in used)
    return found if verify_witness(problem, *found) else None
