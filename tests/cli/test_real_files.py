"""Public data from file to model with one command each: raw tables with mixed columns, and text."""

import json

import pytest

from tests.cli.program import run
from tests.shared_data import FOLDER

pytestmark = pytest.mark.slow


def public(name):
    path = FOLDER / name
    if not path.exists():
        pytest.skip(f"no data sets at {FOLDER}; set ROSENBLATT_DATA to a folder that has them")
    return path


def test_adult_raw_with_mixed_columns(tmp_path):
    """48 842 people, 8 of 14 columns categorical, no header: earns more than 50K? A linear model reaches 85 %."""
    train, test = public("adult/adult-train.csv.gz"), public("adult/adult-test.csv.gz")
    out = tmp_path / "adult.safetensors"
    options = ("--variant", "averaged", "--scale", "standard", "--max-passes", "20", "--test", "0.2", "--out", out)
    done = run("fit", train, *options, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["test_accuracy"] > 0.84
    found = run("predict", out, test, "--only")
    assert found.returncode == 0, found.stderr
    truth = [
        line.rsplit(",", 1)[1].strip().rstrip(".") for line in run("predict", out, test).stdout.splitlines() if line
    ]
    assert len(found.stdout.splitlines()) in (16_281, 16_282)
    assert set(truth) == {"<=50K", ">50K"}


def test_sms_spam_as_text(tmp_path):
    """5 574 messages as hashed words and pairs of words: spam or ham? 98 % on messages set aside."""
    path = public("sms_spam/SMSSpamCollection.tsv.gz")
    options = ("--target", "x1", "--text", "x2", "--variant", "averaged", "--max-passes", "20")
    done = run("fit", path, *options, "--test", "0.2", "--json", "--out", tmp_path / "sms.safetensors")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["rows"] == 5_574
    assert found["test_accuracy"] > 0.97


@pytest.mark.parametrize("name", ["mushrooms/mushrooms", "a9a/a9a"])
def test_svmlight_files(name):
    folder = public(name.split("/")[0])
    path = next(file for file in sorted(folder.iterdir()) if file.name.startswith(name.split("/")[1]))
    done = run("fit", path, "--max-passes", "50", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["train_accuracy"] > 0.7
