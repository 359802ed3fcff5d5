"""The module that ships is the one its sources make, small enough, and its own tests pass in Node."""

import json
import random
import shutil
import subprocess
from pathlib import Path

import pytest

import rosenblatt
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


BOUNDS = """
import { readFileSync } from "node:fs";
import { bound, judge } from "./src/geometry.js";
const found = JSON.parse(readFileSync(0, "utf8")).map(({ X, y, ...options }) => {
  const verdict = judge(X, y, options.bias);
  return verdict.separable ? bound(verdict, options).most : null;
});
console.log(JSON.stringify(found));
"""


@needs_node
@pytest.mark.slow
def test_the_bound_is_the_library_s_on_random_whole_numbers():
    """Where (R/gamma)² is whole, rounding must not take one update away."""
    draw = random.Random(12)
    cases = [
        {"X": [[9, 0], [11, 0]], "y": [-1, 1], "bias": True, "rate": 1, "margin": 0, "start": [0, 0, 0]},
        {"X": [[-10, -2], [-12, -1], [-8, 0], [-5, -3], [-1, 1], [3, -3]], "y": [1, 1, -1, 1, 1, 1]}
        | {"bias": True, "rate": 1, "margin": 0, "start": [0, 0, 0]},
    ]
    for _ in range(600):
        reach, bias, plain = draw.choice([3, 12, 1000]), draw.random() < 0.7, draw.random() < 0.6
        X = [[draw.randint(-reach, reach) for _ in range(2)] for _ in range(draw.randint(2, 8))]
        line = [draw.randint(-9, 9) for _ in range(3)]
        y = [1 if line[0] * a + line[1] * b + bias * line[2] * reach / 9 >= 0.5 else -1 for a, b in X]
        start = [0, 0, 0] if plain else [draw.randint(-20, 20), draw.randint(-20, 20), bias * draw.randint(-9, 9)]
        more = {"rate": 1, "margin": 0} if plain else {"rate": draw.choice([0.5, 2]), "margin": draw.choice([0, 1.5])}
        if len(set(y)) == 2:
            cases.append({"X": X, "y": y, "bias": bias, "start": start, **more})
    done = subprocess.run(
        [str(NODE), "--input-type=module", "-e", BOUNDS],
        input=json.dumps(cases), cwd=JS, capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    judged = 0
    for case, most in zip(cases, json.loads(done.stdout), strict=True):
        X, y, *w0, b0 = case["X"], case["y"], *case["start"]
        settings = {name: case[name] for name in ("bias", "rate", "margin")}
        if most is None:
            assert not rosenblatt.check(X, y, bias=case["bias"]).separable
            continue
        assert most == rosenblatt.mistake_bound(X, y, start=(w0, b0), **settings).most, case
        judged += 1
    assert judged > 200


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
