"""A study is many single runs, the same on any number of threads."""

import signal
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import DataError, mistake_bound, study
from rosenblatt.datasets import make_noisy, make_separable, neither, w2, w3, xor
from rosenblatt.errors import Interrupted
from rosenblatt.theory.best import Best
from rosenblatt.theory.studying.design import run_seeds

VARIED = ("order", "start", "rate", "margin", "scale", "flip")


def assert_equals_single_runs(found):
    for i in range(len(found)):
        outcome = found.rerun(i)
        assert (found.updates[i], found.passes[i], found.steps[i], found.mistakes[i]) == (
            outcome.n_updates,
            outcome.n_passes,
            outcome.n_steps,
            outcome.n_mistakes,
        )
        assert (found.converged[i], found.stopped_by[i]) == (outcome.converged, outcome.stopped_by)
        np.testing.assert_array_equal(found.w[i], outcome.model.w)
        assert found.b[i] == outcome.model.b


@pytest.mark.property
@settings(max_examples=40)
@given(
    vary=st.sets(st.sampled_from(VARIED)),
    memory=st.sampled_from(["last", "average", "pocket"]),
    order=st.sampled_from(["shuffle", "shuffle_once", "random", "cyclic", "first", "worst"]),
    bias=st.booleans(),
    limit=st.sampled_from([None, 5]),
    seed=st.integers(0, 2**64 - 1),
)
def test_every_run_equals_the_single_run_with_its_settings(vary, memory, order, bias, limit, seed):
    data = make_noisy(20, 3, gamma=0.1, flip=0.1, seed=seed % 1000, bias=False)
    order = "shuffle" if "order" in vary and order in ("cyclic", "first", "worst") else order
    vary = sorted(vary)
    weights = np.arange(20) % 3 if seed % 2 else None
    options = {"order": order, "bias": bias, "max_passes": 6, "max_updates": limit, "weights": weights}
    found = study(*data, runs=12, vary=vary, memory=memory, seed=seed, threads=2, **options)
    assert_equals_single_runs(found)


def test_pocket_and_ties_reach_the_runs():
    assert_equals_single_runs(study(*w2(), runs=8, bias=False, ties="positive"))
    found = study(*neither(), runs=10, memory="pocket", max_passes=30)
    assert found.errors.tolist() == [int(found.rerun(i).pocket_errors[0]) for i in range(10)]


def test_result_does_not_depend_on_threads_or_on_how_many_runs_follow():
    data = make_separable(50, 30, gamma=0.05, seed=1)
    one, four = (study(*data, runs=300, vary=("order", "start"), threads=t, bias=False) for t in (1, 4))
    few = [study(*data, runs=runs, vary=("order", "start"), bias=False) for runs in (1, 2, 3, 41)]
    for name in ("updates", "passes", "mistakes", "steps", "w", "b", "final_margin", "angle", "bound"):
        np.testing.assert_array_equal(getattr(one, name), getattr(four, name))
        for fewer in few:
            np.testing.assert_array_equal(getattr(fewer, name), getattr(one, name)[: len(fewer)])


def test_one_thing_to_vary_may_be_named_alone():
    assert study(*w3(), runs=3, vary="order").updates.tolist() == study(*w3(), runs=3).updates.tolist()
    with pytest.raises(DataError, match="vary names 'orders'; choose from 'order'"):
        study(*w3(), runs=3, vary="orders")


def test_seeds_differ_and_come_from_the_seed_alone():
    assert len(set(run_seeds(0, 10_000).tolist())) == 10_000
    assert run_seeds(5, 100)[:10].tolist() == run_seeds(5, 10).tolist()


def test_lists_of_values_are_spread_evenly_in_all_combinations():
    found = study(*w3(), runs=60, vary=("order", "rate", "margin"), rates=(0.5, 1, 2), margins=(0, 1))
    pairs, counts = np.unique(np.column_stack([found.design.rate, found.design.margin]), axis=0, return_counts=True)
    assert len(pairs) == 6
    assert counts.tolist() == [10] * 6


def test_rate_is_without_effect_from_zero_and_the_scale_of_a_feature_is_not():
    data = make_separable(40, 2, gamma=0.05, seed=6)
    found = study(*data, runs=5, vary=("rate",), rates=(0.5, 1, 2, 4, 8), bias=False)
    assert len(set(found.updates.tolist())) == 1
    found = study(*data, runs=2, vary=("scale",), scales=(1.0, [1.0, 50.0]), bias=False, max_passes=None)
    assert len(set(found.updates.tolist())) == 2


def test_given_starts_are_used_as_they_are():
    found = study(*w2(), runs=3, vary=("start",), starts=[((0, 0), 0), ((2, 4), 0), ((-5, 1), 0)], bias=False)
    assert found.updates.tolist()[:2] == [4, 0]
    assert found.w[1].tolist() == [2, 4]
    assert_equals_single_runs(found)


@pytest.mark.property
@settings(max_examples=25)
@given(seed=st.integers(0, 2**32), bias=st.booleans())
def test_no_run_exceeds_its_bound_over_starts_rates_and_margins(seed, bias):
    data = make_separable(15, 2, gamma=0.5, R=2.0, seed=seed, bias=bias)
    vary = ("order", "start", "rate", "margin")
    found = study(*data, runs=60, vary=vary, seed=seed, bias=bias, max_passes=None, threads=1)
    w, b = data.u
    found = replace(found, best=(Best(w, b, data.gamma, data.R),))
    assert found.converged.all()
    assert (found.updates <= found.bound).all()
    plain = study(*data, runs=5, bias=bias)
    plain = replace(plain, best=found.best)
    np.testing.assert_allclose(plain.bound, data.bound, rtol=1e-12)


def test_summary_histogram_and_tables_agree_with_the_columns():
    found = study(*make_separable(30, 2, gamma=0.05, seed=2), runs=500, bias=False)
    summary = found.summary()
    assert (summary.minimum, summary.maximum) == (found.updates.min(), found.updates.max())
    assert summary.mean == pytest.approx(found.updates.mean())
    assert sum(count for _, _, count in found.histogram()) == 500
    frame = found.to_pandas()
    assert frame["updates"].tolist() == found.updates.tolist()
    assert found.to_arrow().num_rows == 500
    assert "not converged: 0" in repr(found)
    assert "<pre>" in found._repr_html_()
    margins = found.final_margin
    m = np.where(found.codes == 1, 1, -1)[:, None] * (found.rows.dense() @ found.w.T)
    np.testing.assert_allclose(margins, m.min(axis=0) / np.linalg.norm(found.w, axis=1), rtol=1e-9)
    assert (found.spread >= 0).all()


def test_data_that_cannot_converge_are_reported():
    found = study(*xor(), runs=50, max_passes=20)
    assert not found.converged.any()
    assert (found.final_margin == -np.inf).all()
    assert "not converged: 50" in repr(found)
    flipped = study(*make_separable(40, 2, gamma=0.1), runs=40, vary=("order", "flip"), bias=False, max_passes=50)
    assert str(flipped.by("flip")).splitlines()[1].startswith("0 ")
    assert flipped.converged[flipped.design.flip == 0].all()


def test_progress_is_told_and_ctrl_c_keeps_what_was_finished():
    told = []
    study(*w2(), runs=400, bias=False, progress=lambda done, runs: told.append((done, runs)))
    assert told[-1] == (400, 400)

    def impatient(done, runs):
        raise KeyboardInterrupt

    with pytest.raises(Interrupted) as caught:
        study(*w2(), runs=400, bias=False, threads=1, progress=impatient)
    partial = caught.value.outcome
    assert 0 < len(partial) < 400
    assert_equals_single_runs(partial)


NEVER_ENDING = """
from rosenblatt import datasets, study
from rosenblatt.errors import Interrupted
print("ready", flush=True)
try:
    study(*datasets.xor(), runs=4, max_passes=None)
except Interrupted as stop:
    print(len(stop.outcome), flush=True)
"""


@pytest.mark.slow
def test_ctrl_c_reaches_runs_that_never_end():
    process = subprocess.Popen([sys.executable, "-c", NEVER_ENDING], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert out == "0\n"


def test_bad_wishes_are_refused():
    data = w2()
    with pytest.raises(DataError, match="vary names 'colour'"):
        study(*data, vary=("colour",))
    with pytest.raises(DataError, match="rates is given"):
        study(*data, rates=(1, 2))
    with pytest.raises(DataError, match="rate is varied"):
        study(*data, vary=("rate",), rate=3.0)
    with pytest.raises(DataError, match="order='sorted' is unknown"):
        study(*data, order="sorted")
    with pytest.raises(DataError, match="same in every run"):
        study(*data, order="cyclic")
    with pytest.raises(DataError, match="y == 'a'"):
        study([[1], [2], [3]], ["a", "b", "c"])
    with pytest.raises(DataError, match="memory='vote'"):
        study(*data, memory="vote")
    with pytest.raises(DataError, match="scales holds"):
        study(*data, vary=("scale",), scales=("huge",))
    with pytest.raises(DataError, match="runs=0"):
        study(*data, runs=0)


def test_bound_beside_each_run_is_the_theorems():
    data = make_separable(20, 2, gamma=0.3, R=2.0, seed=1, bias=True)
    found = study(*data, runs=8, vary=("start", "rate", "margin"))
    for i in range(8):
        options = {key: found.options(i)[key] for key in ("start", "rate", "margin")}
        assert found.bound[i] == mistake_bound(*data, **options).most


def test_rounding_takes_no_update_away_from_the_bound_of_a_study():
    """Two orthonormal rows and the negative of the first: 2 updates of at most 2, although (R/γ)² is 2 − 4e-16 in floats."""
    found = study([[1, 0], [0, 1], [-1, 0]], [1, 1, -1], runs=5, bias=False)
    assert found.updates.tolist() == found.bound.tolist() == [2] * 5


@pytest.mark.parametrize("size", [1e3, 1e8, 1e15])
def test_the_bound_from_a_long_start_is_never_below_the_exact_one(size):
    """Along u and across it, where the formula in floats subtracts almost equal numbers."""
    X, y = w2()
    u, across = np.array([1.0, 2.0]) / 3, np.array([2.0, -1.0]) / 3
    starts = [(size * u, 0), (-size * u, 0), (size * u + across, 0), (size * u + np.sqrt(size) * across, 0)]
    found = study(X, y, runs=4, vary="start", starts=starts, bias=False, max_updates=1)
    exact = [mistake_bound(X, y, bias=False, start=start).most for start in starts]
    assert all(exact <= found.bound)
    np.testing.assert_allclose(found.bound, exact, rtol=1e-9, atol=1 + size * 1e-11)  # safety counts along the start


def test_a_column_of_one_value_is_scaled_to_zero_however_its_sum_rounds():
    X = np.column_stack([np.arange(1.0, 7.0), np.full(6, 0.1)])
    made = study(X, [0, 0, 0, 0, 1, 1], runs=1, vary="scale", scales=["standard"], bias=False, max_passes=20)
    assert made.data(0)[0].dense()[:, 1].tolist() == [0.0] * 6
