"""This machine's read bandwidth: how fast one core can sum memory that no cache holds."""

import time

import numpy as np


def read_bandwidth(bytes_: int = 1 << 29, repeats: int = 5) -> float:
    """Return bytes per second, best of several sweeps of a maximum over int64 (one load each, nothing stored)."""
    block = np.ones(bytes_ // 8, dtype=np.int64)
    best = float("inf")
    for _ in range(repeats):
        begin = time.perf_counter()
        block.max()
        best = min(best, time.perf_counter() - begin)
    return bytes_ / best
