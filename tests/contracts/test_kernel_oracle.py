"""The blocked kernel machine and the blackboard write the same journal: all memories, shapes and exact kernels."""

import numpy as np
import pytest

from rosenblatt import KernelPerceptron, blackboard, learn
from rosenblatt.data.arrays import as_rows
from rosenblatt.learning import kernel_blocks
from rosenblatt.learning.kernel import BUDGET, learn_kernel
from rosenblatt.learning.kernel_model import kernel_model
from rosenblatt.learning.plan import Plan
from rosenblatt.learning.policy import Order, Rule, Stop
from rosenblatt.models.kernels import Kernel

from .problems import assert_same_run, columns, random_problem, signs

KERNELS = {
    "linear": (Kernel("linear"), blackboard.dot),
    "square": (Kernel("poly", 1.0, 2, 1.0), lambda a, b: (blackboard.dot(a, b) + 1) ** 2),
    "cube": (Kernel("poly", 2.0, 3, 0.0), lambda a, b: (2 * blackboard.dot(a, b)) ** 3),
}


@pytest.fixture(autouse=True, params=["whole", "pieces"])
def small_blocks(request, monkeypatch):
    """Blocks of a few rows, so that small problems have many; the Gram matrix whole, or never."""
    monkeypatch.setattr(kernel_blocks, "SMALLEST", 1)
    monkeypatch.setattr(kernel_blocks, "LARGEST", 4)
    monkeypatch.setattr(kernel_blocks, "PIECE", 5)
    return BUDGET if request.param == "whole" else 0


def options_of(rng):
    return {
        "bias": bool(rng.random() < 0.5),
        "order": str(rng.choice(["cyclic", "shuffle"])),
        "seed": int(rng.integers(2**63)),
        "rate": float(rng.choice([1.0, 0.5, 2.0])),
        "margin": float(rng.choice([0.0, 0.0, 1.0, 2.5])),
        "max_passes": int(rng.choice([1, 3, 20])),
        "max_updates": int(rng.integers(1, 30)) if rng.random() < 0.3 else None,
    }


def run_kernel(X, y, kernel, options, *, memory="last", multiclass="ovr", weights=None, budget=0, sparse=False):
    if sparse:
        from scipy.sparse import csr_array

        X = csr_array(X)
    rows, K = as_rows(X), int(y.max()) + 1
    plan = Plan(
        d=rows.d,
        n_classes=K,
        rule=Rule(options["margin"], options["rate"]),
        order=Order(options["order"], options["seed"]),
        memory=memory,
        bias=options["bias"],
        multiclass=multiclass,
    )
    outcome = learn_kernel(
        plan,
        rows,
        kernel=kernel,
        codes=y.astype(np.int32),
        weight=weights,
        stop=Stop(options["max_passes"], options["max_updates"]),
        budget=budget,
    )
    assert outcome.stopped_by != "interrupted"
    return outcome, kernel_model(plan, outcome.journal, outcome.machine_steps, kernel, np.arange(K))


@pytest.mark.parametrize("name", KERNELS)
def test_binary_journals_equal_the_blackboards(name, small_blocks):
    """50 problems for each kernel, whole and piecewise, dense and sparse, weighted or not, all memories."""
    kernel, formula = KERNELS[name]
    rng = np.random.default_rng([3, list(KERNELS).index(name)])
    for trial in range(50):
        X, y = random_problem(rng)
        options = options_of(rng)
        weights = rng.integers(0, 3, len(X)).astype(float) if rng.random() < 0.3 else None
        memory = ("last", "average", "vote")[trial % 3]
        outcome, model = run_kernel(
            X, y, kernel, options, memory=memory, weights=weights, budget=small_blocks, sparse=trial % 2 == 0
        )
        run = blackboard.learn(X.tolist(), signs(y), kernel=formula, weights=weights, **options)
        assert_same_run(outcome, run)
        assert outcome.journal.alpha().tolist() == list(run.last)
        if options["rate"] == 1 and weights is None:
            assert outcome.journal.alpha().sum() == outcome.n_updates == outcome.row_updates.sum()
        one = 1 if options["bias"] else 0
        scores = np.array(
            [
                [
                    sum(a * s * (formula(x, z) + one) for a, s, z in zip(v, signs(y), X, strict=True))
                    for v, _ in run.voters
                ]
                for x in X
            ]
        )
        if memory == "last":
            assert model.score(X).tolist() == scores[:, -1].tolist()
        elif memory == "average":
            mean = scores @ [c for _, c in run.voters] / run.n_steps
            np.testing.assert_allclose(
                model.score(X), mean, rtol=1e-9, atol=1e-9 * np.abs(scores).max()
            )  # one division
        else:
            assert signs(model.predict(X)) == [run.vote(s) for s in scores]
            assert model.ballots[0].count.tolist() == [c for _, c in run.voters]


@pytest.mark.parametrize("name", KERNELS)
def test_one_vs_rest_is_one_binary_machine_per_class(name, small_blocks):
    kernel, formula = KERNELS[name]
    rng = np.random.default_rng([5, list(KERNELS).index(name)])
    for _ in range(30):
        K = int(rng.integers(3, 5))
        X, y = random_problem(rng, K)
        options = options_of(rng)
        outcome, _ = run_kernel(X, y, kernel, options, budget=small_blocks)
        runs = blackboard.one_vs_rest(X.tolist(), y.tolist(), kernel=formula, **options)
        lines = sorted((s, r, tau, m, k) for k, run in enumerate(runs) for s, r, tau, m, _ in run.journal)
        assert sorted(columns(outcome.journal)) == lines
        assert outcome.converged == all(run.converged for run in runs)
        reasons = [run.stopped_by for run in runs]
        assert outcome.stopped_by == next((r for r in ("max_passes", "max_updates") if r in reasons), "clean_pass")
        assert outcome.machine_steps == [run.n_steps for run in runs]
        assert outcome.n_mistakes == sum(run.n_mistakes for run in runs)
        assert outcome.n_passes == max(len(run.updates_per_pass) for run in runs)
        assert outcome.row_updates.sum(axis=1).tolist() == [len(run.journal) for run in runs]


def tensor(X):
    """(x, 1) ⊗ (x, 1): the space of the kernel (a·b + 1)², in integers."""
    wide = np.column_stack([X, np.ones(len(X))])
    return (wide[:, :, None] * wide[:, None, :]).reshape(len(X), -1)


@pytest.mark.parametrize("name", ["linear", "square"])
def test_direct_machine_equals_the_primal_in_the_kernels_space(name, small_blocks):
    rng = np.random.default_rng([7, len(name)])
    for trial in range(60):
        K = int(rng.integers(3, 6))
        X, y = random_problem(rng, K)
        options = options_of(rng)
        memory = ("last", "average", "vote")[trial % 3]
        outcome, model = run_kernel(
            X, y, KERNELS[name][0], options, memory=memory, multiclass="direct", budget=small_blocks
        )
        Z = X if name == "linear" else tensor(X)
        run = blackboard.learn(Z.tolist(), y.tolist(), direct=True, **options)
        assert_same_run(outcome, run)
        primal = learn(Z, y, memory=memory, multiclass="direct", **options)
        np.testing.assert_allclose(model.score(X), primal.model.score(Z), rtol=1e-9, atol=1e-9)


@pytest.mark.filterwarnings("ignore:no clean pass")
@pytest.mark.parametrize("memory", ["last", "averaged", "voted"])
def test_the_estimator_with_the_linear_kernel_is_the_primal_form(memory):
    from rosenblatt import AveragedPerceptron, Perceptron, VotedPerceptron

    primal = {"last": Perceptron, "averaged": AveragedPerceptron, "voted": VotedPerceptron}[memory]
    rng = np.random.default_rng(9)
    for K in (2, 3):
        X = rng.integers(-5, 6, (60, 3))
        y = (X @ rng.integers(-2, 3, (3, K)) + 1).argmax(axis=1)
        y[:K] = np.arange(K)
        for multi_class in ("ovr", "direct"):
            shared = {"multi_class": multi_class, "max_iter": 30}
            dual = KernelPerceptron(kernel="linear", memory=memory, **shared).fit(X, y)
            plain = primal(**shared).fit(X, y)
            assert dual.n_updates_ == plain.n_updates_
            assert dual.alpha_.tolist() == plain.alpha_.tolist()
            assert dual.updates_per_pass_.tolist() == plain.updates_per_pass_.tolist()
            np.testing.assert_allclose(dual.decision_function(X), plain.decision_function(X), rtol=1e-9, atol=1e-9)
