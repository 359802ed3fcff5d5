"""Boolean functions as data: what a perceptron can represent, and what it cannot."""

from itertools import product

import numpy as np

from rosenblatt.datasets.dataset import Dataset
from rosenblatt.errors import DataError

LARGEST = 16  # 65 536 rows


def k_of_n(n: int, k: int) -> Dataset:
    """Return all 2ⁿ rows of 0 and 1, positive where at least k are 1; ``w = (2, ..., 2), b = 1 − 2k`` separates them.

    >>> from rosenblatt import learn
    >>> learn(*k_of_n(5, 3)).converged
    True
    """
    if not (isinstance(n, int) and 1 <= n <= LARGEST):
        raise DataError(f"n={n!r} must be a whole number from 1 to {LARGEST}: there are 2**n rows.")
    if not (isinstance(k, int) and 1 <= k <= n):
        raise DataError(f"k={k!r} must be a whole number from 1 to n={n}; otherwise all rows have one label.")
    X = np.array(list(product((0.0, 1.0), repeat=n)))
    return Dataset(
        f"{k}_of_{n}",
        f"At least {k} of {n}",
        X,
        np.where(X.sum(axis=1) >= k, 1, -1),
        tuple(f"x{j + 1}" for j in range(n)),
        expect=f"Converges; every feature 2 and bias {1 - 2 * k} is one solution.",
        separable=True,
        R=float(np.sqrt(n + 1)),
    )


def and_() -> Dataset:
    """Return AND: positive only where both are 1."""
    return _table("and", "AND", (-1, -1, -1, 1), "Converges: x1 + x2 - 3/2 is one solution.", True)


def or_() -> Dataset:
    """Return OR: negative only where both are 0."""
    return _table("or", "OR", (-1, 1, 1, 1), "Converges: x1 + x2 - 1/2 is one solution.", True)


def xor() -> Dataset:
    """Return XOR, which no line separates: the four rows, weighted 1/4 each, sum to zero (Minsky and Papert 1969)."""
    return _table("xor", "XOR", (-1, 1, 1, -1), "Never converges: the two diagonals cross.", False)


def _table(name: str, title: str, y: tuple[int, ...], expect: str, separable: bool) -> Dataset:
    X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    return Dataset(name, title, X, np.array(y), ("x1", "x2"), expect=expect, separable=separable, R=float(np.sqrt(3.0)))
