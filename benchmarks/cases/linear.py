"""Linear machines in memory, many passes: dense, bytes, sparse, averaged, many classes."""

from typing import Any

import numpy as np
from sklearn.linear_model import Perceptron as TheirPerceptron
from sklearn.linear_model import SGDClassifier

from benchmarks import data
from benchmarks.case import Case, Job, Pair, Setting
from rosenblatt import learn

AVERAGED = {"loss": "perceptron", "penalty": None, "learning_rate": "constant", "eta0": 1.0, "average": True}


def accuracy(model: Any, X, y) -> Job:
    """Return a function that finds the accuracy on the first training rows, so that nobody wins by doing less."""
    return lambda: f"{np.mean(model.predict(X[:5000]) == y[:5000]):.4f}"


def size_of(X) -> int:
    return X.nbytes if isinstance(X, np.ndarray) else X.data.nbytes + X.indices.nbytes


def with_bias(X) -> bool:
    """Return whether the bias is learnt: on sparse rows scikit-learn moves it by a hundredth, a rule of its own."""
    return isinstance(X, np.ndarray)


def ours(X, y, *, passes: int, order: str = "shuffle", average: bool = False, threads: int = 1) -> Job:
    options = {"memory": "average" if average else "last", "bias": with_bias(X), "journal": False, "threads": threads}

    def job():
        outcome = learn(X, y, order=order, max_passes=passes, **options)
        return accuracy(outcome.model, X, y)

    return job


def scikit_learn(X, y, *, passes: int, quick: bool, average: bool = False, threads: int = 1) -> dict[str, Job]:
    """Return their loop with the element types it knows; where X has another, the conversion is part of the work.

    float32 was the faster on all but the smallest of this data, so that a quick run tries nothing else there.
    """

    def job(dtype) -> Job:
        def theirs():
            common = {
                "max_iter": passes,
                "tol": None,
                "shuffle": True,
                "n_jobs": threads,
                "fit_intercept": with_bias(X),
            }
            model = SGDClassifier(**AVERAGED, **common) if average else TheirPerceptron(**common)
            return accuracy(model.fit(X.astype(dtype, copy=False), y), X, y)

        return theirs

    known = quick and size_of(X) > 1 << 23
    return {"float32": job(np.float32)} if known else {"float32": job(np.float32), "float64": job(np.float64)}


def against_scikit_learn(setting: Setting, X, y, *, passes: int, size: str = "", **options) -> Pair:
    """Same data, same number of shuffled passes."""
    mine = ours(X, y, passes=passes, **options)
    theirs = scikit_learn(X, y, passes=passes, quick=setting.quick, **options)
    return Pair(mine, theirs, size, passes * size_of(X))


def mnist(*, binary: bool) -> tuple[np.ndarray, np.ndarray]:
    loaded = data.shared("mnist")
    y = loaded["y_train"]
    return loaded["X_train"], (y == 0).astype(np.int32) if binary else y


def text(dtype) -> tuple[Any, np.ndarray]:
    """In float32 both sides read the same bytes; in float64, which vectorizers give, their best is to convert first."""
    X, y = data.text_like()
    return X.astype(dtype, copy=False), y


def mnist_ten(setting: Setting) -> Pair:
    passes = 3 if setting.quick else 20
    return against_scikit_learn(
        setting, *mnist(binary=False), passes=passes, threads=setting.threads, size=f"{passes} passes"
    )


def against_mlpack(setting: Setting) -> Pair:
    """Theirs goes through the rows in order and takes float64, which it is given."""
    import mlpack

    X, y = data.dense(100_000, 20)
    X = X.astype(np.float64)

    def theirs():
        model = mlpack.perceptron(training=X, labels=y, max_iterations=20, copy_all_inputs=False)["output_model"]
        found = mlpack.perceptron(input_model=model, test=X[:5000])["predictions"]
        return f"{np.mean(found.ravel() == y[:5000]):.4f}"

    return Pair(ours(X, y, passes=20, order="cyclic"), theirs, bytes_read=20 * X.nbytes)


def against_mlxtend(setting: Setting) -> Pair:
    """Theirs is plain Python with NumPy in the loop."""
    from mlxtend.classifier import Perceptron as PlainPerceptron

    X, y = data.dense(10_000, 20)
    X = X.astype(np.float64)

    def theirs():
        return accuracy(PlainPerceptron(eta=1.0, epochs=5, random_seed=0).fit(X, y), X, y)

    return Pair(ours(X, y, passes=5), theirs, bytes_read=5 * X.nbytes)


CASES = [
    Case(
        "dense float32 100 000 × 20, one row in five wrong, 20 passes", "scikit-learn Perceptron", 8,
        lambda setting: against_scikit_learn(setting, *data.dense(100_000, 20), passes=20, threads=setting.threads),
        spreads=True,
    ),
    Case(
        "dense float32 500 000 × 100, one row in five wrong, 5 passes", "scikit-learn Perceptron", 5,
        lambda setting: against_scikit_learn(setting, *data.dense(500_000, 100), passes=5, threads=setting.threads),
        spreads=True,
    ),
    Case(
        "dense float32 100 000 × 20, one in twenty wrong, 20 passes", "scikit-learn Perceptron", 8,
        lambda setting: against_scikit_learn(setting, *data.dense(100_000, 20, noise=0.15), passes=20, threads=setting.threads),
        spreads=True,
    ),
    Case(
        "dense float32 500 000 × 100, one in twenty wrong, 5 passes", "scikit-learn Perceptron", 5,
        lambda setting: against_scikit_learn(setting, *data.dense(500_000, 100, noise=0.15), passes=5, threads=setting.threads),
        spreads=True,
    ),
    Case(
        "MNIST 0 against rest, bytes, shuffled, 20 passes", "scikit-learn Perceptron", 15,
        lambda setting: against_scikit_learn(setting, *mnist(binary=True), passes=20),
    ),
    Case("MNIST ten classes, bytes, shuffled, 20 passes", "scikit-learn Perceptron", 40, mnist_ten, spreads=True),
    Case(
        "sparse float32 text 100 000 × 47 000, shuffled, 20 passes", "scikit-learn Perceptron", 3,
        lambda setting: against_scikit_learn(setting, *text(np.float32), passes=20, threads=setting.threads),
        spreads=True,
    ),
    Case(
        "sparse float64 text 100 000 × 47 000, shuffled, 20 passes", "scikit-learn Perceptron", 3,
        lambda setting: against_scikit_learn(setting, *text(np.float64), passes=20, threads=setting.threads),
        spreads=True,
    ),
    Case(
        "sparse float32 text 100 000 × 47 000, averaged, 20 passes", "scikit-learn SGD average", 8,
        lambda setting: against_scikit_learn(setting, *text(np.float32), passes=20, average=True, threads=setting.threads),
        spreads=True,
    ),
    Case("dense float64 100 000 × 20, in order, 20 passes", "mlpack perceptron", None, against_mlpack),
    Case("dense float64 10 000 × 20, shuffled, 5 passes", "mlxtend Perceptron", None, against_mlxtend),
]  # fmt: skip
