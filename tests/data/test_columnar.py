"""Parquet, Arrow IPC and anything with ``__arrow_c_stream__`` give the same rows as the table they came from."""

import datetime
import threading

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

from rosenblatt.data import open as open_file
from rosenblatt.errors import DataError, MissingExtra

N = 500


def table(**more):
    chance = np.random.default_rng(0)
    return pa.table(
        {
            "size": chance.normal(size=N),
            "count": chance.integers(0, 9, N),
            "flag": chance.random(N) < 0.5,
            "colour": pa.array(chance.choice(["red", "blue", "green"], N)).dictionary_encode(),
            "kind": chance.choice(["no", "yes"], N),
            **more,
        }
    )


EXPECTED = ("size", "count", "flag", "colour=blue", "colour=green", "colour=red")


def write(kind: str, path, data) -> None:
    if kind == "parquet":
        pq.write_table(data, path, row_group_size=128)
    elif kind == "feather":
        pyarrow.feather.write_feather(data, path, compression="lz4", chunksize=100)
    elif kind == "ipc file":
        with pa.ipc.new_file(path, data.schema) as writer:
            writer.write_table(data, max_chunksize=150)
    else:
        with pa.ipc.new_stream(path, data.schema) as writer:
            writer.write_table(data, max_chunksize=150)


@pytest.fixture
def expected(tmp_path):
    frame = table().to_pandas()
    columns = [frame["size"], frame["count"], frame["flag"]]
    columns += [frame["colour"] == level for level in ("blue", "green", "red")]
    return np.column_stack(columns).astype(float), frame["kind"].to_numpy()


@pytest.mark.parametrize("kind", ["parquet", "feather", "ipc file", "ipc stream"])
@pytest.mark.parametrize("block_rows", [None, 37])
def test_columnar_files_are_read(tmp_path, expected, kind, block_rows):
    path = tmp_path / "data"
    write(kind, path, table())
    with open_file(path, target="kind", block_rows=block_rows) as source:
        rows, y = source.read()
        assert source.names == EXPECTED
        assert np.array_equal(rows.dense(), expected[0])
        assert np.array_equal(y, expected[1])
        assert "row 3" in source.place(3)
        shuffled = list(source.blocks(1, order="shuffle", seed=5))
        assert sorted(np.concatenate([block.number for block in shuffled]).tolist()) == list(range(N))
        for block in shuffled:
            assert np.array_equal(block.rows.dense(), expected[0][block.number])


@pytest.mark.parametrize("make", [lambda t: t, pl.from_arrow, lambda t: t.to_pandas(), lambda t: t.to_reader()])
def test_anything_that_streams_arrow_is_read(expected, make):
    with open_file(make(table()), target="kind") as source:
        assert np.array_equal(source.read()[0].dense(), expected[0])


def test_streams_larger_than_memory_are_spooled(expected):
    with open_file(table().to_reader(max_chunksize=64), target="kind", memory=20_000, block_rows=50) as source:
        assert not source.fits
        assert source._table._spooled is not None
        assert np.array_equal(source.read()[0].dense(), expected[0])


@pytest.mark.parametrize("dtype", ["float32", "uint8", "int16", "float64"])
def test_element_types_are_kept(tmp_path, dtype):
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"a": np.arange(4).astype(dtype), "b": np.ones(4, dtype), "y": [0, 1, 0, 1]}), path)
    with open_file(path) as source:
        assert source.read()[0].values.dtype == dtype
        assert source.classes.tolist() == [0, 1]


def test_missing_values_follow_the_policy(tmp_path):
    path = tmp_path / "t.parquet"
    data = pa.table({"a": [1.0, None, 3.0], "c": ["u", "v", None], "f": [True, None, False], "y": ["p", "q", "p"]})
    pq.write_table(data, path)
    with pytest.raises(DataError, match=r"t\.parquet row 1, column a: the value is missing"):
        open_file(path)
    with open_file(path, missing="mean") as source:
        assert source.read()[0].dense().tolist() == [[1, 1, 0, 1], [2, 0, 1, 0.5], [3, 0.5, 0.5, 0]]
    with open_file(path, missing="zero") as source:
        assert source.read()[0].dense().tolist() == [[1, 1, 0, 1], [0, 0, 1, 0], [3, 0, 0, 0]]
    with pytest.raises(DataError, match="1 class"):
        open_file(path, missing="drop")


def test_columns_that_are_no_features_are_named(tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(
        pa.table({"when": [datetime.date(2020, 1, i + 1) for i in range(2)], "a": [1, 2], "y": [0, 1]}), path
    )
    with pytest.raises(DataError, match="column when is of type date32"):
        open_file(path)
    with open_file(path, features=["a"]) as source:
        assert source.names == ("a",)


@pytest.mark.parametrize("kind", ["parquet", "feather", "ipc file", "ipc stream"])
def test_cut_files_are_refused(tmp_path, kind):
    path = tmp_path / "cut"
    write(kind, path, table())
    data = path.read_bytes()
    for length in (len(data) // 2, len(data) - 3, 20):
        path.write_bytes(data[:length])
        with pytest.raises(DataError, match="cut"):
            open_file(path, target="kind")


@pytest.mark.parametrize("kind", ["ipc file", "ipc stream"])
def test_offsets_and_indices_that_point_outside_are_refused(tmp_path, kind):
    """pyarrow does not look at them by itself; an offset with one wrong byte ended the process."""
    words, levels = pa.array(["red", "blue"] * 20), pa.array(["no", "yes"] * 20).dictionary_encode()
    write(kind, tmp_path / "whole", pa.table({"colour": words, "kind": levels}))
    offset = np.array([3, 7, 10, 14], dtype=np.int32).tobytes()
    index = np.array([0, 1] * 20, dtype=np.int32).tobytes()
    data = (tmp_path / "whole").read_bytes()
    for pattern in (offset, index):
        at = data.index(pattern) + 3  # the highest byte of a number
        (tmp_path / "harmed").write_bytes(data[:at] + b"\x7f" + data[at + 1 :])
        with pytest.raises(DataError, match="damaged or cut short"):
            open_file(tmp_path / "harmed", target="kind")


def test_a_text_file_called_parquet_is_refused(tmp_path):
    (tmp_path / "t.parquet").write_text("a,b\n1,2\n")
    with pytest.raises(DataError, match="no parquet file, for all its name"):
        open_file(tmp_path / "t.parquet")


def test_large_row_groups_are_read_in_parts_side_by_side(tmp_path, expected):
    path = tmp_path / "t.parquet"
    pq.write_table(table(), path, row_group_size=250)
    with open_file(path, target="kind", block_rows=50, window=4) as source:
        blocks = list(source.blocks(0, order="shuffle", seed=1))
        groups = [set((block.number // 250).tolist()) for block in blocks]
        assert groups[0] == {0, 1}  # rows of both groups meet in one window
        resumed = list(source.blocks(0, order="shuffle", seed=1, skip=1))
        assert np.array_equal(resumed[0].number, blocks[1].number)
        assert np.array_equal(resumed[0].rows.dense(), blocks[1].rows.dense())


def test_other_objects_are_refused_with_advice():
    with pytest.raises(DataError, match=r"cannot read a list.*learn\(X, y\)"):
        open_file([[1, 2]])


def test_a_missing_pyarrow_names_the_command(tmp_path, monkeypatch):
    path = tmp_path / "t.parquet"
    pq.write_table(table(), path)
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"pip install 'rosenblatt\[files\]'"):
        open_file(path)


def test_pandas_and_polars_frames_are_encoded_alike():
    frame = table()
    with open_file(frame, target="kind") as source:
        encoder = source.encoder
    a = encoder.encode(frame.to_pandas()).rows.dense()
    b = encoder.encode(pl.from_arrow(frame)).rows.dense()
    assert np.array_equal(a, b)
    assert np.array_equal(a, encoder.encode(pd.DataFrame(frame.to_pydict())).rows.dense())


def test_small_whole_numbers_of_training_do_not_wrap_those_of_new_data(tmp_path):
    small = pa.table({"a": pa.array([1, -5, 3, 4], pa.int8()), "kind": ["no", "yes", "no", "yes"]})
    write("parquet", tmp_path / "t.parquet", small)
    with open_file(tmp_path / "t.parquet", target="kind") as source:
        encoder = source.encoder
        assert source.read()[0].values.dtype == np.int8
    for values in ([200.0, 0.5], [200, 7]):
        assert encoder.encode({"a": np.array(values)}).rows.values.ravel().tolist() == values


def test_a_nameless_index_of_pandas_is_no_column(tmp_path):
    """Row numbers would be learnt from, or taken for the labels."""
    pd.DataFrame({"size": [1.0, 2.0], "grade": ["a", "b"]}, index=[7, 9]).to_parquet(tmp_path / "t.parquet")
    with open_file(tmp_path / "t.parquet") as source:
        assert (source.names, source.classes.tolist()) == (("size",), ["a", "b"])
        assert any("__index_level_0__" in note and "is left out" in note for note in source.notes)


def test_dates_may_be_labels(tmp_path):
    days = [datetime.date(2020, 1, 1), datetime.date(2021, 1, 1)]
    pq.write_table(pa.table({"size": [1.0, 2.0], "day": days}), tmp_path / "t.parquet")
    with open_file(tmp_path / "t.parquet", target="day") as source:
        assert source.classes.tolist() == ["2020-01-01", "2021-01-01"]


def test_text_that_is_not_utf8_is_named_with_its_column(tmp_path):
    places = pa.py_buffer(np.arange(5, dtype=np.int32).tobytes())
    letters = pa.Array.from_buffers(pa.string(), 4, [None, places, pa.py_buffer("ééab".encode("latin1"))])
    pq.write_table(
        pa.table({"x": [1.0, 2.0, 3.0, 4.0], "k": letters, "y": ["a", "b", "a", "b"]}), tmp_path / "l.parquet"
    )
    with pytest.raises(DataError, match=r"l\.parquet: column k holds text that is not UTF-8"):
        open_file(tmp_path / "l.parquet", target="y")


def test_a_file_that_holds_fewer_rows_than_it_says_is_named(tmp_path):
    pq.write_table(pa.table({"x": np.arange(40.0), "y": np.arange(40) % 2}), tmp_path / "a.parquet")
    with open_file(tmp_path / "a.parquet", target="y", block_rows=10) as source:
        source._table._blocks.append((0, 4))
        source._table.first_rows.append(40)
        with pytest.raises(DataError, match=r"a\.parquet is damaged or cut short: it holds fewer rows than it says"):
            source._table.block(4)


def numbers(dtype=np.float32, n=300, d=4):
    values = np.random.default_rng(1).integers(-9, 9, (n, d)).astype(dtype)
    return values, {f"x{j}": values[:, j] for j in range(d)}, np.arange(n) % 2


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int8, np.int64, np.uint16])
@pytest.mark.parametrize("memory", ["1GB", "4kB"])
def test_columns_of_one_type_are_laid_side_by_side(tmp_path, dtype, memory):
    """In one array where there is room for all of them, and in any case with the same values."""
    values, columns, y = numbers(dtype)
    pq.write_table(pa.table({**columns, "label": y}), tmp_path / "t", row_group_size=70)
    with open_file(tmp_path / "t", target="label", memory=memory) as source:
        held = np.concatenate([block.rows.values for block in source.blocks()])
        assert np.array_equal(held, values)
        assert np.array_equal(source.whole().rows.values, values)
        assert np.array_equal(source.rows().values, values)
        native = dtype not in (np.int64, np.uint16)
        assert (source.whole().rows.values.base is not None) == (native and memory == "1GB")


@pytest.mark.parametrize("extra", ["weight", "boolean", "category"])
def test_numbers_beside_other_columns(tmp_path, extra):
    values, columns, y = numbers()
    more = {"weight": y + 1.0, "boolean": y == 0, "category": np.where(y == 0, "a", "b")}[extra]
    pq.write_table(pa.table({**columns, "more": more, "label": y}), tmp_path / "t", row_group_size=70)
    options = {"weight": "more"} if extra == "weight" else {}
    with open_file(tmp_path / "t", target="label", **options) as source:
        assert np.array_equal(source.read()[0].dense()[:, :4], values)


@pytest.mark.parametrize("dtype", [np.float32, np.int32])
@pytest.mark.parametrize("d", [4, 1])
def test_a_gap_in_a_later_block_alone(tmp_path, dtype, d):
    """It makes a column of whole numbers one of floats, there and nowhere else."""
    values, columns, y = numbers(dtype, d=d)
    there, last = np.arange(300) != 177, f"x{d - 1}"
    columns[last] = pa.array(columns[last], mask=~there)
    pq.write_table(pa.table({**columns, "label": y}), tmp_path / "t", row_group_size=70)
    with pytest.raises(DataError, match=f"row 177, column {last}: the value is missing"):
        open_file(tmp_path / "t", target="label")
    with open_file(tmp_path / "t", target="label", missing="drop") as source:
        assert np.array_equal(source.read()[0].values, values[there])
    with open_file(tmp_path / "t", target="label", missing="zero") as source:
        filled = values.copy()
        filled[177, d - 1] = 0
        assert np.array_equal(source.read()[0].values, filled)


def test_an_infinity_in_a_later_block_alone(tmp_path):
    _, columns, y = numbers()
    columns["x1"][250] = np.inf
    pq.write_table(pa.table({**columns, "label": y}), tmp_path / "t", row_group_size=70)
    with pytest.raises(DataError, match="row 250, column x1: inf is not finite") as refused:
        open_file(tmp_path / "t", target="label")
    assert refused.tb is not None  # what it holds is not freed yet, and yet nobody reads on
    assert not [thread for thread in threading.enumerate() if "rosenblatt" in thread.name]


@pytest.mark.parametrize("group", [0, 1])
@pytest.mark.parametrize(("says", "rows"), [(b"\xc7\x01", -100), (b"\xb4\x01", 90), (b"\xdc\x01", 110)])
def test_a_row_group_of_other_rows_than_the_file_has_is_refused(tmp_path, group, says, rows):
    """One byte of its footer says that it holds not 100 rows but -100, or some less or more."""
    _, columns, y = numbers(n=100 * (1 + 2 * group))
    pq.write_table(pa.table({**columns, "label": y}), tmp_path / "t", row_group_size=100)
    whole, at = (tmp_path / "t").read_bytes(), 0
    while (at := whole.find(b"\xc8\x01", at + 1)) >= 0:
        (tmp_path / "t").write_bytes(whole[:at] + says + whole[at + 2 :])
        try:
            counted = pq.ParquetFile(tmp_path / "t").metadata.row_group(group).num_rows
        except (OSError, pa.ArrowException):
            continue
        if counted == rows:
            break
    assert at >= 0
    right, wrong = 100 * (1 + 2 * group), 200 * group + rows
    with pytest.raises(
        DataError, match=rf"that it holds {right} rows, but its row groups {wrong}, the smallest of them"
    ):
        open_file(tmp_path / "t", target="label")


@pytest.mark.parametrize("short", [0, 1])
def test_one_array_for_all_batches_only_where_there_is_room(tmp_path, short):
    values, columns, y = numbers(np.int8)
    pq.write_table(pa.table({**columns, "label": y}), tmp_path / "t", row_group_size=70)
    with open_file(tmp_path / "t", target="label") as source:
        batches = list(source._table.scan(values.nbytes - short))
        laid = [batch.side_by_side.values for batch in batches]
        assert np.array_equal(np.concatenate(laid), values)
        assert all(np.shares_memory(laid[0].base, some) == (not short) for some in laid[1:])
