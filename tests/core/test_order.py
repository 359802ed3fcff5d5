"""The core draws the same order as the blackboard, however many numbers it draws at a time."""

import pytest

import rosenblatt._core as _core
from rosenblatt.blackboard import Generator


@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1, 0x9E3779B97F4A7C15])
@pytest.mark.parametrize("n", [0, 1, 2, 63, 64, 65, 66, 127, 128, 129, 130, 1000])
def test_permutation(n, seed):
    state, drawn = _core.permutation(seed, n)
    generator = Generator(seed)
    assert drawn.tolist() == generator.permutation(n)
    assert state == generator.state
