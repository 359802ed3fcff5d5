"""Rows that can never be right: zero rows without a bias, and equal rows with opposite labels."""

import numpy as np
from numpy.typing import NDArray

from rosenblatt._typing import Ints
from rosenblatt.data.rows import Rows
from rosenblatt.data.splitmix import mix
from rosenblatt.theory.signed import Signed

BLOCK = 2**21  # numbers hashed at a time


def zero_row(problem: Signed) -> int | None:
    """Return the first row that is zero."""
    rows = problem.rows
    if rows.starts is None:
        empty = ~rows.values.any(axis=1)
    else:
        of = np.repeat(np.arange(rows.n), np.diff(rows.starts))
        empty = np.bincount(of, weights=rows.values != 0, minlength=rows.n) == 0
    found = np.flatnonzero(empty)
    return int(found[0]) if len(found) else None


def contradiction(problem: Signed) -> tuple[int, int] | None:
    """Return the first two rows that are equal and have opposite labels: least second row, then least first."""
    keys = row_hashes(problem.rows)
    order = np.argsort(keys, kind="stable")
    group = np.cumsum(np.concatenate([[False], keys[order][1:] != keys[order][:-1]]))
    positive = problem.sign[order] > 0
    n_groups = int(group[-1]) + 1
    first = {True: np.full(n_groups, problem.n), False: np.full(n_groups, problem.n)}
    for side in (True, False):
        mine = positive == side
        np.minimum.at(first[side], group[mine], order[mine])
    both = np.flatnonzero((first[True] < problem.n) & (first[False] < problem.n))
    pairs = sorted((max(a, b), min(a, b)) for a, b in zip(first[True][both], first[False][both], strict=True))
    for late, early in pairs:
        if np.array_equal(problem.rows.row(int(late)), problem.rows.row(int(early))):  # not just equal hashes
            return int(early), int(late)
    return None


def row_hashes(rows: Rows) -> NDArray[np.uint64]:
    """Return a 64-bit hash per row, equal for equal rows; a zero adds nothing, so storage does not matter."""
    factor = np.random.default_rng(0).integers(0, 2**63, rows.d, dtype=np.uint64) * np.uint64(2) + np.uint64(1)
    if rows.starts is None:
        step = max(1, BLOCK // rows.d)
        parts = [rows.values[i : i + step] for i in range(0, rows.n, step)]
        return np.concatenate([(_mixed(part) * factor).sum(axis=1, dtype=np.uint64) for part in parts])
    sums = np.concatenate([[np.uint64(0)], np.cumsum(_mixed(rows.values) * factor[rows.columns], dtype=np.uint64)])
    starts: Ints = rows.starts
    return np.asarray(sums[starts[1:]] - sums[starts[:-1]])  # wraps, as it should


def _mixed(values: NDArray[np.generic]) -> NDArray[np.uint64]:
    """Return scrambled bits of the numbers, 0 for 0 (of either sign)."""
    return mix(np.asarray(values.astype(np.float64) + 0.0).view(np.uint64))
