"""The program as a citizen of the shell: help, errors, exit codes, pipes, terminals, interrupts, scripts."""

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from rosenblatt.cli import options, reading, study
from rosenblatt.cli.app import COMMANDS
from rosenblatt.datasets.named import NAMED
from rosenblatt.learning import policy
from rosenblatt.theory.studying import design
from tests.cli.program import COMMAND, in_terminal, run, unstyled


def test_help_names_every_command():
    done = run("--help")
    assert done.returncode == 0
    assert all(f"\n  {name} " in done.stdout for name in COMMANDS)
    assert run().stdout == done.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name):
    done = run(name, "--help")
    assert done.returncode == 0
    assert f"Usage: rosenblatt {name}" in done.stdout


@pytest.mark.parametrize(
    "arguments", [("--help",), ("fit", "w2"), ("check", "xor"), ("trace", "w2"), ("study", "w2", "--runs", "3")]
)
def test_neither_scikit_learn_nor_matplotlib_is_imported(arguments):
    code = "import sys; from rosenblatt.cli import main; main(sys.argv[1:]); "
    code += "print([m for m in ('sklearn', 'matplotlib', 'scipy', 'pandas') if m in sys.modules], file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    assert done.stderr.splitlines()[-1] == "[]"


def test_choices_written_down_for_a_quick_start_are_the_library_s():
    """Importing learning, theory or the data sets for these names alone would cost every command its time."""
    assert options.ORDERS == policy.ORDERS
    assert study.VARIED == design.VARIED
    assert set(reading.LECTURES) <= set(NAMED)


BAD = {
    "no command": (("fti",), "did you mean fit?"),
    "no option": (("fit", "points.csv", "--targt", "y"), "--target"),
    "no file": (("fit", "nothing.csv"), "there is no file 'nothing.csv'"),
    "no column": (("fit", "points.csv", "-t", "knd"), "Did you mean 'kind'?"),
    "no feature": (("fit", "points.csv", "--features", "x1,x9"), "x9"),
    "a directory": (("fit", "."), "directory"),
    "bad number": (("fit", "points.csv", "--rate", "fast"), "fast"),
    "negative rate": (("fit", "points.csv", "--rate", "-1"), "--rate"),
    "bad kernel": (("fit", "points.csv", "--kernel", "rfb"), "rbf"),
    "two tests": (("fit", "points.csv", "--test", "0.2", "--cv", "3"), "choose one"),
    "resume without file": (("fit", "points.csv", "--resume"), "--checkpoint"),
    "checkpoint of a shipped set": (("fit", "w2", "--checkpoint", "c"), "--checkpoint is for files"),
    "checkpoint of a kernel": (("fit", "points.csv", "--variant", "kernel", "--checkpoint", "c"), "leave"),
    "out for all": (("fit", "points.csv", "--variant", "all", "--out", "m.json"), "--variant"),
    "bad start": (("fit", "points.csv", "--start", "1;2;3"), "1,-0.8"),
    "no model": (("predict", "nothing.json", "points.csv"), "nothing.json"),
    "a table as model": (("predict", "points.csv", "points.csv"), "not a saved model"),
    "model in no folder": (("fit", "points.csv", "--out", "missing/m.json"), "missing"),
    "cannot vary": (("study", "points.csv", "--vary", "mood"), "order"),
    "one class": (("fit", "one.csv"), "1 class"),
    "empty": (("fit", "empty.csv"), "empty"),
    "not a number": (("fit", "bad.csv", "-t", "y"), "bad.csv line 3"),
    "JSON": (("fit", "rows.json"), "rows.json is JSON, which is not read as data; formats: csv"),
    "latin1": (("fit", "latin1.csv", "-t", "y"), "UTF-8"),
    "ragged": (("fit", "ragged.csv", "-t", "y"), "line 3"),
    "truncated model": (("predict", "cut.safetensors", "points.csv"), "cut short"),
    "no features": (("trace", "points.csv", "--features", ""), "names nothing"),
    "wrong every": (("fit", "points.csv", "--checkpoint", "c", "--every", "often"), "30s"),
}


@pytest.fixture(scope="module")
def broken(files):
    (files / "one.csv").write_text("x,y\n1,a\n2,a\n")
    (files / "empty.csv").write_text("")
    (files / "bad.csv").write_text("x,y\n1,a\n,b\n3,a\n")
    (files / "latin1.csv").write_bytes("x,y\n1,é\n2,b\n".encode("latin1"))
    (files / "rows.json").write_text('[{"x": 1, "y": "a"}, {"x": 2, "y": "b"}]')
    (files / "ragged.csv").write_text("x,y\n1,a\n2,b,c\n")
    (files / "cut.safetensors").write_bytes(b"\x00\x10\x00\x00\x00\x00\x00\x00{")
    return files


@pytest.mark.parametrize("name", BAD)
def test_bad_input_ends_with_2_and_a_helpful_word(broken, name):
    arguments, words = BAD[name]
    done = run(*arguments, cwd=broken)
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert done.stderr.startswith(("error:", "note:"))
    assert words in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_named(files, tmp_path):
    secret = tmp_path / "secret.csv"
    secret.write_text("x,y\n1,a\n2,b\n")
    secret.chmod(0)
    done = run("fit", secret)
    assert done.returncode == 2
    assert "secret.csv" in done.stderr


def test_a_full_disk_is_an_error_and_leaves_nothing(files):
    if not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full on this machine")
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*COMMAND, "predict", "fruit.json", "fruit.csv"], cwd=files, stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert done.returncode == 2
    assert "no space left" in done.stderr


def test_windows_line_ends_and_byte_order_marks_are_read(tmp_path):
    path = tmp_path / "w.csv"
    path.write_bytes("\ufeffx,y\r\n1,a\r\n2,b\r\n3,b\r\n".encode())
    done = run("fit", path, "--json")
    assert done.returncode == 0, done.stderr
    assert list(json.loads(done.stdout)["weights"]) == ["x"]


def test_output_is_utf8_whatever_the_locale(files):
    done = run("check", "points.csv", "--table", cwd=files, env={"PYTHONIOENCODING": "latin-1", "LC_ALL": "C"})
    assert done.returncode == 0, done.stderr
    assert "γ" in done.stdout


def test_quotes_can_be_letters(tmp_path):
    (tmp_path / "q.csv").write_text('x,name,y\n1,a "b,no\n2,c d",yes\n')
    done = run("fit", tmp_path / "q.csv", "--no-quotes", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["rows"] == 2


def test_a_terminal_gets_text_and_colour(files):
    shown, code = in_terminal(["fit", "points.csv", "--no-bias"], files)
    assert code == 0
    assert "\x1b[" in shown
    assert "Perceptron, standard" in unstyled(shown)


def test_no_color_is_respected(files):
    shown, code = in_terminal(["fit", "points.csv", "--no-bias"], files, {"NO_COLOR": "1"})
    assert code == 0
    assert "\x1b[" not in shown
    assert "Perceptron, standard · points.csv" in shown


def test_a_terminal_sees_the_progress_of_a_study(files):
    shown, code = in_terminal(["study", "points.csv", "--runs", "3000"], files)
    assert code == 0
    assert "updates in 3000 runs" in unstyled(shown)


def interrupted(*options, cwd):
    """Run a command, press Ctrl-C when it has surely begun, also on a busy machine; return its output and its words."""
    command = [*COMMAND, *map(str, options), "--max-passes", "2000000000"]
    process = subprocess.Popen(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(4.0)
    process.send_signal(signal.SIGINT)
    shown, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    return shown, said


@pytest.mark.slow
def test_ctrl_c_keeps_what_was_learnt(files, tmp_path):
    """SIGINT during an endless run: exit code 130, the model so far is saved and shown."""
    out = tmp_path / "partial.json"
    shown, said = interrupted("fit", "cross.csv", "--out", out, "--json", cwd=files)
    found = json.loads(shown)
    assert found["stopped_by"] == "interrupted"
    passes, n = found["n_passes"], found["rows"]
    assert (passes - 1) * n <= found["n_steps"] <= passes * n, "the pass it was in, counted from 1"
    assert f"interrupted in pass {passes:,} after {found['n_updates']:,} updates" in said
    assert out.exists()


@pytest.mark.slow
@pytest.mark.parametrize("options", [(), ("--memory", "2MB")])
def test_ctrl_c_while_a_model_is_judged_keeps_it(tmp_path, options):
    """A vote of 20 000 vectors on 40 000 rows: training is a moment, counting its errors takes seconds."""
    noise = np.random.default_rng(0).integers(0, 1000, size=(40_000, 5)).tolist()
    (tmp_path / "noise.csv").write_text(
        "a,b,c,d,y\n" + "".join(f"{a},{b},{c},{d},{y % 2}\n" for a, b, c, d, y in noise)
    )
    command = [*COMMAND, "fit", "noise.csv", "--variant", "voted", "--max-passes", "1", *options]
    out = tmp_path / "voted.safetensors"
    process = subprocess.Popen(
        [*command, "--out", out, "--json"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while not out.exists():
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    shown, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert "interrupted after training, while the model was judged" in said
    assert f"wrote {out}" in said
    assert json.loads(shown)["train_accuracy"] is None
    assert run("predict", out, "noise.csv", "--only", cwd=tmp_path).returncode == 0


@pytest.mark.slow
def test_ctrl_c_shows_the_variants_that_were_trained(files):
    shown, said = interrupted("fit", "cross.csv", "--variant", "all", "--max-seconds", "1", "--csv", cwd=files)
    assert "the table is of the variants that were trained by then" in said
    assert shown.splitlines()[1].startswith("standard,")


@pytest.mark.slow
def test_ctrl_c_in_a_fold_says_that_there_is_no_model(tmp_path):
    noisy = "".join(f"{i % 7},{i % 5},{i % 3 % 2}\n" for i in range(60))
    (tmp_path / "noisy.csv").write_text("a,b,label\n" + noisy)
    shown, said = interrupted("fit", "noisy.csv", "--cv", "2", "--out", "folds.json", cwd=tmp_path)
    assert "interrupted in fold 1 of 2; the model comes after the folds, so there is none" in said
    assert not shown
    assert not (tmp_path / "folds.json").exists()


SCRIPTS = {
    "fit": ("fit", "points.csv", "--no-bias", "--order", "cyclic"),
    "fit and save": ("fit", "fruit.csv", "-t", "kind", "--scale", "standard", "--out", "script.json"),
    "fit with a test": ("fit", "fruit.csv", "-t", "kind", "--test", "0.2", "--variant", "averaged"),
    "fit with folds": ("fit", "w2", "--cv", "2"),
    "fit all": ("fit", "fruit.csv", "--variant", "all", "--max-passes", "5"),
    "fit a kernel": ("fit", "cross.csv", "--kernel", "rbf:0.5"),
    "predict": ("predict", "fruit.json", "fruit.csv", "--scores"),
    "evaluate": ("evaluate", "fruit.json", "fruit.csv"),
    "predict with gaps": ("predict", "fruit.json", "gaps.csv", "--missing", "zero"),
    "evaluate one against the rest": ("evaluate", "apple.json", "fruit.csv"),
    "check": ("check", "cross.csv", "--out", "script-proof.json"),
    "verify": ("verify", "script-proof.json", "cross.csv"),
    "trace": ("trace", "w2", "--all-examples"),
    "study": ("study", "w2", "--runs", "20"),
    "explain": ("explain", "fruit.json", "fruit.csv", "--row", "2"),
    "convert data": ("convert", "fruit.csv", "script.svm"),
    "convert a model": ("convert", "fruit.json", "script.safetensors"),
    "export": ("export", "fruit.json", "--to", "sql"),
    "demo": ("demo",),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_show_python_prints_a_script_that_runs(files, name):
    if name == "verify":
        run("check", "cross.csv", "--out", "script-proof.json", cwd=files)
    if name == "predict with gaps":
        (files / "gaps.csv").write_text((files / "fruit.csv").read_text().replace("red", "", 1))
    if name == "evaluate one against the rest":
        run(
            "fit",
            "fruit.csv",
            "-t",
            "kind",
            "--positive",
            "apple",
            "--scale",
            "standard",
            "--out",
            "apple.json",
            cwd=files,
        )
    shown = run(*SCRIPTS[name], "--show-python", cwd=files)
    assert shown.returncode == 0, shown.stderr
    done = subprocess.run([sys.executable, "-c", shown.stdout], cwd=files, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    expected = {"fit": "True", "verify": "True", "evaluate": "accuracy: 1.0", "trace": "converged after 4 updates"}
    expected |= {"evaluate one against the rest": "accuracy: 1.0"}
    assert expected.get(name, "") in done.stdout
    if name.startswith("predict"):
        printed = run(*SCRIPTS[name], cwd=files).stdout.splitlines()[1:]
        assert [line.split()[0] for line in done.stdout.splitlines()] == [
            line.split(",")[-2 if name == "predict" else -1] for line in printed
        ]


def test_the_script_of_fit_saves_the_model_that_fit_saves(files):
    shown = run(*SCRIPTS["fit and save"], "--show-python", cwd=files)
    subprocess.run([sys.executable, "-c", shown.stdout], cwd=files, check=True, capture_output=True)
    script, program = (json.loads((files / name).read_text()) for name in ("script.json", "fruit.json"))
    assert (script["w"], script["b"]) == (program["w"], program["b"])


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(shell):
    done = run("completion", shell)
    assert done.returncode == 0
    assert "_ROSENBLATT_COMPLETE" in done.stdout


def test_completion_completes():
    env = {"_ROSENBLATT_COMPLETE": "bash_complete", "COMP_WORDS": "rosenblatt ev", "COMP_CWORD": "1"}
    assert "evaluate" in run(env=env).stdout


def test_demo_leaves_other_files_alone(tmp_path):
    (tmp_path / "fruit.csv").write_text("mine")
    done = run("demo", "--dir", tmp_path)
    assert done.returncode == 2
    assert "Give --dir another folder" in done.stderr
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("fruit.csv", "mine")]


def test_demo_does_the_main_job(tmp_path):
    done = run("demo", "--dir", tmp_path)
    assert done.returncode == 0, done.stderr
    for words in (
        "Perceptron, standard · fruit.csv",
        "linearly separable",
        "the certificate holds",
        "converged after 4 updates",
    ):
        assert words in done.stdout
    assert {path.name for path in tmp_path.iterdir()} == {"fruit.csv", "new.csv", "fruit.json", "proof.json"}
