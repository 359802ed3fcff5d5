"""The choices of one call of `open`, checked where they stand alone."""

from dataclasses import dataclass
from typing import Any

from rosenblatt.data.encoder import MISSING, SCALES
from rosenblatt.errors import DataError

UNITS = {"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "kib": 2**10, "mib": 2**20, "gib": 2**30}


@dataclass(frozen=True)
class Settings:
    """The choices of one call of `open`."""

    target: str | int | None
    features: tuple[str | int, ...] | None
    exclude: tuple[str | int, ...]
    categories: tuple[str, ...]
    text: tuple[str, ...]
    weight: str | None
    positive: Any
    classes: tuple[Any, ...] | None
    missing: str
    scale: str
    format: str | None
    delimiter: str | None
    header: bool | None
    quotes: bool | None
    first_index: int | None
    dtype: str | None
    text_width: int
    text_ngrams: int
    memory: int
    block_rows: int | None
    window: int | None

    def __post_init__(self) -> None:
        for name, allowed in (("missing", MISSING), ("scale", SCALES), ("dtype", (None, "float32", "float64"))):
            if getattr(self, name) not in allowed:
                raise DataError(f"{name}={getattr(self, name)!r} is unknown; choose one of {allowed}.")
        for name in ("block_rows", "window", "text_width", "text_ngrams"):
            value = getattr(self, name)
            if value is not None and not (isinstance(value, int) and value >= 1):
                raise DataError(f"{name}={value!r} must be a whole number, 1 or more.")
        if self.first_index not in (None, 0, 1):
            raise DataError(f"first_index={self.first_index!r} must be 0 or 1, or None to find out.")
        if self.text_ngrams > 10:
            raise DataError(f"text_ngrams={self.text_ngrams} is more than 10 words; 1 to 3 are usual.")


def parse_size(size: int | str) -> int:
    """Return a memory size in bytes.

    >>> parse_size("256MB"), parse_size("1.5 GiB"), parse_size(4096)
    (256000000, 1610612736, 4096)
    """
    if isinstance(size, int) and not isinstance(size, bool) and size > 0:
        return size
    text = str(size).strip().lower()
    number = text.rstrip("bgikm ")
    unit = text[len(number) :].strip()
    try:
        count = float(number) * UNITS[unit]
    except (KeyError, ValueError):
        count = 0.0
    if not 1 <= count < 2**62:
        raise DataError(f"memory={size!r} is not a size; write for example '256MB' or '2GB'.")
    return int(count)
