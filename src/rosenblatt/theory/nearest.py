"""The point of a convex hull nearest to the origin: one routine that finds the margin and the witness of its absence.

Problem   min ‖p‖ over p = Σ lambda_i z_i, lambda >= 0, Σ lambda_i = 1
Given     signed rows z_i
Returns   p with its rows and weights. p ≠ 0: then z_i·p >= ‖p‖² for all i, so p/‖p‖ is the separator of largest
          margin gamma = ‖p‖. p = 0: then the lambda, on at most D + 1 affinely independent rows, prove that none exists
Reference Wolfe (1976), "Finding the nearest point in a polytope", Mathematical Programming 11;
          Gilbert (1966) for the optimality condition

Only a pool of rows is worked on; the rows that the current p gets most wrong join it until none does.
"""

import math
import time
from dataclasses import dataclass

import numpy as np

from rosenblatt._typing import Doubles, Ints
from rosenblatt.theory.qr import QR
from rosenblatt.theory.signed import Signed

BATCH = 200  # rows that join the pool at a time
ZERO = 1e-13  # ‖p‖ below this share of the rows' size is the origin, as far as floats can tell
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
    largest = problem.largest()[:d]
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
    exponent = np.clip(-np.rint(np.log2(rms[usable])), -1000, 1000).astype(np.int64)  # beyond it lie no floats
    scale[:d][usable] = np.ldexp(1.0, exponent)
    return scale


def nearest(problem: Signed, scale: Doubles, end: float = math.inf) -> Nearest:
    """Return the nearest point of the rows scaled by ``scale``, by Wolfe's algorithm on a growing pool.

    ``end``: when to stop looking, on the monotonic clock.
    """
    mean = problem.combination(np.arange(problem.n), np.full(problem.n, 1.0 / problem.n))
    pool = _lowest(problem.products(mean * scale * scale), BATCH)
    Z = _coordinates(problem, pool, scale)
    support, weights = [int(np.einsum("ij,ij->i", Z, Z).argmin())], np.ones(1)
    while True:
        how, support, weights = _wolfe(Z, support, weights, end)
        p = problem.combination(pool[support], weights) * scale
        found = Nearest(how, pool[support], weights, p)
        if how in ("zero", "time"):
            return found
        m = problem.products(p * scale)
        m[pool] = np.inf
        wrong = np.flatnonzero(m < p @ p * (1 - 1e-11))
        if not len(wrong):
            return found
        if time.monotonic() > end:
            return Nearest("time", found.rows, weights, p)
        new = wrong[_lowest(m[wrong], BATCH)]
        pool = np.concatenate([pool, new])
        Z = _coordinates(problem, pool, scale) if wide(problem, pool) else np.vstack([Z, problem.matrix(new) * scale])


def wide(problem: Signed, pool: Ints) -> bool:
    """Say whether the space has so many more dimensions than the pool has rows that coordinates should be found."""
    return 4 * len(pool) < problem.D


def _coordinates(problem: Signed, pool: Ints, scale: Doubles) -> Doubles:
    """Return the pool's rows: as they are, or in a wide space as points of as few dimensions with the same products.

    There a Cholesky factor of the inner products stands for the rows; the diagonal grows by a trace so that equal rows
    do not break it, and whatever is found is verified on the rows themselves.
    """
    if not wide(problem, pool):
        return problem.matrix(pool) * scale
    K = problem.gram(pool, scale)
    K[np.diag_indices_from(K)] *= 1 + 1e-13
    K[np.diag_indices_from(K)] += 1e-13 * np.diag(K).max()
    return np.asarray(np.linalg.cholesky(K), dtype=np.float64)


def _lowest(values: Doubles, k: int) -> Ints:
    if len(values) <= k:
        return np.arange(len(values))
    chosen = np.argpartition(values, k)[:k]
    return np.sort(chosen)


def _wolfe(Z: Doubles, support: list[int], weights: Doubles, end: float) -> tuple[str, list[int], Doubles]:
    """Wolfe's algorithm from a start: major cycles add the row with least z·p, minor cycles drop rows of weight 0."""
    square = np.einsum("ij,ij->i", Z, Z)
    factor = QR(Z)
    if not factor.start(support):
        return "stalled", support, weights
    while True:
        p = weights @ Z[support]
        pp = float(p @ p)
        if pp <= ZERO**2 * square[support].max():
            return "zero", support, weights
        if time.monotonic() > end:
            return "time", support, weights
        m = Z @ p
        m[support] = np.inf
        j = int(m.argmin())
        if m[j] >= pp - max(1e-12 * pp, 1e-15 * float(np.sqrt(square[j] * pp))):
            return "apart", support, weights
        found = _minor_cycles(factor, np.append(weights, 0.0)) if factor.add(j) else None
        if found is None:
            return "stalled", support, weights
        better = found @ Z[factor.members]
        if float(better @ better) >= pp:  # in exact arithmetic the norm falls strictly, so this is rounding
            return "stalled", support, weights
        support, weights = list(factor.members), found


def _minor_cycles(factor: QR, weights: Doubles) -> Doubles | None:
    """Walk to the nearest point of the affine hull, dropping the rows met on the way out of the simplex."""
    while True:
        target = factor.weights()
        outside = target <= DUST
        if not outside.any():
            return target
        step = weights[outside] / np.maximum(weights[outside] - target[outside], np.finfo(float).tiny)
        t = min(1.0, float(step.min()))
        weights = (1 - t) * weights + t * target
        keep = weights > DUST
        keep[np.flatnonzero(outside)[step.argmin()]] = False
        if not keep.any():  # squares beyond the floats, or too far apart
            return None
        if not factor.drop(np.flatnonzero(~keep).tolist()):
            return None
        weights = weights[keep] / weights[keep].sum()
