"""The real program in a subprocess, and small files to feed it."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
from pathlib import Path

from rosenblatt.cli.demo import shipped

PROGRAM = ("-m", "rosenblatt")
COMMAND = [sys.executable, *PROGRAM]
POINTS = "x1,x2,kind\n-2,0,no\n0,-2,no\n-2,2,yes\n2,2,yes\n"
THREE = "a,b,species\n" + "".join(
    f"{i % 7},{i % 5 + 3 * k},{name}\n" for k, name in enumerate(("ant", "bee", "cat")) for i in range(12)
)
CROSS = "a,b,label\n0,0,same\n0,1,other\n1,0,other\n1,1,same\n"


def run(*arguments, cwd=None, text=None, env=None):
    """Run the program; return the finished process, its output as text."""
    return subprocess.run(
        [*COMMAND, *map(str, arguments)],
        cwd=cwd,
        input=text,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        env={**os.environ, **(env or {})},
    )


def folder_of(path: Path) -> Path:
    """Write the small files to a folder."""
    (path / "points.csv").write_text(POINTS, encoding="utf-8")
    (path / "three.csv").write_text(THREE, encoding="utf-8")
    (path / "cross.csv").write_text(CROSS, encoding="utf-8")
    (path / "fruit.csv").write_bytes(shipped("fruit.csv"))
    return path


def in_terminal(arguments, cwd, env=None, *, columns=100, after=None, program=PROGRAM):
    """Run the program with a terminal for standard output and error; return what was shown, and the exit code.

    ``after`` is called with the process and what was shown so far, whenever there is more.
    """
    parent, child = pty.openpty()
    fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    process = subprocess.Popen(
        [sys.executable, *program, *map(str, arguments)], cwd=cwd, stdin=subprocess.DEVNULL, stdout=child, stderr=child,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": str(columns), **(env or {})},
    )  # fmt: skip
    os.close(child)
    shown = b""
    while True:
        ready, _, _ = select.select([parent], [], [], 60)
        try:
            part = os.read(parent, 65536) if ready else b""
        except OSError:
            part = b""
        if not part:
            break
        shown += part
        if after is not None:
            after(process, shown.decode(errors="replace"))
    os.close(parent)
    return shown.decode(), process.wait(timeout=60)


def unstyled(shown):
    """Return what a terminal was sent without its escape sequences."""
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown)
