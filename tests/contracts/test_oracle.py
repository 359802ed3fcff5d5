"""The compiled core and the blackboard write the same journal, for every member of the family."""

import numpy as np
import pytest

from rosenblatt import blackboard, learn

from .problems import assert_same_run, columns, random_options, random_problem, signs, vector

MEMORIES = ("last", "average", "vote", "pocket")


@pytest.mark.parametrize("memory", MEMORIES)
@pytest.mark.parametrize("block", range(5))
def test_binary_core_writes_the_blackboards_journal(memory, block):
    """100 random problems each: all orders, starts, rates, margins, ties, weights."""
    rng = np.random.default_rng([block, MEMORIES.index(memory)])
    for _ in range(100):
        X, y = random_problem(rng)
        options = random_options(rng)
        weights = rng.integers(0, 3, len(X)).astype(float) if rng.random() < 0.2 else None
        if weights is not None and not weights.any():
            weights = None
        start = None
        if rng.random() < 0.3:
            start = (
                rng.integers(-2, 3, X.shape[1]).astype(float),
                float(rng.integers(-2, 3)) if options["bias"] else 0.0,
            )
        outcome = learn(X, y, memory=memory, weights=weights, start=start, **options)
        run = blackboard.learn(X.tolist(), signs(y), weights=weights, start=start, **options)
        assert_same_run(outcome, run)
        assert vector(outcome.last) == list(run.last)
        replayed_w, replayed_b = outcome.journal.replay()
        assert [*replayed_w, replayed_b] == list(run.last)
        if memory == "average":
            np.testing.assert_allclose(vector(outcome.model), run.average, rtol=1e-12, atol=1e-12)  # one division each
        if memory == "pocket":
            assert outcome.pocket_errors.tolist() == [run.pocket_errors]
            assert vector(outcome.model) == list(run.pocket)
        if memory == "vote":
            scores = [[blackboard.dot(x, v[:-1]) + v[-1] for v, _ in run.voters] for x in X]
            assert signs(outcome.model.predict(X)) == [run.vote(s) for s in scores]
            assert outcome.model.ballots[0].count.tolist() == [c for _, c in run.voters]


@pytest.mark.parametrize("memory", MEMORIES)
def test_one_vs_rest_is_one_binary_machine_per_class(memory):
    rng = np.random.default_rng(7)
    for _ in range(150):
        K = int(rng.integers(3, 5))
        X, y = random_problem(rng, K)
        options = random_options(rng)
        outcome = learn(X, y, memory=memory, threads=int(rng.integers(1, 3)), **options)
        runs = blackboard.one_vs_rest(X.tolist(), y.tolist(), **options)
        lines = sorted((s, r, tau, m, k) for k, run in enumerate(runs) for s, r, tau, m, _ in run.journal)
        assert sorted(columns(outcome.journal)) == lines
        assert outcome.converged == all(run.converged for run in runs)
        assert vector(outcome.last) == [value for run in runs for value in run.last]
        if memory == "average":
            expected = [value for run in runs for value in run.average]
            np.testing.assert_allclose(vector(outcome.model), expected, rtol=1e-12, atol=1e-12)
        if memory == "pocket":
            assert outcome.pocket_errors.tolist() == [run.pocket_errors for run in runs]
            assert vector(outcome.model) == [value for run in runs for value in run.pocket]
        if memory == "vote":
            balance = outcome.model.score(X)
            for k, run in enumerate(runs):
                for i, x in enumerate(X):
                    votes = sum(c if blackboard.dot(x, v[:-1]) + v[-1] >= 0 else -c for v, c in run.voters)
                    assert balance[i, k] == pytest.approx(votes / run.n_steps, abs=1e-12)


@pytest.mark.parametrize("memory", MEMORIES)
def test_direct_multiclass_writes_the_blackboards_journal(memory):
    rng = np.random.default_rng(11)
    for _ in range(150):
        K = int(rng.integers(3, 6))
        X, y = random_problem(rng, K)
        options = random_options(rng)
        options.pop("ties", None)
        outcome = learn(X, y, memory=memory, multiclass="direct", **options)
        run = blackboard.learn(X.tolist(), y.tolist(), direct=True, **options)
        assert_same_run(outcome, run)
        assert vector(outcome.last) == list(run.last)
        if memory == "average":
            np.testing.assert_allclose(vector(outcome.model), run.average, rtol=1e-12, atol=1e-12)
        if memory == "pocket":
            assert outcome.pocket_errors.tolist() == [run.pocket_errors]
            assert vector(outcome.model) == list(run.pocket)
        if memory == "vote":
            d = X.shape[1] + 1
            share = outcome.model.score(X)
            for i, x in enumerate(X):
                votes = [0] * K
                for v, c in run.voters:
                    scores = [blackboard.dot(x, v[r * d : r * d + d - 1]) + v[r * d + d - 1] for r in range(K)]
                    votes[int(np.argmax(scores))] += c
                np.testing.assert_allclose(share[i] * run.n_steps, votes, atol=1e-9)


def test_floating_point_rows_are_summed_in_the_canonical_order():
    """Not only integers: on any numbers the dense core makes the blackboard's sums, bit for bit."""
    rng = np.random.default_rng(3)
    for _ in range(60):
        n, d = int(rng.integers(2, 20)), int(rng.integers(1, 40))
        X, y = rng.normal(size=(n, d)), np.r_[0, 1, rng.integers(0, 2, n - 2)]
        outcome = learn(X, y, max_passes=20)
        run = blackboard.learn(X.tolist(), signs(y), max_passes=20)
        assert_same_run(outcome, run)
        assert vector(outcome.last) == list(run.last)
