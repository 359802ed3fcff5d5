"""`rosenblatt explain`: the score of one row, term by term."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import click
import numpy as np

from rosenblatt.cli.layout import aligned
from rosenblatt.cli.named import named, shared_buckets
from rosenblatt.cli.options import file_options, output_options
from rosenblatt.cli.screen import Result, counted_from_one, emit, faint, number, strong
from rosenblatt.cli.script import script
from rosenblatt.cli.using import MODEL_IMPORTS, encoder_for, model_script, open_new
from rosenblatt.data.encoder import MISSING, Encoder
from rosenblatt.data.table import Batch
from rosenblatt.data.words import words_behind
from rosenblatt.errors import DataError
from rosenblatt.models.kernel import KernelModel
from rosenblatt.models.linear import LinearModel
from rosenblatt.models.save import read_model
from rosenblatt.models.scored import LEAST_POSITIVE

SHOWN = 20  # terms written out for people


@click.command("explain", short_help="the score of one row, term by term")
@click.argument("model")
@click.argument("data")
@click.option("--row", type=click.IntRange(1), default=1, show_default=True, help="Which row of DATA, counted from 1.")
@click.option("--class", "label", help="Of several classes: explain the score of this one, not of the predicted.")
@click.option("--missing", type=click.Choice(MISSING), help="If not as in training.")
@file_options
@output_options
def command(**given: Any) -> None:
    """Show what each feature of one row of DATA adds to its score under a saved MODEL.

    \b
    rosenblatt explain iris.json iris.csv --row 3
    """
    if given["show_python"]:
        click.echo(_script(given))
        return
    saved = read_model(given["model"])
    encoder = encoder_for(saved, given)
    with open_new(given, encoder) as source:
        found = _result(saved.model, encoder, _row(source, given["row"]), given)
    emit(found, given["form"])


def _row(source: Any, number: int) -> Batch:
    try:
        row: Batch = source.raw_row(number - 1)
    except IndexError as error:
        raise DataError(f"--row {number}: {error}.") from None
    return row


def _result(model: Any, encoder: Encoder, raw: Batch, given: dict[str, Any]) -> Result:
    rows, kept, unknown = encoder.encode(raw)
    if not len(kept):
        raise DataError(f"row {given['row']} has missing values and is left out, so it has no score.")
    place = counted_from_one(raw.place(0, None)[0])
    words = {encoder.name(j): (named(encoder, j, {j: found}), list(found)) for j, found in _words(model, encoder, raw)}
    scores = np.atleast_1d(model.score(rows)[0])
    label = model.predict(rows)[0]
    k = _vector_of(model, scores, given["label"])
    header, terms, rest = _terms(model, encoder, rows, k)
    if words:
        header, terms = [*header, "words"], [[*term, words.get(term[0], ("", []))[1]] for term in terms]
    facts = {
        "model": given["model"],
        "data": given["data"],
        "row": given["row"],
        "place": place,
        "prediction": label,
        "scores": _by_class(model, scores),
        "explained": None if len(scores) == 1 else str(model.classes[k]),
        "terms": [dict(zip(header, term, strict=True)) for term in terms],
        "unknown_levels": unknown,
        **rest,
    }

    def text() -> Iterator[str]:
        of = "" if len(scores) == 1 else f", score of {model.classes[k]}"
        yield f"{place}: {strong(str(label))}{of}"
        shown = [[words.get(term[0], (term[0],))[0], *term[1:4]] for term in terms]
        yield from _table(header[:4], shown, rest, float(scores[k]))
        if len(scores) > 1:
            yield "scores: " + ", ".join(f"{c} {number(s)}" for c, s in zip(model.classes, scores, strict=True))
        if unknown:
            yield faint(f"levels not seen in training: {', '.join(unknown)} (they add nothing)")
        if words:
            yield faint(shared_buckets(encoder))

    last = ["bias", 1.0, rest["bias"], rest["bias"], []][: len(header)]  # in CSV the products add up to the score
    return Result("rosenblatt.explain/1", facts, header, [*terms, last], text)


def _vector_of(model: Any, scores: Any, label: str | None) -> int:
    if label is None:
        return int(scores.argmax())
    names = [str(value) for value in model.classes]
    if len(scores) == 1 or label not in names:
        raise DataError(f"--class {label}: choose one of {', '.join(names)}, of a model of more than two classes.")
    return names.index(label)


def _by_class(model: Any, scores: Any) -> dict[str, float]:
    names = [str(model.classes[1])] if len(scores) == 1 else [str(value) for value in model.classes]
    return dict(zip(names, scores.tolist(), strict=True))


def _words(model: Any, encoder: Encoder, raw: Batch) -> Iterable[tuple[int, Counter[str]]]:
    """Return the words of the row by feature; a kernel has rows for terms, not words."""
    return words_behind(encoder, raw).items() if isinstance(model, LinearModel) and encoder.columns else ()


def _terms(model: Any, encoder: Encoder, rows: Any, k: int) -> tuple[list[str], list[list[Any]], dict[str, Any]]:
    """Return the columns and the terms of a score, largest first, and what is added to them."""
    if _is_linear(model):
        x = rows.row(0)
        w = np.atleast_2d(model.w)[k]
        at = np.flatnonzero((x != 0) & (w != 0))
        at = at[np.argsort(-np.abs(w[at] * x[at]), kind="stable")]
        terms = [[encoder.name(int(j)), float(x[j]), float(w[j]), float(x[j] * w[j])] for j in at]
        return ["feature", "value", "weight", "product"], terms, {"bias": float(np.atleast_1d(model.b)[k])}
    values = model.kernel(rows, model.support)[0]
    parts = model.coefficients[k] * values
    at = np.argsort(-np.abs(parts), kind="stable")
    terms = [[f"support row {i + 1}", float(values[i]), float(model.coefficients[k, i]), float(parts[i])] for i in at]
    return ["feature", "kernel", "coefficient", "product"], terms, {"bias": float(model.b[k])}


def _is_linear(model: Any) -> bool:
    """Say whether the terms are those of features, or of support rows; a vote has none."""
    if isinstance(model, LinearModel):
        return True
    if isinstance(model, KernelModel) and not model.ballots:
        return False
    raise DataError(
        "a vote has no terms: every vector it passed through votes with its sign. "
        "Explain a model of variant standard, averaged, margin, pocket or kernel."
    )


def _table(header: list[str], terms: list[list[Any]], rest: dict[str, Any], score: float) -> Iterator[str]:
    rows = [header]
    rows += [[str(term[0]), *(number(value) for value in term[1:])] for term in terms[:SHOWN]]
    if len(terms) > SHOWN:
        others = sum(term[3] for term in terms[SHOWN:])
        rows.append([f"{len(terms) - SHOWN} smaller terms", "", "", number(others)])
    rows.append(["bias", "", "", number(rest["bias"])])
    sign = "≥ 0" if score >= LEAST_POSITIVE else "< 0"
    rows.append([strong("score"), "", "", strong(f"{number(score)}")])
    lines = aligned(rows, indent=2, right=(1, 2, 3), offset=len(sign) + 1)
    yield from lines[:-1]
    yield f"{lines[-1]} {sign}"


def _script(given: dict[str, Any]) -> str:
    if _is_linear(read_model(given["model"]).model):
        name = "encoder.name(j)"
        terms = [
            "values = row.row(0)",
            "weights, bias = numpy.atleast_2d(saved.model.w)[k], numpy.atleast_1d(saved.model.b)[k]",
        ]
    else:
        name = '"support row", j + 1'
        terms = [
            "values = saved.model.kernel(row, saved.model.support)[0]",
            "weights, bias = saved.model.coefficients[k], saved.model.b[k]",
        ]
    of = f"list(map(str, saved.model.classes)).index({given['label']!r})" if given["label"] else "scores.argmax()"
    lines = [
        f"row = encoder.encode(source.raw_row({given['row'] - 1})).rows",
        "scores = numpy.atleast_1d(saved.model.score(row)[0])",
        f"k = {of}",
        *terms,
        "products = weights * values",
        'for j in numpy.argsort(-abs(products), kind="stable"):',
        "    if products[j] != 0:",
        f"        print({name}, values[j], weights[j], products[j])",
        'print("bias", bias)',
        'print("score", scores[k], saved.model.predict(row)[0])',
    ]
    return script(model_script(given), lines, imports=("numpy", *MODEL_IMPORTS))
