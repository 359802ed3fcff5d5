"""Columnar data through pyarrow: Parquet, Arrow IPC (Feather), and any object with ``__arrow_c_stream__``."""

import re
import tempfile
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

import rosenblatt._core as _core
from rosenblatt.data.bytefile import ByteFile
from rosenblatt.data.rows import NATIVE
from rosenblatt.data.table import Batch, Cells, Factor, SideBySide, Table, held_columns, place_of, refuse_repeated
from rosenblatt.errors import DataError, MissingExtra

INDEX = re.compile(r"__index_level_\d+__")  # how pandas calls an index without a name in a file
MOST_ROWS = 1 << 16
PAGE = 5 << 18  # bytes a Parquet reader holds of one column: a page and its buffer


def arrow() -> Any:
    """Return pyarrow, or say how to install it."""
    try:
        import pyarrow
    except ImportError:
        raise MissingExtra("pyarrow", "files", "reading Parquet, Arrow and data frames") from None
    return pyarrow


@contextmanager
def naming_damage(path: str, what: str = "is damaged or cut short") -> Iterator[None]:
    """Say which file, or which of its columns, it is that pyarrow cannot read."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise DataError(f"{path} holds text that is not UTF-8, or is damaged: {error}.") from error
    except (OSError, StopIteration, arrow().ArrowException) as error:
        raise DataError(f"{path} {what}: {str(error) or 'it holds fewer rows than it says'}.") from error


class Columnar(Table):
    """What the columnar formats share. Subclasses say which blocks there are, how many rows they have, and read one."""

    n_rows: int

    def __init__(self, path: str, schema: Any, *, block_bytes: int, block_rows: int | None) -> None:
        self.path = path
        self.notes: list[str] = []
        with naming_damage(path):
            index = [name for name in schema.names if INDEX.fullmatch(name)]
        if index and len(index) < len(schema.names):
            self.notes.append(f"{path}: column {index[0]}, in which pandas numbered the rows, is left out.")
            schema = arrow().schema([field for field in schema if field.name not in index])
        self.names: tuple[str, ...] = tuple(schema.names)
        refuse_repeated(self.names, path)
        self.kinds: Mapping[str, str] = {field.name: kind_of(field.type) for field in schema}
        self.dtypes = {field.name: _dtype(field.type) for field in schema}
        self.block_rows = block_rows or max(256, min(MOST_ROWS, block_bytes // max(8 * len(self.names), 1)))
        self.target: str | None = None
        self.keeps_all = False
        self.first_rows: list[int] = []
        self.use(self.kinds, None)

    def use(self, kinds: Mapping[str, str], target: str | None, weight: str | None = None) -> None:
        """Choose the columns that batches will hold: features, as which kind, the label, the weights."""
        self._used = held_columns(kinds, target, weight)
        features = held_columns(kinds, target, None)
        # Where there is more to encode than numbers, the encoder takes every column by itself.
        self._numbers = list(features) if set(features.values()) == {"number"} else []
        self.target = target

    @property
    def wanted(self) -> list[str]:
        if self.keeps_all:
            return list(self.names)
        return [*self._used, *([] if self.target is None else [self.target])]

    @property
    def n_blocks(self) -> int:
        return len(self.first_rows)

    def scan(self, room: int = 0) -> Generator[Batch, None, None]:
        """Read everything once, in order; the numbers of all batches in one array if that takes at most ``room``."""
        sheet = self._sheet(room)
        for i in range(self.n_blocks):
            yield self._block(i, sheet)

    def block(self, i: int) -> Batch:
        return self._block(i, None)

    def _block(self, i: int, sheet: NDArray[Any] | None) -> Batch:
        with naming_damage(self.path):
            table, first = self._read(i), self.first_rows[i]
            return self._batch(table, first, None if sheet is None else sheet[first : first + table.num_rows])

    def _sheet(self, room: int) -> NDArray[Any] | None:
        """Return an array for the features of the whole file, if they are numbers of one type."""
        found = {self.dtypes[name] for name in self._numbers}
        shape = self.n_rows, len(self._numbers)
        if len(found) != 1 or not found <= set(NATIVE) or shape[0] * shape[1] * min(found).itemsize > room:
            return None
        return np.empty(shape, dtype=found.pop())

    def _read(self, i: int) -> Any:
        raise NotImplementedError

    def _cells(self, table: Any, name: str, kind: str) -> Cells:
        where = f"{self.path}: column {name}"
        with naming_damage(where):
            return _cells(table.column(name), kind, where)

    def _batch(self, table: Any, first_row: int, sheet: NDArray[Any] | None) -> Batch:
        columns = {name: self._cells(table, name, kind) for name, kind in self._used.items()}
        if side_by_side := _side_by_side({name: columns[name] for name in self._numbers}, table.num_rows, sheet):
            columns.update(zip(self._numbers, side_by_side.values.T, strict=True))
        labels: Any = None
        if self.target is not None:
            kind = self.kinds[self.target]
            kind = kind if kind in ("number", "boolean") else "category"  # dates too may name classes
            labels = self._cells(table, self.target, kind)

        def place(row: int, column: str | None) -> tuple[str, str]:
            return f"{self.path} {place_of(first_row + row, column)}", ""

        written = (lambda name: _as_written(table.column(name))) if self.keeps_all else None
        return Batch(table.num_rows, columns, labels=labels, place=place, written=written, side_by_side=side_by_side)


class Parquet(Columnar):
    """A Parquet file. Row groups of many rows are read in parts, which must follow each other."""

    format = "parquet"

    def __init__(self, file: ByteFile, *, block_bytes: int, block_rows: int | None) -> None:
        arrow()  # or say how to install it
        import pyarrow.parquet as pq

        self.file = file
        with naming_damage(file.name, "is no Parquet file, or it is cut short"):
            # Buffered and not prefetched: otherwise a whole row group of a column is held in memory.
            self._parquet = pq.ParquetFile(file.seekable(), pre_buffer=False, buffer_size=1 << 18)
        super().__init__(file.name, self._parquet.schema_arrow, block_bytes=block_bytes, block_rows=block_rows)
        meta = self._parquet.metadata
        held = [meta.row_group(group).num_rows for group in range(meta.num_row_groups)]
        if min(held, default=0) < 0 or sum(held) != meta.num_rows:
            raise DataError(
                f"{file.name} is damaged: it says that it holds {meta.num_rows} rows, but its row groups {sum(held)}, "
                f"the smallest of them {min(held, default=0)}. Write it anew, or get another copy."
            )
        self._blocks: list[tuple[int, int]] = []
        self._chains: list[range] = []
        row = 0
        for group, rows in enumerate(held):
            begin = len(self._blocks)
            for part, first in enumerate(range(0, rows, self.block_rows)):
                self._blocks.append((group, part))
                self.first_rows.append(row + first)
            self._chains.append(range(begin, len(self._blocks)))
            row += rows
        self.n_rows = row
        self._open: dict[int, tuple[int, Any]] = {}  # group -> its next part and the reader

    @property
    def chains(self) -> list[range]:
        return [chain for chain in self._chains if chain]

    @property
    def lane_bytes(self) -> int:  # type: ignore[override]
        """A page of every column, or the whole row group if that is less."""
        meta = self._parquet.metadata
        largest = max((meta.row_group(g).total_byte_size for g in range(meta.num_row_groups)), default=0)
        return min(largest, len(self.wanted) * PAGE)

    def _read(self, i: int) -> Any:
        group, part = self._blocks[i]
        following, reader = self._open.pop(group, (0, None))
        if reader is None or following > part:
            following = 0
            reader = self._parquet.iter_batches(
                batch_size=self.block_rows, row_groups=[group], columns=self.wanted, use_threads=True
            )
        for _ in range(part - following):
            next(reader)
        batch = next(reader)
        if i + 1 < len(self._blocks) and self._blocks[i + 1][0] == group:
            self._open[group] = (part + 1, reader)
        return batch

    def close(self) -> None:
        self._open.clear()
        self._parquet.close()
        self.file.close()


class ArrowFile(Columnar):
    """An Arrow IPC file (Feather version 2), read batch by batch; large batches are cut."""

    format = "arrow"

    def __init__(self, file: ByteFile | BinaryIO, *, name: str, block_bytes: int, block_rows: int | None) -> None:
        pa = arrow()
        self.file = file
        with naming_damage(name, "is no Arrow file, or it is cut short"):
            self._reader = pa.ipc.open_file(file.seekable() if isinstance(file, ByteFile) else file)
        super().__init__(name, self._reader.schema, block_bytes=block_bytes, block_rows=block_rows)
        self._blocks: list[tuple[int, int]] = []
        row = 0
        for batch in range(self._reader.num_record_batches):
            rows = self._batch_rows(batch)
            for first in range(0, rows, self.block_rows):
                self._blocks.append((batch, first))
                self.first_rows.append(row + first)
            row += rows
        self.n_rows = row

    def _batch_rows(self, batch: int) -> int:
        with naming_damage(self.path):
            return int(self._reader.get_batch(batch).num_rows)

    def _read(self, i: int) -> Any:
        batch, first = self._blocks[i]
        return checked(self._reader.get_batch(batch).slice(first, self.block_rows).select(self.wanted))

    def close(self) -> None:
        self.file.close()


class ArrowStream(Columnar):
    """Record batches that come once (polars, DuckDB, pandas, an IPC stream): kept, or spooled beyond the budget."""

    format = "arrow"

    def __init__(
        self,
        stream: Any,
        *,
        name: str,
        memory: int,
        block_bytes: int,
        block_rows: int | None,
        file: ByteFile | None = None,
    ) -> None:
        pa = arrow()
        self._file = file
        self._reader = stream if isinstance(stream, pa.RecordBatchReader) else pa.RecordBatchReader.from_stream(stream)
        super().__init__(name, self._reader.schema, block_bytes=block_bytes, block_rows=block_rows)
        self._memory = memory
        self._parts: list[Any] = []
        self._spooled: ArrowFile | None = None
        with naming_damage(name):
            self._gather()

    def _gather(self) -> None:
        """Take all batches in, cut to block size; move them to a temporary file when they outgrow the memory."""
        pa = arrow()
        file, writer, row, held = None, None, 0, 0
        for batch in self._reader if self._file is None else map(checked, self._reader):
            for first in range(0, batch.num_rows, self.block_rows):
                part = batch.slice(first, self.block_rows)
                self.first_rows.append(row + first)
                held += part.nbytes
                if writer is None and held > self._memory // 4:
                    file = tempfile.TemporaryFile(prefix="rosenblatt-")  # noqa: SIM115  (closed by close)
                    writer = pa.ipc.new_file(file, self._reader.schema)
                    for kept in self._parts:
                        writer.write_batch(kept)
                    self._parts = []
                if writer is None:
                    self._parts.append(part)
                else:
                    writer.write_batch(part)
            row += batch.num_rows
        self.n_rows = row
        if writer is not None and file is not None:
            writer.close()
            file.seek(0)
            self._spooled = ArrowFile(file, name=self.path, block_bytes=1, block_rows=self.block_rows)

    def _read(self, i: int) -> Any:
        if self._spooled is not None:
            self._spooled.use(self._used, self.target)
            self._spooled.keeps_all = self.keeps_all
            return self._spooled._read(i)
        return self._parts[i].select(self.wanted)

    def close(self) -> None:
        if self._spooled is not None:
            self._spooled.close()
        if self._file is not None:
            self._file.close()


def checked(batch: Any) -> Any:
    """Return a batch whose offsets and indices were looked at: pyarrow itself trusts those of a file, and may crash."""
    batch.validate(full=True)
    return batch


def kind_of(type_: Any) -> str:
    """Return what a column of this Arrow type is taken for; a type of no use is returned by its own name."""
    types = arrow().types
    if types.is_dictionary(type_):
        return kind_of(type_.value_type)
    if types.is_boolean(type_):
        return "boolean"
    if types.is_integer(type_) or types.is_floating(type_) or types.is_decimal(type_) or types.is_null(type_):
        return "number"
    if types.is_string(type_) or types.is_large_string(type_) or types.is_string_view(type_):
        return "category"
    return str(type_)


def _dtype(type_: Any) -> Any:
    """Return the NumPy type of a column of numbers, float64 for what has none."""
    types = arrow().types
    if types.is_floating(type_) or types.is_integer(type_):
        return np.dtype(type_.to_pandas_dtype())
    return np.dtype(np.uint8) if types.is_boolean(type_) else np.dtype(np.float64)


def _side_by_side(columns: Mapping[str, Cells], n: int, sheet: NDArray[Any] | None) -> SideBySide | None:
    """Lay columns of one type side by side, on the sheet if it is one for them; None of several types, or of none."""
    cells = [np.ascontiguousarray(column) for column in columns.values()]
    if len({column.dtype for column in cells}) != 1 or cells[0].dtype not in NATIVE:
        return None
    if sheet is None or (sheet.dtype, sheet.shape) != (cells[0].dtype, (n, len(cells))):  # gaps change a type
        sheet = np.empty((n, len(cells)), dtype=cells[0].dtype)
    _core.lay_side_by_side(cells, sheet)
    return SideBySide(tuple(columns), sheet, whole=_core.first_not_finite(sheet) < 0)


def _as_written(column: Any) -> list[str]:
    """Return the cells of a column as text, to be copied; missing ones are empty."""
    pa = arrow()
    try:
        texts = column.cast(pa.string()).to_pylist()
    except pa.ArrowNotImplementedError:  # lists and the like
        texts = [None if value is None else str(value) for value in column.to_pylist()]
    return ["" if text is None else text for text in texts]


def _cells(column: Any, kind: str, where: str) -> Cells:
    pa = arrow()
    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if pa.types.is_dictionary(column.type) and kind in ("number", "boolean", "text"):
        column = column.dictionary_decode()
    if kind in ("number", "boolean"):
        if kind_of(column.type) == "category":
            raise DataError(f"{where} holds strings, but numbers were expected.")
        if column.null_count or pa.types.is_decimal(column.type) or pa.types.is_null(column.type):
            column = column.cast(pa.float64(), safe=False) if not pa.types.is_boolean(column.type) else column
            filled = column.cast(pa.uint8()).cast(pa.float64()) if pa.types.is_boolean(column.type) else column
            return np.asarray(filled.to_numpy(zero_copy_only=False), dtype=np.float64)
        return np.asarray(column.to_numpy(zero_copy_only=False))
    if kind == "text":
        return ["" if text is None else str(text) for text in column.to_pylist()]
    if not pa.types.is_dictionary(column.type):
        if kind_of(column.type) != "category":
            column = column.cast(pa.string())
        column = column.dictionary_encode()
    codes = column.indices.cast(pa.int32()).fill_null(-1).to_numpy(zero_copy_only=False)
    values = tuple("" if value is None else str(value) for value in column.dictionary.to_pylist())
    return Factor(codes, values).without([""])
