"""What `fit` found, in words: one run as a page of text, several variants as one table."""

import textwrap
from collections.abc import Iterator
from typing import Any

import numpy as np

from rosenblatt._typing import Doubles
from rosenblatt.cli.fitted import MANY, Report
from rosenblatt.cli.layout import aligned
from rosenblatt.cli.named import named, shared_buckets, words_of_file
from rosenblatt.cli.reading import SMALL
from rosenblatt.cli.screen import VARIANT_OF, Result, bad, count, faint, flat, good, number, percent, strong
from rosenblatt.models.linear import LinearModel

INDENT = " " * 14  # of what stands beside the names of the sections
WIDTH = 66  # letters beside the names of the sections, so that a line has 80
SHOWN = 16  # features written out; of more only the largest weights
ORDERS = {
    "cyclic": "file order",
    "shuffle": "shuffled before every pass, seed {seed}",
    "shuffle_once": "shuffled once, seed {seed}",
    "random": "drawn at random, seed {seed}",
    "first": "first mistake",
    "worst": "worst mistake",
}


def summary(report: Report) -> Result:
    """Return one fit as a result."""
    facts = report.facts() | report.weights()
    lines = [line for line in flat(facts) if not (line[0].startswith("weights.") and report.d > MANY)]
    return Result("rosenblatt.fit/1", facts, ("name", "value"), lines, lambda: _text(report))


def _text(report: Report) -> Iterator[str]:
    title = f"Perceptron, {report.variant}"
    if report.trained.kernel is not None:
        title = f"Kernel perceptron, {_kernel_words(report)}"
    yield f"{strong(title)} · {report.data} · {count(report.n, 'row')}, {count(report.d, 'feature')}"
    for name, lines in _sections(report):
        for i, line in enumerate(lines):
            yield f"  {name if i == 0 else '':<11} {line}".rstrip()


def _kernel_words(report: Report) -> str:
    kernel = report.trained.kernel
    assert kernel is not None
    numbers = {"linear": "", "cosine": ""}.get(kernel.name, f" gamma {number(kernel.gamma)}")
    if kernel.name in ("poly", "polynomial"):
        numbers += f", degree {number(kernel.degree)}"
    return f"{VARIANT_OF[report.trained.settings.get('memory', 'last')]}, {kernel.name}{numbers}"


def _sections(report: Report) -> Iterator[tuple[str, list[str]]]:
    yield "classes", _class_words(report)
    yield "settings", _settings_words(report)
    yield "", [""]
    yield "converged", [_converged_words(report)]
    yield "updates", _updates_words(report)
    if isinstance(report.model, LinearModel):
        yield "weights", _weight_words(report)
    elif report.trained.kernel is not None:
        yield "support", [f"{count(report.model.support.n, 'row')} that caused updates"]
    else:
        yield "voters", [f"{count(sum(len(b.count) for b in report.model.ballots), 'vector')}"]
    if report.margin is not None and report.margin < 0:
        yield "margin", [f"none: the {report.variant} vector does not separate the rows, though the last one did"]
    elif report.margin is not None:
        best = (
            f", {percent(report.margin / report.best)} of the best possible {number(report.best)}"
            if report.best
            else ""
        )
        yield "margin", [f"{number(report.margin)}{best}"]
    yield "accuracy", _accuracy_words(report)


def _class_words(report: Report) -> list[str]:
    if len(report.classes) == 2:
        signs = ("−1", "+1")
        return ["    ".join(f"{c} → {s} ({k:,})" for c, s, k in zip(report.classes, signs, report.counts, strict=True))]
    shown = [f"{c} ({k:,})" for c, k in zip(report.classes, report.counts, strict=True)]
    return [", ".join(shown[:12]) + (f", … {len(shown)} in all" if len(shown) > 12 else "")]


def _settings_words(report: Report) -> list[str]:
    settings = report.trained.settings
    parts = [ORDERS[settings.get("order", "cyclic")].format(seed=settings.get("seed", 0))]
    start = settings.get("start")
    if report.trained.kernel is None:
        parts.append("start 0" if start is None else f"start {start if isinstance(start, str) else _vector(start)}")
    parts.append(f"rate {number(settings.get('rate', 1.0))}")
    if settings.get("margin"):
        parts.append(f"margin {number(settings['margin'])}")
    parts.append("bias" if settings.get("bias", True) else "through the origin")
    parts.append("ties are mistakes" if settings.get("ties", "mistake") == "mistake" else "ties are positive")
    if len(report.classes) > 2:
        parts.append(
            "one against the rest" if settings.get("multiclass", "ovr") == "ovr" else "true class against rival"
        )
    lines = [parts[0]]
    for part in parts[1:]:
        if len(lines[-1]) + 3 + len(part) <= WIDTH:
            lines[-1] += f" · {part}"
        else:
            lines.append(part)
    return lines


def _vector(start: Any) -> str:
    w, b = start
    return f"({', '.join(number(part) for part in w)})" + (f"; {number(b)}" if b else "")


def _converged_words(report: Report) -> str:
    outcome = report.trained.outcome
    per_pass = outcome.updates_per_pass.tolist()
    shown = ", ".join(map(str, per_pass[:4] + (["…"] if len(per_pass) > 8 else per_pass[4:-4]) + per_pass[4:][-4:]))
    if outcome.converged:
        return f"{good('yes')}, after {count(outcome.n_passes, 'pass', 'passes')} (updates {shown})"
    why = {
        "max_passes": f"no clean pass in {outcome.n_passes:,}; {per_pass[-1]:,} updates in the last",
        "max_updates": "the limit of updates was reached",
        "interrupted": f"interrupted in pass {outcome.n_passes:,}",
        "max_seconds": f"time was up in pass {outcome.n_passes:,}",
    }
    return f"{bad('no')}, {why.get(outcome.stopped_by, outcome.stopped_by)}"


def _updates_words(report: Report) -> list[str]:
    outcome = report.trained.outcome
    if report.bound is None:
        lines = [f"{outcome.n_updates:,} in {outcome.n_steps:,} steps"]
        if outcome.converged and len(report.classes) == 2 and report.n * report.d > SMALL:
            lines.append(faint("the bound is left out for data of this size; mistake_bound in Python finds it"))
        return lines
    bound = report.bound
    formula = bound.formula.replace("gamma", "γ")
    space = "bias as feature 1" if bound.space == "(x, 1)" else "through the origin"
    scaled = ", scaled features" if report.encoder is not None and report.trained.model is not report.model else ""
    sizes, where = f"{formula} with R = {number(bound.R)}, γ = {number(bound.gamma)}", f"{space}{scaled}"
    why = [f"{sizes}, {where}"] if len(sizes) + 2 + len(where) <= WIDTH else [sizes, where]
    return [f"{outcome.n_updates:,} of at most {bound.most:,}", *map(faint, why)]


def _weight_words(report: Report) -> list[str]:
    W, b = np.atleast_2d(report.model.w), np.atleast_1d(report.model.b)
    chosen = np.arange(report.d)
    if report.d > SHOWN:
        effect, less = _effects(report)
        chosen = np.argsort(-effect, kind="stable")[:SHOWN]
        chosen = chosen[effect[chosen] > 0]
    some = len(W) > 6
    words = words_of_file(report.encoder, report.source, chosen.tolist())
    rows = [[named(report.encoder, int(j), words), *(number(value) for value in W[:6, j])] for j in chosen]
    if report.trained.settings.get("bias", True):
        rows.append(["bias", *(number(value) for value in b[:6])])
    if len(W) > 1:
        rows.insert(0, ["", *(str(label) for label in report.classes[:6])])
    lines = aligned(rows, right=range(1, len(rows[0])), offset=len(INDENT), bands=1)
    if report.d > SHOWN:
        lines.append(
            faint(f"… {report.d - len(chosen):,} of {less}" + ("" if report.out else "; --out saves them all"))
        )
    if some:
        lines.append(faint(f"… {len(W) - 6} more classes"))
    if words:
        lines += map(faint, textwrap.wrap(shared_buckets(report.encoder), WIDTH))
    return lines


def _effects(report: Report) -> tuple[Doubles, str]:
    """Return how much each feature can move a score, and what those with less of it are said to have.

    That is the weight times the size of the column; of a file in blocks the sizes are known only where they were scaled.
    """
    learnt: Any = report.trained.model
    weights = np.abs(np.atleast_2d(learnt.w)).max(axis=0)
    if report.sizes is not None:
        return weights * report.sizes, "less effect"
    return weights, "less effect" if learnt is not report.model else "smaller weight"


def _accuracy_words(report: Report) -> list[str]:
    lines = []
    if report.test_accuracy is not None:
        lines.append(f"{strong(percent(report.test_accuracy))} on {count(report.n_test, 'row')} set aside")
    if report.cv:
        spread = float(np.std(report.cv, ddof=1))
        folds = f"{len(report.cv)}-fold cross-validation"
        lines.append(f"{strong(percent(float(np.mean(report.cv))))} ± {percent(spread)} in a {folds}")
    if report.train_accuracy is not None:
        hint = [] if lines else [faint("--test 0.2 or --cv 5 for unseen rows")]
        lines += [f"{percent(report.train_accuracy)} on the rows it learnt from", *hint]
    return lines


def comparison(reports: list[Report]) -> Result:
    """Return several variants as one table."""
    unseen = "test" if reports[0].test_accuracy is not None else "cv" if reports[0].cv else None
    header = ["variant", "converged", "passes", "updates", "train_accuracy"]
    header += [f"{unseen}_accuracy"] if unseen else []
    header += ["seconds"]

    def line(report: Report) -> list[Any]:
        outcome = report.trained.outcome
        found = report.test_accuracy if unseen == "test" else float(np.mean(report.cv)) if unseen else None
        cells = [report.variant, bool(outcome.converged), outcome.n_passes, outcome.n_updates, report.train_accuracy]
        return [*cells, *([found] if unseen else []), round(report.trained.seconds, 4)]

    rows = [line(report) for report in reports]
    facts = {
        "data": reports[0].data,
        "rows": reports[0].n,
        "variants": [report.facts() for report in reports],
    }
    return Result("rosenblatt.compare/1", facts, header, rows, lambda: _comparison_text(reports, header, rows))


def _comparison_text(reports: list[Report], header: list[str], rows: list[list[Any]]) -> Iterator[str]:
    first = reports[0]
    yield f"{strong('Perceptrons')} · {first.data} · {count(first.n, 'row')}, {count(first.d, 'feature')}"
    yield f"  {'classes':<11} {_class_words(first)[0]}"
    for i, line in enumerate(_settings_words(first)):
        yield f"  {'settings' if i == 0 else '':<11} {line}"
    yield ""
    at = [j for j, name in enumerate(header) if name.endswith("accuracy")]
    best = {j: max(row[j] for row in rows) for j in at}
    lines = [[name.replace("_accuracy", "") for name in header]]
    for row in rows:
        shown = [str(row[0]), good("yes") if row[1] else bad("no"), f"{row[2]:,}", f"{row[3]:,}"]
        for j in at:
            text = percent(row[j])
            shown.append(strong(text) if row[j] == best[j] else text)
        lines.append([*shown, f"{row[-1]:.2f}"])
    passes, seconds = header.index("passes"), header.index("seconds")
    yield from aligned(lines, indent=2, right=range(2, len(header)), drop=(seconds, passes))
