"""Columns laid side by side in the core: every type and shape, and calls that cannot be."""

import numpy as np
import pytest

import rosenblatt._core as _core


@pytest.mark.parametrize("dtype", ["float64", "float32", "int16", "uint8", "int64", "bool"])
@pytest.mark.parametrize(("rows", "columns"), [(0, 3), (1, 1), (7, 5), (1025, 28), (40, 3000)])
def test_every_type_and_shape(dtype, rows, columns):
    expected = np.random.default_rng(0).integers(0, 100, (rows, columns)).astype(dtype)
    out = np.empty((rows, columns), dtype=dtype)
    _core.lay_side_by_side([np.ascontiguousarray(expected[:, j]) for j in range(columns)], out)
    assert (out == expected).all()


def test_impossible_calls_are_refused():
    column = np.zeros(4)
    with pytest.raises(ValueError, match="for each column"):
        _core.lay_side_by_side([column], np.empty((4, 2)))
    with pytest.raises(ValueError, match="one length"):
        _core.lay_side_by_side([column], np.empty((5, 1)))
    with pytest.raises(ValueError, match="one type"):
        _core.lay_side_by_side([column], np.empty((4, 1), np.float32))
    with pytest.raises(ValueError, match="1, 2, 4 or 8 bytes"):
        _core.lay_side_by_side([column.astype(complex)], np.empty((4, 1), complex))
    with pytest.raises(TypeError):
        _core.lay_side_by_side([column], np.empty((4, 2))[:, :1])
