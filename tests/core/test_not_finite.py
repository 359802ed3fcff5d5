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
