"""From a file to a model: svmlight, CSV, Parquet and our cache, against what people load files with today.

The files are made once by seed in a temporary directory and are in the page cache for everybody. Each job begins with
the path and ends with the accuracy on the first 5 000 rows, read outside the files' own loaders.
"""

import functools
import shutil
import tempfile
import weakref
from pathlib import Path

import numpy as np

import rosenblatt.data
from benchmarks import data
from benchmarks.case import Case, Job
from rosenblatt import learn

ROOMY = "4GB"  # peers hold the whole file; this lets ours do the same
COLUMNS = 28


class _Folder:
    """A temporary directory that goes when the program does."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="rosenblatt-bench-"))
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)


@functools.cache
def folder() -> _Folder:
    return _Folder()


@functools.cache
def svmlight_files(n: int) -> tuple[Path, Path]:
    """Return the text-like rows as svmlight and, converted once, as Vowpal Wabbit reads them."""
    X, y = data.text_like(n)
    X = X.sorted_indices()
    path, vw = folder().path / f"text{n}.svm", folder().path / f"text{n}.vw"
    with path.open("w") as ours, vw.open("w") as theirs:
        for i in range(X.shape[0]):
            part = slice(X.indptr[i], X.indptr[i + 1])
            pairs = " ".join(f"{j + 1}:{v:.8f}" for j, v in zip(X.indices[part], X.data[part], strict=True))
            ours.write(f"{y[i]} {pairs}\n")
            theirs.write(f"{2 * y[i] - 1} | {pairs}\n")
    return path, vw


@functools.cache
def tables(n: int) -> tuple[Path, Path]:
    """Return 28 float columns and a label as CSV and as Parquet."""
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.parquet as pq

    X, y = data.dense(n, COLUMNS)
    table = pa.table({**{f"x{j}": X[:, j] for j in range(COLUMNS)}, "label": y})
    path = folder().path / f"table{n}"
    pyarrow.csv.write_csv(table, path.with_suffix(".csv"))
    pq.write_table(table, path.with_suffix(".parquet"))
    return path.with_suffix(".csv"), path.with_suffix(".parquet")


def accuracy(model, X, y) -> str:
    return f"{np.mean(model.predict(X[:5000]) == y[:5000]):.4f}"


def rows_of(quick: bool) -> int:
    return 20_000 if quick else 100_000


def table_rows(quick: bool) -> int:
    return 200_000 if quick else 1_000_000


def parse_svmlight(quick: bool) -> dict[str, Job]:
    """Nothing but the rows in memory; the number shown is MB of text a second."""
    from sklearn.datasets import load_svmlight_file

    path, _ = svmlight_files(rows_of(quick))

    def ours():
        return f"{rosenblatt.data.open(path, memory=ROOMY).read()[0].n} rows of {path.stat().st_size / 1e6:.0f} MB"

    return {"ours": ours, "peer": lambda: f"{load_svmlight_file(str(path))[0].shape[0]} rows"}


def from_file(path: Path, X, y, *, passes: int, average: bool, **opening) -> Job:
    """Open, learn in order (what the peers do with one pass) or shuffled, and score."""

    def ours():
        source = rosenblatt.data.open(path, memory=ROOMY, **opening)
        order = "cyclic" if passes == 1 else "shuffle"
        memory = "average" if average else "last"
        model = learn(source, order=order, max_passes=passes, memory=memory, journal=False).model
        return accuracy(model, X[:5000, : source.d], y)  # a file's width is its highest index

    return ours


def scikit_learn(load, X, y, *, passes: int, average: bool) -> Job:
    from sklearn.linear_model import Perceptron, SGDClassifier

    def theirs():
        loaded, labels = load()
        common = {"max_iter": passes, "tol": None, "shuffle": passes > 1}
        if average:
            options = {"loss": "perceptron", "penalty": None, "learning_rate": "constant", "eta0": 1.0, "average": True}
            return accuracy(SGDClassifier(**options, **common).fit(loaded, labels), X, y)
        return accuracy(Perceptron(**common).fit(loaded, labels), X, y)

    return theirs


def svmlight_to_model(average: bool):
    def make(quick: bool) -> dict[str, Job]:
        from sklearn.datasets import load_svmlight_file

        path, _ = svmlight_files(rows_of(quick))
        X, y = data.text_like(rows_of(quick))

        def load():
            loaded, labels = load_svmlight_file(str(path), n_features=X.shape[1])
            loaded.indices, loaded.indptr = loaded.indices.astype(np.int32), loaded.indptr.astype(np.int32)
            return loaded, labels  # their loader gives int64, which their Perceptron refuses

        return {
            "ours": from_file(path, X, y, passes=1, average=average),
            "peer": scikit_learn(load, X, y, passes=1, average=average),
        }

    return make


def svmlight_against_vw(average: bool):
    """Vowpal Wabbit with a perceptron's settings: hinge loss without its margin is not offered, so hinge; plain SGD,
    constant rate, no normalised or adaptive steps; ``-d FILE``, one pass."""

    def make(quick: bool) -> dict[str, Job]:
        import vowpalwabbit

        path, converted = svmlight_files(rows_of(quick))
        X, y = data.text_like(rows_of(quick))
        lines = converted.read_text().splitlines()[:5000]

        def theirs():
            rate = "--sgd --power_t 0 -l 1 --loss_function hinge"
            machine = vowpalwabbit.Workspace(f"-d {converted} {rate} -b 18 --quiet")
            found = [machine.predict(line) > 0 for line in lines]
            machine.finish()
            return f"{np.mean(np.array(found) == y[:5000]):.4f}"

        return {"ours": from_file(path, X, y, passes=1, average=average), "peer": theirs}

    return make


def table_to_model(suffix: str, passes: int, *, cached: bool = False):
    def make(quick: bool) -> dict[str, Job]:
        import pandas

        n = table_rows(quick)
        path = tables(n)[suffix == "parquet"]
        X, y = data.dense(n, COLUMNS)
        if cached:
            rosenblatt.data.open(path, target="label", memory=ROOMY, cache=True).close()

        def load():
            frame = pandas.read_csv(path) if suffix == "csv" else pandas.read_parquet(path)
            return frame.drop(columns="label").to_numpy(), frame["label"].to_numpy()

        return {
            "ours": from_file(path, X, y, passes=passes, average=False, target="label", cache=cached),
            "peer": scikit_learn(load, X, y, passes=passes, average=False),
        }

    return make


CASES = [
    Case("svmlight parse, about 90 MB of text", "scikit-learn load_svmlight_file", None, parse_svmlight),
    Case("svmlight file to model", "scikit-learn load + Perceptron", 20, svmlight_to_model(average=False)),
    Case("svmlight file to averaged model", "scikit-learn load + SGD average", 20, svmlight_to_model(average=True)),
    Case("svmlight file to model", "Vowpal Wabbit -d FILE", 2, svmlight_against_vw(average=False)),
    Case("svmlight file to averaged model", "Vowpal Wabbit -d FILE", 2, svmlight_against_vw(average=True)),
    Case("CSV 28 float columns to model", "pandas + scikit-learn Perceptron", 5, table_to_model("csv", 1)),
    Case("Parquet 28 float columns, 5 passes, to model", "pandas + scikit-learn Perceptron", 3, table_to_model("parquet", 5)),
    Case("cache of that CSV to model", "pandas + scikit-learn Perceptron", None, table_to_model("csv", 1, cached=True)),
]  # fmt: skip
