"""Feeding the core: make the learners, run them in slices, gather what they did. `learn` is the front door."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

import rosenblatt._core as _core
from rosenblatt._typing import Codes, Doubles, Labels
from rosenblatt.data.arrays import Rows, as_rows
from rosenblatt.data.labels import check_weights, encode
from rosenblatt.data.source import Source
from rosenblatt.errors import DataError, Interrupted
from rosenblatt.learning.checkpoint import Checkpoint, digest, drive_saved, restore, unfinished, write_checkpoint
from rosenblatt.learning.journal import Journal
from rosenblatt.learning.outcome import Outcome
from rosenblatt.learning.policy import MEMORIES, MULTICLASS, Order, Rule, Stop, at_least_one, one_of
from rosenblatt.models.linear import LinearModel
from rosenblatt.models.voted import Ballot, VotedModel

SLICE = 0.05  # seconds between two looks at Ctrl-C, clocks and callbacks
NO_LIMIT = 2**62
JOURNAL_LIMIT = 20_000_000  # updates; about 0.7 GB
# Several learners may stop for several reasons: the first of these counts.
RANKED = ("journal_full", "max_seconds", "held_out", "max_updates", "max_passes", "block_end")


@dataclass(frozen=True)
class Plan:
    """Everything that decides a run except the examples."""

    d: int
    n_classes: int
    rule: Rule
    order: Order
    memory: str = "last"
    bias: bool = True
    multiclass: str = "ovr"
    journal: bool = True
    screening: bool = True  # skip examples that are provably right; the journal is the same

    def __post_init__(self) -> None:
        one_of("memory", self.memory, MEMORIES)
        one_of("multiclass", self.multiclass, MULTICLASS)
        if not isinstance(self.bias, (bool, np.bool_)):
            raise DataError(f"bias={self.bias!r} must be True or False.")
        if self.shape == "direct" and self.rule.ties == "positive":
            raise DataError("ties='positive' is a rule for two classes; the direct machine needs ties='mistake'.")

    @property
    def shape(self) -> str:
        if self.n_classes == 2:  # one machine either way: m of the direct one is twice the binary m
            return "binary"
        return self.multiclass

    @property
    def vectors(self) -> int:
        return 1 if self.shape == "binary" else self.n_classes


def start_vectors(start: Any, plan: Plan) -> tuple[Doubles, Doubles]:
    """Return (W, b) to start from: zeros, "random" (seeded standard normal), or the user's (w0, b0)."""
    W, b = np.zeros((plan.vectors, plan.d)), np.zeros(plan.vectors)
    if start is None or (isinstance(start, str) and start == "zeros"):
        return W, b
    if isinstance(start, str):
        one_of("start", start, ("zeros", "random"))
        normal = np.random.default_rng(plan.order.seed).standard_normal((plan.vectors, plan.d + 1))
        return np.ascontiguousarray(normal[:, :-1]), normal[:, -1].copy() if plan.bias else b
    pair = isinstance(start, tuple) and len(start) == 2 and np.ndim(start[0]) > 0
    w0, b0 = start if pair else (start, 0.0)
    try:
        w0, b0 = np.asarray(w0, dtype=np.float64), np.asarray(b0, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(f"start={start!r} must be 'zeros', 'random' or a pair (w0, b0) of numbers.") from None
    if w0.size != W.size or b0.size not in (1, b.size):
        raise DataError(f"start has w of shape {w0.shape} and b of shape {b0.shape}; expected {W.shape} and {b.shape}.")
    if not (np.isfinite(w0).all() and np.isfinite(b0).all()):
        raise DataError("start holds NaN or infinity; every number must be finite.")
    if not plan.bias and b0.any():
        raise DataError(f"start has b = {b0.tolist()}, but bias=False; leave b out.")
    return np.ascontiguousarray(w0.reshape(W.shape)), np.broadcast_to(b0.ravel(), b.shape).copy()


def make_learners(plan: Plan, start: tuple[Doubles, Doubles], threads: int = 1) -> list[_core.Learner]:
    """Return the learners of a plan: one, or in one-vs-rest as many as there are threads, each with some classes."""
    groups = [np.arange(plan.vectors)]
    if plan.shape == "ovr":
        own_order = plan.order.name in ("first", "worst")  # what is shown depends on the machine
        groups = np.array_split(groups[0], plan.vectors if own_order else min(max(threads, 1), plan.vectors))
    learners = []
    for group in groups:
        learner = _core.Learner(
            shape=plan.shape,
            vectors=len(group),
            d=plan.d,
            first_class=int(group[0]),
            margin=plan.rule.margin,
            rate=plan.rule.rate,
            bias=plan.bias,
            ties_positive=plan.rule.ties == "positive",
            order=plan.order.name,
            seed=plan.order.seed,
            average=plan.memory == "average",
            pocket=plan.memory == "pocket",
            journal=plan.journal or plan.memory == "vote",
            journal_limit=JOURNAL_LIMIT,
            screening=plan.screening,
        )
        learner.start(np.ascontiguousarray(start[0][group]), np.ascontiguousarray(start[1][group]))
        learners.append(learner)
    return learners


AfterPass = Callable[[], bool]  # called after every pass; True stops the run


def drive(
    learners: Sequence[_core.Learner], stop: Stop, after_pass: AfterPass | None = None, threads: int = 1
) -> tuple[str, bool]:
    """Run the learners to their stop, in slices; return why it stopped and whether Ctrl-C was pressed."""
    reasons, interrupted = drive_each(learners, stop, after_pass, threads)
    return ("interrupted" if interrupted else first_reason(reasons)), interrupted


def first_reason(reasons: Sequence[str]) -> str:
    """Return why a run of several learners stopped."""
    return next((reason for reason in RANKED if reason in reasons), "clean_pass")


def drive_each(
    learners: Sequence[_core.Learner], stop: Stop, after_pass: AfterPass | None = None, threads: int = 1
) -> tuple[list[str], bool]:
    """Run the learners to their stop, in slices; return why each stopped and whether Ctrl-C was pressed."""
    deadline = None if stop.max_seconds is None else time.monotonic() + stop.max_seconds
    max_passes, max_updates = stop.max_passes or NO_LIMIT, stop.max_updates or NO_LIMIT
    halt: list[str] = []

    def run(learner: _core.Learner) -> str:
        while not halt:
            left = SLICE if deadline is None else min(SLICE, deadline - time.monotonic())
            if left <= 0:
                return "max_seconds"
            pause = learner.run(left, max_passes, max_updates, pause_at_pass_end=after_pass is not None)
            if pause == "pass_end" and after_pass is not None and after_pass():
                return "held_out"
            if pause not in ("time", "pass_end"):
                return pause
        return halt[0]

    try:
        if len(learners) == 1:
            reasons = [run(learners[0])]
        else:
            with ThreadPoolExecutor(max(threads, 1)) as pool:
                tasks = [pool.submit(run, learner) for learner in learners]
                try:
                    reasons = [task.result() for task in tasks]
                except KeyboardInterrupt:
                    halt.append("interrupted")
                    raise
    except KeyboardInterrupt:
        return [], True
    return reasons, False


def collect(
    plan: Plan,
    learners: Sequence[_core.Learner],
    rows: Rows,
    codes: Codes,
    classes: Labels,
    start: tuple[Doubles, Doubles],
    stopped_by: str,
    written: Journal | None = None,
) -> Outcome:
    """Gather what the learners did into an Outcome; ``written`` is the journal where the driver kept it itself."""
    counts = [learner.counts for learner in learners]

    def every(key: str) -> list[Any]:
        return [value for count in counts for value in count[key]]

    W, b = (np.concatenate([getattr(learner, part) for learner in learners]) for part in ("w", "b"))
    last = _linear(plan, W, b, classes, rows.names)
    _refuse_overflow(last, rows)
    journal = written
    if journal is None and (plan.journal or plan.memory == "vote"):
        journal = _journal(plan, learners, rows, codes, start)
    model: LinearModel | VotedModel = last
    pocket_errors = None
    if plan.memory == "average":
        averages = [learner.average for learner in learners]
        mean_w, mean_b = (np.concatenate(part) for part in zip(*averages, strict=True))
        model = _linear(plan, mean_w, mean_b, classes, rows.names)
    elif plan.memory == "pocket":
        pockets = [learner.pocket for learner in learners]
        best_w, best_b, pocket_errors = (np.concatenate(part) for part in zip(*pockets, strict=True))
        model = _linear(plan, best_w, best_b, classes, rows.names)
    elif plan.memory == "vote":
        assert journal is not None
        model = voted_model(plan, journal, every("machine_steps"), classes)
    per_pass = [learner.updates_per_pass for learner in learners]
    total = np.zeros(max(map(len, per_pass)), dtype=np.int64)
    for some in per_pass:
        total[: len(some)] += some
    row_updates = np.concatenate([learner.row_updates for learner in learners])
    return Outcome(
        model=model,
        last=last,
        journal=journal if plan.journal else None,
        converged=all(running == "clean" for running in every("machine_running")),
        n_passes=max(every("machine_passes")),
        n_updates=sum(every("machine_updates")),
        n_mistakes=sum(every("machine_mistakes")),
        n_steps=max(every("machine_steps")),
        updates_per_pass=total,
        row_updates=row_updates if plan.shape == "ovr" else row_updates[0],
        stopped_by=stopped_by,
        pocket_errors=pocket_errors,
    )


def _refuse_overflow(last: LinearModel, rows: Rows) -> None:
    """Refuse weights or scores beyond the floats: a verdict about such sums would mean nothing."""
    largest = max(float(np.abs(last.w).max(initial=0.0)), float(np.abs(last.b).max()))
    # Below 1e100 no sum of products with the rows that made it can overflow.
    if not largest < 1e100 and not (np.isfinite(largest) and np.isfinite(last.score(rows)).all()):
        raise DataError("the weights overflowed: the features are too large; scale them, for example to unit length.")


def _linear(plan: Plan, W: Doubles, b: Doubles, classes: Labels, names: tuple[str, ...] | None) -> LinearModel:
    if plan.shape == "binary":
        return LinearModel(W[0], float(b[0]), classes, names)
    return LinearModel(W, b, classes, names)


def _journal(
    plan: Plan, learners: Sequence[_core.Learner], rows: Rows, codes: Codes, start: tuple[Doubles, Doubles]
) -> Journal:
    columns = [learner.journal for learner in learners]
    joined = {key: np.concatenate([c[key] for c in columns]) for key in ("step", "row", "tau", "m", "rival")}
    if len(learners) > 1:
        by_step = np.lexsort((joined["rival"], joined["step"]))
        joined = {key: column[by_step] for key, column in joined.items()}
    return Journal(**joined, rows=rows, codes=codes, start=start, bias=plan.bias, shape=plan.shape)


def voted_model(plan: Plan, journal: Journal, machine_steps: Sequence[int], classes: Labels) -> VotedModel:
    """Return the voted model of a journal: its distinct rows, and per machine the sequence with survival counts."""
    distinct, place = np.unique(journal.row, return_inverse=True)
    ballots = ballots_of(plan.shape, journal, place.astype(np.int64), machine_steps)
    start = _linear(plan, journal.start[0], journal.start[1], classes, None)
    return VotedModel(journal.rows.take(distinct), ballots, start, plan.bias, classes)


def ballots_of(shape: str, journal: Journal, place: Any, machine_steps: Sequence[int]) -> tuple[Ballot, ...]:
    """Return one ballot per machine; ``place`` says where each update's row is stored."""
    codes = journal.codes[journal.row]
    if shape == "direct":
        count = _survival(journal.step, machine_steps[0])
        return (Ballot(place, journal.tau, count, gains=codes, loses=journal.rival),)
    ballots = []
    for k, steps in enumerate(machine_steps):
        mine = slice(None) if shape == "binary" else journal.rival == k
        positive = codes[mine] == (1 if shape == "binary" else k)
        step = np.where(positive, journal.tau[mine], -journal.tau[mine])
        ballots.append(Ballot(np.ascontiguousarray(place[mine]), step, _survival(journal.step[mine], steps)))
    return tuple(ballots)


def _survival(step: Any, n_steps: int) -> Doubles:
    """Return how many steps each vector was in force after: the start, then each update's, its own step included."""
    return np.diff(np.concatenate([[0], step, [n_steps]])).astype(np.float64)


def learn_rows(
    rows: Rows,
    codes: Codes,
    classes: Labels,
    plan: Plan,
    stop: Stop,
    start: tuple[Doubles, Doubles],
    *,
    weight: Doubles | None = None,
    threads: int = 1,
    checkpoint: Checkpoint | None = None,
) -> Outcome:
    """Learn from rows in memory: make the learners, drive them to their stop, gather what they did."""
    saved, fingerprint = None, ""
    if checkpoint is not None:
        fingerprint = digest(rows.values, rows.columns, rows.starts, codes, weight, *start)
        saved = checkpoint.load(plan, fingerprint)
    learners = make_learners(plan, start, threads if saved is None else len(saved.states))
    if saved is not None and checkpoint is not None:
        restore(learners, saved, checkpoint.path)
    for learner in learners:
        (learner.bind if saved is None else learner.rebind)(rows.examples(), codes, weight)
    if checkpoint is None:
        stopped_by, interrupted = drive(learners, stop, threads=threads)
    else:
        reasons, interrupted = drive_saved(
            learners,
            stop,
            lambda some, until: drive_each(some, until, threads=threads),
            lambda found: write_checkpoint(checkpoint.path, plan, fingerprint, learners, {"reasons": found}),
            every=checkpoint.every,
            reasons=unfinished(saved, len(learners)),
        )
        stopped_by = "interrupted" if interrupted else first_reason(reasons)
    outcome = collect(plan, learners, rows, codes, classes, start, stopped_by)
    if interrupted:
        raise Interrupted(outcome)
    return outcome


def learn(
    X: Any,
    y: Any = None,
    *,
    margin: float = 0.0,
    rate: float = 1.0,
    bias: bool = True,
    start: Any = None,
    order: str = "cyclic",
    seed: int = 0,
    memory: str = "last",
    ties: str = "mistake",
    multiclass: str = "ovr",
    max_passes: int | None = 1000,
    max_updates: int | None = None,
    max_seconds: float | None = None,
    weights: Any = None,
    journal: bool | None = None,
    threads: int = 1,
    checkpoint: Checkpoint | None = None,
) -> Outcome:
    """Train a perceptron: show examples, and update iff ``m = y (w·x + b) <= margin``.

    An update is ``w += tau*y*x``, ``b += tau*y`` with ``tau = rate * weight``.

    Parameters
    ----------
    X, y : examples (n × d: arrays, lists, data frames, SciPy sparse) and labels of any kind; of two classes the second
        in sorted order is positive. Or a `Source` alone, such as `rosenblatt.data.open` returns.
    margin : demanded margin, 0 or more; 0 is the classic rule. Only ``margin / rate`` matters.
    rate : learning rate, above 0. From a zero start with margin 0 it only rescales (w, b).
    bias : learn b too; False puts the boundary through the origin.
    start : None or "zeros", "random" (standard normal by ``seed``), or ``(w0, b0)``. Only ``w0 / rate`` matters.
    order : "cyclic", "shuffle" (a fresh permutation before every pass), "shuffle_once", "random" (with replacement; a
        quiet pass is then verified on all rows), "first" (restart at row 0 after an update), "worst" (the smallest m).
        In the last two a pass ends with its update.
    seed : of the order and the random start.
    memory : "last", "average" (mean over all steps), "vote", or "pocket" (fewest training errors).
    ties : "mistake" (a point on the boundary is wrong for both classes), or "positive" (sign(0) = +1).
    multiclass : more than two classes as "ovr" (one machine each, with its own stop) or "direct" (true class against
        best rival).
    max_passes, max_updates, max_seconds : limits; None for none. One-vs-rest: for each machine.
    weights : one number per example that scales its steps.
    journal : keep the table of updates; by default yes, except for a source that is larger than memory.
    threads : for the machines of one-vs-rest.
    checkpoint : where and how often to save the run, and whether to resume it.

    Notes
    -----
    If some unit (u, v) has ``y (u·x + v) >= gamma`` for every example, at most ``(R/gamma)²`` updates are made from a
    zero start with margin 0, where ``R² = max ‖x‖² + 1`` with a bias (Novikoff 1962, theorem 1).
    Ctrl-C raises ``errors.Interrupted``, whose ``outcome`` is what had been learnt. Not converging is no error and no
    warning here: ``outcome.converged`` and ``stopped_by`` say it (the estimators warn).

    References
    ----------
    Rosenblatt (1958); Novikoff (1962); Freund and Schapire (1999), figure 1.

    Examples
    --------
    >>> outcome = learn([[-2, 0], [0, -2], [-2, 2], [2, 2]], [-1, -1, 1, 1], bias=False)
    >>> outcome
    Outcome(converged; 4 updates, 4 mistakes, 12 steps, 3 passes)
    >>> outcome.w.tolist(), outcome.updates_per_pass.tolist()
    ([2.0, 4.0], [3, 1, 0])
    """
    source = X if y is None and isinstance(X, Source) else None
    stop = Stop(max_passes, max_updates, max_seconds)
    if source is None:
        rows = as_rows(X)
        classes, codes = encode(y, rows.n)
        weight = check_weights(weights, rows.n)
    elif weights is not None:
        raise DataError("a source brings its own weights: name their column when you open it (weight=...).")
    elif source.fits:
        rows, codes, weight, _ = source.whole()
        classes = source.classes
    plan = Plan(
        d=source.d if source is not None else rows.d,
        n_classes=len(source.classes if source is not None else classes),
        rule=Rule(margin, rate, ties),
        order=Order(order, seed),
        memory=memory,
        bias=bias,
        multiclass=multiclass,
        journal=(source is None or source.fits) if journal is None else bool(journal),
    )
    at_least_one("threads", threads)
    begin = start_vectors(start, plan)
    if source is not None and not source.fits:
        from rosenblatt.learning.stream import learn_stream

        return learn_stream(source, plan, stop, begin, threads=threads, checkpoint=checkpoint)
    return learn_rows(rows, codes, classes, plan, stop, begin, weight=weight, threads=threads, checkpoint=checkpoint)
