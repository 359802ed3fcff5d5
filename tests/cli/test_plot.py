"""`rosenblatt plot`: files that are what their names say."""

import subprocess
import sys

import pytest

from rosenblatt.cli.plot import KINDS
from rosenblatt.plot import KINDS as DRAWN
from tests.cli.program import run


def test_the_command_knows_every_kind():
    assert tuple(DRAWN) == KINDS


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["boundary", "strip", "certificate", "convergence"])
def test_a_picture_is_written(kind, tmp_path):
    done = run("plot", kind, "w2", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stderr == f"wrote {kind}.png\n"
    assert (tmp_path / f"{kind}.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_a_film_is_written(tmp_path):
    done = run("plot", "updates", "w2", "--out", "w2.gif", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "w2.gif").read_bytes().startswith(b"GIF89a")


@pytest.mark.slow
def test_a_saved_model_is_drawn_on_its_data(files, tmp_path):
    out = tmp_path / "model.svg"
    done = run("plot", "boundary", "fruit.csv", "--model", "fruit.json", "--pair", "0,1", "--out", out, cwd=files)
    assert done.returncode == 0, done.stderr
    assert "<svg" in out.read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_script_it_prints_does_the_same(files, tmp_path):
    arguments = ("plot", "margins", files / "points.csv", "-t", "kind", "--no-bias", "--k", "2", "--out", "m.png")
    printed = run(*arguments, "--show-python", cwd=tmp_path)
    assert printed.returncode == 0, printed.stderr
    subprocess.run([sys.executable, "-c", printed.stdout], cwd=tmp_path, check=True)
    by_script = (tmp_path / "m.png").read_bytes()
    assert run(*arguments, cwd=tmp_path).returncode == 0
    assert (tmp_path / "m.png").read_bytes() == by_script


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("boundary", "w2", "--out", "b.gif"), "a film is made of updates"),
        (("strip", "w2", "--runs", "5"), "--runs is for convergence and starts"),
        (("strip", "w2", "--project", "w"), "has no meaning for the picture 'strip'"),
        (("boundary", "w2", "--out", "b.bmp"), "a picture is one of .png, .svg, .pdf"),
        (("pie", "w2"), "'pie' is not one of"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments, message, tmp_path):
    done = run("plot", *arguments, cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    assert message in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["boundary", "margins", "dual"])
def test_kernels_are_drawn_from_the_command_line(kind, tmp_path):
    done = run("plot", kind, "xor", "--kernel", "poly:1:2", "--out", tmp_path / "k.png")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "k.png").read_bytes().startswith(b"\x89PNG")


def test_pictures_of_vectors_are_refused_for_kernels(tmp_path):
    for arguments in (("angle", "xor", "--variant", "kernel"), ("updates", "xor", "--kernel", "rbf", "--out", "a.gif")):
        done = run("plot", *arguments)
        assert done.returncode == 2
        assert "a kernel has none" in done.stderr


def test_the_script_of_a_kernel_picture_runs(tmp_path):
    done = run("plot", "boundary", "xor", "--variant", "kernel", "--out", tmp_path / "k.png", "--show-python")
    exec(compile(done.stdout, "script", "exec"), {})
    assert (tmp_path / "k.png").is_file()


@pytest.mark.parametrize(("kind", "k", "first"), [("boundary", 99, 0), ("margins", 99, 0), ("update", 0, 1)])
def test_an_update_that_was_not_made_is_the_users_mistake(kind, k, first, tmp_path):
    done = run("plot", kind, "w2", "--k", str(k), cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == f"error: k={k}: no such update was kept; k is from {first} to 4\n"
    assert list(tmp_path.iterdir()) == []
