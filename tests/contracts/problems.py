"""Small random problems with everything that goes wrong in practice, and the blackboard's answer to them."""

import numpy as np

from rosenblatt import blackboard, learn

ORDERS = ("cyclic", "shuffle", "shuffle_once", "random", "first", "worst")


def random_problem(rng: np.random.Generator, n_classes: int = 2) -> tuple[np.ndarray, np.ndarray]:
    """Integer rows with ties, duplicates, contradictions, zero rows, constant features, one example per class."""
    n, d = int(rng.integers(n_classes, 12)), int(rng.integers(1, 6))
    X = rng.integers(-3, 4, (n, d)).astype(np.float64)
    if rng.random() < 0.2:
        X[:, rng.integers(d)] = rng.integers(-2, 3)
    if rng.random() < 0.2:
        X[rng.integers(n)] = 0
    if rng.random() < 0.3:
        X[rng.integers(n)] = X[rng.integers(n)]
    y = rng.integers(0, n_classes, n)
    y[:n_classes] = np.arange(n_classes)
    if rng.random() < 0.5:  # make it likely separable
        score = X @ rng.integers(-2, 3, (d, n_classes)) + rng.integers(-1, 2, n_classes)
        y = np.concatenate([np.arange(n_classes), score.argmax(axis=1)[n_classes:]])
    return X, y


def random_options(rng: np.random.Generator) -> dict:
    options = {
        "bias": bool(rng.random() < 0.5),
        "order": ORDERS[rng.integers(len(ORDERS))],
        "seed": int(rng.integers(2**63)),
        "rate": float(rng.choice([1.0, 0.5, 2.0, 3.0, 5.0])),
        "margin": float(rng.choice([0.0, 0.0, 1.0, 2.5])),
        "max_passes": int(rng.choice([1, 3, 20])),
    }
    if options["margin"] == 0 and rng.random() < 0.2:
        options["ties"] = "positive"
    if rng.random() < 0.2:
        options["max_updates"] = int(rng.integers(1, 10))
    return options


def columns(journal) -> list[tuple]:
    """The compiled journal as the blackboard writes it."""
    parts = (journal.step, journal.row, journal.tau, journal.m, journal.rival)
    return list(zip(*(part.tolist() for part in parts), strict=True))


def assert_same_run(outcome, run, journal=None) -> None:
    """Every line of the journal, every count, and the vectors."""
    assert columns(outcome.journal if journal is None else journal) == run.journal
    assert outcome.converged == run.converged
    assert outcome.stopped_by == run.stopped_by
    assert outcome.n_updates == len(run.journal)
    assert outcome.n_mistakes == run.n_mistakes
    assert outcome.n_steps == run.n_steps
    assert outcome.updates_per_pass.tolist() == run.updates_per_pass
    assert outcome.n_passes == len(run.updates_per_pass)


def vector(model) -> list[float]:
    """(w..., b) of each vector in turn, as the blackboard writes it."""
    W, b = np.atleast_2d(model.w), np.atleast_1d(model.b)
    return np.column_stack([W, b]).ravel().tolist()


def signs(codes: np.ndarray) -> list[int]:
    return [1 if code == 1 else -1 for code in codes]


__all__ = ["assert_same_run", "blackboard", "columns", "learn", "random_options", "random_problem", "signs", "vector"]
