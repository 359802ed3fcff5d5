"""JSON of schema rosenblatt.trace/1: the whole trace in columns, for the lab, the plots and other programs."""

import json
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt.data.arrays import as_rows
from rosenblatt.data.labels import encode
from rosenblatt.errors import DataError
from rosenblatt.learning.outcome import Counts
from rosenblatt.theory.tracing.curves import Best
from rosenblatt.theory.tracing.decimals import exactly, fractions_of
from rosenblatt.theory.tracing.record import Examples, Numbers, Remembered, Steps, Updates
from rosenblatt.theory.tracing.shown import Cycle

if TYPE_CHECKING:
    from rosenblatt.theory.tracing.traced import Trace

SCHEMA = "rosenblatt.trace/1"
CELLS = 10_000_000
COUNTS = ("converged", "stopped_by", "n_steps", "n_passes", "n_updates", "n_mistakes")


def to_json(trace: "Trace") -> str:
    """Return the trace as compact JSON; floats unrounded, exact numbers beside them as text."""
    rows = trace.examples.rows
    if rows.n * rows.d > CELLS:
        raise DataError(
            f"X has {rows.n} × {rows.d} numbers, too many for one JSON text (limit {CELLS}); "
            "trace a part of the rows, or keep the journal of learn()."
        )
    document = {"schema": SCHEMA, **_tree(trace, _plain), "numbers": None}
    if trace.exact:
        document["numbers"] = _numbers(trace)
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def _tree(trace: "Trace", plain: Callable[[Any], Any]) -> dict[str, Any]:
    examples, updates, steps, counts = trace.examples, trace.updates, trace.steps, trace.counts
    return {
        "what": trace.what,
        "exact": trace.exact,
        "settings": {key: plain(value) for key, value in trace.settings.items()},
        "data": {
            "X": examples.rows.dense().tolist(),
            "y": plain(examples.labels),
            "classes": plain(examples.classes),
            "names": list(examples.names),
        },
        "start": {"w": plain(trace.start[0]), "b": plain(trace.start[1])},
        "steps": {
            "pass": steps.number.tolist(),
            "row": steps.row.tolist(),
            "m": plain(steps.m),
            "tau": plain(steps.tau),
        },
        "updates": {
            "step": updates.step.tolist(),
            "row": updates.row.tolist(),
            "tau": plain(updates.tau),
            "m": plain(updates.m),
            "rival": updates.rival.tolist(),
        },
        "result": {
            **{key: getattr(counts, key) for key in COUNTS},
            "updates_per_pass": counts.updates_per_pass.tolist(),
        },
        "model": {
            "memory": trace.model.memory,
            "w": plain(trace.model.w),
            "b": plain(trace.model.b),
            "errors": trace.model.errors,
        },
        "best": None
        if trace.best is None
        else {"w": trace.best.w.tolist(), "b": trace.best.b, "gamma": trace.best.gamma, "R": trace.best.R},
        "cycle": None if trace.cycle is None else {"first": trace.cycle.first, "again": trace.cycle.again},
        "ties": trace.ties.tolist(),
    }


def _numbers(trace: "Trace") -> dict[str, Any]:
    """Return what is exact, as texts like "0.2" and "1/3", under the same names."""
    assert trace.examples.exact is not None
    return {
        "settings": {key: exactly(trace.settings[key]) for key in ("margin", "rate")},
        "data": {"X": _texts(trace.examples.exact)},
        "start": {"w": _texts(trace.start[0]), "b": _texts(trace.start[1])},
        "steps": {"m": _texts(trace.steps.m), "tau": _texts(trace.steps.tau)},
        "updates": {"m": _texts(trace.updates.m), "tau": _texts(trace.updates.tau)},
        "model": {"w": _texts(trace.model.w), "b": _texts(trace.model.b)},
    }


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return [_plain(item) for item in value]
    if isinstance(value, Fraction):
        return float(value)
    return value.item() if isinstance(value, np.generic) else value


def _texts(value: Any) -> Any:
    if value is None:
        return None
    return [_texts(item) for item in value] if isinstance(value, np.ndarray) else exactly(value)


def from_json(text: str) -> "Trace":
    """Return the trace of a JSON text, checked: a damaged one is refused with the place of the damage."""
    try:
        document = json.loads(text)
    except ValueError as error:
        raise DataError(f"this is not JSON: {error}.") from None
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        found = document.get("schema") if isinstance(document, dict) else type(document).__name__
        raise DataError(f"this is no trace of schema {SCHEMA!r}: found {found!r}.")
    try:
        return _rebuild(document)
    except (KeyError, TypeError, IndexError) as error:
        raise DataError(f"the trace is damaged: {type(error).__name__} at {error}.") from None
    except ValueError as error:
        raise DataError(f"the trace is damaged: {error}") from None


def _rebuild(document: dict[str, Any]) -> "Trace":
    from rosenblatt.theory.tracing.traced import Trace

    exact, numbers, data = bool(document["exact"]), document["numbers"], document["data"]
    if exact != (numbers is not None):
        raise DataError("exact and numbers disagree.")
    rows = as_rows(np.array(data["X"], dtype=np.float64))
    classes, codes = encode(data["y"], rows.n, np.array(data["classes"]))
    fractions = fractions_of(numbers["data"]["X"], (rows.n, rows.d)) if exact else None
    examples = Examples(rows, fractions, classes[codes], classes, codes, tuple(data["names"]))
    updates, steps = document["updates"], document["steps"]
    n_updates, n_steps = len(updates["step"]), len(steps["row"])
    vectors = len(document["start"]["b"])

    def read(part: str, name: str, shape: tuple[int, ...]) -> Numbers:
        source = numbers if exact else document
        values: Any = source[part][name]
        out = fractions_of(values, shape) if exact else np.array(values, dtype=np.float64).reshape(shape)
        if not exact and not np.isfinite(out).all():
            raise DataError(f"{part}.{name} holds a number that is not finite.")
        return out

    def whole(values: list[int], length: int, below: int, where: str) -> Any:
        out = np.array(values, dtype=np.int64)
        if out.shape != (length,) or (out < -1).any() or (out >= below).any():
            raise DataError(f"{where} must be {length} whole numbers below {below}.")
        return out

    settings = dict(document["settings"])
    for key in ("margin", "rate"):
        settings[key] = fractions_of(numbers["settings"][key], ())[()] if exact else float(settings[key])
    if settings["weights"] is not None:
        settings["weights"] = np.array(settings["weights"], dtype=np.float64)
    result, best, cycle = document["result"], document["best"], document["cycle"]
    model = document["model"]
    shape = (rows.d,) if vectors == 1 else (vectors, rows.d)
    remembered = Remembered(model["memory"], None, None, model["errors"])
    if model["w"] is not None:
        b = read("model", "b", () if vectors == 1 else (vectors,))
        remembered = Remembered(
            model["memory"], read("model", "w", shape), b[()] if vectors == 1 else b, model["errors"]
        )
    limit = int(result["n_steps"]) + 1
    return Trace(
        examples=examples,
        settings=settings,
        start=(read("start", "w", (vectors, rows.d)), read("start", "b", (vectors,))),
        steps=Steps(
            whole(steps["pass"], n_steps, limit, "steps.pass"),
            whole(steps["row"], n_steps, rows.n, "steps.row"),
            read("steps", "m", (n_steps,)),
            read("steps", "tau", (n_steps,)),
        ),
        updates=Updates(
            whole(updates["step"], n_updates, limit, "updates.step"),
            whole(updates["row"], n_updates, rows.n, "updates.row"),
            read("updates", "tau", (n_updates,)),
            read("updates", "m", (n_updates,)),
            whole(updates["rival"], n_updates, len(classes), "updates.rival").astype(np.int32),
        ),
        counts=Counts(
            **{key: result[key] for key in COUNTS},
            updates_per_pass=np.array(result["updates_per_pass"], dtype=np.int64),
        ),
        model=remembered,
        best=None if best is None else Best(np.array(best["w"]), best["b"], best["gamma"], best["R"]),
        cycle=None if cycle is None else Cycle(cycle["first"], cycle["again"]),
        ties=np.array(document["ties"], dtype=np.int64),
        what=document["what"],
    )
