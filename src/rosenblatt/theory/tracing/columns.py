"""The trace as columns: for pandas, Arrow and CSV."""

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt.theory.tracing.lines import line_steps, pass_of, verdict

if TYPE_CHECKING:
    from rosenblatt.theory.tracing.traced import Trace


def columns(trace: "Trace", exact: bool) -> dict[str, list[Any]]:
    """Return one list per column; rows, steps and passes count from 0.

    Binary: step, pass, row, x[...], y, score, m_before, m_after, verdict, tau, w_before[...], b_before, w_after[...],
    b_after, norm, cos, promise. With a vector per class: rival instead of score, and no vectors.
    """
    lines = [_line(trace, step) for step in line_steps(trace)]
    names = list(lines[0]) if lines else []
    table = {name: [line[name] for line in lines] for name in names}
    if not exact:
        for name, values in table.items():
            table[name] = [float(value) if isinstance(value, Fraction) else value for value in values]
    return table


def _line(trace: "Trace", step: int) -> dict[str, Any]:
    examples = trace.examples
    k, updated, i, m, tau = trace.at(step)
    W, b = trace.vectors
    after = k + updated
    line: dict[str, Any] = {"step": step, "pass": pass_of(trace, step), "row": i}
    line |= _spread("x", examples.names, examples.x(i))
    line["y"] = _plain(examples.labels[i])
    if trace.binary:
        line["score"] = _plain(m * examples.sign(i))
    else:
        line["rival"] = _plain(examples.classes[int(trace.updates.rival[k])]) if updated else None
    line |= {
        "m_before": _plain(m),
        "m_after": _plain(trace.held.margins(after, np.array([i]))[0] if updated else m),
    }
    line |= {"verdict": verdict(m, updated), "tau": _plain(tau)}
    if trace.binary:
        line |= _spread("w_before", examples.names, W[k]) | {"b_before": _plain(b[k])}
        line |= _spread("w_after", examples.names, W[after]) | {"b_after": _plain(b[after])}
    line["norm"] = float(trace.norms[after])
    if trace.best is not None and trace.binary:
        curves = trace.proof()
        line |= {"cos": float(curves.cosine[after]), "promise": float(curves.promise[after])}
    return line


def _spread(what: str, names: tuple[str, ...], values: Any) -> dict[str, Any]:
    return {f"{what}[{name}]": _plain(value) for name, value in zip(names, values, strict=True)}


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
