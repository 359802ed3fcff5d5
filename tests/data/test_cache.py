"""The cache beside a file: the same examples, used while file and settings stay the same."""

import gzip
import os

import numpy as np
import pyarrow as pa
import pytest

from rosenblatt import learn
from rosenblatt.data import open as open_file
from rosenblatt.data.cache import cache_path
from rosenblatt.errors import DataError

DENSE = "a,b,y\n" + "".join(f"{i},{i * i},{i % 2}\n" for i in range(60))
SPARSE = "".join(f"{i % 2} {i % 5 + 1}:{i + 0.5} 9:1\n" for i in range(60))


@pytest.fixture(params=["dense.csv", "sparse.svm"])
def path(request, tmp_path):
    made = tmp_path / request.param
    made.write_text(DENSE if request.param == "dense.csv" else SPARSE)
    return made


@pytest.mark.parametrize("options", [{}, {"block_rows": 7, "window": 3}])
def test_a_cached_file_gives_the_same_examples(path, options):
    with open_file(path, **options) as plain, open_file(path, cache=True, **options) as first:
        assert cache_path(str(path)).is_file()
        with open_file(path, cache=True, **options) as second:
            assert second._cache is not None
            assert (second.n, second.d, second.names, second.notes) == (plain.n, plain.d, plain.names, plain.notes)
            for order in ("cyclic", "shuffle"):
                for a, b, c in zip(*(s.blocks(3, order=order) for s in (plain, first, second)), strict=True):
                    assert np.array_equal(a.rows.dense(), b.rows.dense())
                    assert np.array_equal(a.rows.dense(), c.rows.dense())
                    assert np.array_equal(a.codes, c.codes)
                    assert np.array_equal(a.number, c.number)
            assert second.place(30) == plain.place(30)
            assert np.array_equal(learn(second, max_passes=3).w, learn(plain, max_passes=3).w)


def test_the_cache_is_used_instead_of_the_file(path):
    open_file(path, cache=True).close()
    with open_file(path, cache=True) as source:
        assert source._table.n_blocks == 0  # the text was never scanned
        assert source.whole().rows.n == 60


def test_a_changed_file_or_setting_makes_a_new_cache(path):
    open_file(path, cache=True).close()
    before = cache_path(str(path)).read_bytes()
    with open_file(path, cache=True, scale="maxabs") as other:
        assert other._cache is not None
        assert np.abs(other.whole().rows.values).max() == 1
    assert cache_path(str(path)).read_bytes() != before
    text = path.read_text()
    path.write_text(text + text.splitlines()[-1] + "\n")
    with open_file(path, cache=True) as source:
        assert source.n == 61


def test_the_same_size_at_another_time_is_another_file(path):
    open_file(path, cache=True).close()
    status = path.stat()
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + 1))
    with open_file(path, cache=True) as source:
        assert source._table.n_blocks > 0


def test_a_damaged_cache_is_written_anew(path):
    open_file(path, cache=True).close()
    place = cache_path(str(path))
    place.write_bytes(place.read_bytes()[:100])
    with open_file(path, cache=True) as source:
        assert source.whole().rows.n == 60
    assert pa.ipc.open_file(pa.memory_map(str(place))).num_record_batches > 0


def test_a_cache_that_cannot_be_written_is_a_note(path, monkeypatch):
    cache_path(str(path)).mkdir()
    with open_file(path, cache=True) as source:
        assert source.whole().rows.n == 60
        assert any("cache was not written" in note for note in source.notes)


@pytest.mark.parametrize("harm", ["cut", "gone"])
def test_a_cache_harmed_while_it_is_in_use_is_an_error(path, harm):
    open_file(path, cache=True).close()
    with open_file(path, cache=True) as source:
        if harm == "cut":
            os.truncate(cache_path(str(path)), 200)
        else:
            cache_path(str(path)).unlink()
        with pytest.raises(DataError, match=r"the cache .* is damaged, or was changed while it was in use"):
            next(source.blocks())


@pytest.mark.parametrize(("column", "value"), [("code", 77), ("code", -1), ("x", None)])
def test_a_cache_with_other_numbers_is_an_error(path, column, value):
    open_file(path, cache=True).close()
    place = cache_path(str(path))
    with pa.ipc.open_file(place.read_bytes()) as reader:
        schema, batches = reader.schema, [reader.get_batch(i) for i in range(reader.num_record_batches)]
    if column not in schema.names:  # of sparse rows
        return
    at = schema.get_field_index(column)
    with open_file(path, cache=True) as source:
        changed = (pa.array([value] * batches[0].num_rows, schema.field(at).type) if value is not None
                   else pa.FixedSizeListArray.from_arrays(pa.array(np.ones(batches[0].num_rows)), 1))  # fmt: skip
        columns = [changed if k == at else batches[0].column(k) for k in range(len(schema))]
        spoilt = pa.record_batch(columns, schema.names)
        with pa.OSFile(str(place), "wb") as file, pa.ipc.new_file(file, spoilt.schema) as writer:
            writer.write_batch(spoilt)
        with pytest.raises(DataError, match=r"the cache .* is damaged"):
            next(source.blocks())


def test_an_index_that_only_some_blocks_need_wide(tmp_path):
    path = tmp_path / "wide.svm"
    path.write_text("".join(f"{i % 2} 1:1 3:5\n" for i in range(3000)) + "1 3000000000:1\n")
    with open_file(path, memory=100_000, cache=True) as first, open_file(path, memory=100_000, cache=True) as second:
        assert second._cache is not None
        last = [list(source.blocks())[-1].rows for source in (first, second)]
        assert [int(rows.columns[-1]) for rows in last] == [2_999_999_999] * 2


def test_a_compressed_file_with_a_cache_still_knows_its_lines(tmp_path):
    path = tmp_path / "dense.csv.gz"
    path.write_bytes(gzip.compress(DENSE.encode()))
    open_file(path, cache=True).close()
    with open_file(path, cache=True) as source:
        assert source._cache is not None
        assert source.place(30).endswith("dense.csv.gz line 32")


def test_other_bytes_of_the_same_size_and_time_are_another_file(path):
    """Programs that copy files copy their times too."""
    open_file(path, cache=True).close()
    status, content = path.stat(), path.read_bytes()
    path.write_bytes(content[:-2] + bytes([content[-2] ^ 1]) + content[-1:])
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    with open_file(path, cache=True) as source:
        assert source._table.n_blocks > 0


def test_a_file_that_is_written_over_while_it_is_read_is_refused(path):
    with open_file(path, block_rows=10) as source:
        blocks = source.blocks()
        next(blocks)
        with path.open("r+b") as file:
            file.write(path.read_bytes()[:10])
        os.utime(path)
        with pytest.raises(DataError, match="was changed while it was read"):
            list(blocks)


def test_a_file_that_only_grows_is_read_as_it_was(path):
    with open_file(path, block_rows=10) as source:
        with path.open("ab") as file:
            file.write(path.read_bytes().splitlines(keepends=True)[-1])
        os.utime(path)
        assert sum(block.rows.n for block in source.blocks()) == source.n
