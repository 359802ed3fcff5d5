"""Checkpoints: whatever moment a run is killed at, resuming ends in the identical model."""

import json
import os
import random
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from rosenblatt import learn
from rosenblatt.data import as_rows
from rosenblatt.data import open as open_file
from rosenblatt.errors import DataError
from rosenblatt.learning import Checkpoint
from rosenblatt.learning.checkpoint import read_checkpoint
from rosenblatt.learning.drive import make_learners
from rosenblatt.learning.plan import Plan, start_vectors
from rosenblatt.learning.policy import Order, Rule
from tests.learning.test_stream import same

chance = np.random.default_rng(3)
X = chance.normal(size=(80, 5))
y = chance.integers(0, 3, 80)
VARIANTS = [
    {"order": "cyclic"},
    {"order": "shuffle", "seed": 5},
    {"order": "random", "seed": 5},
    {"order": "worst"},
    {"memory": "average", "order": "shuffle"},
    {"memory": "vote"},
    {"memory": "pocket"},
    {"multiclass": "direct"},
    {"threads": 2},
]


@pytest.mark.parametrize("settings", VARIANTS, ids=str)
@pytest.mark.parametrize("labels", [y, y > 0], ids=["three classes", "two classes"])
def test_a_run_cut_into_pieces_is_the_run(tmp_path, settings, labels):
    whole = learn(X, labels, max_passes=12, **settings)
    for limit in ({"max_passes": 3}, {"max_passes": 7}, {"max_passes": 12}):
        pieces = learn(X, labels, checkpoint=Checkpoint(tmp_path / "c", resume=True), **limit, **settings)
    same(whole, pieces)
    if settings.get("memory") == "pocket":
        assert np.array_equal(whole.pocket_errors, pieces.pocket_errors)
    rows = np.ascontiguousarray(X)
    assert np.array_equal(whole.model.score(rows), pieces.model.score(rows))


def test_a_run_stopped_in_the_middle_of_a_pass_goes_on_there(tmp_path):
    n = 200_000
    big, labels = chance.normal(size=(n, 8)), chance.integers(0, 2, n)
    settings = {"order": "shuffle", "memory": "average", "max_passes": 4, "journal": False}
    whole = learn(big, labels, **settings)
    for _ in range(200):
        cut = learn(big, labels, max_seconds=0.02, checkpoint=Checkpoint(tmp_path / "c", resume=True), **settings)
        if cut.stopped_by == "max_passes":
            break
    assert np.array_equal(cut.w, whole.w)
    assert (cut.n_steps, cut.n_updates) == (whole.n_steps, whole.n_updates)


def test_a_finished_run_resumes_to_itself(tmp_path):
    separable = (X[:, 0] > 0) & (np.abs(X[:, 0]) > 0.01)
    first = learn(X, separable, checkpoint=Checkpoint(tmp_path / "c"))
    again = learn(X, separable, checkpoint=Checkpoint(tmp_path / "c", resume=True))
    assert first.converged
    same(first, again)


def test_without_a_file_resuming_starts_at_the_beginning(tmp_path):
    same(learn(X, y, max_passes=3), learn(X, y, max_passes=3, checkpoint=Checkpoint(tmp_path / "none", resume=True)))


@pytest.fixture
def path(tmp_path):
    made = tmp_path / "t.csv"
    rows = [",".join(f"{v:.3f}" for v in row) + f",{label}" for row, label in zip(X, y, strict=True)]
    made.write_text("a,b,c,d,e,y\n" + "\n".join(rows) + "\n")
    return made


@pytest.mark.parametrize(
    "settings", [{"order": "cyclic"}, {"order": "shuffle", "memory": "average"}, {"memory": "vote"}], ids=str
)
def test_a_stream_cut_into_pieces_is_the_stream(tmp_path, path, settings):
    with open_file(path, block_rows=9) as source:
        whole = learn(source, max_passes=9, journal=True, **settings)
        for limit in (2, 5, 9):
            checkpoint = Checkpoint(tmp_path / "c", every=0, resume=True)
            pieces = learn(source, max_passes=limit, journal=True, checkpoint=checkpoint, **settings)
    same(whole, pieces)
    assert pieces.journal.rows.numbers.tolist() == whole.journal.rows.numbers.tolist()  # each row is kept once


def test_a_stream_stopped_at_any_update_goes_on(tmp_path, path, monkeypatch):
    with open_file(path, block_rows=9, positive=1) as source:
        whole = learn(source, max_passes=6, journal=True, order="shuffle")
        from rosenblatt.learning import stream

        clock = iter(range(10**6))
        monkeypatch.setattr(stream.time, "monotonic", lambda: next(clock))
        for _ in range(500):  # every slice of work is followed by a stop: each block is left and entered again
            checkpoint = Checkpoint(tmp_path / "c", resume=True)
            pieces = learn(source, max_passes=6, max_seconds=1, journal=True, order="shuffle", checkpoint=checkpoint)
            if pieces.stopped_by != "max_seconds":
                break
    same(whole, pieces)


def test_other_examples_or_settings_are_refused(tmp_path, path):
    place = tmp_path / "c"
    learn(X, y, max_passes=2, checkpoint=Checkpoint(place))
    with pytest.raises(DataError, match="other examples"):
        learn(X + 1, y, checkpoint=Checkpoint(place, resume=True))
    with pytest.raises(DataError, match="other examples, another start"):
        learn(X, y, start="random", checkpoint=Checkpoint(place, resume=True))
    with pytest.raises(DataError, match=r"saved with margin=0.0; this run has margin=1.0"):
        learn(X, y, margin=1.0, checkpoint=Checkpoint(place, resume=True))
    with open_file(path, block_rows=9) as source, pytest.raises(DataError):
        learn(source, journal=True, checkpoint=Checkpoint(place, resume=True))


def test_damaged_files_are_refused_clearly(tmp_path):
    place = tmp_path / "c"
    learn(X, y, max_passes=2, checkpoint=Checkpoint(place))
    data = place.read_bytes()
    shuffled = random.Random(0)
    refused = 0
    for _ in range(600):
        broken = bytearray(data)
        if shuffled.random() < 0.3:
            broken = broken[: shuffled.randrange(len(broken))]
        else:
            broken[shuffled.randrange(len(broken))] ^= 1 << shuffled.randrange(8)
        place.write_bytes(broken)
        try:
            found = read_checkpoint(place)
        except DataError:
            refused += 1
        else:
            json.dumps(found.meta)  # a bit outside the checked content: what was read is whole
    assert refused > 400
    place.write_bytes(b"")
    with pytest.raises(DataError, match="no checkpoint"):
        learn(X, y, checkpoint=Checkpoint(place, resume=True))


def changed(place, **meta):
    """Change a number of the first learner's state, or a part of the JSON, of a checkpoint."""
    with np.load(place) as archive:
        arrays = {key: archive[key] for key in archive.files}
    told = json.loads(arrays["meta"].tobytes())
    scalars = meta.pop("scalars", {})
    for at, value in scalars.items():
        arrays["learner0.scalars"][at] = value
    if scalars:
        arrays["learner0.permutation"] = np.zeros(0, dtype=np.int32)
    arrays["meta"] = np.frombuffer(json.dumps(told | meta).encode(), dtype=np.uint8)
    with place.open("wb") as file:
        np.savez(file, **arrays)


@pytest.mark.parametrize("order", ["cyclic", "shuffle"])
@pytest.mark.parametrize(
    "harm",
    [{"scalars": {4: 0, 5: 1}}, {"scalars": {5: 1}}, {"plan": []}, {"position": []}, {"position": {"reasons": 1}},
     {"learners": 10**9}],
    ids=str,
)  # fmt: skip
def test_a_place_that_cannot_be_is_refused(tmp_path, order, harm):
    place = tmp_path / "c"
    learn(X, y, max_passes=2, order=order, checkpoint=Checkpoint(place))
    changed(place, **{key: dict(value) if isinstance(value, dict) else value for key, value in harm.items()})
    with pytest.raises(DataError, match="damaged"):
        learn(X, y, order=order, checkpoint=Checkpoint(place, resume=True))


@pytest.mark.parametrize(
    "harm", [{"pass_number": None}, {"block": "x"}, {"block": -1}, {"within": 2}, {"stopped_by": None}], ids=str
)
def test_a_place_in_a_stream_that_cannot_be_is_refused(tmp_path, path, harm):
    place = tmp_path / "c"
    with open_file(path, block_rows=9) as source:
        learn(source, max_passes=2, checkpoint=Checkpoint(place))
        told = json.loads(np.load(place)["meta"].tobytes())["position"]
        changed(place, position=told | harm)
        with pytest.raises(DataError, match="damaged"):
            learn(source, checkpoint=Checkpoint(place, resume=True))


@pytest.mark.parametrize(
    "harm",
    [("journal0.row", lambda a: a + 10**6), ("journal0.row", lambda a: a.reshape(-1, 1)),
     ("journal0.units", lambda a: a[:-1]), ("journal0.m", lambda a: a.astype(str)), ("numbers", lambda a: a + 10**6),
     ("codes", lambda a: a.astype(float))],
    ids=lambda harm: harm[0],
)  # fmt: skip
def test_a_journal_of_a_stream_that_cannot_be_is_refused(tmp_path, path, harm):
    place, (name, change) = tmp_path / "c", harm
    with open_file(path, block_rows=9) as source:
        learn(source, max_passes=2, journal=True, checkpoint=Checkpoint(place))
        arrays = dict(np.load(place))
        arrays[f"extra.{name}"] = change(arrays[f"extra.{name}"])
        with place.open("wb") as file:
            np.savez(file, **arrays)
        with pytest.raises(DataError, match="damaged"):
            learn(source, journal=True, checkpoint=Checkpoint(place, resume=True))


def test_a_bracket_left_open_in_the_head_of_an_array_is_damage(tmp_path):
    """The head of an array larger than the buffer is read before its checksum."""
    rng, place = np.random.default_rng(0), tmp_path / "c"
    X, y = rng.normal(size=(2000, 3)), rng.integers(0, 2, 2000)
    learn(X, y, max_passes=3, checkpoint=Checkpoint(place))
    content = bytearray(place.read_bytes())
    head = content.index(b"NUMPY", content.index(b"learner0.row.npy"))
    content[content.index(b"}", head)] = ord("(")
    place.write_bytes(content)
    with pytest.raises(DataError, match="is no checkpoint, or it is damaged"):
        learn(X, y, max_passes=4, checkpoint=Checkpoint(place, resume=True))


def test_a_pass_that_has_ended_wants_its_next_block():
    plan = Plan(1, 2, Rule(), Order("shuffle", 0))
    (learner,) = make_learners(plan, start_vectors(None, plan))
    rows = as_rows([[1.0], [2.0]])
    learner.bind(rows.examples(), np.array([0, 1], dtype=np.int32), None, blocks=True)
    learner.run(1.0, 9, 9)
    learner.end_pass()
    with pytest.raises(ValueError, match="bind its next block first"):
        learner.run(1.0, 9, 9)


def test_wrong_intervals_are_refused(tmp_path):
    with pytest.raises(DataError, match="every=-1"):
        Checkpoint(tmp_path / "c", every=-1)


RUN = """
import sys
import numpy as np
import rosenblatt.data as data
from rosenblatt import learn
from rosenblatt.learning import Checkpoint
kind, file, place, out = sys.argv[1:]
checkpoint = None if place == "-" else Checkpoint(place, every=0.05, resume=True)
settings = dict(order="shuffle", seed=2, memory="average", max_passes=120 if kind == "stream" else 2000, journal=False, checkpoint=checkpoint)
if kind == "stream":
    outcome = learn(data.open(file, block_rows=2000), **settings)
else:
    outcome = learn(*data.open(file).read(), **settings)
np.savez(out, w=outcome.w, b=outcome.b, counts=[outcome.n_updates, outcome.n_steps, outcome.n_passes])
"""


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["memory", "stream"])
def test_killed_runs_resume_to_the_identical_model(tmp_path, kind):
    chance = np.random.default_rng(1)
    file = tmp_path / "t.svm"
    rows = chance.normal(size=(16_000, 8))
    labels = chance.integers(0, 2, 16_000)
    lines = (
        f"{label} " + " ".join(f"{j + 1}:{v:.3f}" for j, v in enumerate(row))
        for row, label in zip(rows, labels, strict=True)
    )
    file.write_text("\n".join(lines) + "\n")

    def start(place, out):
        return subprocess.Popen([sys.executable, "-c", RUN, kind, str(file), str(place), str(out)])

    def stamp():
        return (tmp_path / "c").stat().st_mtime_ns if (tmp_path / "c").exists() else 0

    assert start("-", tmp_path / "whole.npz").wait() == 0
    moments, kills = random.Random(4), 0
    for _ in range(4):
        before, run = stamp(), start(tmp_path / "c", tmp_path / "resumed.npz")
        while run.poll() is None and stamp() == before:
            time.sleep(0.005)
        time.sleep(moments.random() * 0.15)
        if run.poll() is None:
            os.kill(run.pid, signal.SIGKILL)
            kills += 1
        run.wait()
    assert kills >= 2
    assert start(tmp_path / "c", tmp_path / "resumed.npz").wait() == 0
    whole, resumed = np.load(tmp_path / "whole.npz"), np.load(tmp_path / "resumed.npz")
    for key in ("w", "b", "counts"):
        assert np.array_equal(whole[key], resumed[key])


def test_a_state_goes_back_to_the_learner_of_the_same_classes_only():
    plan = Plan(3, 4, Rule(), Order("cyclic", 0))
    some, others = make_learners(plan, start_vectors(None, plan), threads=2)
    with pytest.raises(ValueError, match="another learner"):
        others.restore(some.state())
    some.restore(some.state())


def test_more_updates_may_be_asked_for(tmp_path):
    X, y = [[9], [11]], [0, 1]
    path = tmp_path / "run"
    assert learn(X, y, max_updates=50, checkpoint=Checkpoint(path)).stopped_by == "max_updates"
    assert learn(X, y, max_updates=50, checkpoint=Checkpoint(path, resume=True)).n_updates == 50
    rest, plain = learn(X, y, checkpoint=Checkpoint(path, resume=True)), learn(X, y)
    assert (rest.n_updates, rest.stopped_by, rest.w.tolist()) == (plain.n_updates, "clean_pass", plain.w.tolist())
    assert rest.journal.row.tolist() == plain.journal.row.tolist()


def test_machines_that_stopped_at_their_own_places_cannot_go_on(tmp_path):
    X, y, path = [[9], [11], [15]], [0, 1, 2], tmp_path / "run"
    learn(X, y, max_updates=50, checkpoint=Checkpoint(path))
    with pytest.raises(DataError, match="3 classes stopped at 50 updates each, every one at its own place"):
        learn(X, y, max_updates=500, checkpoint=Checkpoint(path, resume=True))


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_why_it_stopped_does_not_depend_on_threads(threads):
    outcome = learn([[-1], [-1], [1]], [0, 1, 2], max_updates=3, threads=threads)
    assert (outcome.stopped_by, outcome.converged) == ("max_updates", False)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_of_two_limits_that_were_met_the_passes_are_told(threads):
    outcome = learn([[-2], [0], [0]], [1, 2, 0], max_passes=2, max_updates=5, threads=threads)
    assert outcome.stopped_by == "max_passes"


@pytest.mark.parametrize("block_rows", [None, 3])
def test_why_it_stopped_does_not_depend_on_the_stream(tmp_path, block_rows):
    """One machine has a clean pass when the others have made all their updates: no run that converged."""
    file = tmp_path / "t.csv"
    file.write_text(
        "x,label\n" + "".join(f"{x},{label}\n" for x, label in zip([-9, 0, 1, 2, 0, 2, 1, -9], "abcbcbca", strict=True))
    )
    memory = {} if block_rows is None else {"memory": 1, "block_rows": block_rows}
    with open_file(file, **memory) as source:
        outcome = learn(source, max_passes=50, max_updates=10)
    assert (outcome.stopped_by, outcome.converged) == ("max_updates", False)


def test_a_run_with_more_updates_than_it_is_allowed_now_stops_at_once(tmp_path):
    path, X, y = tmp_path / "run", [[1, 0], [1, 0]], [0, 1]
    assert learn(X, y, max_passes=5, checkpoint=Checkpoint(path)).n_updates == 10
    found = learn(X, y, max_updates=3, checkpoint=Checkpoint(path, resume=True))
    assert (found.n_updates, found.n_passes, found.stopped_by) == (10, 5, "max_updates")
    found = learn(X, y, max_updates=12, checkpoint=Checkpoint(path, resume=True))
    assert (found.n_updates, found.n_passes, found.stopped_by) == (12, 6, "max_updates")
