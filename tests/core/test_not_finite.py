"""One NaN or infinity is found wherever it stands."""

import numpy as np
import pytest

import rosenblatt._core as _core


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("n", [1, 2, 15, 16, 17, 31, 33, 1023, 1024, 1025, 1041])
def test_the_first_value_that_is_not_finite_is_found(kind, n):
    values = np.linspace(-3, 3, n, dtype=kind)
    assert _core.first_not_finite(values) == -1
    for place in range(n):
        for bad in (np.nan, np.inf, -np.inf):
            spoilt = values.copy()
            spoilt[place:] = bad
            assert _core.first_not_finite(spoilt) == place
            spoilt[place + 1 :] = 0
            assert _core.first_not_finite(spoilt) == place


@pytest.mark.parametrize("shape", [(4_000_000,), (1, 4_000_000), (1_000_000, 4), (1_000_000, 5)])
def test_several_threads_find_the_first_too(shape):
    values = np.zeros(shape)[..., :4] if shape[-1] == 5 else np.zeros(shape)
    assert _core.first_not_finite(values, 3) == -1
    rng = np.random.default_rng(0)
    for _ in range(20):
        places = rng.integers(values.size, size=rng.integers(1, 5))
        values[np.unravel_index(places, values.shape)] = np.nan
        assert _core.first_not_finite(values, 3) == places.min()
        values[...] = 0


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_what_lies_between_the_rows_of_a_slice_is_not_asked(kind):
    wide = np.zeros((40, 7), dtype=kind)
    wide[:, 5:] = np.nan
    assert _core.first_not_finite(wide[:, :5]) == -1
    assert _core.first_not_finite(wide[::3, 1:5]) == -1
    assert _core.first_not_finite(wide[::-1, 1:5]) == -1
    wide[30, 4] = np.inf
    assert _core.first_not_finite(wide[:, :5]) == 30 * 5 + 4
    assert _core.first_not_finite(wide[::3, 1:5]) == 10 * 4 + 3
    assert _core.first_not_finite(wide[:, :4]) == -1


def test_rows_that_are_not_contiguous_are_refused():
    with pytest.raises(ValueError, match="contiguous"):
        _core.first_not_finite(np.zeros((4, 6))[:, ::2])
