"""The votes of many rows are cast in pieces, and come out as one by one."""

import numpy as np
import pytest

from rosenblatt import learn


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
