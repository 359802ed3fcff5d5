"""The named kernels, as matrices of values between two sets of rows. With scikit-learn's parameters and defaults."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import rosenblatt._core as _core
from rosenblatt._typing import Doubles
from rosenblatt.data.arrays import Rows
from rosenblatt.data.cores import cores
from rosenblatt.errors import DataError

PIECE = 1 << 19  # kernel values computed at a time: few enough to stay in a cache
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

    def sums(self, weights: Doubles, A: Rows, B: Rows) -> Doubles:
        """Return weights @ K(A, B) for weights of vectors × A.n; where the core can, without ever making K."""
        if self._in_tiles(A, B):
            return self._tiles(A, B, weights)
        total = np.zeros((len(weights), B.n))
        for place, piece in A.pieces(max(1, PIECE // max(1, B.n))):
            total += weights[:, place] @ self(piece, B)
        return total

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

    @property
    def _power(self) -> int | None:
        """The degree, if it is a whole number and small."""
        return int(self.degree) if self.degree == int(self.degree) and 1 <= self.degree <= 16 else None

    def _in_tiles(self, A: Rows, B: Rows) -> bool:
        simple = self.name == "rbf" or (self.name.startswith("poly") and self._power is not None)
        return simple and A.is_thin and B.is_thin

    def _tiles(self, A: Rows, B: Rows, weights: Doubles | None = None) -> Doubles:
        power = None if self.name == "rbf" else self._power
        few = A.n * B.n < 1 << 17  # one thread has made them before another has started
        if weights is not None:
            weights = np.ascontiguousarray(weights)
        return _core.sparse_kernel(
            A.examples(),
            B.examples(),
            weights,
            gamma=self.gamma,
            poly=None if power is None else (self.coef0, power),
            threads=1 if few else cores(),
        )

    def _poly(self, A: Rows, B: Rows) -> Doubles:
        if self._in_tiles(A, B):
            return self._tiles(A, B)
        K, power = A.products(B), self._power
        if power is None:
            return np.asarray((self.gamma * K + self.coef0) ** self.degree)
        # Whole powers by multiplication: several times faster than the general power.
        _core.poly_of_products(K, self.gamma, self.coef0, power)
        return K

    def _rbf(self, A: Rows, B: Rows) -> Doubles:
        if self._in_tiles(A, B):
            K = self._tiles(A, B)
        else:
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
