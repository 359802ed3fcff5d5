"""`rosenblatt lab`: the Perceptron Lab in this machine's browser, or as one HTML file."""

import json
from pathlib import Path
from typing import Any

import click

from rosenblatt.cli.options import (
    VARIANTS,
    KernelChoice,
    data_options,
    learning_arguments,
    learning_options,
    opening_arguments,
    show_python_option,
)
from rosenblatt.cli.outputs import refuse_overwriting
from rosenblatt.cli.reading import natural_settings, read_examples, reading_script
from rosenblatt.cli.screen import note, say
from rosenblatt.cli.script import arguments, script
from rosenblatt.errors import DataError

ELSEWHERE = ("multiclass", "max_passes", "max_updates", "max_seconds")  # options of a run that the lab has no use for


@click.command("lab", short_help="the perceptron step by step in the browser")
@data_options
@click.option(
    "--variant", type=click.Choice(list(VARIANTS)), default="standard", show_default=True, help="Which perceptron."
)
@click.option("--kernel", help="linear, poly or rbf; with numbers: rbf:GAMMA, poly:GAMMA:DEGREE.")
@learning_options("cyclic")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port to serve on; a free one otherwise.")
@click.option("--no-browser", is_flag=True, help="Print the address, and open nothing.")
@click.option("--export", "path", metavar="FILE", help="Write the lab as one HTML file instead of serving it.")
@show_python_option
def command(**given: Any) -> None:
    """Open the Perceptron Lab on DATA: a file with two features, a lecture's set, or a trace saved as JSON.

    Without DATA it opens on a lecture's four points. It is served to this machine alone, until Ctrl-C.

    \b
    rosenblatt lab
    rosenblatt lab points.csv --target y --no-bias
    rosenblatt lab w1 --export lab.html
    """
    refuse_overwriting(given["path"], given["data"])
    if given["show_python"]:
        click.echo(_script(given))
        return
    made = _lab(given)
    if given["path"]:
        made.save(given["path"])
        note(f"wrote {given['path']}")
        return
    from rosenblatt.lab import serve

    note("Perceptron Lab, for this machine only; Ctrl-C stops it")
    serve(made, port=given["port"], browser=not given["no_browser"], announce=click.echo)


command.params[[parameter.name for parameter in command.params].index("data")].required = False


def _lab(given: dict[str, Any]) -> Any:
    from rosenblatt.lab import lab

    settings = _settings(given)
    if given["data"] is None:
        if settings:
            raise DataError("the lab opens on a lecture's points; to set something, name DATA too, such as w2.")
        return lab()
    recorded = _recorded(given["data"])
    if recorded is not None:
        if settings:
            raise DataError(f"{given['data']} is a recorded run, which is replayed as it was; leave the options out.")
        try:
            return lab(trace=recorded)
        except DataError as error:
            raise DataError(f"{given['data']}: {error}") from None
    examples = read_examples(given["data"], opening_arguments(given))
    say(examples.notes)
    if examples.rows.d > 2:
        names = ",".join(examples.feature(j) for j in range(2))
        raise DataError(f"{examples.name} has {examples.rows.d} features; the lab draws two: --features {names}")
    title = Path(given["data"]).name
    return lab(examples.rows, examples.labels, title=title, **settings)


def _recorded(data: str) -> Any:
    """Return the trace in a JSON file, or None where DATA is something else."""
    if not data.endswith(".json") or not Path(data).is_file():
        return None
    try:
        found = json.loads(Path(data).read_text(encoding="utf-8"))
    except ValueError:
        return None
    return found if isinstance(found, dict) and str(found.get("schema", "")).startswith("rosenblatt.trace") else None


def _settings(given: dict[str, Any]) -> dict[str, Any]:
    natural = natural_settings(given["data"])
    if given["kernel"]:
        natural.pop("start", None)  # a kernel machine starts at zero
    settings = learning_arguments(given, given["variant"], natural)
    for name in ELSEWHERE:
        if name in settings:
            raise DataError(
                f"--{name.replace('_', '-')} has no meaning in the lab, where the reader stops; leave it out."
            )
    if settings.get("start") == "random":
        raise DataError('--start random is not drawn here; give numbers, such as --start "1,-0.8", or use the page.')
    if given["kernel"]:
        kernel = KernelChoice.parse(given["kernel"])
        settings |= {"kernel": kernel.name, "gamma": 1.0 if kernel.gamma is None else kernel.gamma}
        settings |= {"degree": kernel.degree, "coef0": kernel.coef0} if kernel.name == "poly" else {}
    return settings


def _script(given: dict[str, Any]) -> str:
    settings = _settings(given)
    last = f"shown.save({given['path']!r})" if given["path"] else "rosenblatt.lab.serve(shown, announce=print)"
    if given["data"] is None:
        return script(["shown = rosenblatt.lab()", last], imports=("rosenblatt",))
    if _recorded(given["data"]) is not None:
        lines = [f"shown = rosenblatt.lab(trace=open({given['data']!r}).read())", last]
        return script(lines, imports=("rosenblatt",))
    imports, lines = reading_script(given["data"], opening_arguments(given))
    return script([*lines, f"shown = rosenblatt.lab(X, y{arguments(settings)})", last], imports=imports)
