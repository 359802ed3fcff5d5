"""The sets that need no arguments, by name: for the command line and for menus."""

from collections.abc import Callable

from rosenblatt.datasets.boolean import and_, k_of_n, or_, xor
from rosenblatt.datasets.dataset import Dataset
from rosenblatt.datasets.lectures import neither, offset, origin, w1, w2, w3
from rosenblatt.datasets.real import breast_cancer, digits, iris
from rosenblatt.errors import DataError

NAMED: dict[str, Callable[[], Dataset]] = {
    "w1": w1,
    "w2": w2,
    "w3": w3,
    "and": and_,
    "or": or_,
    "xor": xor,
    "3_of_5": lambda: k_of_n(5, 3),
    "origin": origin,
    "offset": offset,
    "neither": neither,
    "iris": iris,
    "breast_cancer": breast_cancer,
    "digits": digits,
}


def load(name: str) -> Dataset:
    """Return the data set of this name.

    >>> load("xor").separable
    False
    """
    if name not in NAMED:
        raise DataError(f"there is no data set {name!r}; choose one of {', '.join(NAMED)}.")
    return NAMED[name]()
