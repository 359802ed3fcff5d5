"""What a text table looks like: records and fields, delimiter, header, quotes, and what each column holds."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

import rosenblatt._core as _core
from rosenblatt.errors import DataError

DELIMITERS = (",", "\t", ";", "|", " ")
NULLS = ("", "?", "NA", "N/A", "n/a", "na", "NaN", "nan", "NULL", "null", "None")
TRUE, FALSE = ("true", "True", "TRUE"), ("false", "False", "FALSE")
BLANKS = " \t\n\v\f\r"
NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
DECIMAL_COMMA = re.compile(r"[+-]?\d+(?:,\d+)?", re.ASCII)
SNIFFED = 1000  # records looked at to find out what columns hold
CUT = 2000  # lines looked at to find out how they are cut into fields
REGULAR = 0.8  # share of records that blanks must cut alike


class MalformedError(ValueError):
    """A quoted field that does not end where a field can end; carries the line within the text, from 0."""

    def __init__(self, line: int) -> None:
        super().__init__("a quoted field does not end before a delimiter or the end of the line")
        self.line = line


@dataclass(frozen=True)
class Dialect:
    """How the fields of a line are told apart."""

    delimiter: str
    quotes: bool = True
    doubt: str = ""  # why quotes are taken as letters although some stand where they could quote


def records(text: str, dialect: Dialect) -> Iterator[tuple[int, list[str]]]:
    """Return the records of a text with the line each begins on (from 0); blank lines are left out.

    >>> list(records('a,"b, c"\\n\\n1,"so ""it"" is"\\n', Dialect(",")))
    [(0, ['a', 'b, c']), (2, ['1', 'so "it" is'])]
    """
    at, line, plain = 0, 0, _plain_from(text, dialect)
    while at < plain:
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        raw = text[at:end]
        quoted = '"' in raw
        if quoted:
            fields, following = _quoted_record(text, at, dialect.delimiter, line)
        else:
            fields, following = raw.removesuffix("\r").split(dialect.delimiter), end + 1
        if quoted or len(fields) > 1 or fields[0].strip(BLANKS):
            yield line, fields
        line += text.count("\n", at, following)
        at = following
    for raw in text[at:].split("\n"):
        fields = raw.removesuffix("\r").split(dialect.delimiter)
        if len(fields) > 1 or fields[0].strip(BLANKS):
            yield line, fields
        line += 1


def _plain_from(text: str, dialect: Dialect) -> int:
    """Return where the line after the last quote begins: from there on every line is a record."""
    last = text.rfind('"') if dialect.quotes else -1
    return 0 if last < 0 else text.find("\n", last) + 1 or len(text)


def _widths(text: str, dialect: Dialect) -> Counter[int]:
    """Return how many records have how many fields."""
    plain = _plain_from(text, dialect)
    widths = Counter(len(fields) for _, fields in records(text[:plain], dialect))
    mark = dialect.delimiter
    widths.update(raw.count(mark) + 1 for raw in text[plain:].split("\n") if mark in raw or raw.strip(BLANKS))
    return widths


def _quoted_record(text: str, at: int, delimiter: str, line: int) -> tuple[list[str], int]:
    stop = re.escape(delimiter)
    quoted = re.compile(rf'"([^"]*+(?:""[^"]*+)*+)"(?={stop}|\r?\n|\r?\Z)')
    plain = re.compile(rf"[^{stop}\n]*")
    fields = []
    while True:
        if text.startswith('"', at):
            found = quoted.match(text, at)
            if found is None:
                raise MalformedError(line)
            fields.append(found[1].replace('""', '"'))
        else:
            found = plain.match(text, at)
            assert found is not None
            fields.append(found[0].removesuffix("\r") if text[found.end() : found.end() + 1] != delimiter else found[0])
        at = found.end()
        if text.startswith("\r", at):
            at += 1
        if not text.startswith(delimiter, at):
            return fields, at + 1
        at += len(delimiter)


def last_record_end(data: bytes, dialect: Dialect) -> int:
    """Return the end of the last whole record: a line end that is not inside quotes; 0 if there is none."""
    if not dialect.quotes or b'"' not in data:
        return data.rfind(b"\n") + 1
    stop = re.escape(dialect.delimiter.encode())
    spans = [m.span() for m in re.finditer(rb"(?:(?<=[\n" + stop + rb'])|^)"[^"]*+(?:""[^"]*+)*+(?:"|\Z)', data)]
    end = len(data)
    while (feed := data.rfind(b"\n", 0, end)) >= 0:
        while spans and spans[-1][0] > feed:
            spans.pop()
        if not spans or spans[-1][1] <= feed:
            return feed + 1
        end = spans[-1][0]
    return 0


def is_number(cell: str) -> bool:
    """Return whether a cell is a plain decimal number.

    >>> [is_number(cell) for cell in ("-1.5e3", " 2 ", ".5", "1_000", "0x1F", "inf", "")]
    [True, True, True, False, False, False, False]
    """
    return NUMBER.fullmatch(cell.strip(BLANKS)) is not None


def sniff_dialect(text: str, *, path: str, delimiter: str | None, quotes: bool | None) -> Dialect:
    """Return the delimiter that cuts most records into the same number of fields, and whether quotes quote.

    Where none does, the table has one column. Blanks stand in any text, so they must cut nearly all records alike.
    """
    lines = "\n".join(text.split("\n", CUT)[:CUT])
    best: tuple[float, int, Dialect] | None = None
    malformed: MalformedError | None = None
    for candidate in (delimiter,) if delimiter else [mark for mark in DELIMITERS if mark in lines] or DELIMITERS[:1]:
        doubt = ""
        for quoting in (True, False) if quotes is None else (quotes,):
            dialect = Dialect(candidate, quoting, doubt)
            try:
                widths = _widths(lines, dialect)
            except MalformedError as error:
                malformed, doubt = error, f"on line {error.line + 1} {error}"
                continue
            width, votes = widths.most_common(1)[0] if widths else (1, 0)
            share = votes / max(widths.total(), 1)
            alike = candidate != " " or delimiter is not None or share >= REGULAR
            if width > 1 and alike and (best is None or share > best[0] + 1e-9):
                best = (share, width, dialect)
            break
    if best is None and malformed is not None:
        raise DataError(f"{path} line {malformed.line + 1}: {malformed}; quotes=False reads quotes as letters.")
    if best is None:
        return Dialect(delimiter or ",", quotes is not False)
    return best[2]


def sniff_header(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the first record names the columns.

    Names are not numbers; some may be left out (row numbers, as pandas writes them, or a comma at the end, as
    spreadsheets do). A name above a column of numbers decides it; among columns of words alone, a name is a word that
    does not come again in its column.
    """
    first, rest = rows[0], rows[1:]
    cells = [cell.strip(BLANKS) for cell in first]
    if any(cell and (is_number(cell) or cell in NULLS) for cell in cells) or not any(cells):
        return False
    if not rest:
        return True
    votes = 0
    for j, name in enumerate(cells):
        if not name:
            continue
        column = [row[j].strip(BLANKS) for row in rest if j < len(row)]
        if any(is_number(cell) for cell in column[:50]):
            return True
        repeats = len(set(column)) <= max(1, len(column) // 2)
        votes += -1 if name in column else int(repeats)
    return votes >= 0


def sniff_kind(cells: Sequence[str]) -> str:
    """Return what a column holds; where nearly all cells are numbers, the others are an error later.

    Nearly all: nine in ten, or in a short column all but one or two.

    >>> sniff_kind(["2", "3", "x", "5"]), sniff_kind(["2", "3", "x", "y"]), sniff_kind(["true", "False", ""])
    ('number', 'category', 'boolean')
    """
    if _all_numbers(cells):
        return "number"
    stripped = [cell.strip(BLANKS) for cell in cells]
    known = [cell for cell in stripped if cell not in NULLS]
    numbers = sum(NUMBER.fullmatch(cell) is not None for cell in known)
    others = len(known) - numbers
    if numbers >= 0.9 * len(known) or (others <= 2 and numbers >= 3 * others):
        return "number"
    return "boolean" if all(cell in TRUE or cell in FALSE for cell in known) else "category"


def names_nothing(cells: Sequence[str]) -> bool:
    """Return whether a column of labels holds numbers alone, or true and false, so that NA in it is no name.

    >>> names_nothing(["1", "NA", "-1"]), names_nothing(["true", "?"]), names_nothing(["NA", "DE", "1"])
    (True, True, False)
    """
    known = {cell.strip(BLANKS) for cell in cells} - set(NULLS)
    return bool(known) and (all(map(is_number, known)) or known <= {*TRUE, *FALSE})


def _all_numbers(cells: Sequence[str]) -> bool:
    """Return whether the core reads every cell as a number, or as empty; it is far quicker than a look at each."""
    text = "\n".join(cells)
    if text.count("\n") >= len(cells):  # a line break within a cell
        return False
    return _core.parse_delimited(np.frombuffer(text.encode(), dtype=np.uint8), delimiter=",", fields=[0]) is not None


def doubt_about(cells: Sequence[str], lines: Sequence[int]) -> str | None:
    """Return why a column of words may have been meant as numbers: some of its cells are, or have commas for points."""
    known = [(cell.strip(BLANKS), line) for cell, line in zip(cells, lines, strict=True)]
    known = [(cell, line) for cell, line in known if cell not in NULLS]
    if known and all(DECIMAL_COMMA.fullmatch(cell) for cell, _ in known):
        return f"{known[0][0]!r} in line {known[0][1]} has a comma; numbers are written with a point, as in 1.5"
    words = [(cell, line) for cell, line in known if not is_number(cell)]
    if not words or len(words) == len(known):
        return None
    return f"{words[0][0]!r} in line {words[0][1]} is not a number"
