"""Running to a clean pass: skipping what is provably right, and many orders at once."""

from dataclasses import replace

import numpy as np
from sklearn.linear_model import Perceptron as TheirPerceptron

from benchmarks import data
from benchmarks.case import Case, Job
from rosenblatt import datasets, study
from rosenblatt.data.arrays import as_rows
from rosenblatt.learning.drive import make_learners
from rosenblatt.learning.plan import Plan, start_vectors
from rosenblatt.learning.policy import Order, Rule


def with_and_without_screening(X, y, passes: int) -> dict[str, Job]:
    """Our own loop with screening off; the journals must be identical."""
    rows, codes = as_rows(X), np.ascontiguousarray(y, dtype=np.int32)
    plan = Plan(rows.d, 2, Rule(), Order("cyclic"))

    def job(screening: bool) -> Job:
        def run():
            chosen = replace(plan, screening=screening)
            (learner,) = make_learners(chosen, start_vectors(None, chosen))
            learner.bind(rows.examples(), codes, None)
            learner.run(1e9, passes, 2**62)
            journal = learner.journal
            return f"{len(journal['row'])} updates, {hash(journal['row'].tobytes() + journal['m'].tobytes()) % 10**6}"

        return run

    return {"ours": job(True), "peer": job(False)}


def small_margin(quick: bool) -> dict[str, Job]:
    X, y = data.small_margin()
    return with_and_without_screening(X, y, 200 if quick else 2000)


def screening_cannot_help(quick: bool) -> dict[str, Job]:
    """Noisy rows in many dimensions: every pass updates a lot and moves far."""
    X, y = data.dense(20_000, 300, noise=0.1)
    return with_and_without_screening(X, y, 20 if quick else 60)


def thousand_orders(quick: bool) -> dict[str, Job]:
    """Both make shuffled passes over 500 × 10 separable rows; theirs is told how many passes ours needed."""
    X, y = datasets.make_separable(500, 10, gamma=0.05, R=2.0, seed=0, bias=True)
    runs = 100 if quick else 1000
    passes = study(X, y, runs=runs).passes

    def theirs():
        for seed in range(runs):
            TheirPerceptron(max_iter=int(passes[seed]), tol=None, random_state=seed).fit(X, y)
        return f"{runs} fits"

    return {"ours": lambda: f"{study(X, y, runs=runs).updates.mean():.1f} updates on average", "peer": theirs}


CASES = [
    Case("small margin, 200 000 × 10, 2 000 passes, same journal", "our own loop, no screening", 6, small_margin),
    Case("screening where it cannot help, 20 000 × 300", "our own loop, no screening", 0.97, screening_cannot_help),
    Case("1 000 orders of 500 × 10 to convergence", "1 000 scikit-learn fits", 10, thousand_orders),
]
