"""Learning from a source in blocks: the learners keep their life while windows of examples pass by.

Memory stays within the source's budget: one window is learnt from while the next is read. Counts, clean passes, averages
and the journal are those of a run that had everything in memory and showed the examples in the same order.
"""

import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace

import numpy as np

import rosenblatt._core as _core
from rosenblatt._typing import Doubles
from rosenblatt.data.prefetch import prefetched
from rosenblatt.data.rows import Rows
from rosenblatt.data.source import Block, Source
from rosenblatt.errors import DataError, Interrupted
from rosenblatt.learning.checkpoint import (
    FINAL,
    Checkpoint,
    bind_again,
    digest,
    go_on,
    naming_damage,
    restore,
    write_checkpoint,
)
from rosenblatt.learning.collect import added, collect
from rosenblatt.learning.ctrl_c import CtrlC
from rosenblatt.learning.drive import NO_LIMIT, SLICE, any_capped, make_learners, share_of
from rosenblatt.learning.ledger import Ledger
from rosenblatt.learning.outcome import Outcome
from rosenblatt.learning.plan import Plan
from rosenblatt.learning.policy import Stop, deadline
from rosenblatt.learning.progress import PERIOD, Progress


def learn_stream(
    source: Source,
    plan: Plan,
    stop: Stop,
    start: tuple[Doubles, Doubles],
    *,
    threads: int,
    checkpoint: Checkpoint | None,
    progress: Progress | None,
) -> Outcome:
    """Learn from a source that is larger than memory, pass after pass.

    ``order="cyclic"`` is file order, with exactly the updates that `learn` makes on the same rows in memory. ``"shuffle"``
    permutes blocks, fills a window of them and shuffles its rows together, anew before every pass; ``"shuffle_once"``
    does so once. The other orders, and the pocket, need every example at hand and are refused.

    The journal and the vote keep the rows that caused updates: their memory grows with those.
    """
    run = StreamRun(source, plan, stop, start, threads=threads, checkpoint=checkpoint, progress=progress)
    stopped_by = run.drive()
    outcome = run.outcome(stopped_by)
    if stopped_by == "interrupted":
        raise Interrupted(outcome)
    return outcome


@dataclass
class _Position:
    """Where a streamed run stands: in which pass, at which block, whether inside that block, and why it stopped."""

    pass_number: int = 0
    block: int = 0
    within: bool = False
    stopped_by: str = ""

    def __post_init__(self) -> None:
        for name, kind in (("pass_number", int), ("block", int), ("within", bool), ("stopped_by", str)):
            if type(getattr(self, name)) is not kind:
                raise TypeError(f"{name} is {getattr(self, name)!r}")
        if self.pass_number < 0 or self.block < 0:
            raise ValueError("the place is before the beginning")


def _refuse(plan: Plan) -> None:
    """Refuse what a block at a time cannot do."""
    if plan.order.name not in ("cyclic", "shuffle", "shuffle_once"):
        raise DataError(
            f"order={plan.order.name!r} needs all examples in memory; choose 'cyclic' or 'shuffle', or raise memory=."
        )
    if plan.memory == "pocket":
        raise DataError(
            "the pocket counts errors on all examples at every update, so they must be in memory; "
            "choose the average, or raise memory=."
        )


class StreamRun:
    """One streamed run: learners, ledger and position; ``progress`` is called a few times a second, as in `learn`."""

    def __init__(
        self,
        source: Source,
        plan: Plan,
        stop: Stop,
        start: tuple[Doubles, Doubles],
        *,
        threads: int,
        checkpoint: Checkpoint | None = None,
        progress: Progress | None,
    ) -> None:
        _refuse(plan)
        self.progress, self.told_at = progress, 0.0
        self.ctrl_c = CtrlC()
        self.source, self.plan, self.stop, self.start, self.checkpoint = source, plan, stop, start, checkpoint
        self.fingerprint = f"{source.fingerprint}:{digest(*start)}" if checkpoint is not None else ""
        saved = None if checkpoint is None else checkpoint.load(plan, self.fingerprint)
        self.learners = make_learners(plan, start, threads if saved is None else len(saved.states))
        self.ledger = Ledger(plan, source, len(self.learners))
        self.position = _Position()
        self.end = deadline(stop.max_seconds)
        self.saved_at = time.monotonic()
        self.threads = threads
        self.pool = ThreadPoolExecutor(threads) if threads > 1 and len(self.learners) > 1 else None
        if saved is not None and checkpoint is not None:
            restore(self.learners, saved, checkpoint.path)
            with naming_damage(checkpoint.path):
                self.ledger.restore(saved.extra, plan.d)
                self.position = _Position(**saved.meta["position"])

    def drive(self) -> str:
        """Run passes until a stop; return why."""
        try:
            with self.ctrl_c:
                return self._passes()
        finally:
            if self.pool is not None:
                self.pool.shutdown()

    def _passes(self) -> str:
        place = self.position
        if self.checkpoint is not None and go_on(self.learners, self.stop.max_updates, self.checkpoint.path):
            place.stopped_by = ""
        if place.stopped_by in FINAL:
            self._count_open_block()
            return place.stopped_by
        while place.pass_number < (self.stop.max_passes or NO_LIMIT):
            if reason := self._one_pass():
                return reason
            ended = [learner.end_pass() for learner in self._live()]
            self.position = place = _Position(place.pass_number + 1)
            if all(ended):
                return self._stopped("max_updates" if any_capped(self.learners) else "clean_pass")
        return self._stopped("max_passes")

    def _blocks(self) -> Iterable[Block]:
        """Return the blocks of the pass that are left."""
        place, order = self.position, self.plan.order
        return self.source.blocks(place.pass_number, order=order.name, seed=order.seed, skip=place.block)

    def _count_open_block(self) -> None:
        """Count the updates of the block in which a resumed run had stopped for good."""
        if self.position.within:
            block = next(iter(self._blocks()))
            self._bind(block)
            self.ledger.count(self.learners, block)

    def _live(self) -> list[_core.Learner]:
        """Return the learners that go on: in one-vs-rest some may have stopped before the others."""
        return [learner for learner in self.learners if "live" in learner.counts["machine_running"]]

    def _one_pass(self) -> str:
        """Show every example once; return "" at the end of the pass, else why it was cut short."""
        place = self.position
        ahead = prefetched(iter(self._blocks()))
        try:
            while True:
                try:
                    with self.ctrl_c.welcome():
                        block = next(ahead, None)
                except KeyboardInterrupt:
                    return self._stopped("interrupted")
                if block is None:
                    return ""
                self._bind(block)
                reason = self._one_block(block)
                self.ledger.write(self.learners, block)
                if reason:
                    self._stopped(reason)  # before the counts, which a resumed run takes when it leaves the block
                    self.ledger.count(self.learners, block)
                    return reason
                self.ledger.count(self.learners, block)
                place.block, place.within = place.block + 1, False
                if self._late():
                    return self._stopped("max_seconds")
        finally:
            ahead.close()

    def _bind(self, block: Block) -> None:
        if self.position.within and self.checkpoint is not None:  # resumed inside this block: keep the place
            for learner in self.learners:
                bind_again(learner, block.rows, block.codes, block.weights, self.checkpoint.path, blocks=True)
        else:
            examples = block.rows.examples()
            for learner in self.learners:
                learner.bind(examples, block.codes, block.weights, blocks=True)
        self.position.within = True

    def _one_block(self, block: Block) -> str:
        """Run the learners through a block, in slices; return "" when it is done, else why it was cut short."""
        pending = self._live()
        max_updates = self.stop.max_updates or NO_LIMIT
        while pending:
            try:
                pauses = self._slices(pending, max_updates)
                self._tell()
            except KeyboardInterrupt:
                return "interrupted"
            pending = [learner for learner, pause in zip(pending, pauses, strict=True) if pause == "time"]
            if pending and self._late():
                return "max_seconds"
            if self.checkpoint is not None and time.monotonic() - self.saved_at >= self.checkpoint.every:
                self.ledger.write(self.learners, block)
                self._save()
        return "" if self._live() else "max_updates"

    def _tell(self) -> None:
        if self.progress is None or time.monotonic() < self.told_at + PERIOD:
            return
        self.told_at = time.monotonic()
        counts = [learner.counts for learner in self.learners]
        updates = sum(sum(count["machine_updates"]) for count in counts)
        ended = sum(int(learner.updates_per_pass.sum()) for learner in self.learners)
        steps = max(max(count["machine_steps"]) for count in counts)
        self.progress(self.position.pass_number + 1, updates - ended, steps)

    def _late(self) -> bool:
        return time.monotonic() >= self.end

    def _slices(self, learners: list[_core.Learner], max_updates: int) -> list[str]:
        each = share_of(self.threads, learners)

        def run(learner: _core.Learner) -> str:
            return learner.run(SLICE, NO_LIMIT, max_updates, each)

        pauses = list(map(run, learners) if self.pool is None else self.pool.map(run, learners))
        with self.ctrl_c.welcome():  # not before: nobody may look at a learner while its slice goes on
            return pauses

    def _stopped(self, reason: str) -> str:
        self.position.stopped_by = reason
        if self.checkpoint is not None:
            self._save()
        return reason

    def _save(self) -> None:
        assert self.checkpoint is not None
        write_checkpoint(
            self.checkpoint.path,
            self.plan,
            self.fingerprint,
            self.learners,
            asdict(self.position),
            self.ledger.state(),
        )
        self.saved_at = time.monotonic()

    def outcome(self, stopped_by: str) -> Outcome:
        """Gather what was done."""
        source = self.source
        journal = self.ledger.journal(self.plan, source, self.start)
        rows = Rows(np.zeros((0, source.d)), source.d, names=source.names)
        codes = np.zeros(0, dtype=np.int32)
        found = collect(self.plan, self.learners, rows, codes, source.classes, self.start, stopped_by, written=journal)
        inside = self.position.block > 0 or self.position.within
        total = added([self._updates_per_pass(learner, inside) for learner in self.learners])
        counts = self.ledger.counts
        return replace(
            found,
            n_passes=max(len(total), found.n_passes),
            updates_per_pass=total,
            row_updates=counts if self.plan.shape == "ovr" else counts[0],
        )

    def _updates_per_pass(self, learner: _core.Learner, inside: bool) -> list[int]:
        """Return the updates of each pass, the one cut short included."""
        ended = learner.updates_per_pass.tolist()
        open_ = sum(learner.counts["machine_updates"]) - sum(ended)
        return [*ended, open_] if open_ or (inside and learner in self._live()) else ended
