"""A Chromium for the tests: whichever is found, started headless by Playwright; absent, the tests say so."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def find_chromium() -> str | None:
    """Return the path of a Chromium: ROSENBLATT_CHROMIUM, else the first known name on the path."""
    given = os.environ.get("ROSENBLATT_CHROMIUM")
    return given or next((path for name in NAMES if (path := shutil.which(name))), None)


@contextmanager
def open_browser() -> Iterator[Any]:
    """Start Chromium; skip, saying what is missing, where that cannot be done."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="browser tests need: pip install playwright")
    path = find_chromium()
    if path is None:
        pytest.skip(f"browser tests need a Chromium: none of {', '.join(NAMES)} is on the path")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path)
        try:
            yield browser
        finally:
            browser.close()
