"""Random data sets for the theorems: integers, decimals, and everything degenerate; the plural is hypothesis's, which shrinks."""

import numpy as np
from hypothesis import strategies as st

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


@st.composite
def integer_sets(draw: st.DrawFn, scale: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Few small integers, so that equal rows, contradictions and zero rows are common; times a scale."""
    d = draw(st.integers(1, 4))
    rows = draw(st.lists(st.tuples(*[st.integers(-3, 3)] * d), min_size=2, max_size=12))
    y = draw(st.lists(st.integers(0, 1), min_size=len(rows) - 2, max_size=len(rows) - 2))
    return np.array(rows, dtype=float) * scale, np.array([0, 1, *y])


def decimal_sets() -> st.SearchStrategy[tuple[np.ndarray, np.ndarray]]:
    """The same in tenths, which floats only come near to: hulls that touch on paper may miss or cross."""
    return integer_sets(scale=0.1)


@st.composite
def separable_sets(draw: st.DrawFn, bias: bool) -> tuple[np.ndarray, np.ndarray]:
    """Integers that some integer vector separates."""
    d = draw(st.integers(1, 4))
    w = np.array(draw(st.lists(st.integers(-3, 3), min_size=d, max_size=d).filter(any)), dtype=float)
    b = draw(st.integers(-3, 3)) if bias else 0
    X = np.array(draw(st.lists(st.tuples(*[st.integers(-5, 5)] * d), max_size=12)), dtype=float).reshape(-1, d)
    score = X @ w + b
    if not (score > 0).any():
        X = np.vstack([X, w * (abs(b) + 1)])
    if not (score < 0).any():
        X = np.vstack([X, -w * (abs(b) + 1)])
    score = X @ w + b
    return X[score != 0], (score[score != 0] > 0).astype(int)


def signed_rows(X: np.ndarray, y: np.ndarray, bias: bool) -> list[list[int]]:
    """Return z = y (x, 1), or y x through the origin, as plain integers."""
    Z = [[*x, 1] if bias else x for x in X.astype(int).tolist()]
    return [[part if label else -part for part in z] for z, label in zip(Z, y, strict=True)]
