"""Exports run for real: compiled with cc, run in SQLite, in onnxruntime, in a bare Python; all agree with the model."""

import ast
import ctypes
import dataclasses
import itertools
import re
import shutil
import sqlite3
import subprocess
import sys
import warnings

import duckdb
import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

import rosenblatt
from rosenblatt import KernelPerceptron, data, learn
from rosenblatt.errors import DataError
from rosenblatt.export import sql_columns, to_c, to_onnx, to_python, to_sql
from rosenblatt.models import LinearModel
from tests.models.zoo import fresh_rows, models

ZOO = models()
LINEAR = [name for name, model in ZOO.items() if isinstance(model, LinearModel)]
ROWS = fresh_rows(10_000)


@pytest.fixture(scope="module")
def wide():
    """Return a model of 300 features with names that need quoting, and rows of floats."""
    rng = np.random.default_rng(5)
    names = tuple(f"col \"{j}\" 'x'; -- */ é" for j in range(300))
    model = LinearModel(rng.normal(size=(4, 300)), rng.normal(size=4), np.array(["a", "b", "c", "d"]), names)
    return model, rng.normal(size=(200, 300))


def onnx_run(model, rows, **options):
    import onnxruntime

    session = onnxruntime.InferenceSession(to_onnx(model, **options))
    return session.run(["label", "scores"], {"X": rows})


@pytest.mark.parametrize("name", [name for name in ZOO if not name.startswith("kernel")])
def test_onnx_predicts_the_same_on_ten_thousand_rows_ties_included(name):
    model = ZOO[name]
    labels, scores = onnx_run(model, ROWS)
    np.testing.assert_array_equal(labels, model.predict(ROWS))
    np.testing.assert_array_equal(scores, model.score(ROWS))


def test_onnx_sums_wide_rows_of_floats_in_the_same_order(wide):
    model, rows = wide
    labels, scores = onnx_run(model, rows)
    np.testing.assert_array_equal(scores, model.score(rows))
    np.testing.assert_array_equal(labels, model.predict(rows))


def test_onnx_of_very_wide_models_agrees_to_rounding():
    rng = np.random.default_rng(8)
    model = LinearModel(rng.normal(size=5000), 0.5, np.array([0, 1]))
    rows = rng.normal(size=(50, 5000))
    labels, scores = onnx_run(model, rows)
    np.testing.assert_allclose(scores, model.score(rows), rtol=0, atol=1e-10)
    np.testing.assert_array_equal(labels, model.predict(rows))


@pytest.mark.parametrize("name", [name for name in ZOO if name.startswith("kernel")])
def test_onnx_kernels_agree(name):
    model, rows = ZOO[name], ROWS[:1000]
    labels, scores = onnx_run(model, rows)
    expected = model.score(rows)
    np.testing.assert_allclose(scores, expected, rtol=0, atol=1e-9)  # sums of 60 terms in another order
    clear = np.abs(expected) > 1e-9 if expected.ndim == 1 else np.ones(len(rows), bool)
    np.testing.assert_array_equal(labels[clear], model.predict(rows)[clear])


@pytest.mark.filterwarnings("ignore:no clean pass")
@pytest.mark.parametrize("name", ["poly", "sigmoid"])
def test_onnx_kernels_with_one_support_row_multiply_in_float64(name):
    model = KernelPerceptron(kernel=name, gamma=0.1, coef0=0.1, fit_intercept=False, shuffle=False, max_iter=1)
    model = model.fit([[-2.0], [2.0]], [0, 1]).model_
    assert model.support.n == 1
    rows = np.array([[4.0], [0.7]])
    np.testing.assert_allclose(onnx_run(model, rows)[1], model.score(rows), rtol=1e-14)


def test_the_data_of_the_onnx_test_contains_ties():
    model = ZOO["last-two-dense"]
    assert (model.score(ROWS) == 0).any()


def test_onnx_takes_float32_rows_and_computes_in_float64():
    rng = np.random.default_rng(3)
    model = LinearModel(rng.normal(size=5), 0.25, np.array([0, 1]))
    rows = rng.normal(size=(2000, 5)).astype(np.float32)
    labels, scores = onnx_run(model, rows, element_type="float32")
    np.testing.assert_array_equal(labels, model.predict(rows))
    np.testing.assert_allclose(scores, model.score(rows), rtol=1e-14, atol=1e-14)
    with pytest.raises(DataError, match="element_type"):
        to_onnx(model, element_type="int8")


@pytest.mark.parametrize("scale", ["none", "standard", "maxabs", "unit"])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("d", [1, 3])
def test_onnx_of_every_kind_takes_raw_features_with_the_encoder(tmp_path, scale, dtype, d):
    """Linear, voted and kernel: the graph scales as the encoder does, and holds the names of the features."""
    import onnx

    rng = np.random.default_rng(7)
    values = (rng.normal(size=(60, d)) * 100 + 500).round(3)
    names = [f"size {j}" for j in range(d)]
    lines = [f"{','.join(map(str, x))},{'big' if x[0] > 520 else 'small'}" for x in values]
    (tmp_path / "t.csv").write_text("\n".join([",".join([*names, "y"]), *lines]) + "\n")
    with data.open(tmp_path / "t.csv", target="y", scale=scale, dtype=dtype) as source:
        rows, y, encoder = *source.read(), source.encoder
    with warnings.catch_warnings(action="ignore"):
        kernel = KernelPerceptron(kernel="poly", gamma=0.5, degree=3, max_iter=5).fit(rows, y).model_
    for model in (learn(rows, y).model, learn(rows, y, memory="vote").model, kernel):
        labels, scores = onnx_run(model, values, encoder=encoder)
        expected = model.score(rows)
        np.testing.assert_allclose(scores, expected, rtol=1e-9)  # products in the runtime's order
        np.testing.assert_array_equal(labels, model.predict(rows))
        facts = {fact.key: fact.value for fact in onnx.load_from_string(to_onnx(model)).metadata_props}
        assert ast.literal_eval(facts["features"]) == names
    with pytest.raises(DataError, match="encoder makes 9 features"):
        to_onnx(model, encoder=data.Encoder(d=9))


def test_onnx_refuses_what_it_cannot_hold():
    mixed = LinearModel(np.ones(1), 0.0, np.array([1, 2.5], dtype=object))
    with pytest.raises(DataError, match="several kinds"):
        to_onnx(mixed)
    with pytest.raises(DataError, match="cannot be exported"):
        to_onnx("model")


@pytest.mark.parametrize("name", LINEAR)
def test_python_source_gives_the_same_floats(name):
    model = ZOO[name]
    module: dict = {}
    exec(compile(to_python(model), name, "exec"), module)
    rows = ROWS[:300]
    expected = model.score(rows).reshape(len(rows), -1)
    assert [module["scores"](x) for x in rows.tolist()] == expected.tolist()
    assert [module["predict"](x) for x in rows.tolist()] == model.predict(rows).tolist()


def test_python_source_runs_without_any_import(wide, tmp_path):
    model, rows = wide
    path = tmp_path / "model.py"
    path.write_text(to_python(model), encoding="utf-8")
    code = "import model, json, sys; print(json.dumps([model.scores(x) for x in json.load(sys.stdin)]))"
    import json

    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r}); {code}"],
        input=json.dumps(rows.tolist()),
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == model.score(rows).tolist()
    module: dict = {}
    exec(to_python(model), module)
    with pytest.raises(ValueError, match="expected 300 numbers"):
        module["predict"]([1.0])


HOSTILE = (
    "?",
    "???/",
    "a */ int oops; /* b",
    "/*/",
    "back\\",
    "line\nfeed",
    'say "hi"',
    "größe",
    "\u202eright",
    "%d",
    "",
)
TEXTS = ("win CASH now now", "größe, Straße: ÉTÉ!", "", "a_b 12 \u4f60\u597d", "win win")


def table(n=60):
    """Columns of every kind: two numbers, truth, hostile levels, texts; with gaps."""
    chance = np.random.default_rng(3)
    return {
        "size": [None if i % 11 == 0 else float(v) for i, v in enumerate(chance.normal(size=n).round(2))],
        "ok": [bool(v) for v in chance.integers(0, 2, n)],
        "kind": [None if i % 13 == 0 else HOSTILE[i % len(HOSTILE)] or None for i in range(n)],
        "note": [" ".join(chance.choice(TEXTS, 3)) for _ in range(n)],
        "y": [("ant", "bee", "cat")[i % 3] for i in range(n)],
    }


@pytest.mark.parametrize("missing", ["zero", "mean"])
@pytest.mark.parametrize("scale", ["none", "standard", "unit"])
@pytest.mark.parametrize(("text", "features"), [("note", None), (None, ["size", "ok", "kind"]), (None, ["size", "ok"])])
@pytest.mark.parametrize("labels", [{}, {"positive": "ant"}])
def test_python_source_takes_rows_by_column_names(tmp_path, missing, scale, text, features, labels):
    """Numbers, truth, levels and hashed words, sparse and dense, scaled and with gaps: the very floats of the model."""
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    columns = table()
    pq.write_table(pa.table(columns), tmp_path / "t.parquet")
    opening = {"target": "y", "missing": missing, "scale": scale, "text": text, "features": features, "text_width": 50}
    with data.open(tmp_path / "t.parquet", **{k: v for k, v in opening.items() if v is not None}, **labels) as source:
        rows, y = source.read()
        model, encoder = learn(rows, y, max_passes=5, memory="average").model, source.encoder
    module: dict = {}
    exec(to_python(model, encoder=encoder), module)
    given = [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]
    expected = model.score(rows).reshape(rows.n, -1)
    assert encoder.sparse == (features != ["size", "ok"])
    assert [module["scores"](row) for row in given] == expected.tolist()
    assert [module["predict"](row) for row in given] == model.predict(rows).tolist()


def test_python_source_of_float32_columns_rounds_as_they_do(tmp_path):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    values = np.random.default_rng(0).normal(size=(40, 3)).astype(np.float32)
    y = ["no" if v < 0 else "yes" for v in values.sum(axis=1)]
    pq.write_table(pa.table({**{f"x{j}": values[:, j] for j in range(3)}, "y": y}), tmp_path / "t.parquet")
    with data.open(tmp_path / "t.parquet", target="y") as source:
        rows, labels = source.read()
        assert rows.values.dtype == np.float32
        model = learn(rows, labels).model
        module: dict = {}
        exec(to_python(model, encoder=source.encoder), module)
    given = [dict(zip(("x0", "x1", "x2"), map(float, row), strict=True)) for row in values]
    assert [module["scores"](row)[0] for row in given] == model.score(rows).tolist()
    assert [module["scores"]({k: str(v) for k, v in row.items()})[0] for row in given] == model.score(rows).tolist()


def test_python_source_says_what_is_wrong_with_a_row():
    encoder = data.Encoder(columns=(data.Column("size", "number"), data.Column("hue", "category", ("red",))))
    module: dict = {}
    exec(to_python(LinearModel(np.array([1.0, 2.0]), 0.0, np.array(["no", "yes"])), encoder=encoder), module)
    assert module["scores"]({"size": "3", "hue": "red"}) == [5.0]
    assert module["scores"]({"size": 3, "hue": "blue"}) == [3.0]
    for row, message in (({"size": "big", "hue": "red"}, "'big' is not a number"), ({"size": "NA", "hue": ""}, "size")):
        with pytest.raises(ValueError, match=message):
            module["scores"](row)
    with pytest.raises(DataError, match="2 features"):
        to_python(LinearModel(np.ones(3), 0.0, np.array([0, 1])), encoder=encoder)


def compiled(source, tmp_path, *flags):
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler (cc) on this machine")
    (tmp_path / "model.c").write_text(source, encoding="utf-8")
    library = tmp_path / "model.so"
    strict = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O2", "-shared", "-fPIC", *flags]
    subprocess.run([compiler, *strict, "-o", library, tmp_path / "model.c"], check=True)
    return ctypes.CDLL(str(library))


def c_scores(library, rows, n_scores, name="perceptron"):
    run, out = getattr(library, f"{name}_scores"), np.zeros(n_scores)
    pointer = ctypes.POINTER(ctypes.c_double)
    found = []
    for x in np.ascontiguousarray(rows):
        run(x.ctypes.data_as(pointer), out.ctypes.data_as(pointer))
        found.append(out.copy())
    return np.array(found)


@pytest.mark.parametrize("name", ["last-two-dense", "average-ovr-dense", "labels-str", "labels-float", "labels-bool"])
def test_c_source_compiles_and_gives_the_same_floats(name, tmp_path):
    model = ZOO[name]
    library = compiled(to_c(model), tmp_path)
    rows = ROWS[:500]
    expected = model.score(rows).reshape(len(rows), -1)
    np.testing.assert_array_equal(c_scores(library, rows, expected.shape[1]), expected)
    pointer = ctypes.POINTER(ctypes.c_double)
    codes = [library.perceptron_predict(x.ctypes.data_as(pointer)) for x in rows]
    np.testing.assert_array_equal(model.classes[codes], model.predict(rows))


def test_c_source_of_a_wide_model_with_strange_names(wide, tmp_path):
    model, rows = wide
    library = compiled(to_c(model, name="four_ways"), tmp_path)
    np.testing.assert_array_equal(c_scores(library, rows, 4, "four_ways"), model.score(rows))


@pytest.mark.parametrize("flags", [(), ("-trigraphs",), ("-std=gnu11",)])
def test_c_shows_hostile_names_and_still_agrees(tmp_path, flags):
    """Names that would end the comment, splice lines or be trigraphs; the source compiles without a warning."""
    names = tuple(f"x2={level}" for level in HOSTILE)
    W = np.arange(1.0, len(names) + 1)
    model = LinearModel(W, -0.5, np.array(["no", "yes"]), names)
    source = to_c(model)
    library = compiled(source, tmp_path, *flags)
    rows = np.random.default_rng(1).normal(size=(50, len(names)))
    np.testing.assert_array_equal(c_scores(library, rows, 1)[:, 0], model.score(rows))
    shown = dict(re.findall(r"^ \*   x\[(\d+)\] (.*)$", source, flags=re.MULTILINE))
    assert len(shown) == len(names)
    for j, name in enumerate(names):
        text = shown[str(j)]
        assert (
            ast.literal_eval(text.replace("\\/", "/").replace("\\*", "*").replace("\\?", "?"))
            if text[0] == '"'
            else text
        ) == name
    comment = source[: source.index("enum")]
    assert comment.count("*/") == comment.count("/*") == 1
    assert "??" not in comment


def test_c_labels_come_back_byte_for_byte(tmp_path):
    texts = sorted(["ham\n", 'zebra "é" ??/ \\n 1', "plain"])
    model = LinearModel(np.ones((3, 1)), np.zeros(3), np.array(texts))
    library = compiled(to_c(model), tmp_path)
    found = (ctypes.c_char_p * 3).in_dll(library, "perceptron_classes")
    assert [bytes(value).decode() for value in found] == texts


def test_c_names_must_be_identifiers():
    with pytest.raises(DataError, match="identifier"):
        to_c(ZOO["named"], name="a b")


def table_of(model, rows):
    names = model.names or tuple(f"x{j + 1}" for j in range(model.w.shape[-1]))
    base = sqlite3.connect(":memory:")
    columns = ", ".join('"' + name.replace('"', '""') + '" REAL' for name in names)
    base.execute(f'CREATE TABLE "my rows" (id INTEGER PRIMARY KEY, {columns})')
    base.executemany(f'INSERT INTO "my rows" VALUES (NULL{", ?" * len(names)})', rows.tolist())
    return base


@pytest.mark.parametrize("name", LINEAR)
def test_sql_expression_agrees_in_sqlite(name):
    model, rows = ZOO[name], ROWS[:2000]
    base = table_of(model, rows)
    found = [row[0] for row in base.execute(f'SELECT {to_sql(model)} FROM "my rows" ORDER BY id')]
    assert found == model.predict(rows).tolist()


@pytest.mark.parametrize("name", ["last-two-dense", "average-direct-dense", "named"])
def test_sql_query_gives_scores_and_labels(name):
    model, rows = ZOO[name], ROWS[:500]
    base = table_of(model, rows)
    found = base.execute(to_sql(model, table="my rows") + " ORDER BY id").fetchall()
    n_scores = 1 if model.w.ndim == 1 else len(model.classes)
    scores = np.array([row[-1 - n_scores : -1] for row in found])
    # SQLite reads a decimal within one unit in the last place; everything else is the same sum
    np.testing.assert_allclose(scores, model.score(rows).reshape(len(rows), -1), rtol=1e-14, atol=1e-14)
    assert [row[-1] for row in found] == model.predict(rows).tolist()


def test_sql_of_a_wide_model_stays_within_the_depth_of_sqlite(wide):
    model, rows = wide
    base = table_of(model, rows)
    found = base.execute(to_sql(model, table="my rows") + " ORDER BY id").fetchall()
    assert [row[-1] for row in found] == model.predict(rows).tolist()


def test_sql_gives_no_label_where_a_value_is_missing():
    model = LinearModel(np.array([1.0, 2.0]), 1.0, np.array(["no", "yes"]))
    base = sqlite3.connect(":memory:")
    base.execute("CREATE TABLE t (x1 REAL, x2 REAL)")
    base.execute("INSERT INTO t VALUES (1, NULL)")
    assert base.execute(f"SELECT {to_sql(model)} FROM t").fetchall() == [(None,)]
    assert base.execute(to_sql(model, table="t")).fetchall()[0][-1] is None


def connected(name):
    return sqlite3.connect(":memory:") if name == "sqlite" else duckdb.connect()


@pytest.mark.parametrize("database", ["sqlite", "duckdb"])
@pytest.mark.parametrize("missing", ["drop", "error", "zero", "mean"])
def test_sql_fills_what_the_encoder_fills(tmp_path, missing, database):
    """A number, a truth or a level that is not there: what the encoder makes of it, or no label; "" is no level."""
    chance = np.random.default_rng(4)
    columns = {
        "size": chance.normal(size=60).round(2),
        "ok": chance.choice(["true", "false"], 60),
        "hue": chance.choice(["red", "blue"], 60, p=[0.7, 0.3]),
        "code": chance.choice([7, 30], 60),
    }
    lines = [
        f"{size},{ok},{hue},{code},{'yes' if size + (hue == 'red') - (ok == 'true') + (code == 7) > 0.4 else 'no'}"
        for size, ok, hue, code in zip(*columns.values(), strict=True)
    ]
    (tmp_path / "t.csv").write_text("\n".join(["size,ok,hue,code,y", *lines]) + "\n")
    with data.open(tmp_path / "t.csv", target="y", missing=missing, categories="code") as source:
        model, encoder = learn(*source.read(), max_passes=9).model, source.encoder
    assert [column.kind for column in encoder.columns] == ["number", "boolean", "category", "category"]
    asked = list(itertools.product((0.3, None), (True, False, None), ("red", "green", "", None), (7, None)))
    base = connected(database)
    base.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, size DOUBLE, ok BOOLEAN, hue TEXT, code INTEGER)")
    base.executemany("INSERT INTO t VALUES (?, ?, ?, ?, ?)", [(i, *cells) for i, cells in enumerate(asked)])
    found = base.execute(to_sql(model, table="t", columns=sql_columns(encoder)) + " ORDER BY id").fetchall()
    filled = missing in ("zero", "mean")
    known = [i for i, cells in enumerate(asked) if filled or (None not in cells and "" not in cells)]
    size, ok, hue, code = zip(*(asked[i] for i in known), strict=True)
    numbers = {
        "size": np.array(size, dtype=float),
        "ok": np.array(ok, dtype=float),
        "code": np.array(code, dtype=float),
    }
    rows = encoder.encode({**numbers, "hue": hue}).rows
    assert [i for i, row in enumerate(found) if row[-1] is not None] == known
    np.testing.assert_allclose([found[i][-2] for i in known], model.score(rows), rtol=1e-13, atol=1e-13)
    assert [found[i][-1] for i in known] == model.predict(rows).tolist()


def test_sql_refuses_names_that_differ_by_case_alone():
    with pytest.raises(DataError, match="case does not count"):
        to_sql(LinearModel(np.ones(2), 0.0, np.array([0, 1]), ("a", "A")))


@pytest.mark.parametrize("export", [to_python, to_c, to_sql])
def test_source_code_is_for_linear_models(export):
    with pytest.raises(DataError, match="to_onnx"):
        export(ZOO["vote-two-dense"])


def test_a_missing_extra_names_the_pip_command(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ImportError, match=r"pip install 'rosenblatt\[onnx\]'"):
        to_onnx(learn([[1.0], [2.0]], [0, 1]).model)


@pytest.mark.parametrize("database", ["sqlite", "duckdb"])
def test_sql_is_not_misled_by_a_column_that_is_called_score(database):
    X, y = pd.DataFrame({"score": [1.0, 2.0, -3.0, -4.0], "x": [-5.0, -6.0, 7.0, 8.0]}), ["neg", "neg", "pos", "pos"]
    machine = rosenblatt.Perceptron().fit(X, y)
    base = connected(database)
    base.execute('create table t("score" double, x double)')
    base.executemany("insert into t values (?, ?)", X.to_numpy().tolist())
    assert [row[-1] for row in base.execute(to_sql(machine, table="t")).fetchall()] == y
    taken = machine.model_
    with pytest.raises(DataError, match="'rosenblatt score'"):
        to_sql(dataclasses.replace(taken, names=("Rosenblatt Score", "x")), table="t")


@pytest.mark.parametrize("rate", [1e-30, 1e-60, 1e-200])
def test_onnx_keeps_the_smallest_bias(rate):
    machine = rosenblatt.Perceptron(eta0=rate).fit([[9.0], [11.0]], ["low", "high"])
    rows = np.array([[9.0], [9.9], [10.0], [11.0]])
    label, scores = onnx_run(machine.model_, rows)
    assert label.tolist() == machine.predict(rows).tolist()
    assert scores.tolist() == machine.decision_function(rows).tolist()


@pytest.mark.filterwarnings("ignore:no clean pass")
def test_onnx_of_a_vote_on_wide_sparse_rows_holds_the_columns_in_use():
    rng = np.random.default_rng(0)
    X = csr_array((np.ones(600), rng.integers(0, 2**18, 600), np.arange(0, 601, 10)), shape=(60, 2**18))
    machine = rosenblatt.VotedPerceptron(max_iter=2).fit(X, rng.integers(0, 2, 60))
    made = to_onnx(machine)
    assert len(made) < 8 << 20
    label, _ = onnx_run(machine.model_, X[:5].toarray())
    assert label.tolist() == machine.predict(X[:5]).tolist()
