"""The best separator of small data, for the cosine column and the bound; None where there is none to be had."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt._typing import Doubles
from rosenblatt.data.rows import Rows
from rosenblatt.errors import DataError
from rosenblatt.theory.margin import SAFETY, max_margin

SMALL = 200_000  # numbers in X up to which the best separator is found by the way


@dataclass(frozen=True, eq=False)
class Best:
    """A unit separator (w, b), the margin ``gamma`` it has, and the largest norm ``R``, in the algorithm's space."""

    w: Doubles
    b: float
    gamma: float
    R: float

    def most_updates(self, start: Doubles, rate: Any, margin: Any) -> Any:
        """Return the largest whole k with ``u·w0 + k r γ <= sqrt(‖w0‖² + k (r²R² + 2 r β))``; rounding never lowers it.

        ``start`` is (w0, b0), or one a line with a rate and a margin each. From a zero start with margin 0 it is (R/γ)².

        >>> Best(np.array([1.0]), 0.0, 0.5, 2.0).most_updates(np.zeros(2), 1.0, 0.0)
        np.float64(16.0)
        """
        # p k² − q k − c <= 0, all divided by rate and R; k grows with q and c: both are raised by more than was rounded,
        # and so is k. Where it leaves the floats it is infinite.
        safety, gamma = float(SAFETY), self.gamma / self.R
        with np.errstate(all="ignore"):
            w0 = start / np.expand_dims(rate * self.R, -1)
            along, square = w0 @ np.append(self.w, self.b), (w0**2).sum(axis=-1)
            q = (1 + 2 * margin / (rate * self.R) / self.R) * (1 + safety) - 2 * gamma * (
                along - safety * np.sqrt(square)
            )
            p, c = gamma * gamma, square * (1 + safety) - along**2
            root = np.sqrt(q * q + 4 * p * c)
            k = np.where(q >= 0, (q + root) / np.float64(2 * p), 2 * c / (root - q))  # neither form subtracts
        return np.floor(k * (1 + safety))


def best_separator(rows: Rows, y: Any, bias: bool, exact: NDArray[Any] | None = None) -> Best | None:
    """Return the best unit separator with gamma and R, or None: not separable, or too large to ask by the way.

    ``exact`` are the fractions, dense, of which the rows are the nearest floats. Their margin along u may be smaller by
    2^-53 R, so gamma is lowered by more than that, and what is not above it is no margin: of decimals that meet on a
    line the floats may be separable.
    """
    if rows.n * rows.d > SMALL:
        return None
    try:
        found = max_margin(rows, y, bias=bias)
    except DataError:  # not separable
        return None
    rounded = exact is not None and any(Fraction(x) != q for x, q in zip(rows.values.flat, exact.flat, strict=True))
    gamma = found.gamma - 2.0**-52 * found.R if rounded else found.gamma
    return Best(found.w, found.b, gamma, found.R) if gamma > 0 else None
