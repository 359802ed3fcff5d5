"""Tables before they become numbers: a batch of raw columns, and what every file format offers. No encoding here."""

from collections import Counter
from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

import rosenblatt._core as _core
from rosenblatt._typing import Codes
from rosenblatt.data.rows import Rows
from rosenblatt.errors import DataError

KINDS = ("number", "boolean", "category", "text")


@dataclass(frozen=True, eq=False)
class Factor:
    """A column of strings as places in a list of distinct values; −1 is a missing value."""

    codes: Codes
    values: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.codes)

    def without(self, gone: Collection[str]) -> "Factor":
        """Return the column with these values missing.

        >>> factor(["b", "NA"]).without(["NA"]).codes.tolist()
        [0, -1]
        """
        places = [k for k, value in enumerate(self.values) if value in gone]
        return Factor(np.where(np.isin(self.codes, places), np.int32(-1), self.codes), self.values) if places else self


Cells: TypeAlias = NDArray[Any] | Factor | Sequence[str]  # numbers (NaN is missing) or booleans; categories; texts


class SideBySide(NamedTuple):
    """Columns of numbers that are views of one array, row by row."""

    names: tuple[str, ...]
    values: NDArray[Any]
    whole: bool  # all are finite, so that none is missing


@dataclass(frozen=True, eq=False)
class Batch:
    """Some rows of a table, raw.

    Attributes
    ----------
    n : rows.
    columns : by name; numbers are arrays with NaN for missing, categories are a ``Factor``, texts a list.
    matrix : features that are numbers already (npy, npz, svmlight), or None.
    side_by_side : those columns of numbers that lie row by row, or None.
    labels : the target, raw, or None.
    place : ``place(row, column)`` says where a cell stands in the file and what it holds, for messages.
    records : ``records()`` gives the lines as they stand in a text file, without line ends, or None.
    written : ``written(column)`` gives the cells of any column as text, feature or not, or None.
    used_once : whoever encodes it may write over its arrays.
    """

    n: int
    columns: Mapping[str, Cells]
    matrix: Rows | None = None
    labels: NDArray[Any] | Factor | None = None
    place: Callable[[int, str | None], tuple[str, str]] = field(default=lambda row, column: (place_of(row, column), ""))
    records: Callable[[], list[str]] | None = None
    written: Callable[[str], list[str]] | None = None
    side_by_side: SideBySide | None = None
    used_once: bool = False

    def numbers(self, names: Sequence[str], dtype: Any) -> NDArray[Any]:
        """Return columns of numbers as one array, row by row; not copied where they lie so already."""
        if self.side_by_side is not None and self.side_by_side.names == tuple(names):
            return self.side_by_side.values.astype(dtype, copy=False)
        out = np.empty((self.n, len(names)), dtype=dtype)
        _core.lay_side_by_side([np.ascontiguousarray(self.columns[name], dtype=dtype) for name in names], out)
        return out

    def row(self, at: int) -> "Batch":
        """Return one row as a batch; it still knows where it stands in the file."""

        def cell(cells: Cells) -> Cells:
            return Factor(cells.codes[at : at + 1], cells.values) if isinstance(cells, Factor) else cells[at : at + 1]

        return Batch(
            1,
            {name: cell(cells) for name, cells in self.columns.items()},
            None if self.matrix is None else self.matrix.take(np.array([at])),
            place=lambda _, column: self.place(at, column),
        )

    def whole(self, names: Sequence[str]) -> bool:
        """Return whether these columns of numbers are known to miss none."""
        held = self.side_by_side
        return held is not None and held.whole and set(names) <= set(held.names)

    @property
    def nbytes(self) -> int:
        """Memory held, about."""
        total = sum(map(_size, self.columns.values())) + _size(self.labels)
        if self.matrix is not None:
            parts = (self.matrix.values, self.matrix.columns, self.matrix.starts)
            total += sum(part.nbytes for part in parts if part is not None)
        return total


def _size(cells: Cells | None) -> int:
    if cells is None:
        return 0
    if isinstance(cells, Factor):
        return cells.codes.nbytes + 64 * len(cells.values)
    if isinstance(cells, np.ndarray):
        return cells.nbytes if cells.dtype.kind != "O" else 64 * len(cells)
    return sum(60 + len(text) for text in cells)


class Table:
    """One open file (or stream) of one format. The first ``scan`` finds the blocks; then any block can be read."""

    path: str
    format: str
    kinds: Mapping[str, str]
    notes: list[str]
    lane_bytes = 0  # held while a chain is being read

    @property
    def n_blocks(self) -> int:
        """Blocks of the file."""
        raise NotImplementedError

    @property
    def chains(self) -> list[range]:
        """The blocks, those that can only be read one after the other in one range."""
        return [range(i, i + 1) for i in range(self.n_blocks)]

    def scan(self, room: int = 0) -> Generator[Batch, None, None]:
        """Read everything once, in order; afterwards ``n_blocks`` and ``block`` hold. ``room``: bytes, for one array."""
        for i in range(self.n_blocks):
            yield self.block(i)

    def block(self, i: int) -> Batch:
        """Read one block again."""
        raise NotImplementedError

    def close(self) -> None:
        """Give back files and temporary space."""
        raise NotImplementedError


def held_columns(kinds: Mapping[str, str], target: str | None, weight: str | None) -> dict[str, str]:
    """Return the columns that a batch holds beside its labels: the features, as which kind, and the weights.

    >>> held_columns({"size": "number", "kind": "category"}, "kind", "cost")
    {'size': 'number', 'cost': 'number'}
    """
    weights = {} if weight is None else {weight: "number"}
    return {name: kind for name, kind in {**kinds, **weights}.items() if name != target}


def place_of(row: int, column: str | None) -> str:
    """Return "row 3, column x2"."""
    return f"row {row}" if column is None else f"row {row}, column {column}"


def refuse_repeated(names: Sequence[str], where: str) -> None:
    """Refuse two columns of one name: nobody could say which is meant."""
    twice = next((name for name, count in Counter(names).items() if count > 1), None)
    if twice is not None:
        raise DataError(f"{where}: two columns are called {twice!r}; give each its own name.")


def find_column(wanted: str | int, names: Sequence[str], *, what: str, path: str) -> str:
    """Return the name of a column given by name or place, or suggest the nearest."""
    if isinstance(wanted, int):
        if not -len(names) <= wanted < len(names):
            raise DataError(f"{path} has {len(names)} columns; {what}={wanted} is outside 0..{len(names) - 1}.")
        return names[wanted]
    if wanted in names:
        return wanted
    close = get_close_matches(wanted, names, n=1) or [name for name in names if name.lower() == wanted.lower()]
    hint = f" Did you mean {close[0]!r}?" if close else ""
    shown = ", ".join(f'"{name}"' if "," in name else name for name in names[:20]) + (
        f", … ({len(names)} in all)" if len(names) > 20 else ""
    )
    raise DataError(f"{path} has no column {wanted!r}.{hint} Columns: {shown}.")


def factor(values: Sequence[Any] | NDArray[Any]) -> Factor:
    """Return strings (None or NaN: missing) as a factor, its values in order of appearance.

    >>> factor(["b", "a", None, "b"]).codes.tolist(), factor(["b", "a", None, "b"]).values
    ([0, 1, -1, 0], ('b', 'a'))
    """
    seen: dict[str, int] = {}
    codes = np.empty(len(values), dtype=np.int32)
    for i, value in enumerate(values):
        missing = value is None or value != value or value == ""
        codes[i] = -1 if missing else seen.setdefault(str(value), len(seen))
    return Factor(codes, tuple(seen))


def batch_of(columns: Mapping[str, Any] | Any) -> Batch:
    """Return columns held in memory (a mapping or data frame of arrays) as a batch.

    >>> batch_of({"size": [1.0, 2.0], "colour": ["red", "blue"]}).columns["colour"].values
    ('red', 'blue')
    """
    names = list(columns.keys() if isinstance(columns, Mapping) else columns.columns)
    cells: dict[str, Cells] = {}
    for name in names:
        values = columns[name]
        values = np.asarray(values.to_numpy() if hasattr(values, "to_numpy") else values)
        cells[str(name)] = values if values.dtype.kind in "biuf" else factor(values)
    lengths = {len(cell) for cell in cells.values()}
    if len(lengths) > 1:
        raise DataError(f"the columns differ in length: {sorted(lengths)}.")
    return Batch(lengths.pop() if lengths else 0, cells)
