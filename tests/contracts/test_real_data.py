"""One cyclic pass over real data: the core makes the blackboard's updates, one for one."""

import numpy as np
import pytest

from rosenblatt import learn

from ..shared_data import load


def plain_pass(rows, y):
    """The blackboard's loop over sparse rows, for data too large to hold as lists of dense ones."""
    w, b, journal = {}, 0.0, []
    for i, (columns, values) in enumerate(rows):
        m = y[i] * (sum(w.get(j, 0.0) * x for j, x in zip(columns, values, strict=True)) + b)
        if m <= 0:
            for j, x in zip(columns, values, strict=True):
                w[j] = w.get(j, 0.0) + y[i] * x
            b += y[i]
            journal.append((i, m))
    return journal, w, b


@pytest.mark.slow
@pytest.mark.parametrize("name", ["a9a", "mushrooms", "mnist"])
def test_one_pass_over_real_data_makes_the_blackboards_updates(name):
    data = load(name)
    X, labels = data["X_train"], data["y_train"]
    y = labels == 0 if name == "mnist" else labels == labels.max()
    outcome = learn(X, y, max_passes=1)
    if name == "mnist":
        rows = [(np.flatnonzero(x).tolist(), x[np.flatnonzero(x)].astype(float).tolist()) for x in X]
    else:
        rows = [(X[i].indices.tolist(), X[i].data.tolist()) for i in range(X.shape[0])]
    journal, w, b = plain_pass(rows, np.where(y, 1, -1).tolist())
    assert list(zip(outcome.journal.row.tolist(), outcome.journal.m.tolist(), strict=True)) == journal
    assert outcome.b == b
    assert {j: v for j, v in enumerate(outcome.w.tolist()) if v} == {j: v for j, v in w.items() if v}
