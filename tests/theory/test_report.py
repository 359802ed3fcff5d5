"""A report says what a run did, what it could have done, and what to try."""

import numpy as np
from scipy import sparse

from rosenblatt import learn
from rosenblatt.theory.report import report


def of(X, y, **options):
    run = learn(X, y, **options)
    options = {key: value for key, value in options.items() if key in ("bias", "start", "rate", "margin")}
    return report(X, y, w=run.w, b=run.b, converged=run.converged, n_updates=run.n_updates, **options)


def test_separable_and_converged():
    found = of([[9], [11]], [0, 1])
    assert found.bound.most == 12322
    assert found.standardised.most == 2
    assert "Converged after 202 updates, of at most 12322." in str(found)
    assert "the bound falls from 12322 to 2" in str(found)


def test_separable_but_stopped_early():
    found = of([[9], [11]], [0, 1], max_passes=3)
    assert found.margin == -np.inf
    assert "Not converged" in str(found)
    assert "more updates can come" in found.advice[1]
    assert "does not separate" in str(found)


def test_not_separable_names_the_relatives():
    found = of([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0], max_passes=5)
    assert found.bound is None
    assert "Not separable, proved." in str(found)
    assert "pocket" in found.advice[0]
    assert "kernel" in found.advice[0]


def test_several_classes_get_a_verdict_each():
    found = of([[0], [1], [2], [3], [4], [5]], ["a", "a", "b", "b", "c", "c"], max_passes=5)
    assert found.bound is None
    assert "'b' against the rest: not separable, proved." in str(found)


def test_sparse_rows_through_the_origin():
    X = sparse.csr_array([[100.0, 0.0], [0.0, 0.01], [-1.0, 0.0]])
    found = of(X, [1, 1, 0], bias=False)
    assert found.standardised.most < found.bound.most
    assert found.best.space == "x"


def test_small_margin_suggests_demanding_one():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    X[:, 0] += np.where(X[:, 0] > 0, 1.0, -1.0)
    found = of(X, X[:, 0] > 0)
    assert found.margin <= found.best.gamma
    assert found.certificate.proved
