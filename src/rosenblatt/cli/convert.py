"""`rosenblatt convert`: a data file, or a saved model, in another format."""

from pathlib import Path
from typing import Any

import click

from rosenblatt.cli.options import data_options, opening_arguments, quiet_option, show_python_option
from rosenblatt.cli.outputs import refuse_overwriting
from rosenblatt.cli.reading import open_source
from rosenblatt.cli.screen import count, note, say
from rosenblatt.cli.script import open_lines, script

MODELS = (".json", ".safetensors")


@click.command("convert", short_help="a data file or a model in another format")
@data_options
@click.argument("out")
@quiet_option
@show_python_option
def command(**given: Any) -> None:
    """Write the examples of DATA, encoded as fit would see them, to OUT; or a saved model to OUT.

    The name of OUT says the format: .svm .csv .tsv .npz .parquet .arrow for data, .json .safetensors for models.

    \b
    rosenblatt convert adult.csv adult.svm --scale standard
    rosenblatt convert model.json model.safetensors
    """
    data, out = given["data"], given["out"]
    refuse_overwriting(out, data)
    is_model = Path(data).suffix in MODELS and Path(out).suffix in MODELS
    arguments = opening_arguments(given)
    if given["show_python"]:
        click.echo(_model_script(data, out) if is_model else _data_script(data, out, arguments))
        return
    if is_model:
        from rosenblatt.models.save import read_saved, save

        saved = read_saved(data)
        save(saved.estimator or saved.model, out, encoder=saved.encoder, training=saved.training)
        note(f"wrote {out}")
        return
    from rosenblatt.data.writing import write

    source = open_source(data, arguments)
    say(source.notes, shuffled=True)
    write(source, out)
    note(f"wrote {out}: {count(source.n, 'row')}, {count(source.d, 'feature')}")


def _model_script(data: str, out: str) -> str:
    lines = [
        f"saved = rosenblatt.models.read_saved({data!r})",
        f"rosenblatt.models.save(saved.estimator or saved.model, {out!r}, encoder=saved.encoder, training=saved.training)",
    ]
    return script(lines, imports=("rosenblatt.models",))


def _data_script(data: str, out: str, arguments: dict[str, Any]) -> str:
    lines = [*open_lines(data, arguments), f"rosenblatt.data.writing.write(source, {out!r})"]
    return script(lines, imports=("rosenblatt.data", "rosenblatt.data.writing"))
