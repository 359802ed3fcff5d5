"""What a run returns: the model, the journal and the counts, none of them mixed up."""

from dataclasses import dataclass

from rosenblatt._typing import Doubles, Ints
from rosenblatt.learning.journal import Journal
from rosenblatt.models.linear import LinearModel
from rosenblatt.models.voted import VotedModel


@dataclass(frozen=True, eq=False, kw_only=True)
class Counts:
    """How a run went.

    Attributes
    ----------
    converged : whether the run ended with a clean pass (each machine, in one-vs-rest).
    stopped_by : "clean_pass", "max_passes", "max_updates", "max_seconds", "held_out", "interrupted".
    n_passes, n_updates, n_mistakes, n_steps : sweeps (the clean one included); steps that moved the weights; steps
        with m <= 0; examples shown. One-vs-rest: passes and steps of the longest machine, the others summed.
    updates_per_pass : updates in each pass.
    """

    converged: bool
    stopped_by: str
    n_passes: int
    n_updates: int
    n_mistakes: int
    n_steps: int
    updates_per_pass: Ints


@dataclass(frozen=True, eq=False, kw_only=True)
class Outcome(Counts):
    """The result of one run: how it went (see `Counts`) and what it left.

    Attributes
    ----------
    model : what was learned, by the chosen memory.
    last : the vector in force at the end, whatever the memory.
    journal : the updates, or None if they were not asked for and not kept.
    row_updates : how often each example caused an update; (n,), or (K, n) in one-vs-rest.
    pocket_errors : training errors of the pocket's vector, one a machine; None for other memories.
    """

    model: LinearModel | VotedModel
    last: LinearModel
    journal: Journal | None
    row_updates: Ints
    pocket_errors: Ints | None = None

    @property
    def w(self) -> Doubles:
        """The model's weights (the last vector's, for a vote)."""
        return self.model.w if isinstance(self.model, LinearModel) else self.last.w

    @property
    def b(self) -> float | Doubles:
        """The model's bias (the last vector's, for a vote)."""
        model = self.model if isinstance(self.model, LinearModel) else self.last
        return model.b

    def __repr__(self) -> str:
        verdict = "converged" if self.converged else f"not converged ({self.stopped_by})"
        machines = f" of {len(self.row_updates)} machines" if self.row_updates.ndim == 2 else ""
        return (
            f"Outcome({verdict}; {self.n_updates} updates{machines}, {self.n_mistakes} mistakes, "
            f"{self.n_steps} steps, {self.n_passes} passes)"
        )
