"""Numbers read as they are written, and numbers and vectors written as people write them."""

from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rosenblatt.errors import DataError

Components: TypeAlias = list[Any] | tuple[Any, ...] | range | NDArray[Any]
LONGEST = 6  # decimal places of a number somebody may have typed
LARGEST = 10**9
MOST = 6  # components of a vector that are written out
FARTHEST = 5000  # power of ten of a number; a longer one would keep the machine busy for hours


def as_fraction(value: Any) -> Fraction:
    """Return the number as it is written: 0.1 is 1/10, not the nearest float.

    >>> as_fraction(0.1), as_fraction("1/3"), as_fraction(2)
    (Fraction(1, 10), Fraction(1, 3), Fraction(2, 1))
    """
    if isinstance(value, Fraction):
        return value
    if isinstance(value, (bool, np.bool_)):
        return Fraction(int(value))
    if isinstance(value, (int, np.integer)):
        return Fraction(int(value))
    try:
        text = str(value).strip().lower()  # of a float the shortest decimal that reads back as it
        if abs(int(text.partition("e")[2] or 0)) > FARTHEST:
            raise ValueError
        return Fraction(text)
    except (ValueError, OverflowError, ZeroDivisionError):
        raise DataError(f"{value!r} is not a finite number; exact arithmetic needs decimals or fractions.") from None


def is_short(value: Fraction) -> bool:
    """Say whether the number could have been typed by hand: at most 6 decimal places, or a small denominator."""
    return abs(value) < LARGEST and (value.denominator <= 100 or 10**LONGEST % value.denominator == 0)


def fractions_of(values: Any, shape: tuple[int, ...]) -> NDArray[Any]:
    """Return numbers of any kind as an object array of Fractions of the given shape."""
    made = np.empty(shape, dtype=object)
    for place, value in zip(np.ndindex(shape), _flat(values), strict=True):
        try:
            made[place] = as_fraction(value)
        except DataError as error:
            where = "row {}, column {}" if len(shape) == 2 else "number {}"
            raise DataError(f"{where.format(*place)}: {error}") from None
    return made


def _flat(values: Any) -> list[Any]:
    if hasattr(values, "to_numpy"):
        values = values.to_numpy()
    if isinstance(values, np.ndarray):
        return list(values.ravel())  # elements keep their type, so that a float32 prints as it was typed
    if isinstance(values, (list, tuple)):
        return [item for value in values for item in _flat(value)]
    return [values]


def exactly(value: Any) -> str:
    """Write a number without loss: a decimal where it ends, else a fraction; floats as Python writes them.

    >>> exactly(Fraction(1, 5)), exactly(Fraction(-1, 3)), exactly(Fraction(4)), exactly(4.0)
    ('0.2', '-1/3', '4', '4')
    """
    if not isinstance(value, Fraction):
        return repr(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(float(value))
    rest, places = value.denominator, 0
    for prime in (2, 5):
        power = 0
        while rest % prime == 0:
            rest //= prime
            power += 1
        places = max(places, power)
    if rest != 1:
        return f"{value.numerator}/{value.denominator}"
    digits = f"{abs(value.numerator) * 10**places // value.denominator:0{places + 1}d}"
    sign = "-" if value < 0 else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else sign + digits


def briefly(value: Any) -> str:
    """Write a number as a lecture prints it: 4, not 4.000; 0.2, not 0.20000000000000018.

    >>> briefly(4.0), briefly(0.20000000000000018), briefly(Fraction(1, 3)), briefly(-0.0)
    ('4', '0.2', '1/3', '0')
    """
    if isinstance(value, Fraction):
        text = exactly(value)
        if len(text) <= 9:
            return text
    text = f"{float(value):.6g}"
    return "0" if text == "-0" else text


def number(value: Any) -> str:
    """Return the number with a true minus sign."""
    return briefly(value).replace("-", "−")


def vector(values: Components, minus: str = "-") -> str:
    """Return (2, 4), or (2, 4, 1, …) of many.

    >>> vector([2.0, -4.0]), vector(range(9))
    ('(2, -4)', '(0, 1, 2, …)')
    """
    shown = list(values) if len(values) <= MOST else list(values)[:3]
    text = ", ".join(briefly(value) for value in shown) + (", …" if len(values) > MOST else "")
    return f"({text})".replace("-", minus)
