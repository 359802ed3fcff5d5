"""The kernel machine against a row-at-a-time loop and against support vector machines with the same kernel."""

import numpy as np
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVC

from benchmarks import data
from benchmarks.case import Case, Job, Pair, Setting
from benchmarks.cases.linear import accuracy
from rosenblatt import KernelPerceptron


def a9a(setting: Setting):
    loaded = data.shared("a9a")
    rows = 5000 if setting.quick else None
    return loaded["X_train"][:rows], loaded["y_train"][:rows], loaded["X_test"][:2000], loaded["y_test"][:2000]


def ours(X, y, X_test, y_test, **options) -> Job:
    return lambda: accuracy(KernelPerceptron(max_iter=1, shuffle=False, **options).fit(X, y), X_test, y_test)


def support_vectors(X, y, X_test, y_test, **options) -> Job:
    """With room for kernel values, which is their best setting."""
    return lambda: accuracy(SVC(cache_size=2000, **options).fit(X, y), X_test, y_test)


def row_at_a_time(X, y, X_test, y_test, gamma: float) -> Job:
    """The textbook loop: each row's kernel values against the support rows so far."""
    X, X_test = X.toarray(), X_test.toarray()
    y, y_test = (np.where(labels == labels.max(), 1.0, -1.0) for labels in (y, y_test))
    norms = np.einsum("ij,ij->i", X, X)

    def job():
        support = np.empty_like(X)
        support_norms, coefficients = np.empty(len(X)), np.empty(len(X))
        k = 0
        for i in range(len(X)):
            distances = support_norms[:k] + norms[i] - 2 * (support[:k] @ X[i])
            score = coefficients[:k] @ (np.exp(-gamma * distances) + 1)
            if y[i] * score <= 0:
                support[k], support_norms[k], coefficients[k] = X[i], norms[i], y[i]
                k += 1

        def shown():
            scores = (rbf_kernel(X_test, support[:k], gamma=gamma) + 1) @ coefficients[:k]
            return f"{np.mean(np.where(scores >= 0, 1.0, -1.0) == y_test):.4f}"

        return shown

    return job


def against_loop(setting: Setting) -> Pair:
    X, y, *test = a9a(setting)
    mine = ours(X, y, *test, kernel="rbf", gamma=0.01)
    return Pair(mine, row_at_a_time(X, y, *test, 0.01), f"{X.shape[0]} rows")


def against_svc(setting: Setting) -> Pair:
    X, y, *test = a9a(setting)
    options = {"kernel": "rbf", "gamma": 0.01}
    return Pair(ours(X, y, *test, **options), support_vectors(X, y, *test, **options), f"{X.shape[0]} rows")


def mnist_poly(memory: str):
    def make(setting: Setting) -> Pair:
        loaded = data.shared("mnist")
        n = 5000 if setting.quick else 20_000
        X, X_test = (loaded[key].astype(np.float32) / 255 for key in ("X_train", "X_test"))
        options = {"kernel": "poly", "degree": 4, "gamma": 1.0, "coef0": 1.0}
        sets = X[:n], loaded["y_train"][:n], X_test[:2000], loaded["y_test"][:2000]
        return Pair(ours(*sets, memory=memory, **options), support_vectors(*sets, **options), f"{n} rows")

    return make


SVMS = "scikit-learn SVC"
CASES = [
    Case("kernel, a9a RBF 0.01, one pass", "NumPy, one row at a time", 8, against_loop, spreads=True),
    Case("kernel, a9a RBF 0.01, one pass", SVMS, 10, against_svc, spreads=True),
    Case("kernel poly 4, MNIST 20 000, averaged, one pass", SVMS, 5, mnist_poly("averaged")),
    Case("kernel poly 4, MNIST 20 000, voted, one pass", SVMS, 5, mnist_poly("voted")),
]
