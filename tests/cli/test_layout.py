"""Every command's result fits the terminal, narrow or wide, and says the same numbers; a pipe is never cut."""

import re

import pytest

from rosenblatt.cli.layout import wrapped
from tests.cli.program import in_terminal, run, unstyled

COMMANDS = {
    "fit": ("fit", "fruit.csv", "-t", "kind", "--scale", "standard"),
    "fit classes": ("fit", "wide.csv", "-t", "species"),
    "compare": ("fit", "fruit.csv", "-t", "kind", "--variant", "all", "--cv", "3", "--max-passes", "20"),
    "evaluate": ("evaluate", "wide.json", "wide.csv"),
    "check": ("check", "wide.csv", "-t", "species"),
    "check points": ("check", "points.csv"),
    "trace": ("trace", "w2", "--all-examples", "--words"),
    "trace classes": ("trace", "fruit.csv", "-t", "kind", "--scale", "standard", "--all-examples"),
    "study": ("study", "points.csv", "--runs", "20"),
    "explain": ("explain", "wide.json", "wide.csv"),
}
CLASSES = ("Iris-setosa", "Iris-versicolor", "Iris-virginica")


@pytest.fixture(scope="module")
def folder(files):
    rows = [f"{i % 7},{100 * k + i},{name}" for k, name in enumerate(CLASSES) for i in range(6)]
    (files / "wide.csv").write_text("length_of_the_sepal_in_centimetres,b,species\n" + "\n".join(rows) + "\n")
    done = run("fit", "wide.csv", "-t", "species", "-o", "wide.json", "--max-passes", "100000", cwd=files)
    assert done.returncode == 0, done.stderr
    return files


@pytest.mark.parametrize("columns", [60, 80, 120])
@pytest.mark.parametrize("name", COMMANDS)
def test_no_line_is_wider_than_the_terminal(folder, name, columns):
    shown, code = in_terminal((*COMMANDS[name], "-q"), folder, columns=columns)
    assert code in (0, 1), shown
    lines = [line for line in unstyled(shown).replace("\r", "").split("\n") if not line.startswith("warning:")]
    assert [line for line in lines if len(line) > columns] == []


def numbers(text):
    return sorted(re.findall(r"(?<![\w.])-?\d[\d.,]*\d|(?<![\w.])-?\d", text))


@pytest.mark.parametrize("name", ["evaluate", "fit classes"])
def test_a_narrow_table_comes_in_bands_and_loses_nothing(folder, name):
    narrow, _ = in_terminal((*COMMANDS[name], "-q"), folder, columns=60)
    wide, _ = in_terminal((*COMMANDS[name], "-q"), folder, columns=200)
    assert numbers(unstyled(narrow)) == numbers(unstyled(wide))
    assert unstyled(narrow).count("\n") > unstyled(wide).count("\n")


def test_a_comparison_gives_up_the_seconds_before_the_accuracy(folder):
    shown = unstyled(in_terminal(COMMANDS["compare"], folder, columns=60)[0])
    assert "cv" in shown
    assert "seconds" not in shown
    assert "seconds" in unstyled(in_terminal(COMMANDS["compare"], folder, columns=80)[0])


def test_a_narrow_trace_writes_each_step_as_a_list(folder):
    shown = unstyled(in_terminal(COMMANDS["trace classes"], folder, columns=60)[0])
    assert re.search(r"step 1\r?\n  pass +1\r?\n  row +1", shown)
    assert re.search(r"  w after +\(", shown)


def test_a_pipe_has_room_for_everything(folder):
    done = run(*COMMANDS["evaluate"], "--table", cwd=folder, env={"COLUMNS": "40"})
    assert max(map(len, done.stdout.splitlines())) > 80


def test_wrapping_keeps_vectors_whole_and_colours_out_of_the_count():
    line = "step 1: −1 × ((0)(−2) + (0)(0)) = 0 ≤ 0, so w ← (0, 0) − (−2, 0) = (2, 0)"
    assert wrapped(line, 60) == ["step 1: −1 × ((0)(−2) + (0)(0)) = 0 ≤ 0,", "  so w ← (0, 0) − (−2, 0) = (2, 0)"]
    assert wrapped("\x1b[1mone\x1b[0m two three", 9) == ["\x1b[1mone\x1b[0m two", "  three"]
    assert wrapped("x" * 50, 20) == ["x" * 50]
    assert wrapped(line, None) == [line]
