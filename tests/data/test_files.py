"""Files as bytes: compressed, piped, damaged, missing, forbidden; and files that are written whole or not at all."""

import bz2
import gzip
import lzma
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from rosenblatt import learn
from rosenblatt.data import open as open_file
from rosenblatt.data.bytefile import ByteFile
from rosenblatt.data.files import write_atomically
from rosenblatt.data.prefetch import made_ahead
from rosenblatt.data.settings import parse_size
from rosenblatt.errors import DataError

TABLE = "a,b,kind\n" + "".join(f"{i},{i % 7},{'yes' if i % 2 else 'no'}\n" for i in range(200))


def zstd(data: bytes) -> bytes:
    pa = pytest.importorskip("pyarrow")
    return pa.compress(data, codec="zstd", asbytes=True)


PACKERS = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress, "zst": zstd}


@pytest.mark.parametrize("kind", PACKERS)
def test_compressed_tables_read_like_plain_ones(tmp_path, kind):
    (tmp_path / "t.csv").write_text(TABLE)
    (tmp_path / f"t.csv.{kind}").write_bytes(PACKERS[kind](TABLE.encode()))
    with open_file(tmp_path / "t.csv") as plain, open_file(tmp_path / f"t.csv.{kind}") as packed:
        assert np.array_equal(plain.read()[0].values, packed.read()[0].values)
        assert plain.names == packed.names == ("a", "b")


@pytest.mark.parametrize("kind", PACKERS)
def test_compression_is_found_by_content_not_by_name(tmp_path, kind):
    (tmp_path / "t.csv").write_bytes(PACKERS[kind](TABLE.encode()))
    with open_file(tmp_path / "t.csv") as source:
        assert source.n == 200


@pytest.mark.parametrize("kind", PACKERS)
def test_cut_compressed_files_are_named_as_damaged(tmp_path, kind):
    noise = np.random.default_rng(0).integers(0, 10**9, 40_000)
    data = PACKERS[kind](("a,kind\n" + "".join(f"{x},{x % 2}\n" for x in noise)).encode())
    path = tmp_path / f"cut.csv.{kind}"
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(DataError, match=r"cut\.csv.* is damaged or cut short"):
        open_file(path)


def test_streams_of_blocks_work_on_compressed_files(tmp_path):
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(TABLE.encode()))
    with open_file(path, block_rows=30) as source:
        first = np.concatenate([block.rows.values for block in source.blocks()])
        again = np.concatenate([block.rows.values for block in source.blocks()])
        assert np.array_equal(first, again)
        assert len(first) == 200


def test_standard_input_and_pipes_are_read(tmp_path):
    script = (
        "import rosenblatt.data as d; s = d.open('-', block_rows=50); print(s.n, sum(b.rows.n for b in s.blocks()))"
    )
    done = subprocess.run([sys.executable, "-c", script], input=TABLE, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["200", "200"]


def test_a_named_pipe_is_read(tmp_path):
    fifo = tmp_path / "pipe"
    os.mkfifo(fifo)
    writer = subprocess.Popen([sys.executable, "-c", f"open({str(fifo)!r}, 'w').write({TABLE!r})"])
    with open_file(fifo) as source:
        assert source.n == 200
    writer.wait()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda p: None, "there is no file"),
        (lambda p: p.mkdir(), "is a directory"),
        (lambda p: p.write_bytes(b""), "is empty"),
        (lambda p: p.write_bytes(gzip.compress(b"")), "is empty"),
        (lambda p: p.write_bytes(b"\xff\xfea\0,\0b\0\n\0"), "UTF-16"),
        (lambda p: p.write_bytes(b"a,b\r1,2\r3,4\r"), "carriage returns"),
        (lambda p: p.write_bytes(b"a,kind\n1,x\n2,na\xefve\n"), r"line 3, byte 5: 0xef is not UTF-8"),
        (lambda p: p.write_bytes(b"a,kind\n"), "no rows"),
        (lambda p: p.write_bytes(b"abc"), "delimiter"),
    ],
)
def test_unreadable_files_are_refused_by_name_with_a_reason(tmp_path, make, message):
    path = tmp_path / "t.csv"
    make(path)
    with pytest.raises(DataError, match=message) as caught:
        open_file(path)
    assert "t.csv" in str(caught.value)


def test_a_missing_file_suggests_its_neighbour(tmp_path):
    (tmp_path / "iris.csv").write_text(TABLE)
    with pytest.raises(DataError, match=r"Did you mean .*iris\.csv"):
        open_file(tmp_path / "irs.csv")


@pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX systems")
def test_a_forbidden_file_is_named(tmp_path):
    path = tmp_path / "secret.csv"
    path.write_text(TABLE)
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read everything")
    with pytest.raises(DataError, match=r"secret\.csv may not be read"):
        open_file(path)


def test_absurdly_long_lines_are_refused_without_reading_them_whole(tmp_path):
    path = tmp_path / "long.csv"
    with path.open("wb") as file:
        file.write(b"a,kind\n")
        for _ in range(30):
            file.write(b"1" * (1 << 20))
    with pytest.raises(DataError, match=r"line 2 is longer than"):
        open_file(path, memory="16MB")


def test_a_quote_that_never_closes_is_refused(tmp_path):
    path = tmp_path / "open.csv"
    path.write_text('a,kind\n1,"yes\n' + "2,no\n" * 10)
    with pytest.raises(DataError, match="line 2"):
        open_file(path, quotes=True)


def test_a_file_that_shrinks_while_it_is_read_is_an_error_not_a_crash(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(TABLE)
    with open_file(path, block_rows=20) as source:
        path.write_text("a,b,kind\n")
        with pytest.raises(DataError, match="shorter"):
            list(source.blocks())


def test_sizes_are_read_and_nonsense_refused():
    assert parse_size("2 GB") == 2 * 10**9
    for wrong in ("", "GB", "-1MB", "0", "many", True, 1.5e300):
        with pytest.raises(DataError, match="is not a size"):
            parse_size(wrong)


def test_an_interrupted_write_leaves_the_old_file(tmp_path):
    path = tmp_path / "model"
    path.write_bytes(b"old")

    def fail(file):
        file.write(b"half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_atomically(path, fail)
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["model"]


def test_leftovers_of_killed_writers_are_removed(tmp_path):
    path = tmp_path / "model"
    script = (
        "import os, signal; from rosenblatt.data.files import write_atomically;"
        f"write_atomically({str(path)!r}, lambda f: os.kill(os.getpid(), signal.SIGKILL))"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == -9
    assert len(list(tmp_path.iterdir())) == 1
    write_atomically(path, lambda file: None)
    assert [p.name for p in tmp_path.iterdir()] == ["model"]


def test_writing_where_one_cannot_is_a_clear_error(tmp_path):
    with pytest.raises(DataError, match="cannot write"):
        write_atomically(tmp_path / "no" / "folder", lambda file: None)
    with pytest.raises(DataError, match="is a directory"):
        write_atomically(tmp_path, lambda file: None)


def test_a_full_disk_is_a_clear_error_and_leaves_nothing():
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")

    def fill(file):
        with open("/dev/full", "wb", buffering=0) as full:
            full.write(b"x")

    folder = Path.cwd()
    with pytest.raises(DataError, match="No space left"):
        write_atomically(folder / "never-there", fill)
    assert not (folder / "never-there").exists()


def test_bytes_can_be_read_again_only_if_asked_for(tmp_path):
    path = tmp_path / "t.gz"
    path.write_bytes(gzip.compress(b"hello world"))
    file = ByteFile(path)
    assert file.read(5) == b"hello"
    with pytest.raises(DataError, match="only once"):
        file.keep()
    file.close()


def test_line_numbers_hold_in_compressed_files_and_in_later_blocks(tmp_path):
    text = "x,y,label\n" + "".join(f"{i},{i * 2},{'ab'[i % 2]}\n" for i in range(5000))
    plain, packed = tmp_path / "t.csv", tmp_path / "t.csv.gz"
    plain.write_text(text)
    packed.write_bytes(gzip.compress(text.encode()))
    for path in (plain, packed):
        source = open_file(path, target="label", memory="1MB")
        assert "line 2" in source.place(0), path
        assert "line 4002" in source.place(4000), path


def test_an_error_late_in_a_large_file_is_told_without_reading_the_file_again_for_every_row(tmp_path, monkeypatch):
    path = tmp_path / "late.csv"
    path.write_text("x,label\n" + "1,a\n2,b\n" * 20_000 + "oops,a\n")
    reads = []
    read_at = ByteFile.read_at
    monkeypatch.setattr(ByteFile, "read_at", lambda self, *place: reads.append(place) or read_at(self, *place))
    with pytest.raises(DataError, match=r"late.csv line 40002, column x: 'oops' is not a number"):
        open_file(path, target="label", memory="1MB")
    assert len(reads) < 20


def test_what_was_read_before_a_damage_comes_before_the_error():
    def items():
        yield from range(5)
        raise OSError("damaged")

    made = made_ahead(lambda i: i + 1, items())
    assert [next(made) for _ in range(5)] == [1, 2, 3, 4, 5]
    with pytest.raises(OSError, match="damaged"):
        next(made)


def test_every_item_is_made_once_by_whichever_thread_is_free(monkeypatch):
    monkeypatch.setattr("rosenblatt.data.prefetch.cores", lambda: 3)
    made_by = []

    def make(i):
        made_by.append((i, threading.current_thread() is threading.main_thread()))
        time.sleep(0.002 * (i % 3))
        return -i

    assert list(made_ahead(make, range(40))) == [-i for i in range(40)]
    assert sorted(i for i, _ in made_by) == list(range(40))
    assert {here for _, here in made_by} == {True, False}


@pytest.mark.parametrize("bad", range(9))
def test_an_error_comes_in_its_turn_from_any_thread(bad):
    def make(i):
        if i == bad:
            raise ValueError("bad item")
        return i

    made = made_ahead(make, range(9))
    assert [next(made) for _ in range(bad)] == list(range(bad))
    with pytest.raises(ValueError, match="bad item"):
        next(made)


def test_a_look_at_the_first_rows_does_not_cut_the_next_reading_short(tmp_path):
    path = tmp_path / "many.csv"
    path.write_text("x,label\n" + "1,a\n2,b\n" * 20_000)
    source = open_file(path, target="label", memory="1MB")
    next(source._table.scan())
    assert source._table.n_blocks == 0  # not all of them are known
    assert sum(batch.n for batch in source.batches()) == 40_000


def test_fractions_in_a_file_are_levels_and_a_note_says_so(tmp_path):
    path = tmp_path / "f.csv"
    path.write_text("x1,x2,y\n1/3,2,no\n-1/3,1,yes\n1/7,2,no\n")
    with open_file(path, target="y") as source:
        assert any("column x1 holds fractions such as -1/3" in note for note in source.notes)


def test_an_index_far_too_large_is_explained(tmp_path):
    path = tmp_path / "far.svm"
    path.write_text("1 1:1\n-1 99999999999999:1\n")
    with open_file(path) as source, pytest.raises(DataError, match="one index of the data is far too large"):
        learn(source)
