"""The named kernels, as matrices of values between two sets of rows. With scikit-learn's parameters and defaults."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import rosenblatt._core as _core
from rosenblatt._typing import Doubles
from rosenblatt.data.cores import cores
from rosenblatt.data.rows import Rows
from rosenblatt.errors import DataError

FAR = 1e-9  # rounding of an exponent from which on rows are moved near the origin
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
        if self.name not in NAMES:
            raise DataError(f"kernel {self.name!r} is unknown; choose one of {', '.join(NAMES)}, or give a function.")
        if self.name in ("rbf", "laplacian") and not 0 < self.gamma < np.inf:
            raise DataError(
                f"gamma is {self.gamma}; {self.name} needs a finite gamma above 0, for example 1 / features."
            )
        for name in ("gamma", "degree", "coef0"):
            if not np.isfinite(value := getattr(self, name)):
                raise DataError(f"{name} is {value}; the {self.name} kernel needs a finite number.")

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
        K = self.in_tiles(A, B)
        K = formula[self.name](A, B) if K is None else K
        if self.name == "rbf" and A is B:
            np.fill_diagonal(K, 1)  # whatever the rounding of the products says
        return K

    def in_tiles(self, A: Rows, B: Rows, weights: Doubles | None = None) -> Doubles | None:
        """Return K(A, B), or weights @ K(A, B) without ever making K, by tiles of the core; None where it has none."""
        power = self._power if self.name.startswith("poly") else None
        if not (A.is_thin and B.is_thin) or (self.name != "rbf" and power is None):
            return None
        few = A.n * B.n < 1 << 17  # one thread has made them before another has started
        return _core.sparse_kernel(
            A.examples(),
            B.examples(),
            None if weights is None else np.ascontiguousarray(weights),
            gamma=self.gamma,
            poly=None if power is None else (self.coef0, power),
            threads=1 if few else cores(),
        )

    @property
    def _power(self) -> int | None:
        """The degree, if it is a whole number and small."""
        return int(self.degree) if self.degree == int(self.degree) and 1 <= self.degree <= 16 else None

    def _poly(self, A: Rows, B: Rows) -> Doubles:
        K, power = A.products(B), self._power
        if power is None:
            return np.asarray((self.gamma * K + self.coef0) ** self.degree)
        # Whole powers by multiplication: several times faster than the general power.
        _core.poly_of_products(K, self.gamma, self.coef0, power)
        return K

    def _rbf(self, A: Rows, B: Rows) -> Doubles:
        a, b = A.squared_norms(), B.squared_norms()
        error = 2.0**-52 * max(a.max(initial=0.0), b.max(initial=0.0))  # of ‖a‖² + ‖b‖² − 2 a·b
        if self.gamma * error > FAR and A.starts is None and B.starts is None:
            A, B = _moved_near(A, B)
            a, b = A.squared_norms(), B.squared_norms()
        K = A.products(B)
        _core.rbf_of_products(K, a, b, self.gamma)
        return K

    def _laplacian(self, A: Rows, B: Rows) -> Doubles:
        if A.columns is not None and B.columns is not None:  # where both are zero they are as far apart as in no column
            used = np.union1d(A.columns, B.columns)
            A, B = A.narrowed(used), B.narrowed(used)
        other = B.dense()
        distances = np.array([np.abs(other - A.row(i)).sum(axis=1) for i in range(A.n)]).reshape(A.n, B.n)
        return np.asarray(np.exp(-self.gamma * distances))

    def _cosine(self, A: Rows, B: Rows) -> Doubles:
        def length(rows: Rows) -> Doubles:
            norm = np.sqrt(rows.squared_norms())
            return np.where(norm == 0, 1.0, norm)

        return np.asarray(A.products(B) / length(A)[:, None] / length(B)[None, :])


def _moved_near(A: Rows, B: Rows) -> tuple[Rows, Rows]:
    """Return rows that lie far from the origin with one of them as the origin: the differences are the same."""
    origin = A.dense()[0].astype(np.float64)
    near, other = (Rows(rows.dense() - origin, rows.d) for rows in (A, B))
    return near, near if A is B else other


def weighted_sums(kernel: Callable[[Rows, Rows], Doubles], weights: Doubles, A: Rows, B: Rows) -> Doubles:
    """Return weights @ K(A, B) for weights of vectors × A.n, few kernel values at a time.

    >>> from rosenblatt.data.arrays import as_rows
    >>> weighted_sums(Kernel("linear"), np.array([[2.0, -1.0]]), as_rows([[1.0], [3.0]]), as_rows([[1.0], [10.0]]))
    array([[ -1., -10.]])
    """
    made = kernel.in_tiles(A, B, weights) if isinstance(kernel, Kernel) else None
    if made is not None:
        return made
    total = np.zeros((len(weights), B.n))
    for place, piece in A.pieces(max(1, PIECE // B.n)):
        total += weights[:, place] @ np.asarray(kernel(piece, B), dtype=np.float64)
    return total
