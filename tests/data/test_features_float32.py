"""Numbers that float32 cannot hold are refused by name, not made infinite."""

import pytest

from rosenblatt.data import open as open_file
from rosenblatt.errors import DataError


@pytest.mark.parametrize("first", ["1", "red"], ids=["numbers alone", "with a category"])
def test_too_large_for_float32(tmp_path, first):
    (tmp_path / "t.csv").write_text(f"a,b,y\n{first},2,p\n3,1e300,q\n")
    with pytest.raises(DataError, match=r"line 3.*b.*too large for float32"):
        open_file(tmp_path / "t.csv", target="y", dtype="float32").read()
    with open_file(tmp_path / "t.csv", target="y", dtype="float64") as source:
        assert source.read()[0].n == 2
