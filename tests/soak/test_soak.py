"""A small version of each long run; `make soak` runs the long ones."""

import pytest

from tests.soak.__main__ import PARTS
from tests.soak.part import Skipped


@pytest.mark.slow
@pytest.mark.parametrize("name", PARTS)
def test_the_small_version_of_a_long_run_passes(name, tmp_path):
    try:
        assert list(PARTS[name](tmp_path, small=True))
    except Skipped as reason:
        pytest.skip(str(reason))
