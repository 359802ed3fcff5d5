"""`rosenblatt fit`: what it says, in three forms, and what it saves."""

import csv
import io
import json

import numpy as np
import pytest

from rosenblatt import load
from rosenblatt.models import KernelModel, VotedModel
from tests.cli.program import run


def test_fit_tells_a_person_what_was_learnt(files):
    """The data of worked example W2 in file order, through the origin: 4 updates of at most 10, w = (2, 4)."""
    done = run("fit", "points.csv", "--no-bias", "--order", "cyclic", "--table", cwd=files)
    assert done.returncode == 0, done.stderr
    for words in (
        "Perceptron, standard · points.csv · 4 rows, 2 features",
        "no → −1 (2)    yes → +1 (2)",
        "file order · start 0 · rate 1 · through the origin",
        "ties are mistakes",
        "yes, after 3 passes (updates 3, 1, 0)",
        "4 of at most 10",
        "(R/γ)² with R = 2.828, γ = 0.8944, through the origin",
        "0.8944, 100 % of the best possible 0.8944",
        "100 % on the rows it learnt from",
    ):
        assert words in done.stdout
    assert "x1  2" in done.stdout
    assert "x2  4" in done.stdout
    assert "column kind was taken as the target" in done.stderr


def test_fit_in_a_pipe_is_csv(files):
    done = run("fit", "points.csv", cwd=files)
    lines = dict(csv.reader(io.StringIO(done.stdout)))
    assert lines["converged"] == "true"
    assert lines["rows"] == "4"
    assert float(lines["weights.x1"]) is not None


SCHEMA = {
    "schema": str,
    "data": str,
    "rows": int,
    "features": int,
    "classes": list,
    "variant": str,
    "settings": dict,
    "kernel": (dict, type(None)),
    "converged": bool,
    "stopped_by": str,
    "n_passes": int,
    "n_updates": int,
    "n_mistakes": int,
    "n_steps": int,
    "updates_in_last_pass": int,
    "bound": (dict, type(None)),
    "margin": (float, type(None)),
    "train_accuracy": float,
    "test_accuracy": (float, type(None)),
    "test_rows": int,
    "cv_accuracy": list,
    "seconds": float,
    "notes": list,
    "out": (str, type(None)),
    "weights": (dict, type(None)),
    "bias": (float, dict, type(None)),
}


@pytest.mark.parametrize(
    "options", [("points.csv",), ("three.csv", "--cv", "3"), ("cross.csv", "--kernel", "poly:1:2"), ("w2",)]
)
def test_fit_as_json_has_the_documented_schema(files, options):
    done = run("fit", *options, "--json", cwd=files)
    found = json.loads(done.stdout)
    assert found["schema"] == "rosenblatt.fit/1"
    assert set(found) == set(SCHEMA)
    for key, kind in SCHEMA.items():
        assert isinstance(found[key], kind), key


def test_scaling_is_folded_back_into_the_weights(files):
    model = load(files / "fruit.json")
    assert model.names == ("grams", "roundness", "skin=green", "skin=red", "skin=yellow")
    document = json.loads((files / "fruit.json").read_text())
    assert document["encoder"]["factor"] is None
    assert document["encoder"]["shift"] is None
    assert document["training"]["converged"] is True


@pytest.mark.parametrize("variant", ["standard", "margin", "averaged", "voted", "pocket", "kernel"])
def test_every_variant_trains_saves_and_predicts(files, tmp_path, variant):
    out = tmp_path / "m.safetensors"
    options = ("--variant", variant, "--scale", "standard", "--max-passes", 50, "--out", out, "--json")
    done = run("fit", "fruit.csv", "-t", "kind", *options, cwd=files)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["variant"] == variant
    model = load(out)
    assert isinstance(
        model, {"voted": VotedModel, "kernel": KernelModel}.get(variant, type(load(files / "fruit.json")))
    )
    checked = run("evaluate", out, files / "fruit.csv", "--json")
    assert json.loads(checked.stdout)["accuracy"] == pytest.approx(found["train_accuracy"])


def test_all_variants_make_one_table(files):
    done = run("fit", "fruit.csv", "-t", "kind", "--variant", "all", "--test", "0.3", cwd=files)
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [row["variant"] for row in rows] == ["standard", "margin", "averaged", "voted", "pocket", "kernel"]
    assert all(0 <= float(row["test_accuracy"]) <= 1 for row in rows)


def test_rows_set_aside_are_not_learnt_from(files):
    done = run("fit", "fruit.csv", "-t", "kind", "--test", "0.25", "--json", cwd=files)
    found = json.loads(done.stdout)
    assert found["test_rows"] == 16  # 8 of each class of 30: a quarter, rounded
    assert found["n_steps"] % 44 == 0


def test_strict_turns_not_converging_into_exit_code_1(files):
    done = run("fit", "cross.csv", "--strict", "--max-passes", "20", "--json", cwd=files)
    assert done.returncode == 1
    assert "not converged after 20 passes" in done.stderr
    assert "rosenblatt check cross.csv" in done.stderr
    assert run("fit", "cross.csv", "--max-passes", "20", cwd=files).returncode == 0


def test_a_checkpointed_run_goes_on_to_the_identical_model(files, tmp_path):
    common = ("fit", "fruit.csv", "-t", "kind", "--order", "shuffle", "--seed", "3")
    whole = run(*common, "--out", tmp_path / "whole.json", cwd=files)
    assert whole.returncode == 0
    state = tmp_path / "state"
    run(*common, "--checkpoint", state, "--max-passes", "2", cwd=files)
    rest = run(*common, "--checkpoint", state, "--resume", "--out", tmp_path / "rest.json", cwd=files)
    assert rest.returncode == 0, rest.stderr
    a, b = load(tmp_path / "whole.json"), load(tmp_path / "rest.json")
    np.testing.assert_array_equal(a.w, b.w)
    assert a.b == b.b


def test_a_file_larger_than_the_budget_is_read_in_blocks(files):
    done = run("fit", "fruit.csv", "-t", "kind", "--memory", "1kB", "--variant", "averaged", "--json", cwd=files)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["rows"] == 60
    refused = run("fit", "fruit.csv", "-t", "kind", "--memory", "1kB", "--test", "0.2", cwd=files)
    assert refused.returncode == 2
    assert "--memory" in refused.stderr


def test_the_weights_shown_are_those_of_most_effect(tmp_path):
    """Of 20 columns the last is a million times as large; its weight is the smallest, its effect the greatest."""
    rng = np.random.default_rng(0)
    small, y = rng.uniform(-1, 1, size=(60, 19)), rng.integers(0, 2, 60)
    large = np.where(y == 1, 1, -1) * rng.uniform(1e5, 1e6, 60) + rng.normal(size=60)
    lines = [
        ",".join(f"{v:.3f}" for v in [*row, big]) + f",{label}" for row, big, label in zip(small, large, y, strict=True)
    ]
    names = [*(f"s{j}" for j in range(19)), "large"]
    (tmp_path / "wide.csv").write_text("\n".join([",".join([*names, "y"]), *lines]))
    fit = ("fit", tmp_path / "wide.csv", "--table", "--start", ",".join(["-9"] * 19 + ["0.001"]))
    shown = run(*fit).stdout
    assert "  weights     large" in shown
    assert "4 of less effect" in shown
    assert "4 of smaller weight" in run(*fit, "--memory", "20kB").stdout


def test_an_average_that_errs_after_a_clean_pass_has_no_margin():
    done = run("fit", "-", "--variant", "averaged", "--table", text="a,k\n10,p\n7,p\n1,n\n2,n\n-4,n\n")
    assert done.returncode == 0, done.stderr
    assert "margin      none: the averaged vector does not separate the rows" in done.stdout


def test_blank_lines_are_no_rows():
    done = run("fit", "-", text="\n\n")
    assert done.returncode == 2
    assert "every line is blank" in done.stderr


def test_columns_may_be_listed_or_named_one_by_one(files):
    one = run("fit", "fruit.csv", "-t", "kind", "--exclude", "grams,skin", "--json", cwd=files)
    two = run("fit", "fruit.csv", "-t", "kind", "--exclude", "grams", "--exclude", "skin", "--json", cwd=files)
    assert json.loads(one.stdout)["weights"] == json.loads(two.stdout)["weights"]
    assert list(json.loads(two.stdout)["weights"]) == ["roundness"]


def test_standard_input_is_a_file(files):
    done = run("fit", "-", "--json", text=(files / "points.csv").read_text())
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["rows"] == 4


@pytest.mark.parametrize("form", ["svm", "csv", "tsv", "npz", "parquet", "arrow"])
def test_every_format_gives_the_same_run(files, tmp_path, form):
    """A data file converted to any format trains to the same number of updates."""
    target = tmp_path / f"fruit.{form}"
    done = run("convert", "fruit.csv", target, "-t", "kind", cwd=files)
    assert done.returncode == 0, done.stderr
    common = ("--json", "--max-passes", "30")
    expected = json.loads(run("fit", "fruit.csv", "-t", "kind", *common, cwd=files).stdout)
    found = json.loads(run("fit", target, *common).stdout)
    assert found["n_updates"] == expected["n_updates"]
    assert list(found["weights"].values()) == pytest.approx(list(expected["weights"].values()))


def test_a_comparison_names_the_next_command_with_the_best_variant(files):
    done = run("fit", "fruit.csv", "-t", "kind", "--variant", "all", "--cv", "3", "--max-passes", "20", cwd=files)
    lines = [line.split(",") for line in done.stdout.splitlines()]
    best = max(lines[1:], key=lambda line: float(line[lines[0].index("cv_accuracy")]))[0]
    assert f"next: rosenblatt fit fruit.csv --target kind --variant {best} --out MODEL" in done.stderr


def test_a_kernel_stops_at_its_last_update_too(files):
    done = run("fit", "cross.csv", "--variant", "kernel", "--max-updates", "2", "--json", cwd=files)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["n_updates"], found["stopped_by"]) == (2, "max_updates")


def test_a_column_whose_name_has_a_comma(tmp_path):
    (tmp_path / "t.csv").write_text('id,"msg, text",y\n1,good day,a\n2,bad day,b\n')
    done = run("fit", "t.csv", "--text", "msg", cwd=tmp_path)
    assert 'Columns: id, "msg, text", y.' in done.stderr
    done = run("fit", "t.csv", "--text", '"msg, text"', "--exclude", "id", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert any("msg, text" in name for name in json.loads(done.stdout)["weights"])
