"""`rosenblatt lab`: what it opens, what it writes, what it refuses."""

import json
import re

import pytest

import rosenblatt
from rosenblatt.cli.app import main
from rosenblatt.datasets import w2


def values_of(path):
    return json.loads(re.search(r'id="rb-values">(.*?)</script>', path.read_text(encoding="utf-8")).group(1))


@pytest.fixture
def points(tmp_path):
    path = tmp_path / "points.csv"
    path.write_text("a,b,kind\n0,0,no\n0,1,no\n1,1,yes\n")
    return str(path)


def test_a_file_becomes_a_page(points, tmp_path, capsys):
    out = tmp_path / "lab.html"
    assert main(["lab", points, "--target", "kind", "--no-bias", "--variant", "averaged", "--export", str(out)]) == 0
    state = values_of(out)["state"]
    assert state["points"] == [[0.0, 0.0, -1], [0.0, 1.0, -1], [1.0, 1.0, 1]]
    assert (state["bias"], state["memory"], state["title"]) == (False, "average", "points.csv")
    assert "wrote" in capsys.readouterr().err


def test_a_lecture_s_set_brings_its_own_settings(tmp_path):
    assert main(["lab", "w1", "--export", str(tmp_path / "lab.html")]) == 0
    assert values_of(tmp_path / "lab.html")["state"]["start"] == [1.0, -0.8, 0.0]


def test_a_saved_trace_is_replayed(tmp_path):
    run = rosenblatt.trace(*w2(), bias=False)
    (tmp_path / "run.json").write_text(run.to_json())
    assert main(["lab", str(tmp_path / "run.json"), "--export", str(tmp_path / "lab.html")]) == 0
    assert values_of(tmp_path / "lab.html")["trace"] == json.loads(run.to_json())


def test_a_damaged_trace_is_the_files_fault(tmp_path, capsys):
    (tmp_path / "run.json").write_text('{"schema":"rosenblatt.trace/1"}')
    assert main(["lab", str(tmp_path / "run.json"), "--export", str(tmp_path / "lab.html")]) == 2
    assert "run.json: the trace is damaged" in capsys.readouterr().err


def test_a_kernel_leaves_the_lecture_s_start_out(tmp_path):
    assert main(["lab", "w1", "--kernel", "rbf", "--export", str(tmp_path / "lab.html")]) == 0
    assert "start" not in values_of(tmp_path / "lab.html")["state"]


def test_a_kernel_is_handed_on(tmp_path):
    assert main(["lab", "xor", "--kernel", "poly:1:2", "--export", str(tmp_path / "lab.html")]) == 0
    state = values_of(tmp_path / "lab.html")["state"]
    assert (state["kernel"], state["gamma"], state["degree"]) == ("poly", 1.0, 2.0)


def test_it_serves_and_prints_the_address_alone(monkeypatch, capsys):
    called = {}

    def serve(made, *, port, browser, announce):
        called.update(port=port, browser=browser, made=repr(made))
        announce("http://127.0.0.1:1/?token=t")

    monkeypatch.setattr("rosenblatt.lab.serve", serve)
    assert main(["lab", "w2", "--port", "0", "--no-browser"]) == 0
    said = capsys.readouterr()
    assert said.out == "http://127.0.0.1:1/?token=t\n"
    assert "this machine only" in said.err
    assert called == {"port": 0, "browser": False, "made": called["made"]}
    assert called["made"].startswith("Lab(4 points")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["3_of_5", "--export", "x.html"], "the lab draws two"),
        (["--rate", "2"], "name DATA too"),
        (["w2", "--max-passes", "5"], "--max-passes has no meaning in the lab"),
        (["w2", "--start", "random"], "give numbers"),
        (["w2", "--kernel", "sigmoid"], "kernel"),
    ],
)
def test_what_it_cannot_do_is_said(arguments, said, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["lab", *arguments]) == 2
    assert said in capsys.readouterr().err


def test_numbers_beyond_the_lab_are_named_and_scaling_helps(tmp_path, capsys):
    path = tmp_path / "far.csv"
    path.write_text("height,weight,kind\n1,1,a\n2000000,2,b\n1500000,4,a\n")
    out = ["--export", str(tmp_path / "lab.html")]
    assert main(["lab", str(path), *out]) == 2
    said = capsys.readouterr().err
    assert "row 2, column 'height' is 2000000.0; the lab takes numbers within ±1000000" in said
    assert main(["lab", str(path), "--scale", "standard", *out]) == 0


def test_the_script_it_shows_does_the_same(points, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["lab", points, "--target", "kind", "--export", "lab.html", "--show-python"]) == 0
    exec(capsys.readouterr().out, {})
    assert values_of(tmp_path / "lab.html")["state"]["points"][2] == [1.0, 1.0, 1]
