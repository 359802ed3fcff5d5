"""`rosenblatt demo`: the main job on shipped data, as commands that can be typed again."""

import contextlib
import os
import shlex
import shutil
import tempfile
from importlib.resources import files
from pathlib import Path

import click

from rosenblatt.cli.options import show_python_option
from rosenblatt.cli.screen import note, strong
from rosenblatt.errors import DataError

STEPS = (
    ("A table of 60 fruits. Can a perceptron tell apples from pears?", "fit fruit.csv --target kind --scale standard --out fruit.json"),
    ("It stopped by itself: a line separates them. The proof, checked in exact arithmetic:", "check fruit.csv --target kind --scale standard --out proof.json"),
    ("Anyone can check that proof again, without a solver:", "verify proof.json fruit.csv --target kind --scale standard"),
    ("Which member of the family does best on rows it has not seen?", "fit fruit.csv --target kind --scale standard --variant all --cv 5"),
    ("Why is the first fruit what it is?", "explain fruit.json fruit.csv --row 1"),
    ("Labels for a new table, in a pipe or to a file:", "predict fruit.json new.csv --scores"),
    ("What no line can do, and why:", "check xor"),
    ("The lecture's worked example, step by step:", "trace w2 --all-examples"),
)  # fmt: skip
NEW = "grams,roundness,skin\n175,0.93,red\n205,0.74,green\n"


@click.command("demo", short_help="the main job on shipped data, in a few seconds")
@click.option(
    "--dir", "folder", type=click.Path(file_okay=False), help="Keep the files here; a temporary folder otherwise."
)
@show_python_option
def command(folder: str | None, show_python: bool) -> None:
    """Train on shipped data, check, explain, predict, and show the trace of a lecture's example."""
    if show_python:
        click.echo(SCRIPT)
        return
    from rosenblatt.cli.app import app

    temporary = None if folder else tempfile.mkdtemp(prefix="rosenblatt-demo-")
    place = Path(folder or temporary or ".")
    place.mkdir(parents=True, exist_ok=True)
    for name, content in {"fruit.csv": shipped("fruit.csv"), "new.csv": NEW.encode()}.items():
        if (place / name).exists() and (place / name).read_bytes() != content:
            raise DataError(f"{place / name} is not the demo's, and would be overwritten. Give --dir another folder.")
        (place / name).write_bytes(content)
    before = os.getcwd()
    try:
        os.chdir(place)
        for k, (words, line) in enumerate(STEPS):
            click.echo(("\n" if k else "") + strong(f"{k + 1}. {words}"))
            click.echo(f"$ rosenblatt {line}")
            table = [] if line.startswith("predict") else ["--table"]
            with contextlib.suppress(click.exceptions.Exit):  # the answer may be no, which is then the point
                app.main([*shlex.split(line), *table], prog_name="rosenblatt", standalone_mode=False)
    finally:
        os.chdir(before)
        if temporary:
            shutil.rmtree(temporary, ignore_errors=True)
    note(
        "\ndone"
        + ("" if temporary else f"; the files are in {folder}")
        + ". Next: rosenblatt fit YOUR.csv --target COLUMN"
    )


def shipped(name: str) -> bytes:
    """Return a shipped file."""
    return (files("rosenblatt.cli") / "shipped" / name).read_bytes()


SCRIPT = """\
import tempfile
from pathlib import Path

import rosenblatt
import rosenblatt.data
from rosenblatt.cli.demo import shipped
from rosenblatt.datasets import w2, xor
from rosenblatt.models.folding import fold

folder = Path(tempfile.mkdtemp())
(folder / "fruit.csv").write_bytes(shipped("fruit.csv"))
source = rosenblatt.data.open(folder / "fruit.csv", target="kind", scale="standard")
X, y = source.read()
outcome = rosenblatt.learn(X, y, order="shuffle")
print(outcome)
model, encoder = fold(outcome.model, source.encoder)
rosenblatt.save(model, folder / "fruit.json", encoder=encoder.to_dict())
print(rosenblatt.check(X, y))
print(rosenblatt.load(folder / "fruit.json").predict(encoder.encode({"grams": [175], "roundness": [0.93], "skin": ["red"]}).rows))
print(rosenblatt.check(*xor()))
print(rosenblatt.trace(*w2(), bias=False))
"""
