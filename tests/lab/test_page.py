"""The lab in Python: what it takes, what it refuses, and the page it writes."""

import json
import re
import sys

import numpy as np
import pytest

import rosenblatt
from rosenblatt.datasets import w2
from rosenblatt.errors import DataError, MissingExtra
from rosenblatt.lab import Lab, lab
from rosenblatt.lab.page import allowed, as_json, document, page_script, static

X, y = [[-2, 0], [0, -2], [-2, 2], [2, 2]], [-1, -1, 1, 1]


def values_of(page: str) -> dict:
    return json.loads(re.search(r'id="rb-values">(.*?)</script>', page).group(1))


def test_the_package_is_the_function():
    assert isinstance(rosenblatt.lab(X, y), Lab)
    assert isinstance(rosenblatt.lab.lab(X, y), Lab)


def test_points_and_settings_reach_the_page():
    made = lab(X, ["no", "no", "yes", "yes"], bias=False, start=([1, -0.8], 0), order="first", title="Mine")
    state = values_of(made.to_html())["state"]
    assert state["points"] == [[-2.0, 0.0, -1], [0.0, -2.0, -1], [-2.0, 2.0, 1], [2.0, 2.0, 1]]
    assert (state["bias"], state["start"], state["order"], state["title"]) == (False, [1.0, -0.8, 0.0], "first", "Mine")


def test_numbers_of_any_kind_reach_the_page():
    made = lab(np.array(X, dtype=np.float32), np.array(y), rate=np.float64(0.5), seed=3, bias=np.bool_(False))
    state = values_of(made.to_html())["state"]
    assert (state["rate"], state["seed"], state["bias"]) == (0.5, 3, False)


def test_one_feature_lies_on_the_first_axis():
    assert lab([[9], [11]], [-1, 1]).values["state"]["points"] == [[9.0, 0.0, -1], [11.0, 0.0, 1]]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: lab(np.zeros((4, 3)), y), "X has 3 features; the lab draws two"),
        (lambda: lab(np.zeros((501, 2)), [0, 1] * 250 + [0]), "X has 501 rows; the lab takes at most 500"),
        (lambda: lab(X, [0, 1, 2, 2]), "y has 3 classes; the lab draws two"),
        (lambda: lab(X), "y is missing"),
        (lambda: lab(X, y, colour="red"), "'colour' is no setting of the lab"),
        (lambda: lab(X, y, kernel="sigmoid"), "kernel='sigmoid'"),
        (lambda: lab(X, y, start=[1, 2, 3, 4]), "one or two finite weights"),
        (lambda: lab(X, y, start=([1, 2], 1), bias=False), "bias=False; leave b out"),
        (lambda: lab(X, y, start=[1, 2], kernel="rbf"), "starts at zero"),
        (lambda: lab(X, y, order="sorted"), "order='sorted' is unknown"),
        (lambda: lab(X, y, rate=0), "rate=0 must be"),
        (lambda: lab(X, y, rate=1e5), r"rate=100000.0 is out of the lab's range, 0.0001 to 10000"),
        (lambda: lab([[1, 2], [3, -2e6]], [0, 1]), r"X, row 1, column 1 is -2000000.0; .* within ±1000000: divide"),
        (lambda: lab([[1e300, 2], [3, 4]], [0, 1]), r"X, row 0, column 0 is 1e\+300"),
        (lambda: lab(X, y, start=[1, 2e6]), "start has 2000000.0; the lab takes numbers within ±1000000"),
        (lambda: lab(trace=rosenblatt.trace([[2e6, 1], [0, 0]], [1, 0])), "the trace, row 0, column 'x1' is 2000000.0"),
        (lambda: lab(trace=rosenblatt.trace(X, y, rate=1e5)), "rate=100000.0 is out"),
        (lambda: lab(X, y, memory="mean"), "memory='mean' is unknown"),
        (lambda: lab(X, y, hide=["everything"]), "hide='everything' is unknown"),
        (lambda: lab(X, y, seed=2**60), "beyond what a browser counts"),
        (lambda: lab(trace=rosenblatt.trace(X, [0, 1, 2, 2], multiclass="direct")), "3 classes"),
        (lambda: lab(order="first"), "X is missing"),
        (lambda: lab(trace={"schema": "else"}), "no trace of schema"),
        (
            lambda: lab(trace={"schema": "rosenblatt.trace/1"}),
            r"the trace is damaged: .* Make one with rosenblatt.trace",
        ),
        (lambda: lab(trace="x"), "this is not JSON"),
        (lambda: lab(trace=7), "trace=7 is no trace"),
        (lambda: lab(X, y, trace={}), "not both"),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_advice(call, message):
    with pytest.raises(DataError, match=message):
        call()


def test_a_trace_is_handed_over_whole():
    run = rosenblatt.trace(*w2(), bias=False)
    page = run.to_html()
    assert values_of(page)["trace"] == json.loads(run.to_json())
    wide = rosenblatt.trace([[1, 2, 3], [-1, 0, 1]], [1, -1])
    with pytest.raises(DataError, match="3 features"):
        wide.to_html()


def test_no_text_can_leave_its_place():
    evil = "</script><script>alert(1)</script><!--\u2028"
    page = lab(X, y, title=evil).to_html()
    assert page.count("<script") == lab(X, y).to_html().count("<script")
    assert page.count("</script") == 2
    assert "<!--" not in page
    assert values_of(page)["state"]["title"] == evil
    assert "&lt;/script&gt;" in page.split("</title>")[0]
    assert "<" not in as_json({"a": evil})


def test_the_page_allows_its_own_script_and_style_and_nothing_else():
    page = document({})
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page).group(1)
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert allowed(page_script()) in policy
    assert allowed(static("lab.css")) in policy
    assert page.split('<script type="module">', 1)[1].split("</script>")[0] == page_script()


def test_the_page_mentions_no_address_but_the_svg_namespace():
    assert set(re.findall(r"https?://[\w./]+", document({}))) == {"http://www.w3.org/2000/svg"}


def test_saving_writes_the_whole_page_or_nothing(tmp_path):
    made = lab(X, y)
    assert made.save(tmp_path / "lab.html").read_text(encoding="utf-8") == made.to_html()
    with pytest.raises(DataError, match=r"cannot write .*lab\.html: No such file"):
        made.save(tmp_path / "nowhere" / "lab.html")
    (tmp_path / "full").mkdir()
    with pytest.raises(DataError, match="is a directory"):
        made.save(tmp_path / "full")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["full", "lab.html"]


def test_a_notebook_gets_a_sandboxed_frame_and_a_text_beneath_it():
    shown = lab(X, y)._repr_html_()
    assert 'sandbox="allow-scripts allow-downloads"' in shown
    assert "allow-same-origin" not in shown
    assert "Lab(4 points" in shown.split("<iframe")[0]
    assert "<script" not in shown


def test_the_widget_holds_the_module_and_the_state():
    widget = lab(X, y, bias=False).widget()
    assert widget.state["points"][0] == [-2.0, 0.0, -1]
    assert widget.trait_metadata("state", "sync")
    assert widget.trait_metadata("hash", "sync")
    assert rosenblatt.trace(*w2(), bias=False).widget().trace["schema"] == "rosenblatt.trace/1"


def test_without_anywidget_the_pip_command_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(MissingExtra, match=r"pip install 'rosenblatt\[lab\]'"):
        lab(X, y).widget()
