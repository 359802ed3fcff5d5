"""A small table of texts, laid out for terminals, notebooks, Markdown and LaTeX."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "−": "$-$",
    "≥": r"$\ge$",
    "≤": r"$\le$",
    "·": r"$\cdot$",
    "√": r"$\surd$",
    "γ": r"$\gamma$",
    "…": r"\ldots{}",
    "–": "--",
    "²": r"$^2$",
    "‖": r"$\Vert$",
    "←": r"$\leftarrow$",
    "×": r"$\times$",
}


@dataclass(frozen=True)
class Table:
    """Headers, lines of texts, one alignment letter per column ("r" or "l"), and notes below.

    A line that is a plain text spans the whole width.

    >>> print(Table(("k", "w"), ((0, 1), ("1", "(2, 0)")), "rl", ("done",)))
    k  w
    0  1
    1  (2, 0)
    done
    """

    headers: tuple[str, ...]
    lines: tuple[tuple[object, ...] | str, ...]
    align: str
    notes: tuple[str, ...] = ()

    def cells(self) -> list[list[str]]:
        return [[str(cell) for cell in line] for line in self.lines if not isinstance(line, str)]

    def __str__(self) -> str:
        columns = list(zip(*([list(self.headers), *self.cells()]), strict=True))
        width = [max(map(len, column)) for column in columns]

        def text(line: Sequence[object]) -> str:
            padded = [
                str(cell).rjust(w) if a == "r" else str(cell).ljust(w)
                for cell, w, a in zip(line, width, self.align, strict=True)
            ]
            return "  ".join(padded).rstrip()

        body = [line if isinstance(line, str) else text(line) for line in self.lines]
        return "\n".join([text(self.headers), *body, *self.notes])

    def _repr_html_(self) -> str:
        side = {"r": "right", "l": "left"}

        def row(line: Sequence[object], tag: str) -> str:
            cells = (
                f'<{tag} style="text-align:{side[a]}">{escape(str(cell))}</{tag}>'
                for cell, a in zip(line, self.align, strict=True)
            )
            return f"<tr>{''.join(cells)}</tr>"

        body = "".join(
            f'<tr><td colspan="{len(self.headers)}" style="text-align:left">{escape(line.strip())}</td></tr>'
            if isinstance(line, str)
            else row(line, "td")
            for line in self.lines
        )
        notes = "".join(f"<p>{escape(note)}</p>" for note in self.notes)
        return f"<table><thead>{row(self.headers, 'th')}</thead><tbody>{body}</tbody></table>{notes}"

    def to_markdown(self) -> str:
        """Return a GitHub-flavoured Markdown table."""

        def row(line: Sequence[object]) -> str:
            return "| " + " | ".join(_markdown(str(cell)) for cell in line) + " |"

        rule = "|" + "|".join("--:" if a == "r" else ":--" for a in self.align) + "|"
        filler = ("",) * (len(self.headers) - 1)
        body = [row((line.strip(), *filler) if isinstance(line, str) else line) for line in self.lines]
        notes = ["", *(f"{_markdown(note)}  " for note in self.notes)] if self.notes else []
        return "\n".join([row(self.headers), rule, *body, *notes])

    def to_latex(self) -> str:
        """Return a tabular that needs no package."""

        def row(line: Sequence[object]) -> str:
            return " & ".join(latex(str(cell)) for cell in line) + r" \\"

        body = [
            rf"\multicolumn{{{len(self.headers)}}}{{l}}{{{latex(line.strip())}}} \\"
            if isinstance(line, str)
            else row(line)
            for line in self.lines
        ]
        notes = [rf"\par {latex(note)}" for note in self.notes]
        top = [rf"\begin{{tabular}}{{{self.align}}}", r"\hline", row(self.headers), r"\hline"]
        return "\n".join([*top, *body, r"\hline", r"\end{tabular}", *notes])


def _markdown(text: str) -> str:
    for special in ("\\", "|", "<", ">", "*", "_", "`"):
        text = text.replace(special, "\\" + special)
    return " ".join(text.split())


def latex(text: str) -> str:
    """Escape a text for LaTeX; the mathematical signs we print become mathematics.

    >>> print(latex("50 % of -1"))
    50 \\% of $-$1
    """
    return re.sub(r"-(?=\d)", "$-$", "".join(LATEX.get(letter, letter) for letter in text))
