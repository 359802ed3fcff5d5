"""The scikit-learn door."""

from rosenblatt.errors import MissingExtra

try:
    import sklearn  # noqa: F401
except ModuleNotFoundError as error:
    raise MissingExtra("scikit-learn", "sklearn", "an estimator") from error

from rosenblatt.estimators.base import ConvergenceWarning
from rosenblatt.estimators.family import (
    AveragedPerceptron,
    MarginPerceptron,
    Perceptron,
    PocketPerceptron,
    VotedPerceptron,
)
from rosenblatt.estimators.kernel import KernelPerceptron

__all__ = [
    "AveragedPerceptron",
    "ConvergenceWarning",
    "KernelPerceptron",
    "MarginPerceptron",
    "Perceptron",
    "PocketPerceptron",
    "VotedPerceptron",
]
