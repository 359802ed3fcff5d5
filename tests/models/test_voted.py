"""The votes of many rows are cast in pieces, and come out as one by one."""

import numpy as np
import pytest

from rosenblatt import learn
from rosenblatt.learning.kernel import learn_dual
from rosenblatt.models.kernels import Kernel


@pytest.mark.parametrize("shape", [{"y": 2}, {"y": 3}, {"y": 3, "multiclass": "direct"}], ids=str)
def test_pieces_do_not_change_the_votes(monkeypatch, shape):
    """From a start that is not zero, so that each row's own start score matters."""
    rng = np.random.default_rng(0)
    n_classes, multiclass = shape["y"], shape.get("multiclass", "ovr")
    X, y = rng.integers(-4, 5, (50, 4)).astype(float), np.arange(50) % n_classes
    model = learn(X, y, start="random", memory="vote", multiclass=multiclass, max_passes=3).model
    whole = model.score(X)
    monkeypatch.setattr("rosenblatt.models.voted.CHUNK", 3 * model.rows.n)
    assert np.array_equal(model.score(X), whole)


@pytest.mark.parametrize("kind", ["linear", "kernel", "direct"])
def test_a_bias_does_not_swallow_small_products(kind):
    """The biases of the vectors cancel on their way; what is left is as small as the rows, and decides the votes."""
    X, y = np.array([[1e-9], [3e-9], [2e-9]]), np.array([0, 1, 2])
    if kind != "direct":
        X, y = X[:2], y[:2]
    far = np.array([[-5e-9], [7e-9]])
    outcome = learn(X, y, memory="vote", max_passes=4, multiclass="direct" if kind == "direct" else "ovr")
    model = outcome.model
    if kind == "kernel":
        model, _ = learn_dual(X, y, kernel=Kernel("linear"), memory="vote", max_passes=4)
    journal, K = outcome.journal, 3 if kind == "direct" else 1
    w, b, votes = np.zeros(K), np.zeros(K), np.zeros((2, K))
    counts = np.diff([0, *(journal.step + 1), outcome.n_steps + 1])
    counts[0] -= 1
    for k, survived in enumerate(counts):
        if k > 0:
            i, up = journal.row[k - 1], 1 if kind == "direct" else 2 * y[journal.row[k - 1]] - 1
            gains = y[i] if kind == "direct" else 0
            w[gains], b[gains] = w[gains] + up * X[i, 0], b[gains] + up
            if kind == "direct":
                w[journal.rival[k - 1]] -= X[i, 0]
                b[journal.rival[k - 1]] -= 1
        scores = far * w + b
        if kind == "direct":
            votes[np.arange(2), scores.argmax(axis=1)] += survived
        else:
            votes += survived * np.where(scores >= 0, 1, -1)
    assert np.allclose(model.score(far).reshape(2, K), votes / outcome.n_steps, rtol=1e-12)
