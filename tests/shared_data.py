"""The public data sets that stand beside the checkout, where they do."""

import importlib.util
import os
from pathlib import Path

import pytest

_BESIDE = Path(__file__).resolve().parents[2] / "shared" / "data"
FOLDER = Path(os.environ.get("ROSENBLATT_DATA", _BESIDE))


def load(name: str) -> dict:
    """Return the arrays of a data set, or skip the test where the folder is absent."""
    if not (FOLDER / "load.py").exists():
        pytest.skip(f"no data sets at {FOLDER}; set ROSENBLATT_DATA to a folder that has them")
    spec = importlib.util.spec_from_file_location("shared_load", FOLDER / "load.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.load(name)
