"""Scoring and voting many examples."""

import functools

import numpy as np
from scipy import sparse
from sklearn.linear_model import Perceptron as TheirPerceptron

from benchmarks import data
from benchmarks.case import Case, Job, Pair, Setting
from rosenblatt import learn


def predict_dense(setting: Setting) -> Pair:
    X, y = data.dense(1_000_000, 100)
    X = X.astype(np.float64)  # what most people have
    theirs = TheirPerceptron(max_iter=1, tol=None).fit(X[:10_000], y[:10_000])
    ours = learn(X[:10_000], y[:10_000], max_passes=1).model
    return Pair(
        lambda: f"{(ours.score(X) >= 0).mean():.4f} positive",
        lambda: f"{(theirs.decision_function(X) >= 0).mean():.4f} positive",
        bytes_read=X.nbytes,
    )


def vectors_of(outcome) -> np.ndarray:
    """Every vector passed through, one below the other: what a plain implementation stores."""
    journal = outcome.journal
    vectors = np.zeros((len(journal) + 1, journal.rows.d + 1))
    for k in range(len(journal)):
        (_, step), x = journal.moves(k)[0], journal.rows.row(int(journal.row[k]))
        vectors[k + 1] = vectors[k] + step * np.r_[x, 1.0]
    return vectors


@functools.cache
def voted_on_mnist():
    """5 000 updates of d = 784, and the rows to be voted on."""
    loaded = data.shared("mnist")
    X, y = loaded["X_train"].astype(np.float64) / 255, loaded["y_train"] % 2
    outcome = learn(X, y, memory="vote", max_updates=5000)
    return outcome.model, vectors_of(outcome), loaded["X_test"].astype(np.float64) / 255


@functools.cache
def voted_on_text(updates: int, n: int):
    """47 000 columns, so that the stored vectors are long and, after some updates, dense."""
    X, y = data.text_like(20_000)
    outcome = learn(X, y, memory="vote", max_updates=updates)
    return outcome.model, vectors_of(outcome), X[:n]


def shares(model, rows) -> Job:
    return lambda: f"{np.mean(model.score(rows) >= 0):.4f} positive"


def with_all_vectors(products, biases, model) -> Job:
    """What a plain implementation does: score with every vector, then count."""

    def job():
        votes = np.where(products() + biases >= 0, 1.0, -1.0) @ model.ballots[0].count
        return f"{np.mean(votes >= 0):.4f} positive"

    return job


def voted_dense(setting: Setting) -> Pair:
    model, vectors, rows = voted_on_mnist()
    rows = rows[: 3000 if setting.quick else None]
    weights, biases = vectors[:, :-1].T, vectors[:, -1]
    return Pair(shares(model, rows), with_all_vectors(lambda: rows @ weights, biases, model), f"{len(rows)} rows")


def voted_sparse(stored_dense: bool):
    """Against vectors stored sparse, or dense: faster, in 376 kB of memory a vector."""

    def make(setting: Setting) -> Pair:
        updates, n = (2000, 2000) if setting.quick else (5000, 10_000)
        model, vectors, rows = voted_on_text(updates, n)
        weights, biases = np.ascontiguousarray(vectors[:, :-1].T), vectors[:, -1]
        if stored_dense:
            peer = with_all_vectors(lambda: rows @ weights, biases, model)
        else:
            as_sparse = sparse.csc_matrix(weights)
            peer = with_all_vectors(lambda: (rows @ as_sparse).toarray(), biases, model)
        return Pair(shares(model, rows), peer, f"{n} rows, {updates} updates")

    return make


STORED = "product with every vector stored"
CASES = [
    Case("predict, dense 1 000 000 × 100", "scikit-learn decision_function", 1.5, predict_dense, spreads=True),
    Case("voted prediction, 10 000 rows, 5 000 updates, d = 784", STORED, 1, voted_dense, spreads=True),
    Case("voted prediction on text, d = 47 000", f"sparse {STORED}", 20, voted_sparse(False), spreads=True),
    Case("voted prediction on text, d = 47 000", f"dense {STORED}", None, voted_sparse(True), spreads=True),
]
