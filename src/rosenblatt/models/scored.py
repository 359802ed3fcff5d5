"""What every model reads off its scores: the label, the functional margin m, and the zero-one error."""

from typing import Any

import numpy as np

from rosenblatt._typing import Codes, Doubles, Labels
from rosenblatt.data.labels import encode
from rosenblatt.errors import DataError

# the least score that is predicted positive; the tradition of ``score > 0`` would write 5e-324, the next number above
LEAST_POSITIVE = 0.0


def decide(scores: Doubles, classes: Labels) -> Labels:
    """Return labels from scores: ``score >= 0`` is the positive class; of several classes the first best wins."""
    if np.isnan(scores).any():
        i = int(np.isnan(scores).reshape(len(scores), -1).any(axis=1).argmax())
        raise DataError(
            f"row {i} has no score: its values times the weights are beyond the floats. Scale the features."
        )
    codes = (scores >= LEAST_POSITIVE).astype(np.int64) if scores.ndim == 1 else scores.argmax(axis=1)
    return classes[codes]


def functional_margins(scores: Doubles, codes: Codes) -> Doubles:
    """Return m of each example: ``y·score``, or of several classes the true one's score less the best rival's.

    >>> functional_margins(np.array([6.0, -4.0]), np.array([0, 0])).tolist()
    [-6.0, 4.0]
    >>> functional_margins(np.array([[3.0, 1.0, 2.0]]), np.array([2])).tolist()
    [-1.0]
    """
    if scores.ndim == 1:
        return np.where(codes == 1, scores, -scores)
    at = np.arange(len(codes))
    rivals = scores.copy()
    rivals[at, codes] = -np.inf
    return np.asarray(scores[at, codes] - rivals.max(axis=1))


class Scored:
    """A frozen value with ``score``, and what follows from the scores."""

    classes: Labels

    def score(self, X: Any) -> Doubles:
        """Return a number for each row: shape (n,) for two classes, (n, K) for more."""
        raise NotImplementedError

    def predict(self, X: Any) -> Labels:
        """Return the label of each row."""
        return decide(self.score(X), self.classes)

    def zero_one_error(self, X: Any, y: Any) -> float:
        """Return the share of examples with ``m <= 0``: the error that training counts, and the pocket keeps least.

        ``m = y·score``; of several classes, the true one's score less the best rival's. A tie is wrong for every
        class here, while `predict` must give it to one: so this is never below 1 − accuracy, and above it by the ties.

        >>> from rosenblatt import learn
        >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
        >>> model = learn(X, y, max_passes=1).model
        >>> model.score(X).tolist(), model.zero_one_error(X, y), float((model.predict(X) != y).mean())
        ([0.0, 0.0, 0.0, 0.0], 1.0, 0.5)
        """
        scores = self.score(X)
        return float((functional_margins(scores, encode(y, len(scores), self.classes)[1]) <= 0).mean())
