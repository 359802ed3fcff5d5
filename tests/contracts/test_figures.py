"""README's figures are those of cases that exist, and can be read back; no time is measured here."""

import re
from pathlib import Path

from benchmarks import figures
from benchmarks.cases import all_cases

TEXT = figures.README.read_text(encoding="utf-8")
CASES = [case for cases in all_cases().values() for case in cases]


def as_report(*lines: tuple[str, str, str, float]) -> dict:
    """A run with nothing in it but what the figures are made of."""
    keys = ("case", "against", "size", "ratio")
    return {"cases": [{**dict(zip(keys, line, strict=True)), "claimed": True} for line in lines]}


def test_readme_claims_only_cases_that_the_benchmark_runs():
    claimed = figures.claims(TEXT)
    table = TEXT.partition(figures.BEGIN)[2].partition(figures.END)[0]
    assert len(claimed) == table.count("\n|") - 2 > 0
    known = {(case.name, case.peer) for case in CASES if case.claimed and case.target is not None}
    assert {(claim.name, claim.peer) for claim in claimed} <= known
    assert all(claim.ratio > 0 for claim in claimed)


def test_no_two_cases_share_a_line_of_the_table():
    lines = [(case.name, case.peer) for case in CASES]
    assert len(set(lines)) == len(lines)


def test_readme_names_the_command_and_no_date():
    section = TEXT.partition("## How fast")[2]
    assert "make bench ARGS=--quick" in section
    assert not re.search(r"\b20[2-9]\d\b", section)


def test_a_table_is_read_back_as_it_was_written(tmp_path: Path):
    page = tmp_path / "README.md"
    page.write_text(f"before\n{figures.BEGIN}\nold\n{figures.END}\nafter\n", encoding="utf-8")
    figures.write(as_report(("dense, 20 passes", "peer", "", 12.99), ("text", "peer -d FILE", "5 rows", 0.847)), page)
    text = page.read_text(encoding="utf-8")
    assert figures.claims(text) == [
        figures.Claim("dense, 20 passes", "peer", 12.0),
        figures.Claim("text", "peer -d FILE", 0.84),
    ]
    assert text.startswith("before\n")
    assert text.endswith("\nafter\n")
    assert "old" not in text


def test_a_claim_is_broken_below_half_of_it_and_by_nothing_else():
    claimed = [figures.Claim("dense", "peer", 10.0), figures.Claim("never run", "peer", 10.0)]
    assert figures.broken(as_report(("dense", "peer", "", 5.0)), claimed) == []
    (problem,) = figures.broken(as_report(("dense", "peer", "", 4.9)), claimed)
    assert "claims 10" in problem
    assert "4.90" in problem
