"""The words behind hashed features: named where a row is explained and where a fit shows its weights."""

import json
import subprocess
import sys

import pytest

import rosenblatt
import rosenblatt.data
from rosenblatt.data.words import bucket
from rosenblatt.models import save
from tests.cli.program import run

SMS = "kind\tmessage\tsize\nham\tsee you at lunch\t1\nspam\twin CASH, now!\t1\nham\tlunch now?\t1\n"


@pytest.fixture
def sms(tmp_path):
    (tmp_path / "sms.tsv").write_text(SMS, encoding="utf-8")
    return tmp_path


def saved(folder, width):
    """Train on the messages with few buckets; save the model."""
    with rosenblatt.data.open(folder / "sms.tsv", target="kind", text="message", text_width=width) as source:
        model = rosenblatt.learn(source, max_passes=20).model
        save(model, folder / "m.safetensors", encoder=source.encoder.to_dict())


def test_explain_names_the_words_of_the_row(sms):
    done = run("fit", "sms.tsv", "-t", "kind", "--text", "message", "--order", "cyclic", "-o", "m.safetensors", cwd=sms)
    assert done.returncode == 0, done.stderr
    text = run("explain", "m.safetensors", "sms.tsv", "--row", "2", "--table", cwd=sms).stdout
    assert 'message "cash"' in text
    assert 'message "win cash"' in text
    assert "#" not in text
    assert "262,144 buckets" in text
    found = json.loads(run("explain", "m.safetensors", "sms.tsv", "--row", "2", "--json", cwd=sms).stdout)
    words = {word: term["feature"] for term in found["terms"] for word in term["words"]}
    assert words["cash now"] == f"message#{bucket('cash now', 2**18)}"


def test_explain_says_which_words_share_a_bucket(sms):
    """With 2 buckets, half of the n-grams fall into each."""
    saved(sms, 2)
    shared = [word for word in ("win", "cash", "now", "win cash", "cash now") if bucket(word, 2) == 1]
    text = run("explain", "m.safetensors", "sms.tsv", "--row", "2", "--table", cwd=sms).stdout
    joined = " or ".join(
        [f'"{word}"' for word in shared[:2]] + ([f"{len(shared) - 2} more"] if len(shared) > 2 else [])
    )
    assert f"message {joined}" in text


def test_fit_shows_the_words_behind_its_largest_weights(sms):
    text = run("fit", "sms.tsv", "-t", "kind", "--text", "message", "--table", cwd=sms).stdout
    assert 'message "lunch"' in text
    assert "message#" not in text


def test_explain_says_which_levels_are_new_in_this_row_alone(files, tmp_path):
    rows = "grams,roundness,skin\n150,0.9,red\n150,0.9,blue\n"
    (tmp_path / "new.csv").write_text(rows)
    first, second = (
        run("explain", files / "fruit.json", tmp_path / "new.csv", "--row", row, "--table").stdout for row in (1, 2)
    )
    assert "not seen in training" not in first
    assert "levels not seen in training: skin" in second


def test_export_of_text_is_python_that_agrees_with_predict(sms):
    run("fit", "sms.tsv", "-t", "kind", "--text", "message", "-o", "m.safetensors", cwd=sms)
    done = run("export", "m.safetensors", "-o", "m.py", cwd=sms)
    assert done.returncode == 0, done.stderr
    code = "import csv, m; print(*(m.predict(row) for row in csv.DictReader(open('sms.tsv'), delimiter='\\t')))"
    alone = subprocess.run([sys.executable, "-S", "-c", code], cwd=sms, capture_output=True, text=True, check=True)
    assert alone.stdout.split() == run("predict", "m.safetensors", "sms.tsv", "--only", cwd=sms).stdout.split()[1:]
    for language in ("c", "sql"):
        refused = run("export", "m.safetensors", "--to", language, cwd=sms)
        assert refused.returncode == 2
        assert "column 'message' holds text" in refused.stderr
        assert "ython" in refused.stderr


def test_a_column_named_as_text_is_not_guessed_to_be_the_labels(sms):
    (sms / "two.tsv").write_text("kind\tmessage\nham\tsee you\nspam\twin cash\nham\tlunch\n")
    done = run("fit", "two.tsv", "--text", "message", "--json", cwd=sms)
    assert done.returncode == 0, done.stderr
    assert [c["label"] for c in json.loads(done.stdout)["classes"]] == ["ham", "spam"]
