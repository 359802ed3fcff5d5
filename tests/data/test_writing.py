"""Writing examples to another format: what is read back is what was read."""

import numpy as np
import pytest

from rosenblatt import learn
from rosenblatt.data import open as open_file
from rosenblatt.data.writing import write
from rosenblatt.errors import DataError


@pytest.fixture
def path(tmp_path):
    chance = np.random.default_rng(0)
    lines = [f"{a:.2f},{b},{w},{kind}" for a, b, w, kind in zip(
        chance.normal(size=200), chance.choice(["red", "blue"], 200), chance.integers(1, 5, 200),
        chance.choice(["ant", "bee"], 200), strict=True)]  # fmt: skip
    (tmp_path / "t.csv").write_text("\n".join(["size,hue,times,kind", *lines]) + "\n")
    return tmp_path / "t.csv"


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet", ".arrow"])
def test_weights_get_a_column_of_their_own(path, suffix):
    with open_file(path, target="kind", weight="times", block_rows=30) as source:
        expected = learn(source, max_passes=3)
        write(source, path.with_name(f"out{suffix}"))
    with open_file(path.with_name(f"out{suffix}"), target="kind", weight="times") as again:
        found = learn(again, max_passes=3)
    assert found.w.tolist() == expected.w.tolist()
    assert found.n_updates == expected.n_updates


@pytest.mark.parametrize("suffix", [".svm", ".npz"])
def test_weights_are_not_dropped_without_a_word(path, suffix):
    out = path.with_name(f"out{suffix}")
    with (
        open_file(path, target="kind", weight="times") as source,
        pytest.raises(DataError, match=r"no place for the weights \(times\); write .csv or .parquet"),
    ):
        write(source, out)
    assert not out.exists()


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_hashed_words_are_no_table(path, suffix):
    with (
        open_file(path, target="kind", text="hue") as source,
        pytest.raises(DataError, match=r"features, most of them zero, are no table; write .svm or .npz"),
    ):
        write(source, path.with_name(f"out{suffix}"))
