"""One trained model of every kind, for the tests of saving and exporting."""

from typing import Any

import numpy as np
from scipy import sparse

from rosenblatt import learn
from rosenblatt.data import as_rows
from rosenblatt.models import KernelModel, LinearModel
from rosenblatt.models.kernels import Kernel
from rosenblatt.models.voted import Ballot

LABELS = {
    "int": [3, 7, 9],
    "negative": [-1, 1, 2],
    "float": [0.5, 1.25, 3.0],
    "str": ["ham", "spam", "zebra 'quoted' \"é\\n"],
    "bool": [False, True],
}


def problem(kind: str = "str", n_classes: int = 2, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Small integer rows (ties are common) with labels of a kind."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-4, 5, (60, 5)).astype(np.float64)
    return X, np.array(LABELS[kind])[rng.integers(0, n_classes, 60)]


def models() -> dict[str, Any]:
    """Return models by name: memories × shapes × storage, labels of all kinds, kernels with and without votes."""
    zoo: dict[str, Any] = {}
    for memory in ("last", "average", "vote", "pocket"):
        for shape, n_classes, multiclass in (("two", 2, "ovr"), ("ovr", 3, "ovr"), ("direct", 3, "direct")):
            X, y = problem("str", n_classes)
            for storage, rows in (("dense", X), ("sparse", sparse.csr_array(X))):
                options = {"memory": memory, "multiclass": multiclass, "max_passes": 2, "order": "shuffle"}
                zoo[f"{memory}-{shape}-{storage}"] = learn(rows, y, **options).model
    for kind, labels in LABELS.items():
        X, y = problem(kind, len(labels))
        zoo[f"labels-{kind}"] = learn(X, y, max_passes=2).model
    X, y = problem()
    zoo["float32 rows"] = learn(X.astype(np.float32), y, memory="vote", max_passes=1).model
    zoo["bytes as rows"] = learn((X + 4).astype(np.uint8), y, memory="vote", max_passes=1).model
    zoo["object labels"] = learn(X, y.astype(object), max_passes=1).model
    zoo["named"] = LinearModel(np.arange(5.0), -1.5, np.array(["no", "yes"]), ("a", "b", "ü", "d e", 'f"'))
    rng = np.random.default_rng(1)
    alpha = rng.integers(-2, 3, (1, 60)).astype(float)
    for name in ("linear", "poly", "rbf", "sigmoid", "laplacian", "cosine"):
        kernel = Kernel(name, gamma=0.25, degree=2, coef0=0.5)
        zoo[f"kernel-{name}"] = KernelModel(as_rows(X), alpha, alpha.sum(axis=1), kernel, True, np.array([0, 1]))
    votes = (Ballot(np.arange(60), alpha[0], np.ones(61)),)
    rbf = Kernel("rbf", gamma=0.125)
    zoo["kernel-voted"] = KernelModel(
        as_rows(sparse.csr_array(X)), alpha, alpha.sum(axis=1), rbf, True, np.array([0, 1]), votes
    )
    three = rng.normal(size=(3, 60))
    zoo["kernel-three"] = KernelModel(as_rows(X), three, three.sum(axis=1), rbf, False, np.array(["a", "b", "c"]))
    return zoo


def fresh_rows(n: int, seed: int = 2) -> np.ndarray:
    """Rows no model has seen; small integers, so that ties occur."""
    return np.random.default_rng(seed).integers(-4, 5, (n, 5)).astype(np.float64)
