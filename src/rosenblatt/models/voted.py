"""A voted model: every vector with its survival count, stored as the rows that caused updates and their sequence."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import rosenblatt._core as _core
from rosenblatt._typing import Codes, Doubles, Ints, Labels
from rosenblatt.data.rows import Rows
from rosenblatt.models.linear import LinearModel, rows_for
from rosenblatt.models.scored import Scored

CHUNK = 1 << 20  # inner products held at a time: few enough to stay in a cache
FEWEST = 512  # but at least so many examples, for whom the stored rows are prepared once


@dataclass(frozen=True, eq=False)
class Ballot:
    """The updates of one machine in order: which stored row, by how much, and how long each vector survived.

    ``step`` is tau·y for a machine of one vector; for the direct machine it is tau, added to the vector of class
    ``gains`` and taken from that of ``loses``. ``count`` has one entry more: the start vector's comes first.
    """

    row: Ints
    step: Doubles
    count: Doubles
    gains: Codes | None = None
    loses: Codes | None = None


def survival_counts(ballots: Sequence[Ballot]) -> Doubles | list[Doubles]:
    """Return how long each vector survived, the start first: one array, or one a machine."""
    counts = [ballot.count for ballot in ballots]
    return counts[0] if len(counts) == 1 else counts


def cast_votes(S: Doubles, start: tuple[Doubles, Doubles], ballots: Sequence[Ballot], *, bias: bool) -> Doubles:
    """Return the balance of votes of each example (and machine or class), divided by the number of steps.

    S (stored rows × examples) holds their products, ``start`` those of the start's vectors (examples × vectors) and
    its biases.
    """
    S, (products, b), first = np.ascontiguousarray(S), start, ballots[0]
    if first.gains is not None and first.loses is not None:
        votes = _core.votes_direct(S, products, b, first.row, first.step, first.gains, first.loses, first.count, bias)
        return votes / max(first.count.sum(), 1.0)
    columns = [
        _core.votes(S, np.ascontiguousarray(products[:, k]), b[k], ballot.row, ballot.step, ballot.count, bias)
        / max(ballot.count.sum(), 1.0)
        for k, ballot in enumerate(ballots)
    ]
    return np.column_stack(columns)


@dataclass(frozen=True, eq=False)
class VotedModel(Scored):
    """sign(Σ c_k sign(score_k(x))), inner and outer sign(0) = +1; Freund and Schapire 1999, figure 1.

    One-vs-rest: the machine with the largest share of +1 votes wins. Direct: each vector votes for its best class.
    Scores are vote balances divided by the number of steps.
    """

    rows: Rows
    ballots: tuple[Ballot, ...]
    start: LinearModel
    bias: bool
    classes: Labels

    def score(self, X: Any) -> Doubles:
        """Return the balance of votes of each row: shape (n,) for two classes, (n, K) for more."""
        rows = rows_for(X, self.rows.d)
        b = np.atleast_1d(np.asarray(self.start.b, dtype=np.float64))
        starts = replace(self.start, b=np.zeros_like(self.start.b)).score(rows).reshape(rows.n, -1)
        votes = np.concatenate(
            [
                cast_votes(self.rows.products(piece), (starts[place], b), self.ballots, bias=self.bias)
                for place, piece in rows.pieces(max(FEWEST, CHUNK // max(1, self.rows.n)))
            ]
        )
        return votes[:, 0] if votes.shape[1] == 1 else votes
