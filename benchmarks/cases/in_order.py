"""One pass in order against a plain sweep over as many bytes: the whole call, and the pass itself."""

import numpy as np

from benchmarks import data
from benchmarks.case import Case, Job, Pair, Setting
from benchmarks.cases.linear import size_of
from benchmarks.learners import passes_alone
from rosenblatt import learn

PASSES = 5


def reading(nbytes: int) -> Job:
    block = np.ones(nbytes // 8, dtype=np.int64)
    return lambda: f"{int(block.max())} is the largest"


def dense() -> data.Settled:
    return data.settled(data.dense(1_000_000, 100)[0])


def sparse() -> data.Settled:
    return data.settled(data.text_like()[0])


def whole_call(make):
    def pair(setting: Setting) -> Pair:
        X, y, start = make()

        def ours():
            return f"{learn(X, y, max_passes=1, journal=False, start=start).n_updates} updates"

        return Pair(ours, reading(size_of(X)), bytes_read=size_of(X))

    return pair


def pass_itself(make):
    def pair(setting: Setting) -> Pair:
        X, y, start = make()
        return Pair(passes_alone(X, y, start, PASSES), reading(size_of(X)), bytes_read=size_of(X))

    return pair


READING = "reading the same bytes"
DENSE, SPARSE = "dense float32 1 000 000 × 100", "sparse text 100 000 × 47 000"
CASES = [
    Case(f"{DENSE}, a pass in order", READING, 0.8, pass_itself(dense)),
    Case(f"{DENSE}, whole call of one pass", READING, None, whole_call(dense)),
    Case(f"{SPARSE}, a pass in order", READING, 0.8, pass_itself(sparse)),
    Case(f"{SPARSE}, whole call of one pass", READING, None, whole_call(sparse)),
]
