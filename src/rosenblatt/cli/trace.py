"""`rosenblatt trace`: every step of a run, with its arithmetic."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import click

from rosenblatt.cli.layout import aligned, room
from rosenblatt.cli.options import (
    VARIANTS,
    data_options,
    learning_arguments,
    learning_options,
    opening_arguments,
    output_options,
)
from rosenblatt.cli.outputs import refuse_overwriting
from rosenblatt.cli.reading import natural_settings, read_examples, reading_script
from rosenblatt.cli.screen import Result, emit, note, say
from rosenblatt.cli.script import arguments, script
from rosenblatt.data.files import write_bytes
from rosenblatt.errors import DataError

FORMS = (".json", ".csv", ".md", ".tex")


@click.command("trace", short_help="every step of a run, with its arithmetic")
@data_options
@click.option(
    "--variant", type=click.Choice(list(VARIANTS)), default="standard", show_default=True, help="Which perceptron."
)
@learning_options("cyclic")
@click.option("--steps", is_flag=True, help="Every example shown, not only the updates.")
@click.option("--all-examples", is_flag=True, help="Also y(w·x+b) of all rows at every vector.")
@click.option("--words", is_flag=True, help="Also the arithmetic of each line in words.")
@click.option(
    "--exact/--float", default=None, help="In fractions, or as learn computes; exact for small data otherwise."
)
@click.option("--max-rows", type=click.IntRange(1), default=10_000, show_default=True, help="Lines kept.")
@click.option("--all", "every", is_flag=True, help="Every line that was kept, however many, in the text for people.")
@click.option("-o", "--out", help="Write the trace to a file: .json, .csv, .md or .tex.")
@output_options
def command(**given: Any) -> None:
    """Run a perceptron on DATA and show what happened at every update.

    \b
    rosenblatt trace w2 --all-examples
    rosenblatt trace points.csv --target y --steps --out run.tex
    """
    import rosenblatt

    settings = learning_arguments(given, given["variant"], natural_settings(given["data"]))
    settings |= {} if given["exact"] is None else {"exact": given["exact"]}
    settings |= {"what": "steps"} if given["steps"] else {}
    settings |= {} if given["max_rows"] == 10_000 else {"max_rows": given["max_rows"]}
    opening = opening_arguments(given)
    if given["out"] and not given["out"].endswith(FORMS):
        raise DataError(f"--out {given['out']}: the name must end in one of {', '.join(FORMS)}.")
    refuse_overwriting(given["out"], given["data"])
    if given["show_python"]:
        imports, lines = reading_script(given["data"], opening)
        lines += [f"run = rosenblatt.trace(X, y{arguments(settings)})", "print(run)"]
        lines += ["print(run.margin_table(short=True))"] if given["all_examples"] else []
        click.echo(script(lines, imports=imports))
        return
    examples = read_examples(given["data"], opening)
    say(examples.notes, shuffled=True)
    run = rosenblatt.trace(examples.rows, examples.labels, **settings)
    if given["out"]:
        _write(run, given["out"])
    columns = run.columns()
    rows = zip(*columns.values(), strict=True)
    facts = json.loads(run.to_json()) if given["form"] == "json" else {}
    facts.pop("schema", None)
    emit(Result("rosenblatt.trace/1", facts, list(columns), rows, lambda: _text(run, given)), given["form"])
    if given["out"]:
        note(f"wrote {given['out']}")


def _write(run: Any, path: str) -> None:
    form = path[path.rindex(".") :]
    makers = {".json": run.to_json, ".csv": run.to_csv, ".md": run.to_markdown, ".tex": run.to_latex}
    write_bytes(path, makers[form]().encode())


def _text(run: Any, given: dict[str, Any]) -> Iterator[str]:
    from rosenblatt.theory.tracing.lines import ALL, short_table

    yield _fitted(run.table() if given["every"] else short_table(run)).replace(ALL, "--all shows them all")
    if given["words"]:
        yield ""
        lines = range(len(run.steps)) if given["steps"] else run.updates.step.tolist()
        for step in list(lines)[: given["max_rows"]]:
            yield f"step {step + 1}: {run.sentence(step)}"
    if given["all_examples"]:
        yield ""
        table = run.margin_table(short=not given["every"])
        rows = [list(table.headers), *table.cells()]
        right = [j for j, side in enumerate(table.align) if side == "r"]
        yield from aligned(rows, right=right, bands=table.headers.index("m1"))
        yield from (text.replace(ALL, "--all shows them all") for text in table.notes)


def _fitted(table: Any) -> str:
    """Return a table of steps as wide as the terminal: without the least columns, else each step as a small list."""
    most, whole = room(), table
    for name in ("≥ √k·γ/R", "≥ promised", "cos(w, u)", "pass"):
        if most is None or _width(table) <= most:
            return str(table)
        table = _without(table, name)
    return str(table) if most is None or _width(table) <= most else "\n".join(_listed(whole))


def _width(table: Any) -> int:
    lines = str(table).split("\n")
    return max(map(len, lines[: len(lines) - len(table.notes)]))


def _without(table: Any, name: str) -> Any:
    if name not in table.headers:
        return table
    at = table.headers.index(name)

    def rest(line: Any) -> Any:
        return line if isinstance(line, str) else line[:at] + line[at + 1 :]

    lines = tuple(map(rest, table.lines))
    return replace(table, headers=rest(table.headers), lines=lines, align=table.align[:at] + table.align[at + 1 :])


def _listed(table: Any) -> Iterator[str]:
    """Write each line as names and values under each other."""
    for line in table.lines:
        if isinstance(line, str):
            yield line
            continue
        named = [(name or "verdict", str(value)) for name, value in zip(table.headers, line, strict=True)]
        yield f"{named[0][0]} {named[0][1]}"
        yield from aligned([list(pair) for pair in named[1:] if pair[1]], indent=2)
    yield from table.notes
