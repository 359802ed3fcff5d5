"""The journal: an append-only table of updates. With the data and the start it is the whole history of a run."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt._typing import Codes, Doubles, Ints
from rosenblatt.data.rows import Rows

COLUMNS = {"step": np.int64, "row": np.int64, "units": np.float64, "m": np.float64, "rival": np.int32}


def in_order(parts: Sequence[dict[str, NDArray[Any]]]) -> dict[str, NDArray[Any]]:
    """Return the columns of several journals as one, in the order of the steps: of one step's updates by machine."""
    joined = {key: np.concatenate([np.empty(0, kind), *(part[key] for part in parts)]) for key, kind in COLUMNS.items()}
    if len(parts) < 2:
        return joined
    by_step = np.lexsort((joined["rival"], joined["step"]))
    return {key: column[by_step] for key, column in joined.items()}


@dataclass(frozen=True, eq=False)
class Journal:
    """One line per update.

    ``step``: steps before this one. ``row``: the example. ``tau``: the step size taken, ``units`` times the unit that
    vectors are held in. ``m``: the functional margin that asked for it. ``rival``: the class pushed away (direct), the
    class whose machine moved (one-vs-rest), or −1.

    >>> from rosenblatt import learn
    >>> journal = learn([[-2, 0], [0, -2], [-2, 2], [2, 2]], [-1, -1, 1, 1], bias=False).journal
    >>> len(journal), journal.row.tolist(), journal.replay(3)[0].tolist()
    (4, [0, 1, 2, 0], [0.0, 4.0])
    """

    step: Ints
    row: Ints
    units: Doubles
    m: Doubles
    rival: Codes
    rows: Rows
    codes: Codes
    start: tuple[Doubles, Doubles]
    bias: bool
    shape: str
    unit: float = 1.0  # see plan.unit_of

    def __len__(self) -> int:
        return len(self.step)

    @property
    def tau(self) -> Doubles:
        return self.units * self.unit

    def moves(self, k: int) -> list[tuple[int, float]]:
        """Return which vectors update k moved, and by which multiple of (x, 1), in units."""
        units, code, rival = float(self.units[k]), int(self.codes[self.row[k]]), int(self.rival[k])
        if self.shape == "binary":
            return [(0, units if code == 1 else -units)]
        if self.shape == "ovr":
            return [(rival, units if code == rival else -units)]
        return [(code, units), (rival, -units)]

    def replay(self, k: int | None = None) -> tuple[Doubles, NDArray[np.float64] | float]:
        """Return (w, b) after k updates, all by default: the start plus the first k steps."""
        k = len(self) if k is None else k
        if not 0 <= k <= len(self):
            raise IndexError(f"k={k} is outside 0..{len(self)}, the updates made")
        W, b = self.start[0] / self.unit, self.start[1] / self.unit
        for update in range(k):
            x = self.rows.row(int(self.row[update]))
            for v, step in self.moves(update):
                W[v] += step * x
                if self.bias:
                    b[v] += step
        W, b = W * self.unit, b * self.unit
        return (W[0], float(b[0])) if self.shape == "binary" else (W, b)

    def compact(self) -> tuple["Journal", Ints]:
        """Return the journal over the rows that caused updates alone, and which rows those were.

        >>> from rosenblatt import learn
        >>> kept, rows = learn([[1], [2], [-3]], [1, 1, 0], bias=False).journal.compact()
        >>> kept.rows.n, rows.tolist(), kept.row.tolist()
        (1, [0], [0])
        """
        distinct, place = np.unique(self.row, return_inverse=True)
        rows, codes = self.rows.take(distinct), self.codes[distinct]
        return replace(self, row=place.astype(np.int64), rows=rows, codes=codes), distinct

    def alpha(self) -> Doubles:
        """Return the dual coefficients: the sum of tau over the updates on each example (their number if rate = 1)."""
        summed = np.bincount(self.row, weights=self.tau, minlength=self.rows.n)
        return summed.astype(np.float64)
