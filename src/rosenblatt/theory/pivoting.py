"""Separability decided by exact pivots, for the few data sets on which floating point cannot tell 0 from almost 0.

Problem   find v with z_j·v >= 1 for all j, or c >= 0, not all zero, with Σ c_j z_j = 0
Given     integer vectors z_j
Returns   one of the two, exactly
Method    dual simplex with zero costs: v solves z_i·v = 1 on a basis of rows; a row j with z_j·v < 1 enters. Written
          in the basis, z_j = Σ mu_i z_i; if no mu_i > 0, then z_j + Σ |mu_i| z_i = 0 is the witness, else one leaves
Reference Bland (1977), Mathematics of Operations Research 2, for the rule of least indices that makes it finite;
          Edmonds (1967), Journal of Research NBS 71B, for pivots that stay in integers
"""

import math
import time
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

GREEDY = 200  # pivots by the largest violation, which are fewer; then by least index, which must end


@dataclass
class Tableau:
    """Every row written in the basis: q·z_j = Σ_i T[j, i] z_basis[i]; the last D rows are the unit vectors.

    A basis entry of −1 is a unit vector that no row has replaced yet.
    """

    T: NDArray[Any]
    q: int
    basis: list[int]

    def pivot(self, j: int, i: int) -> None:
        """Let row j take place i in the basis."""
        T, a = self.T, self.T[j, i]
        column = T[:, i].copy()
        T = (T * a - np.multiply.outer(column, T[j])) // self.q  # the division leaves no remainder
        T[:, i] = column
        if a < 0:
            T, a = -T, -a
        self.T, self.q, self.basis[i] = T, int(a), j


def decide_exactly(Z: NDArray[Any], end: float = math.inf) -> tuple[list[Fraction] | None, list[int] | None]:
    """Return (v, None) with Z v >= 1, or (None, c) with c @ Z = 0, c >= 0; (None, None) if time runs out.

    >>> decide_exactly(np.array([[1, 0], [-1, 1], [0, -2]], dtype=object))
    (None, [2, 2, 1])
    >>> [str(part) for part in decide_exactly(np.array([[2, 0], [-1, 1]], dtype=object))[0]]
    ['1/2', '3/2']
    """
    n, D = Z.shape
    eye = np.zeros((D, D), dtype=object)
    np.fill_diagonal(eye, 1)
    tableau = Tableau(np.vstack([Z, eye]), 1, [-1] * D)
    for j in range(n):  # a basis of the rows' span, earlier rows first
        places = [i for i in range(D) if tableau.basis[i] < 0 and tableau.T[j, i] != 0]
        if places:
            tableau.pivot(j, places[0])
    used = np.array([b >= 0 for b in tableau.basis])
    pivots = 0
    while time.monotonic() < end:
        T, q = tableau.T, tableau.q
        margins = T[:, used].sum(axis=1)  # q z_j·v, with v = 0 along unit vectors that stayed
        wrong = [j for j in range(n) if margins[j] < q]
        if not wrong:
            return [Fraction(int(value), q) for value in margins[n:]], None
        j = min(wrong, key=lambda j: margins[j]) if pivots < GREEDY else wrong[0]
        leaving = [i for i in np.flatnonzero(used).tolist() if T[j, i] > 0]
        if not leaving:
            c = [0] * n
            c[j] = q
            for i in np.flatnonzero(used).tolist():
                c[tableau.basis[i]] -= int(T[j, i])
            return None, c
        by_index = min(leaving, key=lambda i: tableau.basis[i])
        tableau.pivot(j, max(leaving, key=lambda i: T[j, i]) if pivots < GREEDY else by_index)
        pivots += 1
    return None, None
