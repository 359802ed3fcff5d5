"""The kernel estimator: every kernel, every way to hand one in, dense and sparse."""

import pickle
import warnings

import numpy as np
import pytest
from scipy.sparse import csr_array, issparse
from sklearn.metrics import pairwise
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC

from rosenblatt import KernelPerceptron, save
from rosenblatt.data.arrays import as_rows
from rosenblatt.errors import DataError
from rosenblatt.learning import kernel_blocks
from rosenblatt.learning.kernel import learn_kernel
from rosenblatt.models.kernels import Kernel

RNG = np.random.default_rng(0)
X = RNG.normal(size=(80, 3))
Y = (np.linalg.norm(X, axis=1) > 1.6).astype(int)
pytestmark = pytest.mark.filterwarnings("ignore:no clean pass")

# Our name, scikit-learn's function, and what both are given.
NAMED = {
    "linear": (pairwise.linear_kernel, {}),
    "poly": (pairwise.polynomial_kernel, {"gamma": 0.5, "degree": 2, "coef0": 1.0}),
    "rbf": (pairwise.rbf_kernel, {"gamma": 0.7}),
    "sigmoid": (pairwise.sigmoid_kernel, {"gamma": 0.2, "coef0": 0.5}),
    "laplacian": (pairwise.laplacian_kernel, {"gamma": 0.7}),
    "cosine": (pairwise.cosine_similarity, {}),
}


@pytest.mark.parametrize("memory", ["last", "averaged", "voted"])
@pytest.mark.parametrize("name", NAMED)
def test_named_callable_and_precomputed_kernels_agree(name, memory):
    function, options = NAMED[name]
    K = function(X, X, **options)
    shared = {"max_iter": 10, "memory": memory}
    named = KernelPerceptron(kernel=name, **options, **shared).fit(X, Y)
    handed = KernelPerceptron(kernel=lambda A, B: function(A, B, **options), **shared).fit(X, Y)
    given = KernelPerceptron(kernel="precomputed", **shared).fit(K, Y)
    sparse = KernelPerceptron(kernel=name, **options, **shared).fit(csr_array(X), Y)
    assert named.alpha_.sum() == named.n_updates_
    for other, Z in ((handed, X), (given, K), (sparse, csr_array(X)), (sparse, X)):
        assert other.alpha_.tolist() == named.alpha_.tolist()
        assert other.support_.tolist() == named.support_.tolist()
        np.testing.assert_allclose(other.decision_function(Z), named.decision_function(X), rtol=1e-7, atol=1e-7)
    by_hand = K[:, named.support_] @ named.dual_coef_[0] + named.intercept_
    if memory != "voted":
        np.testing.assert_allclose(named.decision_function(X), by_hand, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("multi_class", ["ovr", "direct"])
def test_large_blocks_and_small_pieces_make_one_journal(multi_class, monkeypatch):
    y = Y + (X[:, 0] > 1)
    whole = KernelPerceptron(multi_class=multi_class).fit(X, y)
    monkeypatch.setitem(learn_kernel.__kwdefaults__, "budget", 0)
    monkeypatch.setattr(kernel_blocks, "LARGEST", 8)
    monkeypatch.setattr(kernel_blocks, "PIECE", 50)
    pieces = KernelPerceptron(multi_class=multi_class).fit(X, y)
    assert pieces.alpha_.tolist() == whole.alpha_.tolist()
    assert pieces.updates_per_pass_.tolist() == whole.updates_per_pass_.tolist()


@pytest.mark.parametrize("where", ["whole", "pieces"])
def test_time_and_updates_are_limits_too(where, monkeypatch):
    if where == "pieces":
        monkeypatch.setitem(learn_kernel.__kwdefaults__, "budget", 0)
        monkeypatch.setattr(kernel_blocks, "LARGEST", 8)
    noise = np.random.default_rng(1).integers(0, 2, len(X))
    narrow = KernelPerceptron(kernel="linear", max_iter=10**9, max_seconds=0.05).fit(X, noise)
    assert narrow.stop_reason_ == "max_seconds"
    assert narrow.updates_per_pass_.sum() == narrow.n_updates_ == narrow.alpha_.sum()
    few = KernelPerceptron(kernel="linear", max_updates=7).fit(X, noise)
    assert (few.stop_reason_, few.n_updates_, few.converged_) == ("max_updates", 7, False)


def test_other_pairwise_kernels_of_scikit_learn_go_by_name():
    Z = np.abs(X)
    machine = KernelPerceptron(kernel="chi2", max_iter=20).fit(Z, Y)
    same = KernelPerceptron(kernel=pairwise.chi2_kernel, max_iter=20).fit(Z, Y)
    assert machine.dual_coef_.tolist() == same.dual_coef_.tolist()


@pytest.mark.parametrize("gamma", ["scale", "auto"])
def test_gamma_is_that_of_scikit_learns_svc(gamma):
    svc = SVC(gamma=gamma).fit(X, Y)
    for Z in (X, csr_array(X)):
        assert KernelPerceptron(gamma=gamma).fit(Z, Y).model_.kernel.gamma == pytest.approx(svc._gamma, rel=1e-12)


def test_gamma_of_constant_features_is_one():
    assert KernelPerceptron(max_iter=1).fit(np.ones((4, 2)), [0, 1, 0, 1]).model_.kernel.gamma == 1.0


def test_precomputed_with_weights_of_zero_keeps_the_training_columns():
    K = pairwise.rbf_kernel(X)
    weight = np.where(np.arange(80) % 3 == 0, 0.0, 1.0)
    kept = np.flatnonzero(weight)
    weighted = KernelPerceptron(kernel="precomputed").fit(K, Y, sample_weight=weight)
    removed = KernelPerceptron(kernel="precomputed").fit(K[np.ix_(kept, kept)], Y[kept])
    assert weighted.decision_function(K).tolist() == removed.decision_function(K[:, kept]).tolist()
    assert weighted.support_.tolist() == kept[removed.support_].tolist()


def test_xor_is_learnt_and_pickled():
    machine = KernelPerceptron().fit([[0, 0], [0, 1], [1, 0], [1, 1]], ["same", "other", "other", "same"])
    again = pickle.loads(pickle.dumps(machine))
    assert again.predict([[1, 1], [0, 1]]).tolist() == ["same", "other"]


def test_a_grid_over_kernels_and_their_parameters_can_be_searched():
    grid = {"kernel": ["linear", "rbf"], "gamma": [0.1, 1.0]}  # as with SVC, linear does not read gamma
    search = GridSearchCV(KernelPerceptron(max_iter=5), grid, error_score="raise", cv=2).fit(X, Y)
    assert search.best_params_["kernel"] == "rbf"


def test_laplacian_values_of_wide_sparse_rows_take_the_columns_in_use():
    wide = csr_array((np.ones(6), [5, 10**6, 7, 10**6, 5, 9], [0, 2, 3, 5, 6]), shape=(4, 2**30))
    narrow = np.array([[1.0, 1, 0, 0], [0, 0, 1, 0], [1, 1, 0, 0], [0, 0, 0, 1]])
    expected = pairwise.laplacian_kernel(narrow, narrow, gamma=0.5)
    np.testing.assert_allclose(Kernel("laplacian", 0.5)(as_rows(wide), as_rows(wide)), expected, rtol=1e-15)


@pytest.mark.parametrize("kernel", ["chi2", "precomputed", pairwise.rbf_kernel])
def test_a_kernel_that_no_file_holds_is_named(kernel, tmp_path):
    Z = pairwise.rbf_kernel(X) if isinstance(kernel, str) and kernel == "precomputed" else np.abs(X)
    named = {"chi2": "chi2_kernel", "precomputed": "precomputed, values"}.get(str(kernel), "rbf_kernel")
    with pytest.raises(DataError, match=f"the kernel is .*{named}.* which a file cannot hold safely"):
        save(KernelPerceptron(kernel=kernel, max_iter=3).fit(Z, Y), tmp_path / "m")


def test_bad_kernels_are_named():
    with pytest.raises(ValueError, match="must be a str among"):
        KernelPerceptron(kernel="gauss").fit(X, Y)
    with pytest.raises(ValueError, match=r"gave shape \(\) for 80 and 80 rows"):
        KernelPerceptron(kernel=lambda a, b: 1.0).fit(X, Y)
    with pytest.raises(ValueError, match="the kernel gave complex values"):
        KernelPerceptron(kernel=lambda A, B: 1j * (A @ B.T)).fit(X, Y)
    with pytest.raises(ValueError, match="the kernel gave NaN or infinity"):
        KernelPerceptron(kernel=lambda A, B: np.full((len(A), len(B)), np.nan)).fit(X, Y)
    with pytest.raises(ValueError, match=r"square matrix; X has shape \(80, 3\)"):
        KernelPerceptron(kernel="precomputed").fit(X, Y)
    assert not hasattr(KernelPerceptron(kernel="precomputed"), "partial_fit")


def test_survival_counts_exist_for_the_vote_alone():
    voted = KernelPerceptron(memory="voted", max_iter=5).fit(X, Y)
    assert voted.survival_counts_.sum() == voted.n_iter_ * len(X)
    assert len(voted.survival_counts_) == voted.n_updates_ + 1
    assert not hasattr(KernelPerceptron(max_iter=5).fit(X, Y), "survival_counts_")
    assert not hasattr(KernelPerceptron(memory="voted"), "survival_counts_")


def test_sample_weights_scale_the_alphas():
    weight = np.where(Y == 1, 3.0, 1.0)
    with warnings.catch_warnings(action="ignore"):
        weighted = KernelPerceptron(max_iter=3).fit(X, Y, sample_weight=weight)
        by_class = KernelPerceptron(max_iter=3, class_weight={0: 1.0, 1: 3.0}).fit(X, Y)
    assert weighted.dual_coef_.tolist() == by_class.dual_coef_.tolist()
    expected = np.where(Y == 1, 3.0, -1.0) * weighted.alpha_
    assert weighted.dual_coef_[0].tolist() == expected[weighted.support_].tolist()


def test_a_function_is_given_sparse_rows_as_they_came():
    """Small whole numbers are multiplied as bytes by our own kernels alone: a user's product of bytes would wrap."""
    rng = np.random.default_rng(0)
    X = csr_array((rng.random((1100, 900)) < 0.3).astype(float))
    y = rng.integers(0, 2, 1100)
    seen = set()

    def product(A, B):
        seen.update((issparse(A), issparse(B)))
        return (A @ B.T).toarray()

    handed = KernelPerceptron(kernel=product, max_iter=1, shuffle=False).fit(X, y)
    named = KernelPerceptron(kernel="linear", max_iter=1, shuffle=False).fit(X, y)
    assert seen == {True}
    assert (handed.alpha_ == named.alpha_).all()


@pytest.mark.parametrize("gamma", [0.0, -1.0, np.inf, np.nan])
def test_an_rbf_that_would_grow_with_the_distance_is_refused(gamma):
    with pytest.raises(DataError, match="rbf needs a finite gamma above 0"):
        Kernel("rbf", gamma)


@pytest.mark.parametrize("far", [2.0**20, 2.0**33])
def test_rows_far_from_the_origin_are_told_apart(far):
    """The squares of such rows swallow their differences; the shift is exact, and so are the updates the same."""
    X = np.random.default_rng(0).integers(-50, 51, (200, 2)).astype(float)
    Y = (X[:, 0] * X[:, 1] > 0).astype(int)
    here = KernelPerceptron(gamma=0.001).fit(X, Y)
    there = KernelPerceptron(gamma=0.001).fit(X + far, Y)
    assert there.n_updates_ == here.n_updates_
    assert there.decision_function(X + far) == pytest.approx(here.decision_function(X), abs=1e-9)
