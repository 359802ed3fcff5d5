"""Encoders: columns to features, the same way every time, through JSON and back."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt import learn
from rosenblatt.data import Column, Encoder
from rosenblatt.data import open as open_file
from rosenblatt.data.words import hash_words
from rosenblatt.errors import DataError
from rosenblatt.models.folding import fold

TEXT = "size,colour,note,kind\n2,red,win cash now,a\n4,blue,see you now,b\n6,red,cash,a\n0,green,,b\n"


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(TEXT)

    def make(**options):
        return open_file(path, text="note", text_width=32, text_ngrams=1, **options)

    return make


def test_rows_come_out_as_the_definition_says(source):
    encoder = source().encoder
    assert encoder.sparse
    assert encoder.d == 1 + 3 + 32
    assert [encoder.name(j) for j in (0, 1, 3, 4, 35)] == ["size", "colour=blue", "colour=red", "note#0", "note#31"]
    rows = source().read()[0]
    first = np.zeros(36)
    first[0], first[3] = 2, 1
    for bucket, count in hash_words("win cash now", width=32, ngrams=1).items():
        first[4 + bucket] = count
    assert rows.row(0).tolist() == first.tolist()
    assert rows.row(3).tolist() == [0, 0, 1, 0] + [0] * 32


def test_json_round_trip_encodes_alike(source):
    for options in ({}, {"missing": "mean", "scale": "standard"}, {"scale": "unit"}, {"scale": "maxabs"}):
        opened = source(**options)
        again = Encoder.from_dict(json.loads(json.dumps(opened.encoder.to_dict())))
        for batch in opened.batches():
            assert np.array_equal(again.encode(batch).rows.dense(), opened.encoder.encode(batch).rows.dense())
        assert again.names == opened.encoder.names


def test_unknown_levels_are_zeros_and_counted(source):
    encoded = source().encoder.encode({"size": [1.0, 2.0], "colour": ["red", "pink"], "note": ["", ""]})
    assert encoded.unknown == {"colour": 1}
    assert encoded.rows.row(1).tolist() == [2.0] + [0.0] * 35


def test_new_data_is_read_with_the_old_encoder(source, tmp_path):
    encoder = source().encoder
    new = tmp_path / "new.csv"
    new.write_text("extra,note,colour,size\n9,cash,red,5\n8,now,pink,6\n")
    with open_file(new, encoder=encoder) as fresh:
        (batch,) = fresh.batches()
        assert batch.records() == ["9,cash,red,5", "8,now,pink,6"]
        assert encoder.encode(batch).rows.row(0)[:4].tolist() == [5, 0, 0, 1]
        with pytest.raises(DataError, match="no labels"):
            fresh.whole()
    new.write_text("note,color,size\ncash,red,5\n")
    with pytest.raises(DataError, match=r"no column 'colour'\. Did you mean 'color'"):
        open_file(new, encoder=encoder)


def test_new_labelled_data_keeps_the_old_classes(source, tmp_path):
    encoder = source().encoder
    new = tmp_path / "new.csv"
    new.write_text("size,colour,note,kind\n5,red,cash,b\n5,red,cash,b\n")
    with open_file(new, encoder=encoder, classes=["a", "b"]) as fresh:
        assert fresh.classes.tolist() == ["a", "b"]
        assert fresh.whole().codes.tolist() == [1, 1]
        assert fresh.class_counts.tolist() == [0, 2]


def test_new_sparse_features_are_left_out_and_counted(tmp_path):
    (tmp_path / "a.svm").write_text("1 1:1 3:2\n-1 2:5\n")
    (tmp_path / "b.svm").write_text("1 1:7 9:1\n-1 2:1 4:1 5:1\n")
    with open_file(tmp_path / "a.svm") as old, open_file(tmp_path / "b.svm", encoder=old.encoder) as new:
        (batch,) = new.batches()
        encoded = old.encoder.encode(batch)
        assert encoded.rows.dense().tolist() == [[7, 0, 0], [0, 1, 0]]
        assert sum(encoded.unknown.values()) == 3


def test_missing_cells_at_prediction_follow_the_policy(source):
    encoder = source(missing="mean").encoder
    encoded = encoder.encode({"size": [np.nan], "colour": [None], "note": ["now"]})
    assert encoded.rows.row(0)[:4].tolist() == [3.0, 0.25, 0.25, 0.5]
    with pytest.raises(DataError, match="column size: the value is missing"):
        source().encoder.encode({"size": [np.nan], "colour": ["red"], "note": ["now"]})


def test_words_where_numbers_were_are_refused(source):
    with pytest.raises(DataError, match="'big' is not a number, but the column held numbers"):
        source().encoder.encode({"size": ["big"], "colour": ["red"], "note": ["now"]})
    with pytest.raises(DataError, match="no column 'note'"):
        source().encoder.encode({"size": [1.0], "colour": ["red"]})


@pytest.mark.parametrize("scale", ["standard", "maxabs", "unit"])
def test_scaling_does_what_it_says_and_folds_back(source, scale):
    opened = source(scale=scale)
    rows = opened.read()[0]
    dense = rows.dense()
    if scale == "standard":
        assert dense[:, 0].mean() == pytest.approx(0, abs=1e-12)  # rounding of four sums
        assert dense[:, 0].std() == pytest.approx(1)
        assert set(dense[:, 1:4].ravel()) == {0.0, 1.0}
    elif scale == "maxabs":
        assert np.abs(dense[:, 0]).max() == 1
    else:
        assert rows.squared_norms().max() == pytest.approx(1)
    outcome = learn(opened, max_passes=5)
    model, plain = fold(outcome.model, opened.encoder)
    (batch,) = opened.batches()
    assert model.score(plain.encode(batch).rows) == pytest.approx(
        outcome.model.score(rows), abs=1e-9
    )  # two orders of rounding


def test_sparse_files_are_scaled_without_filling_their_zeros(tmp_path):
    (tmp_path / "a.svm").write_text("1 1:4 3:2\n-1 1:-8\n1 3:4\n")
    with open_file(tmp_path / "a.svm", scale="maxabs") as source:
        assert source.read()[0].dense().tolist() == [[0.5, 0, 0.5], [-1, 0, 0], [0, 0, 1]]
    with open_file(tmp_path / "a.svm", scale="standard") as source:
        X = np.array([[4.0, 0, 2], [-8, 0, 0], [0, 0, 4]])
        assert source.read()[0].dense()[:, [0, 2]] == pytest.approx(X[:, [0, 2]] / X[:, [0, 2]].std(axis=0))


@pytest.mark.property
@given(st.lists(st.tuples(st.integers(-50, 50), st.sampled_from("uvw")), min_size=3, max_size=30), st.integers(1, 9))
def test_statistics_do_not_depend_on_the_blocks(tmp_path_factory, cells, block_rows):
    path = tmp_path_factory.mktemp("t") / "t.csv"
    path.write_text("a,c,y\n" + "".join(f"{a},{c},{i % 2}\n" for i, (a, c) in enumerate(cells)))
    with open_file(path, scale="standard") as whole, open_file(path, scale="standard", block_rows=block_rows) as cut:
        assert whole.names == cut.names
        assert cut.encoder.shift == pytest.approx(whole.encoder.shift, abs=1e-12)
        assert cut.encoder.factor == pytest.approx(whole.encoder.factor)


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.pop("columns"),
        lambda d: d.update(missing="guess"),
        lambda d: d.update(hash="md5"),
        lambda d: d.update(fill=[1.0]),
        lambda d: d.update(factor=[float("nan")] * 36),
        lambda d: d.update(dtype="object"),
        lambda d: d["columns"][1].update(width=99),
        lambda d: d["columns"][0].update(kind="magic"),
        lambda d: d.update(columns=[1, 2]),
    ],
)
def test_damaged_encoders_are_refused(source, change):
    data = json.loads(json.dumps(source().encoder.to_dict()))
    change(data)
    with pytest.raises(DataError, match="not a saved encoder"):
        Encoder.from_dict(data)


def test_too_many_levels_are_refused_with_advice(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("id,y\n" + "".join(f"user{i},{i % 2}\n" for i in range(10_001)))
    with pytest.raises(DataError, match="column id has more than 10000 levels"):
        open_file(path)


def test_columns_state_their_width():
    assert Encoder(columns=(Column("a", "number"), Column("t", "text", (), 8, 2))).d == 9


@pytest.mark.parametrize(("name", "text"), [("n.csv", "a,c\n1,x\n2,z\n"), ("n.svm", "0 1:2\n0 3:4 9:1\n")])
def test_rows_without_labels_are_encoded_as_in_training(tmp_path, name, text):
    old, new = tmp_path / f"old{name[1:]}", tmp_path / name
    old.write_text("a,c,y\n1,x,p\n2,z,q\n" if name == "n.csv" else "0 1:2\n1 3:4\n")
    new.write_text(text)
    with open_file(old) as known, open_file(new, encoder=known.encoder) as source:
        assert source.rows().dense().tolist() == known.read()[0].dense().tolist()


@pytest.mark.parametrize("settings", [{"target": "no"}, {"features": ["no"]}, {"exclude": "no"}, {"missing": "drop"},
                                      {"scale": "unit"}, {"text": "no"}, {"text_width": 9}])  # fmt: skip
def test_what_the_encoder_decides_is_not_said_again(tmp_path, settings):
    (tmp_path / "t.csv").write_text("a,b,y\n1,2,u\n3,4,v\n")
    with open_file(tmp_path / "t.csv", target="y") as source:
        encoder = source.encoder
    (name,) = settings
    with pytest.raises(DataError, match=rf"{name}=.* stands beside encoder=, which decides that; leave it out"):
        open_file(tmp_path / "t.csv", encoder=encoder, **settings)


def test_one_name_may_stand_alone(tmp_path):
    (tmp_path / "t.csv").write_text("year,size,y\n1999,2,u\n2003,4,v\n1999,3,u\n")
    with open_file(tmp_path / "t.csv", categories="year", exclude="size") as source:
        assert source.names == ("year=1999", "year=2003")
    with open_file(tmp_path / "t.csv", features="size") as source:
        assert source.names == ("size",)
