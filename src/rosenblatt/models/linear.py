"""A linear model: one weight vector (two classes) or one per class. A frozen value that scores and predicts."""

from dataclasses import dataclass
from typing import Any

import numpy as np

import rosenblatt._core as _core
from rosenblatt._typing import Doubles, Labels
from rosenblatt.data.arrays import as_rows, refuse_not_finite
from rosenblatt.data.cores import cores
from rosenblatt.data.rows import Rows
from rosenblatt.errors import DataError
from rosenblatt.models.line import Line, line_of
from rosenblatt.models.scored import Scored

LARGE = 1 << 22  # bytes of examples from which a second thread pays


def rows_for(X: Any, d: int, *, check_finite: bool = True) -> Rows:
    """Return X as rows, or say that it has the wrong number of columns."""
    rows = as_rows(X, check_finite=check_finite)
    if rows.d != d:
        raise DataError(f"X has {rows.d} features, but the model was trained on {d}.")
    return rows


@dataclass(frozen=True, eq=False)
class LinearModel(Scored):
    """score(x) = w·x + b.

    ``w`` has shape (d,) and ``b`` is a float for two classes; (K, d) and (K,) for one vector per class.

    >>> import numpy as np
    >>> model = LinearModel(np.array([2.0, 4.0]), 0.0, np.array(["no", "yes"]))
    >>> model.score([[1, 1], [-2, 0]]).tolist(), model.predict([[1, 1], [-2, 0]]).tolist()
    ([6.0, -4.0], ['yes', 'no'])
    """

    w: Doubles
    b: Any
    classes: Labels
    names: tuple[str, ...] | None = None

    def score(self, X: Any) -> Doubles:
        """Return w·x + b for each row: shape (n,) for two classes, (n, K) for one vector per class."""
        rows = rows_for(X, self.w.shape[-1], check_finite=False)
        W, b = np.atleast_2d(self.w), np.atleast_1d(np.asarray(self.b, dtype=np.float64))
        threads = cores() if rows.values.nbytes > LARGE else 1
        scores = _core.scores(rows.examples(), W, b, threads)
        # A NaN or infinity in a row always shows in its score (0 times infinity is NaN), so X is read only once.
        if _core.first_not_finite(scores) >= 0:
            refuse_not_finite(rows)
        return scores[:, 0] if self.w.ndim == 1 else scores

    def line(self) -> Line | None:
        """Return the boundary ``x2 = −(w1 x1 + b)/w2`` of a model of two features; None if w = 0.

        >>> import numpy as np
        >>> print(LinearModel(np.array([2.0, 4.0]), -8.0, np.array([0, 1])).line())
        x2 = -0.5 x1 + 2
        """
        if self.w.shape != (2,):
            d, vectors = self.w.shape[-1], len(np.atleast_2d(self.w))
            raise DataError(
                f"the model has {d} features and {vectors} vector{'s' * (vectors != 1)}; the boundary is one line only "
                "for 2 features and 2 classes. Draw it in two features with rosenblatt.plot.BoundaryDisplay."
            )
        return line_of(self.w, float(self.b))
