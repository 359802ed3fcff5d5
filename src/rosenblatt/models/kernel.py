"""A kernel model: support rows with dual coefficients, or the sequence of their votes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from rosenblatt._typing import Doubles, Labels
from rosenblatt.data.rows import Rows
from rosenblatt.models.linear import rows_for
from rosenblatt.models.scored import Scored
from rosenblatt.models.voted import CHUNK, Ballot, cast_votes

KernelFunction = Callable[[Rows, Rows], Doubles]


@dataclass(frozen=True, eq=False)
class KernelModel(Scored):
    """score(x) = Σ alpha_i y_i K(x_i, x) + b, with b = Σ alpha_i y_i.

    ``coefficients`` (vectors × support rows) holds alpha_i y_i, ``b`` one number a vector. With ``ballots`` the model
    votes with every dual vector passed through, as VotedModel does.
    """

    support: Rows
    coefficients: Doubles
    b: Doubles
    kernel: KernelFunction
    bias: bool
    classes: Labels
    ballots: tuple[Ballot, ...] = ()

    def score(self, X: Any) -> Doubles:
        """Return the score of each row: (n,) for one vector, (n, K) for several."""
        rows = rows_for(X, self.support.d)
        size = max(1, CHUNK // max(1, self.support.n))
        parts = [self.score_products(self.kernel(piece, self.support)) for _, piece in rows.pieces(size)]
        scores = np.concatenate(parts)
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def score_products(self, K: Doubles) -> Doubles:
        """Return scores (n, vectors) given the kernel values between the examples and the support rows."""
        if self.ballots:
            vectors = len(self.coefficients)
            return cast_votes(K.T, (np.zeros((len(K), vectors)), np.zeros(vectors)), self.ballots, bias=self.bias)
        return np.asarray(K @ self.coefficients.T + self.b)
