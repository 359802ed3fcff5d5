"""What a file seems to say and probably does not mean: stray words among numbers, texts as labels, columns of a matrix."""

import re

import numpy as np
import pytest

from rosenblatt import learn
from rosenblatt.data import open as open_file
from rosenblatt.errors import DataError

SIX = "a,b,y\n1,2,p\n2,3,q\n3,4,p\n4,5,q\n5,6,p\n7,{},p\n"


def written(folder, text, name="t.csv"):
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


@pytest.mark.parametrize("option", [{"features": ["x1"]}, {"categories": ["a"]}, {"text": "b"}, {"weight": "w"}])
@pytest.mark.parametrize("kind", ["svm", "npy", "npz"])
def test_a_matrix_has_no_columns_to_choose(tmp_path, kind, option):
    path = tmp_path / f"t.{kind}"
    if kind == "svm":
        path.write_text("1 1:2\n-1 1:3\n")
    elif kind == "npy":
        np.save(path, np.array([[1.0, 1], [2, 0]]))
    else:
        np.savez(path, X=np.eye(2), y=np.array([0, 1]))
    with pytest.raises(DataError, match=r"is a matrix of numbers .* no column .* to choose"):
        open_file(path, **option)


def test_the_label_of_an_svmlight_file_has_no_other_name(tmp_path):
    path = written(tmp_path, "1 1:2\n-1 1:3\n", "t.svm")
    with pytest.raises(DataError, match="no column 'foo'"):
        open_file(path, target="foo")
    with open_file(path, target="label") as source:
        assert source.n == 2


@pytest.mark.parametrize("cell", ["x", "inf"])
def test_one_stray_word_in_a_short_column_of_numbers_is_named(tmp_path, cell):
    with pytest.raises(DataError, match=rf"line 7, column b: '{cell}' is not a number"):
        open_file(written(tmp_path, SIX.format(cell)))
    with open_file(written(tmp_path, SIX.format(cell)), categories=["b"]) as source:
        assert f"b={cell}" in source.names


def test_words_among_numbers_are_categories_with_a_note(tmp_path):
    with open_file(written(tmp_path, "a,b,y\n1,2,p\n2,L,q\n3,M,p\n4,S,q\n")) as source:
        assert any("column b was taken as categories because 'L' in line 3 is not a number" in n for n in source.notes)
    with open_file(written(tmp_path, "a,b,y\n1,2,p\n2,L,q\n3,M,p\n4,S,q\n"), categories=["b"]) as source:
        assert not any("column b" in n for n in source.notes)


def test_decimal_commas_are_refused(tmp_path):
    text = "a;y\n1,5;p\n2,5;q\n3;p\n"
    with pytest.raises(DataError, match=r"column a .* '1,5' in line 2 has a comma"):
        open_file(written(tmp_path, text))
    with open_file(written(tmp_path, text), categories=["a"]) as source:
        assert source.d == 3


MESSAGES = "".join(f"{'spam' if i % 3 else 'ham'}\tthis is message number {i}\n" for i in range(60))


def test_a_text_as_target_is_refused_with_the_remedy(tmp_path):
    with pytest.raises(DataError, match=r"x2, which was taken as the target, has 60 .* target='x1'.* text='x2'"):
        open_file(written(tmp_path, MESSAGES, "t.tsv"))


def test_a_text_as_category_is_refused_with_the_remedy(tmp_path):
    path = written(tmp_path, MESSAGES, "t.tsv")
    with pytest.raises(DataError, match=r"column x2 has 60 different values in 60 rows; it looks like text.*text='x2'"):
        open_file(path, target="x1")
    with open_file(path, target="x1", categories=["x2"]) as source:
        assert source.d == 60


def test_a_measured_target_looks_like_regression(tmp_path):
    few = "a,y\n" + "".join(f"{i},{i / 7:.4f}\n" for i in range(12))
    with open_file(written(tmp_path, few)) as source:
        assert any("looks like regression" in n for n in source.notes)
    many = "a,y\n" + "".join(f"{i},{i / 7:.4f}\n" for i in range(60))
    with pytest.raises(DataError, match="looks like regression"):
        open_file(written(tmp_path, many))


def test_a_question_mark_taken_as_a_level_is_noted(tmp_path):
    text = "a,b,y\n1,red,p\n2,?,q\n3,red,p\n4,blue,q\n"
    with open_file(written(tmp_path, text), missing="drop") as source:
        assert source.n == 4
        assert any("'?' in column b (1 times) was taken as a level" in note for note in source.notes)


@pytest.mark.parametrize("mark", ["NA", "nan", "null", "None", "?", " NA "])
@pytest.mark.parametrize(("no", "yes"), [("0", "1"), ("-1.5", "2.5"), ("false", "true")])
@pytest.mark.parametrize("quote", ["", '"'])
def test_a_mark_for_missing_among_labels_that_are_no_names_is_missing(tmp_path, mark, no, yes, quote):
    """As in Parquet; whoever reads the text (the core, plain Python)."""
    path = written(tmp_path, f"a,b,y\n1,{quote}r{quote},{no}\n2,s,{mark}\n3,r,{yes}\n4,s,{no}\n")
    with pytest.raises(DataError, match=rf"line 3, column y: the label is missing \('{re.escape(mark.strip())}'\)"):
        open_file(path)
    with open_file(path, missing="drop") as source:
        assert (source.n, len(source.classes)) == (3, 2)
        assert source.whole().rows.n == 3
        assert any("1 row was left out" in note for note in source.notes)


def test_na_among_words_is_a_class_and_noted(tmp_path):
    """It may be Namibia."""
    with open_file(written(tmp_path, "a,land\n1,DE\n2,NA\n3,NA\n"), missing="drop") as source:
        assert source.classes.tolist() == ["DE", "NA"]
        assert any("'NA' in the target land (2 times) was taken as a class" in note for note in source.notes)


def test_a_name_of_a_file_is_no_matrix():
    with pytest.raises(DataError, match=r"rosenblatt\.data\.open"):
        learn("fruit.csv", [0, 1])


def test_a_label_with_a_zero_byte_is_refused(tmp_path):
    (tmp_path / "z.csv").write_bytes(b"a,y\n1,p\n5,q\0\n2,p\n")
    with pytest.raises(DataError, match=r"the label 'q\\x00' holds a zero byte"):
        open_file(tmp_path / "z.csv", target="y")


def test_labels_that_differ_in_case_alone_are_noted(tmp_path):
    (tmp_path / "c.csv").write_text("a,y\n1,True\n5,False\n2,TRUE\n")
    with open_file(tmp_path / "c.csv", target="y") as source:
        assert any("'TRUE' and 'True' in the target y are two classes" in note for note in source.notes)
