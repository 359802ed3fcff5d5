"""What looks on while a fit runs: a line of progress about once a second, and the score on held-out examples."""

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import rosenblatt._core as _core
from rosenblatt._typing import Labels
from rosenblatt.data.rows import Rows
from rosenblatt.learning.drive import NO_LIMIT, any_capped, drive
from rosenblatt.learning.policy import Stop, deadline
from rosenblatt.models.linear import LinearModel
from rosenblatt.models.voted import VotedModel

PERIOD = 1.0  # seconds between two lines of progress


@dataclass
class ProgressPrinter:
    """Tells on stderr, at most once a period, which pass it is and how many updates it has made so far."""

    name: str
    next_at: float = field(default_factory=lambda: time.monotonic() + PERIOD)

    def __call__(self, n_passes: int, n_updates: int, n_steps: int) -> None:
        if time.monotonic() >= self.next_at:
            self.next_at = time.monotonic() + PERIOD
            print(f"[{self.name}] pass {n_passes}: {n_updates} updates so far", file=sys.stderr, flush=True)


@dataclass
class HeldOut:
    """Stops when the accuracy on examples that were not learnt from has not grown for some passes; keeps the best.

    Of equal scores the later state is kept, so that a separating vector is not given up for an earlier, luckier one.
    """

    rows: Rows
    labels: Labels
    patience: int
    model: Callable[[], LinearModel | VotedModel]
    best_score: float = -1.0
    best: list[dict[str, object]] = field(default_factory=list)
    passes_without_gain: int = 0

    def ends(self, learners: Sequence[_core.Learner]) -> bool:
        """Score after a pass; return whether enough passes have gone by without a gain."""
        score = float((self.model().predict(self.rows) == self.labels).mean())
        self.passes_without_gain = 0 if score > self.best_score else self.passes_without_gain + 1
        if score >= self.best_score:
            self.best_score, self.best = score, [learner.state() for learner in learners]
        return self.passes_without_gain >= self.patience


def drive_watched(
    learners: Sequence[_core.Learner],
    stop: Stop,
    threads: int,
    progress: ProgressPrinter | None,
    held_out: HeldOut | None,
) -> str:
    """Run the learners to their stop, pausing for whoever looks on; return why, "interrupted" after Ctrl-C."""
    most = stop.max_passes or NO_LIMIT
    live, limit = list(learners), most if held_out is None else 1
    end = deadline(stop.max_seconds)
    try:
        while True:
            until = replace(stop, max_passes=limit, max_seconds=max(end - time.monotonic(), 1e-9))
            reason = drive(live, until, threads=threads, progress=progress)
            live = [learner for learner in live if "live" in learner.counts["machine_running"]]
            if reason in ("interrupted", "max_seconds"):
                return reason
            if held_out is not None and held_out.ends(learners):
                return "held_out"
            if not live or limit == most:
                return "max_updates" if reason == "clean_pass" and any_capped(learners) else reason
            if time.monotonic() >= end:
                return "max_seconds"
            limit += 1
    except KeyboardInterrupt:  # while looking on; while running, `drive` catches it
        return "interrupted"
