"""An independent way to the best margin: the distance of the origin from the hull of the rows y·(x, 1)."""

import numpy as np
from scipy.optimize import nnls


def best_margin(X: np.ndarray, y: np.ndarray, bias: bool) -> float:
    """min ‖Zᵀλ‖ over weights λ >= 0 with sum 1, as a nonnegative least squares problem (Wolfe 1976)."""
    Z = y[:, None] * (np.column_stack([X, np.ones(len(X))]) if bias else X)
    # min ‖Zᵀλ‖² + (Σλ − 1)²: its solution is a multiple of the wanted weights
    weights, _ = nnls(np.vstack([Z.T, np.ones(len(Z))]), np.r_[np.zeros(Z.shape[1]), 1.0], maxiter=100 * len(Z))
    return float(np.linalg.norm(Z.T @ (weights / weights.sum())))


def radius(X: np.ndarray, bias: bool) -> float:
    return float(np.sqrt((X**2).sum(axis=1).max() + bias))
