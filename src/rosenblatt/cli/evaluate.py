"""`rosenblatt evaluate`: compare a saved model with the labels of a file."""

import re
from collections.abc import Iterator
from typing import Any

import click
import numpy as np

from rosenblatt.cli.app import exit_with
from rosenblatt.cli.layout import aligned
from rosenblatt.cli.options import file_options, output_options
from rosenblatt.cli.progress import ProgressLine, progress_line
from rosenblatt.cli.screen import Result, bad, count, emit, note, percent, strong
from rosenblatt.cli.script import script
from rosenblatt.cli.using import MODEL_IMPORTS, Tally, encoder_for, model_script, open_new
from rosenblatt.data.encoder import MISSING
from rosenblatt.data.target import Target
from rosenblatt.errors import DataError
from rosenblatt.models.measure import Confusion
from rosenblatt.models.save import Saved, read_model


@click.command("evaluate", short_help="compare a saved model with the labels of a file")
@click.argument("model")
@click.argument("data", default="-")
@click.option("-t", "--target", help="Column of the labels, if it is not called as in training.")
@click.option("--missing", type=click.Choice(MISSING), help="If not as in training.")
@click.option(
    "--at-least",
    type=click.FloatRange(0, 1),
    help="Exit with 1 if the accuracy is below this share; classes unknown to the model count as wrong.",
)
@file_options
@output_options
def command(**given: Any) -> None:
    """Predict the rows of DATA with MODEL and count how often it agrees with their labels.

    \b
    rosenblatt evaluate adult.safetensors adult-test.csv --at-least 0.8
    """
    if given["show_python"]:
        click.echo(_script(given))
        return
    saved = read_model(given["model"])
    encoder = encoder_for(saved, given)
    source = open_new(given, encoder)
    with progress_line(given) as line:
        found, tally = measure(saved, source, encoder, line)
    left_out = tally.seen - found.n
    if emit(_result(found, left_out, given), given["form"]) == "csv":
        note(f"accuracy {percent(found.accuracy)} of {count(found.n, 'row')}")
        if left_out:
            note(f"note: {_left_out(left_out)}")
    tally.say(encoder)
    strange = left_out - tally.left_out  # of a class that the model cannot say: wrong for whoever demands a share
    if given["at_least"] is not None and found.right < given["at_least"] * (found.n + strange):
        counted = f", {count(strange, 'row')} of unknown classes counted as wrong" if strange else ""
        note(f"the accuracy is below {percent(given['at_least'])}{counted}")
        exit_with(1)


def _left_out(n: int) -> str:
    return f"{count(n, 'row')} left out: a value is missing, or the label was not there in training"


def _no_labels(classes: Any, labels: Any, path: str) -> DataError:
    """Return the error for a file none of whose labels the model has."""
    if labels is None:
        return DataError(f"{path} has no rows.")
    values = list(labels.values if hasattr(labels, "values") else np.unique(labels).tolist())
    has, knows = (", ".join(repr(label) for label in some[:4]) for some in (values, classes.tolist()))
    bare = [{re.sub(r"\W", "", str(label)).lower() for label in some} for some in (values, classes.tolist())]
    alike = " They differ only in marks or case: write them alike, for example with sed." if bare[0] & bare[1] else ""
    return DataError(f"no label of {path} is known to the model. The file has {has}; the model has {knows}.{alike}")


def measure(saved: Saved, source: Any, encoder: Any, line: ProgressLine) -> tuple[Confusion, Tally]:
    """Return the counts of a source, and what to know of its rows; those not counted miss a value or a known label."""
    line.stage("evaluating")
    model: Any = saved.model
    k = len(model.classes)
    total, tally = Confusion(model.classes, np.zeros((k, k), dtype=np.int64)), Tally()
    labels: Any = None
    target = Target.of(model.classes, (saved.training or {}).get("positive"))
    for batch in source.batches():
        if batch.labels is None:
            what = "the model names no column of labels" if encoder.target is None else f"no column {encoder.target!r}"
            raise DataError(f"{source.path}: {what} to compare with; name it with --target.")
        encoded = encoder.encode(batch)
        tally.add(encoder, batch, encoded)
        codes = target.codes(batch.labels)[encoded.kept]
        known = np.flatnonzero(codes >= 0)
        if len(known):
            predicted = model.predict(encoded.rows.take(known))
            total += Confusion.of(model.classes[codes[known]], predicted, model.classes)
        labels = batch.labels
        line.seen(tally.seen)
    if not total.n:
        raise _no_labels(model.classes, labels, source.path)
    return total, tally


def _result(found: Confusion, left_out: int, given: dict[str, Any]) -> Result:
    names = [str(label) for label in found.classes.tolist()]
    facts = {
        "model": given["model"],
        "data": given["data"],
        "rows": found.n,
        "left_out": left_out,
        "right": found.right,
        "accuracy": found.accuracy,
        "classes": names,
        "confusion": found.matrix.tolist(),
        "precision": dict(zip(names, found.precision.tolist(), strict=True)),
        "recall": dict(zip(names, found.recall.tolist(), strict=True)),
    }
    header = ["class", "rows", "precision", "recall", *(f"predicted {name}" for name in names)]
    sizes = found.matrix.sum(axis=1).tolist()
    columns = zip(names, sizes, found.precision.tolist(), found.recall.tolist(), found.matrix.tolist(), strict=True)
    rows = [[name, n, p, r, *line] for name, n, p, r, line in columns]
    return Result("rosenblatt.evaluate/1", facts, header, rows, lambda: _text(found, left_out, rows, names))


def _text(found: Confusion, left_out: int, rows: list[list[Any]], names: list[str]) -> Iterator[str]:
    wrong = found.n - found.right
    yield f"accuracy {strong(percent(found.accuracy))} on {count(found.n, 'row')} ({wrong:,} wrong)"
    if left_out:
        yield bad(_left_out(left_out))
    shown = names[:10]
    table = [["true class", "rows", "precision", "recall", *(f"→ {name}" for name in shown)]]
    for name, n, p, r, *line in rows:
        table.append([name, f"{n:,}", _share(p), _share(r), *(f"{value:,}" for value in line[:10])])
    yield from aligned(table, indent=2, right=range(1, len(table[0])), bands=4)


def _share(value: float) -> str:
    return "–" if value != value else percent(value)


def _script(given: dict[str, Any]) -> str:
    lines = [
        "right = seen = 0",
        'positive = (saved.training or {}).get("positive")',
        "target = rosenblatt.data.target.Target.of(saved.model.classes, positive)",
        "for batch in source.batches():",
        "    rows, kept, _ = encoder.encode(batch)",
        "    codes = target.codes(batch.labels)[kept]",
        "    right += (saved.model.predict(rows) == saved.model.classes[codes])[codes >= 0].sum()",
        "    seen += (codes >= 0).sum()",
        'print("accuracy:", right / seen)',
    ]
    return script(model_script(given), lines, imports=(*MODEL_IMPORTS, "rosenblatt.data.target"))
