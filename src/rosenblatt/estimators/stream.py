"""What goes on from one block of examples to the next: the compiled learners, and the rows that caused updates."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

import rosenblatt._core as _core
from rosenblatt._typing import Codes, Doubles, Ints, Labels
from rosenblatt.data.rows import Rows
from rosenblatt.errors import DataError
from rosenblatt.learning.collect import collect, machine_steps, voted_model
from rosenblatt.learning.drive import by_class, drive, make_learners
from rosenblatt.learning.journal import COLUMNS, Journal
from rosenblatt.learning.outcome import Outcome
from rosenblatt.learning.plan import Plan
from rosenblatt.learning.policy import Stop
from rosenblatt.models.voted import VotedModel

LARGE = 1e90  # steps below this do not overflow however many there are


def blank_rows(n: int, d: int) -> Rows:
    """Return n rows of d columns that hold nothing."""
    return Rows(np.empty(0), d, np.empty(0, dtype=np.int64), np.zeros(n + 1, dtype=np.int64))


@dataclass
class Chronicle:
    """The journal of a stream: of every block the distinct rows that caused updates, never the others.

    ``places`` are their row numbers, counted from the first row of the stream.
    """

    journals: list[Journal] = field(default_factory=list)
    places: list[Ints] = field(default_factory=list)

    def add(self, journal: Journal, first: int, kept: Ints) -> None:
        """Append a block's journal; its rows are numbered ``first + kept`` in the stream."""
        compact, distinct = journal.compact()
        self.journals.append(compact)
        self.places.append(first + kept[distinct])

    def joined(self) -> Journal:
        """Return everything so far as one journal over the stored rows, in which the parts are then replaced."""
        offsets = np.cumsum([0, *(part.rows.n for part in self.journals)])
        moved = [replace(part, row=part.row + at) for part, at in zip(self.journals, offsets, strict=False)]
        columns: dict[str, Any] = {name: np.concatenate([getattr(part, name) for part in moved]) for name in COLUMNS}
        rows, codes = Rows.stack([part.rows for part in moved]), np.concatenate([part.codes for part in moved])
        self.journals = [replace(moved[0], **columns, rows=rows, codes=codes)]
        self.places = [np.concatenate(self.places)]
        return self.journals[0]


class Stream:
    """Compiled learners that are fed block after block, and go on after ``fit``, a pickle or a pause alike.

    Between blocks they hold nobody's data. All blocks together are one pass in the order given: no block's end can
    stop a machine, and machines that a fit stopped at a clean pass move again (had they been shown the rest of that
    fit they would not have moved, so that averages and counts stay exact).
    """

    def __init__(self, plan: Plan, learners: Sequence[_core.Learner], start: tuple[Doubles, Doubles]) -> None:
        self.plan, self.learners, self.start = plan, list(learners), start
        self.chronicle = Chronicle()
        self.n_rows = 0
        self.weighted = False  # has any step been scaled by a weight?
        self.large = False  # can the weights have come near the end of the floats?
        self._voted: VotedModel | None = None

    @property
    def last(self) -> tuple[Doubles, Doubles]:
        """The vectors in force."""
        w, b = (by_class([getattr(learner, part) for learner in self.learners]) for part in ("w", "b"))
        return w, b

    def bind(self, rows: Rows, codes: Codes, weight: Doubles | None, *, blocks: bool) -> None:
        """Show the learners their next examples."""
        self.weighted |= weight is not None and bool((weight != 1).any())
        examples = rows.examples()
        for learner in self.learners:
            learner.bind(examples, codes, weight, blocks=blocks)

    def learn_block(
        self, rows: Rows, codes: Codes, weight: Doubles | None, classes: Labels, *, threads: int
    ) -> tuple[bool, Outcome]:
        """Learn from one block in the order given; return whether Ctrl-C was pressed, and what was done.

        A block that makes the weights overflow is refused, and leaves the learners where they were.
        """
        heaviest = 1.0 if weight is None else float(weight.max(initial=0))
        high, low = rows.values.max(initial=0), rows.values.min(initial=0)
        largest = max(1.0, float(high), -float(low)) * heaviest
        self.large |= not largest * self.plan.rule.rate < LARGE
        before = [learner.state() for learner in self.learners] if self.large else []
        try:
            for learner in self.learners:
                learner.go_on()
            self.bind(rows, codes, weight, blocks=True)
            interrupted = drive(self.learners, Stop(None), threads=threads) == "interrupted"
            outcome = self.collect(rows, codes, classes, "interrupted" if interrupted else "block_end")
        except DataError:
            self.rest()
            for learner, state in zip(self.learners, before, strict=False):
                learner.restore(state)
            raise
        self._voted = None
        return interrupted, outcome

    def collect(self, rows: Rows, codes: Codes, classes: Labels, stopped_by: str) -> Outcome:
        """Gather what was done, this block's journal alone for a vote."""
        plan = replace(self.plan, memory="last") if self.plan.memory == "vote" else self.plan
        return collect(plan, self.learners, rows, codes, classes, self.start, stopped_by)

    def voted(self, classes: Labels) -> VotedModel:
        """Return the vote of all vectors so far, made on the first question after a block."""
        if self._voted is None:
            self._voted = voted_model(self.plan, self.chronicle.joined(), machine_steps(self.learners), classes)
        return self._voted

    def rest(self) -> None:
        """Let go of the examples."""
        self.bind(blank_rows(0, self.plan.d), np.empty(0, dtype=np.int32), None, blocks=True)
        for learner in self.learners:
            learner.clear_journal()

    def __getstate__(self) -> dict[str, Any]:
        kept = {name: value for name, value in self.__dict__.items() if name != "large"}
        return {**kept, "_voted": None, "learners": [learner.state() for learner in self.learners]}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.learners = make_learners(self.plan, self.start, threads=len(state["learners"]))
        for learner, saved in zip(self.learners, state["learners"], strict=True):
            learner.restore(saved)
        self.large = not float(np.abs(self.last[0]).max(initial=0)) < LARGE
