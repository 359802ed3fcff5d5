"""`rosenblatt study`: many runs over orders, starts, rates, margins, scalings: how many updates?"""

from typing import Any

import click
import numpy as np

from rosenblatt.cli.app import Stopped
from rosenblatt.cli.options import (
    VARIANTS,
    data_options,
    learning_arguments,
    opening_arguments,
    output_options,
    start_vector,
)
from rosenblatt.cli.progress import progress_line
from rosenblatt.cli.reading import natural_settings, read_examples, reading_script
from rosenblatt.cli.screen import Result, emit, plain, say
from rosenblatt.cli.script import arguments, script
from rosenblatt.errors import DataError, Interrupted

VARIED = ("order", "start", "rate", "margin", "scale", "flip")


def numbers(ctx: click.Context, param: click.Parameter, value: str | None) -> list[float] | None:
    """Read 0.1,1,10."""
    try:
        return None if value is None else [float(part) for part in value.split(",")]
    except ValueError:
        raise click.BadParameter(f"{value!r} is no list of numbers such as 0.1,1,10") from None


def words(ctx: click.Context, param: click.Parameter, value: str) -> list[str]:
    """Read order,start."""
    found = [part.strip() for part in value.split(",") if part.strip()]
    for part in found:
        if part not in VARIED:
            raise click.BadParameter(f"{part!r} cannot be varied; choose from {', '.join(VARIED)}")
    return found


@click.command("study", short_help="many runs over orders, starts, rates: how many updates?")
@data_options
@click.option("--runs", type=click.IntRange(1), default=1000, show_default=True, help="How many runs.")
@click.option("--vary", callback=words, default="order", show_default=True, help=f"Any of {', '.join(VARIED)}, as a,b.")
@click.option("--rates", callback=numbers, help="Values for --vary rate.")
@click.option("--margins", callback=numbers, help="Values for --vary margin.")
@click.option("--flips", callback=numbers, help="Shares of labels turned over, for --vary flip.")
@click.option(
    "--variant", type=click.Choice([v for v in VARIANTS if v != "voted"]), default="standard", show_default=True
)
@click.option("--margin", type=float, help="Demanded margin of all runs.")
@click.option("--rate", type=float, help="Learning rate of all runs.")
@click.option("--bias/--no-bias", default=None, help="Learn an offset b (default), or pass through the origin.")
@click.option("--start", callback=start_vector, help='Of all runs: zeros, random, or numbers: "1,-0.8".')
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the whole study.")
@click.option("--max-passes", type=click.IntRange(1), help="Passes at most. [default: 1000]")
@click.option("--max-updates", type=click.IntRange(1), help="Updates at most.")
@click.option("--jobs", "threads", type=click.IntRange(1), help="Threads; default all.")
@output_options
def command(**given: Any) -> None:
    """Run a perceptron many times on DATA (two classes) and show how the number of updates is spread.

    \b
    rosenblatt study iris2.csv --target species --runs 1000
    rosenblatt study w2 --vary order,start
    """
    import rosenblatt

    settings = _settings(given)
    opening = opening_arguments(given)
    if given["show_python"]:
        imports, lines = reading_script(given["data"], opening)
        lines += [f"found = rosenblatt.study(X, y{arguments(settings)})", "print(found)"]
        click.echo(script(lines, imports=imports))
        return
    examples = read_examples(given["data"], opening)
    if len(examples.classes) > 2:
        shown = ", ".join(map(str, examples.classes.tolist()[:6]))
        raise DataError(
            f"{examples.name} has {len(examples.classes)} classes ({shown}); a study is about one machine. "
            "Choose two with --classes A,B, or one against the rest with --positive A."
        )
    say(examples.notes, shuffled=True)
    interrupted = False
    with progress_line(given) as line:
        line.stage("studying")
        try:
            found = rosenblatt.study(examples.rows, examples.labels, progress=line.runs, **settings)
        except Interrupted as stop:
            found, interrupted = stop.outcome, True
    if len(found) == 0:
        raise KeyboardInterrupt
    emit(_result(examples.name, found, settings), given["form"])
    if interrupted:
        raise Stopped(f"interrupted after {len(found)} of {given['runs']} runs; the result above is of those")


def _settings(given: dict[str, Any]) -> dict[str, Any]:
    chosen = {name: given[name] for name in ("margin", "rate", "bias", "start", "max_passes", "max_updates")}
    natural = {key: value for key, value in natural_settings(given["data"]).items() if key not in given["vary"]}
    settings = learning_arguments(chosen, given["variant"], natural)
    settings |= {"runs": given["runs"], "seed": given["seed"]}
    settings |= {"vary": given["vary"]} if given["vary"] != ["order"] else {}
    lists = {name: given[name] for name in ("rates", "margins", "flips", "threads") if given[name] is not None}
    if "margin" in given["vary"]:
        settings.pop("margin", None)
    return settings | lists


def _result(name: str, found: Any, settings: dict[str, Any]) -> Result:
    updates = np.asarray(found.updates)
    low, median, high = (float(value) for value in np.percentile(updates, [5, 50, 95]))
    columns = found.columns()
    bound = np.asarray(found.bound, dtype=np.float64)
    facts = {
        "data": name,
        "runs": len(found),
        "settings": plain(settings),
        "updates": {
            "mean": float(updates.mean()),
            "median": median,
            "percentile_5": low,
            "percentile_95": high,
            "min": int(updates.min()),
            "max": int(updates.max()),
        },
        "bound": float(bound.max()) if len(bound) and np.isfinite(bound).all() else None,
        "not_converged": int((~np.asarray(found.converged)).sum()),
        "histogram": [{"from": a, "to": b, "runs": c} for a, b, c in found.histogram()],
        "table": plain(columns),
    }
    rows = zip(*(np.asarray(column).tolist() for column in columns.values()), strict=True)
    return Result("rosenblatt.study/1", facts, list(columns), rows, lambda: iter([repr(found)]))
