"""The boundary of a vector in the plane, as the line that lectures draw."""

import math
from dataclasses import dataclass

from rosenblatt._typing import Doubles


@dataclass(frozen=True)
class Line:
    """``x2 = slope·x1 + intercept``; vertical if ``slope`` is None: then ``x1 = intercept``."""

    slope: float | None
    intercept: float

    def __str__(self) -> str:
        if self.slope is None:
            return f"x1 = {self.intercept:.6g}"
        return f"x2 = {self.slope:.6g} x1 {'-' if self.intercept < 0 else '+'} {abs(self.intercept):.6g}"


def line_of(w: Doubles, b: float) -> Line | None:
    """Return where ``w1·x1 + w2·x2 + b = 0``; None if w = 0, where every score is b.

    A slope beyond the largest float is vertical too.

    >>> import numpy as np
    >>> print(line_of(np.array([2.0, 0.0]), -6.0))
    x1 = 3
    >>> line_of(np.zeros(2), 1.0) is None
    True
    """
    w1, w2 = (float(part) for part in w)
    if w1 == w2 == 0:
        return None
    slope = -w1 / w2 if w2 else math.inf
    if math.isinf(slope):
        return Line(None, -b / w1 + 0.0)  # + 0.0: a minus zero is no news
    return Line(slope + 0.0, -b / w2 + 0.0)
