"""The order in which blocks are read and rows are shown: a shuffle that holds only a window of the file in memory.

The blocks are permuted, a window of them is filled, and the rows of the window are shuffled together. With four blocks
or more in a window this learns as well as a full shuffle, even from a file sorted by label.
"""

from collections.abc import Sequence

import numpy as np

import rosenblatt._core as _core
from rosenblatt._typing import Ints
from rosenblatt.data.splitmix import INCREMENT, mix

MASK = 2**64 - 1


def generator(seed: int, *numbers: int) -> int:
    """Return the state of the named generator (SplitMix64) for a seed and, say, a pass and a window.

    Each number is mixed in by one output step, so that neighbouring passes have unrelated orders.

    >>> len({generator(0, p, w) for p in range(10) for w in range(10)})
    100
    """
    state = seed & MASK
    for number in numbers:
        state = int(mix(np.uint64((state + (number + 1) * INCREMENT) & MASK)))
    return state


def permutation(seed: int, n: int, *numbers: int) -> Ints:
    """Return a permutation of 0..n−1 that depends on the seed and the numbers alone."""
    shuffled: Ints = _core.permutation(generator(seed, *numbers), n)[1]
    return shuffled


def schedule(chains: Sequence[range], window: int, *, seed: int, pass_number: int, lanes: int = 4) -> list[list[int]]:
    """Return the blocks of each window. Chains are permuted, and at most ``lanes`` of them are read side by side.

    >>> windows = schedule([range(i, i + 1) for i in range(6)], 4, seed=0, pass_number=0)
    >>> [len(blocks) for blocks in windows], sorted(sum(windows, []))
    ([4, 2], [0, 1, 2, 3, 4, 5])
    """
    waiting = [list(chains[int(i)]) for i in permutation(seed, len(chains), pass_number)][::-1]
    open_: list[list[int]] = []
    windows: list[list[int]] = [[]]
    while waiting or open_:
        while waiting and len(open_) < lanes:
            open_.append(waiting.pop()[::-1])
        for lane in open_:
            if len(windows[-1]) == window:
                windows.append([])
            windows[-1].append(lane.pop())
        open_ = [lane for lane in open_ if lane]
    return windows if windows[-1] else windows[:-1]
