"""The data of the comparisons: made here by seed, or public sets where the folder with them exists."""

import functools
import importlib.util
import os
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

FOLDER = Path(os.environ.get("ROSENBLATT_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))


class Absent(Exception):
    """The case needs a data set that is not here."""


@functools.cache
def shared(name: str) -> dict[str, Any]:
    if not (FOLDER / "load.py").exists():
        raise Absent(f"no data sets at {FOLDER}; set ROSENBLATT_DATA")
    spec = importlib.util.spec_from_file_location("shared_load", FOLDER / "load.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.load(name)


@functools.lru_cache(maxsize=3)  # the large ones are not kept for ever
def dense(n: int, d: int, noise: float = 0.5, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Normal float32 rows; labels by a random direction plus noise."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d), dtype=np.float32)
    u = rng.standard_normal(d)
    y = (X @ u / np.linalg.norm(u) + noise * rng.standard_normal(n) > 0).astype(np.int32)
    return X, y


@functools.cache
def text_like(n: int = 100_000, d: int = 47_000, words: int = 81, seed: int = 0) -> tuple[Any, np.ndarray]:
    """Rows of word counts, unit length, labels by a direction plus noise; of 81 words by Zipf's law 68 are different."""
    rng = np.random.default_rng(seed)
    columns = np.minimum((d ** rng.random((n, words)) - 1).astype(np.int32), d - 1)
    values = 1.0 + rng.poisson(0.3, (n, words))
    starts = np.arange(0, n * words + 1, words, dtype=np.int32)
    X = sparse.csr_matrix((values.ravel(), columns.ravel(), starts), shape=(n, d))
    X.sum_duplicates()
    norm = np.sqrt(np.asarray(X.multiply(X).sum(axis=1)).ravel())
    X = sparse.csr_matrix(sparse.diags(1 / norm) @ X)
    X.sort_indices()  # as vectorizers and loaders leave them; other rows would be copied before ours learns
    X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)
    score = X @ rng.standard_normal(d)
    return X, (score + 0.1 * rng.standard_normal(n) > 0).astype(np.int32)


Settled = tuple[Any, np.ndarray, tuple[np.ndarray, float]]


def settled(X: Any, seed: int = 0) -> Settled:
    """Return rows, labels and a start from which one row alone is wrong, pass after pass: no pass is clean or busy."""
    u = np.random.default_rng(seed).standard_normal(X.shape[1])
    score = X @ u
    y = (score > 0).astype(np.int32)
    farthest = np.abs(score).argmax()
    y[farthest] = 1 - y[farthest]
    return X, y, (1e6 * u, 0.0)


@functools.cache
def small_margin(n: int = 200_000, d: int = 10, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Separable rows with a few close to the boundary: thousands of passes, few updates in each."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    u = rng.standard_normal(d)
    u /= np.linalg.norm(u)
    score = X @ u
    X += np.outer(np.sign(score) * np.maximum(0.0, 0.0005 - np.abs(score)), u)
    return X, (X @ u > 0).astype(np.int32)
