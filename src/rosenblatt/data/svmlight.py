"""svmlight / libsvm text files: ``label index:value index:value … # comment``. The parser itself is in the core."""

from collections.abc import Generator, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import rosenblatt._core as _core
from rosenblatt.data.bytefile import ByteFile
from rosenblatt.data.cores import cores
from rosenblatt.data.prefetch import made_ahead
from rosenblatt.data.rows import Rows
from rosenblatt.data.table import Batch
from rosenblatt.data.text import TextBlock, TextTable, last_line_end
from rosenblatt.errors import DataError

FAULTS = {
    "label": "is not a label; each line begins with a number",
    "index": "is not a feature index; expected index:value with a whole number from 0 to 10^18",
    "colon": "has no colon; expected index:value",
    "value": "is not a number",
    "too_large": "is too large for a floating-point number",
    "order": "does not ascend; within a line each index must be larger than the one before",
    "below_first": "is below the first index, 1; if this file counts from 0, give first_index=0",
}


class Sheet(NamedTuple):
    """Room for the rows of the whole file, or the part of it that is one block's."""

    labels: NDArray[np.float64]
    values: NDArray[Any]
    columns: NDArray[np.int32]

    def part(self, first: tuple[int, int], last: tuple[int, int]) -> "Sheet | None":
        """Return the part between two places, each a row and an entry; None where the sheet has ended."""
        rows, entries = slice(first[0], last[0]), slice(first[1], last[1])
        if last[0] > len(self.labels) or last[1] > len(self.values):
            return None
        return Sheet(self.labels[rows], self.values[entries], self.columns[entries])


class Svmlight(TextTable):
    """An open svmlight file. ``first_index`` None: found by looking at every index."""

    format = "svmlight"

    def __init__(
        self,
        file: ByteFile,
        *,
        block_bytes: int,
        block_rows: int | None,
        first_index: int | None,
        float32: bool,
    ) -> None:
        super().__init__(file, block_bytes=block_bytes, block_rows=block_rows)
        self.kinds: Mapping[str, str] = {}
        self.first_index = first_index
        self.float32 = float32
        self.lowest: int | None = None
        self.highest = -1

    def scan(self, room: int = 0) -> Generator[Batch, None, None]:
        """Read everything once, all batches into one array if that takes at most ``room``.

        Columns are counted as in the file; the encoder takes off the first index.
        """
        qids = 0
        blocks = self._placed(self.text.scan(last_line_end), room)
        for block, parsed in made_ahead(lambda placed: (placed[0], self._parse(*placed, threads=1)), blocks):
            qids += parsed["qids"]
            self.highest = max(self.highest, parsed["highest"])
            if parsed["lowest"] is not None:
                self.lowest = parsed["lowest"] if self.lowest is None else min(self.lowest, parsed["lowest"])
            yield self._batch(block, parsed)
        if qids:
            self.notes.append(f"{self.path}: {qids} qid fields were ignored; they are meant for ranking.")
        if self.first_index is None:
            self.first_index = 0 if self.lowest == 0 else 1

    def _placed(self, blocks: Iterator[TextBlock], room: int) -> Iterator[tuple[TextBlock, Sheet | None]]:
        """Return every block with the place of its rows, one after the other, in a sheet for the whole file."""
        if room <= 0 or not self.file.plain:
            yield from ((block, None) for block in blocks)
            return
        sheet, row, entry = None, 0, 0
        for number, block in enumerate(blocks):
            lines, colons = _core.count_lines_and_colons(np.frombuffer(block.data, dtype=np.uint8))
            if number == 0:
                sheet = self._sheet(lines / len(block.data), colons / len(block.data), room)
            first, row, entry = (row, entry), row + lines, entry + colons
            yield block, None if sheet is None else sheet.part(first, (row, entry))

    def _sheet(self, lines: float, colons: float, room: int) -> Sheet | None:
        """Return room for the whole file, if it has about as many lines and colons to a byte as its first block.

        What turns out to be too much is never touched, and takes no memory.
        """
        size = 1.1 * (self.file.size or 0)
        rows, entries, kind = int(size * lines) + 1, int(size * colons) + 1, np.float32 if self.float32 else np.float64
        if 8 * rows + (np.dtype(kind).itemsize + 4) * entries > room:
            return None
        return Sheet(np.empty(rows), np.empty(entries, dtype=kind), np.empty(entries, dtype=np.int32))

    @property
    def d(self) -> int:
        """Features: the highest index, counted from the first."""
        return max(self.highest + 1 - (self.first_index or 0), 0)

    def block(self, i: int) -> Batch:
        block = self.text.block(i)
        return self._batch(block, self._parse(block, None, threads=cores()))

    def _parse(self, block: TextBlock, sheet: Sheet | None, *, threads: int) -> dict[str, Any]:
        data = np.frombuffer(block.data, dtype=np.uint8)
        first = self.first_index or 0
        parsed = _core.parse_svmlight(data, first_index=first, float32=self.float32, threads=threads, sheet=sheet)
        if parsed["fault"]:
            line, column = block.line_at(parsed["at"])
            token = block.data[parsed["at"] : parsed["at"] + 200].split()[:1] or [b""]
            shown = repr(token[0].decode("utf-8", "replace")[:40])
            raise DataError(f"{self.path} line {line}, column {column}: {shown} {FAULTS[parsed['fault']]}.")
        if parsed["values"] is None and sheet is not None:
            parsed["labels"] = sheet.labels[: parsed["rows"]]
            parsed |= {name: getattr(sheet, name)[: parsed["entries"]] for name in ("values", "columns")}
        return parsed

    def _batch(self, block: TextBlock, parsed: dict[str, Any]) -> Batch:
        rows = Rows(parsed["values"], max(parsed["highest"] + 1, 0), parsed["columns"], parsed["starts"])
        again = self.text.again(block)

        def place(row: int, column: str | None) -> tuple[str, str]:
            return f"{self.path} line {self._line(again(), row)}", ""

        return Batch(rows.n, {}, matrix=rows, labels=parsed["labels"], place=place, records=lambda: _records(again()))

    def _line(self, block: TextBlock, row: int) -> int:
        for number, line in enumerate(block.data.split(b"\n"), start=block.first_line):
            if line.partition(b"#")[0].strip():
                if row == 0:
                    return number
                row -= 1
        raise IndexError("no such row in this block")


def _records(block: TextBlock) -> list[str]:
    lines = block.data.decode("utf-8", "replace").split("\n")
    return [line.rstrip("\r") for line in lines if line.partition("#")[0].strip()]


def looks_like_svmlight(head: bytes) -> bool:
    """Return whether the first line with data reads as svmlight text.

    >>> looks_like_svmlight(b"# made by hand\\n+1 1:0.5 7:2\\n"), looks_like_svmlight(b"time,value\\n12:30,1\\n")
    (True, False)
    """
    for line in head.split(b"\n")[:100]:
        fields = line.partition(b"#")[0].split()
        if fields:
            pairs = [field.split(b":") for field in fields[1:]]
            return _is_number(fields[0]) and bool(pairs) and all(_is_pair(pair) for pair in pairs[:20])
    return False


def _is_pair(pair: list[bytes]) -> bool:
    return len(pair) == 2 and (pair[0].isdigit() or pair[0] == b"qid") and _is_number(pair[1])


def _is_number(text: bytes) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
