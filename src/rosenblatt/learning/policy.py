"""The choices of a run, as frozen values that check themselves: rule, order, memory, stop."""

import math
import time
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import numpy as np

from rosenblatt.errors import DataError

ORDERS = ("cyclic", "shuffle", "shuffle_once", "random", "first", "worst")
MEMORIES = ("last", "average", "vote", "pocket")
TIES = ("mistake", "positive")
MULTICLASS = ("ovr", "direct")


def one_of(name: str, value: Any, allowed: tuple[str, ...]) -> None:
    """Refuse a value outside ``allowed``, listing what is allowed."""
    if value not in allowed:
        raise DataError(f"{name}={value!r} is unknown; choose one of {', '.join(map(repr, allowed))}.")


def at_least_one(name: str, value: Any) -> int:
    """Return a whole number of 1 or more, or refuse it by value."""
    whole = isinstance(value, Integral) or (isinstance(value, Real) and float(value).is_integer())
    if isinstance(value, bool) or not whole or value < 1:
        raise DataError(f"{name}={value!r} must be a whole number, 1 or more.")
    return min(int(value), 2**62)  # nobody counts further


def deadline(max_seconds: float | None) -> float:
    """Return when, on the monotonic clock, a time that begins now is up; None never is."""
    return math.inf if max_seconds is None else time.monotonic() + max_seconds


def true_or_false(name: str, value: Any) -> bool:
    """Return a truth value, Python's or NumPy's, or refuse it by value: "no" and 2 would pass for True."""
    if not isinstance(value, (bool, np.bool_)):
        raise DataError(f"{name}={value!r} must be True or False.")
    return bool(value)


def _finite(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)


@dataclass(frozen=True)
class Rule:
    """Update iff m <= margin, by tau = rate × weight.

    From a zero start with margin 0 the rate only rescales (w, b); with a start w0 only w0/rate matters, with a margin
    only margin/rate. ``ties="positive"`` is the printed-listing variant "update if predicted != y, sign(0) = +1".
    """

    margin: float = 0.0
    rate: float = 1.0
    ties: str = "mistake"

    def __post_init__(self) -> None:
        one_of("ties", self.ties, TIES)
        if not (_finite(self.margin) and self.margin >= 0):
            raise DataError(f"margin={self.margin!r} must be a finite number, 0 or more.")
        if not (_finite(self.rate) and self.rate > 0):
            raise DataError(f"rate={self.rate!r} must be a finite number above 0.")
        if not _finite(self.margin / self.rate):
            raise DataError(
                f"margin={self.margin!r} over rate={self.rate!r} is beyond the floats; only that ratio matters."
            )
        if self.ties == "positive" and self.margin != 0:
            raise DataError(f"ties='positive' is a rule for margin 0, not margin={self.margin!r}; use ties='mistake'.")


@dataclass(frozen=True)
class Order:
    """In which order the examples are shown, and the seed of the generator behind it."""

    name: str = "cyclic"
    seed: int = 0

    def __post_init__(self) -> None:
        one_of("order", self.name, ORDERS)
        if not (isinstance(self.seed, Integral) and 0 <= int(self.seed) < 2**64):
            raise DataError(f"seed={self.seed!r} must be a whole number from 0 to 2**64 - 1.")
        object.__setattr__(self, "seed", int(self.seed))


@dataclass(frozen=True)
class Stop:
    """When to stop besides a clean pass: after so many passes, updates or seconds."""

    max_passes: int | None = 1000
    max_updates: int | None = None
    max_seconds: float | None = None

    def __post_init__(self) -> None:
        for name in ("max_passes", "max_updates"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, at_least_one(name, getattr(self, name)))
        if self.max_seconds is not None and not (isinstance(self.max_seconds, Real) and self.max_seconds > 0):
            raise DataError(f"max_seconds={self.max_seconds!r} must be above 0, or None for no limit.")
