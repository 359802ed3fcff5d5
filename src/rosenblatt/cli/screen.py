"""What a person or a program sees: a result as text, CSV or JSON on standard output; words on standard error."""

import csv
import json
import math
import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import click
import numpy as np

from rosenblatt.cli.layout import room, wrapped

Line = Sequence[Any]


@dataclass(frozen=True)
class Result:
    """One result in its three forms: JSON ``facts`` under a named schema, a table for programs, text for people."""

    schema: str
    facts: dict[str, Any]
    header: Sequence[str]
    rows: Iterable[Line]
    text: Callable[[], Iterable[str]]


def emit(result: Result, form: str | None) -> str:
    """Print a result, as asked for, else as text on a terminal and as CSV in a pipe; return the form it had."""
    form = form or ("table" if sys.stdout.isatty() else "csv")
    if form == "json":
        click.echo(as_utf8(json.dumps(plain({"schema": result.schema, **result.facts}), ensure_ascii=False, indent=2)))
    elif form == "csv":
        write_csv([result.header, *result.rows])
    else:
        width, coloured = room(), colour(sys.stdout)
        for line in chain.from_iterable(text.split("\n") for text in result.text()):
            for part in wrapped(line, width):
                click.echo(part, color=coloured)
    return form


def as_utf8(text: str) -> str:
    """Return a text in which names of files that are no UTF-8 can be written: JSON is nothing else.

    >>> as_utf8("b\\udce9d.csv")
    'b\ufffdd.csv'
    """
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def write_csv(lines: Iterable[Line]) -> None:
    """Write lines as CSV to standard output."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerows([cell(value) for value in line] for line in lines)


def cell(value: Any) -> Any:
    """Return a value as CSV writes it: nothing for None, true and false as in JSON."""
    value = plain(value)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value) if isinstance(value, list | dict) else value


def plain(value: Any) -> Any:
    """Return JSON values: arrays as lists, numbers as Python's, not-finite ones as null."""
    if isinstance(value, dict):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def flat(facts: dict[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    """Return nested facts as (name, value) lines, names joined by dots.

    >>> flat({"rows": 2, "weights": {"a": 0.5}})
    [('rows', 2), ('weights.a', 0.5)]
    """
    lines: list[tuple[str, Any]] = []
    for key, value in facts.items():
        if isinstance(value, dict):
            lines += flat(value, f"{prefix}{key}.")
        else:
            lines.append((f"{prefix}{key}", value))
    return lines


def colour(stream: Any) -> bool:
    """Say whether to colour: on a terminal, unless NO_COLOR is set or the terminal is dumb (no-color.org)."""
    return bool(stream.isatty()) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def good(text: str) -> str:
    return click.style(text, fg="green")


def bad(text: str) -> str:
    return click.style(text, fg="red")


def strong(text: str) -> str:
    return click.style(text, bold=True)


def faint(text: str) -> str:
    return click.style(text, dim=True)


QUIET = "rosenblatt.quiet"


def quiet() -> bool:
    """Say whether --quiet was given: warnings and errors only."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(QUIET))


def note(text: str) -> None:
    """Say something on standard error, unless --quiet was given."""
    if not quiet():
        _say_aloud(text)


def _say_aloud(text: str) -> None:
    click.echo(text, err=True, color=colour(sys.stderr))


def say(notes: Iterable[str], *, shuffled: bool = False) -> None:
    """Pass on what a reader of the result should know; that labels are sorted does not matter to shuffled rows."""
    for text in notes:
        if not (shuffled and "look sorted" in text):
            note(f"note: {in_words_of_the_command_line(text)}")


def warn(text: str) -> None:
    """Warn on standard error."""
    _say_aloud(f"{click.style('warning:', fg='yellow')} {text}")


def complain(text: str) -> None:
    """Print an error: the first sentence on its line, the rest below it."""
    first, *rest = re.split(r"\n|(?<=[.!?;]) (?=[A-Z]|did |at most |choose |drop |use |give |write |expected )", text)
    _say_aloud(f"{click.style('error:', fg='red', bold=True)} {first.rstrip('.;')}")
    for line in rest:
        _say_aloud(f"  {line.strip()}")


OPTIONS = "target features exclude categories text weight positive classes missing scale format delimiter memory order"
OPTIONS += (
    " seed ties margin rate start multiclass cache quotes header first_index max_passes max_updates max_seconds vary"
)

VARIANT_OF = {"last": "standard", "average": "averaged", "vote": "voted", "pocket": "pocket"}


def counted_from_one(said: str) -> str:
    """Return a place or a message of the library, whose rows count from 0 where a file has no lines, as people count.

    >>> counted_from_one("a.parquet row 0"), counted_from_one("a.csv line 2")
    ('a.parquet row 1', 'a.csv line 2')
    >>> counted_from_one("a.parquet row 8, column x: the value is missing")
    'a.parquet row 9, column x: the value is missing'
    """
    place = r"^((?:.*? )?row )(\d+)(?=$|: |, column | is zero)"
    return re.sub(place, lambda found: f"{found[1]}{int(found[2]) + 1}", said)


def in_words_of_the_command_line(message: str) -> str:
    """Return a message of the library with its arguments as options: missing='drop' becomes --missing drop.

    >>> in_words_of_the_command_line("missing='drop' leaves such rows out, 'zero' and 'mean' fill them in")
    '--missing drop leaves such rows out, zero and mean fill them in'
    >>> in_words_of_the_command_line("it was saved with memory='vote'; this run has memory='average'.")
    'it was saved with --variant voted; this run has --variant averaged.'
    >>> in_words_of_the_command_line("export it with to_onnx, or train with memory='last' or 'average'.")
    'export it with --to onnx, or train with --variant standard or averaged.'
    >>> in_words_of_the_command_line("quotes=False reads quotes as letters")
    '--no-quotes reads quotes as letters'
    >>> in_words_of_the_command_line("give categories=['age'], or leave it out with exclude=['age'].")
    'give --categories age, or leave it out with --exclude age.'
    >>> in_words_of_the_command_line("trace one class against the rest with y == 'setosa'")
    'trace one class against the rest with --positive setosa'
    >>> in_words_of_the_command_line("trace one class against the rest with y == -0.5.")
    'trace one class against the rest with --positive -0.5.'
    """

    def option(found: re.Match[str]) -> str:
        value = ",".join(part.strip(" '\"") for part in found["value"].strip("[]()").split(",") if part.strip())
        if value in ("True", "False"):
            return f"--{'' if value == 'True' else 'no-'}{found['name'].replace('_', '-')}"
        return f"--{found['name'].replace('_', '-')} {value}"

    names = "|".join(OPTIONS.split())
    kept = "|".join(VARIANT_OF)
    if re.search(rf"\bmemory='({kept})'", message):  # what a learner remembers; elsewhere memory is the data's budget
        message = re.sub(rf"'({kept})'", lambda found: VARIANT_OF[found[1]], message.replace("memory=", "--variant "))
    said = re.sub(rf"\b(?P<name>{names})=(?P<value>'[^']*'|\"[^\"]*\"|[\[(][^\])]*[\])]|-?[\w.]*\w)", option, message)
    said = re.sub(rf"\b({names})=(?=[\s.,;:)]|$)", lambda found: f"--{found[1].replace('_', '-')}", said)
    said = re.sub(r"\bto_onnx\b", "--to onnx", said)
    said = re.sub(r"\by == (?:'([^']*)'|(-?[\w.]*\w))", lambda found: f"--positive {found[1] or found[2]}", said)
    return counted_from_one(re.sub(r"'(zero|mean|drop)'", r"\1", said))


def number(value: float) -> str:
    """Return a number for people: up to four significant digits after whole ones, no noise.

    >>> number(4.0), number(0.30000000000000004), number(12322.0), number(-0.26854), number(1e-17)
    ('4', '0.3', '12322', '-0.2685', '1e-17')
    """
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.4g}" if abs(value) < 1000 else f"{value:.1f}"


def percent(share: float) -> str:
    """Return a share as a percentage of at most two decimals.

    >>> percent(1.0), percent(0.98765)
    ('100 %', '98.77 %')
    """
    return f"{100 * share:.2f}".rstrip("0").rstrip(".") + " %"


def count(n: int, what: str, plural: str | None = None) -> str:
    """Return "1 row", "2 rows", "12,345 rows"."""
    return f"{n:,} {what if n == 1 else plural or what + 's'}"
