"""`rosenblatt plot`: a picture of a run, of many runs, of a proof or of a saved model, as a file."""

from typing import Any

import click

from rosenblatt.cli.options import (
    VARIANTS,
    comma_option,
    data_options,
    learning_options,
    opening_arguments,
    quiet_option,
    show_python_option,
    variant_and_kernel,
)
from rosenblatt.cli.outputs import refuse_overwriting
from rosenblatt.cli.reading import in_memory, natural_settings, read_examples, reading_script
from rosenblatt.cli.screen import note, say
from rosenblatt.cli.script import arguments, script
from rosenblatt.cli.training import kernel_function, settings_of
from rosenblatt.cli.using import encoder_for, open_new
from rosenblatt.errors import DataError
from rosenblatt.models.save import read_model

KINDS: tuple[str, ...] = (
    "boundary",
    "update",
    "updates",
    "strip",
    "mistakes",
    "convergence",
    "angle",
    "margins",
    "dual",
    "starts",
)
KINDS += ("certificate", "survival")
FILMS = (".gif", ".mp4")
STUDIES = ("convergence", "starts")


@click.command("plot", short_help="a picture of a run, a study, a proof or a model")
@click.argument("kind", type=click.Choice(KINDS))
@data_options
@click.option("--variant", type=click.Choice([*VARIANTS, "kernel"]), default="standard", show_default=True)
@click.option("--kernel", help="As of fit, rbf:GAMMA or poly:GAMMA:DEGREE: boundary, margins, dual.")
@learning_options("cyclic")
@click.option("--model", help="Draw this saved model instead of a new run: boundary and margins.")
@comma_option("--pair", help="The two features to draw, a,b, where there are more.")
@click.option("--project", type=click.Choice(["w"]), help="All features, projected along w: boundary.")
@click.option("--k", type=click.IntRange(0), help="After so many updates: boundary, margins; which update: update.")
@click.option("--runs", type=click.IntRange(1), help="Of a study: convergence, starts. [default: 1000, starts 100]")
@click.option("--ecdf", is_flag=True, help="The share of runs done, instead of a histogram: convergence.")
@click.option("-o", "--out", help="The file: .png, .svg, .pdf; a film .gif or .mp4 of updates. [default: KIND.png]")
@quiet_option
@show_python_option
def command(**given: Any) -> None:
    """Draw DATA (two classes) as a picture of this KIND and write it to a file.

    \b
    rosenblatt plot updates w2 --out w2.gif
    rosenblatt plot boundary iris2.csv --target species --pair petal_length,petal_width
    rosenblatt plot certificate xor
    rosenblatt plot boundary xor --kernel poly:1:2
    rosenblatt plot boundary fruit.csv --model fruit.json
    """
    kind, out = given["kind"], given["out"] or f"{given['kind']}.png"
    refuse_overwriting(out, given["data"], given["model"])
    film = out.lower().endswith(FILMS)
    if film and kind != "updates":
        raise DataError(f"--out {out}: a film is made of updates; choose the kind updates, or .png, .svg, .pdf.")
    if film and variant_and_kernel(given)[1] is not None:
        raise DataError("a film follows a vector, and a kernel has none; leave --kernel out, or draw the boundary.")
    options = _options(given)
    if given["model"]:
        _draw_model(given, options, out)
    elif given["show_python"]:
        click.echo(_script(given, options, out, film=film))
        return
    else:
        _draw_run(given, options, out, film=film)
    note(f"wrote {out}")


def _options(given: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of the display that the user gave."""
    options = {name: given[name] for name in ("project", "k") if given[name] is not None}
    options |= {"features": [_place(one) for one in given["pair"]]} if given["pair"] else {}
    return options | ({"kind": "ecdf"} if given["ecdf"] else {})


def _place(one: str) -> str | int:
    """Read a feature as a name, or as its number counted from 0."""
    return int(one) if one.isdecimal() else one


def _settings(given: dict[str, Any], natural: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of the run, of the study, or of the check behind the picture; the kernel comes apart."""
    variant, kernel = variant_and_kernel(given)
    chosen = settings_of(given, variant, kernel, natural)
    if given["kind"] in STUDIES:
        chosen = {name: value for name, value in chosen.items() if name not in ("multiclass", "max_seconds")}
        return chosen | ({"runs": given["runs"]} if given["runs"] else {})
    if given["runs"]:
        raise DataError(f"--runs is for {' and '.join(STUDIES)}; {given['kind']} shows one run.")
    return chosen


def _draw_run(given: dict[str, Any], options: dict[str, Any], out: str, *, film: bool) -> None:
    from rosenblatt import plot, trace

    examples = read_examples(given["data"], opening_arguments(given))
    say(examples.notes, shuffled=True)
    settings = _settings(given, examples.settings)
    if (kernel := variant_and_kernel(given)[1]) is not None:
        settings |= {"kernel": kernel_function(kernel, examples.rows.d)}
    if film:
        animation = plot.animate(trace(examples.rows, examples.labels, **settings))
        if animation.note:
            note(animation.note)
        animation.save(out)
        return
    plot.save_picture(plot.draw(given["kind"], examples.rows, examples.labels, settings=settings, **options), out)


def _draw_model(given: dict[str, Any], options: dict[str, Any], out: str) -> None:
    if given["kind"] not in ("boundary", "margins") or given["show_python"]:
        raise DataError("--model is drawn as boundary or margins, and without --show-python.")
    from rosenblatt import plot

    saved = read_model(given["model"])
    examples = in_memory(open_new(given, encoder_for(saved, given)))
    say(examples.notes, shuffled=True)
    display: Any = plot.BoundaryDisplay if given["kind"] == "boundary" else plot.MarginDisplay
    made = display.from_estimator(saved.model, examples.rows, examples.labels, **options)
    plot.save_picture(made.figure_, out)


def _script(given: dict[str, Any], options: dict[str, Any], out: str, *, film: bool) -> str:
    imports, lines = reading_script(given["data"], opening_arguments(given))
    settings = _settings(given, natural_settings(given["data"]))
    told = repr(settings)
    if (kernel := variant_and_kernel(given)[1]) is not None:
        made = kernel.script("rosenblatt.data.as_rows(X).d")
        told = f"{repr(settings)[:-1]}{', ' * bool(settings)}'kernel': {made}}}"
        imports += ("rosenblatt.data", "rosenblatt.models.kernels")
    if film:
        lines += [f"film = rosenblatt.plot.animate(rosenblatt.trace(X, y{arguments(settings)}))", f"film.save({out!r})"]
    else:
        lines += [f"figure = rosenblatt.plot.draw({given['kind']!r}, X, y, settings={told}{arguments(options)})"]
        lines += [f"rosenblatt.plot.save_picture(figure, {out!r})"]
    return script(lines, imports=imports)
