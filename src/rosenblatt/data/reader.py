"""`open`: from a file of any format and size to a `FileSource` that learns can read in blocks."""

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rosenblatt._typing import Ints, Labels
from rosenblatt.data.arrays import Rows
from rosenblatt.data.encoder import TEXT_NGRAMS, TEXT_WIDTH, Encoder
from rosenblatt.data.source import Block
from rosenblatt.data.table import Batch


class FileSource:
    """A file as labelled examples; made by `open`. Satisfies `Source`.

    Attributes
    ----------
    path, format : what was opened; format is "csv", "parquet", "arrow", "npy", "npz" or "svmlight".
    columns, kinds : the file's column names, and what each was taken for: "number", "boolean", "category", "text".
    target : name of the label column, or None for data without labels.
    encoder : how columns become features; frozen, goes to JSON and back, encodes new data.
    classes, class_counts : the sorted labels and how many rows have each.
    n, d, names : rows (after dropping), features, their names.
    notes : what a reader of the result should know ("labels are sorted", "qid ignored", …), as sentences.
    fits : whether the encoded rows fit the memory budget.
    fingerprint : of the file (size, time of change) and the settings.
    """

    path: str
    format: str
    columns: tuple[str, ...]
    kinds: Mapping[str, str]
    target: str | None
    encoder: Encoder
    classes: Labels
    class_counts: Ints
    n: int
    d: int
    names: tuple[str, ...] | None
    notes: tuple[str, ...]
    memory: int
    fits: bool
    fingerprint: str

    def blocks(self, pass_number: int = 0, *, order: str = "cyclic", seed: int = 0, skip: int = 0) -> Iterator[Block]:
        """Return every example once, in blocks (see `Source.blocks`)."""
        raise NotImplementedError

    def whole(self) -> Block:
        """Return all examples as one block, in file order."""
        raise NotImplementedError

    def read(self) -> tuple[Rows, Labels]:
        """Return all examples and their labels."""
        raise NotImplementedError

    def batches(self) -> Iterator[Batch]:
        """Return the raw rows in file order, nothing dropped: what `Encoder.encode` takes. Needs one read only."""
        raise NotImplementedError

    def place(self, row: int) -> str:
        """Return where example ``row`` stands in the file: "iris.csv line 38"."""
        raise NotImplementedError

    def close(self) -> None:
        """Give back temporary space and file handles."""
        raise NotImplementedError

    def __enter__(self) -> "FileSource":
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


def open(
    path: str | os.PathLike[str] | Any,
    *,
    target: str | int | None = None,
    features: Sequence[str | int] | None = None,
    categories: Sequence[str] = (),
    text: str | Sequence[str] | None = None,
    weight: str | None = None,
    positive: Any = None,
    classes: Sequence[Any] | None = None,
    missing: str = "error",
    scale: str = "none",
    encoder: Encoder | None = None,
    format: str | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    quotes: bool | None = None,
    first_index: int | None = None,
    dtype: str | None = None,
    text_width: int = TEXT_WIDTH,
    text_ngrams: int = TEXT_NGRAMS,
    memory: int | str = "256MB",
    block_rows: int | None = None,
    window: int | None = None,
    cache: bool = False,
) -> FileSource:
    """Open a data file of any size as labelled examples.

    Parameters
    ----------
    path : CSV/TSV, Parquet, Arrow IPC/Feather, npy/npz or svmlight file, plain or compressed (gz, bz2, xz, zst); "-" is
        standard input; or any object with ``__arrow_c_stream__`` (polars, DuckDB, pandas, pyarrow).
    target : label column, by name or place; default: the one called target, label, class or y, else the last.
    features : columns to learn from; default: all others.
    categories : columns of numbers that are names (codes, years): one feature per level.
    text : columns of text, taken as hashed word n-grams (``text_width`` buckets, up to ``text_ngrams`` words).
    weight : column of example weights.
    positive : learn this label against all others, which become "not …".
    classes : keep only rows with these labels.
    missing : "error", "drop", "zero" or "mean"; see `Encoder`.
    scale : "none", "standard", "maxabs" or "unit"; see `Encoder`.
    encoder : encode as this one does (for new data) instead of making one; nothing is read before it is asked for, the
        target may be absent.
    format, delimiter, header, quotes, first_index : what is otherwise found out: the format from name and content; of
        text tables the delimiter, whether there is a header and whether quotes quote; of svmlight the lowest index.
    dtype : "float32" or "float64" values from text; default float64.
    memory : budget for data; decides block sizes, and whether the rows are kept.
    block_rows, window : rows in a block, blocks in a shuffled window; default from the budget, the window at least 4.
    cache : write the encoded rows beside the file (Arrow IPC) and use them while file and settings stay the same.

    Examples
    --------
    >>> import rosenblatt.data, rosenblatt, tempfile, pathlib
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name) / "fruit.csv"
    >>> _ = path.write_text("grams,skin,kind\\n150,red,apple\\n120,yellow,banana\\n170,red,apple\\n")
    >>> source = rosenblatt.data.open(path, target="kind")
    >>> source.classes.tolist(), source.names, source.n
    (['apple', 'banana'], ('grams', 'skin=red', 'skin=yellow'), 3)
    >>> rosenblatt.learn(source).converged
    True
    >>> folder.cleanup()
    """
    raise NotImplementedError
