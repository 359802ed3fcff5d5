"""Which example was shown at each step, and whether a deterministic run came back to where it was."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

import rosenblatt._core as _core
from rosenblatt._typing import Ints
from rosenblatt.blackboard import Generator

REPEATING = ("cyclic", "shuffle_once", "first", "worst")  # what comes next depends on vector and place alone


def shown(
    order: str, seed: int, n: int, update_step: Ints, update_row: Ints, n_steps: int, limit: int
) -> tuple[Ints, Ints]:
    """Return pass (from 0) and row of the first ``limit`` steps, rebuilt from the order, its seed and the updates."""
    steps = _walk(order, seed, n, update_step, update_row)
    pairs = np.array(list(islice(steps, min(n_steps, limit))), dtype=np.int64).reshape(-1, 2)
    return pairs[:, 0].copy(), pairs[:, 1].copy()


def _walk(order: str, seed: int, n: int, update_step: Ints, update_row: Ints) -> Iterator[tuple[int, int]]:
    rows: Sequence[int] = range(n)
    generator, state = Generator(seed), seed
    updates = dict(zip(update_step.tolist(), update_row.tolist(), strict=True))
    step = number = 0
    while True:
        if order == "shuffle" or (order == "shuffle_once" and number == 0):
            state, permutation = _core.permutation(state, n)
            rows = permutation.tolist()
        elif order == "random":
            rows = [generator.below(n) for _ in range(n)]
        elif order == "worst":
            rows = [updates.get(step, 0)]
        for row in rows:
            yield number, row
            step += 1
            if order == "first" and step - 1 in updates:
                break
        number += 1


@dataclass(frozen=True)
class Cycle:
    """After ``again`` steps the run is where it was after ``first`` steps: same vector, same place in the pass."""

    first: int
    again: int


def find_cycle(order: str, n: int, update_step: Ints, vectors: Sequence[Hashable], n_steps: int) -> Cycle | None:
    """Return the first return of a vector to the same place of the pass, from which the run repeats itself for ever."""
    if order not in REPEATING:
        return None
    begins = [0, *(update_step + 1).tolist()]  # steps made when vector k came into force
    ends = [*update_step.tolist(), n_steps]
    names: dict[Hashable, int] = {}
    seen: dict[tuple[int, int], int] = {}
    for begin, end, vector in zip(begins, ends, vectors, strict=True):
        name = names.setdefault(vector, len(names))
        for time in range(begin, min(end, n_steps - 1) + 1):
            place = {"first": time - begin, "worst": 0}.get(order, time % n)  # where in the pass
            if (before := seen.setdefault((place, name), time)) < begin:  # in force before, given up, and back
                return Cycle(before, time)
    return None
