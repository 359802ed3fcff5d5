"""Setting examples aside: a split, and folds for cross-validation. Stratified, seeded, the same on every platform."""

from typing import Any

import numpy as np

from rosenblatt._typing import Ints, Labels
from rosenblatt.errors import DataError


def split(labels: Labels, share: float, *, seed: int = 0) -> tuple[Ints, Ints]:
    """Return the rows to learn from and those set aside: of each class about ``share``, at least one row on each side.

    >>> train, test = split(np.array([0, 0, 0, 0, 1, 1, 1, 1]), 0.25)
    >>> len(train), len(test)
    (6, 2)
    """
    if not 0 < share < 1:
        raise DataError(f"the share set aside is {share!r}; it must lie between 0 and 1, such as 0.2.")
    aside = np.zeros(len(labels), dtype=bool)
    for label, members in _shuffled_classes(labels, seed):
        if len(members) < 2:
            raise DataError(f"class {label!r} has 1 row; setting rows aside needs at least 2 of each class.")
        aside[members[: min(max(round(share * len(members)), 1), len(members) - 1)]] = True
    return np.flatnonzero(~aside), np.flatnonzero(aside)


def folds(labels: Labels, k: int, *, seed: int = 0) -> list[tuple[Ints, Ints]]:
    """Return k pairs (learn from, set aside); each row is set aside once, each class is spread evenly.

    >>> [test.tolist() for _, test in folds(np.array([0, 0, 1, 1]), 2)]
    [[0, 2], [1, 3]]
    """
    fold = np.zeros(len(labels), dtype=np.int64)
    first = 0
    for label, members in _shuffled_classes(labels, seed):
        if len(members) < k or k < 2:
            raise DataError(
                f"{k} folds need k >= 2 and at least k rows of each class; class {label!r} has {len(members)}."
            )
        fold[members] = (np.arange(len(members)) + first) % k
        first += len(members)
    return [(np.flatnonzero(fold != i), np.flatnonzero(fold == i)) for i in range(k)]


def _shuffled_classes(labels: Labels, seed: int) -> list[tuple[Any, Ints]]:
    rng = np.random.default_rng(seed)
    classes = np.unique(labels).tolist()
    return [(label, rng.permutation(np.flatnonzero(labels == label))) for label in classes]
