"""How time grows: the slope of log time against log size, beside the one that theory says."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy import sparse

from benchmarks import data
from benchmarks.case import Job, clock
from rosenblatt import learn
from rosenblatt.learning.kernel import learn_dual
from rosenblatt.models.kernels import Kernel

REPEATS = 2


@dataclass(frozen=True)
class Growth:
    """``make`` builds the problem of one size and returns the true size (if it differs) and the job."""

    name: str
    theory: float
    sizes: tuple[int, ...]
    make: Callable[[int], tuple[float, Job]]


@dataclass(frozen=True)
class Slope:
    name: str
    theory: float
    slope: float
    sizes: list[float]
    seconds: list[float]


def measure(growth: Growth) -> Slope:
    """Time every size, best of several, and fit a line through the logarithms."""
    sizes, seconds = [], []
    for size in growth.sizes:
        true_size, job = growth.make(size)
        sizes.append(true_size)
        seconds.append(min(clock(job).seconds for _ in range(REPEATS)))
    slope = float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])
    return Slope(growth.name, growth.theory, slope, sizes, seconds)


def passes_over(X, y, passes: int = 3, **options) -> Job:
    return lambda: learn(X, y, order="shuffle", max_passes=passes, journal=False, **options)


def rows(n: int) -> tuple[float, Job]:
    """More rows than the caches hold, at every size."""
    return n, passes_over(*data.dense(n, 50))


def features(d: int) -> tuple[float, Job]:
    return d, passes_over(*data.dense(40_000, d))


def nonzeros(count: int) -> tuple[float, Job]:
    """Columns drawn evenly among few enough that the vector stays in the nearest cache."""
    rng = np.random.default_rng(0)
    n, d = 10_000, 4000
    columns = np.sort(rng.integers(0, d, (n, count), dtype=np.int32), axis=1).ravel()
    starts = np.arange(0, n * count + 1, count, dtype=np.int32)
    X = sparse.csr_matrix((rng.standard_normal(n * count), columns, starts), shape=(n, d))
    X.sum_duplicates()
    return X.nnz / n, passes_over(X, (X @ rng.standard_normal(d) > 0).astype(np.int32), passes=10)


def classes(k: int, multiclass: str) -> tuple[float, Job]:
    rng = np.random.default_rng(0)
    X = data.dense(20_000, 64)[0]
    y = (X @ rng.standard_normal((64, k))).argmax(axis=1)
    return k, passes_over(X, y, multiclass=multiclass)


def updates(k: int) -> tuple[float, Job]:
    """Labels that mean nothing: about every second step is an update."""
    X = data.dense(50_000, 100)[0]
    y = np.random.default_rng(1).integers(0, 2, len(X))
    return k, lambda: learn(X, y, max_passes=None, max_updates=k)


def kernel_pairs(n: int) -> tuple[float, Job]:
    """Updates times rows, by the number of rows: labels that mean nothing make both grow."""
    X = np.random.default_rng(0).standard_normal((n, 50))
    y = np.random.default_rng(1).integers(0, 2, n)
    kernel = Kernel("rbf", gamma=0.02)
    _, outcome = learn_dual(X, y, kernel=kernel, max_passes=1)
    return float(len(outcome.journal.row) * n), lambda: learn_dual(X, y, kernel=kernel, max_passes=1)


GROWTHS = [
    Growth("time against rows, × 50 float32", 1, (200_000, 400_000, 800_000), rows),
    Growth("time against features, 40 000 rows", 1, (64, 128, 256, 512), features),
    Growth("time against non-zeros of a row, 10 000 rows", 1, (64, 128, 256, 512), nonzeros),
    Growth("time against classes, one against the rest", 1, (4, 8, 16, 32), partial(classes, multiclass="ovr")),
    Growth("time against classes, direct", 1, (4, 8, 16, 32), partial(classes, multiclass="direct")),
    Growth("time against updates", 1, (50_000, 100_000, 200_000, 400_000), updates),
    Growth("kernel: time against updates × rows", 1, (2000, 4000, 8000), kernel_pairs),
]
