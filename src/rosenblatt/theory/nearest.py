"""The point of a convex hull nearest to the origin: one routine that finds the margin and the witness of its absence.

Problem   min ‖p‖ over p = Σ lambda_i z_i, lambda >= 0, Σ lambda_i = 1
Given     signed rows z_i
Returns   p with its rows and weights. p ≠ 0: then z_i·p >= ‖p‖² for all i, so p/‖p‖ is the separator of largest
          margin gamma = ‖p‖. p = 0: then the lambda, on at most D + 1 affinely independent rows, prove that none exists
Reference Wolfe (1976), "Finding the nearest point in a polytope", Mathematical Programming 11;
          Gilbert (1966) for the optimality condition

Only a pool of rows is worked on; the rows that the current p gets most wrong join it until none does.
"""

import time
from dataclasses import dataclass

import numpy as np

from rosenblatt._typing import Doubles, Ints
from rosenblatt.theory.signed import Signed

BATCH = 200  # rows that join the pool at a time
ZERO = 1e-13  # ‖p‖ below this share of the rows' size is the origin, as far as floats can tell
FLAT = 1e-13  # a new row closer than this share to the affine hull of the others lies in it
DUST = 1e-15  # a weight below this is rounding


@dataclass(frozen=True, eq=False)
class Nearest:
    """p, the rows it is a combination of, and their weights. ``end``: "apart", "zero", "stalled" or "time"."""

    end: str
    rows: Ints
    weights: Doubles
    p: Doubles


def power_scale(problem: Signed) -> Doubles:
    """Return one power of two per coordinate that brings its root mean square near 1; exact, and reversible."""
    d, columns = problem.rows.d, problem.rows.columns
    values = problem.rows.values.astype(np.float64, copy=False)
    largest = np.zeros(d)
    if columns is None:
        np.maximum(values.max(axis=0), -values.min(axis=0), out=largest)
    else:
        np.maximum.at(largest, columns, np.abs(values))
    usable = largest > 0
    divisor = np.where(usable, largest, 1.0)  # squares of values near 1 neither overflow nor vanish
    if columns is None:
        parts = (values[i : i + 2**15] / divisor for i in range(0, problem.n, 2**15))
        square = np.sum([np.einsum("ij,ij->j", part, part) for part in parts], axis=0)
    else:
        square = np.bincount(columns, weights=(values / divisor[columns]) ** 2, minlength=d)
    rms = largest * np.sqrt(square / problem.n)
    usable = rms > 0
    scale = np.ones(problem.D)
    scale[:d][usable] = np.ldexp(1.0, -np.rint(np.log2(rms[usable])).astype(np.int64))
    return scale


def nearest(problem: Signed, scale: Doubles, deadline: float | None = None) -> Nearest:
    """Return the nearest point of the rows scaled by ``scale``, by Wolfe's algorithm on a growing pool."""
    mean = _mean(problem) * scale
    pool = _lowest(problem.products(mean * scale), BATCH)
    Z = problem.matrix(pool) * scale
    support, weights = [int(np.einsum("ij,ij->i", Z, Z).argmin())], np.ones(1)
    while True:
        end, support, weights, p = _wolfe(Z, support, weights, deadline)
        found = Nearest(end, pool[support], weights, p)
        if end in ("zero", "time"):
            return found
        m = problem.products(p * scale)
        m[pool] = np.inf
        wrong = np.flatnonzero(m < p @ p * (1 - 1e-11))
        if not len(wrong):
            return found
        if deadline is not None and time.monotonic() > deadline:
            return Nearest("time", pool[support], weights, p)
        new = wrong[_lowest(m[wrong], BATCH)]
        pool, Z = np.concatenate([pool, new]), np.vstack([Z, problem.matrix(new) * scale])


def _mean(problem: Signed) -> Doubles:
    rows = problem.rows
    if rows.columns is None or rows.starts is None:
        mean = problem.sign @ rows.values / problem.n
    else:
        sign = np.repeat(problem.sign, np.diff(rows.starts))
        mean = np.bincount(rows.columns, weights=sign * rows.values, minlength=rows.d) / problem.n
    return np.append(mean, problem.sign.mean()) if problem.bias else mean


def _lowest(values: Doubles, k: int) -> Ints:
    if len(values) <= k:
        return np.arange(len(values))
    chosen = np.argpartition(values, k)[:k]
    return np.sort(chosen)


def _wolfe(
    Z: Doubles, support: list[int], weights: Doubles, deadline: float | None
) -> tuple[str, list[int], Doubles, Doubles]:
    """Wolfe's algorithm from a start: major cycles add the row with least z·p, minor cycles drop rows of weight 0."""
    square = np.einsum("ij,ij->i", Z, Z)
    while True:
        p = weights @ Z[support]
        pp = float(p @ p)
        if pp <= ZERO**2 * square[support].max():
            return "zero", support, weights, p
        if deadline is not None and time.monotonic() > deadline:
            return "time", support, weights, p
        m = Z @ p
        m[support] = np.inf
        j = int(m.argmin())
        if m[j] >= pp - max(1e-12 * pp, 1e-15 * float(np.sqrt(square[j] * pp))):
            return "apart", support, weights, p
        grown = minor_cycles(Z, [*support, j], np.append(weights, 0.0))
        if grown is None:
            return "stalled", support, weights, p
        better = grown[1] @ Z[grown[0]]
        if float(better @ better) >= pp:  # in exact arithmetic the norm falls strictly, so this is rounding
            return "stalled", support, weights, p
        support, weights = grown


def minor_cycles(Z: Doubles, support: list[int], weights: Doubles) -> tuple[list[int], Doubles] | None:
    """Walk to the nearest point of the affine hull, dropping the rows met on the way out of the simplex."""
    while True:
        target = affine_weights(Z[support])
        if target is None:
            return None
        outside = target <= DUST
        if not outside.any():
            return support, target
        step = weights[outside] / np.maximum(weights[outside] - target[outside], np.finfo(float).tiny)
        t = min(1.0, float(step.min()))
        weights = (1 - t) * weights + t * target
        keep = weights > DUST
        keep[np.flatnonzero(outside)[step.argmin()]] = False
        support = [i for i, kept in zip(support, keep, strict=True) if kept]
        weights = weights[keep] / weights[keep].sum()


def affine_weights(Z: Doubles) -> Doubles | None:
    """Return alpha, Σ alpha = 1, with Σ alpha_i z_i nearest to the origin; None if the rows are affinely dependent.

    With A = [1 Z]ᵀ the normal equations AᵀA u = 1 are the least squares problem A u ≈ e_1, since A's first row is 1;
    so a QR factorisation solves them without squaring the condition number.
    """
    A = np.vstack([np.ones(len(Z)), Z.T])
    if A.shape[0] < A.shape[1]:
        return None
    Q, R = np.linalg.qr(A)
    diagonal = np.abs(np.diag(R))
    if diagonal.min() <= FLAT * diagonal.max():
        return None
    u = np.linalg.solve(R, Q[0])
    return np.asarray(u / u.sum())
