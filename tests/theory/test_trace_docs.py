"""The pages on traces and studies say what the library does: their examples are run."""

import doctest
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("page", ["trace.md", "trace-schema.md", "study.md"])
def test_examples_on_the_page_run(page):
    failures, tried = doctest.testfile(str(DOCS / page), module_relative=False, encoding="utf-8")
    assert tried > 0
    assert failures == 0
