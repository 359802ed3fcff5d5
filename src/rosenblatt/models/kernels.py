"""The named kernels, as matrices of values between two sets of rows. With scikit-learn's parameters and defaults."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import rosenblatt._core as _core
from rosenblatt._typing import Doubles
from rosenblatt.data.arrays import Rows
from rosenblatt.errors import DataError

NAMES = ("linear", "poly", "polynomial", "rbf", "sigmoid", "laplacian", "cosine")


@dataclass(frozen=True)
class Kernel:
    """K(a, b) by name.

    linear a·b; poly (gamma a·b + coef0)^degree; rbf exp(−gamma ‖a − b‖²); sigmoid tanh(gamma a·b + coef0);
    laplacian exp(−gamma ‖a − b‖₁); cosine a·b / (‖a‖ ‖b‖).
    """

    name: str
    gamma: float = 1.0
    degree: float = 3
    coef0: float = 1.0

    def __post_init__(self) -> None:
        if self.name in ("rbf", "laplacian") and not 0 < self.gamma < np.inf:
            raise DataError(
                f"gamma is {self.gamma}; {self.name} needs a finite gamma above 0, for example 1 / features."
            )

    def __call__(self, A: Rows, B: Rows) -> Doubles:
        """Return the A.n × B.n matrix of kernel values."""
        formula: dict[str, Callable[[Rows, Rows], Doubles]] = {
            "linear": lambda A, B: A.products(B),
            "poly": self._poly,
            "polynomial": self._poly,
            "rbf": self._rbf,
            "sigmoid": lambda A, B: np.tanh(self.gamma * A.products(B) + self.coef0),
            "laplacian": self._laplacian,
            "cosine": self._cosine,
        }
        return formula[self.name](A, B)

    def _poly(self, A: Rows, B: Rows) -> Doubles:
        K = A.products(B)
        if self.degree != int(self.degree) or not 1 <= self.degree <= 16:
            return np.asarray((self.gamma * K + self.coef0) ** self.degree)
        # Whole powers by multiplication: several times faster than the general power.
        _core.poly_of_products(K, self.gamma, self.coef0, int(self.degree))
        return K

    def _rbf(self, A: Rows, B: Rows) -> Doubles:
        K = A.products(B)
        _core.rbf_of_products(K, A.squared_norms(), B.squared_norms(), self.gamma)
        if A is B:
            np.fill_diagonal(K, 1)  # whatever the rounding of the products says
        return K

    def _laplacian(self, A: Rows, B: Rows) -> Doubles:
        other = B.dense()
        distances = np.array([np.abs(other - A.row(i)).sum(axis=1) for i in range(A.n)]).reshape(A.n, B.n)
        return np.asarray(np.exp(-self.gamma * distances))

    def _cosine(self, A: Rows, B: Rows) -> Doubles:
        def length(rows: Rows) -> Doubles:
            norm = np.sqrt(rows.squared_norms())
            return np.where(norm == 0, 1.0, norm)

        return np.asarray(A.products(B) / length(A)[:, None] / length(B)[None, :])
