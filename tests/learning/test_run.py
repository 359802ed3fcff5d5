"""Stops, starts, ties and interrupts of a run."""

import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from sklearn.datasets import dump_svmlight_file

from rosenblatt import DataError, learn, study, trace
from rosenblatt.data import open as open_file
from rosenblatt.errors import Interrupted
from rosenblatt.learning.checkpoint import Checkpoint

W2 = ([[-2, 0], [0, -2], [-2, 2], [2, 2]], [-1, -1, 1, 1])


def test_ties_positive_stops_with_a_point_on_the_line():
    """The printed-listing variant on W2: 2 updates, w = (2, 2), and the third point's score is 0."""
    outcome = learn(*W2, bias=False, ties="positive")
    assert (outcome.n_updates, outcome.w.tolist(), outcome.converged) == (2, [2.0, 2.0], True)
    assert outcome.model.score(W2[0])[2] == 0


def test_a_zero_score_is_predicted_positive_and_trained_as_a_mistake():
    model = learn(*W2, bias=False, max_updates=1).model
    assert model.score([[0, 5]])[0] == 0
    assert model.predict([[0, 5]])[0] == 1
    assert learn([[1.0], [2.0]], [0, 1]).journal.m[0] == 0  # the first example is always a mistake


def test_limits_are_reported_by_name():
    noisy = (np.random.default_rng(0).normal(size=(50, 2)), np.arange(50) % 2)
    assert learn(*noisy, max_passes=3).stopped_by == "max_passes"
    assert learn(*noisy, max_updates=5).stopped_by == "max_updates"
    timed = learn(*noisy, max_passes=None, max_seconds=0.05, journal=False)
    assert timed.stopped_by == "max_seconds"
    assert timed.journal is None
    assert timed.n_updates == timed.updates_per_pass.sum()


def test_a_long_journal_nobody_asked_for_is_let_go_and_the_run_goes_on(monkeypatch, tmp_path):
    monkeypatch.setattr("rosenblatt.learning.drive.JOURNAL_LIMIT", 70)
    noisy = (np.random.default_rng(0).normal(size=(50, 2)), np.arange(50) % 3)
    asked, unasked = learn(*noisy, max_passes=20, journal=True), learn(*noisy, max_passes=20, threads=2)
    assert len(asked.journal) == asked.n_updates == unasked.n_updates > 200
    assert unasked.journal is None
    assert unasked.stopped_by == asked.stopped_by == "max_passes"
    np.testing.assert_array_equal(unasked.w, asked.w)
    assert len(learn(*noisy, max_updates=9).journal) == 27
    assert sum(len(ballot.step) for ballot in learn(*noisy, max_passes=20, memory="vote").model.ballots) > 200
    for passes in (10, 20):  # nor does it come back in a run that is continued
        resumed = learn(*noisy, max_passes=passes, checkpoint=Checkpoint(tmp_path / "c", resume=True))
    assert resumed.journal is None
    assert resumed.n_updates == asked.n_updates


def test_random_start_is_seeded_and_bias_free_without_bias():
    one, same, other = (learn(*W2, start="random", seed=s, max_passes=1) for s in (1, 1, 2))
    assert one.w.tolist() == same.w.tolist() != other.w.tolist()
    assert learn(*W2, start="random", seed=1, bias=False).b == 0


def test_different_starts_end_at_different_boundaries():
    ends = {tuple(learn(*W2, start="random", seed=s, bias=False).w.round(6)) for s in range(5)}
    assert len(ends) == 5


def test_weight_zero_is_shown_but_never_moves():
    outcome = learn([[1.0], [1.0], [2.0]], [0, 1, 1], weights=[0, 1, 1])
    assert outcome.converged
    assert 0 not in outcome.journal.row


def test_random_order_verifies_before_it_claims_convergence():
    rng = np.random.default_rng(5)
    for seed in range(30):
        X = rng.normal(size=(30, 2))
        y = (X @ [1.0, 2.0] > 0).astype(int)
        outcome = learn(X, y, order="random", seed=seed)
        if outcome.converged:
            assert (np.where(y == 1, 1, -1) * outcome.model.score(X) > 0).all()


INTERRUPTED = """
import numpy as np, sys, time
from rosenblatt import DataError, learn, study, trace
from rosenblatt.errors import Interrupted
X = np.random.default_rng(0).normal(size=(2000, 5))
y = np.random.default_rng(1).integers(0, CLASSES, 2000)
try:
    learn(X, y, max_passes=None, journal=False, threads=2, progress=lambda *_: print("going on", flush=True))
except Interrupted as stop:
    o = stop.outcome
    print(o.stopped_by, o.n_updates > 0, o.model.predict(X).shape, flush=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize("classes", [2, 3])
def test_ctrl_c_leaves_a_usable_outcome(classes):
    program = INTERRUPTED.replace("CLASSES", str(classes))
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "going on\n"
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=20)
    assert out.endswith("interrupted True (2000,)\n")
    assert process.returncode == 0


@pytest.mark.parametrize("place", [(ThreadPoolExecutor, "submit"), (threading.Thread, "start")])
@pytest.mark.parametrize("blocks", [False, True])
def test_ctrl_c_while_the_threads_are_given_their_work_stops_them_all(tmp_path, monkeypatch, blocks, place):
    done, pressed = getattr(*place), []

    def press_once(some, *given):
        result = done(some, *given)
        if "rosenblatt" not in repr(vars(some)) and not pressed:  # not the thread that reads ahead
            pressed.append(time.monotonic())
            signal.raise_signal(signal.SIGINT)
        return result

    monkeypatch.setattr(*place, press_once)
    chance = np.random.default_rng(0)
    X, y = chance.normal(size=(2000, 5)), chance.integers(0, 3, 2000)
    dump_svmlight_file(X, y, str(tmp_path / "t.svm"), zero_based=False)
    with open_file(tmp_path / "t.svm", block_rows=1000) as source, pytest.raises(Interrupted) as stopped:
        learn(*((source,) if blocks else (X, y)), max_passes=None, max_seconds=3, threads=3)
    assert time.monotonic() - pressed[0] < 2
    assert stopped.value.outcome.n_updates > 0


@pytest.mark.parametrize("labels", [[0, 1, 1, 0], [0, 1, 2, 0]])
def test_progress_tells_the_pass_its_updates_and_the_steps(labels):
    told = []

    def progress(*standing):
        told.append(standing)
        if len(told) == 3:
            raise KeyboardInterrupt

    order = "worst" if labels[2] == 2 else "cyclic"
    with pytest.raises(Interrupted) as stopped:
        learn([[0, 0], [0, 1], [1, 0], [1, 1]], labels, max_passes=None, order=order, progress=progress)
    outcome = stopped.value.outcome
    passes, updates, steps = zip(*told, strict=True)
    assert list(steps) == sorted(set(steps))
    assert max(steps) <= outcome.n_steps
    assert list(passes) == sorted(passes)
    assert all(0 <= some <= 12 for some in updates)


def test_whole_numbers_may_come_as_floats():
    X, y = W2
    one = learn(X, y, max_passes=3, max_updates=9, bias=False)
    for settings in (
        {"max_passes": 3.0, "max_updates": 9.0},
        {"max_passes": np.int16(3), "threads": 2.0},
        {"max_passes": 10**400},
    ):
        assert learn(X, y, bias=False, **settings).n_updates == one.n_updates
    assert len(study(X, y, bias=False, runs=5.0, threads=2.0, max_passes=9.0).updates) == 5
    assert len(trace(X, y, bias=False, max_rows=2.0).updates) == 2
    with pytest.raises(DataError, match=r"runs=2.5 must be a whole number"):
        study(X, y, runs=2.5)


def test_what_progress_raises_ends_all_machines():
    """Of several on threads the others would go on to their own ends."""
    X, y = np.random.default_rng(0).normal(size=(3000, 20)), np.arange(3000) % 4

    def told(*_):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        learn(X, y, max_passes=None, threads=2, journal=False, progress=told)
