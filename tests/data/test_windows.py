"""Shuffled passes over blocks: every row once, decided by seed and pass alone, mixed across the file."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt.data import Rows
from rosenblatt.data import open as open_file
from rosenblatt.data.joining import joined
from rosenblatt.data.windows import schedule
from rosenblatt.errors import DataError

chains = st.lists(st.integers(1, 4), min_size=1, max_size=12)


@pytest.mark.property
@given(chains, st.integers(1, 6), st.integers(0, 2**64 - 1), st.integers(0, 50))
def test_every_block_is_read_once_and_chains_in_order(lengths, window, seed, pass_number):
    ends = np.cumsum([0, *lengths]).tolist()
    ranges = [range(a, b) for a, b in pairwise(ends)]
    windows = schedule(ranges, window, seed=seed, pass_number=pass_number)
    flat = [block for blocks in windows for block in blocks]
    assert sorted(flat) == list(range(ends[-1]))
    assert all(len(blocks) == window for blocks in windows[:-1])
    for chain in ranges:
        assert [block for block in flat if block in chain] == list(chain)
    assert windows == schedule(ranges, window, seed=seed, pass_number=pass_number)


@pytest.mark.property
@given(st.lists(st.integers(0, 5), min_size=1, max_size=5), st.booleans(), st.randoms(use_true_random=False))
def test_joined_rows_stand_where_the_order_says(sizes, is_sparse, chance):
    n = sum(sizes)
    dense = np.arange(n * 3, dtype=float).reshape(n, 3) * (np.arange(n * 3).reshape(n, 3) % 2)
    ends = np.cumsum([0, *sizes])
    parts = []
    for a, b in pairwise(ends):
        if is_sparse:
            there = dense[a:b] != 0
            starts = np.concatenate([[0], np.cumsum(there.sum(axis=1))]).astype(np.int32)
            parts.append(Rows(dense[a:b][there], 3, np.nonzero(there)[1].astype(np.int32), starts))
        else:
            parts.append(Rows(dense[a:b], 3))
    order = list(range(n))
    chance.shuffle(order)
    order = np.array(order, dtype=np.int64)
    assert np.array_equal(joined(iter(parts), order).dense(), dense[order])
    assert np.array_equal(Rows.stack(parts).dense(), dense)


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,y\n" + "".join(f"{i},{i // 100}\n" for i in range(200)))
    with open_file(path, block_rows=10, window=4) as opened:
        yield opened


def numbers(source, *args, **options):
    return np.concatenate([block.number for block in source.blocks(*args, **options)])


def test_the_order_depends_on_seed_and_pass_alone(source):
    first = numbers(source, 0, order="shuffle", seed=3)
    assert np.array_equal(first, numbers(source, 0, order="shuffle", seed=3))
    assert sorted(first) == list(range(200))
    assert not np.array_equal(first, numbers(source, 1, order="shuffle", seed=3))
    assert not np.array_equal(first, numbers(source, 0, order="shuffle", seed=4))
    assert np.array_equal(
        numbers(source, 7, order="shuffle_once", seed=3), numbers(source, 0, order="shuffle_once", seed=3)
    )
    assert np.array_equal(numbers(source), np.arange(200))


def test_rows_codes_and_numbers_belong_together(source):
    for block in source.blocks(2, order="shuffle"):
        assert np.array_equal(block.rows.values[:, 0], block.number)
        assert np.array_equal(block.codes, block.number // 100)


def test_windows_mix_both_ends_of_a_sorted_file(source):
    for block in source.blocks(0, order="shuffle", seed=1):
        assert 0 < block.codes.mean() < 1


@pytest.mark.parametrize("order", ["cyclic", "shuffle"])
def test_skipped_blocks_change_nothing_in_the_others(source, order):
    whole = [block.number.tolist() for block in source.blocks(5, order=order)]
    assert [block.number.tolist() for block in source.blocks(5, order=order, skip=2)] == whole[2:]


def test_other_orders_are_refused(source):
    with pytest.raises(DataError, match="needs all examples in memory"):
        next(source.blocks(order="worst"))
