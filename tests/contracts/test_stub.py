"""The committed stub of the core is the one its build generates."""

import subprocess
import sys
from pathlib import Path

import pytest

import rosenblatt


def test_stub_is_what_the_core_generates(tmp_path):
    pytest.importorskip("nanobind", reason="the stub generator is needed")
    made = tmp_path / "_core.pyi"
    subprocess.run(
        [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "rosenblatt._core", "-o", str(made)],
        check=True,
    )
    committed = Path(rosenblatt.__file__).with_name("_core.pyi")
    assert made.read_text() == committed.read_text(), "rebuild with make, then commit src/rosenblatt/_core.pyi"
