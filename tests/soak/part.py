"""What the long runs share: how one fails or is skipped, and the real program as a child whose memory is measured."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

COMMAND = [sys.executable, "-m", "rosenblatt"]


class Failure(Exception):
    """The run showed a fault."""


class Skipped(Exception):
    """This machine cannot run the part, and why."""


def demand(holds: bool, otherwise: str) -> None:
    """Fail unless a claim holds."""
    if not holds:
        raise Failure(otherwise)


@dataclass(frozen=True)
class Done:
    """A finished child: exit code, what it wrote, its peak of resident memory in bytes."""

    code: int
    out: str
    err: str
    peak: int


def run(*arguments: object, group: Path | None = None, stdout: Path | None = None) -> Done:
    """Run the program to its end, inside a memory control group where one is given."""
    command = [*COMMAND, *map(str, arguments)]
    if group is not None:
        command = ["/bin/sh", "-c", f'echo $$ > "{group}/cgroup.procs" && exec "$@"', "sh", *command]
    target = Path(os.devnull) if stdout is None else stdout
    with tempfile.TemporaryFile("w+") as kept, tempfile.TemporaryFile("w+") as err, target.open("w") as file:
        out = kept if stdout is None else file
        with subprocess.Popen(command, stdout=out, stderr=err) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        kept.seek(0)
        err.seek(0)
        return Done(process.returncode, kept.read(), err.read(), usage.ru_maxrss * 1024)


@contextmanager
def capped(limit: int) -> Iterator[Path | None]:
    """Give a control group with this much memory, below our own; None where this user or machine has none."""
    group = _own_group()
    if group is None:
        yield None
        return
    inner = group[0] / f"rosenblatt-soak-{os.getpid()}"
    try:
        inner.mkdir()
        (inner / group[1]).write_text(str(limit))
    except OSError:
        if inner.exists():
            inner.rmdir()
        yield None
        return
    try:
        yield inner
    finally:
        inner.rmdir()


def _own_group() -> tuple[Path, str] | None:
    """Return the directory of the memory control group of this process, and the file with its limit."""
    try:
        lines = Path("/proc/self/cgroup").read_text().splitlines()
    except OSError:
        return None
    for line in lines:
        _, controllers, path = line.split(":", 2)
        for root, limit in _places(controllers):
            if (place := root / path.lstrip("/")).is_dir():
                return place, limit
    return None


def _places(controllers: str) -> Sequence[tuple[Path, str]]:
    root = Path("/sys/fs/cgroup")
    if controllers == "memory":
        return [(root / "memory", "memory.limit_in_bytes")]
    return [(root, "memory.max")] if controllers == "" and (root / "cgroup.controllers").exists() else []
