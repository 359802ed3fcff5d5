"""Labels of any kind, in and out: sorted, the second of two is the positive class."""

from typing import Any

import numpy as np

from rosenblatt._typing import Codes, Doubles, Labels
from rosenblatt.errors import DataError

SMALL_RANGE = 1 << 16
ENDLESS = 50  # classes; of more it is asked how often they come


def nearly_all_different(distinct: int, total: int) -> bool:
    """Return whether so many different values look like no classes or levels: measurements, names of rows, texts.

    >>> nearly_all_different(60, 100), nearly_all_different(40, 60), nearly_all_different(60, 1000)
    (True, False, False)
    """
    return distinct > ENDLESS and 2 * distinct > total


def refuse_masked(values: Any, where: str) -> None:
    """Refuse a masked array that hides something: what lies under the mask would be learnt from."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        place = ", ".join(map(str, np.argwhere(np.ma.getmaskarray(values))[0].tolist()))
        raise DataError(f"{where}[{place}] is masked; drop what is masked, or fill it in with {where}.filled(...).")


def encode(y: Any, n: int, classes: Labels | None = None) -> tuple[Labels, Codes]:
    """Return the sorted classes and each example's place among them.

    >>> classes, codes = encode(["spam", "ham", "spam"], 3)
    >>> classes.tolist(), codes.tolist()
    (['ham', 'spam'], [1, 0, 1])
    """
    refuse_masked(y, "y")
    values = np.asarray(y.to_numpy() if hasattr(y, "to_numpy") else y)
    refuse_mixed(y, values)
    if values.dtype.kind == "c":
        raise DataError(f"y has element type {values.dtype}; labels must be of a kind that can be sorted.")
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        raise DataError(f"y should be a 1d array, got an array of shape {values.shape} instead.")
    if len(values) != n:
        raise DataError(f"X and y differ in length: {n} rows, {len(values)} labels; give one label for each row.")
    refuse_missing(values)
    if classes is None:
        try:
            found, codes = _distinct(values)
        except TypeError:
            kinds = sorted({type(value).__name__ for value in values})
            raise DataError(f"y mixes {' and '.join(kinds)}; labels must be of one kind that can be sorted.") from None
        if found.dtype.kind == "f" and nearly_all_different(len(found), n) and (found % 1 != 0).any():
            raise DataError(
                f"y has {len(found)} different values in {n} rows, fractions among them; it looks like regression, and a "
                "perceptron predicts classes. Make classes of them first, for example y > 0."
            )
        if len(found) < 2:
            raise DataError(f"y has 1 class ({found.tolist()[0]!r}); a perceptron needs at least 2.")
        return found, codes
    codes = np.searchsorted(classes, values).clip(0, len(classes) - 1)
    if len(values) and (strange := classes[codes] != values).any():
        i = int(np.flatnonzero(strange)[0])
        raise DataError(
            f"label {i} is {values[i : i + 1].tolist()[0]!r}, which is not one of the classes {classes.tolist()}."
        )
    return classes, codes.astype(np.int32)


def _distinct(values: Labels) -> tuple[Labels, Codes]:
    """Return the sorted distinct values and each one's place: without a sort where they are neighbours or few."""
    if values.dtype.kind in "iub" and len(values):
        low, high = int(values.min()), int(values.max())
        if high - low == 1:
            return np.array([low, high], dtype=values.dtype), (values == high).astype(np.int32)
        if high - low < SMALL_RANGE and high < 2**62:
            shifted = values.astype(np.int64) - low
            present = np.zeros(high - low + 1, dtype=bool)
            present[shifted] = True
            place = np.cumsum(present, dtype=np.int32) - np.int32(1)
            return (np.flatnonzero(present) + low).astype(values.dtype), place[shifted].astype(np.int32, copy=False)
    found, codes = np.unique(values, return_inverse=True)
    return found, codes.astype(np.int32)


def refuse_mixed(y: Any, values: Labels) -> None:
    """Refuse a list of words and other things, of all of which NumPy made words."""
    if values.dtype.kind == "U" and isinstance(y, (list, tuple)) and not all(isinstance(label, str) for label in y):
        kinds = sorted({type(label).__name__ for label in y})
        raise DataError(f"y mixes {' and '.join(kinds)}; labels must be of one kind that can be sorted.")


def refuse_missing(values: Labels) -> None:
    """Raise on the first label that is NaN, infinite, no time or None, naming it."""
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        i = int(np.flatnonzero(~np.isfinite(values))[0])
        raise DataError(f"Input y contains NaN or infinity: label {i} is {values[i]}; drop that row.")
    if values.dtype.kind in "mM" and np.isnat(values).any():
        i = int(np.flatnonzero(np.isnat(values))[0])
        raise DataError(f"Input y contains NaN: label {i} is {values[i]}; drop that row.")
    if values.dtype.kind == "O" and any(value is None or value != value for value in values):
        i = next(i for i, value in enumerate(values) if value is None or value != value)
        raise DataError(f"Input y contains NaN: label {i} is {values[i]!r}; drop that row.")


def check_weights(weights: Any, n: int, *, block: bool = False) -> Doubles | None:
    """Return example weights as float64, all finite and not negative; only in a block of many may all be zero."""
    if weights is None:
        return None
    try:
        values = np.ascontiguousarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError("weights must be numbers, one for each row.") from None
    if values.shape != (n,):
        raise DataError(f"weights must be one number for each of {n} rows; got shape {values.shape}.")
    if not np.isfinite(values).all() or (values < 0).any():
        i = int(np.flatnonzero(~np.isfinite(values) | (values < 0))[0])
        raise DataError(f"weight {i} is {values[i]}; weights must be finite and not negative.")
    if not (block or values.any()):
        raise DataError("all weights are zero: there is nothing to learn from.")
    return values
