"""The best separator of small data, for the cosine column and the bound; None where there is none to be had."""

from typing import Any

import numpy as np

from rosenblatt.data.rows import Rows
from rosenblatt.errors import DataError
from rosenblatt.theory.margin import max_margin
from rosenblatt.theory.tracing.curves import Best

SMALL = 200_000  # numbers in X up to which the best separator is found by the way


def best_separator(rows: Rows, y: Any, bias: bool) -> Best | None:
    """Return the best unit separator with gamma and R, or None: not separable, or too large to ask by the way."""
    if rows.n * rows.d > SMALL:
        return None
    try:
        found = max_margin(rows, y, bias=bias)
    except DataError:  # not separable
        return None
    return Best(np.asarray(found.w, dtype=np.float64), float(found.b), float(found.gamma), float(found.R))
