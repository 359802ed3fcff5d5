"""Everything printed in README and docs is executed: Python by doctest, terminal lines as a shell would."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")])
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", DOCUMENTS, ids=name)
def test_python_of_the_document_runs(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = re.sub(r"^```$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)  # a fence is not output
    test = doctest.DocTestParser().get_doctest(text, {}, name(path), str(path), 0)
    problems: list[str] = []
    doctest.DocTestRunner(optionflags=OPTIONS).run(test, out=problems.append)
    assert not problems, "".join(problems)


def sessions(path: Path) -> list[str]:
    return re.findall(r"^```console\n(.*?)^```$", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def commands(session: str) -> list[tuple[str, str]]:
    """Split a session into (command, what it should print)."""
    parts = re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]
    return [(part.split("\n", 1)[0], part.split("\n", 1)[1] if "\n" in part else "") for part in parts]


@pytest.mark.parametrize("path", DOCUMENTS, ids=name)
def test_terminal_lines_of_the_document_run(path, tmp_path):
    """The commands of one document run in one directory, in order; `...` stands for anything."""
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "NO_COLOR": "1"}
    checker = doctest.OutputChecker()
    for session in sessions(path):
        for command, expected in commands(session):
            if command.startswith(("make ", "pip ", "git ")):
                continue  # building and installing is what .ci/run does
            done = subprocess.run(
                command, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120
            )
            printed = done.stdout + done.stderr
            assert done.returncode in (0, 1), printed
            assert checker.check_output(expected, printed, OPTIONS), f"$ {command}\n{printed}"
