"""Writing labelled examples to a file in another format, block after block: what `open` reads back."""

import csv
import io
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from rosenblatt._typing import Labels
from rosenblatt.data.files import write_atomically
from rosenblatt.data.rows import Rows
from rosenblatt.data.source import Block
from rosenblatt.errors import DataError, MissingExtra

SUFFIXES = {
    ".svm": "svmlight",
    ".svmlight": "svmlight",
    ".libsvm": "svmlight",
    ".csv": "csv",
    ".tsv": "csv",
    ".npz": "npz",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
}

WIDEST = 10_000  # columns of a table made of sparse rows
CELLS = 1 << 20  # numbers made dense at a time


def write(source: Any, path: str | os.PathLike[str]) -> None:
    """Write the encoded examples of a source to a file; its name says the format (svm, csv, tsv, npz, parquet, arrow).

    Every format but npz is written block by block, in constant memory. Labels that are no numbers become −1 and +1
    (two classes) or 0, 1, 2, … in svmlight files, with a comment that says so; elsewhere they stay. Weights go into a
    column of their own, which svmlight and npz files do not have.

    >>> import pathlib, tempfile
    >>> import rosenblatt.data
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "a.csv").write_text("x,y,kind\\n1,0,no\\n0,2.5,yes\\n")
    >>> with rosenblatt.data.open(folder / "a.csv", target="kind") as source:
    ...     write(source, folder / "a.svm")
    >>> print((folder / "a.svm").read_text(), end="")
    # classes: -1 = no, 1 = yes; features: 1 = x, 2 = y
    -1 1:1
    1 2:2.5
    """
    format = SUFFIXES.get(Path(path).suffix)
    writers: dict[str | None, Callable[[Any, BinaryIO], None]] = {
        "svmlight": _svmlight,
        "csv": lambda source, file: _csv(source, file, "\t" if Path(path).suffix == ".tsv" else ","),
        "npz": _npz,
        "parquet": lambda source, file: _arrow(source, file, "parquet"),
        "arrow": lambda source, file: _arrow(source, file, "arrow"),
    }
    if format not in writers:
        raise DataError(f"cannot tell a format from the name {os.fspath(path)!r}; end it with {', '.join(SUFFIXES)}.")
    if source.weight is not None and format in ("svmlight", "npz"):
        raise DataError(
            f"{os.fspath(path)}: {format} has no place for the weights ({source.weight}); write .csv or .parquet, or "
            "leave weight= out."
        )
    if source.encoder.sparse and source.d > WIDEST and format not in ("svmlight", "npz"):
        raise DataError(
            f"{os.fspath(path)}: {source.d:,} features, most of them zero, are no table; write .svm or .npz."
        )
    write_atomically(path, lambda file: writers[format](source, file))


def _names(source: Any) -> list[str]:
    return [source.encoder.name(j) for j in range(source.d)]


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


def _svmlight(source: Any, file: BinaryIO) -> None:
    labels = _svmlight_labels(source.classes)
    out = io.TextIOWrapper(file, encoding="utf-8", newline="\n", write_through=True)
    if labels != [str(label) for label in source.classes.tolist()] or source.names is not None:
        pairs = ", ".join(f"{a} = {_plain(b)}" for a, b in zip(labels, source.classes.tolist(), strict=True))
        names = (
            ""
            if source.names is None
            else "; features: " + ", ".join(f"{j + 1} = {_plain(name)}" for j, name in enumerate(source.names[:1000]))
        )
        out.write(f"# classes: {pairs}{names}\n")
    for block in source.blocks():
        for i, (columns, values) in enumerate(_entries(block.rows)):
            pairs = " ".join(f"{j + 1}:{_number(v)}" for j, v in zip(columns, values, strict=True))
            out.write(f"{labels[block.codes[i]]} {pairs}".rstrip() + "\n")
    out.detach()


def _plain(text: Any) -> str:
    return str(text).replace("\n", " ").replace("\r", " ")


def _svmlight_labels(classes: Labels) -> list[str]:
    values = classes.tolist()
    if classes.dtype.kind in "iuf":
        return [_number(float(value)) for value in values]
    return ["-1", "1"] if len(values) == 2 else [str(code) for code in range(len(values))]


def _entries(rows: Rows) -> Iterator[tuple[list[int], list[float]]]:
    """Return columns and values of the entries of each row that are not zero."""
    for i in range(rows.n):
        if rows.starts is None or rows.columns is None:
            columns = np.flatnonzero(rows.values[i])
            yield columns.tolist(), rows.values[i][columns].astype(np.float64).tolist()
        else:
            part = slice(int(rows.starts[i]), int(rows.starts[i + 1]))
            yield rows.columns[part].tolist(), rows.values[part].astype(np.float64).tolist()


def _beside(source: Any, names: list[str]) -> list[str]:
    """Return the names of the columns beside the features: the weights' if there are any, and the labels'."""
    found: list[str] = []
    for name in [*([source.weight] if source.weight is not None else []), source.target or "label"]:
        while name in (*names, *found):
            name += "_"
        found.append(str(name))
    return found


def _csv(source: Any, file: BinaryIO, delimiter: str) -> None:
    names = _names(source)
    out = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow([*names, *_beside(source, names)])
    for block in source.blocks():
        for place, piece in block.rows.pieces(max(1, CELLS // source.d)):
            beside = [source.classes[block.codes[place]].tolist()]
            if block.weights is not None:
                beside.insert(0, [_number(weight) for weight in block.weights[place].tolist()])
            for line, *rest in zip(piece.dense().tolist(), *beside, strict=True):
                writer.writerow([*(_number(value) for value in line), *rest])
    out.detach()


def _npz(source: Any, file: BinaryIO) -> None:
    block: Block = source.whole()
    rows, labels = block.rows, source.classes[block.codes]
    if rows.starts is None:
        np.savez(file, X=rows.values, y=labels)
        return
    shape = np.array([rows.n, rows.d])
    sparse: dict[str, Any] = {"data": rows.values, "indices": rows.columns, "indptr": rows.starts, "shape": shape}
    np.savez(file, **sparse, format=np.array(b"csr"), y=labels)


def _arrow(source: Any, file: BinaryIO, format: str) -> None:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise MissingExtra("pyarrow", "files", "writing Parquet and Arrow files") from None
    names = _names(source)
    labels = pa.array(source.classes.tolist())
    *weight, label = _beside(source, names)
    schema = pa.schema([*((name, pa.float64()) for name in [*names, *weight]), (label, labels.type)])
    opened = (
        pq.ParquetWriter(file, schema, compression="zstd") if format == "parquet" else pa.ipc.new_file(file, schema)
    )
    with opened as writer:
        for block in source.blocks():
            X = block.rows.dense()
            columns = [pa.array(X[:, j]) for j in range(X.shape[1])]
            columns += [] if block.weights is None else [pa.array(block.weights)]
            columns.append(labels.take(pa.array(block.codes)))
            writer.write_batch(pa.record_batch(columns, schema=schema))
