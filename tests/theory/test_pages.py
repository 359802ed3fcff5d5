"""Every Python block of the pages on proofs runs as printed."""

import doctest
from pathlib import Path

import pytest

PAGES = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize("page", ["proof.md", "certificates.md"])
def test_page_runs_as_printed(page):
    failed, tried = doctest.testfile(str(PAGES / page), module_relative=False)
    assert tried > 5
    assert failed == 0
