"""The one exact linear solve of the library: Σ c_i z_i = 0 in integers, by p-adic lifting.

Problem   given integer vectors z_1 … z_k, find integers c, not all zero, with Σ c_i z_i = 0
Returns   c with greatest common divisor 1, supported on as few vectors as the elimination finds, or None if the
          vectors are linearly independent
Reference Dixon (1982), "Exact solution of linear equations using p-adic expansions", Numerische Mathematik 40

One elimination modulo a prime gives the inverse there; every further step costs one product and yields 31 more bits of
the solution, so the work grows with the length of the answer and not with the cube of its digits.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt._typing import Ints

PRIMES = (2147483629, 2147483587)  # below 2^31, so that products of residues fit in 64 bits


def relation(Z: NDArray[Any]) -> list[int] | None:
    """Return integers c with ``c @ Z == 0``, or None if the rows of the integer matrix Z are independent.

    >>> relation(np.array([[1, 0], [0, 1], [-2, -3]], dtype=object))
    [2, 3, 1]
    """
    for p in PRIMES:  # a prime that divides a minor would mislead; the second decides
        pivots, columns, free, inverse = _eliminate(Z, p)
        if free is None:
            continue
        solution = _lift(Z, pivots, columns, free, inverse, p)
        if solution is not None:
            return solution
    return None


def _eliminate(Z: NDArray[Any], p: int) -> tuple[list[int], list[int], int | None, Ints]:
    """Return independent rows and pivot columns modulo p, the first dependent row, and the minor's inverse."""
    k, D = Z.shape
    residues = np.array(Z % p, dtype=np.int64)
    columns: list[int] = []
    pivots: list[int] = []
    # Row by row: reduce the new row by those before it; what is left names a pivot column, or nothing: dependent.
    reduced = np.zeros((0, D), dtype=np.int64)
    free: int | None = None
    for i in range(k):
        row = residues[i].copy()
        if pivots:
            factors = row[columns]
            row = (row - _modular_product(factors, reduced, p)) % p
        nonzero = np.flatnonzero(row)
        if not len(nonzero):
            free = i
            break
        j = int(nonzero[0])
        row = row * pow(int(row[j]), -1, p) % p
        reduced = (reduced - reduced[:, j : j + 1] * row) % p  # keeps every pivot column a unit column
        reduced = np.vstack([reduced, row])
        pivots.append(i)
        columns.append(j)
    if free is None:
        return pivots, columns, None, np.zeros((0, 0), dtype=np.int64)
    minor = residues[np.ix_(pivots, columns)]
    return pivots, columns, free, _inverse(minor, p)


def _modular_product(a: Ints, B: Ints, p: int) -> Ints:
    """Return a @ B modulo p for residues, in two halves of a so that no sum overflows."""
    high, low = a >> 16, a & 0xFFFF
    return ((high @ B % p << 16) + low @ B) % p


def _inverse(M: Ints, p: int) -> Ints:
    """Return the inverse modulo p of a matrix that has one (Gauss–Jordan)."""
    r = len(M)
    A = np.hstack([M, np.eye(r, dtype=np.int64)])
    for i in range(r):
        at = i + int(np.flatnonzero(A[i:, i])[0])
        A[[i, at]] = A[[at, i]]
        A[i] = A[i] * pow(int(A[i, i]), -1, p) % p
        factors = A[:, i].copy()
        factors[i] = 0
        A = (A - factors[:, None] * A[i]) % p
    return A[:, r:]


def _lift(Z: NDArray[Any], pivots: list[int], columns: list[int], free: int, inverse: Ints, p: int) -> list[int] | None:
    """Solve x @ M = −Z[free] on the pivot columns, digit by digit to base p, until the fractions fit everywhere."""
    support = [*pivots, free]
    M = Z[np.ix_(pivots, columns)]
    residue = -Z[free, columns]
    largest = max((abs(int(value)) for value in M.ravel()), default=0) * max(1, len(M)) * p
    if largest < 2**62 and all(abs(int(value)) < 2**62 for value in residue):
        M, residue = M.astype(np.int64), residue.astype(np.int64)
    total = np.zeros(len(pivots), dtype=object)
    modulus, attempt = 1, 4
    most = 2 + 2 * sum(int((abs(row) ** 2).sum()).bit_length() // 2 + 1 for row in Z[support]) // 30  # Hadamard
    for step in range(1, most + 1):
        digit = _modular_product((residue % p).astype(np.int64), inverse, p)
        total = total + digit.astype(object) * modulus
        modulus *= p
        residue = (residue - digit.astype(M.dtype) @ M) // p
        if step in (attempt, most) or not residue.any():
            found = _fractions(total, modulus)
            if found is not None:
                c = [*found[0], found[1]]
                vector = np.array(c, dtype=object)
                if not (vector @ Z[support]).any():
                    return _primitive(c, support, len(Z))
            attempt *= 2
    return None


def _fractions(total: NDArray[Any], modulus: int) -> tuple[list[int], int] | None:
    """Return numerators and a common denominator of the residues: each the quotient of two short integers."""
    bound = math.isqrt(modulus // 2)
    common = 1
    numerators: list[int] = []
    for residue in total.tolist():
        scaled = residue * common % modulus
        if scaled > modulus // 2:
            scaled -= modulus
        if abs(scaled) > bound:
            a, b = _quotient(scaled % modulus, modulus, bound)
            if abs(b) > bound or b == 0:
                return None
            common *= b
            numerators = [value * b for value in numerators]
            scaled = a
        numerators.append(scaled)
    return numerators, common


def _quotient(residue: int, modulus: int, bound: int) -> tuple[int, int]:
    """Return a, b with a ≡ b·residue, |a| <= bound (half the Euclidean algorithm)."""
    a0, a1, b0, b1 = modulus, residue, 0, 1
    while a1 > bound:
        q = a0 // a1
        a0, a1, b0, b1 = a1, a0 - q * a1, b1, b0 - q * b1
    return (a1, b1) if b1 > 0 else (-a1, -b1)


def _primitive(c: list[int], support: list[int], k: int) -> list[int]:
    divisor = math.gcd(*c)
    out = [0] * k
    for i, value in zip(support, c, strict=True):
        out[i] = value // divisor
    return out
