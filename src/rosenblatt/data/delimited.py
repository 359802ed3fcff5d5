"""CSV, TSV and their kin: text tables with one record a line.

Numbers and words without quotes are read by the core; where it refuses, pyarrow reads large files and plain Python small
ones, and plain Python says what is wrong.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

import rosenblatt._core as _core
from rosenblatt.data.bytefile import ByteFile
from rosenblatt.data.cores import cores
from rosenblatt.data.prefetch import made_ahead
from rosenblatt.data.sniff import (
    BLANKS,
    FALSE,
    NULLS,
    SNIFFED,
    TRUE,
    MalformedError,
    doubt_about,
    is_number,
    last_record_end,
    names_nothing,
    records,
    sniff_dialect,
    sniff_header,
    sniff_kind,
)
from rosenblatt.data.table import Batch, Cells, Factor, SideBySide, factor, held_columns, refuse_repeated
from rosenblatt.data.text import TextBlock, TextTable, count_lines
from rosenblatt.errors import DataError

FIELDS = {"number": 0, "category": 1}  # kinds that the core reads
Sheet: TypeAlias = NDArray[np.float64]
SMALL = 1 << 18  # bytes that plain Python reads sooner than pyarrow can be imported


class Delimited(TextTable):
    """An open text table. Delimiter, header, quotes and kinds are found out where not given."""

    format = "csv"

    def __init__(
        self,
        file: ByteFile,
        *,
        block_bytes: int,
        block_rows: int | None = None,
        delimiter: str | None = None,
        header: bool | None = None,
        quotes: bool | None = None,
    ) -> None:
        super().__init__(file, block_bytes=block_bytes, block_rows=block_rows)
        head = self.text.head.decode("utf-8", "replace")
        self.dialect = sniff_dialect(head, path=self.path, delimiter=delimiter, quotes=quotes)
        if self.dialect.doubt:
            self.notes.append(f"{self.path}: quotes are read as letters, because {self.dialect.doubt}.")
        sample, lines = self._sample(head)
        if not sample:
            raise DataError(f"{self.path} has no rows: every line is blank.")
        has_header = sniff_header(sample) if header is None else header
        self.header_bytes = self._header_bytes() if has_header else 0
        start = self.text.head[: self.header_bytes]
        self._as_text(start, lambda at: (start.count(b"\n", 0, at) + 1, at - start.rfind(b"\n", 0, at)))
        self.names = self._names(sample[0], has_header)
        body = sample[1:] if has_header else sample
        self.kinds: Mapping[str, str] = dict(
            zip(self.names, map(sniff_kind, _columns(body, len(self.names))), strict=True)
        )
        self._body, self._lines = body, lines[len(lines) - len(body) :]
        self.target: str | None = None
        self.use(self.kinds, None)

    def doubt(self, name: str) -> str | None:
        """Return why a column taken as categories may have been meant as numbers, or None."""
        j = self.names.index(name)
        rows = [(row[j], line) for row, line in zip(self._body, self._lines, strict=True) if j < len(row)]
        return doubt_about([cell for cell, _ in rows], [line for _, line in rows])

    def use(self, kinds: Mapping[str, str], target: str | None, weight: str | None = None) -> None:
        """Choose the columns that batches will hold: features, as which kind, the label, the weights."""
        self._used = held_columns(kinds, target, weight)
        self.target = target
        j = len(self.names) if target is None else self.names.index(target)
        self._marks_are_gaps = names_nothing([row[j] for row in self._body if j < len(row)])

    def scan(self, room: int = 0) -> Generator[Batch, None, None]:
        """Read everything once, in order; the numbers of all batches in one array if that takes at most ``room``."""
        blocks = self.text.scan(lambda data: last_record_end(data, self.dialect), skip=self.header_bytes)
        return made_ahead(lambda placed: self._batch(*placed, threads=1), self._placed(blocks, room))

    def _placed(self, blocks: Iterator[TextBlock], room: int) -> Iterator[tuple[TextBlock, Sheet | None]]:
        """Return every block with the place of its numbers, one after the other, in a sheet for the whole file."""
        sheet, row = None, 0
        for number, block in enumerate(blocks):
            if number == 0 and room > 0:
                sheet = self._sheet(block, room)
            if sheet is None:
                yield block, None
                continue
            row, first = row + count_lines(block.data), row
            yield block, sheet[first:row] if row <= len(sheet) else None

    def _sheet(self, block: TextBlock, room: int) -> Sheet | None:
        """Return an array for the numbers of the whole file, if its lines are about as long as in its first block.

        What turns out to be too much is never touched, and takes no memory.
        """
        numbers = sum(kind == "number" for kind in self._wanted().values())
        rows = int(1.1 * (self.file.size or 0) * count_lines(block.data) / len(block.data)) + 1
        return np.empty((rows, numbers)) if self.file.plain and 8 * rows * numbers <= room else None

    def block(self, i: int) -> Batch:
        return self._batch(self.text.block(i), None, threads=cores())

    def _sample(self, head: str) -> tuple[list[list[str]], list[int]]:
        """Return the first records and the line (from 1) on which each begins."""
        sample, lines = [], []
        for line, fields in records(head, self.dialect):
            sample.append(fields)
            lines.append(line + 1)
            if len(sample) > SNIFFED:
                break
        return sample, lines

    def _names(self, first: Sequence[str], has_header: bool) -> tuple[str, ...]:
        if not has_header:
            return tuple(f"x{j + 1}" for j in range(len(first)))
        names = tuple(name.strip(BLANKS) or f"x{j + 1}" for j, name in enumerate(first))
        refuse_repeated(names, f"{self.path} line 1")
        if not first[0].strip(BLANKS):
            self.notes.append(
                f"{self.path}: the first column has no name and is called x1; if it numbers the rows, leave it out with "
                "exclude=['x1']."
            )
        return names

    def _header_bytes(self) -> int:
        """Return the bytes up to the end of the first record, empty lines before it included."""
        head = self.text.head
        end = 0
        while True:
            feed = head.find(b"\n", end)
            if feed < 0:
                return len(head)
            end = feed + 1
            if last_record_end(head[:end], self.dialect) == end and head[:end].strip():
                return end

    def _batch(self, block: TextBlock, sheet: Sheet | None, *, threads: int) -> Batch:
        large = len(self.file.head) > SMALL
        columns, side_by_side = self._straight(block, threads, sheet)
        if columns is None and large:
            columns = self._fast(block)
        if columns is None:
            columns = self._plain(block)
        labels = columns.pop(self.target) if self.target is not None else None
        n = len(labels) if labels is not None else len(next(iter(columns.values()), ()))
        assert labels is None or isinstance(labels, Factor)
        if labels is not None and self._marks_are_gaps:
            labels = labels.without(NULLS)
        again = self.text.again(block)
        return Batch(
            n,
            columns,
            labels=labels,
            place=lambda row, column: self._place(again(), row, column),
            records=lambda: self._raw_records(again()),
            side_by_side=side_by_side,
        )

    def _straight(
        self, block: TextBlock, threads: int, sheet: Sheet | None = None
    ) -> tuple[dict[str, Cells] | None, SideBySide | None]:
        """Parse in the core, into the sheet if there is one.

        Nothing where there are quotes, other kinds of columns, or a field it refuses.
        """
        kinds, delimiter = self._wanted(), self.dialect.delimiter
        if not set(kinds.values()) <= set(FIELDS) or len(delimiter.encode()) != 1:
            return None, None
        if self.dialect.quotes and block.may_quote and b'"' in block.data:
            return None, None
        fields = [FIELDS.get(kinds.get(name, ""), -1) for name in self.names]
        data = np.frombuffer(block.data, dtype=np.uint8)
        parsed: Any = _core.parse_delimited(data, delimiter=delimiter, fields=fields, threads=threads, sheet=sheet)
        if parsed is None:
            return None, None
        values = parsed["values"] if parsed["values"] is not None or sheet is None else sheet[: parsed["rows"]]
        numbers = tuple(name for name in self.names if kinds.get(name) == "number")
        words = [name for name in self.names if kinds.get(name) == "category"]
        columns: dict[str, Cells] = {name: values[:, j] for j, name in enumerate(numbers)}
        try:
            for name, codes, levels in zip(words, parsed["codes"], parsed["words"], strict=True):
                columns[name] = Factor(codes, tuple(level.decode("utf-8") for level in levels))
        except UnicodeDecodeError:
            return None, None
        return {name: columns[name] for name in kinds}, SideBySide(numbers, values, whole=parsed["gaps"] == 0)

    def _fast(self, block: TextBlock) -> dict[str, Cells] | None:
        """Parse with pyarrow; None where it is not there or refuses, and plain Python shall say why.

        A line of one column may be blank, which pyarrow takes for a row.
        """
        if len(self.names) == 1:
            return None
        try:
            import pyarrow as pa
            import pyarrow.compute as pc
            from pyarrow import csv
        except ImportError:
            return None
        kinds = self._wanted()
        types = {"number": pa.float64(), "boolean": pa.bool_()}
        try:
            table = csv.read_csv(
                pa.BufferReader(block.data),
                read_options=csv.ReadOptions(column_names=list(self.names), block_size=max(len(block.data), 1) + 1),
                parse_options=csv.ParseOptions(
                    delimiter=self.dialect.delimiter,
                    quote_char='"' if self.dialect.quotes else False,
                    newlines_in_values=self.dialect.quotes,
                ),
                convert_options=csv.ConvertOptions(
                    include_columns=list(kinds),
                    column_types={name: types.get(kind, pa.string()) for name, kind in kinds.items()},
                    null_values=list(NULLS),
                    true_values=[*TRUE, "1"],
                    false_values=[*FALSE, "0"],
                    strings_can_be_null=False,
                ),
            )
        except (pa.ArrowInvalid, pa.ArrowKeyError):
            return None
        columns: dict[str, Cells] = {}
        for name, kind in kinds.items():
            column = table.column(name)
            if kind in ("number", "boolean"):
                columns[name] = np.asarray(column.cast(pa.float64()).to_numpy())
            else:
                stripped = pc.ascii_trim(column.combine_chunks(), characters=BLANKS)
                columns[name] = stripped.to_pylist() if kind == "text" else _arrow_factor(stripped)
        return columns

    def _wanted(self) -> dict[str, str]:
        kinds = dict(self._used)
        if self.target is not None:
            kinds[self.target] = "category"
        return kinds

    def _plain(self, block: TextBlock) -> dict[str, Cells]:
        rows, lines = self._rows(block)
        columns: dict[str, Cells] = {}
        for name, kind in self._wanted().items():
            j = self.names.index(name)
            cells = [row[j].strip(BLANKS) for row in rows]
            if kind in ("number", "boolean"):
                columns[name] = self._numbers(block, cells, lines, name, kind)
            else:
                columns[name] = cells if kind == "text" else factor(cells)
        return columns

    def _rows(self, block: TextBlock) -> tuple[list[list[str]], list[int]]:
        """Return the records, and on which line of the block each begins."""
        rows, lines = [], []
        try:
            for line, fields in records(self._decoded(block), self.dialect):
                if len(fields) != len(self.names):
                    raise DataError(
                        f"{self.path} line {block.first_line + line}: {len(fields)} field{'s' * (len(fields) != 1)}, "
                        f"expected {len(self.names)} ({', '.join(self.names[:8])}{', …' * (len(self.names) > 8)})."
                        + (f" Quotes were read as letters, because {self.dialect.doubt}." if self.dialect.doubt else "")
                    )
                rows.append(fields)
                lines.append(line)
        except MalformedError as error:
            where = f"{self.path} line {block.first_line + error.line}"
            raise DataError(f"{where}: {error}; quotes=False reads quotes as letters.") from None
        return rows, lines

    def _decoded(self, block: TextBlock) -> str:
        return self._as_text(block.data, block.line_at)

    def _as_text(self, data: bytes, line_at: Callable[[int], tuple[int, int]]) -> str:
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            line, column = line_at(error.start)
            raise DataError(
                f"{self.path} line {line}, byte {column}: 0x{data[error.start]:02x} is not UTF-8 text; convert the file "
                "first, for example with iconv -f latin1 -t UTF-8."
            ) from None

    def _numbers(
        self, block: TextBlock, cells: list[str], lines: list[int], name: str, kind: str
    ) -> NDArray[np.float64]:
        values = np.empty(len(cells))
        for i, cell in enumerate(cells):
            if cell in NULLS:
                values[i] = np.nan
            elif kind == "boolean" and (cell in TRUE or cell in FALSE):
                values[i] = cell in TRUE
            elif is_number(cell) and (kind == "number" or float(cell) in (0, 1)):
                values[i] = float(cell)
            else:
                what = "a number" if kind == "number" else "true or false, 1 or 0"
                raise DataError(
                    f"{self.path} line {block.first_line + lines[i]}, column {name}: {cell!r} is not {what}; correct it, "
                    f"or train with categories=[{name!r}] if the column holds names."
                )
        return values

    def _place(self, block: TextBlock, row: int, column: str | None) -> tuple[str, str]:
        rows, lines = self._rows(block)
        where = f"{self.path} line {block.first_line + lines[row]}"
        if column is None or column not in self.names:
            return where, ""
        return f"{where}, column {column}", rows[row][self.names.index(column)].strip(BLANKS)

    def _raw_records(self, block: TextBlock) -> list[str]:
        text = self._decoded(block).split("\n")
        if not self.dialect.quotes or b'"' not in block.data:  # one record a line, as `records` would find
            mark = self.dialect.delimiter
            return [raw.removesuffix("\r") for raw in text if mark in raw or raw.strip(BLANKS)]
        begins = [line for line, _ in records("\n".join(text), self.dialect)]
        ends = [*begins[1:], len(text)]
        return [self._raw_record(text[a:b]) for a, b in zip(begins, ends, strict=True)]

    def _raw_record(self, lines: list[str]) -> str:
        """Return a record without the blank lines that follow it; those within stand between quotes."""
        while len(lines) > 1 and self.dialect.delimiter not in lines[-1] and not lines[-1].strip(f"{BLANKS}\r"):
            lines.pop()
        return "\n".join(lines).removesuffix("\r")


def _columns(rows: Sequence[Sequence[str]], width: int) -> Iterable[Sequence[str]]:
    """Return the cells of each column; a row that is too short has none in the last ones."""
    if rows and all(len(row) == width for row in rows):
        return zip(*rows, strict=True)
    return ([row[j] for row in rows if j < len(row)] for j in range(width))


def _arrow_factor(column: Any) -> Factor:
    """Return strings of pyarrow as a factor; empty ones are missing."""
    encoded = column.dictionary_encode()
    codes = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    return Factor(codes, tuple(encoded.dictionary.to_pylist())).without([""])
