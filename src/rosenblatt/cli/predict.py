"""`rosenblatt predict`: label the rows of a file with a saved model, as a stream."""

import contextlib
import csv
import io
import json
import sys
from collections.abc import Callable, Sequence
from typing import Any, BinaryIO

import click
import numpy as np

from rosenblatt.cli.options import file_options, quiet_option, show_python_option
from rosenblatt.cli.outputs import refuse_other_formats, refuse_other_separator, refuse_overwriting
from rosenblatt.cli.progress import progress_line
from rosenblatt.cli.screen import count, note, plain
from rosenblatt.cli.script import script
from rosenblatt.cli.using import MODEL_IMPORTS, Tally, encoder_for, model_script, open_new
from rosenblatt.data.encoder import MISSING
from rosenblatt.data.files import write_atomically
from rosenblatt.data.table import Batch
from rosenblatt.errors import DataError
from rosenblatt.models.save import read_model
from rosenblatt.models.scored import decide


@click.command("predict", short_help="label the rows of a file with a saved model")
@click.argument("model")
@click.argument("data", default="-")
@click.option("--scores", is_flag=True, help="Also the scores.")
@click.option("--only", is_flag=True, help="Only the predictions, without the input columns.")
@click.option(
    "--missing",
    type=click.Choice(MISSING),
    help="What to do where a value is missing, if not as in training; drop gives no prediction.",
)
@file_options
@click.option("-o", "--out", help="Write here instead, whole or not at all.")
@click.option("--json", "as_json", is_flag=True, help="JSON Lines: row, prediction, scores.")
@quiet_option
@show_python_option
def command(**given: Any) -> None:
    """Copy DATA (a file, or - for standard input) to standard output with a column of predictions by MODEL.

    Columns and rows keep their order; the file is read in blocks, so any size works.

    \b
    rosenblatt predict iris.json new.csv --scores
    zcat big.csv.gz | rosenblatt predict iris.json > labelled.csv
    """
    if given["out"]:
        refuse_overwriting(given["out"], given["model"], given["data"])
        refuse_other_formats(given["out"], "JSON Lines" if given["as_json"] else "CSV")
    if given["show_python"]:
        click.echo(_script(given))
        return
    saved = read_model(given["model"])
    encoder = encoder_for(saved, given)
    source = open_new(given, encoder)
    source.keep_all_columns()
    model: Any = saved.model
    tally = Tally()

    def predict() -> None:
        write = _json_lines() if given["as_json"] else _csv_lines(source, model, given)
        with progress_line(given, writes_rows=not given["out"]) as line:
            line.stage("predicting")
            for batch in source.batches():
                encoded = encoder.encode(batch)
                tally.add(encoder, batch, encoded)
                write(batch, *_answers(model, encoded, batch.n))
                line.seen(tally.seen)
            if not tally.seen:
                write(Batch(0, {}), [], [])  # the header

    if given["out"]:
        _to_file(given["out"], predict)
        note(f"wrote {given['out']}")
    else:
        predict()
    tally.say(encoder)
    if tally.left_out:
        fills = "zero fills" if encoder.fill is None else "zero or mean fills"
        note(f"note: {count(tally.left_out, 'row')} with missing values got no prediction; --missing {fills} them in")


def _to_file(path: str, write: Callable[[], None]) -> None:
    """Let ``write`` print into a file instead, whole or not at all."""

    def fill(file: BinaryIO) -> None:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="")
        with contextlib.redirect_stdout(text):
            write()
        text.detach()  # flushed; the file itself is closed by who opened it

    write_atomically(path, fill)


def _answers(model: Any, encoded: Any, n: int) -> tuple[list[Any], list[Any]]:
    """Return label and scores of each of n rows; None for those left out."""
    labels: list[Any] = [None] * n
    scores: list[Any] = [None] * n
    if len(encoded.kept):
        found = model.score(encoded.rows)
        found = zip(decide(found, model.classes).tolist(), found.tolist(), strict=True)
        for at, (label, score) in zip(encoded.kept, found, strict=True):
            labels[at], scores[at] = label, score
    return labels, scores


Writer = Callable[[Any, list[Any], list[Any]], None]


def _json_lines() -> Writer:
    seen = 0

    def write(batch: Any, labels: list[Any], scores: list[Any]) -> None:
        nonlocal seen
        for label, score in zip(labels, scores, strict=True):
            seen += 1
            line = {"row": seen, "prediction": plain(label), "scores": plain(score)}
            sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")

    return write


def _csv_lines(source: Any, model: Any, given: dict[str, Any]) -> Writer:
    """Write the header if there is one, and return what writes a batch."""
    delimiter, has_header, quotes = source.dialect or (",", True, True)
    if given["out"] and not given["only"]:
        refuse_other_separator(given["out"], delimiter)
    dialect = None if given["only"] else source.dialect
    if given["only"]:  # a header where the input has one, so that the lines of both stand side by side
        delimiter, quotes = ",", True
    quoting: Any = {} if quotes else {"quoting": csv.QUOTE_NONE, "quotechar": None}
    writer = csv.writer(sys.stdout, lineterminator="\n", delimiter=delimiter, **quoting)
    columns = [] if given["only"] else list(source.columns)
    added = ["prediction"]
    if given["scores"]:
        single = np.ndim(getattr(model, "b", 0.0)) == 0 or len(model.classes) == 2
        added += ["score"] if single else [f"score {label}" for label in model.classes.tolist()]
    added = [_fresh(name, columns) for name in added]
    began = False
    text = _texts(model.classes.tolist(), delimiter, quoting)

    def numbers(score: Any) -> str:
        return "".join(f"{delimiter}{value}" for value in _several(score, len(added) - 1))

    def write(batch: Any, labels: list[Any], scores: list[Any]) -> None:
        nonlocal began
        if not began and has_header:
            writer.writerow([*columns, *added])
        began = True
        if dialect is not None and batch.records is not None:
            lines = zip(batch.records(), labels, scores, strict=True)
            if given["scores"]:
                ended = (f"{r}{delimiter}{text(label)}{numbers(score)}\n" for r, label, score in lines)
            else:
                ended = (f"{r}{delimiter}{text(label)}\n" for r, label, _ in lines)
            sys.stdout.write("".join(ended))
            return
        ends = [_end(label, score, len(added) - 1) for label, score in zip(labels, scores, strict=True)]
        cells = [] if batch.written is None else [batch.written(name) for name in columns]
        for line in zip(*cells, ends, strict=True) if cells else ((end,) for end in ends):
            writer.writerow([*line[:-1], *line[-1]])

    return write


def _texts(classes: list[Any], delimiter: str, quoting: Any) -> Callable[[Any], str]:
    """Return what gives a label as the file would write it; quoting is settled once for each class."""
    texts = {None: ""}
    for label in classes:
        out = io.StringIO()
        try:
            csv.writer(out, lineterminator="\r\n", delimiter=delimiter, **quoting).writerow(_end(label, None, 0))
        except csv.Error:
            raise DataError(
                f"the label {label!r} cannot stand in a file without quotes whose columns are separated by {delimiter!r}. "
                "Write the predictions alone with --only, or as --json."
            ) from None
        texts[label] = out.getvalue().removesuffix("\r\n")
    return texts.__getitem__


def _fresh(name: str, taken: Sequence[str]) -> str:
    """Return a name that no input column has."""
    while name in taken:
        name += "_"
    return name


def _end(label: Any, score: Any, n_scores: int) -> list[Any]:
    """Return what is added to a row: the label, and its scores if they are asked for; empty for a row left out."""
    shown = "" if label is None else str(label).lower() if isinstance(label, bool) else label
    return [shown, *_several(score, n_scores)]


def _several(score: Any, n_scores: int) -> list[Any]:
    if score is None or not n_scores:
        return [""] * n_scores
    return score if isinstance(score, list) else [score]


def _script(given: dict[str, Any]) -> str:
    lines = [
        "for batch in source.batches():",
        "    rows = encoder.encode(batch).rows",
        "    for label, score in zip(saved.model.predict(rows), saved.model.score(rows)):",
        "        print(label, score)" if given["scores"] else "        print(label)",
    ]
    return script(model_script(given), lines, imports=MODEL_IMPORTS)
