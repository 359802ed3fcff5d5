"""The worked examples of the lectures, number by number."""

from math import sqrt

import numpy as np

from rosenblatt.datasets.dataset import Dataset

PLANE = ("x1", "x2")


def w1() -> Dataset:
    """Return worked example W1: three points, through the origin, start (1, −0.8).

    >>> from rosenblatt import learn
    >>> data = w1()
    >>> learn(*data, **data.settings).n_updates
    3
    """
    return Dataset(
        "w1",
        "W1: three points and a start",
        np.array([[1.0, 2.0], [-1.0, 2.0], [0.0, -1.0]]),
        np.array([1, -1, -1]),
        PLANE,
        bias=False,
        start=((1.0, -0.8), 0.0),
        expect="3 updates, 2 passes: (1, -0.8), (2, 1.2), (3, -0.8), (3, 0.2).",
        separable=True,
        gamma=1 / sqrt(10),
        R=sqrt(5),
        u=(np.array([3.0, 1.0]) / sqrt(10), 0.0),
    )


def w2() -> Dataset:
    """Return worked example W2: four points, through the origin, zero start.

    >>> from rosenblatt import learn
    >>> data = w2()
    >>> learn(*data, **data.settings).w.tolist()
    [2.0, 4.0]
    """
    return Dataset(
        "w2",
        "W2: four points, four updates",
        np.array([[-2.0, 0.0], [0.0, -2.0], [-2.0, 2.0], [2.0, 2.0]]),
        np.array([-1, -1, 1, 1]),
        PLANE,
        bias=False,
        expect="4 updates, 3 passes: (0, 0), (2, 0), (2, 2), (0, 4), (2, 4).",
        separable=True,
        gamma=2 / sqrt(5),
        R=2 * sqrt(2),
        u=(np.array([1.0, 2.0]) / sqrt(5), 0.0),
    )


def w3() -> Dataset:
    """Return worked example W3: x = 9 (−) and x = 11 (+) with a bias, where the plain "bound" 121 is wrong.

    >>> from rosenblatt import learn
    >>> learn(*w3()).n_updates, round(w3().bound)
    (202, 12322)
    """
    return Dataset(
        "w3",
        "W3: two points and a bias",
        np.array([[9.0], [11.0]]),
        np.array([-1, 1]),
        ("x",),
        expect="202 updates in cyclic order: more than 11²/1² = 121, for the bound counts the constant feature too.",
        separable=True,
        gamma=1 / sqrt(101),
        R=sqrt(122),
        u=(np.array([1.0]) / sqrt(101), -10 / sqrt(101)),
    )


def origin() -> Dataset:
    """Return a picture that a line through the origin separates."""
    return Dataset(
        "origin",
        "Separable through the origin",
        np.array([[1.0, 2.0], [2.0, 1.0], [3.0, 3.0], [-1.0, -2.0], [-2.0, -1.0], [-3.0, -3.0]]),
        np.array([1, 1, 1, -1, -1, -1]),
        PLANE,
        bias=False,
        expect="Converges with and without a bias.",
        separable=True,
        gamma=3 / sqrt(2),
        R=3 * sqrt(2),
        u=(np.array([1.0, 1.0]) / sqrt(2), 0.0),
    )


def offset() -> Dataset:
    """Return a picture that a line separates, but none through the origin: both classes lie on one ray."""
    return Dataset(
        "offset",
        "Separable only with an offset",
        np.array([[1.0, 1.0], [1.0, 2.0], [2.0, 1.0], [3.0, 3.0], [3.0, 4.0], [4.0, 3.0]]),
        np.array([-1, -1, -1, 1, 1, 1]),
        PLANE,
        expect="Converges with a bias; through the origin it never does: (1, 1) and (3, 3) lie on one ray.",
        separable=True,
    )


def neither() -> Dataset:
    """Return a picture that no line separates: a negative point inside a triangle of positive ones."""
    return Dataset(
        "neither",
        "Not separable, with or without an offset",
        np.array([[0.0, 3.0], [-3.0, -3.0], [3.0, -3.0], [0.0, -1.0]]),
        np.array([1, 1, 1, -1]),
        PLANE,
        expect="Never converges: (0, -1) is the mean of the three points of the other class.",
        separable=False,
    )
