"""The printed trace: which lines are shown, what stands in them, and the remarks below."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt.theory.decimals import briefly, vector
from rosenblatt.theory.layout import Table

if TYPE_CHECKING:
    from rosenblatt.theory.tracing.traced import Trace

Line = tuple[object, ...] | str
SHOWN = 40  # lines of a short table; longer runs are shown at 1, 2, 4, 8, ... and at the end
QUIET = 3  # right answers in a row that become one line
ALL = "table() has them all"
LISTED = 12  # examples whose m is listed below


def line_steps(trace: "Trace") -> list[int]:
    """Return the steps that have a line: all that were kept, or the updates."""
    return trace.updates.step.tolist() if trace.what == "updates" else list(range(len(trace.steps)))


def full_table(trace: "Trace") -> Table:
    """Return every line."""
    return _table(trace, [_line(trace, step) for step in line_steps(trace)])


def short_table(trace: "Trace") -> Table:
    """Return the lines a person wants to see: no more than a screen, quiet stretches folded."""
    steps = line_steps(trace)
    if trace.cycle is not None:
        steps = [step for step in steps if step < trace.cycle.again]
    groups = [[step] for step in steps] if trace.what == "updates" else _fold(steps, trace)
    chosen = [groups[i] for i in doubling(len(groups))]
    lines = [_line(trace, group[0]) if len(group) == 1 else _folded(trace, group) for group in chosen]
    left = len(groups) - len(chosen)
    return _table(trace, lines, [f"… {_count(left, 'line')} left out above; {ALL}"] if left else [])


def _fold(steps: list[int], trace: "Trace") -> list[list[int]]:
    """Group steps: what is wrong or moved the vector by itself, long stretches of right answers together."""
    groups: list[list[int]] = []
    quiet: list[int] = []
    loud = {*trace.updates.step.tolist(), *np.flatnonzero(trace.steps.m <= 0).tolist()}
    for step in [*steps, None]:
        if step is not None and step not in loud:
            quiet.append(step)
            continue
        groups += [quiet] if len(quiet) >= QUIET else [[one] for one in quiet]
        quiet = []
        if step is not None:
            groups.append([step])
    return groups


def doubling(n: int) -> list[int]:
    """Return which of n lines are shown: all, or lines 1, 2, 4, 8, ... and the last where there are too many.

    >>> doubling(3), doubling(100)
    ([0, 1, 2], [0, 1, 3, 7, 15, 31, 63, 99])
    """
    if n <= SHOWN:
        return list(range(n))
    return [*(2**e - 1 for e in range(n.bit_length()) if 2**e < n), n - 1]


def _folded(trace: "Trace", group: list[int]) -> str:
    first, last = group[0], group[-1]
    passes = sorted({int(trace.steps.number[step]) + 1 for step in (first, last)})
    where = f"{'pass' if len(passes) == 1 else 'passes'} {'–'.join(map(str, passes))}"
    return f"{f'{first + 1}…{last + 1}':>4}  {where}: {len(group)} examples, all right"


def _table(trace: "Trace", lines: Iterable[Line], above: Sequence[str] = ()) -> Table:
    headers, align = ["step", "pass", "row", "x", "y"], "rrrlr"
    bias, formula = trace.settings["bias"], "y(w·x + b)" if trace.settings["bias"] else "y(w·x)"
    if trace.binary:
        headers += ["w before", *(["b"] if bias else []), formula, "", "w after", *(["b"] if bias else [])]
        align += "l" + ("r" if bias else "") + "rll" + ("r" if bias else "")
        if trace.best is not None:
            headers += ["cos(w, u)", "≥ promised" if _moved_start(trace) else "≥ √k·γ/R"]
            align += "rr"
    else:
        moved = ["w(y) after", *(["b"] if bias else []), "w(rival) after", *(["b"] if bias else [])]
        headers += ["rival", "m", "", *moved]
        align += "lrl" + ("lrlr" if bias else "ll")
    return Table(tuple(headers), tuple(lines), align, (*above, *_remarks(trace)))


def _moved_start(trace: "Trace") -> bool:
    """Say whether the promise is other than √k·γ/R: another start, rate, margin or weights."""
    plain = all(not np.any(part) for part in trace.start) and trace.settings["margin"] == 0
    return not plain or len({*trace.updates.tau.tolist()}) > 1


def _line(trace: "Trace", step: int) -> Line:
    k, updated, i, m, _ = trace.at(step)
    label: Any = trace.examples.labels[i]
    numeric = isinstance(label, (int, np.integer)) and trace.examples.classes.tolist() == [-1, 1]
    place = [step + 1, pass_of(trace, step) + 1, i + 1, vector(trace.examples.x(i))]
    place.append(f"{int(label):+d}" if numeric else str(label))
    if not trace.binary:
        return (*place, *_direct_line(trace, k, i, m, updated))
    W, b = trace.vectors
    bias = trace.settings["bias"]
    before = [vector(W[k]), *([briefly(b[k])] if bias else [])]
    after = [vector(W[k + 1]), *([briefly(b[k + 1])] if bias else [])] if updated else [""] * len(before)
    line = [*place, *before, briefly(m), verdict(m, updated), *after]
    if trace.best is not None:
        curves = trace.proof()
        line += [_share(curves.cosine[k + 1]), _share(curves.promise[k + 1])] if updated else ["", ""]
    return tuple(line)


def _direct_line(trace: "Trace", k: int, i: int, m: Any, updated: bool) -> Line:
    """Return rival, margin and verdict, and of an update the vector that gained and the one that lost."""
    bias = trace.settings["bias"]
    if not updated:
        return "", briefly(m), verdict(m, updated), *[""] * (4 if bias else 2)
    W, b = (part[k + 1] for part in trace.vectors)
    rival = int(trace.updates.rival[k])
    after = [[vector(W[c]), *([briefly(b[c])] if bias else [])] for c in (int(trace.examples.codes[i]), rival)]
    return str(trace.examples.classes[rival]), briefly(m), verdict(m, updated), *after[0], *after[1]


def _share(value: float) -> str:
    """Return a cosine or its promise with three places; "–" where there is none."""
    if not np.isfinite(value) or value == -1:
        return "–"
    return f"{value:.3f}" if value == 0 or abs(value) >= 0.0005 else f"{value:.0e}"


def pass_of(trace: "Trace", step: int) -> int:
    """Return the pass (from 0) of a step: from the steps kept, else from the order's pass length."""
    if step < len(trace.steps):
        return int(trace.steps.number[step])
    if trace.settings["order"] in ("first", "worst"):  # a pass ends with its update
        return int(trace.k_before(np.array([step]))[0])
    return step // trace.examples.n


def verdict(m: Any, updated: bool) -> str:
    """Return what happened at a step: a mistake, an update for want of margin, or nothing."""
    if updated:
        return "mistake" if m <= 0 else "too near"
    return "ok" if m > 0 else "left"


def _remarks(trace: "Trace") -> list[str]:
    counts, notes = trace.counts, []
    ended = "converged" if counts.converged else f"not converged ({counts.stopped_by})"
    arithmetic = "exact arithmetic" if trace.exact else "floating point"
    notes.append(
        f"{ended} after {_count(counts.n_updates, 'update')}, {_count(counts.n_steps, 'step')}, "
        f"{_count(counts.n_passes, 'pass')}{_bound(trace)}; {arithmetic}"
    )
    if trace.cycle is not None:
        first, again = trace.cycle.first, trace.cycle.again
        notes.append(
            f"after step {again} w is what it was {f'after step {first}' if first else 'at the start'}, at the same "
            "place of the pass: from here it cycles for ever"
        )
    if not trace.complete:
        notes.append(f"the first {len(trace.updates)} of {counts.n_updates} updates were kept; raise max_rows for more")
    if len(trace.ties):
        first = int(trace.ties[0])
        notes.append(
            f"{_count(len(trace.ties), 'verdict')} may be rounding's, first at step {first + 1} "
            f"(m = {float(trace.steps.m[first]):.3g}); exact=True decides as on paper"
        )
    notes += _model(trace)
    if trace.complete and trace.binary and trace.examples.n <= LISTED:
        W, b = trace.vectors
        at = f"w = {vector(W[-1])}" + (f", b = {briefly(b[-1])}" if trace.settings["bias"] else "")
        listed = "   ".join(f"{i + 1}: {briefly(m)}" for i, m in enumerate(trace.margins(len(W) - 1)))
        notes.append(f"m of all examples at {at}:  {listed}")
    return notes


def _bound(trace: "Trace") -> str:
    if trace.best is None:
        return ""
    if _moved_start(trace):
        most = trace.most_updates
        return "" if most is None else f"; at most {most} updates with this start and margin"
    ratio = trace.best.R / trace.best.gamma
    return f"; bound (R/γ)² = {briefly(ratio * ratio)}" if ratio * ratio < np.inf else ""


def _model(trace: "Trace") -> list[str]:
    """Say which vector is the model, where it is not simply the last."""
    memory, w, b = trace.model.memory, trace.model.w, trace.model.b
    if memory == "last" or not trace.binary:
        return []
    if memory == "vote":
        counts = ", ".join(map(str, trace.survival[:LISTED])) + (", …" if len(trace.survival) > LISTED else "")
        return [f"model: a vote of {len(trace.survival)} vectors with counts {counts}"]
    assert w is not None
    at = f"w = {vector(w)}" + (f", b = {briefly(b)}" if trace.settings["bias"] else "")
    if memory == "average":
        return [f"model: the average over {trace.counts.n_steps} steps, {at}"]
    k = trace.model_k
    when = "" if k is None else " (the start)" if k == 0 else f" (after update {k})"
    return [f"model: the pocket, {at}{when}, {_count(trace.model.errors or 0, 'training error')}"]


def _count(number: int, word: str) -> str:
    plural = "passes" if word == "pass" else word + "s"
    return f"{number} {word if number == 1 else plural}"


def margin_table(trace: "Trace", short: bool = False) -> Table:
    """Return m of every example at every vector, as the worked example W2 prints it; short: no more than a screen."""
    W, b = trace.vectors
    bias, total = trace.settings["bias"], len(W)
    if short and trace.cycle is not None:
        total = int(np.searchsorted(trace.updates.step, trace.cycle.again)) + 1
    lines = []
    for k in doubling(total) if short else range(total):
        vectors = [vector(W[k]), *([briefly(b[k])] if bias else [])] if trace.binary else []
        lines.append((k, *vectors, *(briefly(m) for m in trace.margins(k))))
    rows = tuple(f"m{i + 1}" for i in range(trace.examples.n))
    headers = ("k", *(("w", *(("b",) if bias else ())) if trace.binary else ()), *rows)
    align = "r" + ("l" + ("r" if bias else "") if trace.binary else "") + "r" * len(rows)
    left = total - len(lines)
    return Table(headers, tuple(lines), align, (f"… {_count(left, 'vector')} left out above; {ALL}",) if left else ())
