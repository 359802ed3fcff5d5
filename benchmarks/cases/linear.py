"""Linear machines in memory: dense, bytes, sparse, averaged, many classes; in order and to convergence."""

import numpy as np
from sklearn.linear_model import Perceptron as TheirPerceptron
from sklearn.linear_model import SGDClassifier

from benchmarks import data
from benchmarks.case import Case, Job
from rosenblatt import learn


def accuracy(predicted, y) -> str:
    return f"{np.mean(predicted == y):.4f}"


def against_scikit_learn(X, y, *, passes: int, average: bool = False, threads: int = 1) -> dict[str, Job]:
    """Same data, same number of shuffled passes; accuracy on the training rows shows that nobody did less."""

    def ours():
        memory = "average" if average else "last"
        outcome = learn(X, y, order="shuffle", max_passes=passes, memory=memory, journal=False, threads=threads)
        return accuracy(outcome.model.predict(X[:5000]), y[:5000])

    def theirs():
        common = {"max_iter": passes, "tol": None, "shuffle": True, "n_jobs": threads}
        if average:
            options = {"loss": "perceptron", "penalty": None, "learning_rate": "constant", "eta0": 1.0, "average": True}
            model = SGDClassifier(**options, **common)
        else:
            model = TheirPerceptron(**common)
        return accuracy(model.fit(X, y).predict(X[:5000]), y[:5000])

    return {"ours": ours, "peer": theirs}


def mnist(binary: bool) -> tuple[np.ndarray, np.ndarray]:
    loaded = data.shared("mnist")
    y = loaded["y_train"]
    return loaded["X_train"], (y == 0).astype(np.int32) if binary else y


def in_order(X, y, nbytes: int) -> dict[str, Job]:
    """One pass in order against a plain sweep over as many bytes."""
    block = np.ones(nbytes // 8, dtype=np.int64)
    return {"ours": lambda: learn(X, y, max_passes=1, journal=False).n_steps, "peer": lambda: int(block.max())}


def dense_in_order(quick: bool) -> dict[str, Job]:
    X, y = data.dense(200_000 if quick else 1_000_000, 100, noise=0.02)
    return in_order(X, y, X.nbytes)


def sparse_in_order(quick: bool) -> dict[str, Job]:
    X, y = data.text_like()
    return in_order(X, y, X.data.nbytes + X.indices.nbytes)


CASES = [
    Case(
        "dense float32 100 000 × 20, shuffled, 20 passes", "scikit-learn Perceptron", 8,
        lambda quick: against_scikit_learn(*data.dense(100_000, 20), passes=20),
    ),
    Case(
        "dense float32 500 000 × 100, shuffled, 5 passes", "scikit-learn Perceptron", 5,
        lambda quick: against_scikit_learn(*data.dense(500_000, 100), passes=2 if quick else 5),
    ),
    Case(
        "MNIST 0 against rest, bytes, shuffled, 20 passes", "scikit-learn Perceptron", 15,
        lambda quick: against_scikit_learn(*mnist(True), passes=5 if quick else 20),
    ),
    Case(
        "MNIST ten classes, 20 passes, all threads", "scikit-learn Perceptron", 40,
        lambda quick: against_scikit_learn(*mnist(False), passes=3 if quick else 20, threads=2),
    ),
    Case(
        "sparse text 100 000 × 47 000, 20 passes", "scikit-learn Perceptron", 3,
        lambda quick: against_scikit_learn(*data.text_like(), passes=5 if quick else 20),
    ),
    Case(
        "sparse text 100 000 × 47 000, averaged, 20 passes", "scikit-learn SGD average", 8,
        lambda quick: against_scikit_learn(*data.text_like(), passes=3 if quick else 20, average=True),
    ),
    Case("dense float32 in order, one pass", "reading the same bytes", 0.8, dense_in_order),
    Case("sparse text in order, one pass", "reading the same bytes", 0.8, sparse_in_order),
]  # fmt: skip
