"""`trace`, the front door: run, exactly where that makes a difference, and write every step down."""

import warnings
from dataclasses import replace
from typing import Any

import numpy as np

from rosenblatt.data.arrays import as_rows, first_ragged
from rosenblatt.data.labels import check_weights, encode
from rosenblatt.data.rows import Rows
from rosenblatt.errors import DataError, TieWarning
from rosenblatt.learning.plan import Plan, split_start, start_vectors
from rosenblatt.learning.policy import Order, Rule, Stop, at_least_one, one_of, true_or_false
from rosenblatt.learning.run import learn
from rosenblatt.theory.best import best_separator
from rosenblatt.theory.decimals import as_fraction, fractions_of, is_short
from rosenblatt.theory.tracing.record import (
    Examples,
    Numbers,
    Record,
    from_outcome,
    on_blackboard,
    replay,
    steps_of,
)
from rosenblatt.theory.tracing.shown import Cycle, find_cycle, shown
from rosenblatt.theory.tracing.ties import near_ties
from rosenblatt.theory.tracing.traced import Trace

SMALL = 2_000  # numbers in X up to which exact="auto" considers fractions
JUDGED = 200_000  # examples that exact="auto" is ready to judge in fractions: some seconds
LOOKED = 10_000  # updates of an exact run in which a cycle is looked for, however few are kept
CELLS = 50_000_000  # numbers in all kept vectors together: 400 MB


def trace(
    X: Any,
    y: Any,
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
    exact: bool | str = "auto",
    what: str = "updates",
    max_rows: int = 10_000,
) -> Trace:
    """Run the perceptron and write down every step: x, y, m before and after, verdict, w and b, norm, cosine.

    Parameters
    ----------
    X, y, margin, rate, bias, start, order, seed, memory, ties, multiclass, max_passes, max_updates, max_seconds,
    weights : as in ``learn``. In exact mode X, start, rate, margin and weights may also hold strings ("0.1", "1/3"),
        ``Decimal`` and ``Fraction``. More than two classes need ``multiclass="direct"``.
    exact : True computes in fractions, with decimals as written (0.1 is 1/10); False in floating point, as ``learn``;
        "auto" is exact for at most 2000 numbers, all with at most 6 decimal places, and a run of moderate length.
        Otherwise it is floating point, with a ``TieWarning`` where rounding may have decided a verdict.
    what : "updates" or "steps": the lines of the tables. Both are in the JSON.
    max_rows : how many updates and how many steps are kept; the run itself goes on to its end.

    Notes
    -----
    In floating point a tie can become ±1e-17 and the run take another path than on paper: ``m <= 0`` has no tolerance.
    For two classes, separable with margin gamma and radius R, each update from a zero start keeps
    ``u·w_k >= k gamma`` and ``‖w_k‖ <= sqrt(k) R`` (Novikoff 1962, theorem 1); ``Trace.proof`` has the numbers.

    Examples
    --------
    >>> from rosenblatt.datasets import w2
    >>> run = trace(*w2(), bias=False)
    >>> run.counts.n_updates, run.exact, run.updates.row.tolist()
    (4, True, [0, 1, 2, 0])
    >>> print(run.margin_table())
    k  w       m1  m2  m3  m4
    0  (0, 0)   0   0   0   0
    1  (2, 0)   4   0  -4   4
    2  (2, 2)   4   4   0   8
    3  (0, 4)   0   8   8   8
    4  (2, 4)   4   8   4  12
    """
    settings: dict[str, Any] = {
        "margin": margin,
        "rate": rate,
        "bias": true_or_false("bias", bias),
        "order": order,
        "seed": seed,
        "memory": memory,
        "ties": ties,
        "multiclass": multiclass,
        "max_passes": max_passes,
        "max_updates": max_updates,
        "max_seconds": max_seconds,
    }
    _check(exact, what, max_seconds)
    max_rows = at_least_one("max_rows", max_rows)
    examples, begin, plan = _read(X, y, start, settings, exact)
    exact_weights = None if weights is None else fractions_of(weights, (examples.n,))
    weight = None if exact_weights is None else check_weights(exact_weights.astype(np.float64), examples.n)
    record = None
    if exact is True or (exact == "auto" and _is_hand_made(examples, begin, settings, exact_weights)):
        record = _exactly(examples, begin, settings, exact_weights, capped=exact == "auto", limit=max(max_rows, LOOKED))
    if record is None:
        examples = replace(examples, exact=None)
        options = settings | {"margin": _setting("margin", margin), "rate": _setting("rate", rate)}
        floats = (begin[0].astype(np.float64), begin[1].astype(np.float64))
        outcome = learn(
            examples.rows,
            examples.labels,
            **options,
            start=(floats[0] if plan.vectors > 1 else floats[0][0], floats[1] if plan.vectors > 1 else floats[1][0]),
            weights=weight,
        )
        record = from_outcome(outcome, memory, max_rows)
    elif examples.exact is not None:  # the floats beside the fractions are those nearest to them, whatever X was
        rows = Rows(examples.exact.astype(np.float64), examples.rows.d, names=examples.rows.names)
        examples = replace(examples, rows=rows)
    return _assemble(examples, settings, record, weight, exact, what, max_rows)


def _setting(name: str, value: Any) -> float:
    """Return a margin or a rate, which may be a fraction; what is no number is named with its setting."""
    try:
        return float(as_fraction(value))
    except DataError as error:
        raise DataError(f"{name}: {error}") from None


def _check(exact: bool | str, what: str, max_seconds: float | None) -> None:
    one_of("what", what, ("updates", "steps"))
    if exact not in (True, False, "auto"):
        raise DataError(f"exact={exact!r} is unknown; choose True, False or 'auto'.")
    if exact is True and max_seconds is not None:
        raise DataError("an exact run has no clock; limit it by max_passes or max_updates instead of max_seconds.")


def _read(
    X: Any, y: Any, start: Any, settings: dict[str, Any], exact: bool | str
) -> tuple[Examples, tuple[Numbers, Numbers], Plan]:
    """Return the examples (with fractions where they may be wanted), the start, and the plan, all checked."""
    rows, fractions = _numbers(X, exact)
    classes, codes = encode(y, rows.n)
    plan = Plan(
        d=rows.d,
        n_classes=len(classes),
        rule=Rule(_setting("margin", settings["margin"]), _setting("rate", settings["rate"]), settings["ties"]),
        order=Order(settings["order"], settings["seed"]),
        memory=settings["memory"],
        bias=settings["bias"],
        multiclass=settings["multiclass"],
    )
    Stop(settings["max_passes"], settings["max_updates"], settings["max_seconds"])
    if plan.shape == "ovr":
        raise DataError(
            f"y has {len(classes)} classes and a trace follows one machine: trace one class against the rest with "
            f"y == {classes[0].item()!r}, or all together with multiclass='direct'."
        )
    names = rows.names or tuple(f"x{j + 1}" for j in range(rows.d))
    begin = _start(start, plan)
    return Examples(rows, fractions, classes, codes, names), begin, plan


def _numbers(X: Any, exact: bool | str) -> tuple[Rows, Numbers | None]:
    """Return the rows, and the same as fractions where they are few or asked for."""
    raw: Any = X
    if isinstance(X, Rows):
        raw = X.values if X.starts is None else X.dense()
    elif hasattr(X, "tocsr"):
        raw = None if exact is not True and np.prod(X.shape) > SMALL else X.toarray()
    elif isinstance(X, (list, tuple)):
        raw = _object_array(X)
        X = raw.astype(np.float64) if _holds_exact(raw) else X
    rows = as_rows(X)
    if raw is None or exact is False or (exact == "auto" and rows.n * rows.d > SMALL):
        return rows, None
    return rows, fractions_of(raw, (rows.n, rows.d))


def _object_array(X: Any) -> Numbers:
    """Return nested lists as they are, so that Fractions and decimal strings are not rounded on the way."""
    if len({len(x) for x in X if isinstance(x, (list, tuple, np.ndarray))}) > 1:
        raise DataError(f"every example of X needs a number for each feature: {first_ragged(X)}")
    return np.array(X, dtype=object)


def _holds_exact(values: Numbers) -> bool:
    if values.ndim != 2 or not any(isinstance(value, str) and "/" in value for value in values.ravel()):
        return False
    values[...] = fractions_of(values, values.shape)
    return True


def _start(start: Any, plan: Plan) -> tuple[Numbers, Numbers]:
    """Return the start as fractions: what was typed, or the floats that were drawn."""
    if start is None or isinstance(start, str):
        W, b = start_vectors(start, plan)
        return fractions_of(W, W.shape), fractions_of(b, b.shape)
    w0, b0 = split_start(start)
    w = fractions_of(w0, (np.size(w0),))
    b = fractions_of(b0, (np.size(b0),))
    W, B = start_vectors((w.astype(np.float64), b.astype(np.float64)), plan)  # checks shape and values
    return w.reshape(W.shape), np.broadcast_to(b, B.shape).copy()


def _is_hand_made(
    examples: Examples, start: tuple[Numbers, Numbers], settings: dict[str, Any], weights: Numbers | None
) -> bool:
    if examples.exact is None or settings["max_seconds"] is not None:
        return False
    numbers = [*examples.exact.ravel(), *start[0].ravel(), *start[1], *(() if weights is None else weights)]
    return all(is_short(value) for value in (*numbers, as_fraction(settings["margin"]), as_fraction(settings["rate"])))


def _exactly(
    examples: Examples,
    start: tuple[Numbers, Numbers],
    settings: dict[str, Any],
    weights: Numbers | None,
    *,
    capped: bool,
    limit: int,
) -> Record | None:
    """Run on the blackboard; None where an automatic run would take too long."""
    asked = settings["max_updates"]
    cap = max(1, JUDGED // (2 * examples.n))  # an update costs about two looks at every example
    tight = capped and (asked is None or asked > cap)
    record = on_blackboard(examples, start, settings, weights, cap if tight else asked, limit)
    return None if tight and record.counts.stopped_by == "max_updates" else record


def _assemble(
    examples: Examples,
    settings: dict[str, Any],
    record: Record,
    weight: Any,
    exact: bool | str,
    what: str,
    max_rows: int,
) -> Trace:
    settings = settings | {"weights": weight}
    cycle = None if examples.exact is None else _cycle(examples, settings, record)
    updates, counts = record.updates.first(max_rows), record.counts
    if (len(updates) + 1) * record.start[0].size > CELLS:
        fits = max(1, CELLS // record.start[0].size - 1)
        raise DataError(
            f"{len(updates)} vectors of {record.start[0].size} numbers are too many to keep; "
            f"give max_rows={fits} or less, or read the journal of learn()."
        )
    bias = settings["bias"]
    vectors = replay(examples, record.start, updates, settings)
    reach = max_rows if len(updates) == counts.n_updates else min(max_rows, int(updates.step[-1]) + 1)
    rows = shown(settings["order"], settings["seed"], examples.n, updates.step, updates.row, counts.n_steps, reach)
    steps = steps_of(rows, updates, vectors)
    near = np.zeros(0, dtype=np.int64)
    if examples.exact is None:
        near = near_ties(steps, updates, vectors, settings | {"margin": as_fraction(settings["margin"])})
        if len(near) and exact == "auto":
            _warn(near, steps.m)
    binary = len(record.start[1]) == 1
    best = best_separator(examples.rows, examples.labels, bias, examples.exact) if binary else None
    kind: Any = float if examples.exact is None else as_fraction
    numbers = {key: kind(as_fraction(settings[key])) for key in ("margin", "rate")}
    return Trace(
        examples=examples,
        settings=settings | numbers,
        start=record.start,
        steps=steps,
        updates=updates,
        counts=counts,
        model=record.model,
        best=best,
        cycle=cycle,
        ties=near,
        what=what,
    )


def _cycle(examples: Examples, settings: dict[str, Any], record: Record) -> Cycle | None:
    """Return where an exact run repeats itself, looked for beyond the updates that are kept."""
    updates, counts = record.updates.first(max(1, CELLS // record.start[0].size - 1)), record.counts
    vectors = replay(examples, record.start, updates, settings)
    keys = [(*W.ravel(), *b) for W, b in zip(vectors.W, vectors.b, strict=True)]
    last = counts.n_steps if len(updates) == counts.n_updates else int(updates.step[-1]) + 1
    return find_cycle(settings["order"], examples.n, updates.step, keys, last)


def _warn(near: Any, m: Any) -> None:
    step = int(near[0])
    warnings.warn(
        TieWarning(
            f"{len(near)} of the verdicts may have been decided by rounding, the first at step {step + 1} "
            f"(m = {float(m[step]):.3g}); exact=True computes as on paper, exact=False accepts floating point."
        ),
        stacklevel=4,
    )
