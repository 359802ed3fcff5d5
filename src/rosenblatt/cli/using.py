"""A saved model at work on new rows: its encoder, and the file opened for it."""

from dataclasses import replace
from typing import Any

from rosenblatt.cli.script import arguments
from rosenblatt.data.encoder import Encoder
from rosenblatt.data.reader import CHANGED
from rosenblatt.models.save import Saved, encoder_of

MODEL_IMPORTS = ("dataclasses", "rosenblatt.data", "rosenblatt.models")
OPENING = ("format", "delimiter", "header", "quotes")


def encoder_for(saved: Saved, given: dict[str, Any]) -> Encoder:
    """Return the encoder of a model with what the command line says otherwise of the new rows."""
    return replace(encoder_of(saved), **_chosen(given, CHANGED))


def _chosen(given: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: given[name] for name in names if given.get(name) is not None}


def open_new(given: dict[str, Any], encoder: Encoder) -> Any:
    """Open a file of new rows for an encoder; missing columns are refused here, before anything is written."""
    from rosenblatt.cli.reading import open_source

    return open_source(given["data"], {"encoder": encoder, **_chosen(given, OPENING)})


def model_script(given: dict[str, Any]) -> list[str]:
    """Return the lines of a script that open a model and a file of new rows."""
    changes = arguments(_chosen(given, CHANGED))
    return [
        f"saved = rosenblatt.models.read_model({given['model']!r})",
        "encoder = rosenblatt.models.encoder_of(saved)",
        *([f"encoder = dataclasses.replace(encoder{changes})"] if changes else []),
        f"source = rosenblatt.data.open({given['data']!r}, encoder=encoder{arguments(_chosen(given, OPENING))})",
    ]
