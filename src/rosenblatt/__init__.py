"""rosenblatt: every perceptron of the lectures, proved, drawn and fast.

Names load their part of the library on first use, so that ``import rosenblatt`` needs NumPy alone.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rosenblatt.data.arrays import augment
    from rosenblatt.errors import ConvergenceWarning, DataError, Interrupted
    from rosenblatt.learning.checkpoint import Checkpoint
    from rosenblatt.learning.journal import Journal
    from rosenblatt.learning.outcome import Outcome
    from rosenblatt.learning.run import learn

__version__ = "0.1.0"

_HOME = {
    "learn": "learning.run",
    "Checkpoint": "learning.checkpoint",
    "Outcome": "learning.outcome",
    "Journal": "learning.journal",
    "augment": "data.arrays",
    "ConvergenceWarning": "errors",
    "DataError": "errors",
    "Interrupted": "errors",
}

__all__ = [
    "Checkpoint",
    "ConvergenceWarning",
    "DataError",
    "Interrupted",
    "Journal",
    "Outcome",
    "augment",
    "learn",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(importlib.import_module(f"rosenblatt.{_HOME[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'rosenblatt' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)


import rosenblatt._core as _core  # noqa: E402, F401  (fail at import, not at first use, where the core is missing)
