"""A saved model at work on new rows: its encoder, the file opened for it, and what to know of the rows."""

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

from rosenblatt.cli.reading import open_source
from rosenblatt.cli.screen import count, note
from rosenblatt.cli.script import arguments
from rosenblatt.data.encoder import Encoder
from rosenblatt.data.features import BEYOND, Encoded, count_missing
from rosenblatt.data.reader import CHANGED
from rosenblatt.data.table import Batch
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
    return open_source(given["data"], {"encoder": encoder, **_chosen(given, OPENING)})


@dataclass
class Tally:
    """What a reader of the predictions should know of the rows: values filled in, rows left out, levels not known."""

    seen: int = 0
    filled: int = 0
    left_out: int = 0
    unknown: Counter[str] = field(default_factory=Counter)

    def add(self, encoder: Encoder, batch: Batch, encoded: Encoded) -> None:
        """Take in one batch."""
        self.seen += batch.n
        self.filled += count_missing(encoder, batch) if encoder.missing in ("zero", "mean") else 0
        self.left_out += batch.n - len(encoded.kept)
        self.unknown.update(encoded.unknown)

    def say(self, encoder: Encoder) -> None:
        """Say on standard error what was filled in and what was not known; of rows left out each command tells itself."""
        if self.filled:
            note(f"note: {count(self.filled, 'missing value')} filled in ({encoder.missing})")
        for column, n in self.unknown.items():
            told = "was not there in training; it adds" if n == 1 else "were not there in training; they add"
            where = column if column == BEYOND else f"column {column}"
            note(f"note: {count(n, 'value')} of {where} {told} nothing to the score")


def model_script(given: dict[str, Any]) -> list[str]:
    """Return the lines of a script that open a model and a file of new rows."""
    changes = arguments(_chosen(given, CHANGED))
    return [
        f"saved = rosenblatt.models.read_model({given['model']!r})",
        "encoder = rosenblatt.models.encoder_of(saved)",
        *([f"encoder = dataclasses.replace(encoder{changes})"] if changes else []),
        f"source = rosenblatt.data.open({given['data']!r}, encoder=encoder{arguments(_chosen(given, OPENING))})",
    ]
