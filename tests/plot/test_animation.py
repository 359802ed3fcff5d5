"""A film of a trace is a real file with a frame per beat."""

import shutil

import matplotlib.pyplot as plt
import pytest
from PIL import Image

from rosenblatt import DataError, trace
from rosenblatt.datasets import w2, w3
from rosenblatt.plot import animate
from rosenblatt.plot import animation as module

SMALL = {"size": (4.8, 4.8), "dpi": 25}


def test_a_gif_has_two_beats_an_update(tmp_path):
    film = animate(trace(*w2(), bias=False), **SMALL)
    path = film.save(tmp_path / "run.gif")
    with Image.open(path) as picture:
        assert picture.format == "GIF"
        assert picture.n_frames == film.n_frames == 8
        assert picture.size == (120, 120)
        assert picture.info["duration"] == 900
    assert [part.name for part in tmp_path.iterdir()] == ["run.gif"]
    assert plt.get_fignums() == []


def test_long_runs_are_cut_with_a_note():
    film = animate(trace(*w3()))
    assert len(film.displays) == module.MOST == 200
    assert film.note == "the first 200 of 202 updates"


def test_nothing_jumps_when_the_headings_differ():
    X = [[0.1, -0.1], [-3.0, 2.0], [1.0 / 3, 2.0 / 7], [-0.7, -1.0 / 9]]
    film = animate(trace(X, [1, -1, 1, -1]), size=(5.2, 4.0), dpi=50)
    assert len({display.heading(2).count("\n") for display in film.displays}) > 1
    left = [(pixels[:, :40, :3] < 250).all(axis=2) for pixels in film.frames()]  # the names and numbers of the axis
    assert len({part[60:].tobytes() for part in left}) == 1


def test_chosen_updates_only():
    film = animate(trace(*w2(), bias=False), ks=[1, 4])
    assert [display.k for display in film.displays] == [1, 4]
    assert film.note == ""


def test_a_failed_film_leaves_no_file(tmp_path, monkeypatch):
    film = animate(trace(*w2(), bias=False), **SMALL)
    monkeypatch.setattr(module.TraceAnimation, "frames", lambda self: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        film.save(tmp_path / "run.gif")
    assert list(tmp_path.iterdir()) == []


def test_unknown_kinds_and_nothing_to_show_are_refused(tmp_path):
    with pytest.raises(DataError, match=r"\.gif or an \.mp4"):
        animate(trace(*w2(), bias=False)).save(tmp_path / "run.avi")
    with pytest.raises(DataError, match="no update"):
        animate(trace([[1, 0], [-1, 0]], [1, -1], bias=False, start=[1, 0]))


def test_without_ffmpeg_an_mp4_names_the_remedy(tmp_path, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(module.importlib, "import_module", lambda name: (_ for _ in ()).throw(ImportError(name)))
    with pytest.raises(DataError, match="pip install imageio-ffmpeg, or save a"):
        animate(trace(*w2(), bias=False)).save(tmp_path / "run.mp4")


def test_an_mp4_where_ffmpeg_exists(tmp_path):
    path = animate(trace(*w2(), bias=False), **SMALL).save(tmp_path / "run.mp4")
    assert path.read_bytes()[4:8] == b"ftyp"
