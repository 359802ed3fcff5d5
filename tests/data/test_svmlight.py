"""svmlight text: what is written is what is read, exactly; what is wrong is named with line and column."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rosenblatt._core as _core
from rosenblatt.data import open as open_file
from rosenblatt.errors import DataError
from tests import shared_data
from tests.data.fuzz import fuzz

finite = st.floats(allow_nan=False, allow_infinity=False)
row = st.tuples(finite, st.dictionaries(st.integers(0, 2**40), finite, max_size=6))
layout = st.sampled_from(["{}", "{} ", "{}\r", "{} # note 1:2", "  {}", "{}\t"])


def parse(text: bytes | str, **options):
    data = text.encode() if isinstance(text, str) else text
    return _core.parse_svmlight(np.frombuffer(data, dtype=np.uint8), **{"first_index": 0, **options})


def written(rows, layouts) -> str:
    lines = []
    for (label, entries), how in zip(rows, layouts, strict=False):
        pairs = " ".join(f"{index}:{value!r}" for index, value in sorted(entries.items()))
        lines.append(how.format(f"{label!r} {pairs}"))
    return "\n".join(lines)


@pytest.mark.property
@given(st.lists(row, max_size=8), st.lists(layout, min_size=8, max_size=8), st.integers(1, 3))
def test_what_is_written_is_read_back_bit_for_bit(rows, layouts, threads):
    parsed = parse(written(rows, layouts), threads=threads)
    assert parsed["fault"] == ""
    assert parsed["labels"].tolist() == [label for label, _ in rows]
    starts = parsed["starts"]
    for i, (_, entries) in enumerate(rows):
        part = slice(int(starts[i]), int(starts[i + 1]))
        assert dict(zip(parsed["columns"][part].tolist(), parsed["values"][part].tolist(), strict=True)) == entries


@pytest.mark.property
@given(st.floats(width=32, allow_nan=False, allow_infinity=False), st.integers(1, 20))
def test_float32_values_are_rounded_once(x, digits):
    for text in (repr(x), f"{x:.{digits}e}"):
        with np.errstate(over="ignore"):
            expected = np.float32(text)
        parsed = parse(f"1 1:{text}", float32=True)
        assert parsed["fault"] == ("" if np.isfinite(expected) else "too_large")
        if np.isfinite(expected):
            assert parsed["values"][0] == expected


@pytest.mark.parametrize(
    "text",
    ["0.1", "1e22", "1e23", "123456789012345678901234567890", "1e-22", "9007199254740993", "5e-324", "2.5e-324",
     "1" + "0" * 400 + "e-400", "0." + "0" * 400 + "1e401", "1.7976931348623157e308", "+3", "-0", ".5", "5."],
)  # fmt: skip
def test_decimals_are_correctly_rounded(text):
    assert parse(f"1 1:{text}")["values"].tolist() == [float(text)]


@pytest.mark.parametrize(
    ("text", "above"), [("5467495648190379e-18", False), ("5.476881265640259", True), ("6.219317903742194e-3", False)]
)
def test_a_decimal_whose_double_is_the_middle_of_two_floats_goes_to_its_own_side(text, above):
    """Rounded to a double first, each would lie exactly between two floats and go to the even one, the farther."""
    value = parse(f"1 1:{text}", float32=True)["values"][0]
    other = np.nextafter(value, np.float32(-np.inf if above else np.inf))
    true = Fraction(text)
    assert abs(Fraction(float(value)) - true) < abs(Fraction(float(other)) - true)
    assert (Fraction(float(value)) > true) == above
    assert np.float32(float(text)) == other


@pytest.mark.parametrize(
    ("text", "fault", "at"),
    [
        ("spam 1:2", "label", 0),
        ("1 1:2\n1,2 1:2", "label", 6),
        ("1 x:2", "index", 2),
        ("1 5", "colon", 2),
        ("1 5:", "value", 4),
        ("1 5:abc", "value", 4),
        ("1 5:1_0", "value", 4),
        ("1 5:nan", "value", 4),
        ("1 5:1e", "value", 4),
        ("1 5:1e400", "too_large", 4),
        ("1 5:1" + "0" * 400 + "e-50", "too_large", 4),
        ("1 5:1 5:2", "order", 6),
        ("1 5:1 4:2", "order", 6),
        ("1 " + "9" * 19 + ":1", "index", 2),
        ("1 qid:x 1:1", "index", 2),
        ("\0", "label", 0),
    ],
)
def test_faults_are_found_with_their_place(text, fault, at):
    parsed = parse(text)
    assert (parsed["fault"], parsed["at"]) == (fault, at)


def test_index_zero_is_refused_where_counting_starts_at_one():
    assert parse("1 0:1", first_index=1)["fault"] == "below_first"


def test_huge_indices_become_wide():
    parsed = parse("1 1:1 3000000000:2")
    assert parsed["columns"].dtype == np.int64
    assert parsed["columns"].tolist() == [1, 3_000_000_000]


def test_threads_do_not_change_the_rows():
    lines = [f"{i % 3} {i % 7 + 1}:{i / 8} {i % 7 + 9}:1" + (" # x:y" if i % 5 == 0 else "") for i in range(60_000)]
    text = "\n".join(["# head", *lines, ""]).encode()
    one, four = parse(text, threads=1), parse(text, threads=4)
    for key in ("labels", "values", "columns", "starts"):
        assert np.array_equal(one[key], four[key])
    assert len(one["labels"]) == 60_000


words = [
    "1",
    "-0.5",
    "12:3",
    "7:0.25",
    "90:-1e-05",
    "91:+2",
    "92:.5",
    "93:5.",
    "1000000:1",
    "123456789:2",
    "qid:3",
    "5:",
    ":4",
]
words += [
    "4:1e5",
    "6:123456789012345678",
    "8:1.5x",
    "9:0x1",
    "0:1",
    "2:-",
    "3:1:2",
    "11:12,5",
    "x",
    "#",
    "",
    "\t",
    "\r",
    "\0",
]
WARM = b"# sixty-four bytes of comment, so that all that may be read back is there\n"


@pytest.mark.property
@given(
    st.lists(st.lists(st.sampled_from(words), max_size=7).map(" ".join), max_size=4).map("\n".join), st.integers(0, 1)
)
def test_pairs_are_read_quickly_and_patiently_alike(text, first):
    """The quick reader looks at bytes before a pair, so the first bytes of a text are read without it."""
    alone, behind = parse(text, first_index=first), parse(WARM + text.encode(), first_index=first)
    at = alone["at"]
    assert (behind["fault"], behind["at"]) == (alone["fault"], at if at < 0 else at + len(WARM))
    if not alone["fault"]:
        for key in ("labels", "values", "columns", "starts", "qids", "lowest", "highest"):
            assert np.array_equal(behind[key], alone[key])


def sheet_of(rows: int, entries: int, kind=np.float64):
    return np.empty(rows), np.empty(entries, dtype=kind), np.empty(entries, dtype=np.int32)


@pytest.mark.parametrize("float32", [False, True])
def test_rows_are_laid_into_a_sheet(float32):
    text = "1 1:0.5 7:2\n# 3:4\n-1 2:0.1"
    labels, values, columns = sheet = sheet_of(3, 4, np.float32 if float32 else np.float64)
    own, laid = parse(text, float32=float32), parse(text, float32=float32, sheet=sheet)
    assert laid["values"] is None
    assert (laid["rows"], laid["entries"]) == (2, 3)
    assert np.array_equal(labels[:2], own["labels"])
    assert np.array_equal(values[:3], own["values"])
    assert np.array_equal(columns[:3], own["columns"])
    assert np.array_equal(laid["starts"], own["starts"])


def test_what_does_not_fit_a_sheet_goes_elsewhere_or_is_refused():
    assert parse("1 3000000000:1", sheet=sheet_of(1, 1))["columns"].tolist() == [3_000_000_000]
    for text in ("1 1:2 3:4\n", WARM.decode() + "1 1:2 3:4\n"):
        assert parse(text, sheet=sheet_of(2, 1))["fault"] == "room"
        assert parse(text, sheet=sheet_of(0, 2))["fault"] == "room"
    with pytest.raises(ValueError, match="sheet"):
        parse("1 1:2", sheet=sheet_of(1, 1, np.float32))
    with pytest.raises(TypeError):
        parse("1 1:2", sheet=(np.empty(1), np.empty(1), np.empty(1, dtype=np.int64)))


def test_a_numpy_integer_as_first_index_keeps_one_index_type(tmp_path):
    (tmp_path / "s.svm").write_text("".join(f"{i % 2} 1:1 3:{i}\n" for i in range(50)))
    with open_file(tmp_path / "s.svm", first_index=np.int64(1)) as source:
        assert next(source.blocks()).rows.examples() is not None


@pytest.mark.parametrize("scale", ["standard", "maxabs", "unit"])
def test_features_of_left_out_classes_alone_are_not_scaled(tmp_path, scale):
    (tmp_path / "s.svm").write_text("0 1:1 2:4\n1 2:1\n2 9:1\n" * 5)
    with open_file(tmp_path / "s.svm", scale=scale, classes=[0, 1]) as source:
        rows, y = source.read()
        assert (rows.n, rows.d) == (10, 9)
        assert sorted(set(y.tolist())) == [0, 1]
        if scale == "maxabs":
            assert rows.dense()[:2, :2].tolist() == [[1, 1], [0, 0.25]]


@pytest.mark.parametrize("end", ["", " # note 1:2"])
def test_a_file_of_many_blocks_is_one_piece(tmp_path, end):
    """A comment with a colon leaves a gap in the sheet: then the blocks are joined."""
    path = tmp_path / "many.svm"
    lines = [f"{i % 2} {i % 9 + 1}:{i / 8} {i % 9 + 11}:1" for i in range(9000)]
    path.write_text("\n".join([*lines[:5000], lines[5000] + end, *lines[5001:], ""]))
    with open_file(path, memory="3MB") as source:
        assert len(source.facts.block_sizes) > 3
        rows, y = source.read()
        assert (rows.values.base is not None) == (end == "")
    expected = parse(path.read_bytes(), first_index=1)
    assert np.array_equal(rows.columns, expected["columns"] - 1)
    for found, wanted in ((rows.values, "values"), (rows.starts, "starts"), (y, "labels")):
        assert np.array_equal(found, expected[wanted])


def test_mutated_bytes_never_crash_and_never_pass_for_something_else():
    tally = fuzz(600)
    assert all(read > 0 and refused > 0 for read, refused in tally.values())


def test_a_file_counts_from_one_unless_an_index_is_zero(tmp_path):
    (tmp_path / "one.svm").write_text("1 1:5 3:2\n-1 2:1\n")
    (tmp_path / "zero.svm").write_text("1 0:5 3:2\n-1 2:1\n")
    with open_file(tmp_path / "one.svm") as one, open_file(tmp_path / "zero.svm") as zero:
        assert (one.d, one.encoder.first_index) == (3, 1)
        assert (zero.d, zero.encoder.first_index) == (4, 0)
        assert one.read()[0].dense().tolist() == [[5, 0, 2], [0, 1, 0]]
        assert one.classes.tolist() == [-1, 1]
    with open_file(tmp_path / "one.svm", first_index=0) as said:
        assert said.d == 4


def test_errors_name_line_and_column_and_show_the_word(tmp_path):
    path = tmp_path / "bad.svm"
    path.write_text("# made by hand\n1 1:2\n-1 1:2 7:abc\n")
    with pytest.raises(DataError, match=r"bad\.svm line 3, column 10: 'abc' is not a number"):
        open_file(path)


def test_qid_is_ignored_with_a_note(tmp_path):
    path = tmp_path / "rank.svm"
    path.write_text("1 qid:1 1:2\n-1 qid:1 1:3\n")
    with open_file(path) as source:
        assert any("2 qid fields were ignored" in note for note in source.notes)


def test_blocks_of_comments_alone_hold_no_rows(tmp_path):
    path = tmp_path / "quiet.svm"
    path.write_text("# a\n# b\n1 1:2\n# c\n# d\n-1 1:3\n")
    with open_file(path, block_rows=2) as source:
        assert source.facts.block_sizes.tolist() == [0, 1, 1]
        assert source.read()[1].tolist() == [1, -1]
        assert [block.number.tolist() for block in source.blocks(order="shuffle")] in ([[0, 1]], [[1, 0]])
    path.write_text("# a\n# b\n")
    with pytest.raises(DataError, match="no rows"):
        open_file(path)


def test_rows_are_found_again_by_line(tmp_path):
    path = tmp_path / "gaps.svm"
    path.write_text("# head\n\n1 1:2\n# between\n-1 1:3\n")
    with open_file(path) as source:
        assert source.place(1).endswith("gaps.svm line 5")


@pytest.mark.parametrize("name", ["a9a", "rcv1_vw_subset"])
def test_public_files_equal_scikit_learns_reader(name):
    load = shared_data.load(name)
    files = {"a9a": "a9a/a9a.bz2", "rcv1_vw_subset": "rcv1_vw_subset/rcv1_vw_train1000.txt.bz2"}
    with open_file(shared_data.FOLDER / files[name]) as source:
        rows, y = source.read()
    X = load["X_train"]
    assert np.array_equal(y, load["y_train"])
    assert np.array_equal(rows.values, X.data)
    assert np.array_equal(rows.columns, X.indices)
    assert np.array_equal(rows.starts, X.indptr)
