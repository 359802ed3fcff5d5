"""CSV and its kin: what is found out, what is read, and how errors name their place."""

import tempfile
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rosenblatt._core as _core
from rosenblatt import learn, load, save
from rosenblatt.data import delimited
from rosenblatt.data import open as open_file
from rosenblatt.data.bytefile import ByteFile
from rosenblatt.data.sniff import Dialect, MalformedError, _widths, last_record_end, records, sniff_kind
from rosenblatt.data.text import TextBlock
from rosenblatt.errors import DataError
from tests import shared_data


def csv(tmp_path, content: str, **options):
    path = tmp_path / "t.csv"
    path.write_bytes(content.encode())
    return open_file(path, **options)


@pytest.mark.parametrize("delimiter", [",", "\t", ";", "|", " "])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_delimiter_and_line_ends_are_found(tmp_path, delimiter, end):
    lines = [
        "a b kind".replace(" ", delimiter),
        *(f"{i} {i / 2} {'xy'[i % 2]}".replace(" ", delimiter) for i in range(9)),
    ]
    with csv(tmp_path, end.join(lines)) as source:
        assert source.names == ("a", "b")
        assert source.classes.tolist() == ["x", "y"]
        assert source.read()[0].values.tolist() == [[i, i / 2] for i in range(9)]


def test_a_byte_order_mark_is_no_part_of_the_first_name(tmp_path):
    with csv(tmp_path, "\ufeffa,kind\n1,x\n2,y\n") as source:
        assert source.columns == ("a", "kind")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a,b,kind\n1,2,x\n3,4,y\n", ("a", "b", "kind")),
        ("1,2,x\n3,4,y\n", ("x1", "x2", "x3")),
        ("colour,kind\nred,yes\nblue,no\nred,no\nred,yes\n", ("colour", "kind")),
        ("red,yes\nblue,no\nred,no\nred,yes\nblue,no\n", ("x1", "x2")),
    ],
)
def test_a_header_is_told_from_data(tmp_path, text, names):
    with csv(tmp_path, text) as source:
        assert source.columns == names


def test_quotes_commas_and_line_breaks_inside_fields(tmp_path):
    text = 'note,size,kind\n"red, and\nround",1,"y ""1"""\n"blue",2,no\n"red, and\nround",3,no\n'
    with csv(tmp_path, text) as source:
        assert source.names == ("note=blue", "note=red, and\nround", "size")
        assert source.classes.tolist() == ["no", 'y "1"']
        assert source.place(2).endswith("line 5")


def test_stray_quotes_are_letters_where_they_quote_nothing(tmp_path):
    with csv(
        tmp_path, 'ham\t"hello\nspam\twin "cash" now\nham\tit\'s 5" wide\nspam\t"x" y\n', target=0, text="x2"
    ) as source:
        assert source.n == 4


def test_kinds_are_found(tmp_path):
    text = "n,flag,colour,kind\n1,true,red,a\n2.5,False,blue,b\n-3e2,TRUE,red,a\n"
    with csv(tmp_path, text) as source:
        assert dict(source.kinds) == {"n": "number", "flag": "boolean", "colour": "category", "kind": "category"}
        assert source.names == ("n", "flag", "colour=blue", "colour=red")
        assert source.read()[0].dense().tolist() == [[1, 1, 0, 1], [2.5, 0, 1, 0], [-300, 1, 0, 1]]


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["1", "", " 2.5 ", "-3e2"], "number"),
        (["", ""], "number"),
        ([], "number"),
        (["1e999", "2"], "number"),
        (["NA", "2"], "number"),
        (["1\n2", "3\n4"], "category"),
        (["1,5", "2,5"], "category"),
        (["inf", "nan"], "category"),
    ],
)
def test_a_column_of_numbers_is_told_from_one_of_words(cells, kind):
    assert sniff_kind(cells) == kind


def test_a_word_among_numbers_is_an_error_with_line_and_column(tmp_path):
    rows = [f"{i},{i * 2},{'ab'[i % 2]}" for i in range(150)]
    rows[35] = "1,oops,a"
    with pytest.raises(DataError, match=r"t\.csv line 37, column x2: 'oops' is not a number; .*categories=\['x2'\]"):
        csv(tmp_path, "x1,x2,y\n" + "\n".join(rows))
    with csv(tmp_path, "x1,x2,y\n" + "\n".join(rows), categories=["x2"]) as source:
        assert "x2=oops" in source.names


def test_a_missing_value_is_an_error_with_line_and_column_and_remedies(tmp_path):
    rows = [f"{i},{i * 2},{'ab'[i % 2]}" for i in range(150)]
    rows[35] = "1,n/a,b"
    text = "x1,x2,y\n" + "\n".join(rows)
    with pytest.raises(DataError, match=r"t\.csv line 37, column x2: 'n/a' is not a number.*missing='drop'"):
        csv(tmp_path, text)
    for missing, n, value in (
        ("drop", 149, 72.0),
        ("zero", 150, 0.0),
        ("mean", 150, pytest.approx(149.5302, abs=1e-3)),
    ):
        with csv(tmp_path, text, missing=missing) as source:
            assert source.n == n
            assert source.read()[0].values[35, 1] == value
            assert len(source.notes) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b,kind\n1,2,x\n3,y\n", r"line 3: 2 fields, expected 3 \(a, b, kind\)"),
        ("a,a,kind\n1,2,x\n3,4,y\n", "two columns are called 'a'"),
        ("a,kind\n1,x\n2,x\n", "has 1 class"),
        ("a,kind\n1,x\n2,\n", r"line 3, column kind: the label is missing"),
        (
            "a,kind\n1,x\ninf,y\n3,x\n4,y\n5,x\n6,x\n7,x\n8,x\n9,x\n1,x\n2,x\n",
            r"line 3, column a: 'inf' is not a number",
        ),
        ("a,kind\n1e999,x\n2,y\n", r"line 2, column a.* is not finite"),
    ],
)
def test_bad_tables_are_refused_with_their_place(tmp_path, text, message):
    with pytest.raises(DataError, match=message):
        csv(tmp_path, text)


def test_column_names_are_suggested(tmp_path):
    text = "sepal,petal,species\n1,2,x\n3,4,y\n"
    with pytest.raises(DataError, match=r"no column 'specie'\. Did you mean 'species'"):
        csv(tmp_path, text, target="specie")
    with pytest.raises(DataError, match="Did you mean 'petal'"):
        csv(tmp_path, text, features=["pedal"])
    with pytest.raises(DataError, match="both a feature and the target"):
        csv(tmp_path, text, features=["species"])
    with pytest.raises(DataError, match="outside"):
        csv(tmp_path, text, target=7)


def test_target_by_place_and_by_usual_name(tmp_path):
    with csv(tmp_path, "label,a\nx,1\ny,2\n") as source:
        assert source.target == "label"
    with csv(tmp_path, "a,b\n1,x\n2,y\n", target=0, categories=["b"]) as source:
        assert source.classes.tolist() == [1, 2]


def test_labels_are_numbers_where_all_are(tmp_path):
    with csv(tmp_path, "a,y\n1,1\n2,-1.0\n3,+1\n") as source:
        assert source.classes.tolist() == [-1, 1]
        assert source.read()[1].tolist() == [1, -1, 1]


def test_one_class_against_the_rest_and_two_of_three(tmp_path):
    text = "a,y\n" + "".join(f"{i},{'abc'[i % 3]}\n" for i in range(9))
    with csv(tmp_path, text, positive="a") as source:
        assert source.classes.tolist() == ["(not a)", "a"]
        assert source.class_counts.tolist() == [6, 3]
    with csv(tmp_path, text, classes=["c", "a"]) as source:
        assert source.n == 6
        assert source.classes.tolist() == ["a", "c"]
        assert source.place(1).endswith("line 4")
    for wrong in ({"positive": "z"}, {"classes": ["a", "z"]}):
        with pytest.raises(DataError, match="no row has the label 'z'"):
            csv(tmp_path, text, **wrong)


def test_a_first_column_without_a_name_is_a_header_still(tmp_path):
    """As pandas writes its row numbers."""
    with csv(tmp_path, ",a,b,k\n0,1,2,p\n1,-1,3,n\n2,4,5,p\n") as source:
        assert source.names == ("x1", "a", "b")
        assert any("called x1; if it numbers the rows" in note for note in source.notes)


@pytest.mark.parametrize("positive", ["apple", "Pear", "3", "#1", "not"])
def test_the_positive_class_is_the_second_in_sorted_order(tmp_path, positive):
    text = "x,y\n" + "".join(f"{i},{label}\n" for i, label in enumerate([positive, "kiwi", positive, "zebra"]))
    with csv(tmp_path, text, positive=positive) as source:
        assert source.classes.tolist() == sorted(source.classes.tolist())
        assert source.classes[1] == positive
        model = learn(source, max_passes=2).model
        save(model, tmp_path / "m.json")
        assert load(tmp_path / "m.json").classes.tolist() == source.classes.tolist()


def test_long_whole_numbers_are_labels_of_their_own(tmp_path):
    labels = [2**53, 2**53 + 1, 2**53 + 2, 5]
    text = "x,y\n" + "".join(f"{i},{labels[i % 4]}\n" for i in range(8))
    with csv(tmp_path, text) as source:
        assert source.classes.tolist() == sorted(labels)
        assert source.class_counts.tolist() == [2, 2, 2, 2]
        assert source.read()[1].tolist() == labels * 2
    with csv(tmp_path, "x,y\n1,1e400\n2,1e500\n") as source:
        assert source.classes.tolist() == ["1e400", "1e500"]


def test_sorted_labels_are_noted(tmp_path):
    with csv(tmp_path, "a,y\n" + "".join(f"{i},{i // 50}\n" for i in range(100))) as source:
        assert any("labels look sorted" in note for note in source.notes)
    with csv(tmp_path, "a,y\n" + "".join(f"{i},{i % 2}\n" for i in range(100))) as source:
        assert not any("look sorted" in note for note in source.notes)


@pytest.mark.parametrize("repeated", [1, 30_000])
def test_true_and_false_may_come_as_1_and_0(tmp_path, repeated):
    """In a file that plain Python reads, and in one that pyarrow does."""
    with csv(tmp_path, "ok,y\ntrue,p\nfalse,q\n") as source:
        encoder = source.encoder
    (tmp_path / "new.csv").write_text("ok\n" + "1\n0\nTrue\n1.0\n0\n" * repeated)
    with open_file(tmp_path / "new.csv", encoder=encoder) as new:
        assert new.rows().values[:5, 0].tolist() == [1, 0, 1, 1, 0]
    (tmp_path / "new.csv").write_text("ok\n1\n2\n")
    with open_file(tmp_path / "new.csv", encoder=encoder) as new, pytest.raises(DataError, match=r"line 3.*'2' is not"):
        new.rows()


def test_weights_come_from_a_column(tmp_path):
    with csv(tmp_path, "a,w,y\n1,2,0\n2,0.5,1\n", weight="w") as source:
        assert source.names == ("a",)
        assert source.whole().weights.tolist() == [2.0, 0.5]
    with pytest.raises(DataError, match=r"line 3, column w: the weight is -1; .*not negative"):
        csv(tmp_path, "a,w,y\n1,2,0\n2,-1,1\n", weight="w")
    with pytest.raises(DataError, match=r"line 3, column w: the weight is missing"):
        csv(tmp_path, "a,w,y\n1,2,0\n2,,1\n", weight="w", missing="mean")


def test_rows_without_weight_are_left_out(tmp_path):
    """Weight 0 is as if the row were not there: no class, no level, no part in mean and scale; nor one missing."""
    text = "a,hue,w,y\n1,red,2,0\n900,blue,0,2\n3,red,1,1\n,green,0,0\n5,red,NA,1\n7,red,3,0\n"
    for block_rows in (None, 2):
        options = {"weight": "w", "missing": "drop", "scale": "standard", "block_rows": block_rows}
        with csv(tmp_path, text, **options) as source:
            assert (source.n, source.class_counts.tolist(), source.classes.tolist()) == (3, [2, 1], [0, 1])
            assert source.names == ("a", "hue=red")
            assert source.encoder.shift.tolist() == [pytest.approx(11 / 3), 0]
            assert source.whole().weights.tolist() == [2.0, 1.0, 3.0]
            assert source.place(2).endswith("line 7")
            assert any("1 row was left out (weight 0)" in note for note in source.notes)
            assert any("2 rows were left out (missing" in note for note in source.notes)


@pytest.mark.parametrize("block_rows", [None, 2])
def test_the_unit_is_the_longest_of_the_rows_that_count(tmp_path, block_rows):
    text = "a,b,w,y\n3,4,1,p\n300,0,0,q\n0,2,1,q\n500,0,1,other\n1,1,2,p\n"
    with csv(tmp_path, text, weight="w", classes=["p", "q"], scale="unit", block_rows=block_rows) as source:
        assert source.encoder.factor.tolist() == [0.2, 0.2]


def test_blocks_are_cut_between_records_not_inside_quotes():
    data = b'a,"x\ny",1\nb,"z\n'
    assert last_record_end(data, Dialect(",")) == 10
    assert last_record_end(data, Dialect(",", quotes=False)) == len(data)
    assert last_record_end(b'a,5" wide,1\nb', Dialect(",")) == 12


cell = st.text(alphabet=st.sampled_from('ab ,"\n\r\t;é1.'), max_size=6)


def quoted(value: str) -> str:
    return '"' + value.replace('"', '""') + '"'


@pytest.mark.property
@given(st.lists(st.lists(cell, min_size=3, max_size=3), min_size=1, max_size=6), st.integers(0, 40))
def test_quoted_tables_survive_any_cut(rows, at):
    text = "".join(",".join(map(quoted, row)) + "\r\n" for row in rows)
    assert [fields for _, fields in records(text, Dialect(","))] == rows
    data = text.encode()
    end = last_record_end(data[: at % len(data)], Dialect(","))
    halves = [part.decode() for part in (data[:end], data[end:])]
    assert [fields for half in halves for _, fields in records(half, Dialect(","))] == rows


@pytest.mark.property
@settings(max_examples=30)
@given(
    st.lists(
        st.tuples(st.floats(allow_nan=False, allow_infinity=False), st.sampled_from(["red", " blue", "a b", ""]), cell),
        min_size=4,
        max_size=12,
    )
)
def test_pyarrow_and_plain_python_read_the_same(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("t") / "t.csv"
    body = "".join(f"{x!r},{colour},{quoted('q' + text)},{i % 2}\n" for i, (x, colour, text) in enumerate(rows))
    path.write_bytes(("size,colour,note,y\n" + body).encode())
    read = []
    for small in (delimited.SMALL, -1):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(delimited, "SMALL", small)
            with open_file(path, missing="zero", text="note", text_width=64) as source:
                read.append((source.whole().rows.dense(), source.names))
    assert np.array_equal(read[0][0], read[1][0])
    assert read[0][1] == read[1][1]


def test_without_pyarrow_large_tables_are_read_too(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    monkeypatch.setattr(delimited, "SMALL", -1)
    with csv(tmp_path, "a,y\n1,x\n2,y\n") as source:
        assert source.n == 2


def test_adult_and_sms_go_from_file_to_features():
    shared_data.load("iris")
    with open_file(shared_data.FOLDER / "adult" / "adult-train.csv.gz") as source:
        assert (source.n, source.d, source.classes.tolist()) == (32561, 108, ["<=50K", ">50K"])
    with open_file(shared_data.FOLDER / "sms_spam" / "SMSSpamCollection.tsv.gz", target=0, text="x2") as source:
        assert source.class_counts.tolist() == [4827, 747]


@pytest.mark.property
@given(
    st.lists(
        st.tuples(
            st.one_of(st.floats(allow_nan=False, allow_infinity=False), st.integers(-(10**25), 10**25), st.just("")),
            st.sampled_from(["red", "blue ", " green", "no; yes", "ß"]),
            st.sampled_from(["0", "1"]),
        ),
        min_size=1,
        max_size=30,
    ),
    st.sampled_from(["\n", "\r\n", "\n\n", " \n"]),
)
def test_the_core_reads_a_block_as_plain_python_does(rows, end):
    data = "".join(f"{a},{b},{c}{end}" for a, b, c in rows).encode()
    with tempfile.NamedTemporaryFile(suffix=".csv") as file:
        file.write(b"x,colour,label\n1,red,0\n" + data)
        file.flush()
        table = delimited.Delimited(ByteFile(file.name), block_bytes=1 << 20)
    table.use({"x": "number", "colour": "category"}, "label")
    block = TextBlock(data, 0, lambda: 0)
    straight, _ = table._straight(block, 1)
    plain = table._plain(block)
    table.close()
    assert straight is not None
    assert np.array_equal(straight["x"], plain["x"], equal_nan=True)
    for name in ("colour", "label"):
        assert straight[name].values == plain[name].values
        assert straight[name].codes.tolist() == plain[name].codes.tolist()


@pytest.mark.parametrize("cell", ["abc", "1_0", "0x1F", "inf", "1e999", "--1", "1 2", "NA"])
def test_the_core_leaves_what_is_no_number_to_a_patient_reader(cell):
    data = np.frombuffer(f"1,{cell}\n".encode(), dtype=np.uint8)
    assert _core.parse_delimited(data, delimiter=",", fields=[0, 0]) is None
    assert _core.parse_delimited(data, delimiter=",", fields=[0, 1])["words"] == [[cell.encode()]]


@pytest.mark.parametrize("line", ["1\n", "1,2,3\n", "1,2,\n", "1"])
def test_the_core_refuses_lines_with_more_or_fewer_fields(line):
    data = np.frombuffer(line.encode(), dtype=np.uint8)
    assert _core.parse_delimited(data, delimiter=",", fields=[0, 0]) is None


def spread(tmp_path, lines):
    """Return the rows of a table that is read in many blocks, and the numbers of them that are wanted."""
    with csv(tmp_path, "a,b,y\n" + "".join(lines), memory="4MB") as source:
        assert len(source.facts.block_sizes) > 2
        return source.whole().rows.values, [[float(x) for x in line.split(",")[:2]] for line in lines if line.strip()]


def test_the_numbers_of_all_blocks_lie_in_one_array(tmp_path):
    values, wanted = spread(tmp_path, [f"{i},{i / 7},{i % 2}\n" for i in range(20_000)])
    assert values.base.shape[0] > len(values)  # laid down once, in an array with some room to spare
    assert values.tolist() == wanted


@pytest.mark.parametrize("odd", ["\n", " \n\n", "1e5,+3,1\n"])
def test_blocks_with_empty_lines_are_joined(tmp_path, odd):
    lines = [odd if i % 1000 == 500 else f"{i},{i / 7},{i % 2}\n" for i in range(20_000)]
    values, wanted = spread(tmp_path, lines)
    assert values.tolist() == wanted


def test_more_rows_than_the_first_block_promised_are_read_too(tmp_path):
    lines = [f"{i},{i / 7:.30f},{i % 2}\n" if i < 2000 else f"1,2,{i % 2}\n" for i in range(40_000)]
    values, wanted = spread(tmp_path, lines)
    assert values.tolist() == wanted


def test_a_sheet_of_another_width_or_with_too_few_rows_is_refused():
    data = np.frombuffer(b"1,2\n", dtype=np.uint8)
    with pytest.raises(ValueError, match="one column for every number"):
        _core.parse_delimited(data, delimiter=",", fields=[0, 0], sheet=np.empty((1, 3)))
    with pytest.raises(TypeError):
        _core.parse_delimited(data, delimiter=",", fields=[0, 0], sheet=np.empty((1, 2), dtype=np.float32))
    assert _core.parse_delimited(data, delimiter=",", fields=[0, 0], sheet=np.empty((0, 2))) is None


@pytest.mark.property
@given(
    st.lists(st.sampled_from(["1,2", "", " ", ",", "a;b,c", '"x,\ny",2', '"q""",1\r', "3,4\r", '5,"6"']), max_size=12),
    st.sampled_from([",", ";"]),
    st.booleans(),
)
def test_fields_are_counted_as_they_are_cut(lines, delimiter, quotes):
    text, dialect = "\n".join(lines), Dialect(delimiter, quotes)
    try:
        cut = Counter(len(fields) for _, fields in records(text, dialect))
    except MalformedError:
        with pytest.raises(MalformedError):
            _widths(text, dialect)
    else:
        assert _widths(text, dialect) == cut


def test_columns_can_be_left_out(tmp_path):
    (tmp_path / "t.csv").write_text("id,a,b,y\n1,2,3,x\n2,3,4,z\n")
    with open_file(tmp_path / "t.csv", exclude=["id", "b"]) as source:
        assert source.names == ("a",)
    with open_file(tmp_path / "t.csv", exclude="id") as source:
        assert source.names == ("a", "b")
    with pytest.raises(DataError, match=r"no column 'idd'\. Did you mean 'id'"):
        open_file(tmp_path / "t.csv", exclude=["idd"])
    with pytest.raises(DataError, match="'y' is the target and cannot be left out"):
        open_file(tmp_path / "t.csv", exclude=["y"])


def test_a_quote_that_is_never_closed_is_named(tmp_path):
    (tmp_path / "a.csv").write_text('a,b,c\n1,"x, y",p\n2,"z",q\n3,"x, y,p\n4,"z",q\n')
    with pytest.raises(
        DataError, match=r"line 2: 4 fields.*read as letters, because on line 4 a quoted field does not end"
    ):
        open_file(tmp_path / "a.csv")
    (tmp_path / "b.csv").write_text('a,b\n1,"x\n2,y\n3,x\n')
    with open_file(tmp_path / "b.csv") as source:
        assert any("quotes are read as letters, because on line 2" in note for note in source.notes)


def test_a_broken_quote_under_one_delimiter_is_named_though_another_reads_it(tmp_path):
    (tmp_path / "c.csv").write_text('x;"a\ny\nz w\n')
    with pytest.raises(DataError, match="line 1: a quoted field does not end"):
        open_file(tmp_path / "c.csv")


@pytest.mark.parametrize(
    ("header", "names"),
    [("size,hue,", ("size", "hue", "x3")), (",size,hue", ("x1", "size", "hue")), ("size,,hue", ("size", "x2", "hue"))],
)
def test_names_may_be_missing_in_a_header(tmp_path, header, names):
    path = tmp_path / "t.csv"
    path.write_text(header + "\n" + "1,2,red\n3,4,blue\n" * 30)
    with open_file(path, target=2) as source:
        assert (source.n, (*source.names, names[2])) == (60, names)


def test_a_missing_cell_in_the_first_row_of_words_is_no_missing_name(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("red,,x\nblue,t,y\n" * 30)
    with open_file(path, missing="mean") as source:
        assert source.n == 60


def test_a_header_that_is_not_utf_8_is_refused(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(b"gr\xf6\xdfe,y\n1,a\n2,b\n")
    with pytest.raises(DataError, match="line 1, byte 3: 0xf6 is not UTF-8"):
        open_file(path)


@pytest.mark.parametrize(("name", "text"), [("t.csv", "size,c,y\n{0},0.1,{1}\n"), ("t.svm", "{1} 1:{0} 2:0.1\n")])
def test_a_column_of_one_value_has_no_deviation(tmp_path, name, text):
    """The mean of ten times 0.1 is not 0.1: the rounded deviation would blow the difference up to 1."""
    path = tmp_path / name
    head, line = text.split("\n", 1) if name == "t.csv" else ("", text)
    path.write_text(head + "\n" * bool(head) + "".join(line.format(i + 1, i % 2) for i in range(10)))
    with open_file(path, scale="standard") as source:
        column = source.read()[0].dense()[:, 1]
    assert column.tolist() == [0.0 if name == "t.csv" else 0.1] * 10
