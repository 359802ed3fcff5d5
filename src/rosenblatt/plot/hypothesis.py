"""What is to be drawn: vectors with an exact boundary, or a score known point by point. Estimators are read by their words."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from rosenblatt._typing import Doubles, Labels
from rosenblatt.errors import DataError
from rosenblatt.learning.outcome import Outcome
from rosenblatt.models.kernel import KernelModel
from rosenblatt.models.linear import LinearModel
from rosenblatt.models.voted import VotedModel


@dataclass(frozen=True, eq=False)
class Hypothesis:
    """``score`` of rows: (n,) for two classes, (n, K) for more; ``W`` (vectors × d) and ``b`` where it is linear."""

    score: Callable[[Doubles], Doubles]
    classes: Labels
    names: tuple[str, ...] | None = None
    W: Doubles | None = None
    b: Doubles | None = None
    bias: bool = True
    stepped: bool = False  # a balance of votes, which jumps

    @property
    def d(self) -> int | None:
        return None if self.W is None else self.W.shape[1]


def hypothesis_of(source: Any) -> Hypothesis:
    """Return what an estimator, outcome or model predicts by.

    A fitted estimator with ``model_`` is read through it; any other with ``coef_`` and ``intercept_`` is linear; any
    other with ``decision_function`` is curved.
    """
    model = source.model if isinstance(source, Outcome) else getattr(source, "model_", source)
    names = getattr(source, "feature_names_in_", getattr(model, "names", None))
    names = None if names is None else tuple(str(name) for name in names)
    bias = bool(getattr(source, "fit_intercept", getattr(model, "bias", True)))
    if isinstance(model, LinearModel):
        return linear(model.w, model.b, model.classes, names, bias)
    if isinstance(model, (VotedModel, KernelModel)):
        return Hypothesis(model.score, model.classes, names, bias=bias, stepped=bool(getattr(model, "ballots", ())))
    if hasattr(source, "coef_") and hasattr(source, "classes_") and not hasattr(source, "support_"):
        return linear(np.squeeze(source.coef_, axis=0) if len(source.coef_) == 1 else source.coef_,
                       np.ravel(source.intercept_)[0] if len(source.coef_) == 1 else source.intercept_,
                       np.asarray(source.classes_), names, bias)  # fmt: skip
    if hasattr(source, "decision_function") and hasattr(source, "classes_"):
        return Hypothesis(_named(source, names), np.asarray(source.classes_), names, bias=bias)
    raise DataError(
        f"{type(source).__name__} has nothing to draw: give a fitted classifier with decision_function, an Outcome of "
        "learn(), or a model."
    )


def linear(w: Any, b: Any, classes: Labels, names: tuple[str, ...] | None, bias: bool) -> Hypothesis:
    """Return the hypothesis of one vector (two classes) or one per class."""
    W = np.atleast_2d(np.asarray(w, dtype=np.float64))
    offsets = np.broadcast_to(np.asarray(b, dtype=np.float64).reshape(-1), len(W)).copy()

    def score(X: Doubles) -> Doubles:
        scores = X @ W.T + offsets
        return np.asarray(scores[:, 0] if len(W) == 1 else scores)

    return Hypothesis(score, classes, names, W, offsets, bias)


def _named(source: Any, names: tuple[str, ...] | None) -> Callable[[Doubles], Doubles]:
    """Return the estimator's score; where it learnt from a data frame it is given one again."""

    def score(X: Doubles) -> Doubles:
        rows: Any = X
        if names is not None:
            import pandas as pd

            rows = pd.DataFrame(X, columns=list(names))
        return np.asarray(source.decision_function(rows), dtype=np.float64)

    return score
