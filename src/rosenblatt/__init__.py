"""rosenblatt: every perceptron of the lectures, proved, drawn and fast.

Names load their part of the library on first use, so that ``import rosenblatt`` needs NumPy alone.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rosenblatt import data, datasets, export, lab, plot
    from rosenblatt.data.arrays import augment
    from rosenblatt.errors import ConvergenceWarning, DataError
    from rosenblatt.estimators.family import (
        AveragedPerceptron,
        MarginPerceptron,
        Perceptron,
        PocketPerceptron,
        VotedPerceptron,
    )
    from rosenblatt.estimators.kernel import KernelPerceptron
    from rosenblatt.learning.run import learn
    from rosenblatt.models.save import load, save
    from rosenblatt.theory.bound import mistake_bound, repeats_until_correct
    from rosenblatt.theory.certificate import verify
    from rosenblatt.theory.margin import margin_of, max_margin
    from rosenblatt.theory.separability import check
    from rosenblatt.theory.studying import study
    from rosenblatt.theory.tracing import trace

__version__ = "0.1.0"

_HOME = {
    "Perceptron": "estimators.family",
    "MarginPerceptron": "estimators.family",
    "AveragedPerceptron": "estimators.family",
    "VotedPerceptron": "estimators.family",
    "PocketPerceptron": "estimators.family",
    "KernelPerceptron": "estimators.kernel",
    "learn": "learning.run",
    "save": "models.save",
    "load": "models.save",
    "augment": "data.arrays",
    "check": "theory.separability",
    "verify": "theory.certificate",
    "max_margin": "theory.margin",
    "margin_of": "theory.margin",
    "mistake_bound": "theory.bound",
    "repeats_until_correct": "theory.bound",
    "ConvergenceWarning": "errors",
    "DataError": "errors",
    "study": "theory.studying",
    "trace": "theory.tracing",
}

_ROOMS = ("data", "datasets", "export", "lab", "plot")

__all__ = [
    "AveragedPerceptron",
    "ConvergenceWarning",
    "DataError",
    "KernelPerceptron",
    "MarginPerceptron",
    "Perceptron",
    "PocketPerceptron",
    "VotedPerceptron",
    "augment",
    "check",
    "data",
    "datasets",
    "export",
    "lab",
    "learn",
    "load",
    "margin_of",
    "max_margin",
    "mistake_bound",
    "plot",
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
    if name in _ROOMS:
        return importlib.import_module(f"rosenblatt.{name}")
    raise AttributeError(f"module 'rosenblatt' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)


import rosenblatt._core as _core  # noqa: E402, F401  (fail at import, not at first use, where the core is missing)
