"""All scikit-learn checks run on all six estimators; every expected failure carries a reason."""

import subprocess
import sys

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from rosenblatt import (
    AveragedPerceptron,
    KernelPerceptron,
    MarginPerceptron,
    Perceptron,
    PocketPerceptron,
    VotedPerceptron,
)

# As for scikit-learn's own Perceptron and SGDClassifier.
WEIGHTS = "a weight scales one step of an online learner; k repetitions are up to k steps. Weight 0 equals removal."
EXPECTED = {
    "check_sample_weight_equivalence_on_dense_data": WEIGHTS,
    "check_sample_weight_equivalence_on_sparse_data": WEIGHTS,
}
ERRORS = "the pocket is chosen by the number of training errors, each counted once (Gallant 1990); weights scale steps."
ESTIMATORS = [
    Perceptron(),
    MarginPerceptron(),
    AveragedPerceptron(),
    VotedPerceptron(),
    PocketPerceptron(),
    KernelPerceptron(),
    Perceptron(multi_class="direct"),
    KernelPerceptron(multi_class="direct", memory="averaged"),
    KernelPerceptron(kernel="linear", memory="voted"),
    KernelPerceptron(kernel="precomputed"),
]


def expected_failures(estimator):
    if isinstance(estimator, PocketPerceptron):
        return {**EXPECTED, "check_class_weight_classifiers": ERRORS}
    return EXPECTED


@pytest.mark.filterwarnings("ignore")  # the checks warn of everything, and convergence is not their subject
@parametrize_with_checks(ESTIMATORS, expected_failed_checks=expected_failures)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_scikit_learn_is_loaded_with_the_first_estimator_or_named_where_it_is_missing():
    story = """
import sys, rosenblatt
assert "sklearn" not in sys.modules and "scipy" not in sys.modules
assert {"Perceptron", "KernelPerceptron"} <= set(dir(rosenblatt))
sys.modules["sklearn"] = None
try:
    rosenblatt.Perceptron
except ImportError as error:
    print(error)
"""
    told = subprocess.run([sys.executable, "-c", story], capture_output=True, text=True, check=True).stdout
    assert told == "an estimator needs scikit-learn: pip install 'rosenblatt[sklearn]'\n"
