"""Text that fits the terminal: prose is wrapped, tables give up columns, come in bands or shorten their names."""

import re
import shutil
import sys
from collections.abc import Iterable, Sequence

import click

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
BREAKS = ("   ", " · ", "; ", ", ", " ")  # where a line may end, the best first
SHORTEST = 12  # letters that a shortened name keeps


def room() -> int | None:
    """Return how many letters a line of the terminal has; None in a pipe, which has room for everything."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def wrapped(line: str, width: int | None) -> list[str]:
    """Return a line as lines of at most ``width`` letters, the later ones indented under the first one's text.

    >>> print(*wrapped("  settings    shuffled · start 0 · rate 1", 32), sep="\\n")
      settings    shuffled · start 0
                  rate 1
    """
    lines: list[str] = []
    hang = _hang(click.unstyle(line))
    while width is not None and len(shown := click.unstyle(line)) > width:
        hang = hang if hang < width // 2 else 2
        at = _break(shown, hang, width)
        if at is None:
            break
        raw = _raw_index(line, at)
        lines.append(line[:raw].rstrip())
        line = " " * hang + line[raw:].lstrip().removeprefix("· ")
    return [*lines, line]


def _hang(shown: str) -> int:
    """Return where the text of a line begins: after a label and two blanks or more, else a little indented."""
    label = re.match(r" *\S+(?: \S+)* {2,}(?=\S)", shown[:24])
    return label.end() if label else len(shown) - len(shown.lstrip()) + 2


def _break(shown: str, hang: int, width: int) -> int | None:
    """Return where to end a line: at the best kind of break that leaves a third of it full, outside of parentheses."""
    least = hang + (width - hang) // 3
    for mark in BREAKS:
        kept = 1 if mark in ("; ", ", ") else 0
        places = [
            found.start() + kept for found in re.finditer(re.escape(mark), shown) if found.start() + kept <= width
        ]
        outside = [at for at in places if at > least and shown.count("(", 0, at) <= shown.count(")", 0, at)]
        if outside:
            return outside[-1]
    at = shown.rfind(" ", hang + 1, width + 1)
    return at if at > hang else None


def _raw_index(line: str, at: int) -> int:
    """Return where letter number ``at`` stands in a line with colours."""
    raw = shown = 0
    while shown < at:
        escape = ESCAPE.match(line, raw)
        raw, shown = (escape.end(), shown) if escape else (raw + 1, shown + 1)
    return raw


def aligned(
    rows: Sequence[Sequence[str]],
    *,
    indent: int = 0,
    right: Iterable[int] = (),
    offset: int = 0,
    drop: Sequence[int] = (),
    bands: int | None = None,
) -> list[str]:
    """Return rows of texts as columns under each other, those in ``right`` flush right.

    Where they are too wide for the terminal (less ``offset``), columns of ``drop`` are left out, the first first; then
    those from number ``bands`` on come in several bands, each with the first column; then the first is shortened.
    """
    if not rows:
        return []
    most, right = room(), set(right)
    columns = list(range(len(rows[0])))
    if most is None or _width(rows, columns, indent) <= most - offset:
        return _lines(rows, columns, indent, right)
    most -= offset
    for column in drop:
        if _width(rows, columns, indent) > most:
            columns.remove(column)
    if bands is None or _width(rows, columns, indent) <= most:
        over = _width(rows, columns, indent) - most
        return _lines(_shortened(rows, over) if over > 0 else rows, columns, indent, right)
    lines: list[str] = []
    for band in _bands(rows, columns, bands, most - indent):
        lines += ([""] if lines else []) + _lines(rows, band, indent, right)
    return lines


def _widths(rows: Sequence[Sequence[str]], columns: Iterable[int]) -> list[int]:
    return [max(len(click.unstyle(row[j])) for row in rows) for j in columns]


def _width(rows: Sequence[Sequence[str]], columns: Sequence[int], indent: int) -> int:
    return indent + sum(_widths(rows, columns)) + 2 * (len(columns) - 1)


def _bands(rows: Sequence[Sequence[str]], columns: Sequence[int], first: int, most: int) -> list[list[int]]:
    """Return the columns of each band: those before ``first``, then as many of the others as fit."""
    found = [[j for j in columns if j < first]]
    found += [[0]] if len(found[0]) > 1 else []
    for j in (j for j in columns if j >= first):
        if _width(rows, [*found[-1], j], 0) > most and len(found[-1]) > 1:
            found.append([0])
        found[-1].append(j)
    return found


def _shortened(rows: Sequence[Sequence[str]], over: int) -> list[list[str]]:
    """Return rows whose first column is shorter by ``over`` letters, if it keeps enough of them."""
    most = max(_widths(rows, [0])[0] - over, SHORTEST)
    return [[text if len(click.unstyle(text)) <= most else text[: most - 1] + "…", *rest] for text, *rest in rows]


def _lines(rows: Sequence[Sequence[str]], columns: Sequence[int], indent: int, right: set[int]) -> list[str]:
    widths = _widths(rows, columns)
    lines = []
    for row in rows:
        cells = []
        for j, width in zip(columns, widths, strict=True):
            space = " " * (width - len(click.unstyle(row[j])))
            cells.append(space + row[j] if j in right else row[j] + space)
        lines.append((" " * indent + "  ".join(cells)).rstrip())
    return lines
