"""Encoder: how the columns of a table become numbers, fixed once and used again for every new table.

Numbers stay as they are, booleans become 0 or 1, a category one feature per level (1 where it holds), a text counts of
hashed word n-grams. All of it can be written as plain JSON.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt._typing import Doubles
from rosenblatt.data.features import Column, Encoded, encode_matrix, encode_table
from rosenblatt.data.table import KINDS, Batch, batch_of, find_column
from rosenblatt.errors import DataError

MISSING = ("error", "drop", "zero", "mean")
SCALES = ("none", "standard", "maxabs", "unit")
TEXT_WIDTH = 1 << 18
TEXT_NGRAMS = 2
PLAIN = ("d", "sparse", "dtype", "target", "missing", "scale", "first_index")
MAX_NAMED = 100_000  # features beyond which names are made one by one, not carried along


@dataclass(frozen=True, eq=False)
class Encoder:
    """The mapping from columns to features: ``x' = (x − shift) · factor`` after one-hot, hashing and filling.

    Attributes
    ----------
    columns : of a table, in order; empty for files that hold numbers already (npy, npz, svmlight).
    d : features.
    sparse : whether rows come out sparse.
    dtype : of the values that come out; float64 for numbers that a type of whole numbers cannot hold.
    target : name of the label column, or None.
    missing : "error", "drop" (the row), "zero", or "mean" (of the training data; for a category the share of each
        level).
    scale : "none"; "standard" (mean 0 and deviation 1; sparse files: deviation only, so that zeros stay zeros);
        "maxabs" (largest |x| is 1); "unit" (all features divided by the largest row norm, so that ‖x‖ <= 1 for every
        row). Only numbers are scaled by the first two: booleans, levels and words stay 0, 1, 2, …
    first_index : 0 or 1, the lowest index of an svmlight file; None otherwise.
    fill : what a missing value becomes, per feature, or None.
    shift, factor : of the scaling, per feature, or None.

    Examples
    --------
    >>> encoder = Encoder(columns=(Column("size", "number"), Column("colour", "category", ("blue", "red"), 2)))
    >>> encoder.d, encoder.names
    (3, ('size', 'colour=blue', 'colour=red'))
    >>> encoded = encoder.encode({"size": [4, 2], "colour": ["red", "green"]})
    >>> encoded.rows.values.tolist(), encoded.unknown
    ([[4.0, 0.0, 1.0], [2.0, 0.0, 0.0]], {'colour': 1})
    """

    columns: tuple[Column, ...] = ()
    d: int = 0
    sparse: bool = False
    dtype: str = "float64"
    target: str | None = None
    missing: str = "error"
    scale: str = "none"
    first_index: int | None = None
    fill: Doubles | None = field(default=None, repr=False)
    shift: Doubles | None = field(default=None, repr=False)
    factor: Doubles | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.columns:
            object.__setattr__(self, "d", sum(column.width for column in self.columns))
        if self.missing == "mean" and self.fill is None:
            raise DataError(
                "missing='mean' needs the means of the training data, which this encoder does not have: it was made with "
                "another way to treat missing values. Take 'zero' or 'drop', or train anew with missing='mean'."
            )

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """The first feature of each column."""
        return tuple(np.cumsum([0, *(column.width for column in self.columns)])[:-1].tolist())

    @cached_property
    def names(self) -> tuple[str, ...] | None:
        """The features' names; None for matrices without names and beyond 100 000 features (see `name`)."""
        if not self.columns or self.d > MAX_NAMED:
            return None
        return tuple(self.each_name())

    def each_name(self) -> Iterator[str]:
        """Return the names of all features in order, those of the buckets too."""
        if not self.columns:
            yield from map(self.name, range(self.d))
        for column in self.columns:
            if column.kind == "category":
                yield from (f"{column.name}={level}" for level in column.levels)
            elif column.kind == "text":
                yield from (f"{column.name}#{k}" for k in range(column.width))
            else:
                yield column.name

    def column(self, j: int) -> Column:
        """Return the column of a table that feature j is made of."""
        return self.columns[self._column_at(j)]

    def filled(self, j: int) -> float:
        """Return what a missing value of feature j becomes where it is filled in."""
        return float(self.fill[j]) if self.missing == "mean" and self.fill is not None else 0.0

    def scaled(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return whole rows of numbers as ``(x − shift) factor``.

        >>> encoder = Encoder(columns=(Column("x", "number"),), shift=np.array([3.0]), factor=np.array([0.5]))
        >>> encoder.scaled(np.array([[3.0], [7.0]])).tolist()
        [[0.0], [2.0]]
        """
        if self.shift is not None:
            values = values - self.shift
        return values if self.factor is None else values * self.factor

    def name(self, j: int) -> str:
        """Return the name of feature j: "size", "colour=red", "message#1234" (a bucket), or a place in a matrix."""
        if not self.columns:
            return f"x{j + (1 if self.first_index is None else self.first_index)}"
        at = self._column_at(j)
        column, k = self.columns[at], j - self.starts[at]
        if column.kind == "category":
            return f"{column.name}={column.levels[k]}"
        return f"{column.name}#{k}" if column.kind == "text" else column.name

    def _column_at(self, j: int) -> int:
        return int(np.searchsorted(self.starts, j, side="right")) - 1

    def encode(self, table: Batch | Mapping[str, Any] | Any) -> Encoded:
        """Return a table (a batch, a mapping of columns, a data frame) as rows of numbers.

        Columns are found by name; a missing one is refused. A level that was not there in training becomes zeros in
        all features of its column, and is counted.
        """
        batch = table if isinstance(table, Batch) else batch_of(table)
        if not self.columns:
            return encode_matrix(self, batch)
        for column in self.columns:
            if column.name not in batch.columns:
                find_column(column.name, list(batch.columns), what="a feature", path="the table")
        return encode_table(self, batch)

    def unscaled(self) -> "Encoder":
        """Return the encoder without its scaling, for weights that were folded."""
        return replace(self, scale="none", shift=None, factor=None)

    def to_dict(self) -> dict[str, Any]:
        """Return the encoder as plain JSON values."""
        arrays = {key: getattr(self, key) for key in ("fill", "shift", "factor")}
        return {
            "columns": [
                {"name": c.name, "kind": c.kind, "levels": list(c.levels), "width": c.width, "ngrams": c.ngrams}
                for c in self.columns
            ],
            **{key: getattr(self, key) for key in PLAIN},
            **{key: None if array is None else array.tolist() for key, array in arrays.items()},
            "hash": "crc32",
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Encoder":
        """Return the encoder that `to_dict` wrote, or say what is wrong with it."""
        try:
            return _checked_encoder(cls, data)
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            if isinstance(error, DataError):
                raise
            raise DataError(f"this is not a saved encoder: {error!r}.") from None


def _checked_encoder(cls: type[Encoder], data: Mapping[str, Any]) -> Encoder:
    columns = []
    for item in data["columns"]:
        column = Column(
            str(item["name"]),
            item["kind"],
            tuple(map(str, item["levels"])),
            int(item["width"]),
            int(item["ngrams"]),
        )
        expected = {"category": len(column.levels), "text": max(column.width, 1)}.get(column.kind, 1)
        if column.kind not in KINDS or column.width != expected or not 0 <= column.ngrams <= 10:
            raise DataError(f"this is not a saved encoder: column {item!r} is damaged.")
        columns.append(column)
    if data["hash"] != "crc32" or data["missing"] not in MISSING or data["scale"] not in SCALES:
        raise DataError("this is not a saved encoder, or it was saved by a later version.")
    if data["first_index"] not in (None, 0, 1) or np.dtype(data["dtype"]).kind not in "fiu" or int(data["d"]) < 0:
        raise DataError("this is not a saved encoder: its numbers are damaged.")
    made = cls(
        columns=tuple(columns),
        d=int(data["d"]),
        sparse=bool(data["sparse"]),
        dtype=str(data["dtype"]),
        target=None if data["target"] is None else str(data["target"]),
        missing=data["missing"],
        scale=data["scale"],
        first_index=data["first_index"],
        **{key: _vector(data[key]) for key in ("fill", "shift", "factor")},
    )
    for key in ("fill", "shift", "factor"):
        array = getattr(made, key)
        if array is not None and (array.shape != (made.d,) or not np.isfinite(array).all()):
            raise DataError(f"this is not a saved encoder: {key} does not fit {made.d} features.")
    return made


def _vector(values: Any) -> Doubles | None:
    return None if values is None else np.array(values, dtype=np.float64)
