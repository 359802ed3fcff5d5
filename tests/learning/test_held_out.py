"""Rows set aside: of each class its share, every row once, and somebody left to learn from."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt import DataError
from rosenblatt.learning.held_out import folds, split

sizes = st.lists(st.integers(2, 30), min_size=2, max_size=4)


def codes_of(sizes, seed):
    return np.random.default_rng(seed).permutation(np.repeat(np.arange(len(sizes)), sizes))


@pytest.mark.property
@given(sizes, st.floats(0.01, 0.99), st.integers(0, 99))
def test_a_split_leaves_each_class_on_both_sides_in_its_share(sizes, share, seed):
    codes = codes_of(sizes, seed)
    train, test = split(codes, share, seed=seed)
    assert sorted([*train, *test]) == list(range(len(codes)))
    for k, size in enumerate(sizes):
        aside = int((codes[test] == k).sum())
        assert 1 <= aside <= size - 1
        assert abs(aside - share * size) <= 0.5 or aside in (1, size - 1)


@pytest.mark.property
@given(sizes, st.integers(2, 5), st.integers(0, 99))
def test_folds_set_each_row_aside_once_and_are_of_even_size(sizes, k, seed):
    codes = codes_of([size + 3 for size in sizes], seed)
    made = folds(codes, k, seed=seed)
    assert sorted(np.concatenate([test for _, test in made]).tolist()) == list(range(len(codes)))
    for counted in [codes >= 0, *(codes == code for code in range(len(sizes)))]:  # all rows, and each class
        in_fold = [int(counted[test].sum()) for _, test in made]
        assert max(in_fold) - min(in_fold) <= 1
    for train, test in made:
        assert sorted([*train, *test]) == list(range(len(codes)))


def test_what_cannot_be_set_aside_is_refused():
    with pytest.raises(DataError, match="class 1 has 1 row; setting rows aside needs at least 2 of each class"):
        split(np.array([0, 0, 1]), 0.5)
    with pytest.raises(DataError, match="between 0 and 1"):
        split(np.array([0, 0, 1, 1]), 1.0)
    with pytest.raises(DataError, match="at least k rows of each class; class 0 has 2"):
        folds(np.array([0, 0, 1, 1, 1]), 3)
