"""`learn`, the front door: from examples of any kind to an Outcome."""

from typing import Any

from rosenblatt._typing import Codes, Doubles, Labels
from rosenblatt.data.arrays import as_rows
from rosenblatt.data.labels import check_weights, encode
from rosenblatt.data.rows import Rows
from rosenblatt.data.source import Source
from rosenblatt.errors import DataError, Interrupted
from rosenblatt.learning.checkpoint import (
    Checkpoint,
    bind_again,
    digest,
    drive_saved,
    go_on,
    restore,
    unfinished,
    write_checkpoint,
)
from rosenblatt.learning.collect import collect
from rosenblatt.learning.drive import drive, drive_each, first_reason, make_learners
from rosenblatt.learning.outcome import Outcome
from rosenblatt.learning.plan import Plan, start_vectors
from rosenblatt.learning.policy import Order, Rule, Stop, at_least_one
from rosenblatt.learning.progress import Progress
from rosenblatt.learning.stream import learn_stream


def learn_rows(
    rows: Rows,
    codes: Codes,
    classes: Labels,
    plan: Plan,
    stop: Stop,
    start: tuple[Doubles, Doubles],
    *,
    weight: Doubles | None,
    threads: int,
    checkpoint: Checkpoint | None,
    progress: Progress | None,
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
            bind_again(learner, rows, codes, weight, checkpoint.path)
    else:
        examples = rows.examples(threads)  # once for all: every index is looked at
        for learner in learners:
            learner.bind(examples, codes, weight)
    if checkpoint is None:
        stopped_by = drive(learners, stop, threads=threads, progress=progress)
    else:
        reasons = unfinished(saved, len(learners))
        for k in go_on(learners, stop.max_updates, checkpoint.path):
            reasons[k] = ""
        reasons, interrupted = drive_saved(
            learners,
            stop,
            lambda some, until: drive_each(some, until, threads=threads, progress=progress),
            lambda found: write_checkpoint(checkpoint.path, plan, fingerprint, learners, {"reasons": found}),
            every=checkpoint.every,
            reasons=reasons,
        )
        stopped_by = "interrupted" if interrupted else first_reason(reasons)
    outcome = collect(plan, learners, rows, codes, classes, start, stopped_by)
    if stopped_by == "interrupted":
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
    progress: Progress | None = None,
) -> Outcome:
    """Train a perceptron: show examples, and update iff ``m = y (w·x + b) <= margin``.

    An update is ``w += tau*y*x``, ``b += tau*y`` with ``tau = rate * weight``.

    Parameters
    ----------
    X, y : examples (n × d: arrays, lists, data frames, SciPy sparse) and labels of any kind; of two classes the second
        in sorted order is positive. Or a `Source` alone, such as `rosenblatt.data.open` returns.
    margin : demanded margin, 0 or more; 0 is the classic rule. Only ``margin / rate`` matters.
    rate : learning rate, above 0. From a zero start with margin 0 it only rescales: the same updates, and (w, b)
        times the rate. (A score of exactly 0 may come out as ±1e-17 of a model that was rescaled by 0.1.)
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
    journal : keep the table of updates, however long, or do not; by default it is kept up to 20 million updates (0.7 GB)
        and then let go, and not kept of a source that is larger than memory. The run is the same either way.
    threads : for the machines of one-vs-rest, to look ahead where updates are rare, to shuffle the next pass, to keep
        the sum of an average, and to check large data; the result does not depend on it.
    checkpoint : where and how often to save the run, and whether to resume it.
    progress : called a few times a second as ``progress(n_pass, n_updates, n_steps)``: the pass under way, from 1, the
        updates it has made so far, and the steps of the whole run.

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
    if y is None and source is None:
        raise DataError("y is missing: give one label for each row of X; only a Source brings its own.")
    stop = Stop(max_passes, max_updates, max_seconds)
    threads = at_least_one("threads", threads)
    if journal is None and source is not None and not source.fits:
        journal = False
    if source is None:
        rows = as_rows(X, threads=threads)
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
        journal=journal if journal is None else bool(journal),
    )
    begin = start_vectors(start, plan)
    if source is not None and not source.fits:
        return learn_stream(source, plan, stop, begin, threads=threads, checkpoint=checkpoint, progress=progress)
    return learn_rows(
        rows,
        codes,
        classes,
        plan,
        stop,
        begin,
        weight=weight,
        threads=threads,
        checkpoint=checkpoint,
        progress=progress,
    )
