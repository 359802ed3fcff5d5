"""Many orders of one problem, each run to a clean pass."""

import numpy as np
from joblib import Parallel, delayed
from sklearn.linear_model import Perceptron as TheirPerceptron

from benchmarks.case import Case, Pair, Setting
from rosenblatt import datasets, study


def fit_each(X, y, passes) -> int:
    for seed, most in enumerate(passes):
        TheirPerceptron(max_iter=int(most), tol=None, random_state=seed).fit(X, y)
    return len(passes)


def thousand_orders(setting: Setting) -> Pair:
    """Both make shuffled passes over 500 × 10 separable rows; theirs is told how many passes ours needed."""
    X, y = datasets.make_separable(500, 10, gamma=0.05, R=2.0, seed=0, bias=True)
    runs = 400 if setting.quick else 1000
    passes = study(X, y, runs=runs).passes

    def ours():
        found = study(X, y, runs=runs, threads=setting.threads)
        return f"{found.updates.mean():.1f} updates on average"

    def in_processes():
        shares = np.array_split(passes, setting.threads)
        done = Parallel(setting.threads)(delayed(fit_each)(X, y, share) for share in shares)
        return f"{sum(done)} fits"

    if setting.threads > 1:
        Parallel(setting.threads)(delayed(fit_each)(X, y, passes[:1]) for _ in range(setting.threads))  # start them
    one_by_one = {"one by one": lambda: f"{fit_each(X, y, passes)} fits"}
    settings = one_by_one if setting.threads == 1 else {"in processes": in_processes, **one_by_one}
    return Pair(ours, settings, f"{runs} orders")


CASES = [
    Case("1 000 orders of 500 × 10 to convergence", "1 000 scikit-learn fits", 10, thousand_orders, spreads=True),
]
