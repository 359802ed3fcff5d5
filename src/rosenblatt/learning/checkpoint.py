"""Checkpoints: everything that decides the rest of a run, in one file that is replaced whole or not at all."""

import os
from dataclasses import dataclass

from rosenblatt.errors import DataError


@dataclass(frozen=True)
class Checkpoint:
    """Where and how often a run saves itself, so that it can be continued to the identical final model.

    Parameters
    ----------
    path : the file; written under a temporary name, flushed to the disk, then renamed.
    every : seconds between two saves; the run also saves itself when it stops.
    resume : continue from the file if it is there; without one the run starts at the beginning. A file that belongs to
        other examples or other settings is refused.
    """

    path: str | os.PathLike[str]
    every: float = 30.0
    resume: bool = False

    def __post_init__(self) -> None:
        if not self.every >= 0:
            raise DataError(f"every={self.every!r} must be a number of seconds, 0 or more.")
