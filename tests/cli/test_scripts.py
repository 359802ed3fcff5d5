"""The scripts of --show-python do what their commands do."""

import csv
import io
import subprocess
import sys

import numpy as np
import pytest

import rosenblatt
from rosenblatt.models import LinearModel, encoder_of, read_model
from tests.cli.program import run


def script_of(*arguments, cwd):
    """Return what the script of a command prints."""
    shown = run(*arguments, "--show-python", cwd=cwd)
    assert shown.returncode == 0, shown.stderr
    done = subprocess.run([sys.executable, "-c", shown.stdout], cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def models(files):
    """Add models of every kind to the files: of three classes, with a kernel, and saved without an encoder."""
    for name, options in {"three": (), "kernel": ("--kernel", "poly:1:2")}.items():
        done = run("fit", "three.csv", "--max-passes", 3, *options, "-o", f"{name}.safetensors", cwd=files)
        assert done.returncode == 0, done.stderr
    bare = LinearModel(np.array([2.0, 4.0]), -1.0, np.array(["no", "yes"]), ("x1", "x2"))
    rosenblatt.save(bare, files / "bare.json")
    return files


@pytest.mark.parametrize(
    ("model", "data", "options"),
    [
        ("fruit.json", "fruit.csv", ()),
        ("three.safetensors", "three.csv", ()),
        ("three.safetensors", "three.csv", ("--class", "cat")),
        ("kernel.safetensors", "three.csv", ()),
        ("bare.json", "points.csv", ()),
    ],
)
def test_the_script_of_explain_adds_up_the_same_terms(models, model, data, options):
    command = ("explain", model, data, "--row", 3, *options)
    products = [float(line["product"]) for line in csv.DictReader(io.StringIO(run(*command, cwd=models).stdout))]
    *terms, score = script_of(*command, cwd=models).splitlines()
    assert [float(line.split()[-1]) for line in terms] == [value for value in products if value]
    assert float(score.split()[1]) == pytest.approx(sum(products))


def test_a_vote_has_no_terms_in_a_script_either(models):
    run("fit", "points.csv", "--variant", "voted", "-o", "voted.safetensors", cwd=models)
    done = run("explain", "voted.safetensors", "points.csv", "--show-python", cwd=models)
    assert done.returncode == 2
    assert "a vote has no terms" in done.stderr


def test_scripts_take_models_that_were_saved_without_an_encoder(models):
    data = ("bare.json", "points.csv")
    assert script_of("predict", *data, cwd=models).split() == ["no", "no", "yes", "yes"]
    assert "accuracy: 1.0" in script_of("evaluate", *data, "--target", "kind", cwd=models)
    for language in ("sql", "python"):
        export = ("export", "bare.json", "--to", language)
        assert script_of(*export, cwd=models).strip() == run(*export, cwd=models).stdout.strip()


FITS = {
    "as it is": (),
    "by weight": ("--weight", "b"),
    "by weight with a test": ("--weight", "b", "--test", "0.3"),
    "of a kernel by weight": ("--weight", "b", "--kernel", "poly:1:2"),
    "in blocks": ("--memory", "1KB", "--scale", "standard"),
    "of one against the rest": ("--positive", "bee", "--max-passes", "4"),
}


@pytest.mark.parametrize("name", FITS)
def test_the_script_of_fit_learns_the_same_model(files, tmp_path, name):
    fit = ("fit", files / "three.csv", *FITS[name], "--out")
    assert run(*fit, "program.safetensors", cwd=tmp_path).returncode == 0
    script_of(*fit, "script.safetensors", cwd=tmp_path)
    made, expected = (read_model(tmp_path / f"{who}.safetensors") for who in ("script", "program"))
    rows = np.random.default_rng(0).normal(size=(20, encoder_of(expected).d))
    assert made.encoder == expected.encoder
    assert made.model.score(rows).tolist() == expected.model.score(rows).tolist()
    judged = [run("evaluate", f"{who}.safetensors", fit[1], cwd=tmp_path) for who in ("script", "program")]
    assert judged[0].stdout == judged[1].stdout


def test_the_script_of_a_resumed_fit_goes_on_from_the_checkpoint(files, tmp_path):
    fit = ("fit", files / "fruit.csv", "--scale", "standard", "--checkpoint", "run.checkpoint")
    run(*fit, "--max-passes", 1, cwd=tmp_path)
    before = (tmp_path / "run.checkpoint").read_bytes()
    shown = script_of(*fit, "--resume", cwd=tmp_path)
    assert "converged: True updates: 16" in shown
    assert (tmp_path / "run.checkpoint").read_bytes() != before


@pytest.mark.parametrize("data", ["cross.csv", "w1"])
def test_the_script_of_all_variants_trains_what_the_table_shows(files, data):
    fit = ("fit", data, "--variant", "all", "--max-passes", "5")
    table = list(csv.DictReader(io.StringIO(run(*fit, cwd=files).stdout)))
    printed = script_of(*fit, cwd=files).splitlines()
    assert printed[::3] == [row["variant"] for row in table]
    assert printed[-3] == "kernel"
    assert [line.split()[-1] for line in printed[1::3]] == [row["updates"] for row in table]
    assert [float(line.split()[-1]) for line in printed[2::3]] == [float(row["train_accuracy"]) for row in table]
