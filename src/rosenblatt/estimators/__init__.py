"""The scikit-learn door."""

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
