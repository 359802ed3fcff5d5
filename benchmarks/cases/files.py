"""From a file to a model: svmlight, CSV, Parquet and our cache, against what people load files with today.

The files are made once by seed in a temporary directory and are in the page cache for everybody. Each job begins with
the path and ends with the model.
"""

import functools
import shutil
import tempfile
import weakref
from pathlib import Path

import numpy as np

import rosenblatt.data
from benchmarks import data
from benchmarks.case import Case, Job, Pair, Setting
from benchmarks.cases.linear import AVERAGED, accuracy, with_bias
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
            pairs = " ".join(f"{j + 1}:{v:.6f}" for j, v in zip(X.indices[part], X.data[part], strict=True))
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


def text_rows(setting: Setting) -> int:
    return 25_000 if setting.quick else 100_000


def table_rows(setting: Setting) -> int:
    return 200_000 if setting.quick else 1_000_000


def described(path: Path) -> str:
    return f"{path.stat().st_size / 1e6:.0f} MB"


def parse_svmlight(setting: Setting) -> Pair:
    """Nothing but the rows in memory."""
    from sklearn.datasets import load_svmlight_file

    path, _ = svmlight_files(text_rows(setting))

    def ours():
        return f"{rosenblatt.data.open(path, memory=ROOMY).read()[0].n} rows"

    def theirs():
        return f"{load_svmlight_file(str(path))[0].shape[0]} rows"

    return Pair(ours, theirs, described(path), path.stat().st_size)


def from_file(path: Path, X, y, *, passes: int, average: bool, **opening) -> Job:
    """Open, and learn in order (what the peers do with one pass) or shuffled."""

    def ours():
        source = rosenblatt.data.open(path, memory=ROOMY, **opening)
        order = "cyclic" if passes == 1 else "shuffle"
        memory = "average" if average else "last"
        options = {"memory": memory, "bias": with_bias(X), "journal": False}
        model = learn(source, order=order, max_passes=passes, **options).model
        return accuracy(model, X[:5000, : source.d], y)  # a file's width is its highest index

    return ours


def scikit_learn(load, X, y, *, passes: int, average: bool) -> Job:
    from sklearn.linear_model import Perceptron, SGDClassifier

    def theirs():
        loaded, labels = load()
        common = {"max_iter": passes, "tol": None, "shuffle": passes > 1, "fit_intercept": with_bias(X)}
        model = SGDClassifier(**AVERAGED, **common) if average else Perceptron(**common)
        return accuracy(model.fit(loaded, labels), X, y)

    return theirs


def svmlight_to_model(average: bool):
    def make(setting: Setting) -> Pair:
        from sklearn.datasets import load_svmlight_file

        path, _ = svmlight_files(text_rows(setting))
        X, y = data.text_like(text_rows(setting))

        def load(dtype):
            loaded, labels = load_svmlight_file(str(path), n_features=X.shape[1], dtype=dtype)
            loaded.indices, loaded.indptr = loaded.indices.astype(np.int32), loaded.indptr.astype(np.int32)
            return loaded, labels  # their loader gives int64, which their Perceptron refuses

        def theirs(dtype) -> Job:
            return scikit_learn(lambda: load(dtype), X, y, passes=1, average=average)

        settings = {"float64": theirs(np.float64)}
        if not setting.quick:  # never more than a few per cent apart
            settings["float32"] = theirs(np.float32)
        return Pair(from_file(path, X, y, passes=1, average=average), settings, described(path), path.stat().st_size)

    return make


def svmlight_against_vw(average: bool):
    """Vowpal Wabbit with a perceptron's settings: hinge loss without its margin is not offered, so hinge; plain SGD,
    constant rate, no normalised or adaptive steps; ``-d FILE``, one pass."""

    def make(setting: Setting) -> Pair:
        import vowpalwabbit

        path, converted = svmlight_files(text_rows(setting))
        X, y = data.text_like(text_rows(setting))
        with converted.open() as file:
            lines = [next(file) for _ in range(5000)]

        def theirs():
            rate = "--noconstant --sgd --power_t 0 -l 1 --loss_function hinge"
            machine = vowpalwabbit.Workspace(f"-d {converted} {rate} -b 18 --quiet")

            def shown():
                found = [machine.predict(line) > 0 for line in lines]
                machine.finish()
                return f"{np.mean(np.array(found) == y[:5000]):.4f}"

            return shown

        return Pair(from_file(path, X, y, passes=1, average=average), theirs, described(path), path.stat().st_size)

    return make


def table_to_model(suffix: str, passes: int, *, cached: bool = False):
    def make(setting: Setting) -> Pair:
        import pandas

        n = table_rows(setting)
        path = tables(n)[suffix == "parquet"]
        X, y = data.dense(n, COLUMNS)
        if cached:
            rosenblatt.data.open(path, target="label", memory=ROOMY, cache=True).close()

        def theirs(read, **options) -> Job:
            def load():
                frame = read(path, **options)
                return frame.drop(columns="label").to_numpy(), frame["label"].to_numpy()

            return scikit_learn(load, X, y, passes=passes, average=False)

        engines = {
            "pyarrow engine": theirs(pandas.read_csv, engine="pyarrow"),
            "C engine": theirs(pandas.read_csv, engine="c"),
        }
        return Pair(
            from_file(path, X, y, passes=passes, average=False, target="label", cache=cached),
            engines if suffix == "csv" else theirs(pandas.read_parquet),
            f"{n:,} rows, {described(path)}".replace(",", " ", 1),
        )

    return make


SKLEARN, SGD, VW = "scikit-learn load + Perceptron", "scikit-learn load + SGD average", "Vowpal Wabbit -d FILE"
PANDAS = "pandas + scikit-learn Perceptron"
CASES = [
    Case("svmlight parse", "scikit-learn load_svmlight_file", None, parse_svmlight, spreads=True),
    Case("svmlight file to model", SKLEARN, 20, svmlight_to_model(average=False), spreads=True),
    Case("svmlight file to averaged model", SGD, 20, svmlight_to_model(average=True), spreads=True),
    Case("svmlight file to model", VW, 2, svmlight_against_vw(average=False), spreads=True),
    Case("svmlight file to averaged model", VW, 2, svmlight_against_vw(average=True), spreads=True),
    Case("CSV 28 float columns to model", PANDAS, 5, table_to_model("csv", 1), spreads=True),
    Case("Parquet 28 float columns, 5 passes, to model", PANDAS, 3, table_to_model("parquet", 5), spreads=True),
    Case("cache of that CSV to model", PANDAS, None, table_to_model("csv", 1, cached=True), spreads=True),
]
