"""JSON of schema rosenblatt.trace/1, read as a stranger's: every column is checked for its kind, its length and its range."""

import json
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt._typing import Ints
from rosenblatt.data.arrays import as_rows
from rosenblatt.data.labels import check_weights, encode
from rosenblatt.errors import DataError
from rosenblatt.learning.outcome import Counts
from rosenblatt.learning.policy import MEMORIES, MULTICLASS, TIES, Order, Rule, Stop, one_of
from rosenblatt.theory.best import Best
from rosenblatt.theory.decimals import fractions_of
from rosenblatt.theory.tracing.record import Examples, Numbers, Remembered, Steps, Updates
from rosenblatt.theory.tracing.schema import COUNTS, SCHEMA
from rosenblatt.theory.tracing.shown import Cycle

if TYPE_CHECKING:
    from rosenblatt.theory.tracing.traced import Trace

EXACT = re.compile(r"-?\d+(\.\d+)?(e[+-]?\d{1,3})?|-?\d+/0*[1-9]\d*")  # 0.2, 1e-7, -1/3
MOST = 2**62  # steps nobody counts beyond


def from_json(text: str) -> "Trace":
    """Return the trace of a JSON text, checked: a damaged one is refused with the place of the damage."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataError(f"this is not JSON: {error}.") from None
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        found = document.get("schema") if isinstance(document, dict) else type(document).__name__
        raise DataError(f"this is no trace of schema {SCHEMA!r}: found {found!r}.")
    try:
        return _rebuild(document)
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        raise DataError(f"the trace is damaged: {type(error).__name__} at {error}.") from None
    except (ValueError, OverflowError, RecursionError) as error:
        raise DataError(f"the trace is damaged: {error}") from None


def _rebuild(document: dict[str, Any]) -> "Trace":
    from rosenblatt.theory.tracing.traced import Trace

    one_of("what", document["what"], ("updates", "steps"))
    if document["exact"] is not (document["numbers"] is not None):
        raise DataError("exact and numbers disagree.")
    examples = _examples(document)
    n, d, K = examples.n, examples.rows.d, len(examples.classes)
    vectors = 1 if K == 2 else K
    counts = _counts(document["result"])
    updates = _updates(document, examples, counts)
    steps = _steps(document, n, counts, updates)
    return Trace(
        examples=examples,
        settings=_settings(document, n),
        start=(_numbers(document, "start", "w", (vectors, d)), _numbers(document, "start", "b", (vectors,))),
        steps=steps,
        updates=updates,
        counts=counts,
        model=_model(document, vectors, d),
        best=_best(document["best"], d),
        cycle=_cycle(document["cycle"], counts),
        ties=_whole(document["ties"], "ties", None, 0, len(steps), rising=True),
        what=document["what"],
    )


def _examples(document: dict[str, Any]) -> Examples:
    data = document["data"]
    rows = as_rows(_floats(data["X"], "data.X", None))
    classes = np.array(data["classes"])
    if classes.ndim != 1 or len(classes) < 2 or not np.array_equal(classes, np.unique(classes)):
        raise DataError("data.classes must be two labels or more, sorted.")
    classes, codes = encode(data["y"], rows.n, classes)
    names = tuple(data["names"])
    if len(names) != rows.d or not all(isinstance(name, str) for name in names):
        raise DataError(f"data.names must be {rows.d} texts.")
    fractions = _numbers(document, "data", "X", (rows.n, rows.d)) if document["exact"] else None
    return Examples(rows, fractions, classes, codes, names)


def _settings(document: dict[str, Any], n: int) -> dict[str, Any]:
    settings = dict(document["settings"])
    for name, allowed in (("memory", MEMORIES), ("ties", TIES), ("multiclass", MULTICLASS)):
        one_of(name, settings[name], allowed)
    if not isinstance(settings["bias"], bool):
        raise DataError(f"settings.bias is {settings['bias']!r}; it must be true or false.")
    Order(settings["order"], settings["seed"])
    Stop(settings["max_passes"], settings["max_updates"], settings["max_seconds"])
    if settings["max_seconds"] is not None:
        _floats(settings["max_seconds"], "settings.max_seconds", ())
    for name in ("margin", "rate"):
        settings[name] = _numbers(document, "settings", name, ())[()]
    Rule(float(settings["margin"]), float(settings["rate"]))
    return settings | {"weights": check_weights(settings["weights"], n)}


def _counts(result: dict[str, Any]) -> Counts:
    for name in COUNTS:
        if name.startswith("n_"):
            _whole([result[name]], f"result.{name}", 1, 0, MOST)
    if not isinstance(result["converged"], bool) or not isinstance(result["stopped_by"], str):
        raise DataError("result.converged must be true or false, and result.stopped_by a text.")
    per_pass = _whole(result["updates_per_pass"], "result.updates_per_pass", None, 0, MOST)
    return Counts(**{name: result[name] for name in COUNTS}, updates_per_pass=per_pass)


def _updates(document: dict[str, Any], examples: Examples, counts: Counts) -> Updates:
    columns, K = document["updates"], len(examples.classes)
    step = _whole(columns["step"], "updates.step", None, 0, counts.n_steps, rising=True)
    k = len(step)
    if k > counts.n_updates or (k == 0 and counts.n_updates > 0):
        raise DataError(f"updates.step has {k} entries, and result.n_updates is {counts.n_updates}.")
    row = _whole(columns["row"], "updates.row", k, 0, examples.n)
    rival = _whole(columns["rival"], "updates.rival", k, *((-1, 0) if K == 2 else (0, K)))
    if (rival == examples.codes[row]).any():
        raise DataError("updates.rival holds the class of the example itself.")
    tau, m = (_numbers(document, "updates", name, (k,)) for name in ("tau", "m"))
    if not (tau > 0).all():
        raise DataError("updates.tau must be above 0.")
    return Updates(step, row, tau, m, rival.astype(np.int32))


def _steps(document: dict[str, Any], n: int, counts: Counts, updates: Updates) -> Steps:
    columns = document["steps"]
    row = _whole(columns["row"], "steps.row", None, 0, n)
    number = _whole(columns["pass"], "steps.pass", len(row), 0, counts.n_steps)
    if len(row) > counts.n_steps or (np.diff(number) < 0).any():
        raise DataError(f"steps must be at most result.n_steps = {counts.n_steps}, pass after pass.")
    steps = Steps(number, row, *(_numbers(document, "steps", name, (len(row),)) for name in ("m", "tau")))
    kept = updates.first(int(np.searchsorted(updates.step, len(row))))
    moved = np.flatnonzero(steps.tau)
    if moved.tolist() != kept.step.tolist() or row[moved].tolist() != kept.row.tolist():
        raise DataError("steps and updates disagree about which step moved the weights, or on which row.")
    return steps


def _model(document: dict[str, Any], vectors: int, d: int) -> Remembered:
    model = document["model"]
    one_of("model.memory", model["memory"], MEMORIES)
    if model["errors"] is not None:
        _whole([model["errors"]], "model.errors", 1, 0, MOST)
    if (model["w"] is None) != (model["memory"] == "vote"):
        raise DataError("model.w must be null for a vote, and for a vote alone.")
    if model["w"] is None:
        return Remembered(model["memory"], None, None, model["errors"])
    w = _numbers(document, "model", "w", (d,) if vectors == 1 else (vectors, d))
    b = _numbers(document, "model", "b", () if vectors == 1 else (vectors,))
    return Remembered(model["memory"], w, b[()] if vectors == 1 else b, model["errors"])


def _best(best: dict[str, Any] | None, d: int) -> Best | None:
    if best is None:
        return None
    b, gamma, R = (float(_floats(best[name], f"best.{name}", ())) for name in ("b", "gamma", "R"))
    if not (gamma > 0 and R > 0):
        raise DataError(f"best.gamma is {gamma} and best.R is {R}; both must be above 0.")
    return Best(_floats(best["w"], "best.w", (d,)), b, gamma, R)


def _cycle(cycle: dict[str, Any] | None, counts: Counts) -> Cycle | None:
    if cycle is None:
        return None
    first, again = _whole([cycle["first"], cycle["again"]], "cycle", 2, 0, counts.n_steps + 1, rising=True).tolist()
    return Cycle(first, again)


def _numbers(document: dict[str, Any], part: str, name: str, shape: tuple[int, ...]) -> Numbers:
    """Return a column of real numbers: floats, or of an exact run the fractions beside them."""
    if not document["exact"]:
        return _floats(document[part][name], f"{part}.{name}", shape)
    values, where = np.array(document["numbers"][part][name], dtype=object), f"numbers.{part}.{name}"
    if values.shape != shape or not all(isinstance(text, str) and EXACT.fullmatch(text) for text in values.flat):
        raise DataError(f"{where} must be texts like '0.2' and '-1/3', of shape {shape}.")
    fractions = fractions_of(values, shape)
    fractions.astype(np.float64)  # raises where one is beyond the floats
    return fractions


def _floats(values: Any, where: str, shape: tuple[int, ...] | None) -> Any:
    """Return finite numbers as float64, of this shape unless it is None."""
    out = np.array(values, dtype=object)
    if not all(type(value) in (int, float) for value in out.flat) or shape not in (None, out.shape):
        raise DataError(f"{where} must be numbers{'' if shape is None else f' of shape {shape}'}.")
    out = out.astype(np.float64)
    if not np.isfinite(out).all():
        raise DataError(f"{where} holds a number that is not finite.")
    return out


def _whole(values: Any, where: str, length: int | None, low: int, below: int, *, rising: bool = False) -> Ints:
    """Return whole numbers from low to below - 1, as many as asked for, and each above the one before if rising."""
    fits = isinstance(values, list) and all(type(value) is int and low <= value < below for value in values)
    if not fits or length not in (None, len(values)):
        many = {None: "whole numbers", 1: "a whole number"}.get(length, f"{length} whole numbers")
        raise DataError(f"{where} must be {many} from {low} to {below - 1}.")
    out = np.array(values, dtype=np.int64)
    if rising and (np.diff(out) <= 0).any():
        raise DataError(f"{where} must rise from entry to entry.")
    return out
