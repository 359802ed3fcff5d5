"""The core refuses lines that do not fit, and makes the loop's runs on lines that do."""

import numpy as np
import pytest

import rosenblatt._core as _core
from rosenblatt import learn

X = np.array([[-2.0, 0.0], [0.0, -2.0], [-2.0, 2.0], [2.0, 2.0]])
Y = np.array([[0, 0, 1, 1]], dtype=np.int32)


def run_many(runs=3, **changes):
    given = {
        "seed": np.arange(runs, dtype=np.uint64),
        "start": np.zeros((1, 3)),
        "margin": np.zeros(runs),
        "rate": np.ones(runs),
        "bias": False,
        "ties_positive": False,
        "order": "shuffle",
        "average": False,
        "pocket": False,
        "max_passes": 100,
        "max_updates": 2**62,
        "threads": 2,
    }
    y, weight = changes.pop("y", Y), changes.pop("weight", None)
    return _core.run_many(_core.Examples.dense(X), y, weight, **(given | changes))


@pytest.mark.parametrize("order", ["cyclic", "shuffle", "shuffle_once", "random", "first", "worst"])
@pytest.mark.parametrize("memory", ["last", "average", "pocket"])
def test_each_line_is_a_run_of_the_loop(order, memory):
    found = run_many(20, order=order, average=memory == "average", pocket=memory == "pocket")
    for seed in range(20):
        outcome = learn(X, Y[0], bias=False, order=order, seed=seed, memory=memory, max_passes=100)
        assert found["updates"][seed] == outcome.n_updates
        assert found["w"][seed].tolist() == outcome.model.w.tolist()


def test_the_pocket_of_a_run_holds_nothing_of_the_run_before():
    """Labels of their own for each run, most of them inseparable, one after the other on one thread."""
    labels = np.array([[k >> i & 1 for i in range(4)] for k in range(1, 15)], dtype=np.int32)
    found = run_many(14, y=labels, pocket=True, order="cyclic", max_passes=5, threads=1)
    for k, y in enumerate(labels):
        outcome = learn(X, y, bias=False, memory="pocket", max_passes=5)
        assert found["w"][k].tolist() == outcome.model.w.tolist()


@pytest.mark.parametrize(
    "changes",
    [
        {"y": np.zeros((2, 4), dtype=np.int32)},
        {"y": np.zeros((1, 5), dtype=np.int32)},
        {"y": np.full((1, 4), 2, dtype=np.int32)},
        {"start": np.zeros((1, 2))},
        {"start": np.zeros((2, 3))},
        {"margin": np.zeros(2)},
        {"rate": np.zeros(0)},
        {"weight": np.ones(3)},
        {"order": "backwards"},
    ],
)
def test_lines_that_do_not_fit_are_refused(changes):
    with pytest.raises(ValueError, match=r"y must|class code|start must|one margin|weights|unknown order"):
        run_many(**changes)


def test_no_runs_and_more_threads_than_runs_are_fine():
    assert len(run_many(0)["updates"]) == 0
    assert len(run_many(2, threads=64)["updates"]) == 2
