"""How far a run is while it goes on: the pass under way, its updates, the steps so far. Showing it is others' work."""

import time
from collections.abc import Callable

import rosenblatt._core as _core

Progress = Callable[[int, int, int], None]  # pass (from 1), its updates so far, steps so far
PERIOD = 0.2  # seconds between two calls: the counts are copied out of the core for each


class Gauge:
    """Reads learners between their slices and tells ``progress``, at most once a period.

    Each learner is read by the thread that runs it, never while it runs; passes and steps are those of the longest,
    updates those of all that are in that pass.
    """

    def __init__(self, progress: Progress) -> None:
        self.progress = progress
        self.next_at = 0.0
        self.found: dict[int, tuple[int, int, int]] = {}

    def read(self, learner: _core.Learner) -> None:
        """Read a learner that has just paused."""
        now = time.monotonic()
        if now < self.next_at:
            return
        self.next_at = now + PERIOD
        per_pass = learner.updates_per_pass
        if len(per_pass):
            steps = max(learner.counts["machine_steps"])
            self.found[id(learner)] = (len(per_pass), int(per_pass[-1]), steps)
            self._tell()
            learner.check_rows()  # the user's function had the user's arrays at hand

    def _tell(self) -> None:
        found = list(self.found.values())
        longest = max(n_pass for n_pass, _, _ in found)
        updates = sum(updates for n_pass, updates, _ in found if n_pass == longest)
        self.progress(longest, updates, max(steps for _, _, steps in found))
