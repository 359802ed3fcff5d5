"""What must hold between runs, memories and storages, as properties of random problems."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from rosenblatt import KernelPerceptron, augment, blackboard, learn, study, trace
from rosenblatt.learning import Online
from rosenblatt.learning.kernel import learn_dual
from rosenblatt.models.kernels import Kernel
from tests.contracts.problems import columns

pytestmark = pytest.mark.property


@st.composite
def problems(draw, classes=2, max_rows=10):
    n = draw(st.integers(classes, max_rows))
    d = draw(st.integers(1, 4))
    X = draw(arrays(np.float64, (n, d), elements=st.integers(-4, 4).map(float)))
    y = np.array(
        [*range(classes), *draw(st.lists(st.integers(0, classes - 1), min_size=n - classes, max_size=n - classes))]
    )
    return X, y


orders = st.sampled_from(["cyclic", "shuffle", "shuffle_once", "random", "first", "worst"])
seeds = st.integers(0, 2**64 - 1)


@given(problems(), orders, seeds, st.booleans())
def test_replay_rebuilds_the_vector_at_any_time(problem, order, seed, bias):
    X, y = problem
    outcome = learn(X, y, order=order, seed=seed, bias=bias, max_passes=10)
    w, b = outcome.journal.replay()
    assert (w == outcome.w).all()
    assert b == outcome.b
    half = len(outcome.journal) // 2
    stopped = learn(X, y, order=order, seed=seed, bias=bias, max_passes=10, max_updates=half) if half else None
    if stopped is not None:
        assert (outcome.journal.replay(half)[0] == stopped.w).all()


@given(problems(), orders, seeds)
def test_a_constant_feature_is_a_bias(problem, order, seed):
    """The notational hack: (x, 1) through the origin writes the journal of x with a bias."""
    X, y = problem
    with_bias = learn(X, y, order=order, seed=seed, max_passes=10)
    augmented = learn(augment(X), y, bias=False, order=order, seed=seed, max_passes=10)
    assert columns(with_bias.journal) == columns(augmented.journal)
    assert [*with_bias.w, with_bias.b] == augmented.w.tolist()


rates = st.sampled_from([0.01, 0.1, 0.25, 0.3, 2.0, 7.0])
memories = st.sampled_from(["last", "average", "vote", "pocket"])
shapes = st.sampled_from([{}, {"multiclass": "ovr"}, {"multiclass": "direct"}])
weighed = st.sampled_from([None, [3, 6, 2], [1, 0, 5]])


@given(problems(), problems(classes=3), orders, seeds, rates, memories, shapes, weighed)
def test_rate_only_rescales_from_zero_at_margin_zero(binary, several, order, seed, rate, memory, shape, weighed):
    """To the last digit: a rate of 0.1, whose multiples are rounded, breaks no ties."""
    X, y = several if shape else binary
    weights = None if weighed is None else np.resize(weighed, len(y))
    common = {"order": order, "seed": seed, "memory": memory, "max_passes": 10, "weights": weights, **shape}
    one, other = (learn(X, y, rate=r, **common) for r in (1.0, rate))
    assert one.journal.row.tolist() == other.journal.row.tolist()
    assert (one.journal.m * rate == other.journal.m).all()
    assert (one.w * rate == other.w).all()
    assert (one.b * rate == np.array(other.b)).all()
    assert [np.array(part).tolist() for part in other.journal.replay()] == [
        other.last.w.tolist(),
        np.array(other.last.b).tolist(),
    ]
    if memory == "vote":
        assert one.model.predict(X).tolist() == other.model.predict(X).tolist()
    if memory != "average" and shape != {"multiclass": "ovr"}:
        first, second = (trace(X, y, rate=r, exact=False, **common) for r in (1.0, rate))
        assert (first.margins() * rate == second.margins()).all()


@given(problems(), seeds, rates, weighed, st.integers(1, 5))
def test_rate_only_rescales_a_kernel_machine_that_is_fed_in_blocks(problem, seed, rate, weighed, size):
    """With the linear kernel they are the updates of the linear machine."""
    X, y = problem
    weights = None if weighed is None else np.resize(weighed, len(y)).astype(float)
    linear = learn(X, y, weights=weights, max_passes=1)
    for r in (1.0, rate):
        machine = KernelPerceptron(kernel="linear", eta0=r)
        for at in range(0, len(y), size):
            block = slice(at, at + size)
            some = None if weights is None else weights[block]
            machine.partial_fit(X[block], y[block], classes=[0, 1], sample_weight=some)
        assert machine.n_updates_ == linear.n_updates


@given(problems(), seeds, rates, st.booleans())
def test_rate_only_rescales_whoever_runs_it(problem, seed, rate, shuffle):
    X, y = problem
    common = {"max_passes": 10, "order": "shuffle" if shuffle else "cyclic", "seed": seed}
    kernel = Kernel("poly", degree=2)
    one, other = (learn_dual(X, y, kernel=kernel, rate=r, **common)[1].journal for r in (1.0, rate))
    assert one.row.tolist() == other.row.tolist()
    many = study(X, y, runs=4, vary=("rate",), rates=[1.0, rate], seed=seed % 2**63, order="cyclic", max_passes=10)
    assert many.updates[0] == many.updates[1]
    assert (many.w[0] * rate == many.w[1]).all()
    steps = [Online(rate=r) for r in (1.0, rate)]
    for x, label in zip(X, y, strict=True):
        assert steps[0].step(x, label) == steps[1].step(x, label)
        assert steps[0].score(x) * rate == pytest.approx(steps[1].score(x), abs=1e-12)
    assert (steps[0].model.w * rate == steps[1].model.w).all()


@given(problems(), seeds, st.sampled_from([0.5, 2.0, 3.0, 7.0]), st.sampled_from([1.0, 3.0]))
def test_only_start_over_rate_and_margin_over_rate_matter(problem, seed, rate, margin):
    X, y = problem
    start = np.arange(1.0, X.shape[1] + 1)
    one = learn(X, y, order="shuffle", seed=seed, start=(start, 1.0), margin=margin, max_passes=8)
    other = learn(
        X, y, order="shuffle", seed=seed, start=(start * rate, rate), margin=margin * rate, rate=rate, max_passes=8
    )
    # m is linear in (w, b), which is `rate` times larger throughout.
    assert one.journal.row.tolist() == other.journal.row.tolist()


@given(problems(), orders, seeds)
def test_permuting_the_features_permutes_the_weights(problem, order, seed):
    X, y = problem
    turned = np.arange(X.shape[1])[::-1]
    plain, permuted = (learn(data, y, order=order, seed=seed, max_passes=10) for data in (X, X[:, turned]))
    assert plain.journal.row.tolist() == permuted.journal.row.tolist()
    assert (plain.w[turned] == permuted.w).all()


@given(problems(), orders, seeds)
def test_swapping_the_labels_negates_the_vector(problem, order, seed):
    X, y = problem
    plain, swapped = (learn(X, labels, order=order, seed=seed, max_passes=10) for labels in (y, 1 - y))
    assert columns(plain.journal) == columns(swapped.journal)
    assert (plain.w == -swapped.w).all()


@given(problems(), orders, seeds, st.sampled_from([0.0, 2.0]))
def test_averaged_is_the_survival_weighted_mean_of_the_voters(problem, order, seed, margin):
    """Σ c_k w_k / Σ c_k, with Σ c_k = steps and one voter more than updates."""
    X, y = problem
    averaged, voted = (
        learn(X, y, order=order, seed=seed, margin=margin, memory=memory, max_passes=10)
        for memory in ("average", "vote")
    )
    count = voted.model.ballots[0].count
    assert len(count) == voted.n_updates + 1
    assert count.sum() == voted.n_steps
    mean = sum(c * np.r_[voted.journal.replay(k)] for k, c in enumerate(count)) / voted.n_steps
    np.testing.assert_allclose(np.r_[averaged.w, averaged.b], mean, rtol=1e-12, atol=1e-12)  # sums in another order


@given(problems(), orders, seeds)
def test_update_raises_margin_by_squared_norm(problem, order, seed):
    """W4: after an update the same example's m has grown by exactly rate (‖x‖² + 1)."""
    X, y = problem
    journal = learn(X, y, order=order, seed=seed, max_passes=5).journal
    for k in range(len(journal)):
        i = journal.row[k]
        w, b = journal.replay(k + 1)
        after = (1 if y[i] == 1 else -1) * (X[i] @ w + b)
        assert after == journal.m[k] + X[i] @ X[i] + 1


@given(problems(), orders, seeds)
def test_two_class_direct_makes_the_binary_updates(problem, order, seed):
    """On the blackboard the direct machine has two vectors, w and −w, and m twice the binary m."""
    X, y = problem
    binary = learn(X, y, order=order, seed=seed, max_passes=10)
    direct = blackboard.learn(X.tolist(), y.tolist(), order=order, seed=seed, direct=True, max_passes=10)
    assert [(step, row) for step, row, *_ in direct.journal] == list(
        zip(binary.journal.step.tolist(), binary.journal.row.tolist(), strict=True)
    )
    d = X.shape[1] + 1
    assert list(direct.last[d:]) == [*binary.w, binary.b] == [-v for v in direct.last[:d]]
    assert columns(learn(X, y, order=order, seed=seed, multiclass="direct", max_passes=10).journal) == columns(
        binary.journal
    )


@given(problems(), orders, seeds)
def test_pocket_is_never_worse_than_any_vector_visited(problem, order, seed):
    X, y = problem
    outcome = learn(X, y, order=order, seed=seed, memory="pocket", max_passes=10)
    sign = np.where(y == 1, 1, -1)

    def errors(w, b):
        return int((sign * (X @ w + b) <= 0).sum())

    visited = [errors(*outcome.journal.replay(k)) for k in range(len(outcome.journal) + 1)]
    assert errors(outcome.w, outcome.b) == outcome.pocket_errors[0] == min(visited)


@given(problems(classes=3), orders, seeds)
def test_counts_add_up(problem, order, seed):
    X, y = problem
    outcome = learn(X, y, order=order, seed=seed, multiclass="direct", max_passes=7)
    assert outcome.n_updates == len(outcome.journal) == outcome.updates_per_pass.sum() == outcome.row_updates.sum()
    assert outcome.n_passes == len(outcome.updates_per_pass) <= 7
    assert outcome.n_updates <= outcome.n_mistakes <= outcome.n_steps
    assert outcome.converged == (outcome.stopped_by == "clean_pass")
    assert outcome.journal.alpha().sum() == outcome.n_updates
    if outcome.converged:
        sums = outcome.model.score(X)
        true = sums[np.arange(len(y)), y]
        sums[np.arange(len(y)), y] = -np.inf
        assert (true > sums.max(axis=1)).all()


@settings(max_examples=30)
@given(problems(max_rows=6), seeds)
def test_pocket_shortcut_counts_as_a_full_recount_does(problem, seed):
    """Many updates on noisy rows of very different lengths: the screened count never changes the pocket."""
    X = problem[0]
    X = np.repeat(X, 8, axis=0) * np.r_[1, 10, 0.1, 3, 1, 1, 7, 2].repeat(len(X)).reshape(-1, 1)
    rng = np.random.default_rng(seed % 1000)
    labels = np.r_[0, 1, rng.integers(0, 2, len(X) - 2)]
    outcome = learn(X, labels, order="shuffle", seed=seed, memory="pocket", max_passes=30)
    sign = np.where(labels == 1, 1, -1)
    best = min(int((sign * (X @ w + b) <= 0).sum()) for w, b in _visited(outcome))
    assert abs(outcome.pocket_errors[0] - best) <= 1  # X @ w sums in another order than the core's canonical one


def _visited(outcome):
    w, b = outcome.journal.start[0][0].copy(), 0.0
    yield w, b
    for k in range(len(outcome.journal)):
        (_, step), x = outcome.journal.moves(k)[0], outcome.journal.rows.row(int(outcome.journal.row[k]))
        w, b = w + step * x, b + step
        yield w, b
