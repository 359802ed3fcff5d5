"""Mutated inputs by the ten thousand, in children: a crash or a hang of the reader ends the child, not this program."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.soak.part import Failure


def soak(folder: Path, *, small: bool) -> Iterator[str]:
    """Run the fuzzers of the data files (a fifth of the count is CSV) and of the model files."""
    for module, count in (("tests.data.fuzz", 100_000), ("tests.models.fuzz", 20_000)):
        n = count // 200 if small else count
        limit = 60 + n / 20
        command = [sys.executable, "-X", "faulthandler", "-m", module, str(n)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
        except subprocess.TimeoutExpired:
            raise Failure(f"{module}: {n} inputs took more than {limit:.0f} s; one of them hangs") from None
        if done.returncode:
            raise Failure(f"{module}: exit code {done.returncode}: {done.stderr[-1500:]}")
        yield from (f"{module}: {line}" for line in done.stdout.splitlines())
