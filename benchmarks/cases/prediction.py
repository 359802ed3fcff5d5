"""Scoring and voting many examples."""

import numpy as np
from scipy import sparse
from sklearn.linear_model import Perceptron as TheirPerceptron

from benchmarks import data
from benchmarks.case import Case, Pair, Setting
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


def voted_dense(setting: Setting) -> Pair:
    """10 000 rows of MNIST; 5 000 updates of d = 784."""
    loaded = data.shared("mnist")
    X, y = loaded["X_train"].astype(np.float64) / 255, loaded["y_train"] % 2
    outcome = learn(X, y, memory="vote", max_updates=5000)
    rows = loaded["X_test"][:10_000].astype(np.float64) / 255
    vectors, count = vectors_of(outcome), outcome.model.ballots[0].count

    def stored():
        votes = np.where(rows @ vectors[:, :-1].T + vectors[:, -1] >= 0, 1.0, -1.0) @ count
        return f"{np.mean(votes >= 0):.4f} positive"

    return Pair(lambda: f"{np.mean(outcome.model.score(rows) >= 0):.4f} positive", stored)


def voted_sparse(setting: Setting) -> Pair:
    """The same on text: 47 000 columns, so that the stored vectors are dense and large."""
    X, y = data.text_like(20_000)
    outcome = learn(X, y, memory="vote", max_updates=2000 if setting.quick else 5000)
    rows = X[: 2000 if setting.quick else 10_000]
    count = outcome.model.ballots[0].count
    stored_vectors = sparse.csr_matrix(vectors_of(outcome))
    weights, biases = stored_vectors[:, :-1].T.tocsc(), stored_vectors[:, -1].toarray().ravel()

    def stored():
        votes = np.where((rows @ weights).toarray() + biases >= 0, 1.0, -1.0) @ count
        return f"{np.mean(votes >= 0):.4f} positive"

    return Pair(
        lambda: f"{np.mean(outcome.model.score(rows) >= 0):.4f} positive",
        stored,
        f"{rows.shape[0]} rows, {len(count) - 1} updates",
    )


CASES = [
    Case("predict, dense 1 000 000 × 100", "scikit-learn decision_function", 1.5, predict_dense, spreads=True),
    Case(
        "voted prediction, 10 000 rows, 5 000 updates, d = 784",
        "one product, every vector stored",
        1,
        voted_dense,
        spreads=True,
    ),
    Case("voted prediction on text, d = 47 000", "sparse product, every vector stored", 20, voted_sparse, spreads=True),
]
