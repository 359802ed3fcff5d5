"""Named data: the lectures' examples, generators with known gamma and R, and a few classic real sets."""

from rosenblatt.datasets.boolean import and_, k_of_n, or_, xor
from rosenblatt.datasets.dataset import Dataset
from rosenblatt.datasets.lectures import neither, offset, origin, w1, w2, w3
from rosenblatt.datasets.made import make_noisy, make_separable
from rosenblatt.datasets.named import NAMED, load
from rosenblatt.datasets.real import breast_cancer, digits, iris

__all__ = [
    "NAMED",
    "Dataset",
    "and_",
    "breast_cancer",
    "digits",
    "iris",
    "k_of_n",
    "load",
    "make_noisy",
    "make_separable",
    "neither",
    "offset",
    "or_",
    "origin",
    "w1",
    "w2",
    "w3",
    "xor",
]
