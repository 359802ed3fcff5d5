"""A small version of each long run; `make soak` runs the long ones."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.soak.__main__ import PARTS

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.parametrize("name", PARTS)
def test_the_small_version_of_a_long_run_passes(name):
    """In a process of its own: the peak of a child begins with what its parent held, and a test runner holds much."""
    command = [sys.executable, "-m", "tests.soak", "--small", "--only", name]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    if "skipped:" in done.stdout:
        pytest.skip(done.stdout.strip().splitlines()[1].strip())
    assert done.returncode == 0, done.stdout + done.stderr
    assert "all parts passed" in done.stdout
