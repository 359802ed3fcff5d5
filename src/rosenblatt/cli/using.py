"""A saved model at work on new rows: its encoder, and the file opened for it."""

from dataclasses import replace
from typing import Any

import numpy as np

from rosenblatt.cli.script import arguments
from rosenblatt.data.encoder import Encoder
from rosenblatt.data.features import Column
from rosenblatt.data.reader import CHANGED
from rosenblatt.data.table import Batch, Cells, Factor
from rosenblatt.errors import DataError
from rosenblatt.models.save import Saved

MODEL_IMPORTS = ("dataclasses", "rosenblatt.data", "rosenblatt.models")
OPENING = ("format", "delimiter", "header", "quotes")


def encoder_of(saved: Saved) -> Encoder:
    """Return how columns become features: as saved, else by the names of the features, else as a matrix."""
    if saved.encoder is not None:
        return Encoder.from_dict(saved.encoder)
    model: Any = saved.model
    rows = getattr(model, "rows", getattr(model, "support", None))
    names = getattr(model, "names", None) or getattr(rows, "names", None)
    d = model.w.shape[-1] if rows is None else rows.d
    if names is None:
        return Encoder(d=d, first_index=1)  # svmlight files count from 1 unless --first-index says 0
    return Encoder(columns=tuple(Column(name, "number") for name in names))


def encoder_for(saved: Saved, given: dict[str, Any]) -> Encoder:
    """Return the encoder of a model with what the command line says otherwise of the new rows."""
    return replace(encoder_of(saved), **_chosen(given, CHANGED))


def _chosen(given: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: given[name] for name in names if given.get(name) is not None}


def open_new(given: dict[str, Any], encoder: Encoder) -> Any:
    """Open a file of new rows for an encoder; missing columns are refused here, before anything is written."""
    from rosenblatt.cli.reading import open_source

    return open_source(given["data"], {"encoder": encoder, **_chosen(given, OPENING)})


def one_row(source: Any, row: int) -> Batch:
    """Return row number ``row`` (from 1) of a source, raw."""
    seen = 0
    for batch in source.batches():
        if row <= seen + batch.n:
            return _alone(batch, row - 1 - seen)
        seen += batch.n
    raise DataError(f"--row {row}: {source.path} has {seen} rows.")


def _alone(batch: Batch, at: int) -> Batch:
    """Return one row of a batch as a batch; it still knows where it stands in the file."""

    def cell(cells: Cells) -> Cells:
        return Factor(cells.codes[at : at + 1], cells.values) if isinstance(cells, Factor) else cells[at : at + 1]

    return Batch(
        1,
        {name: cell(cells) for name, cells in batch.columns.items()},
        None if batch.matrix is None else batch.matrix.take(np.array([at])),
        place=lambda _, column: batch.place(at, column),
    )


def model_script(given: dict[str, Any]) -> list[str]:
    """Return the lines of a script that open a model and a file of new rows."""
    changes = arguments(_chosen(given, CHANGED))
    return [
        f"saved = rosenblatt.models.read_model({given['model']!r})",
        "encoder = rosenblatt.data.Encoder.from_dict(saved.encoder)",
        *([f"encoder = dataclasses.replace(encoder{changes})"] if changes else []),
        f"source = rosenblatt.data.open({given['data']!r}, encoder=encoder{arguments(_chosen(given, OPENING))})",
    ]
