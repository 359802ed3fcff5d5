"""Pictures by name: every kind is drawn from examples, and nothing stays in pyplot."""

import matplotlib.pyplot as plt
import pytest

from rosenblatt import DataError
from rosenblatt.datasets import iris, w2, xor
from rosenblatt.plot import KINDS, draw, save_picture


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_drawn_and_pyplot_forgets_it(kind):
    settings = {"bias": False} | ({"runs": 20, "threads": 1} if kind in ("convergence", "starts") else {})
    figure = draw(kind, *w2(), settings=settings)
    figure.canvas.draw()
    assert figure.axes
    assert plt.get_fignums() == []


def test_options_reach_the_display():
    data = iris()
    kept = data.y != "virginica"
    figure = draw("boundary", data.X[kept], data.y[kept], settings={"exact": False}, features=(2, 3))
    assert "at the median" in figure.axes[0].get_xlabel()
    figure = draw("convergence", *w2(), settings={"runs": 9, "bias": False, "threads": 1}, kind="ecdf")
    assert figure.axes[0].get_ylabel() == "share of runs done"


def test_unknown_kinds_and_options_are_refused():
    with pytest.raises(DataError, match="no picture 'pie'"):
        draw("pie", *w2())
    with pytest.raises(DataError, match="project has no meaning for the picture 'strip'"):
        draw("strip", *w2(), project="w")


@pytest.mark.parametrize(("suffix", "magic"), [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")])
def test_pictures_are_saved_whole(suffix, magic, tmp_path):
    figure = draw("strip", *w2(), settings={"bias": False})
    path = save_picture(figure, tmp_path / f"strip{suffix}")
    assert path.read_bytes().startswith(magic)
    assert [part.name for part in tmp_path.iterdir()] == [path.name]
    with pytest.raises(DataError, match="a picture is one of"):
        save_picture(figure, tmp_path / "strip.bmp")


@pytest.mark.parametrize("kind", ["convergence", "angle"])
def test_pictures_about_separable_data_are_refused_where_they_are_not(kind):
    with pytest.raises(
        DataError, match=r"not separable .* draw 'mistakes' for one run, or 'certificate' for the proof"
    ):
        draw(kind, *xor())
