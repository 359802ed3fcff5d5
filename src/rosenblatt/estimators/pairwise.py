"""Which kernel: by name, ours or scikit-learn's, as a function of two matrices, or as the matrix of its values."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.metrics.pairwise import PAIRWISE_KERNEL_FUNCTIONS

from rosenblatt._typing import Doubles, Ints
from rosenblatt.data.rows import Rows
from rosenblatt.errors import DataError
from rosenblatt.models.kernel import KernelFunction
from rosenblatt.models.kernels import NAMES, Kernel

ALL_NAMES = {*NAMES, *PAIRWISE_KERNEL_FUNCTIONS, "precomputed"}


@dataclass(frozen=True)
class Pairwise:
    """A function of scikit-learn's pairwise kind, from two matrices to the matrix of kernel values."""

    function: Callable[..., Any]

    def __str__(self) -> str:
        return f"the Python function {getattr(self.function, '__name__', repr(self.function))}"

    def __call__(self, A: Rows, B: Rows) -> Doubles:
        a, b = (rows.to_scipy() if rows.is_sparse else rows.values for rows in (A, B))
        values = self.function(a, b)
        values = np.asarray(values.toarray() if hasattr(values, "toarray") else values)
        if values.dtype.kind == "c":
            raise DataError("the kernel gave complex values; it must return real ones.")
        if values.shape != (A.n, B.n):
            raise DataError(
                f"the kernel gave shape {values.shape} for {A.n} and {B.n} rows; it is called with two matrices and "
                f"must return ({A.n}, {B.n}) values, as those of sklearn.metrics.pairwise do."
            )
        return values.astype(np.float64)


@dataclass(frozen=True, eq=False)
class Precomputed:
    """Kernel values given by the user: the columns of the support rows."""

    columns: Ints

    def __str__(self) -> str:
        return "precomputed, values that belong to these examples"

    def __call__(self, A: Rows, B: Rows) -> Doubles:
        return A.dense()[:, self.columns]


def kernel_function(kernel: Any, rows: Rows, gamma: Any, degree: int, coef0: float) -> KernelFunction | None:
    """Return the chosen kernel as a function of rows, or None if it is precomputed."""
    if not isinstance(kernel, str):
        return Pairwise(kernel)
    if kernel == "precomputed":
        return None
    if kernel not in NAMES:
        return Pairwise(PAIRWISE_KERNEL_FUNCTIONS[kernel])
    return Kernel(kernel, _gamma(gamma, rows), degree, coef0)


def _gamma(gamma: Any, rows: Rows) -> float:
    """Return gamma as a number: "auto" is 1 / d, "scale" 1 / (d · variance of all values)."""
    if not isinstance(gamma, str):
        return float(gamma)
    if gamma == "auto":
        return 1.0 / rows.d
    values, size = rows.values.astype(np.float64, copy=False), rows.n * rows.d
    mean = values.sum() / size
    # What a sparse row does not store is 0.
    variance = ((values - mean) ** 2).sum() / size + (size - values.size) / size * mean**2
    return 1.0 / (rows.d * variance) if variance > 0 else 1.0
