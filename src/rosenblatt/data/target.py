"""Labels of a file: which raw values are which class, counted in one read and applied in the next."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rosenblatt._typing import Codes, Ints, Labels
from rosenblatt.data.labels import nearly_all_different
from rosenblatt.data.sniff import is_number
from rosenblatt.data.table import Batch, Factor
from rosenblatt.errors import DataError

MAX_CLASSES = 10_000
LISTED = 20  # labels in a message
WHOLE = re.compile(r"[+-]?[0-9]{1,40}")
Key: TypeAlias = int | float | str | bool
RawLabels: TypeAlias = NDArray[Any] | Factor


def key_of(value: Any) -> Key:
    """Return one key for all spellings of a label: "1", "1.0", 1 and 1.0 are the same; whole numbers keep all digits.

    >>> [key_of(label) for label in ("1.0", "9007199254740993", np.int64(2**53 + 1), "1e999", "ant")]
    [1.0, 9007199254740993, 9007199254740993, '1e999', 'ant']
    """
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, str):
        if "\0" in value:
            raise DataError(
                f"the label {value!r} holds a zero byte; this is no text, or it was cut out of something else."
            )
        if WHOLE.fullmatch(value):
            return int(value)
        return float(value) if is_number(value) and math.isfinite(float(value)) else value
    if not isinstance(value, int | float | np.integer | np.floating):
        raise DataError(f"the label {value!r} is of type {type(value).__name__}; labels are numbers, text or booleans.")
    return int(value) if isinstance(value, int | np.integer) else float(value)


def name_of_rest(positive: str) -> str:
    """Return a name for all labels but one that sorts before it: of two classes the second is the positive one.

    >>> name_of_rest("spam"), name_of_rest("3"), name_of_rest("#1")
    ('(not spam)', '(not 3)', ' (not #1)')
    """
    name = f"(not {positive})"
    return name if name < positive else f" {name}"


def keyed(labels: RawLabels) -> tuple[list[Key | None], Ints]:
    """Return the distinct keys (None: missing) and the place of every label among them."""
    if isinstance(labels, Factor):
        return [*(key_of(value) for value in labels.values), None], np.asarray(labels.codes, dtype=np.int64)
    if len(labels) and labels.dtype.kind in "iuf":  # two values: no need to sort
        least, most = labels.min(), labels.max()
        upper = labels == most
        if least < most and bool((upper | (labels == least)).all()):
            return [key_of(least), key_of(most)], upper.astype(np.int64)
    values, place = np.unique(labels, return_inverse=True)
    keys = [None if value != value else key_of(value) for value in values.tolist()]
    return keys, place.ravel().astype(np.int64)


@dataclass(frozen=True, eq=False)
class Target:
    """The classes, in order, and which class each key is; keys that are left out have none, or are all one class."""

    classes: Labels
    lookup: dict[Key, int]
    other: int = -1

    def codes(self, labels: RawLabels) -> Codes:
        """Return class codes; −1 for labels that are missing or left out."""
        keys, place = keyed(labels)
        table = np.array([-1 if key is None else self.lookup.get(key, self.other) for key in keys], dtype=np.int32)
        return table[place]

    def codes_of(self, batch: Batch, weight: str | None) -> Codes:
        """Return the class codes of a batch; −1 also for rows whose weight, in that column, is 0 or missing."""
        assert batch.labels is not None
        codes = self.codes(batch.labels)
        if weight is not None:
            codes[~(np.asarray(batch.columns[weight]) > 0)] = -1
        return codes

    @classmethod
    def of(cls, classes: Sequence[Any] | Labels, positive: Any = None) -> "Target":
        """Return the target with these classes, in this order; of two where one is ``positive``, the other is the rest.

        >>> Target.of(["(not ant)", "ant"], "ant").codes(np.array(["ant", "bee", "cat"])).tolist()
        [1, 0, 0]
        """
        labels = np.asarray(classes)
        if positive is not None:
            code = int(np.flatnonzero(labels == str(positive))[0])
            return cls(labels, {key_of(positive): code}, 1 - code)
        return cls(labels, {key_of(value): code for code, value in enumerate(labels.tolist())})

    def to_dict(self) -> dict[str, Any]:
        """Return the target as plain JSON values."""
        pairs = [[key, code] for key, code in self.lookup.items()]
        return {"classes": self.classes.tolist(), "dtype": self.classes.dtype.str, "lookup": pairs}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Target":
        """Return the target that `to_dict` wrote."""
        return cls(np.array(data["classes"], dtype=data["dtype"]), {key: int(code) for key, code in data["lookup"]})


class LabelCount:
    """Counts labels block by block, and how often neighbours differ (few changes: the file is sorted by label)."""

    def __init__(self, name: str, path: str, chosen: Sequence[Any] | None) -> None:
        self.name, self.path = name, path
        self.counts: Counter[Key] = Counter()
        self.shown: dict[Key, Any] = {}
        self.passed_over: dict[str, None] = {}  # labels not asked for, as far as a message can list them
        self.changes = 0
        self.chosen = None if chosen is None else {key_of(value): value for value in chosen}
        self._last: Key | None = None

    def keep(self, labels: RawLabels) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return which rows have a wanted label, and which have none at all."""
        keys, place = keyed(labels)
        missing = np.array([key is None for key in keys], dtype=bool)[place]
        if self.chosen is None:
            return ~missing, missing
        wanted = np.array([key is not None and key in self.chosen for key in keys], dtype=bool)
        if len(self.passed_over) < LISTED:
            others = (str(key) for key, yes in zip(keys, wanted, strict=True) if key is not None and not yes)
            self.passed_over.update(dict.fromkeys(islice(others, LISTED)))
        return wanted[place], missing

    def add(self, labels: RawLabels) -> None:
        """Count the labels of rows that are kept."""
        keys, place = keyed(labels)
        if not len(place):
            return
        place = np.where(place < 0, len(keys) - 1, place)
        for k, count in enumerate(np.bincount(place, minlength=len(keys)).tolist()):
            key = keys[k]
            if count and key is not None:
                self.counts[key] += count
                self.shown.setdefault(key, labels.values[k] if isinstance(labels, Factor) else key)
        self.changes += int((place[1:] != place[:-1]).sum()) + (self._last not in (None, keys[place[0]]))
        self._last = keys[place[-1]]
        if len(self.counts) > MAX_CLASSES:
            raise DataError(
                f"{self.path}: the target {self.name} has more than {MAX_CLASSES} different values; "
                "a perceptron predicts classes. Name another column with target=."
            )

    def target(self, positive: Any) -> Target:
        """Return the classes found, sorted: numbers if all labels are, else words; or ``positive`` against the rest."""
        keys: list[Any] = list(self.counts)
        if self.chosen is not None and (gone := [v for k, v in self.chosen.items() if k not in self.counts]):
            raise self._no_such(gone[0])
        if positive is not None:
            return self._one_against_rest(key_of(positive), positive)
        if len(keys) < 2:
            found = f"1 class ({self._listed()})" if keys else "no labels"
            raise DataError(f"{self.path}: the target {self.name} has {found}; a perceptron needs at least 2.")
        if all(isinstance(key, bool) for key in keys):
            return Target.of(np.array(sorted(keys)))
        if all(isinstance(key, int | float) and not isinstance(key, bool) for key in keys):
            if all(abs(key) < (2**63 if isinstance(key, int) else 2**53) and key == int(key) for key in keys):
                return Target.of(np.array(sorted(map(int, keys)), dtype=np.int64))
            if len(set(map(float, keys))) == len(keys):
                return Target.of(np.array(sorted(map(float, keys))))
        words = sorted(keys, key=lambda key: str(self.shown[key]))
        return Target(np.array([str(self.shown[key]) for key in words]), {key: i for i, key in enumerate(words)})

    def looks_endless(self) -> bool:
        """Return whether the labels look like no classes."""
        return self.chosen is None and nearly_all_different(len(self.counts), self.counts.total())

    def looks_continuous(self) -> bool:
        """Return whether the labels look measured rather than named: fractions, hardly one of them twice."""
        some = len(self.counts) > 5 and 2 * len(self.counts) > self.counts.total()
        return some and any(isinstance(key, float) and not key.is_integer() for key in self.counts)

    def looks_sorted(self) -> bool:
        """Return whether neighbours share their label far more often than in a random order."""
        n = self.counts.total()
        expected = n - sum(count * count for count in self.counts.values()) / max(n, 1)
        return n >= 20 and self.changes < 0.1 * expected

    def _one_against_rest(self, key: Key, positive: Any) -> Target:
        if key not in self.counts:
            raise self._no_such(positive)
        if len(self.counts) < 2:
            raise DataError(f"{self.path}: every row has the label {positive!r}; a perceptron needs another class.")
        return Target(np.array([name_of_rest(str(positive)), str(positive)]), {k: int(k == key) for k in self.counts})

    def _no_such(self, label: Any) -> DataError:
        """Return the complaint that no row has a label, with the labels there are and the nearest of them."""
        there = [*map(str, self.shown.values()), *self.passed_over]
        close = get_close_matches(str(label), there, n=1)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        listed = ", ".join(map(repr, there[:LISTED])) + ", …" * (len(there) > LISTED)
        return DataError(f"{self.path}: no row has the label {label!r}.{hint} Labels: {listed}.")

    def _listed(self) -> str:
        shown = [repr(value) for value in list(self.shown.values())[:10]]
        return ", ".join(shown) + (", …" if len(self.shown) > 10 else "")
