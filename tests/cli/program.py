"""The real program in a subprocess, and small files to feed it."""

import os
import subprocess
import sys
from pathlib import Path

from rosenblatt.cli.demo import shipped

COMMAND = [sys.executable, "-m", "rosenblatt"]
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
