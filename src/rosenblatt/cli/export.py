"""`rosenblatt export`: a saved model as ONNX, Python, C or SQL."""

import sys
from pathlib import Path
from typing import Any

import click

from rosenblatt.cli.options import quiet_option, show_python_option
from rosenblatt.cli.outputs import refuse_overwriting
from rosenblatt.cli.screen import note
from rosenblatt.cli.script import arguments, script
from rosenblatt.data.encoder import Encoder
from rosenblatt.data.files import write_bytes
from rosenblatt.errors import DataError
from rosenblatt.models.folding import fold
from rosenblatt.models.save import encoder_of, read_model

SUFFIXES = {".onnx": "onnx", ".py": "python", ".c": "c", ".sql": "sql"}
# How a script tells each function of the encoder.
ENCODED = {
    "sql": ", columns=rosenblatt.export.sql_columns(encoder)",
    "python": ", encoder=encoder if saved.encoder and encoder.columns else None",
    "onnx": ", encoder=encoder",
}


@click.command("export", short_help="a model as ONNX, Python, C or SQL")
@click.argument("model")
@click.option(
    "--to", "language", type=click.Choice(["onnx", "python", "c", "sql"]), help="Default: from the name of --out."
)
@click.option("-o", "--out", help="File to write; standard output otherwise.")
@click.option("--name", default="perceptron", show_default=True, help="Prefix of the C functions.")
@click.option("--sql-table", help="SQL: a whole SELECT over this table (or SCHEMA.TABLE), with scores.")
@quiet_option
@show_python_option
def command(**given: Any) -> None:
    """Write a saved MODEL in another language; it needs no rosenblatt there.

    \b
    rosenblatt export iris.json --out iris.c
    rosenblatt export iris.json --to sql --sql-table flowers
    """
    language = given["language"] or SUFFIXES.get(Path(given["out"] or "").suffix)
    if language is None:
        raise DataError("give the language with --to onnx, python, c or sql, or a name such as --out model.c.")
    options = _options(language, given)
    refuse_overwriting(given["out"], given["model"])
    if given["show_python"]:
        click.echo(_script(language, options, given))
        return
    from rosenblatt import export

    saved = read_model(given["model"])
    model, encoder = saved.model, encoder_of(saved)
    if language == "c":
        model, encoder = fold(model, encoder)
    kinds = {column.kind: column.name for column in encoder.columns}
    if language == "onnx":
        options["encoder"] = encoder
    if language == "sql":
        options["columns"] = export.sql_columns(encoder)
    elif language == "python" and saved.encoder is not None and encoder.columns:
        options["encoder"] = encoder
        note('note: predict takes a row by column names, as {"' + encoder.columns[0].name + '": …}')
    elif language == "c" and "text" in kinds:
        raise DataError(
            f"column {kinds['text']!r} holds text taken as hashed words, which C cannot split without a library of "
            "letters. Use --to python, which needs nothing but Python, or rosenblatt predict."
        )
    elif set(kinds) - {"number"}:
        note(f"note: the features are the encoded ones{_example(encoder)}")
    made = getattr(export, f"to_{language}")(model, **options)
    _write(made, given["out"])


def _example(encoder: Encoder) -> str:
    """Return what an encoded feature is, by an example of this model's own."""
    for column, start in zip(encoder.columns, encoder.starts, strict=True):
        if column.kind == "category":
            return f", such as {encoder.name(start)}: 1 where the column has that level, else 0"
        if column.kind == "text":
            return f", such as {encoder.name(start)}: how often the words of that bucket occur"
    return ", 1 for true and 0 for false"


def _options(language: str, given: dict[str, Any]) -> dict[str, Any]:
    if language == "c":
        return {"name": given["name"]}
    return {"table": tuple(given["sql_table"].split("."))} if language == "sql" and given["sql_table"] else {}


def _write(made: str | bytes, path: str | None) -> None:
    content = made if isinstance(made, bytes) else (made if made.endswith("\n") else made + "\n").encode()
    if path:
        write_bytes(path, content)
        note(f"wrote {path}")
    elif isinstance(made, bytes) and sys.stdout.isatty():
        raise DataError("ONNX is not text; give a file with --out model.onnx.")
    else:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()


def _script(language: str, options: dict[str, Any], given: dict[str, Any]) -> str:
    lines = [
        f"saved = rosenblatt.models.read_model({given['model']!r})",
        "model, encoder = saved.model, rosenblatt.models.encoder_of(saved)",
    ]
    if language == "c":
        lines.append("model, encoder = rosenblatt.models.folding.fold(model, encoder)")
    lines.append(f"made = rosenblatt.export.to_{language}(model{arguments(options)}{ENCODED.get(language, '')})")
    if given["out"]:
        mode = "wb" if language == "onnx" else "w"
        lines.append(f"open({given['out']!r}, {mode!r}).write(made)")
    else:
        lines.append("print(made)")
    return script(lines, imports=("rosenblatt.export", "rosenblatt.models", "rosenblatt.models.folding"))
