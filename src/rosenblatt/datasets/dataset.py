"""A data set as a small frozen value: the examples, how the lecture runs them, and what is known about them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rosenblatt._typing import Doubles, Ints, Labels
from rosenblatt.errors import DataError

Start = tuple[tuple[float, ...], float]


@dataclass(frozen=True, eq=False)
class Dataset:
    """Examples with a title, the settings they are meant for, and known facts.

    Attributes
    ----------
    X, y : n × d numbers and n labels; read-only arrays.
    name, title : short name, and one line for people.
    names : one per feature.
    bias, start : how the source runs it; ``settings`` has both as keyword arguments of ``learn`` and ``trace``.
    expect : what to expect of a run, in a sentence.
    separable : whether a perfect boundary exists in that space, if known.
    gamma, R : best margin and radius in the space the algorithm works in ((x, 1) with a bias), if known.
    u : the best separator (w, b) of length 1 that has this margin, if known.
    flipped : rows whose label was turned over on purpose.

    Examples
    --------
    >>> from rosenblatt.datasets import w2
    >>> X, y = w2()
    >>> X.tolist(), y.tolist(), w2().settings
    ([[-2.0, 0.0], [0.0, -2.0], [-2.0, 2.0], [2.0, 2.0]], [-1, -1, 1, 1], {'bias': False})
    """

    name: str
    title: str
    X: Doubles
    y: Labels
    names: tuple[str, ...]
    bias: bool = True
    start: Start | None = None
    expect: str = ""
    separable: bool | None = None
    gamma: float | None = None
    R: float | None = None
    u: tuple[Doubles, float] | None = None
    flipped: Ints | None = None

    def __post_init__(self) -> None:
        for name in ("X", "y"):
            values = np.array(getattr(self, name))
            values.setflags(write=False)
            object.__setattr__(self, name, values)

    def __iter__(self) -> Iterator[Any]:
        """Unpack as ``X, y = dataset``."""
        return iter((self.X, self.y))

    @property
    def n(self) -> int:
        return len(self.y)

    @property
    def d(self) -> int:
        return int(self.X.shape[1])

    @property
    def settings(self) -> dict[str, Any]:
        """The keyword arguments of ``learn`` and ``trace`` that repeat the source's run."""
        return {"bias": self.bias} | ({} if self.start is None else {"start": self.start})

    @property
    def bound(self) -> float | None:
        """(R/gamma)², the most updates from a zero start with margin 0 (Novikoff 1962), if both are known."""
        return None if self.gamma is None or self.R is None else (self.R / self.gamma) ** 2

    def only(self, *classes: Any) -> "Dataset":
        """Return the rows of these classes alone; what was known about the whole set is forgotten."""
        known = np.unique(self.y).tolist()
        if strange := [label for label in classes if label not in known]:
            raise DataError(f"{self.name} has no class {strange[0]!r}; its classes are {known}.")
        kept = np.isin(self.y, np.array(classes))
        title = f"{self.title}: {' and '.join(map(str, classes))}"
        facts: dict[str, Any] = dict.fromkeys(("separable", "gamma", "R", "u", "flipped"))
        return replace(self, title=title, X=self.X[kept], y=self.y[kept], expect="", **facts)

    def __repr__(self) -> str:
        space = "with a bias" if self.bias else "through the origin"
        text = f"{self.title}\n{self.n} rows, {self.d} feature{'s' * (self.d != 1)}, {space}"
        if self.gamma is not None and self.R is not None:
            text += f"; gamma = {self.gamma:.4g}, R = {self.R:.4g}, (R/gamma)² = {self.bound:.6g}"
        return text + (f"\n{self.expect}" if self.expect else "")
