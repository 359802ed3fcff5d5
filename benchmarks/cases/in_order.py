"""One pass in order against a plain sweep over as many bytes, on as many threads: the whole call, and the pass itself."""

import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from benchmarks import data
from benchmarks.case import Case, Clocked, Job, Pair, Setting
from benchmarks.cases.linear import size_of
from benchmarks.learners import passes_alone
from rosenblatt import learn

PASSES = 5


def reading(nbytes: int, threads: int) -> Job:
    """A sweep in the steady state, as ours is timed: several by each thread, so that starting them does not count."""
    parts = np.array_split(np.ones(nbytes // 8, dtype=np.int64), threads)
    others = ThreadPoolExecutor(threads)

    def sweeps(part: np.ndarray) -> int:
        return max(int(part.max()) for _ in range(PASSES))

    def job() -> Clocked:
        begin = time.perf_counter()
        waiting = [others.submit(sweeps, part) for part in parts[1:]]
        largest = max([sweeps(parts[0]), *(part.result() for part in waiting)])
        return Clocked((time.perf_counter() - begin) / PASSES, f"{largest} is the largest")

    return job


def dense() -> data.Settled:
    return data.settled(data.dense(1_000_000, 100)[0])


def sparse() -> data.Settled:
    return data.settled(data.text_like()[0])


def whole_call(make):
    def pair(setting: Setting) -> Pair:
        X, y, start = make()

        def ours():
            done = learn(X, y, max_passes=1, journal=False, start=start, threads=setting.threads)
            return f"{done.n_updates} updates"

        return Pair(ours, reading(size_of(X), setting.threads), bytes_read=size_of(X))

    return pair


def pass_itself(make):
    def pair(setting: Setting) -> Pair:
        X, y, start = make()
        ours = passes_alone(X, y, start, PASSES, threads=setting.threads)
        return Pair(ours, reading(size_of(X), setting.threads), bytes_read=size_of(X))

    return pair


READING = "reading the same bytes"
DENSE, SPARSE = "dense float32 1 000 000 × 100", "sparse text 100 000 × 47 000"
CASES = [
    Case(f"{DENSE}, a pass in order", READING, 0.8, pass_itself(dense), spreads=True, from_memory=True),
    Case(f"{DENSE}, whole call of one pass", READING, None, whole_call(dense), spreads=True, from_memory=True),
    Case(f"{SPARSE}, a pass in order", READING, 0.8, pass_itself(sparse), spreads=True, from_memory=True),
    Case(f"{SPARSE}, whole call of one pass", READING, None, whole_call(sparse), spreads=True, from_memory=True),
]
