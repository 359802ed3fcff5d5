"""The lab as one HTML text: what a browser opens from disk, what a notebook shows, what the server sends."""

import base64
import hashlib
import html
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from rosenblatt._typing import Doubles
from rosenblatt.data.arrays import as_rows
from rosenblatt.data.files import write_bytes
from rosenblatt.data.labels import encode
from rosenblatt.errors import DataError
from rosenblatt.learning.plan import split_start
from rosenblatt.learning.policy import MEMORIES, Order, Rule, one_of, true_or_false
from rosenblatt.theory.tracing import Trace

TITLE = "Perceptron Lab"
HEIGHT = 980  # of the frame in a notebook
MOST_POINTS = 500  # what the lab draws; more is refused with advice
SETTINGS = ("margin", "rate", "bias", "order", "seed", "memory", "ties")
KERNELS = ("linear", "poly", "rbf")
TABS = ("examples", "proof", "dual", "compare", "study", "share")
HIDEABLE = ("header", "settings", "tools", "verdict", "transport", "words", *TABS)
MOST_SEED = 2**53 - 1
MOST = 1e6  # of a coordinate: beyond it the page's doubles would lose the 1 in the squared norm of (x, 1)
RANGES = {"rate": (1e-4, 1e4), "margin": (0, MOST), "gamma": (1e-4, 1e4), "coef0": (0, 1e4), "degree": (1, 9)}
POLICY = (
    "default-src 'none'; script-src {script}; style-src {style}; img-src data: blob:; base-uri 'none'; "
    "form-action 'none'"
)


@cache
def static(name: str) -> str:
    """Return one of the lab's own files: lab.js, host.js or lab.css."""
    return (files("rosenblatt.lab") / "static" / name).read_text(encoding="utf-8")


def page_script() -> str:
    """Return the module and its host as one script: a page needs no import, so that its hash can allow it."""
    return static("lab.js") + static("host.js")


def as_json(value: Any) -> str:
    """Return JSON that is safe inside a script element: no text in it can end the element."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def allowed(text: str) -> str:
    """Return the source expression that allows exactly this inline text.

    >>> allowed("")
    "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"
    """
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def document(values: Mapping[str, Any], *, title: str = TITLE) -> str:
    """Return the whole page: script and style inline, allowed by their hashes, nothing fetched from anywhere."""
    script, style = page_script(), static("lab.css")
    policy = POLICY.format(script=allowed(script), style=allowed(style))
    head = f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n<style>{style}</style>'
    return _frame(values, title, head, f'<script type="module">{script}</script>')


def served_document(values: Mapping[str, Any], *, title: str) -> str:
    """Return the page of the server, which sends script, style and policy apart."""
    head = '<link rel="stylesheet" href="lab.css">'
    return _frame(values, title, head, '<script type="module" src="lab.js"></script>')


def _frame(values: Mapping[str, Any], title: str, head: str, script: str) -> str:
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{html.escape(title)}</title>\n'
        f'<link rel="icon" href="data:,">\n{head}\n</head>\n<body>\n<main id="rb-page"></main>\n'
        f'<script type="application/json" id="rb-values">{as_json(dict(values))}</script>\n{script}\n</body>\n</html>\n'
    )


@dataclass(frozen=True, eq=False)
class Lab:
    """A lab that has been set up: show it in a notebook, save it as one file, or serve it.

    ``values`` is what the page is given: ``state`` (points and settings), and ``trace`` where a recorded run is to be
    replayed.
    """

    values: Mapping[str, Any]
    title: str = TITLE

    def to_html(self) -> str:
        """Return the lab as one HTML text that needs no network and no other file."""
        return document(self.values, title=self.title)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the page to ``path``, whole or not at all, and return the path."""
        write_bytes(path, self.to_html().encode())
        return Path(path)

    def widget(self) -> Any:
        """Return the live notebook widget, which knows what the reader does; needs the extra ``lab``."""
        from rosenblatt.lab.widget import make_widget

        return make_widget(self.values)

    def __repr__(self) -> str:
        points = len(self.values.get("state", {}).get("points", ()))
        what = "a recorded run" if self.values.get("trace") else f"{points} points"
        return f"Lab({what}; save('lab.html') writes a page that opens anywhere)"

    def _repr_html_(self) -> str:
        """Return a sandboxed frame with the whole page; viewers that strip it show the text instead."""
        frame = html.escape(self.to_html(), quote=True)
        return (
            "<style>.rosenblatt-lab-text{display:none}</style>"
            f'<pre class="rosenblatt-lab-text">{html.escape(repr(self))}\n'
            "(trust the notebook, or save the lab to a file, to see it)</pre>"
            f'<iframe srcdoc="{frame}" sandbox="allow-scripts allow-downloads" title="{html.escape(self.title)}" '
            f'width="100%" height="{HEIGHT}" style="border:0"></iframe>'
        )


def lab(X: Any = None, y: Any = None, *, trace: Any = None, title: str = "", **settings: Any) -> Lab:
    """Open the Perceptron Lab on your examples.

    Parameters
    ----------
    X, y : at most 500 examples with one or two features, and labels of two kinds (the second in sorted order is +1).
        Left out, the lab opens on a lecture's four points.
    trace : a trace (or its JSON) to be replayed step by step, instead of X and y.
    title : shown above the figure.
    settings : as in ``learn``: margin, rate, bias, start, order, seed, memory, ties; also kernel ("linear", "poly",
        "rbf") with gamma, degree and coef0; step, the step to open at; tab, the panel; hide, parts to leave out.

    Returns
    -------
    Lab
        Shows itself in a notebook; ``save(path)`` writes one HTML file; ``widget()`` is the live widget.

    Examples
    --------
    >>> lab([[-2, 0], [0, -2], [-2, 2], [2, 2]], [-1, -1, 1, 1], bias=False)
    Lab(4 points; save('lab.html') writes a page that opens anywhere)
    """
    if trace is not None:
        if X is not None or y is not None:
            raise DataError("give X and y, or a trace, not both: a trace holds its own examples.")
        return Lab({"trace": _trace_document(trace), "state": _settings(settings)}, title or TITLE)
    if X is None:
        if y is not None or not settings.keys() <= {"hide"}:
            raise DataError("X is missing: settings without examples have nothing to work on; give lab(X, y, ...).")
        return Lab({"state": _settings(settings)} if settings else {}, title or TITLE)
    state = {**_examples(X, y), "title": title, **_settings(settings)}
    return Lab({"state": state}, title or TITLE)


def _examples(X: Any, y: Any) -> dict[str, Any]:
    """Return the points, and what their classes and columns are called where they have names."""
    rows = as_rows(X)
    if rows.d > 2:
        raise DataError(f"X has {rows.d} features; the lab draws two: choose two columns, such as X[:, [0, 1]].")
    if rows.n > MOST_POINTS:
        raise DataError(f"X has {rows.n} rows; the lab takes at most {MOST_POINTS}: pass a sample, such as X[:500].")
    if y is None:
        raise DataError("y is missing: give one label for each row of X.")
    classes, codes = encode(y, rows.n)
    if len(classes) != 2:
        raise DataError(f"y has {len(classes)} classes; the lab draws two: keep two of them, or use y == one_of_them.")
    dense = np.asarray(rows.dense(), dtype=np.float64)
    _refuse_far("X", dense, rows.names)
    second = dense[:, 1] if rows.d == 2 else np.zeros(rows.n)
    points = [[float(a), float(b), 1 if code else -1] for a, b, code in zip(dense[:, 0], second, codes, strict=True)]
    named = all(isinstance(name, str) for name in classes.tolist())
    columns = [*(rows.names or ()), ""][:2]
    return {
        "points": points,
        **({"classes": classes.tolist()} if named else {}),
        **({"columns": columns} if any(columns) else {}),
    }


def _refuse_far(name: str, values: Doubles, columns: Sequence[str] | None) -> None:
    """Refuse a number that the page would have to change."""
    far = np.argwhere(~(np.abs(values) <= MOST))
    if len(far):
        i, j = far[0].tolist()
        column = j if columns is None else repr(columns[j])
        raise DataError(
            f"{name}, row {i}, column {column} is {values[i, j]}; the lab takes numbers within ±{MOST:.0f}: divide the column "
            "by a power of ten, or scale it (on the command line --scale standard)."
        )


def _refuse_out_of_range(settings: Mapping[str, Any]) -> None:
    for name, (low, high) in RANGES.items():
        if name in settings and not low <= settings[name] <= high:
            raise DataError(f"{name}={settings[name]!r} is out of the lab's range, {low:g} to {high:g}.")


def _settings(given: Mapping[str, Any]) -> dict[str, Any]:
    known = {*SETTINGS, "start", "kernel", "gamma", "degree", "coef0", "step", "hide", "tab"}
    if strange := sorted(given.keys() - known):
        raise DataError(f"{strange[0]!r} is no setting of the lab; choose from {', '.join(sorted(known))}.")
    state = {name: getattr(value, "item", lambda v=value: v)() for name, value in given.items() if value is not None}
    Rule(
        state.get("margin", 0.0), state.get("rate", 1.0), state.get("ties", "mistake")
    )  # each refuses what is impossible
    Order(state.get("order", "cyclic"), state.get("seed", 0))
    true_or_false("bias", state.get("bias", True))
    _refuse_out_of_range(state)
    one_of("memory", state.get("memory", "last"), MEMORIES)
    one_of("tab", state.get("tab", TABS[0]), TABS)
    for part in state.get("hide", ()):
        one_of("hide", part, HIDEABLE)
    if state.get("seed", 0) > MOST_SEED:
        raise DataError(f"seed={state['seed']} is beyond what a browser counts exactly; take one up to {MOST_SEED}.")
    if "kernel" in state:
        one_of("kernel", state["kernel"], KERNELS)
        if "start" in state or state.get("memory") == "pocket":
            raise DataError("the kernel machine starts at zero and has no pocket; leave start and memory='pocket' out.")
    if "start" in state:
        state["start"] = _start(given["start"], state.get("bias", True))
    return state


def _start(start: Any, bias: bool) -> list[float]:
    w0, b0 = split_start(start)
    w = [float(v) for v in np.ravel(w0)]
    if not 1 <= len(w) <= 2 or not np.isfinite([*w, b0]).all():
        raise DataError(f"start={start!r}: the lab needs one or two finite weights, and b: start=([1, -0.8], 0).")
    if abs(most := max([*w, b0], key=abs)) > MOST:
        raise DataError(f"start has {most!r}; the lab takes numbers within ±{MOST:.0f}.")
    if b0 and not bias:
        raise DataError(f"start has b = {b0!r}, but bias=False; leave b out.")
    return [*w, *[0.0] * (2 - len(w)), float(b0)]


def _trace_document(trace: Any) -> dict[str, Any]:
    if not hasattr(trace, "to_json"):
        trace = _read_trace(trace)
    found: dict[str, Any] = json.loads(trace.to_json())
    rows, classes = found["data"]["X"], found["data"]["classes"]
    if len(rows[0]) > 2:
        raise DataError(
            f"the trace has {len(rows[0])} features; the lab draws two: trace two columns, such as X[:, [0, 1]]."
        )
    if len(classes) != 2:
        raise DataError(f"the trace has {len(classes)} classes; the lab draws two.")
    if len(rows) > MOST_POINTS:
        raise DataError(f"the trace has {len(rows)} examples; the lab takes at most {MOST_POINTS}.")
    _refuse_far("the trace", np.array(rows, dtype=np.float64), found["data"].get("names"))
    _refuse_out_of_range(found["settings"])
    return found


def _read_trace(recorded: Any) -> Trace:
    """Return the trace in a JSON text or what was read from one, refused here where the page would stumble over it."""
    if not isinstance(recorded, str | bytes | dict):
        raise DataError(f"trace={recorded!r} is no trace; make one with rosenblatt.trace(X, y), or give its JSON.")
    text: Any = json.dumps(recorded) if isinstance(recorded, dict) else recorded
    try:
        return Trace.from_json(text)
    except DataError as error:
        raise DataError(f"{error} Make one with rosenblatt.trace(X, y).") from None
