"""What the program says to somebody who typed something sensible that does not work, or not well."""

import numpy as np
import pytest

from tests.cli.program import run


@pytest.fixture(scope="module")
def slow_run(tmp_path_factory):
    """Three points on a line that no vector through the origin separates; an exact run cycles."""
    folder = tmp_path_factory.mktemp("hints")
    (folder / "t.csv").write_text("a,b,y\n1,1,p\n2,2,q\n3,3,p\n-7,5,q\n11,-9,p\n")
    (folder / "far.csv").write_text("a,b,y\n1000,0,p\n1001,1,q\n1003,0,p\n1002,1,q\n999,0,p\n1000,1,q\n")
    return folder


def test_columns_of_a_matrix_cannot_be_chosen(tmp_path):
    (tmp_path / "t.svm").write_text("1 1:2\n-1 1:3\n")
    done = run("fit", "t.svm", "--weight", "w", cwd=tmp_path)
    assert done.returncode == 2
    assert "no column 'w' to choose" in done.stderr
    assert "leave --weight out" in done.stderr


def test_a_model_of_one_feature_labels_a_file_of_one_column(tmp_path):
    (tmp_path / "one.csv").write_text("x,y\n1,a\n2,a\n3,b\n4,b\n")
    assert run("fit", "one.csv", "--out", "one.json", cwd=tmp_path).returncode == 0
    done = run("predict", "one.json", cwd=tmp_path, text="x\n0.5\n9\n")
    assert done.stdout == "x,prediction\n0.5,a\n9,b\n", done.stderr


def test_a_tab_may_be_typed(tmp_path):
    (tmp_path / "t.txt").write_text("x\ty\n1\ta\n2\tb\n")
    for tab in (r"\t", "\t", "tab"):
        assert run("fit", "t.txt", "--delimiter", tab, cwd=tmp_path).returncode == 0


def test_a_long_trace_says_what_it_leaves_out(slow_run):
    done = run("trace", "far.csv", "--table", cwd=slow_run)
    assert "lines left out above; --all shows them all" in done.stdout
    every = run("trace", "far.csv", "--table", "--all", cwd=slow_run)
    assert "left out" not in every.stdout
    assert len(every.stdout.splitlines()) > 2 * len(done.stdout.splitlines())


def test_a_cycle_is_found_beyond_the_rows_kept(slow_run):
    few = run("trace", "t.csv", "--no-bias", "--table", "--max-rows", "3", cwd=slow_run)
    assert "cycles for ever" in few.stdout
    margins = run("trace", "t.csv", "--no-bias", "--table", "--all-examples", cwd=slow_run)
    assert len(margins.stdout.splitlines()) < 100


def test_a_run_that_does_not_converge_is_told_what_to_try(files, tmp_path):
    rng = np.random.default_rng(0)
    lines = [f"{rng.integers(0, 90000)},{rng.random():.3f},{'no' if i % 5 else 'yes'}" for i in range(100)]
    (tmp_path / "noisy.csv").write_text("pay,share,kind\n" + "\n".join(lines) + "\n")
    done = run("fit", "noisy.csv", "--max-passes", "5", "--table", cwd=tmp_path)
    assert "try --scale standard" in done.stderr
    assert "try --variant averaged" in done.stderr
    scaled = run("fit", "noisy.csv", "--max-passes", "5", "--scale", "standard", "--variant", "pocket", cwd=tmp_path)
    assert "--scale" not in scaled.stderr.replace("check noisy.csv --scale standard", "")
    assert "--variant" not in scaled.stderr


def test_the_next_command_shows_the_same_run():
    done = run("fit", "w2", "--table")
    assert "next: rosenblatt trace w2 --order shuffle --seed 0" in done.stderr
    again = run("trace", "w2", "--order", "shuffle", "--seed", "0", "--table")
    assert "3 of at most 10" in done.stdout
    assert "converged after 3 updates" in again.stdout
    assert "next: rosenblatt trace" not in run("fit", "w2", "--kernel", "rbf").stderr


def says(*arguments, cwd, code=2):
    """Return what the program says on standard error; it must end with this code."""
    done = run(*arguments, cwd=cwd)
    assert done.returncode == code, done.stderr
    return done.stderr


@pytest.fixture(scope="module")
def proved(files):
    """The folder of small files with proof.json, a certificate of scaled fruit."""
    done = run("check", "fruit.csv", "-t", "kind", "--scale", "standard", "--out", "proof.json", cwd=files)
    assert done.returncode == 0
    return files


def test_files_taken_for_one_another_are_named(proved):
    (proved / "t.svm").write_text("1 1:2\n-1 1:3\n")
    assert "fruit.csv is not a saved model" in says("predict", "fruit.csv", "fruit.csv", cwd=proved)
    assert "proof.json is a certificate" in says("predict", "proof.json", "fruit.csv", cwd=proved)
    assert "fruit.json is a saved model" in says("fit", "fruit.json", cwd=proved)
    assert "proof.json is a certificate" in says("fit", "proof.json", cwd=proved)
    assert "no named columns (svmlight), but the model needs grams" in says(
        "predict", "fruit.json", "t.svm", cwd=proved
    )
    assert ".." not in says("fit", ".", cwd=proved).replace("...", "")


def test_a_label_typed_wrong_is_answered_with_all_labels(files):
    said = says("check", "three.csv", "--classes", "ant,bea", cwd=files)
    assert "Did you mean 'bee'?" in said
    assert "'cat'" in said


def test_messages_speak_in_options(files):
    assert "expected 5 weights, one for each feature" in says("trace", "fruit.csv", "--start", "1,2", cwd=files)


def test_verify_says_what_differs(proved):
    done = run("verify", "proof.json", "fruit.csv", "-t", "kind", "--table", cwd=proved)
    assert done.returncode == 1
    assert "give the options of check again (--scale" in done.stdout
    done = run("verify", "proof.json", "three.csv", "--table", cwd=proved)
    assert "it is for 60 rows and 5 features, the data have 36 rows and 2 features" in done.stdout


def test_sorted_labels_do_not_matter_to_check(files):
    assert "look sorted" not in run("check", "three.csv", cwd=files).stderr


def test_lines_fit_a_terminal(files):
    for data in ("points.csv", "fruit.csv"):
        shown = run("fit", data, "--scale", "standard", "--table", cwd=files).stdout
        assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        (("fit", "w2", "--bias"), "rate 1 · bias"),
        (("fit", "w1", "--start", "zeros"), "start 0"),
        (("trace", "w2", "--bias"), "converged after 5 updates"),
        (("study", "w2", "--bias", "--runs", "5"), "max 5"),
        (("trace", "w2", "--bias", "--show-python"), "trace(X, y)"),
        (("plot", "boundary", "w2", "--bias", "--show-python"), "settings={}"),
        (("lab", "w2", "--bias", "--show-python"), "lab(X, y)"),
    ],
)
def test_what_is_typed_comes_before_the_lectures_own_settings(command, shown):
    table = () if "--show-python" in command else ("--table",)
    done = run(*command, *table)
    assert done.returncode == 0, done.stderr
    assert shown in done.stdout
    if command[0] == "fit":
        assert " ".join(command[2:]) in done.stderr, "the next command is of the same run"


def test_a_kernel_leaves_the_lectures_start_out():
    done = run("fit", "w1", "--kernel", "rbf", "--table")
    assert done.returncode == 0, done.stderr
