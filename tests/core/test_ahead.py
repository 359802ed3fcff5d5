"""Looking ahead on several threads never changes what is learnt: every update is the one that a single thread makes."""

import numpy as np
import pytest
from scipy import sparse

from rosenblatt import Perceptron, learn
from rosenblatt.data.arrays import as_rows
from rosenblatt.learning.drive import drive, make_learners
from rosenblatt.learning.plan import Plan, start_vectors
from rosenblatt.learning.policy import Order, Rule, Stop

FOREVER, NO_LIMIT = 60.0, 2**60


def rarely_wrong(n, d, wrong, seed, *, classes=2, start_scale=1e4):
    """Rows that large vectors get right, but for some that get other labels and so are wrong pass after pass."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 7, (n if classes == 2 else 6 * n, d)).astype(np.float32)
    W = rng.normal(size=(classes if classes > 2 else 1, d))
    W -= W.mean(axis=1, keepdims=True)
    if classes > 2:  # each right for every machine against the rest too
        X = X[((X @ W.T) > 0).sum(axis=1) == 1][:n]
        assert len(X) == n
    score = X @ W.T
    y = (score.argmax(axis=1) if classes > 2 else score[:, 0] > 0).astype(np.int32)
    others = rng.choice(n, wrong, replace=False)
    y[others] = (y[others] + 1) % classes
    return X, y, (start_scale * W if classes > 2 else start_scale * W[0], np.zeros(classes) if classes > 2 else 0.0)


def made(plan, start, *, screening=False):
    (learner,) = make_learners(plan, start_vectors(start, plan), screening=screening, least_share=2000.0)
    return learner


def all_there_is_to_see(learner, plan):
    """Everything but how many rows were not looked at one after the other."""
    arrays = [*learner.journal.values(), learner.w, learner.b, learner.updates_per_pass, learner.row_updates]
    if plan.memory in ("average", "pocket"):
        arrays += getattr(learner, plan.memory)
    counts = {key: value for key, value in learner.counts.items() if key not in ("ahead", "skipped")}
    return counts, [array.tobytes() for array in arrays]


def same_on_threads(
    X, y, start, *, passes=6, slices=FOREVER, updates=NO_LIMIT, weights=None, screening=False, **options
):
    """Learn on one to three threads, compare all there is to see, and return how many rows were looked at ahead."""
    rows = as_rows(X)
    rule = Rule(options.pop("margin", 0.0), 1.0, options.pop("ties", "mistake"))
    order = Order(options.pop("order", "cyclic"), 3)
    plan = Plan(rows.d, int(y.max()) + 1, rule, order, **options)
    seen, ahead = [], []
    for threads in (1, 2, 3):
        learner = made(plan, start, screening=screening)
        learner.bind(rows.examples(), y, weights)
        while (pause := learner.run(slices, passes, updates, threads)) == "time":
            pass
        ahead.append(learner.counts["ahead"])
        seen.append((pause, *all_there_is_to_see(learner, plan)))
    assert seen[1] == seen[0]
    assert seen[2] == seen[0]
    assert ahead[0] == 0
    return ahead[1]


@pytest.mark.parametrize("order", ["cyclic", "shuffle", "shuffle_once", "random"])
@pytest.mark.parametrize("d", [20, 100, 300])
def test_dense_rows_in_every_order(order, d):
    X, y, start = rarely_wrong(2000, d, 3, d)
    assert same_on_threads(X, y, start, order=order) > 6000


def test_an_order_that_begins_anew_after_every_update():
    X, y, start = rarely_wrong(2000, 60, 2, 0)
    assert same_on_threads(X, y, start, order="first") > 0


def test_an_order_that_looks_for_the_worst():
    X, y, start = rarely_wrong(500, 60, 2, 0)
    same_on_threads(X, y, start, order="worst")


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int16, np.uint8])
def test_every_element_type(dtype):
    X, y, start = rarely_wrong(2000, 200, 5, 1)
    assert same_on_threads(X.astype(dtype), y, start) > 4000


@pytest.mark.parametrize("order", ["cyclic", "shuffle"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_sparse_rows(order, dtype, index):
    X, y, start = rarely_wrong(3000, 40, 4, 2)
    X = sparse.csr_matrix(X.astype(dtype))
    X.indices, X.indptr = X.indices.astype(index), X.indptr.astype(index)
    assert same_on_threads(X, y, start, order=order) > 6000


@pytest.mark.parametrize("multiclass", ["ovr", "direct"])
@pytest.mark.parametrize("dtype", [np.float32, np.uint8])
def test_several_classes(multiclass, dtype):
    X, y, start = rarely_wrong(2000, 60, 4, 3, classes=4)
    assert same_on_threads(X.astype(dtype), y, start, multiclass=multiclass) > 2000


@pytest.mark.parametrize(
    "options", [{"memory": "average"}, {"memory": "pocket"}, {"margin": 2.0}, {"bias": False}, {"ties": "positive"}]
)
def test_every_rule_and_memory(options):
    X, y, start = rarely_wrong(2000, 100, 4, 4)
    assert same_on_threads(X, y, start, **options) > 4000


@pytest.mark.parametrize("seed", range(12))
def test_wrong_examples_on_every_side_of_the_portions(seed):
    rng = np.random.default_rng(seed)
    X, y, start = rarely_wrong(int(rng.integers(1, 400)), 70, 0, seed)
    others = rng.random(len(y)) < rng.choice([0.0, 0.01, 0.3])
    X[rng.random(len(y)) < 0.01] = 0  # on the boundary, whatever the vector
    order = ["cyclic", "shuffle", "random"][seed % 3]
    same_on_threads(X, np.where(others, 1 - y, y), start, order=order, bias=seed % 2 == 0, passes=12)


def test_weights_and_screening():
    X, y, start = rarely_wrong(2000, 100, 4, 9)
    weights = np.random.default_rng(9).choice([0.0, 0.5, 1.0, 2.0], len(y))
    assert same_on_threads(X, y, start, weights=weights) > 4000
    assert same_on_threads(X, y, start, screening=True) > 1000


def test_slices_of_no_time_go_on():
    X, y, start = rarely_wrong(2000, 100, 2, 5)
    assert same_on_threads(X, y, start, slices=0.0) > 6000


def test_limits_on_updates_and_a_clean_pass():
    X, y, start = rarely_wrong(2000, 100, 6, 6)
    same_on_threads(X, y, start, updates=9, passes=50)
    X, y, start = rarely_wrong(2000, 100, 0, 7)
    assert same_on_threads(X, y, start) > 1500


def test_blocks_of_a_pass():
    X, y, start = rarely_wrong(3000, 60, 3, 10)
    plan = Plan(60, 2, Rule(), Order("cyclic", 0))
    seen = []
    for threads in (1, 2):
        learner = made(plan, start)
        for _ in range(3):
            for first in range(0, 3000, 700):
                part = slice(first, first + 700)
                learner.bind(as_rows(X[part]).examples(), y[part], None, blocks=True)
                assert learner.run(FOREVER, NO_LIMIT, NO_LIMIT, threads) == "block_end"
            learner.end_pass()
        seen.append(all_there_is_to_see(learner, plan))
    assert learner.counts["ahead"] > 3000
    assert seen[1] == seen[0]


def test_a_state_saved_on_two_threads_goes_on_as_on_one():
    X, y, start = rarely_wrong(2000, 100, 3, 11)
    rows, plan = as_rows(X).examples(), Plan(100, 2, Rule(), Order("shuffle", 0))
    whole = made(plan, start)
    whole.bind(rows, y, None)
    whole.run(FOREVER, 6, NO_LIMIT)
    learner = made(plan, start)
    learner.bind(rows, y, None)
    while learner.run(0.0, 6, NO_LIMIT, 2) == "time":
        state = learner.state()
        learner = made(plan, start)
        learner.restore(state)
        learner.rebind(rows, y, None)
    assert all_there_is_to_see(learner, plan) == all_there_is_to_see(whole, plan)


def test_any_number_of_threads_is_taken():
    X, y, _ = rarely_wrong(300, 5, 3, 12)
    assert learn(X, y, threads=2**40, max_passes=3).n_steps == learn(X, y, max_passes=3).n_steps


@pytest.mark.parametrize("share", [0.0, -1.0, np.inf, np.nan])
def test_a_share_that_is_no_number_of_bytes_is_refused(share):
    plan = Plan(3, 2, Rule(), Order("cyclic", 0))
    with pytest.raises(ValueError, match="from 1 to 1e15 bytes"):
        make_learners(plan, start_vectors(None, plan), least_share=share)


@pytest.mark.filterwarnings("ignore::rosenblatt.errors.ConvergenceWarning")
def test_drivers_hand_their_threads_on():
    """With data that is large enough to be worth it."""
    X, y, start = rarely_wrong(200_000, 40, 1, 8, start_scale=1e9)
    plan = Plan(40, 2, Rule(), Order("cyclic", 0))
    (learner,) = make_learners(plan, start_vectors(start, plan))
    learner.bind(as_rows(X).examples(), y, None)
    drive([learner], Stop(max_passes=2), threads=2)
    assert learner.counts["ahead"] > 100_000  # of the first pass; the second is screened
    one, two = (learn(X, y, start=start, max_passes=2, threads=threads) for threads in (1, 2))
    assert (one.w == two.w).all()
    assert one.journal.row.tolist() == two.journal.row.tolist()
    one, two = (Perceptron(max_iter=2, n_jobs=n, init=start).fit(X, y) for n in (1, 2))
    assert (one.coef_ == two.coef_).all()
