"""The trace is the run: exact on paper's numbers, faithful to the core elsewhere, and whole after JSON."""

import json
import warnings
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from operator import getitem

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import DataError, blackboard, check, learn, trace
from rosenblatt.datasets import make_separable, neither, w2, w3, xor
from rosenblatt.errors import TieWarning
from rosenblatt.theory import Trace
from rosenblatt.theory.decimals import as_fraction

ORDERS = ("cyclic", "shuffle", "shuffle_once", "random", "first", "worst")


def one_decimal(rng):
    n, d = int(rng.integers(2, 9)), int(rng.integers(1, 4))
    X = rng.integers(-30, 31, (n, d)) / 10
    y = np.r_[-1, 1, rng.choice([-1, 1], n - 2)]
    if rng.random() < 0.6:
        y = np.where(X @ rng.integers(-3, 4, d) + 0.05 > 0, 1, -1)
        y[:2] = (-1, 1)
    return X, y


@pytest.mark.parametrize("block", range(5))
def test_exact_traces_are_the_blackboards_runs_on_fractions(block):
    """500 random sets with one decimal, all orders, rates, margins, starts, memories."""
    rng = np.random.default_rng(block)
    for _ in range(100):
        X, y = one_decimal(rng)
        bias = bool(rng.random() < 0.5)
        options = {
            "bias": bias,
            "order": ORDERS[rng.integers(6)],
            "seed": int(rng.integers(2**40)),
            "rate": float(rng.choice([1, 0.1, 0.5])),
            "margin": float(rng.choice([0, 0, 0.3])),
            "max_passes": 12,
        }
        start = ((rng.integers(-9, 9, X.shape[1]) / 10), 0.1 * bias) if rng.random() < 0.3 else None
        memory = ("last", "average", "pocket", "vote")[rng.integers(4)]
        got = trace(X, y, **options, start=start, memory=memory)
        F = [[Fraction(str(value)) for value in x] for x in X.tolist()]
        begin = None if start is None else ([Fraction(str(v)) for v in start[0].tolist()], Fraction(str(start[1])))
        options |= {"rate": Fraction(str(options["rate"])), "margin": Fraction(str(options["margin"]))}
        run = blackboard.learn(F, y.tolist(), **options, start=begin)
        assert got.exact
        columns = (got.updates.step, got.updates.row, got.updates.tau, got.updates.m, got.updates.rival)
        assert list(zip(*(part.tolist() for part in columns), strict=True)) == run.journal
        assert [(*W, b) for W, b in zip(*got.vectors, strict=True)] == [v for v, _ in run.voters]
        assert got.survival.tolist() == [c for _, c in run.voters]
        assert (got.counts.converged, got.counts.n_steps) == (run.converged, run.n_steps)
        if memory == "average":
            assert [*got.model.w, got.model.b] == run.average
        if memory == "pocket":
            assert [*got.model.w, got.model.b] == list(run.pocket)
            assert got.model_k is not None


@pytest.mark.parametrize("multiclass", ["ovr", "direct"])
def test_float_traces_are_the_cores_runs(multiclass):
    rng = np.random.default_rng(5)
    for _ in range(60):
        X, y = rng.normal(size=(12, 3)), np.r_[0, 1, rng.integers(0, 2 + (multiclass == "direct"), 10)]
        options = {"order": ORDERS[rng.integers(6)], "seed": int(rng.integers(99)), "multiclass": multiclass}
        options |= {"max_passes": 8, "memory": ("last", "average", "pocket")[rng.integers(3)]}
        outcome, got = learn(X, y, **options), trace(X, y, **options)
        assert not got.exact
        for part in ("step", "row", "tau", "m", "rival"):
            assert getattr(got.updates, part).tolist() == getattr(outcome.journal, part).tolist()
        np.testing.assert_array_equal(got.model.w, outcome.model.w)
        W, b = got.vectors
        np.testing.assert_array_equal(W[-1], outcome.last.w)
        np.testing.assert_array_equal(b[-1], outcome.last.b)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("exact", [True, False])
def test_the_steps_shown_are_those_the_run_was_shown(order, exact):
    """Rebuilt from seed and updates; every update's row and m must fall on its own step."""
    rng = np.random.default_rng(8)
    for _ in range(20):
        X, y = one_decimal(rng)
        got = trace(X, y, order=order, seed=int(rng.integers(999)), exact=exact, max_passes=9, what="steps")
        assert len(got.steps) == got.counts.n_steps
        assert got.steps.row[got.updates.step].tolist() == got.updates.row.tolist()
        assert got.steps.number[-1] + 1 == got.counts.n_passes
        moved = np.flatnonzero(got.steps.tau)
        assert moved.tolist() == got.updates.step.tolist()
        assert sum(m <= 0 for m in got.steps.m) == got.counts.n_mistakes
        per_pass = np.bincount(got.steps.number[got.updates.step], minlength=got.counts.n_passes)
        assert per_pass.tolist() == got.counts.updates_per_pass.tolist()
        table = got.margins()
        for step, (i, m) in enumerate(zip(got.steps.row, got.steps.m, strict=True)):
            assert table[int(got.k_before(np.array([step]))[0])][i] == m


@pytest.mark.property
@settings(max_examples=60)
@given(
    seed=st.integers(0, 2**32),
    d=st.integers(1, 4),
    bias=st.booleans(),
    rate=st.sampled_from([1.0, 0.3, 2.0]),
    margin=st.sampled_from([0.0, 0.5]),
    order=st.sampled_from(ORDERS),
    started=st.booleans(),
)
def test_proof_curves_hold_at_every_update(seed, d, bias, rate, margin, order, started):
    data = make_separable(12, d, gamma=0.4, R=2.0, seed=seed, bias=bias)
    start = "random" if started else None
    run = trace(*data, bias=bias, rate=rate, margin=margin, order=order, seed=seed, start=start, exact=False)
    curves = run.proof(data.u)
    assert curves.hold
    if not started and margin == 0:
        k = curves.k
        np.testing.assert_allclose(curves.floor, k * rate * 0.4, rtol=1e-9)
        np.testing.assert_allclose(curves.ceiling, np.sqrt(k) * rate * 2.0, rtol=1e-9)
        np.testing.assert_allclose(curves.promise[1:], np.sqrt(k[1:]) * 0.4 / 2.0, rtol=1e-9)


@pytest.mark.property
@settings(max_examples=60)
@given(seed=st.integers(0, 2**32), exact=st.booleans(), what=st.sampled_from(["steps", "updates"]))
def test_json_there_and_back_is_the_identity(seed, exact, what):
    rng = np.random.default_rng(seed)
    X, y = one_decimal(rng)
    memory = ("last", "average", "pocket", "vote")[rng.integers(4)]
    labels = np.array(["ham", "spam"])[(y > 0).astype(int)] if rng.random() < 0.5 else y
    run = trace(X, labels, exact=exact, what=what, memory=memory, max_passes=6, order=ORDERS[rng.integers(6)])
    text = run.to_json()
    again = Trace.from_json(text)
    assert again.to_json() == text
    assert repr(again) == repr(run)
    assert again.margins().tolist() == run.margins().tolist()
    assert again.columns(exact=True).keys() == run.columns(exact=True).keys()


def test_direct_multiclass_traces_name_the_rival():
    X, y = [[1, 0], [0, 1], [-1, -1], [2, 1]], ["a", "b", "c", "a"]
    run = trace(X, y, multiclass="direct", what="steps")
    assert run.exact
    assert run.vectors[0].shape[1:] == (3, 2)
    assert "rival" in run.columns()
    assert run.sentence(0).startswith("score of a − score of b = 0 ≤ 0, so w(a) ← (0, 0) + (1, 0) = (1, 0), b(a)")
    assert Trace.from_json(run.to_json()).to_json() == run.to_json()
    assert "rival" in repr(run)


def test_a_return_of_the_vector_at_the_same_place_is_a_cycle():
    """XOR in file order is back at (0, 0), b = 0 after one pass of four updates."""
    run = trace(*xor(), max_passes=20)
    assert (run.cycle.first, run.cycle.again) == (0, 4)
    assert "from here it cycles for ever" in repr(run)
    for order in ("cyclic", "shuffle_once", "first", "worst"):
        run = trace(*neither(), order=order, max_passes=200)
        first, again = run.cycle.first, run.cycle.again
        period = again - first
        kept = slice(first, first + len(run.steps) - again)
        assert run.steps.row[again:].tolist() == run.steps.row[kept].tolist()
        assert run.steps.m[again:].tolist() == run.steps.m[kept].tolist()
        assert period > 0
    assert trace(*xor(), order="shuffle", max_passes=50).cycle is None
    assert trace(*w2(), bias=False).cycle is None


def test_decimals_are_read_as_written_whatever_holds_them():
    wanted = [[Fraction(1, 10), Fraction(1, 3)], [Fraction(-2), Fraction(3, 10)]]
    for X in (
        [["0.1", "1/3"], ["-2", "0.3"]],
        [[Decimal("0.1"), Fraction(1, 3)], [-2, 0.3]],
        np.array([[Fraction(1, 10), Fraction(1, 3)], [Fraction(-2), Fraction(3, 10)]], dtype=object),
    ):
        assert trace(X, [0, 1]).examples.exact.tolist() == wanted
    single = trace(np.array([[0.1, 0.7]] * 2, dtype=np.float32), [0, 1], max_passes=2)
    assert single.examples.exact[0].tolist() == [Fraction(1, 10), Fraction(7, 10)]


def test_exact_and_float_differ_where_a_tie_is_rounded():
    """0.1 + 0.2 is not 0.3 in floats: w = (0.1 + 0.2, 0.3) gives x = (1, −1) an m of 5e-17 instead of 0."""
    X, y = [[0.1, 0.1], [0.2, 0.2], [1, -1]], [1, 1, 1]
    X, y = [*X, [-1, -1.1]], [*y, -1]
    start = ((0.1 + 0.2, 0.3), 0)
    on_paper = trace(X, y, bias=False, start=(["0.3", "0.3"], 0), what="steps", max_passes=1)
    rounded = trace(X, y, bias=False, start=start, exact=False, what="steps", max_passes=1)
    assert 2 in on_paper.updates.step
    assert 2 not in rounded.updates.step
    assert rounded.ties.tolist() == [2]
    assert "exact=True" in repr(rounded)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("classes", [2, 3])
def test_where_floats_leave_the_path_of_paper_a_tie_is_named_first(order, classes):
    """Random one-decimal sets: the first step that differs is never before the first that rounding may have decided."""
    rng = np.random.default_rng(ORDERS.index(order) + 10 * classes)
    differ, passes = 0, 25 if order in ("first", "worst") else 4  # there a pass ends with its update
    for _ in range(40):
        n, d = int(rng.integers(classes, 9)), int(rng.integers(1, 4))
        X, y = rng.integers(-9, 10, (n, d)) / 10, np.r_[np.arange(classes), rng.integers(0, classes, n - classes)]
        options = {"order": order, "multiclass": "direct", "seed": int(rng.integers(999)), "max_passes": passes}
        options |= {"rate": float(rng.choice([1, 0.1, 0.7])), "margin": float(rng.choice([0, 0.3]))}
        options |= {"bias": bool(rng.random() < 0.5), "weights": rng.permutation(n) if rng.random() < 0.3 else None}
        paper, run = (trace(X, y, exact=exact, **options) for exact in (True, False))
        paths = [[*zip(t.updates.step, t.updates.row, t.updates.rival, strict=True)] for t in (paper, run)]
        parts = next((k for k, (one, two) in enumerate(zip(*paths, strict=False)) if one != two), min(map(len, paths)))
        ends = [t.counts.n_steps - 1 for t in (paper, run)]
        if paths[0] == paths[1] and ends[0] == ends[1]:
            continue
        differ += 1
        assert len(run.ties)
        assert run.ties[0] <= min([*ends, *(path[parts][0] for path in paths if parts < len(path))])
    assert differ > 0


def test_the_look_after_a_quiet_pass_of_random_draws_may_be_roundings():
    """The pass was quiet because a row was not drawn whose m, on paper, is 0 at the look that follows."""
    X, y, options = [[0, -0.4], [0.1, 0.1], [-0.1, 0.1], [-0.3, -0.1]], [0, 1, 1, 1], {"order": "random", "seed": 41}
    run, paper = (trace(X, y, bias=False, max_passes=15, exact=exact, **options) for exact in (False, True))
    assert (run.counts.n_updates, run.counts.converged, run.ties.tolist()) == (2, True, [run.counts.n_steps - 1])
    assert paper.counts.n_updates == 3


def test_whole_numbers_and_equal_rows_leave_no_doubt():
    X, y = [[1, 2], [1, 2], [-2, 1], [-1, -1]], [1, 1, 0, 0]
    for order in ORDERS:
        assert len(trace(X, y, order=order, exact=False).ties) == 0
        assert len(trace(X, [0, 0, 1, 2], order=order, multiclass="direct", exact=False).ties) == 0
    thirds = np.array(X) / 3
    assert len(trace(thirds, y, order="worst", bias=False, start=([0.1, 0.1], 0), exact=False).ties) == 0


def test_auto_warns_of_ties_only_where_it_could_not_be_exact():
    X, y = [[0.1, 0.1], [0.2, 0.2], [1, -1], [-1, -1.1]], [1, 1, 1, -1]
    with pytest.warns(TieWarning, match="step 3"):
        trace(X, y, bias=False, start=((0.1 + 0.2, 0.3), 0), max_passes=1)  # 0.30000000000000004 is not short
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        trace(np.random.default_rng(0).normal(size=(50, 3)), [0, 1] * 25, max_passes=5)


def test_long_runs_are_bounded_and_say_so():
    run = trace(*w3(), max_rows=50)
    assert (len(run.updates), len(run.steps), run.counts.n_updates) == (50, 50, 202)
    assert "the first 50 of 202 updates were kept" in repr(run)
    assert len(repr(trace(*w3())).splitlines()) < 15
    assert Trace.from_json(run.to_json()).to_json() == run.to_json()
    for order in ORDERS:
        trace(*w3(), max_rows=7, order=order, what="steps")


def test_exports_carry_the_same_numbers():
    run = trace(*w2(), bias=False, what="steps")
    frame, table = run.to_pandas(), run.to_arrow()
    assert frame["m_before"].tolist()[:5] == [0, 0, 0, 8, 0]
    assert frame["m_after"].tolist()[:5] == [4, 4, 8, 8, 4]
    assert frame["w_after[x2]"].tolist()[:5] == [0, 2, 4, 4, 4]
    assert table.column("m_before").to_pylist() == frame["m_before"].tolist()
    assert run.to_csv().splitlines()[1].startswith("0,0,0,-2,0,-1,0,0,4,mistake,1,0,0,0,2,0,0,2")
    third = trace([["1/3"], ["-1"]], [1, -1], bias=False, what="steps")
    assert "1/3" in third.to_csv()
    assert run.to_pandas(exact=True)["m_before"][3] == Fraction(8)


def test_markdown_latex_and_html_escape_what_users_bring():
    X, y = [[1.0, 2.0], [-1.0, 2.0]], ["<script>alert(1)</script>", "a|b_%&"]
    run = trace(X, y)
    assert "<script>" not in run._repr_html_()
    assert "&lt;script&gt;" in run._repr_html_()
    assert "\\|b\\_" in run.to_markdown()
    assert r"a|b\_\%\&" in run.to_latex()
    assert run.to_latex().count("\\begin{tabular}") == 1


def test_what_cannot_be_traced_is_said():
    X, y = [[1, 0], [0, 1], [-1, -1]], ["a", "b", "c"]
    with pytest.raises(DataError, match=r"y == 'a'.*multiclass='direct'"):
        trace(X, y)
    with pytest.raises(DataError, match="no clock"):
        trace(X, [0, 1, 1], exact=True, max_seconds=3)
    with pytest.raises(DataError, match="what='lines'"):
        trace(X, [0, 1, 1], what="lines")
    with pytest.raises(DataError, match="does not separate"):
        trace(*w2(), bias=False).proof(([1, 0], 0))
    with pytest.raises(DataError, match="row 1 has 1 values, row 0 has 2"):
        trace([[1, 2], [3]], [0, 1])
    for text in ("[1]", "{", '{"schema": "rosenblatt.trace/9"}'):
        with pytest.raises(DataError):
            Trace.from_json(text)
    whole = trace(*w2(), bias=False).to_json()
    with pytest.raises(DataError, match="damaged"):
        Trace.from_json(whole.replace('"row":[0,1,2,0]', '"row":[0,1,2,9]'))


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "1" * 5000, "", "null"])
def test_what_is_no_trace_is_refused(text):
    with pytest.raises(DataError, match="this is no"):
        Trace.from_json(text)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("updates.row", [0, 1, 2, -1], "updates.row must be 4 whole numbers from 0 to 3"),
        ("updates.row", [0, 1, 2, 1.5], "updates.row must be 4 whole numbers"),
        ("updates.row", [0, 1, 2, 10**400], "updates.row must be 4 whole numbers"),
        ("updates.row", [0, 1, 2, 3], "steps and updates disagree"),
        ("updates.step", [4, 2, 1, 0], "updates.step must rise"),
        ("updates.rival", [0, 0, 0, 0], "updates.rival must be 4 whole numbers from -1 to -1"),
        ("updates.m", [0, 0, 0, 10**400], "too large"),
        ("updates.tau", [1, 1, 1, "1"], "updates.tau must be numbers"),
        ("steps.pass", [2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0], "pass after pass"),
        ("result.n_updates", "x", "result.n_updates must be a whole number from 0"),
        ("result.n_updates", 3, "updates.step has 4 entries, and result.n_updates is 3"),
        ("result.converged", 1, "result.converged must be true or false"),
        ("best.w", "abc", r"best.w must be numbers of shape \(2,\)"),
        ("best.w", [1.0, float("nan")], "best.w holds a number that is not finite"),
        ("best.gamma", 0, "must be above 0"),
        ("cycle", {"first": 4, "again": 2}, "cycle must rise"),
        ("ties", [99], "ties must be whole numbers from 0 to 11"),
        ("settings.order", "sideways", "order='sideways' is unknown"),
        ("settings.bias", "no", "settings.bias is 'no'"),
        ("settings.weights", [1, 2], "one number for each of 4 rows"),
        ("data.X", [[1, 2], [3]], "damaged"),
        ("data.classes", [1, -1], "data.classes must be two labels or more, sorted"),
        ("data.names", [1, 2], "data.names must be 2 texts"),
        ("start.w", [[0, 0], [0, 0]], r"start.w must be numbers of shape \(1, 2\)"),
        ("model.w", None, "model.w must be null for a vote"),
        ("model.memory", "elephant", "model.memory='elephant' is unknown"),
        ("what", "lines", "what='lines' is unknown"),
        ("exact", True, "exact and numbers disagree"),
    ],
)
def test_damage_is_refused_with_its_place(path, value, message):
    document = json.loads(trace(*w2(), bias=False, exact=False).to_json())
    *parts, last = path.split(".")
    reduce(getitem, parts, document)[last] = value
    with pytest.raises(DataError, match=message):
        Trace.from_json(json.dumps(document))


@pytest.mark.parametrize("text", ["1e999999999", "1/0", "nan", "1e500", 1])
def test_exact_numbers_are_decimals_or_fractions_that_floats_come_near_to(text):
    document = json.loads(trace(*w2(), bias=False).to_json())
    document["numbers"]["updates"]["m"][0] = text
    with pytest.raises(DataError, match=r"must be texts like '0.2' and '-1/3'|too large"):
        Trace.from_json(json.dumps(document))


def test_memories_say_which_vector_is_the_model():
    data = neither()
    assert "model: the pocket, w = " in repr(trace(*data, memory="pocket", max_passes=5))
    assert "model: the average over 20 steps" in repr(trace(*data, memory="average", max_passes=5))
    assert "model: a vote of" in repr(trace(*data, memory="vote", max_passes=5))


def test_the_best_separator_brings_cosines_bound_and_promise():
    run = trace(*w2(), bias=False)
    assert "bound (R/γ)² = 10;" in repr(run)
    assert run.proof().hold
    np.testing.assert_allclose(run.proof().cosine[1:], [0.447, 0.949, 0.894, 1.0], atol=5e-4)  # three printed places
    assert Trace.from_json(run.to_json()).best.gamma == run.best.gamma
    assert trace(*xor(), max_passes=3).best is None
    with pytest.raises(DataError, match="no separator is known"):
        trace(*xor(), max_passes=3).proof()


def test_decimals_that_meet_on_a_line_have_no_bound():
    """(−0.1, −0.3) lies midway between the others: on paper the run cycles, though the nearest floats are separable."""
    X, y = [[-0.4, -0.2], [0.2, -0.4], [-0.1, -0.3]], [0, 0, 1]
    run = trace(X, y, max_passes=50)
    assert check(X, y).separable
    assert run.cycle is not None
    assert run.best is None
    assert "bound" not in repr(run)
    with pytest.raises(DataError, match="does not separate"):
        run.proof(u=([1.0, 3.0], 1.0))  # all three lie on it; in floats one m is 5e-17


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_margin_and_radius_are_those_of_the_decimals_that_were_run(kind):
    """x = ±0.3: gamma = R = 0.3, although the float32 0.3 is 0.300000012."""
    run = trace(np.array([[0.3], [-0.3]], kind), [1, 0], bias=False)
    assert run.exact
    assert (run.best.gamma, run.best.R) == (pytest.approx(0.3, rel=1e-15), 0.3)
    assert run.proof().hold
    assert run.proof(u=([1], 0)).hold
    assert Trace.from_json(run.to_json()).examples.rows.values.tolist() == [[0.3], [-0.3]]


def test_frames_and_sparse_rows_are_traced_with_their_names():
    import pandas as pd
    from scipy import sparse

    X, y = w2()
    frame = trace(pd.DataFrame(X, columns=["width", "height"]), pd.Series(y), bias=False)
    assert "w_after[height]" in frame.to_pandas().columns
    thin = trace(sparse.csr_array(X), y == 1, bias=False)
    assert thin.exact
    assert thin.updates.row.tolist() == frame.updates.row.tolist() == [0, 1, 2, 0]
    assert Trace.from_json(thin.to_json()).examples.classes.tolist() == [False, True]
    wide = sparse.random_array((30, 5000), density=0.01, rng=np.random.default_rng(0), format="csr")
    assert not trace(wide, [0, 1] * 15, max_passes=3).exact


@pytest.mark.parametrize("rate", [0.1, 0.3, 0.7])
def test_the_vectors_of_a_run_in_floats_are_those_that_learn_makes(rate):
    X, y = np.random.default_rng(2).normal(size=(12, 3)), np.arange(12) % 2
    run, outcome = trace(X, y, rate=rate, exact=False, max_passes=4), learn(X, y, rate=rate, max_passes=4)
    assert run.vectors[0][-1].tolist() == outcome.w.tolist()
    assert run.vectors[1][-1] == outcome.b


@pytest.mark.parametrize(
    "value", ["1e999999999", "1e-999999999", Decimal("1e999999999"), "nan", float("inf"), "1e", "e5"]
)
def test_numbers_that_nobody_can_write_out_are_refused_at_once(value):
    with pytest.raises(DataError, match="is not a finite number"):
        as_fraction(value)


def test_decimals_are_read_as_they_are_written():
    assert [as_fraction(v) for v in (Decimal("0.10"), 1e-3, "2.5E2", np.float32(0.1))] == [
        Fraction(1, 10), Fraction(1, 1000), Fraction(250), Fraction(1, 10)
    ]  # fmt: skip


def test_wrong_examples_that_are_left_are_not_folded_among_the_right():
    """A point on the line under ties="positive", and one of weight 0: wrong, and nothing is done."""
    tied = str(trace(*w2(), bias=False, ties="positive", what="steps"))
    assert "all right" in tied
    assert tied.count("left") == 2
    weightless = str(trace([[1], [-1], [5]], [1, -1, -1], weights=[1, 1, 0], what="steps"))
    assert "all right" not in weightless
    assert weightless.count("left") == 2


def test_what_is_no_number_is_named_by_its_place():
    with pytest.raises(DataError, match="row 1, column 0: '1/0' is not a finite number"):
        trace([["1/3", "2/7"], ["1/0", "1/7"]], [0, 1])
    with pytest.raises(DataError, match="rate: 'abc' is not a finite number"):
        trace([[1], [2]], [0, 1], rate="abc")


def test_the_direct_machine_shows_the_vectors_it_moves():
    run = trace([[1, 0], [0, 1], [-1, -1]], ["a", "b", "c"], multiclass="direct")
    assert run.table().lines[1][-4:] == ("(-1, 1)", "0", "(1, -1)", "0")
    assert run.sentence(0).endswith(
        "so w(a) ← (0, 0) + (1, 0) = (1, 0), b(a) ← 0 + 1 = 1, w(b) ← (0, 0) − (1, 0) = (−1, 0), b(b) ← 0 − 1 = −1"
    )


def test_a_start_and_a_margin_have_their_bound_in_the_trace():
    """(R² + 2β/r)/γ² = (8 + 4)/0.8 = 15 for W2 with margin 1 and rate 1/2."""
    assert "at most 15 updates with this start and margin" in str(trace(*w2(), bias=False, margin=1, rate=0.5))
    assert trace(*w2(), bias=False).most_updates == 10
