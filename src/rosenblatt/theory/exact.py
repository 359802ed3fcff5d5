"""Exact arithmetic on floats: every float is an integer times a power of two, so a score has an exact sign.

Nothing here rounds, and nothing here needs a solver. Large matrices are cut into limbs so small that floating-point
matrix products of limbs are exact; a few rows become Python integers.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt._typing import Doubles, Ints
from rosenblatt.data.rows import Rows
from rosenblatt.theory.signed import Signed

BLOCK = 2**21  # numbers cut into limbs at a time
WIDTH = 53  # bits of a float's mantissa, hence of an exact sum


def mantissas(values: NDArray[Any]) -> tuple[Ints, Ints]:
    """Return integers m, odd or zero, and e with ``values == m * 2**e``."""
    fraction, e = np.frexp(values.astype(np.float64))
    m = np.asarray(fraction * 2.0**WIDTH).astype(np.int64)
    low = np.frexp((m & -m).astype(np.float64))[1] - 1  # trailing zeros; −1 where m = 0
    low = np.where(m == 0, 0, low)
    return m >> low, np.where(m == 0, 0, e.astype(np.int64) - WIDTH + low)


def integers(values: NDArray[Any]) -> tuple[NDArray[Any], int]:
    """Return Python integers (an object array) and one exponent e with ``values == ints * 2**e``.

    >>> ints, e = integers(np.array([0.75, -2.0]))
    >>> ints.tolist(), e
    ([3, -8], -2)
    """
    m, exponents = mantissas(values)
    e = int(exponents.min(initial=0))
    shifted = [int(a) << int(k) for a, k in zip(m.ravel().tolist(), (exponents - e).ravel().tolist(), strict=True)]
    out = np.empty(values.size, dtype=object)
    out[:] = shifted
    return out.reshape(values.shape), e


def signed_integers(problem: Signed, index: Ints) -> NDArray[Any]:
    """Return the chosen signed rows as Python integers, all multiplied by one power of two."""
    return integers(problem.compact(index))[0]


def combination_is_zero(problem: Signed, index: Ints, weights: Sequence[Fraction]) -> bool:
    """Say whether Σ weights_i z_i = 0, exactly."""
    common = math.lcm(*(weight.denominator for weight in weights))
    scaled = np.empty(len(weights), dtype=object)
    scaled[:] = [weight.numerator * (common // weight.denominator) for weight in weights]
    return not (scaled @ signed_integers(problem, index)).any()


@dataclass(frozen=True, eq=False)
class ExactProducts:
    """z_i·v for every row: exact signs, and values correct to the last few bits."""

    sign: Ints
    value: Doubles


def exact_products(problem: Signed, v: Sequence[Fraction] | Doubles) -> ExactProducts:
    """Return z_i·v for every row, for v given as floats or as fractions whose denominators are powers of two.

    With B = 2^bits, x = Σ x_k B^k and v = Σ v_l B^l, each product of limbs is below 2^(2 bits) and a sum of d of them
    below 2^53: exact in floating point in whatever order a matrix product adds. Carries are then passed up in int64.
    """
    ints, e = _as_integers(v)
    w, b = (ints[:-1], ints[-1]) if problem.bias else (ints, 0)
    rows = problem.rows
    longest = rows.d if rows.starts is None else int(np.diff(rows.starts).max())
    bits = (WIDTH - 1 - max(longest, 1).bit_length()) // 2
    low, high = _exponent_range(rows)
    n_x = max(1, -(-(high - low) // bits))
    w_limbs = _limbs_of_integers(w, bits)
    b_limbs = _limbs_of_integers([b << -low], bits)[:, 0]
    n_limbs = max(n_x + len(w_limbs) - 1, len(b_limbs)) + 1
    W = Rows(np.ascontiguousarray(w_limbs.astype(np.float64)), rows.d)
    of_row = problem.sign.astype(np.int64)
    signs, values = [], []
    for place, block in _blocks(rows):
        total = np.zeros((n_limbs, block.n), dtype=np.int64)
        for k in range(n_x):
            limb = _limb(block.values, low, k, bits)
            part = Rows(limb, rows.d, block.columns, block.starts).products(W).astype(np.int64)
            total[k : k + len(w_limbs)] += part.T
        total[: len(b_limbs)] += b_limbs[:, None]
        total *= of_row[place]
        sign, value = _carry(total, bits, low + e)
        signs.append(sign)
        values.append(value)
    return ExactProducts(np.concatenate(signs), np.concatenate(values))


def _as_integers(v: Sequence[Fraction] | Doubles) -> tuple[list[int], int]:
    if isinstance(v, np.ndarray):
        ints, e = integers(v)
        return ints.tolist(), e
    e = -max((part.denominator.bit_length() - 1 for part in v), default=0)
    return [int(part * 2**-e) for part in v], e


def _blocks(rows: Rows) -> Iterator[tuple[slice, Rows]]:
    return rows.pieces(max(1, BLOCK // max(1, rows.values.size // rows.n)))


def _exponent_range(rows: Rows) -> tuple[int, int]:
    """Return low <= 0 and high such that every value is an integer multiple of 2^low and below 2^high."""
    low = high = 0
    for _, block in _blocks(rows):
        values = block.values.astype(np.float64, copy=False)
        high = max(high, int(np.frexp(np.abs(values).max(initial=0.0))[1]))
        if not (values == np.floor(values)).all():
            low = min(low, int(mantissas(values)[1].min(initial=0)))
    return low, high


def _limb(values: NDArray[Any], low: int, k: int, bits: int) -> Doubles:
    """Return limb k of ``values / 2**low``, sign included."""
    values = values.astype(np.float64, copy=False)
    if low == 0 and k == 0 and np.abs(values).max(initial=0.0) < 2.0**bits:
        return np.ascontiguousarray(values)
    m, e = mantissas(values)
    shift = e - low - bits * k  # of the mantissa's lowest bit, counted from the limb's lowest
    size = np.abs(m)
    down = np.where(shift < 0, size >> np.clip(-shift, 0, 63), 0)
    room = np.clip(shift, 0, bits)
    up = np.where(shift >= 0, size & ((1 << (bits - room)) - 1), 0) << room  # masked first: the shift cannot overflow
    limb = (up | down) & ((1 << bits) - 1)
    return np.asarray(np.sign(m) * limb, dtype=np.float64)


def _limbs_of_integers(values: Sequence[int], bits: int) -> Ints:
    """Return the limbs of Python integers, lowest first, each with its integer's sign: shape (limbs, len(values))."""
    n = max(1, max((-(-abs(value).bit_length() // bits) for value in values), default=1))
    mask = (1 << bits) - 1
    limbs = [[(abs(value) >> bits * k & mask) * (1 if value >= 0 else -1) for value in values] for k in range(n)]
    return np.array(limbs, dtype=np.int64)


def _carry(total: Ints, bits: int, e: int) -> tuple[Ints, Doubles]:
    """Return sign and value of Σ total[s] 2^(bits s + e)."""
    _normalise(total, bits)
    sign = np.where(total[-1] < 0, -1, total.any(axis=0).astype(np.int64))
    total[:, sign < 0] *= -1
    _normalise(total, bits)  # of the absolute value: now no limb is negative, so the sum below loses nothing
    value = np.zeros(total.shape[1])
    with np.errstate(over="ignore", under="ignore"):  # the value may lie beyond the floats; its sign is exact
        for s in range(len(total)):
            value = value + np.ldexp(total[s].astype(np.float64), bits * s + e)
    return sign, sign * value


def _normalise(total: Ints, bits: int) -> None:
    """Pass carries up: every limb but the top becomes a remainder in [0, 2^bits)."""
    for s in range(len(total) - 1):
        total[s + 1] += total[s] >> bits  # floors, so the remainder is never negative
        total[s] &= (1 << bits) - 1
