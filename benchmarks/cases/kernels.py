"""The kernel machine against a row-at-a-time loop and against support vector machines with the same kernel."""

import numpy as np
from sklearn.svm import SVC

from benchmarks import data
from benchmarks.case import Case, Job
from rosenblatt import KernelPerceptron


def a9a(quick: bool):
    loaded = data.shared("a9a")
    rows = 8000 if quick else None
    return loaded["X_train"][:rows], loaded["y_train"][:rows], loaded["X_test"], loaded["y_test"]


def ours(X, y, X_test, y_test, **options) -> Job:
    def job():
        model = KernelPerceptron(max_iter=1, shuffle=False, **options).fit(X, y)
        return f"{model.score(X_test[:2000], y_test[:2000]):.4f}"

    return job


def row_at_a_time(X, y, gamma: float) -> Job:
    """The textbook loop: each row's kernel values against the support rows so far."""
    X, y = np.asarray(X.todense()), np.where(y == y.max(), 1.0, -1.0)
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
        return f"{k} updates"

    return job


def against_loop(quick: bool) -> dict[str, Job]:
    X, y, X_test, y_test = a9a(quick)
    return {"ours": ours(X, y, X_test, y_test, kernel="rbf", gamma=0.01), "peer": row_at_a_time(X, y, 0.01)}


def against_svc(quick: bool) -> dict[str, Job]:
    X, y, X_test, y_test = a9a(quick)

    def theirs():
        return f"{SVC(kernel='rbf', gamma=0.01).fit(X, y).score(X_test[:2000], y_test[:2000]):.4f}"

    return {"ours": ours(X, y, X_test, y_test, kernel="rbf", gamma=0.01), "peer": theirs}


def mnist_poly(memory: str):
    def make(quick: bool) -> dict[str, Job]:
        loaded = data.shared("mnist")
        n = 4000 if quick else 20_000
        X, X_test = (loaded[key].astype(np.float32) / 255 for key in ("X_train", "X_test"))
        X, y, y_test = X[:n], loaded["y_train"][:n], loaded["y_test"]
        options = {"kernel": "poly", "degree": 4, "gamma": 1.0, "coef0": 1.0, "memory": memory}

        def theirs():
            model = SVC(kernel="poly", degree=4, gamma=1.0, coef0=1.0).fit(X, y)
            return f"{model.score(X_test[:2000], y_test[:2000]):.4f}"

        return {"ours": ours(X, y, X_test, y_test, **options), "peer": theirs}

    return make


CASES = [
    Case("kernel, a9a RBF 0.01, one pass", "NumPy, one row at a time", 8, against_loop),
    Case("kernel, a9a RBF 0.01, one pass", "scikit-learn SVC", 10, against_svc),
    Case("kernel poly 4, MNIST 20 000, averaged, one pass", "scikit-learn SVC", 5, mnist_poly("averaged")),
    Case("kernel poly 4, MNIST 20 000, voted, one pass", "scikit-learn SVC", 5, mnist_poly("voted")),
]
