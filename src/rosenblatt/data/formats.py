"""Which format a file has: from a path to an open table."""

import os
from typing import Any

from rosenblatt.data.bytefile import ByteFile
from rosenblatt.data.columnar import ArrowFile, ArrowStream, Columnar, Parquet, arrow, naming_damage
from rosenblatt.data.delimited import Delimited
from rosenblatt.data.encoder import Encoder
from rosenblatt.data.numpy_files import Matrix
from rosenblatt.data.settings import Settings
from rosenblatt.data.svmlight import Svmlight, looks_like_svmlight
from rosenblatt.errors import DataError

FORMATS = ("csv", "parquet", "arrow", "npy", "npz", "svmlight")
STARTS = {
    b"PAR1": "parquet",
    b"ARROW1": "arrow",
    b"\xff\xff\xff\xff": "arrow",
    b"\x93NUMPY": "npy",
    b"PK\x03\x04": "npz",
    b"PK\x05\x06": "npz",
}
UNREADABLE = {b"FEA1": "a Feather file of version 1", b"\x89HDF": "an HDF5 file", b"%PDF": "a PDF file"}
LARGEST_BLOCK = 1 << 22  # bytes; larger ones leave the caches, and each asks the system for new pages
NamedTable = Delimited | Columnar
AnyTable = Delimited | Columnar | Matrix | Svmlight


def find_format(head: bytes, path: str) -> str:
    """Return the format of a file by its first bytes, and of text by its content and name.

    >>> find_format(b"a,b\\n1,2\\n", "data.csv"), find_format(b"-1 3:1 11:0.5\\n", "a9a.txt")
    ('csv', 'svmlight')
    """
    for start, format in STARTS.items():
        if head.startswith(start):
            return format
    for start, what in UNREADABLE.items():
        if head.startswith(start):
            raise DataError(f"{path} is {what}, which is not read; formats: {', '.join(FORMATS)}.")
    stem = path.lower()
    for suffix in (".gz", ".bz2", ".xz", ".zst"):
        stem = stem.removesuffix(suffix)
    for endings, format in (((".parquet", ".pq"), "parquet"), ((".feather", ".arrow", ".ipc"), "arrow")):
        if stem.endswith(endings):
            raise DataError(f"{path} is no {format} file, for all its name; it begins with {head[:8]!r}.")
    if stem.endswith((".csv", ".tsv")):
        return "csv"
    first = head.lstrip()[:1]
    if first == b"{" or (first == b"[" and stem.endswith((".json", ".jsonl", ".ndjson"))):
        known = {b'"rosenblatt-certificate': "a certificate", b'"rosenblatt': "a saved model"}
        what = next((words for mark, words in known.items() if mark in head[:400]), "JSON")
        raise DataError(f"{path} is {what}, which is not read as data; formats: {', '.join(FORMATS)}.")
    if stem.endswith((".svm", ".svmlight", ".libsvm")) or looks_like_svmlight(head):
        return "svmlight"
    if b"\0" in head[:4096]:
        raise DataError(f"{path} is no text file (it holds zero bytes); formats: {', '.join(FORMATS)}.")
    return "csv"


def open_table(
    path: str | os.PathLike[str] | Any, settings: Settings, encoder: Encoder | None
) -> tuple[AnyTable, ByteFile | None]:
    """Return the open table, and the file behind it if there is one; an encoder knows what new data should hold."""
    kinds = {column.kind for column in (encoder.columns if encoder else ())}
    parts = 512 if settings.text or "text" in kinds else 64  # of the memory: hashed words take more than their text
    sizes: dict[str, Any] = {
        "block_bytes": min(max(1 << 12, settings.memory // parts), LARGEST_BLOCK),
        "block_rows": settings.block_rows,
    }
    if not isinstance(path, str | os.PathLike):
        return _stream(path, settings.memory, sizes), None
    if settings.format is not None and settings.format not in FORMATS:
        raise DataError(f"format={settings.format!r} is unknown; choose one of {', '.join(FORMATS)}.")
    file = ByteFile(path)
    try:
        found = settings.format or find_format(file.head, file.name)
        table: AnyTable
        if found == "csv":
            marks: dict[str, Any] = {name: getattr(settings, name) for name in ("delimiter", "header", "quotes")}
            table = Delimited(file, **sizes, **marks)
        elif found == "svmlight":
            first_index = settings.first_index if encoder is None else encoder.first_index
            dtype = settings.dtype or (encoder.dtype if encoder else "")
            table = Svmlight(file, **sizes, first_index=first_index, float32=dtype == "float32")
        elif found in ("npy", "npz"):
            target, width = (settings.target, None) if encoder is None else (encoder.target, encoder.d)
            table = Matrix(file, format=found, target=target, width=width, **sizes)
        elif found == "parquet":
            table = Parquet(file, **sizes)
        elif file.head.startswith(b"ARROW1"):
            table = ArrowFile(file, name=file.name, **sizes)
        else:
            table = ArrowStream(_ipc_stream(file), name=file.name, memory=settings.memory, file=file, **sizes)
    except BaseException:
        file.close()
        raise
    return table, file


def _stream(data: Any, memory: int, sizes: dict[str, Any]) -> ArrowStream:
    if not hasattr(data, "__arrow_c_stream__"):
        raise DataError(
            f"cannot read a {type(data).__name__}; give a path, '-' for standard input, or an object with "
            "__arrow_c_stream__ (polars, DuckDB, pandas, pyarrow). Arrays go to learn(X, y) directly."
        )
    return ArrowStream(data, name=f"the {type(data).__name__}", memory=memory, **sizes)


def _ipc_stream(file: ByteFile) -> Any:
    with naming_damage(file.name, "is no Arrow stream, or it is cut short"):
        return arrow().ipc.open_stream(file.seekable())
