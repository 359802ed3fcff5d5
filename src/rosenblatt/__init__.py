"""rosenblatt: every perceptron of the lectures, proved, drawn and fast.

Names load their part of the library on first use, so that ``import rosenblatt`` needs NumPy alone.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rosenblatt.data.arrays import augment
    from rosenblatt.errors import ConvergenceWarning, DataError, Interrupted
    from rosenblatt.estimators.family import (
        AveragedPerceptron,
        MarginPerceptron,
        Perceptron,
        PocketPerceptron,
        VotedPerceptron,
    )
    from rosenblatt.estimators.kernel import KernelPerceptron
    from rosenblatt.learning.checkpoint import Checkpoint
    from rosenblatt.learning.run import learn
    from rosenblatt.models.save import load, save
    from rosenblatt.theory.bound import mistake_bound, repeats_until_correct
    from rosenblatt.theory.certificate import Certificate, verify
    from rosenblatt.theory.margin import margin_of, max_margin
    from rosenblatt.theory.separability import check
    from rosenblatt.theory.studying import Study, study
    from rosenblatt.theory.tracing import Trace, trace

__version__ = "0.1.0"

_HOME = {
    "Perceptron": "estimators.family",
    "MarginPerceptron": "estimators.family",
    "AveragedPerceptron": "estimators.family",
    "VotedPerceptron": "estimators.family",
    "PocketPerceptron": "estimators.family",
    "KernelPerceptron": "estimators.kernel",
    "learn": "learning.run",
    "Checkpoint": "learning.checkpoint",
    "save": "models.save",
    "load": "models.save",
    "Outcome": "learning.outcome",
    "Journal": "learning.journal",
    "augment": "data.arrays",
    "check": "theory.separability",
    "Certificate": "theory.certificate",
    "verify": "theory.certificate",
    "max_margin": "theory.margin",
    "margin_of": "theory.margin",
    "mistake_bound": "theory.bound",
    "repeats_until_correct": "theory.bound",
    "ConvergenceWarning": "errors",
    "DataError": "errors",
    "Study": "theory.studying",
    "study": "theory.studying",
    "Trace": "theory.tracing",
    "trace": "theory.tracing",
    "Interrupted": "errors",
}

__all__ = [
    "AveragedPerceptron",
    "Certificate",
    "Checkpoint",
    "ConvergenceWarning",
    "DataError",
    "Interrupted",
    "KernelPerceptron",
    "MarginPerceptron",
    "Perceptron",
    "PocketPerceptron",
    "Study",
    "Trace",
    "VotedPerceptron",
    "augment",
    "check",
    "learn",
    "load",
    "margin_of",
    "max_margin",
    "mistake_bound",
    "repeats_until_correct",
    "save",
    "study",
    "trace",
    "verify",
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
