"""Text files in blocks of whole records, each with its place in the file: byte offset and first line."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

import rosenblatt._core as _core
from rosenblatt.data.bytefile import ByteFile
from rosenblatt.data.table import Table
from rosenblatt.errors import DataError

BOM = b"\xef\xbb\xbf"
COUNTED = 1 << 22  # bytes whose lines are counted at a time
WIDE_BOMS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}

Cut = Callable[[bytes], int]  # the end of the last whole record in some bytes that begin with one; 0 if there is none


@dataclass(frozen=True)
class TextBlock:
    """Whole records, and where they stand."""

    data: bytes
    offset: int
    lines_before: Callable[[], int]  # asked for errors alone: counting all lines takes as long as reading them
    may_quote: bool = True  # False: no quote is in the data

    @property
    def first_line(self) -> int:
        """The number of the first line, counted from 1."""
        return 1 + self.lines_before()

    def line_at(self, byte: int) -> tuple[int, int]:
        """Return line and column (both from 1) of a byte of this block."""
        start = self.data.rfind(b"\n", 0, byte) + 1
        return self.first_line + self.data.count(b"\n", 0, byte), byte - start + 1


class TextFile:
    """A text file, cut into blocks of about ``block_bytes`` (or exactly ``block_lines`` lines, where given)."""

    def __init__(self, file: ByteFile, *, block_bytes: int, block_lines: int | None) -> None:
        self.file = file
        self.block_bytes = block_bytes
        self.block_lines = block_lines
        self.line_limit = max(1 << 20, 8 * block_bytes)
        self.blocks: list[tuple[int, int, Callable[[], int]]] = []  # offset, length, lines before; when all are known
        for mark, coding in WIDE_BOMS.items():
            if file.head.startswith(mark):
                raise DataError(f"{file.name} is {coding} text; convert it first (iconv -f {coding} -t UTF-8).")
        if b"\r" in file.head and b"\n" not in file.head:
            raise DataError(f"{file.name} ends its lines with carriage returns alone; convert them to line feeds.")

    @property
    def head(self) -> bytes:
        """The first bytes, up to the last whole line among them, without a byte order mark."""
        head = self.file.head.removeprefix(BOM)
        end = head.rfind(b"\n") + 1
        return head[:end] if end and len(self.file.head) >= 1 << 20 else head

    def scan(self, cut: Cut, *, skip: int = 0) -> Iterator[TextBlock]:
        """Read the file once, block after block, leaving out the first ``skip`` bytes (a header)."""
        self.file.rewind()
        self.blocks, found = [], []
        mark = len(BOM) if self.file.head.startswith(BOM) else 0
        header = self.file.read(mark + skip)
        offset, lines = len(header), header.count(b"\n")
        rest, size, at_end = b"", self.block_bytes, False
        while not at_end or rest:
            data = b"" if rest or at_end or self.block_lines is not None else self.file.read_lines(size)
            if data and b'"' in data:  # it may hide a line end
                data, rest = b"", data
            elif not data and not at_end:
                more = self.file.read(size)
                at_end = len(more) < size
                data, rest = self._cut_simply(rest, more, at_end)
            may_quote = not data
            if not data:
                end = self._end(rest, cut, at_end)
                data, rest = rest[:end], rest[end:]
            if not data:
                self._refuse_long(rest, offset, lines)
                continue
            found.append((offset, len(data), self._lines_before(offset, lines)))
            yield TextBlock(data, offset, found[-1][2], may_quote)
            offset += len(data)
            if not self.file.plain:
                lines += _feeds(data)
        self.blocks = found

    def _lines_before(self, offset: int, counted: int) -> Callable[[], int]:
        """Return what gives the number of lines before a place: found anew where the file can be read again."""
        if not self.file.plain:
            return lambda: counted
        steps = range(0, offset, COUNTED)
        return lambda: sum(_feeds(self.file.read_at(at, min(COUNTED, offset - at))) for at in steps)

    def _cut_simply(self, rest: bytes, more: bytes, at_end: bool) -> tuple[bytes, bytes]:
        """Return a block and what follows it, copied once, where no quote can hide a line end; else no block."""
        feed = more.rfind(b"\n")
        if at_end or self.block_lines is not None or feed < 0 or b'"' in more or b'"' in rest:
            return b"", rest + more
        return b"".join((rest, memoryview(more)[: feed + 1])), more[feed + 1 :]

    def block(self, i: int) -> TextBlock:
        """Read one block again."""
        offset, length, lines_before = self.blocks[i]
        return TextBlock(self.file.read_at(offset, length), offset, lines_before)

    def again(self, block: TextBlock) -> Callable[[], TextBlock]:
        """Return what gives the block again: read anew where that is possible, so that its bytes are not held."""
        if not self.file.plain:
            return lambda: block
        offset, length, lines_before = block.offset, len(block.data), block.lines_before
        return lambda: TextBlock(self.file.read_at(offset, length), offset, lines_before)

    def _end(self, data: bytes, cut: Cut, at_end: bool) -> int:
        """Return where this block ends; 0 to ask for more bytes."""
        if self.block_lines is None:
            return len(data) if at_end and len(data) <= self.block_bytes else cut(data) or (len(data) if at_end else 0)
        feeds = np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == 10)
        if len(feeds) < self.block_lines:
            return len(data) if at_end else 0
        wanted = int(feeds[self.block_lines - 1]) + 1
        for feed in feeds[self.block_lines - 1 :]:  # a quoted line break may stand at the wanted place
            if cut(data[: int(feed) + 1]) == int(feed) + 1:
                return int(feed) + 1
        return len(data) if at_end else (0 if wanted == len(data) else cut(data[:wanted]))

    def _refuse_long(self, data: bytes, offset: int, lines: int) -> None:
        if len(data) > self.line_limit and (self.block_lines is None or b"\n" not in data):
            raise DataError(
                f"{self.file.name} line {1 + self._lines_before(offset, lines)()} is longer than {self.line_limit:,} bytes; "
                "this is no table of text lines, or a quote is never closed."
            )


def count_lines(data: bytes) -> int:
    """Return the number of lines, counting a last one without an end."""
    return _core.count_lines_and_colons(np.frombuffer(data, dtype=np.uint8))[0]


def _feeds(data: bytes) -> int:
    return count_lines(data) - (data[-1:] not in (b"", b"\n"))


def last_line_end(data: bytes) -> int:
    """Return the end of the last whole line."""
    return data.rfind(b"\n") + 1


class TextTable(Table):
    """What the text formats share: the file, cut into blocks of whole records."""

    def __init__(self, file: ByteFile, *, block_bytes: int, block_rows: int | None) -> None:
        self.file = file
        self.path = file.name
        self.notes: list[str] = []
        self.text = TextFile(file, block_bytes=block_bytes, block_lines=block_rows)

    @property
    def n_blocks(self) -> int:
        return len(self.text.blocks)

    def close(self) -> None:
        self.file.close()
