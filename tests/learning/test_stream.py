"""Learning from a file in blocks equals learning from memory, and memory stays small."""

import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from rosenblatt import learn
from rosenblatt.data import Block, Source, as_rows
from rosenblatt.data import open as open_file
from rosenblatt.errors import DataError

JOURNAL = ("step", "row", "tau", "m", "rival")


@pytest.fixture(params=["dense", "sparse"])
def path(request, tmp_path):
    chance = np.random.default_rng(7)
    X = chance.integers(-9, 10, (300, 6))
    y = (X @ [3, -2, 1, 0, 4, -1] + chance.integers(-4, 5, 300) > 0).astype(int) + (X[:, 0] > 6)
    made = tmp_path / f"{request.param}.data"
    with made.open("w") as file:
        if request.param == "dense":
            file.write("a,b,c,d,e,f,y\n")
        for row, label in zip(X.tolist(), y.tolist(), strict=True):
            if request.param == "dense":
                file.write(",".join(map(str, [*row, label])) + "\n")
            else:
                file.write(f"{label} " + " ".join(f"{j + 1}:{v}" for j, v in enumerate(row) if v) + "\n")
    return made


def same(a, b):
    assert np.array_equal(a.w, b.w)
    assert np.array_equal(a.b, b.b)
    for count in ("converged", "n_passes", "n_updates", "n_mistakes", "n_steps", "stopped_by"):
        assert getattr(a, count) == getattr(b, count), count
    assert a.updates_per_pass.tolist() == b.updates_per_pass.tolist()
    assert np.array_equal(a.row_updates, b.row_updates)
    for column in JOURNAL:
        assert np.array_equal(getattr(a.journal, column), getattr(b.journal, column)), column


@pytest.mark.parametrize("memory", ["last", "average", "vote"])
@pytest.mark.parametrize("shape", [{"positive": 1}, {}, {"multiclass": "direct"}])
def test_file_order_in_blocks_is_the_run_in_memory(path, memory, shape):
    opening = {key: value for key, value in shape.items() if key == "positive"}
    settings = {key: value for key, value in shape.items() if key != "positive"} | {"memory": memory, "max_passes": 6}
    with open_file(path, **opening) as whole, open_file(path, block_rows=37, **opening) as cut:
        assert whole.fits
        assert not cut.fits
        a = learn(whole, **settings)
        b = learn(cut, journal=True, **settings)
        same(a, b)
        rows = whole.whole().rows
        assert np.array_equal(a.model.score(rows), b.model.score(rows))
        c = learn(*whole.read(), **settings)
        assert np.array_equal(a.journal.row, c.journal.row)


def test_a_separable_file_converges_with_the_same_counts(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(
        "a,b,y\n" + "".join(f"{i % 17},{i % 13},{int(i % 17 > i % 13)}\n" for i in range(221) if i % 17 != i % 13)
    )
    with open_file(path) as whole, open_file(path, block_rows=20) as cut:
        a, b = learn(whole), learn(cut, journal=True)
        assert a.converged
        same(a, b)
        assert learn(cut, order="shuffle").converged


@pytest.mark.parametrize("limit", [{"max_updates": 5}, {"max_updates": 40}, {"max_passes": 1}])
def test_limits_cut_the_stream_where_they_cut_the_run(path, limit):
    with open_file(path) as whole, open_file(path, block_rows=37) as cut:
        same(learn(whole, **limit), learn(cut, journal=True, **limit))


def test_a_time_limit_ends_the_stream_where_it_is(path, monkeypatch):
    clock = iter(range(10**6))  # every look takes a second
    monkeypatch.setattr("rosenblatt.learning.stream.time.monotonic", lambda: next(clock))
    with open_file(path, block_rows=37) as cut:
        outcome = learn(cut, max_seconds=4.5, max_passes=50)
    assert (outcome.stopped_by, outcome.converged) == ("max_seconds", False)
    assert 0 < outcome.n_steps < 300


def test_the_journal_replays_to_the_weights(path):
    with open_file(path, positive=1, block_rows=37) as cut:
        outcome = learn(cut, journal=True, order="shuffle", max_passes=3)
        w, b = outcome.journal.replay()
        assert np.array_equal(w, outcome.w)
        assert b == outcome.b
        assert outcome.journal.alpha().sum() == outcome.n_updates
        with pytest.raises(DataError, match="caused no update"):
            outcome.journal.rows.row(int(np.flatnonzero(outcome.row_updates == 0)[0]))


def test_larger_sources_keep_no_journal_unless_asked(path):
    with open_file(path, block_rows=37) as cut:
        assert learn(cut, max_passes=2).journal is None
        assert learn(cut, max_passes=2, memory="vote").journal is None


def test_shuffled_passes_equal_the_same_order_in_memory(path):
    with open_file(path, positive=1, block_rows=20, window=4) as cut:
        streamed = learn(cut, order="shuffle", seed=11, max_passes=1, memory="average")
        order = np.concatenate([block.number for block in cut.blocks(0, order="shuffle", seed=11)])
        whole = cut.whole()
        X = whole.rows.take(order)
        plain = learn(X, cut.classes[whole.codes[order]], max_passes=1, memory="average")
        if cut.classes.tolist() == sorted(cut.classes.tolist()):
            assert np.array_equal(streamed.w, plain.w)
        else:  # "not 1" sorts after "1": the same boundary from the other side
            assert np.array_equal(streamed.w, -plain.w)


def test_weights_of_a_column_scale_the_steps(tmp_path):
    path = tmp_path / "w.csv"
    path.write_text("a,b,w,y\n" + "".join(f"{i % 5},{i % 3},{i % 4},{i % 2}\n" for i in range(60)))
    with open_file(path, weight="w") as whole, open_file(path, weight="w", block_rows=7) as cut:
        same(learn(whole, max_passes=3), learn(cut, max_passes=3, journal=True))


@pytest.mark.parametrize("order", ["cyclic", "shuffle"])
def test_rows_of_weight_0_are_never_shown(tmp_path, order):
    lines = [f"{i % 5},{i % 3},{i % 4},{i % 2}\n" for i in range(60)]
    (tmp_path / "all.csv").write_text("a,b,w,y\n" + "".join(lines))
    (tmp_path / "some.csv").write_text("a,b,w,y\n" + "".join(line for i, line in enumerate(lines) if i % 4))
    with open_file(tmp_path / "all.csv", weight="w") as whole, open_file(tmp_path / "some.csv", weight="w") as some:
        given = {"order": order, "max_passes": 3, "memory": "average", "journal": True}
        same(learn(whole, **given), learn(some, **given))


@pytest.mark.parametrize(
    "settings", [{"order": "worst"}, {"order": "first"}, {"order": "random"}, {"memory": "pocket"}]
)
def test_what_needs_all_examples_is_refused_in_blocks_and_done_in_memory(path, settings):
    with open_file(path, block_rows=37) as cut, pytest.raises(DataError, match="in memory"):
        learn(cut, **settings)
    with open_file(path) as whole:
        assert learn(whole, max_passes=2, **settings).n_passes >= 1


def test_threads_share_the_machines_and_change_nothing(path):
    with open_file(path, block_rows=37) as cut:
        same(learn(cut, max_passes=4, journal=True), learn(cut, max_passes=4, journal=True, threads=3))


def test_anything_with_the_members_is_a_source():
    class Waves:
        classes, n, d, names, fits, fingerprint = np.array(["low", "high"]), 40, 2, None, False, "waves"

        def blocks(self, pass_number=0, *, order="cyclic", seed=0, skip=0):
            for first in range(10 * skip, 40, 10):
                number = np.arange(first, first + 10)
                X = np.column_stack([number, number % 7]).astype(float)
                yield Block(as_rows(X), (number % 7 > 3).astype(np.int32), None, number)

        def whole(self):
            raise NotImplementedError

    assert isinstance(Waves(), Source)
    assert learn(Waves(), max_passes=200).n_steps % 40 == 0


def test_sources_and_arrays_are_not_mixed_up(path):
    with open_file(path) as source, pytest.raises(DataError, match="its own weights"):
        learn(source, weights=np.ones(300))
    with pytest.raises((DataError, TypeError)):
        learn([[1.0], [2.0]])


def test_an_error_in_a_later_block_reaches_the_caller(path):
    with open_file(path, block_rows=37) as cut:
        original = cut._table.block

        def fails(i):
            if i == 3:
                raise DataError("the disk is on fire")
            return original(i)

        cut._table.block = fails
        with pytest.raises(DataError, match="on fire"):
            learn(cut)


def test_a_block_whose_weights_are_all_zero_is_no_reason_to_stop(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,w,y\n" + "".join(f"{i % 7 - 3},{int(i >= 20)},{i % 2}\n" for i in range(60)))
    with open_file(path, weight="w") as whole, open_file(path, weight="w", block_rows=10) as cut:
        same(learn(whole, max_passes=3), learn(cut, max_passes=3, journal=True))
    path.write_text("a,w,y\n" + "".join(f"{i},0,{i % 2}\n" for i in range(60)))
    with pytest.raises(DataError, match="every weight, column 'w', is zero"):
        open_file(path, weight="w", block_rows=10)


MEMORY = """
import resource, sys
import rosenblatt.data as data
from rosenblatt import learn
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
source = data.open(sys.argv[1], memory="24MB")
assert not source.fits
outcome = learn(source, order="shuffle", max_passes=2, memory="average")
print(outcome.n_steps, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1000)
"""


@pytest.mark.slow
def test_memory_stays_within_the_budget(tmp_path):
    chance = np.random.default_rng(0)
    path = tmp_path / "big.svm"
    lines = [f"{i % 2} " + " ".join(f"{j + 1}:{v:.4f}" for j, v in enumerate(chance.random(20))) for i in range(2000)]
    chunk = "\n".join(lines) + "\n"
    with path.open("w") as file:
        for _ in range(150):  # 300 000 rows, 60 MB of text, 72 MB of numbers
            file.write(chunk)
    done = subprocess.run([sys.executable, "-c", MEMORY, str(path)], capture_output=True, text=True, check=True)
    steps, grown = done.stdout.split()
    assert int(steps) == 600_000
    assert float(grown) < 40  # the budget, and what the allocator and threads hold on to


def test_progress_in_blocks_tells_the_updates_of_the_pass(path, monkeypatch):
    """With no pause between two calls, the last call of a pass knows all its updates."""
    monkeypatch.setattr("rosenblatt.learning.stream.PERIOD", 0.0)
    told = []
    with open_file(path, block_rows=37, positive=1) as source:
        outcome = learn(source, max_passes=3, progress=lambda *standing: told.append(standing))
    last = {n_pass: n_updates for n_pass, n_updates, _ in told}
    assert list(last.values()) == outcome.updates_per_pass.tolist()
    assert told[-1][2] == outcome.n_steps


INTERRUPTED = """
import sys
import rosenblatt.data
from rosenblatt import learn
from rosenblatt.errors import Interrupted
source = rosenblatt.data.open(sys.argv[1], block_rows=2000)
try:
    learn(source, threads=3, max_passes=None, journal=True, progress=lambda *_: print("going on", flush=True))
except Interrupted as stop:
    print(stop.outcome.stopped_by, len(stop.outcome.journal) == stop.outcome.n_updates > 0)
"""


@pytest.mark.slow
@pytest.mark.parametrize("wait", [0, 0.12, 0.24])
def test_ctrl_c_in_a_stream_with_threads_leaves_a_usable_outcome(tmp_path, wait):
    chance = np.random.default_rng(0)
    lines = (
        f"{k} " + " ".join(f"{j + 1}:{v:.3f}" for j, v in enumerate(x))
        for k, x in zip(chance.integers(0, 4, 8000), chance.normal(size=(8000, 8)), strict=True)
    )
    (tmp_path / "t.svm").write_text("\n".join(lines) + "\n")
    command = [sys.executable, "-c", INTERRUPTED, str(tmp_path / "t.svm")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "going on\n"
    time.sleep(wait)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=20)
    assert out.endswith("interrupted True\n")
