"""JSON of schema rosenblatt.trace/1: the whole trace in columns, written here for the lab and other programs."""

import json
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt.errors import DataError
from rosenblatt.theory.decimals import exactly

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
