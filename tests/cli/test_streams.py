"""Streams that are closed, full or unbuffered, and a signal to end: nothing is lost without a word."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from tests.cli.program import COMMAND, run

PREDICT = f"{sys.executable} -m rosenblatt predict m.json d.csv"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("streams")
    (path / "d.csv").write_text("a,y\n" + "1,p\n5,q\n" * 4000)
    assert run("fit", "d.csv", "--out", "m.json", cwd=path).returncode == 0
    return path


def shell(line, folder, **env):
    return subprocess.run(
        ["bash", "-c", line], cwd=folder, capture_output=True, text=True, env={**os.environ, **env}, timeout=120
    )


def test_closed_standard_output_is_an_error(folder):
    done = shell(f"{PREDICT} >&-", folder)
    assert (done.returncode, done.stderr) == (2, "error: bad file descriptor\n")


def test_closed_standard_input_is_empty(folder):
    done = shell(f"{sys.executable} -m rosenblatt predict m.json <&-", folder)
    assert done.returncode == 2
    assert "standard input is empty" in done.stderr


def test_nothing_meant_for_closed_standard_error_ends_up_in_a_file(folder):
    done = shell(f"{PREDICT} 2>&- > o.csv", folder)
    assert done.returncode == 0
    assert (folder / "o.csv").read_text().splitlines()[:2] == ["a,y,prediction", "1,p,p"]
    assert len((folder / "o.csv").read_text().splitlines()) == 8001
    assert shell(f"{sys.executable} -m rosenblatt check w2 2>&-", folder).returncode == 0


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("rest", ["", " --only"])
def test_what_does_not_fit_is_an_error(folder, unbuffered, rest):
    """A limit on the size of files ends a write in the middle, as a full disk does."""
    limited = f"ulimit -f 8; trap '' XFSZ; {PREDICT}{rest} > o.csv"
    done = shell(limited, folder, PYTHONUNBUFFERED=unbuffered)
    assert done.returncode == 2, done.stderr
    assert "file too large" in done.stderr
    assert "Exception ignored" not in done.stderr


@pytest.mark.slow
def test_sigterm_keeps_what_was_learnt_and_says_so_by_its_code(tmp_path):
    (tmp_path / "cross.csv").write_text("a,b,label\n0,0,same\n0,1,other\n1,0,other\n1,1,same\n")
    # In the background of a script Ctrl-C is ignored; SIGTERM must not be.
    line = [*COMMAND, "fit", "cross.csv", "--max-passes", "1000000000", "--out", "m.json", "--json"]
    for background in (False, True):
        process = subprocess.Popen(
            line, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            preexec_fn=(lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)) if background else None,
        )  # fmt: skip
        time.sleep(2.5)
        process.send_signal(signal.SIGTERM)
        shown, said = process.communicate(timeout=60)
        assert process.returncode == 143, said
        assert json.loads(shown)["stopped_by"] == "interrupted"
        assert (tmp_path / "m.json").exists()
        (tmp_path / "m.json").unlink()


def test_a_name_that_is_no_utf8_does_not_cost_the_model(folder):
    name = b"b\xe9d.csv".decode("utf-8", "surrogateescape")
    (folder / "d.csv").replace(folder / name)
    try:
        done = subprocess.run([*COMMAND, "fit", name, "--out", "n.json", "--json"], cwd=folder, capture_output=True)
    finally:
        (folder / name).replace(folder / "d.csv")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.decode("utf-8"))["rows"] == 8000
    assert json.loads((folder / "n.json").read_text("utf-8"))["training"]["data"] == "b�d.csv"
