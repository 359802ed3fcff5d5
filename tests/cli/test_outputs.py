"""Where results are written: never over what they are made of, and under names that say what is in them."""

import shutil

import numpy as np
import pytest

from tests.cli.program import run

OVER = {
    "fit over its data": ("fit", "p.csv", "--out", "p.csv"),
    "a checkpoint over the data": ("fit", "p.csv", "--checkpoint", "p.csv"),
    "fit over its checkpoint": ("fit", "p.csv", "--checkpoint", "c", "--out", "./c"),
    "predict over the model": ("predict", "m.json", "p.csv", "-o", "m.json"),
    "predict over its data": ("predict", "m.json", "p.csv", "-o", "p.csv"),
    "predict over its data, linked": ("predict", "m.json", "p.csv", "-o", "link.csv"),
    "check": ("check", "p.csv", "-o", "p.csv"),
    "convert": ("convert", "p.csv", "./p.csv"),
    "convert a model": ("convert", "m.json", "m.json"),
    "export": ("export", "m.json", "--to", "c", "-o", "m.json"),
    "plot": ("plot", "boundary", "p.csv", "-o", "p.csv"),
    "plot a model": ("plot", "boundary", "p.csv", "--model", "m.json", "-o", "m.json"),
    "trace": ("trace", "p.csv", "-o", "p.csv"),
    "lab": ("lab", "p.csv", "--export", "p.csv"),
    "a script": ("predict", "m.json", "p.csv", "-o", "p.csv", "--show-python"),
}


@pytest.fixture(scope="module")
def folder(files, tmp_path_factory):
    path = tmp_path_factory.mktemp("outputs")
    shutil.copy(files / "points.csv", path / "p.csv")
    (path / "link.csv").symlink_to("p.csv")
    assert run("fit", "p.csv", "--out", "m.json", cwd=path).returncode == 0
    return path


@pytest.mark.parametrize("name", OVER)
def test_no_command_writes_over_what_it_reads(folder, name):
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    done = run(*OVER[name], cwd=folder)
    assert done.returncode == 2, done.stderr
    assert "would be overwritten" in done.stderr or "are both" in done.stderr
    assert done.stdout == ""
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize("options", [(), ("--resume",)])
@pytest.mark.parametrize("content", ["notes", "numbers"])
def test_a_file_that_is_no_checkpoint_is_not_replaced_by_one(folder, tmp_path, content, options):
    path = tmp_path / "other.npz"
    if content == "notes":
        path.write_text("my notes")
    else:
        np.savez(path, a=np.arange(3))
    before = path.read_bytes()
    done = run("fit", folder / "p.csv", "--checkpoint", path, *options)
    assert done.returncode == 2
    assert "this file is no checkpoint" in done.stderr
    assert "pickle" not in done.stderr
    assert path.read_bytes() == before


def test_a_checkpoint_of_another_variant_is_refused_by_its_name(folder, tmp_path):
    fit = ("fit", folder / "p.csv", "--checkpoint", tmp_path / "c")
    run(*fit, "--variant", "averaged")
    done = run(*fit, "--resume")
    assert done.returncode == 2
    assert "was saved with --variant averaged; this run has --variant standard" in done.stderr


def test_a_run_with_another_order_is_refused_by_its_name(folder, tmp_path):
    fit = ("fit", folder / "p.csv", "--checkpoint", tmp_path / "c")
    run(*fit, "--order", "cyclic")
    assert "was saved with --order cyclic; this run has --order shuffle" in run(*fit, "--resume").stderr


def test_a_run_that_could_go_on_is_not_replaced(folder, tmp_path):
    fit = ("fit", folder / "p.csv", "--checkpoint", tmp_path / "c")
    assert run(*fit, "--max-passes", 1).returncode == 0
    before = (tmp_path / "c").read_bytes()
    again = run(*fit)
    assert again.returncode == 2
    assert "Go on from it with --resume" in again.stderr
    assert (tmp_path / "c").read_bytes() == before


@pytest.mark.parametrize(("variant", "kind"), [("voted", "voted"), ("kernel", "kernel")])
def test_what_json_does_not_hold_is_refused_before_training(folder, variant, kind):
    done = run("fit", "p.csv", "--variant", variant, "--out", "new.json", "--max-passes", 10**9, cwd=folder)
    assert done.returncode == 2
    assert f"a {kind} model does not fit plain JSON" in done.stderr
    assert not (folder / "new.json").exists()


def test_resuming_without_a_checkpoint_says_that_it_begins(folder, tmp_path):
    fit = ("fit", folder / "p.csv", "--checkpoint", tmp_path / "c", "--resume")
    assert "the run starts at the beginning" in run(*fit).stderr
    assert "the run starts at the beginning" not in run(*fit).stderr


@pytest.mark.parametrize(
    ("out", "options", "hint"),
    [
        ("out.parquet", (), "rosenblatt convert"),
        ("out.NPZ", (), "rosenblatt convert"),
        ("out.csv.gz", (), "| gzip"),
        ("out.json", (), "--json"),
        ("out.csv", ("--json",), "--json"),
        ("out.jsonl.zst", ("--json",), "pipe"),
    ],
)
def test_predictions_are_refused_a_name_that_says_another_format(folder, out, options, hint):
    done = run("predict", "m.json", "p.csv", "-o", out, *options, cwd=folder)
    assert done.returncode == 2
    assert f"--out {out}: {'JSON Lines' if options else 'CSV'} is written here" in done.stderr
    assert hint in done.stderr
    assert not (folder / out).exists()


@pytest.mark.parametrize(
    ("out", "options"), [("out.csv", ()), ("out.txt", ()), ("labelled", ()), ("o.json", ("--json",))]
)
def test_predictions_go_to_any_other_name(folder, tmp_path, out, options):
    done = run("predict", "m.json", "p.csv", "-o", tmp_path / out, *options, cwd=folder)
    assert done.returncode == 0, done.stderr
