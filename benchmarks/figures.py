"""README's figures: the table made of a run, the claims read back, and a later run held against them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

README = Path(__file__).resolve().parents[1] / "README.md"
BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"
MARGIN = 0.5  # of a claimed ratio must be reached: machines differ, and so do days


@dataclass(frozen=True)
class Claim:
    name: str
    peer: str
    ratio: float


def table(report: dict[str, Any]) -> str:
    """Return the claimed cases of a run as a Markdown table; those that spread over threads, on all cores."""
    lines = ["| case | against | times as fast |", "|---|---|---:|"]
    for case in report["cases"]:
        if case["claimed"]:
            name = f"{case['case']} ({case['size']})" if case["size"] else case["case"]
            lines.append(f"| {name} | {case['against']} | {shown(case['ratio'])} |")
    return "\n".join(lines)


def shown(ratio: float) -> str:
    """Return two digits, rounded down.

    >>> shown(0.847), shown(3.19), shown(41.6), shown(128.0)
    ('0.84', '3.1', '41', '120')
    """
    digits = 2 if ratio < 1 else 1 if ratio < 10 else 0 if ratio < 100 else -1
    return f"{int(ratio * 10**digits + 1e-9) / 10**digits:.{max(digits, 0)}f}"


def write(report: dict[str, Any], path: Path = README) -> None:
    """Put the table of a run between the marks."""
    before, _, rest = path.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    path.write_text(f"{before}{BEGIN}\n{table(report)}\n{END}{after}", encoding="utf-8")


def claims(text: str) -> list[Claim]:
    """Return what the table between the marks claims."""
    inside = text.partition(BEGIN)[2].partition(END)[0]
    lines = re.findall(r"^\| (.+?)(?: \([^)]*\))? \| (.+?) \| ([\d.]+) \|$", inside, flags=re.MULTILINE)
    return [Claim(name, peer, float(ratio)) for name, peer, ratio in lines]


def broken(report: dict[str, Any], claimed: Iterable[Claim]) -> list[str]:
    """Return, in words, the claims that a run does not reach by half; a case that could not be run breaks none."""
    reached = {(case["case"], case["against"]): case["ratio"] for case in report["cases"] if case["claimed"]}
    return [
        f"{claim.name}, against {claim.peer}: README claims {claim.ratio:g}, this run reached {found:.2f}"
        for claim in claimed
        if (found := reached.get((claim.name, claim.peer), float("inf"))) < MARGIN * claim.ratio
    ]
