"""Made data with a margin and a radius known beforehand: touching rows are planted, the rest drawn at random."""

from dataclasses import replace
from math import isfinite, sqrt

import numpy as np

from rosenblatt._typing import Doubles, Ints
from rosenblatt.datasets.dataset import Dataset
from rosenblatt.errors import DataError


def make_separable(n: int, d: int, *, gamma: float, R: float = 1.0, seed: int = 0, bias: bool = False) -> Dataset:
    """Return n rows in d dimensions whose best margin is ``gamma`` and whose largest norm is ``R``.

    Both in the space the algorithm works in: with ``bias=True`` that is (x, 1), so ``R² = max ‖x‖² + 1``.

    Parameters
    ----------
    n, d : rows (2 or more) and features.
    gamma : best margin, above 0; at most R through the origin, at most sqrt(R² − 1) with a bias.
    R : largest norm; above 1 with a bias.
    seed : of the random rows.
    bias : whether a boundary off the origin is meant.

    Notes
    -----
    The best margin is the distance of the origin from the convex hull of the rows ``y·x`` (or ``y·(x, 1)``). Two
    planted rows have ``gamma·u`` on the segment between them and no other row has ``u·yx < gamma``, so that distance
    is gamma, up to rounding; one of them has norm R.

    Examples
    --------
    >>> data = make_separable(50, 3, gamma=0.1, seed=4)
    >>> w, b = data.u
    >>> margins = data.y * (data.X @ w)
    >>> round(margins.min(), 12), round(data.bound)
    (np.float64(0.1), 100)
    """
    _check(n, d, gamma, R, bias)
    rng = np.random.default_rng(seed)
    w, c = _unit(rng, d), 0.0
    y = rng.permutation(np.where(np.arange(n) % 2 == 0, 1, -1))
    radius = R if not bias else sqrt(R * R - 1)
    if bias:
        furthest = (radius * sqrt(R * R - gamma * gamma) - gamma) / (R * R)  # then a touching row has norm R
        c = min(furthest, 1 / gamma) * (1.0 if d == 1 else rng.uniform(-0.5, 0.5))
    a = sqrt(1 - c * c)  # the best separator is (a·w, c)
    first, second = int(np.flatnonzero(y > 0)[0]), int(np.flatnonzero(y < 0)[0])
    along = _along(rng, y, gamma, a, c, radius)
    for i in (first, second):
        along[i] = (y[i] * gamma - c) / a
    across = _across(rng, w, along, radius)
    q = _unit_across(rng, w)
    if bias:
        p = (1 + gamma * c) / 2  # weight of the positive row on the segment
        free = [sqrt(max(0.0, radius**2 - along[i] ** 2)) for i in (first, second)]
        length = min(free[0] / (1 - p) if p < 1 else np.inf, free[1] / p if p > 0 else np.inf)
        across[first], across[second] = (1 - p) * length * q, p * length * q
        if d == 1 and furthest > 1 / gamma:  # the positive row alone is gamma·u, so that the negative one is free
            along[second] = -radius
    else:
        half = sqrt(max(0.0, R * R - gamma * gamma))
        across[first] = across[second] = half * q
        if d == 1:
            along[second] = y[second] * R
    X = along[:, None] * w + across
    return Dataset(
        "made_separable",
        f"{n} random rows with gamma = {gamma:g} and R = {R:g}",
        X,
        y,
        tuple(f"x{j + 1}" for j in range(d)),
        bias=bias,
        expect="Converges within (R/gamma)² updates from a zero start.",
        separable=True,
        gamma=gamma,
        R=R,
        u=(a * w, c),
    )


def make_noisy(
    n: int, d: int, *, gamma: float = 0.1, R: float = 1.0, flip: float = 0.1, seed: int = 0, bias: bool = False
) -> Dataset:
    """Return ``make_separable`` data with a share of the labels turned over; ``flipped`` names their rows.

    gamma, R and u describe the data before the flips; u errs on exactly the flipped rows. With (u, gamma) the one-pass
    bound ``((R + D)/gamma)²`` holds, ``D² = Σ max(0, gamma − y u·x)²`` (Freund and Schapire 1999, theorem 2).

    >>> make_noisy(20, 2, flip=0.1, seed=1).flipped.tolist()
    [6, 9]
    """
    if not 0 <= flip <= 0.5:
        raise DataError(f"flip={flip!r} must be a share from 0 to 0.5; above that the labels are just renamed.")
    clean = make_separable(n, d, gamma=gamma, R=R, seed=seed, bias=bias)
    rng = np.random.default_rng([seed, 1])
    flipped: Ints = np.sort(rng.choice(n, size=round(flip * n), replace=False)).astype(np.int64)
    y = clean.y.copy()
    y[flipped] *= -1
    if len(np.unique(y)) < 2:
        raise DataError(f"with n={n} and flip={flip!r} one class is left; give more rows or another seed.")
    return replace(
        clean,
        name="made_noisy",
        title=f"{n} random rows, {len(flipped)} labels turned over",
        y=y,
        expect="Rarely separable: averaged, voted and pocket perceptrons are made for this.",
        separable=True if not len(flipped) else None,
        flipped=flipped,
    )


def _check(n: int, d: int, gamma: float, R: float, bias: bool) -> None:
    if not (isinstance(n, int) and n >= 2 and isinstance(d, int) and d >= 1):
        raise DataError(f"n={n!r}, d={d!r}: at least 2 rows and 1 feature are needed.")
    if not (isfinite(R) and (1 if bias else 0) < R):
        raise DataError(f"R={R!r} must be finite and above {'1, the norm of (0, 1)' if bias else 0}.")
    largest = sqrt(R * R - 1) if bias else R
    if not 0 < gamma <= largest:
        raise DataError(f"gamma={gamma!r} must be above 0 and at most {largest:g}, the most that R={R:g} allows.")


def _along(rng: np.random.Generator, y: Ints, gamma: float, a: float, c: float, radius: float) -> Doubles:
    """Draw each row's component along w, uniformly on its own side of the margin."""
    nearest = (y * gamma - c) / a
    return np.asarray(nearest + rng.random(len(y)) * (y * radius - nearest))


def _across(rng: np.random.Generator, w: Doubles, along: Doubles, radius: float) -> Doubles:
    """Draw each row's component across w, uniformly in the ball that the radius leaves."""
    n, d = len(along), len(w)
    drawn = rng.standard_normal((n, d))
    drawn -= np.outer(drawn @ w, w)
    if d == 1:
        return np.zeros((n, 1))
    length = np.sqrt(np.maximum(0.0, radius**2 - along**2)) * rng.random(n) ** (1 / (d - 1))
    return np.asarray(drawn * (length / np.linalg.norm(drawn, axis=1))[:, None])


def _unit(rng: np.random.Generator, d: int) -> Doubles:
    drawn = rng.standard_normal(d)
    return np.asarray(drawn / np.linalg.norm(drawn))


def _unit_across(rng: np.random.Generator, w: Doubles) -> Doubles:
    """Return a unit vector orthogonal to w; zero in one dimension, where there is none."""
    if len(w) == 1:
        return np.zeros(1)
    drawn = rng.standard_normal(len(w))
    for _ in range(2):  # twice, so that rounding leaves nothing along w
        drawn -= (drawn @ w) * w
        drawn /= np.linalg.norm(drawn)
    return np.asarray(drawn)
