"""Opening what the user named: a data file of any format, or one of the lectures' data sets by name."""

import os
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import rosenblatt.data
from rosenblatt._typing import Codes, Doubles, Labels
from rosenblatt.cli.screen import counted_from_one
from rosenblatt.cli.script import open_lines
from rosenblatt.data.arrays import as_rows
from rosenblatt.data.encoder import Encoder
from rosenblatt.data.features import Column
from rosenblatt.data.labels import encode
from rosenblatt.data.rows import Rows
from rosenblatt.errors import DataError

LECTURES = ("w1", "w2", "w3", "and", "or", "xor", "3_of_5", "origin", "offset", "neither")
SMALL = 60_000  # numbers in the data up to which the best margin is looked for by the way


@dataclass(frozen=True, eq=False)
class Examples:
    """Labelled rows in memory, with what is known of where they came from."""

    name: str
    rows: Rows
    codes: Codes
    classes: Labels
    encoder: Encoder
    weights: Doubles | None = None
    notes: tuple[str, ...] = ()
    settings: dict[str, Any] = field(default_factory=dict)
    source: Any = None

    @property
    def labels(self) -> Labels:
        return self.classes[self.codes]

    @property
    def counts(self) -> list[int]:
        return np.bincount(self.codes, minlength=len(self.classes)).tolist()

    @property
    def small(self) -> bool:
        """Whether the best margin can be looked for by the way."""
        return self.rows.n * self.rows.d <= SMALL

    def feature(self, j: int) -> str:
        """Return the name of feature j."""
        return self.encoder.name(j)

    def place(self, row: int) -> str:
        """Return where a row stands, for people: "line 38" in a file, "row 3" elsewhere; the first row is 1."""
        if self.source is None:
            return f"row {row + 1}"
        place = counted_from_one(self.source.place(row))
        return " ".join(place.rsplit(" ", 2)[1:])


def is_lecture(data: str) -> bool:
    """Say whether a name means a data set of the lectures: no file is called so."""
    return data in LECTURES and not os.path.exists(data)


def open_source(data: str, opening: dict[str, Any]) -> Any:
    """Open a data file; a lecture's name or a missing file is answered with what there is."""
    if data != "-" and not os.path.exists(data):
        hint = f" Shipped data sets: {', '.join(LECTURES)}." if os.sep not in data and "." not in data else ""
        raise DataError(f"there is no file {data!r}.{hint}")
    return rosenblatt.data.open(data, **opening)


def in_memory(source: Any) -> Examples:
    """Return all rows of a source; refuse one beyond the memory budget."""
    if not source.fits:
        raise DataError(
            f"{source.path} holds {source.n} rows, more than the memory budget; this command needs all at once. "
            "Use a larger --memory, such as 4GB."
        )
    block = source.whole()
    return Examples(
        os.path.basename(source.path) or source.path,
        block.rows,
        block.codes,
        source.classes,
        source.encoder,
        block.weights,
        tuple(source.notes),
        source=source,
    )


def read_examples(data: str, opening: dict[str, Any]) -> Examples:
    """Return all rows of a file or of a lecture's data set."""
    if not is_lecture(data):
        return in_memory(open_source(data, opening))
    from rosenblatt import datasets

    if opening:
        raise DataError(f"--{next(iter(opening)).replace('_', '-')} is for files; {data} is a shipped data set.")
    lecture = datasets.load(data)
    classes, codes = encode(lecture.y, lecture.n)
    encoder = Encoder(columns=tuple(Column(name, "number") for name in lecture.names))
    rows = as_rows(lecture.X)
    rows = Rows(rows.values, rows.d, names=lecture.names)
    return Examples(data, rows, codes, classes, encoder, settings=lecture.settings)


def natural_settings(data: str) -> dict[str, Any]:
    """Return the settings a lecture runs its data set with; none for a file."""
    if not is_lecture(data):
        return {}
    from rosenblatt import datasets

    return datasets.load(data).settings


def reading_script(data: str, opening: dict[str, Any]) -> tuple[tuple[str, ...], list[str]]:
    """Return imports and lines of a script that has rows and labels in X, y."""
    if is_lecture(data):
        return ("rosenblatt", "rosenblatt.datasets"), [f"X, y = rosenblatt.datasets.load({data!r})"]
    lines = [*open_lines(data, opening), "X, y = source.read()"]
    return ("rosenblatt", "rosenblatt.data"), lines
