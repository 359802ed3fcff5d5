"""How good predictions are: the confusion matrix, and what is read from it."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from rosenblatt._typing import Doubles, Ints, Labels


@dataclass(frozen=True, eq=False)
class Confusion:
    """Counts of examples by true class (lines) and predicted class (columns).

    Precision and recall are NaN where nothing was predicted or nothing was there.

    >>> found = Confusion.of(["a", "b", "b", "b"], ["a", "a", "b", "b"], np.array(["a", "b"]))
    >>> found.matrix.tolist(), found.accuracy, found.recall.tolist()
    ([[1, 0], [1, 2]], 0.75, [1.0, 0.6666666666666666])
    """

    classes: Labels
    matrix: Ints

    @classmethod
    def of(cls, truth: Any, predicted: Any, classes: Labels) -> "Confusion":
        """Count labels and predictions; every one must be among the classes."""
        matrix = np.zeros((len(classes), len(classes)), dtype=np.int64)
        np.add.at(matrix, (np.searchsorted(classes, truth), np.searchsorted(classes, predicted)), 1)
        return cls(classes, matrix)

    def __add__(self, other: "Confusion") -> "Confusion":
        return Confusion(self.classes, self.matrix + other.matrix)

    @property
    def n(self) -> int:
        return int(self.matrix.sum())

    @property
    def right(self) -> int:
        return int(np.trace(self.matrix))

    @property
    def accuracy(self) -> float:
        return self.right / self.n if self.n else float("nan")

    @property
    def precision(self) -> Doubles:
        """Of the examples given a class, the share that have it."""
        return _share(np.diag(self.matrix), self.matrix.sum(axis=0))

    @property
    def recall(self) -> Doubles:
        """Of the examples of a class, the share that were given it."""
        return _share(np.diag(self.matrix), self.matrix.sum(axis=1))


def _share(part: Ints, whole: Ints) -> Doubles:
    with np.errstate(invalid="ignore"):
        return np.asarray(part / whole)
