"""Random data sets for the theorems: integers, decimals, and everything degenerate."""

import numpy as np

from tests.contracts.problems import random_problem


def integer_set(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Small integers with duplicates, contradictions, zero rows and constant features."""
    return random_problem(rng)


def decimal_set(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """One-decimal rows, often with a feature that depends on another, nearly separable: where floats mislead."""
    n, d = int(rng.integers(5, 60)), int(rng.integers(1, 8))
    X = np.round(rng.normal(size=(n, d)), 1)
    if rng.random() < 0.3:
        X[:, 0] = X[:, -1] * 0.3 + 0.1
    if rng.random() < 0.2:
        X = X * 10.0 ** rng.integers(-6, 6, d)
    y = (X @ rng.normal(size=d) + rng.normal() * 0.2 > 0).astype(int)
    if rng.random() < 0.3:
        y[rng.integers(n)] ^= 1
    y[:2] = [0, 1]
    return X, y


def touching_set(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Classes whose hulls touch in a face: neither apart nor overlapping."""
    n, d = int(rng.integers(5, 30)), int(rng.integers(2, 6))
    X = rng.integers(-2, 3, (n, d)).astype(float)
    X[:, -1] = np.abs(X[:, -1]) * (rng.random(n) < 0.5)
    X[0, -1] = 0
    y = np.where(X[:, -1] > 0, 1, rng.integers(0, 2, n))
    y[:2] = [0, 1]
    if rng.random() < 0.5:
        X = X * 0.1
    if rng.random() < 0.3:
        X = X @ rng.integers(-3, 4, (d, d))
    return X, y


def separable_set(rng: np.random.Generator, bias: bool) -> tuple[np.ndarray, np.ndarray]:
    """Integers that some integer vector separates."""
    while True:
        n, d = int(rng.integers(2, 15)), int(rng.integers(1, 5))
        X = rng.integers(-5, 6, (n, d)).astype(float)
        score = X @ rng.integers(-3, 4, d) + (rng.integers(-3, 4) if bias else 0)
        X, y = X[score != 0], (score[score != 0] > 0).astype(int)
        if len(set(y.tolist())) == 2:
            return X, y
