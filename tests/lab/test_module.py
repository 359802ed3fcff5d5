"""The module that ships is the one its sources make, small enough, and its own tests pass in Node."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from rosenblatt.lab.page import static
from tests.lab.make_golden import GOLDEN, golden_text

JS = Path(__file__).parents[2] / "js"
NODE = shutil.which("node")
TOOLS = (JS / "node_modules" / "esbuild").is_dir()
needs_node = pytest.mark.skipif(NODE is None, reason="the module's tests need Node.js (node is not on the path)")
needs_tools = pytest.mark.skipif(
    NODE is None or not TOOLS, reason="rebuilding the module needs Node.js and its tools: npm ci in js/"
)


def node(*command: str) -> str:
    done = subprocess.run([str(NODE), *command], cwd=JS, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def test_the_module_is_under_150_kB_unminified():
    assert len(static("lab.js").encode()) < 150_000


def test_the_module_keeps_the_rules_of_its_hosts():
    """One default export and no other; no import; nothing that a strict page policy forbids."""
    text = static("lab.js")
    assert text.rstrip().endswith("export {\n\tlab_default as default\n};")
    for forbidden in (
        "innerHTML",
        "eval(",
        "new Function",
        "document.querySelector",
        'setAttribute("style"',
        "</script",
    ):
        assert forbidden not in text
    assert not [line for line in text.splitlines() if line.startswith("import ")]


@pytest.mark.slow
def test_the_golden_cases_are_what_the_blackboard_does():
    assert GOLDEN.read_text(encoding="utf-8") == golden_text(), "run: python tests/lab/make_golden.py"
    assert len(json.loads(GOLDEN.read_text(encoding="utf-8"))) >= 300


@needs_node
@pytest.mark.slow
def test_the_engine_repeats_the_golden_cases_and_the_rest_of_its_own_tests_pass():
    node("--test", "test/")


@needs_tools
@pytest.mark.slow
def test_a_rebuild_gives_the_module_that_is_committed(tmp_path):
    node("build.js", str(tmp_path / "lab.js"))
    assert (tmp_path / "lab.js").read_text(encoding="utf-8") == static("lab.js"), "run: npm run build in js/"


@needs_tools
@pytest.mark.slow
def test_the_types_in_the_comments_hold():
    node("node_modules/typescript/bin/tsc")


@needs_tools
@pytest.mark.slow
def test_the_sources_are_formatted():
    node("node_modules/prettier/bin/prettier.cjs", "--check", "src", "test/*.js", "*.js")
