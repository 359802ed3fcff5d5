"""The best separator of small data, for the cosine column and the bound; None where there is none to be had."""

from fractions import Fraction
from typing import Any

from numpy.typing import NDArray

from rosenblatt.data.rows import Rows
from rosenblatt.errors import DataError
from rosenblatt.theory.margin import max_margin
from rosenblatt.theory.tracing.curves import Best

SMALL = 200_000  # numbers in X up to which the best separator is found by the way


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
