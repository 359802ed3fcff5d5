"""What each trick of the core buys: our own loop with it and without it, the journal being the same."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import rosenblatt._core as _core
from benchmarks import data
from benchmarks.case import Case, Clocked, Job, Pair, Setting
from benchmarks.cases.files import svmlight_files
from benchmarks.cases.linear import mnist, ours, size_of, text
from benchmarks.learners import passes_alone, until
from rosenblatt import datasets, learn, study
from rosenblatt.data.arrays import as_rows
from rosenblatt.data.cores import cores
from rosenblatt.data.rows import Rows
from rosenblatt.models.kernels import Kernel, weighted_sums


def with_and_without_screening(X, y, passes: int, **tricks: bool) -> Pair:
    mine, without = until(X, y, passes, screening=True), until(X, y, passes, screening=False, **tricks)
    return Pair(mine, without, f"{passes} passes", passes * X.nbytes)


def screening_pays(setting: Setting) -> Pair:
    return with_and_without_screening(*data.small_margin(), 300 if setting.quick else 2000)


def screening_against_the_plain_loop(setting: Setting) -> Pair:
    return with_and_without_screening(*data.small_margin(), 300 if setting.quick else 2000, stretching=False)


def screening_cannot_help(setting: Setting) -> Pair:
    """Noisy rows in many dimensions: every pass updates a lot and moves far."""
    return with_and_without_screening(*data.dense(20_000, 300, noise=0.1), 60)


def stretching(n: int, d: int, noise: float, trick: str = "stretching", *, whole: bool = False):
    """The vector kept in registers over a stretch of rows, or a search that is left at every update.

    With ``trick="abreast"``: sixteen rows judged at once in float32, or one after the other in float64. ``whole``
    numbers often lie exactly on the boundary, where float32 does not decide.
    """

    def make(setting: Setting) -> Pair:
        X, y = data.dense(n, d, noise=noise)
        if whole:
            X = np.rint(X)
        common = {"order": "shuffle", "journal": False, "screening": False}
        if trick == "stretching":
            common["abreast"] = False  # that is a trick on top of it
        jobs = (until(X, y, 500, **common, **{trick: on}) for on in (True, False))
        return Pair(*jobs, bytes_read=500 * X.nbytes)

    return make


def sparse_in_one_go(setting: Setting) -> Pair:
    X, y = text(np.float32)
    common = {"order": "shuffle", "journal": False, "screening": False}
    return Pair(*(until(X, y, 10, **common, stretching=on) for on in (True, False)), bytes_read=10 * size_of(X))


def at_level(level: str) -> Job:
    """The instruction set is chosen once in a process, so each has one."""
    program = "from benchmarks.learners import a_pass_in_cache; print(a_pass_in_cache())"

    def job() -> Clocked:
        environment = {**os.environ, "ROSENBLATT_LEVEL": level}
        root = Path(__file__).resolve().parents[2]
        done = subprocess.run(
            [sys.executable, "-c", program], env=environment, cwd=root, capture_output=True, text=True, check=True
        )
        return Clocked(json.loads(done.stdout), level)

    return job


def glancing(classes: int):
    """Rows of bytes settled by small integers, or each scored in float64."""

    def make(setting: Setting) -> Pair:
        X, y = mnist(binary=classes == 2)
        return Pair(until(X, y, 5, glancing=True), until(X, y, 5, glancing=False), bytes_read=5 * X.nbytes)

    return make


def blank_margins(setting: Setting) -> Pair:
    """A dot in two corners of every image, and none of it is blank."""
    X, y = mnist(binary=False)
    blank, dotted = X.copy(), X.copy()  # both copies: the loaded array lies in small pages, and is slower
    dotted[:, [0, -1]] = 1
    return Pair(ours(blank, y, passes=10), ours(dotted, y, passes=10), bytes_read=10 * X.nbytes)


def shuffled(rows):
    """Fetching ahead along the permutation: how near a shuffled pass comes to one in order. The permutation is made anew
    before every pass, and that is counted."""

    def make(setting: Setting) -> Pair:
        X, y, start = data.settled(rows())
        return Pair(passes_alone(X, y, start, 3, order="shuffle"), passes_alone(X, y, start, 3), bytes_read=size_of(X))

    return make


def bytes_as_they_are(setting: Setting) -> Pair:
    X, y = mnist(binary=True)

    def widened():
        return ours(X.astype(np.float64), y, passes=5)()

    return Pair(ours(X, y, passes=5), widened, bytes_read=5 * X.nbytes)


def classes_in_one_read(setting: Setting) -> Pair:
    X, y = mnist(binary=False)

    def one_after_another():
        models = [learn(X, y == k, order="shuffle", max_passes=3, journal=False).model for k in range(10)]
        return lambda: f"{np.mean(np.argmax([m.score(X[:5000]) for m in models], axis=0) == y[:5000]):.4f}"

    return Pair(ours(X, y, passes=3), one_after_another, bytes_read=3 * X.nbytes)


def kernel_values_in_tiles(setting: Setting) -> Pair:
    """Sums of kernel values between sparse rows: in tiles that a cache holds, or made dense, multiplied and summed."""
    rows = as_rows(data.shared("a9a")["X_train"])
    A, B, kernel = rows.take(np.arange(8000)), rows.take(np.arange(8000, 12_000)), Kernel("rbf", gamma=0.01)
    weights = np.ones((1, A.n))
    wide_a, wide_b = (Rows(some.dense(np.int8), some.d) for some in (A, B))

    def job(A: Rows, B: Rows) -> Job:
        return lambda: f"{weighted_sums(kernel, weights, A, B).mean():.4f} on average"

    return Pair(job(A, B), job(wide_a, wide_b))


def threads_that_look_ahead(rows, order: str):
    """One update a pass, or two: between them all rows are judged with one vector."""

    def make(setting: Setting) -> Pair:
        X, y, start = data.settled(rows())
        jobs = (passes_alone(X, y, start, 3, order=order, threads=threads) for threads in (cores(), 1))
        return Pair(*jobs, bytes_read=size_of(X))

    return make


def second_thread(rows: Callable[[], tuple[Any, np.ndarray]], *, average: bool) -> Callable[[Setting], Pair]:
    """It shuffles the next pass, and keeps the sum of an average where there is one."""

    def case(setting: Setting) -> Pair:
        X, y = rows()
        jobs = [ours(X, y, passes=20, average=average, threads=threads) for threads in (2, 1)]
        return Pair(*jobs, bytes_read=20 * size_of(X))

    return case


def threads_that_check(setting: Setting) -> Pair:
    X, _ = text(np.float32)

    def job(threads: int) -> Job:
        return lambda: f"{as_rows(X, threads=threads).n} rows"

    return Pair(job(cores()), job(1), bytes_read=size_of(X))


def threads_of_classes(setting: Setting) -> Pair:
    X, y = mnist(binary=False)
    return Pair(ours(X, y, passes=3, threads=cores()), ours(X, y, passes=3))


def threads_of_studies(setting: Setting) -> Pair:
    X, y = datasets.make_separable(500, 10, gamma=0.05, R=2.0, seed=0, bias=True)

    def job(threads: int) -> Job:
        return lambda: f"{study(X, y, runs=1000, threads=threads).updates.mean():.1f} updates on average"

    return Pair(job(cores()), job(1))


def threads_of_parsing(setting: Setting) -> Pair:
    text = np.fromfile(svmlight_files(25_000)[0], dtype=np.uint8)

    def job(threads: int) -> Job:
        return lambda: f"{len(_core.parse_svmlight(text, first_index=1, threads=threads)['labels'])} rows"

    return Pair(job(cores()), job(1), bytes_read=len(text))


def threads_of_scoring(setting: Setting) -> Pair:
    examples = _core.Examples.dense(data.dense(500_000, 100)[0])
    w, b = np.ones((1, 100)), np.zeros(1)

    def job(threads: int) -> Job:
        return lambda: f"{len(_core.scores(examples, w, b, threads))} rows"

    return Pair(job(cores()), job(1), bytes_read=500_000 * 400)


def levels() -> list[Case]:
    *lower, best = _core.levels()
    name = "instruction set, a pass over 4 000 × 100 in cache"
    return [
        Case(name, f"level {level}", None, lambda setting, level=level: Pair(at_level(best), at_level(level)))
        for level in lower
    ]


CASES = [
    Case(
        "screening, small margin, 200 000 × 10, 2 000 passes", "the plain loop, same journal", 6,
        screening_against_the_plain_loop, claimed=False,
    ),
    Case(
        "the same screening", "the loop in registers, same journal", None, screening_pays,
        claimed=False,
    ),
    Case(
        "screening where it cannot help, 20 000 × 300", "without it, same journal", 0.97, screening_cannot_help,
        claimed=False,
    ),
    *levels(),
    Case("vector in registers, 4 000 × 20, one in five wrong", "without it, same vector", None, stretching(4000, 20, 0.5)),
    Case("vector in registers, 4 000 × 20, one in twenty wrong", "without it, same vector", None, stretching(4000, 20, 0.15)),
    Case("vector in registers, 4 000 × 100, one in five wrong", "without it, same vector", None, stretching(4000, 100, 0.5)),
    Case("sixteen rows abreast, 4 000 × 20, one in five wrong", "without it, same vector", None, stretching(4000, 20, 0.5, "abreast")),
    Case("sixteen rows abreast, 4 000 × 20, one in twenty wrong", "without it, same vector", None, stretching(4000, 20, 0.15, "abreast")),
    Case("sixteen rows abreast, whole numbers, one in seven wrong", "without it, same vector", None, stretching(4000, 20, 0.15, "abreast", whole=True)),
    Case("sixteen rows abreast, 4 000 × 40, one in five wrong", "without it, same vector", None, stretching(4000, 40, 0.5, "abreast")),
    Case("moved at once, sparse text, shuffled, 10 passes", "the search left at every update", None, sparse_in_one_go),
    Case("a glance at bytes, MNIST 0 against rest, 5 passes", "without it, same journal", None, glancing(2)),
    Case("a glance at bytes, MNIST ten classes, 5 passes", "without it, same journal", None, glancing(10)),
    Case("fetching ahead, a shuffled pass, 500 000 × 100", "the same pass in order", None, shuffled(lambda: data.dense(500_000, 100)[0])),
    Case("fetching ahead, a shuffled pass, 400 000 × 40", "the same pass in order", None, shuffled(lambda: data.dense(400_000, 40)[0])),
    Case("fetching ahead, a shuffled pass of sparse text", "the same pass in order", None, shuffled(lambda: data.text_like()[0])),
    Case("blank margins left out, MNIST ten classes, 10 passes", "a dot in two corners", None, blank_margins),
    Case("bytes read as they are, MNIST, 5 passes", "made float64 first", None, bytes_as_they_are),
    Case("ten classes in one read, MNIST, 3 passes", "one class after another", None, classes_in_one_read),
    Case("kernel values of sparse rows in tiles, a9a, 8 000 × 4 000", "dense, product and formula", None, kernel_values_in_tiles),
    Case("threads that look ahead, a pass of sparse text", "one thread", None, threads_that_look_ahead(lambda: data.text_like()[0], "cyclic")),
    Case("threads that look ahead, a shuffled pass of it", "one thread", None, threads_that_look_ahead(lambda: data.text_like()[0], "shuffle")),
    Case("threads that look ahead, shuffled, 500 000 × 100", "one thread", None, threads_that_look_ahead(lambda: data.dense(500_000, 100)[0], "shuffle")),
    Case("a thread that shuffles, 100 000 × 20, one in twenty wrong", "one thread", None, second_thread(lambda: data.dense(100_000, 20, noise=0.15), average=False)),
    Case("a thread that keeps the average, sparse text, 20 passes", "one thread", None, second_thread(lambda: text(np.float32), average=True)),
    Case("the same, 100 000 × 20, one in five wrong, 20 passes", "one thread", None, second_thread(lambda: data.dense(100_000, 20), average=True)),
    Case("threads that look at values and indices, sparse text", "one thread", None, threads_that_check),
    Case("threads for one-vs-rest, MNIST, 3 passes", "one thread", None, threads_of_classes),
    Case("threads for studies, 1 000 orders of 500 × 10", "one thread", None, threads_of_studies),
    Case("threads for parsing svmlight", "one thread", None, threads_of_parsing),
    Case("threads for scoring 500 000 × 100", "one thread", None, threads_of_scoring),
]  # fmt: skip
