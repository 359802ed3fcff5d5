"""predict, evaluate, explain, export, convert: a saved model at work."""

import csv
import datetime
import decimal
import io
import json
import shutil
import sqlite3
import subprocess

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rosenblatt
import rosenblatt.data
from rosenblatt.models import LinearModel, read_model, save
from tests.cli.program import COMMAND, run


def test_predict_keeps_columns_and_order(files):
    done = run("predict", "fruit.json", "fruit.csv", "--scores", cwd=files)
    assert done.returncode == 0, done.stderr
    given = list(csv.DictReader((files / "fruit.csv").read_text().splitlines()))
    found = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [{key: row[key] for key in given[0]} for row in found] == given
    assert all((float(row["score"]) >= 0) == (row["prediction"] == "pear") for row in found)
    assert [row["prediction"] for row in found] == [row["kind"] for row in given]


def test_predict_agrees_with_the_library(files):
    saved = read_model(files / "fruit.json")
    encoder = rosenblatt.data.Encoder.from_dict(saved.encoder)
    with rosenblatt.data.open(files / "fruit.csv", encoder=encoder) as source:
        rows = encoder.encode(next(iter(source.batches()))).rows
    done = run("predict", "fruit.json", "fruit.csv", "--json", cwd=files)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["scores"] for line in lines] == saved.model.score(rows).tolist()
    assert [line["row"] for line in lines] == list(range(1, 61))


def test_predict_reads_standard_input_of_any_size(files):
    header, *rest = (files / "fruit.csv").read_text().splitlines()
    text = "\n".join([header, *rest * 200]) + "\n"
    done = run("predict", files / "fruit.json", "--only", text=text)
    assert done.stdout.count("\n") == 1 + 60 * 200


def test_predict_gives_rows_left_out_all_their_columns(files):
    text = "grams,roundness,skin\n150,0.9,red\n,0.9,red\n"
    common = ("predict", files / "fruit.json", "--missing", "drop", "--scores")
    rows = list(csv.reader(io.StringIO(run(*common, text=text).stdout)))
    assert rows[0] == ["grams", "roundness", "skin", "prediction", "score"]
    assert rows[2] == ["", "0.9", "red", "", ""]
    only = list(csv.reader(io.StringIO(run(*common, "--only", text=text).stdout)))
    assert only[0] == ["prediction", "score"]
    assert only[2] == ["", ""]


def test_predict_fills_in_means_only_where_it_knows_them(files):
    done = run("predict", files / "fruit.json", "--missing", "mean", text="grams,roundness,skin\n,0.9,red\n")
    assert done.returncode == 2
    assert "--missing mean needs the means of the training data" in done.stderr


def test_predict_of_a_header_alone_is_a_header(files):
    done = run("predict", files / "fruit.json", text="grams,roundness,skin\n")
    assert done.stdout == "grams,roundness,skin,prediction\n"


def test_predict_copies_the_columns_of_parquet_as_they_are(tmp_path):
    table = pa.table(
        {
            "id": pa.array([2**53 + 1, None, 2**60 + 1, 4]),
            "when": [datetime.date(2020, 1, day) for day in range(1, 5)],
            "list": [[1], [2], None, [3]],
            "flag": [True, None, False, True],
            "price": [decimal.Decimal("1.10")] * 4,
            "a": [1.0, 2.5, -1.0, -3.0],
            "kind": ["p", "p", "n", "n"],
        }
    )
    pq.write_table(table, tmp_path / "t.parquet")
    out = ("--out", "m.json", "--target", "kind", "--features", "a")
    assert run("fit", "t.parquet", *out, cwd=tmp_path).returncode == 0
    done = run("predict", "m.json", "t.parquet", cwd=tmp_path)
    assert done.stdout.splitlines() == [
        "id,when,list,flag,price,a,kind,prediction",
        "9007199254740993,2020-01-01,[1],true,1.10,1,p,p",
        ",2020-01-02,[2],,1.10,2.5,p,p",
        "1152921504606846977,2020-01-03,,false,1.10,-1,n,n",
        "4,2020-01-04,[3],true,1.10,-3,n,n",
    ]


def test_predict_refuses_a_missing_column_before_writing(files):
    done = run("predict", files / "fruit.json", text="grams,skin\n1,red\n")
    assert done.returncode == 2
    assert done.stdout == ""
    assert "roundness" in done.stderr


def test_predict_counts_levels_it_does_not_know(files):
    done = run("predict", files / "fruit.json", text="grams,roundness,skin\n170,0.9,blue\n180,0.8,red\n")
    assert done.returncode == 0
    assert "1 value of column skin" in done.stderr


def test_predict_leaves_out_rows_with_missing_values_if_asked(files):
    text = "grams,roundness,skin\n,0.9,red\n180,0.8,red\n"
    refused = run("predict", files / "fruit.json", text=text)
    assert refused.returncode == 2
    assert "--missing drop" in refused.stderr
    done = run("predict", files / "fruit.json", "--missing", "drop", text=text)
    assert [line.rpartition(",")[2] for line in done.stdout.splitlines()] == ["prediction", "", "apple"]
    assert "1 row with missing values got no prediction" in done.stderr


def test_predict_writes_a_file_whole_or_not_at_all(files, tmp_path):
    text = "grams,roundness,skin\n170,0.9,red\n"
    printed = run("predict", files / "fruit.json", text=text)
    done = run("predict", files / "fruit.json", "--out", tmp_path / "out.csv", text=text)
    assert done.stdout == ""
    assert "wrote" in done.stderr
    assert (tmp_path / "out.csv").read_text() == printed.stdout
    failed = run("predict", files / "fruit.json", "--out", tmp_path / "no.csv", text=text + "x,0.9,red\n")
    assert failed.returncode == 2
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith((".", "no"))] == []


def test_predict_says_how_much_it_filled_in(files):
    text = "grams,roundness,skin\n,0.9,red\n180,,\n"
    done = run("predict", files / "fruit.json", "--missing", "zero", text=text)
    assert done.returncode == 0
    assert "3 missing values filled in (zero)" in done.stderr


def test_predict_keeps_quotes_tabs_and_a_column_called_prediction(files):
    text = 'name\tgrams\troundness\tskin\tprediction\n"a\tb"\t170\t0.9\tred\tx\n'
    done = run("predict", files / "fruit.json", text=text)
    assert done.stdout.splitlines() == [
        "name\tgrams\troundness\tskin\tprediction\tprediction_",
        '"a\tb"\t170\t0.9\tred\tx\tapple',
    ]


def test_rows_of_a_file_without_lines_are_counted_from_1(tmp_path):
    """In errors as where a row is asked for by its number."""
    pq.write_table(pa.table({"a": [1.0, 2.0, None, 4.0], "y": ["p", "q", "p", "q"]}), tmp_path / "t.parquet")
    done = run("fit", "t.parquet", cwd=tmp_path)
    assert "t.parquet row 3, column a: the value is missing" in done.stderr
    pq.write_table(pa.table({"a": [1.0, 2.0], "y": ["p", "q"]}), tmp_path / "whole.parquet")
    assert run("fit", "whole.parquet", "-o", "m.json", cwd=tmp_path).returncode == 0
    done = run("explain", "m.json", "t.parquet", "--row", "3", cwd=tmp_path)
    assert "t.parquet row 3, column a: the value is missing" in done.stderr


def test_predict_without_quotes_writes_none(tmp_path):
    text = 'x,na"me,y\n1,a "b,so "so\n2,c d",yes\n3,c d",yes\n'
    (tmp_path / "q.csv").write_text(text)
    assert run("fit", "q.csv", "--no-quotes", "-o", "q.json", cwd=tmp_path).returncode == 0
    expected = ["prediction", 'so "so', "yes", "yes"]
    done = run("predict", "q.json", "q.csv", "--no-quotes", cwd=tmp_path)
    assert done.stdout.splitlines() == [
        f"{line},{added}" for line, added in zip(text.splitlines(), expected, strict=True)
    ]
    (tmp_path / "semicolons.csv").write_text("x;y\n1;p,q\n-1;n\n")
    assert run("fit", "semicolons.csv", "-o", "comma.json", cwd=tmp_path).returncode == 0
    refused = run("predict", "comma.json", "q.csv", "--no-quotes", cwd=tmp_path)
    assert refused.returncode == 2
    assert refused.stdout == ""
    assert "'p,q' cannot stand in a file without quotes" in refused.stderr


def test_predict_on_parquet_keeps_every_column(files, tmp_path):
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    table = pa.table({"id": ["p", "q"], "grams": [170.0, 220.0], "roundness": [0.95, 0.7], "skin": ["red", "green"]})
    pq.write_table(table, tmp_path / "new.parquet")
    done = run("predict", files / "fruit.json", tmp_path / "new.parquet")
    assert done.stdout.splitlines() == [
        "id,grams,roundness,skin,prediction",
        "p,170,0.95,red,apple",
        "q,220,0.7,green,pear",
    ]


def test_predict_with_a_model_that_python_saved(tmp_path):
    named = LinearModel(np.array([1.0, -1.0]), 0.5, np.array([False, True]), ("a", "b"))
    save(named, tmp_path / "m.safetensors")
    done = run("predict", tmp_path / "m.safetensors", text="b,a,c\n3,1,x\n0,0,y\n")
    assert done.stdout.splitlines() == ["b,a,c,prediction", "3,1,x,false", "0,0,y,true"]
    estimator = rosenblatt.VotedPerceptron().fit([[1.0], [-1.0]], ["up", "down"])
    save(estimator, tmp_path / "e.safetensors")
    (tmp_path / "new.svm").write_text("0 1:2\n0 1:-3\n")
    done = run("predict", tmp_path / "e.safetensors", tmp_path / "new.svm")
    assert done.stdout.splitlines() == ["prediction", "up", "down"], done.stderr


def test_a_reader_that_leaves_is_no_error(files):
    """`| head -1` closes the pipe; the program ends silently."""
    big = files / "big.csv"
    header, *rest = (files / "fruit.csv").read_text().splitlines()
    big.write_text("\n".join([header, *rest * 5000]) + "\n")
    line = [*COMMAND, "predict", "fruit.json", "big.csv"]
    with subprocess.Popen(line, cwd=files, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        assert program.stdout.readline().startswith(b"grams")
        program.stdout.close()
        assert program.stderr.read() == b""
        assert program.wait(timeout=60) == 0


def test_evaluate_counts_right_and_wrong(files):
    done = run("evaluate", "fruit.json", "fruit.csv", "--table", cwd=files)
    assert "accuracy 100 % on 60 rows (0 wrong)" in done.stdout
    turned = (files / "fruit.csv").read_text().replace(",apple", ",x").replace(",pear", ",apple").replace(",x", ",pear")
    found = json.loads(run("evaluate", files / "fruit.json", "--json", text=turned).stdout)
    assert found["schema"] == "rosenblatt.evaluate/1"
    assert found["accuracy"] == 0
    assert found["confusion"] == [[0, 30], [30, 0]]
    assert run("evaluate", "fruit.json", "fruit.csv", "--at-least", "0.9", cwd=files).returncode == 0
    assert run("evaluate", files / "fruit.json", "--at-least", "0.9", text=turned).returncode == 1


def test_evaluate_says_what_it_did_not_know_and_what_it_filled_in(files):
    text = "grams,roundness,skin,kind\n170,0.9,blue,apple\n,0.8,red,apple\n"
    done = run("evaluate", files / "fruit.json", "--missing", "zero", text=text)
    assert done.returncode == 0, done.stderr
    assert "1 value of column skin was not there in training" in done.stderr
    assert "1 missing value filled in (zero)" in done.stderr


def test_evaluate_of_a_model_without_a_target_asks_for_it(tmp_path):
    save(LinearModel(np.array([1.0]), 0.0, np.array(["no", "yes"]), ("x",)), tmp_path / "bare.json")
    done = run("evaluate", tmp_path / "bare.json", text="x,kind\n1,yes\n-1,no\n")
    assert done.returncode == 2
    assert "the model names no column of labels to compare with" in done.stderr
    assert "--target" in done.stderr


def test_evaluate_of_one_against_the_rest(files, tmp_path):
    out = tmp_path / "ant.json"
    run("fit", "three.csv", "--positive", "ant", "--out", out, "--max-passes", "50", cwd=files)
    found = json.loads(run("evaluate", out, "three.csv", "--json", cwd=files).stdout)
    assert found["rows"] == 36
    assert found["classes"] == ["(not ant)", "ant"]


def test_evaluate_needs_labels_it_knows(files):
    missing = run("evaluate", files / "fruit.json", text="grams,roundness,skin\n1,2,red\n")
    assert missing.returncode == 2
    assert "kind" in missing.stderr
    strange = run("evaluate", files / "fruit.json", text="grams,roundness,skin,kind\n1,2,red,plum\n")
    assert strange.returncode == 2
    assert "'plum'" in strange.stderr


def test_explain_adds_up(files):
    found = json.loads(run("explain", "fruit.json", "fruit.csv", "--row", "3", "--json", cwd=files).stdout)
    assert found["schema"] == "rosenblatt.explain/1"
    total = sum(term["product"] for term in found["terms"]) + found["bias"]
    assert total == pytest.approx(found["scores"]["pear"])
    lines = run("explain", "fruit.json", "fruit.csv", "--row", "3", "--csv", cwd=files).stdout.splitlines()
    assert lines[-1].startswith("bias,1.0,")
    assert sum(float(line.split(",")[3]) for line in lines[1:]) == pytest.approx(total)
    text = run("explain", "fruit.json", "fruit.csv", "--row", "3", "--table", cwd=files).stdout
    assert "line 4" in text
    assert "roundness" in text
    beyond = run("explain", "fruit.json", "fruit.csv", "--row", "61", cwd=files)
    assert beyond.returncode == 2
    assert "60 rows" in beyond.stderr


def test_explain_takes_the_advice_of_its_own_error(files):
    explain, text = ("explain", files / "fruit.json", "-"), "grams,roundness,skin\n,0.9,red\n"
    refused = run(*explain, text=text)
    assert refused.returncode == 2
    assert "--missing drop leaves such rows out, zero and mean fill them in" in refused.stderr
    assert "grams" not in run(*explain, "--missing", "zero", text=text).stdout
    assert "row 1 has missing values and is left out" in run(*explain, "--missing", "drop", text=text).stderr


def test_explain_of_three_classes_and_of_a_kernel(files, tmp_path):
    run("fit", "three.csv", "--out", tmp_path / "three.json", "--max-passes", "30", cwd=files)
    found = json.loads(
        run("explain", tmp_path / "three.json", "three.csv", "--class", "bee", "--json", cwd=files).stdout
    )
    assert sum(term["product"] for term in found["terms"]) + found["bias"] == pytest.approx(found["scores"]["bee"])
    run("fit", "cross.csv", "--kernel", "poly:1:2", "--out", tmp_path / "k.safetensors", cwd=files)
    found = json.loads(run("explain", tmp_path / "k.safetensors", "cross.csv", "--json", cwd=files).stdout)
    assert sum(term["product"] for term in found["terms"]) + found["bias"] == pytest.approx(
        next(iter(found["scores"].values()))
    )


def test_export_to_every_language(files, tmp_path):
    """The exported SQL reads the raw columns, category included; C compiles; Python and ONNX are written."""
    sql = run("export", "fruit.json", "--to", "sql", "--sql-table", "fruit", cwd=files)
    base = sqlite3.connect(":memory:")
    base.execute("CREATE TABLE fruit (grams REAL, roundness REAL, skin TEXT, kind TEXT)")
    rows = list(csv.reader((files / "fruit.csv").read_text().splitlines()))[1:]
    base.executemany("INSERT INTO fruit VALUES (?, ?, ?, ?)", rows)
    found = base.execute(sql.stdout).fetchall()
    assert [row[-1] for row in found] == [row[3] for row in rows]
    for name in ("m.c", "m.py", "m.onnx"):
        done = run("export", files / "fruit.json", "--out", tmp_path / name)
        assert done.returncode == 0, done.stderr
        assert ("by column names" if name == "m.py" else "such as skin=green: 1") in done.stderr
    if shutil.which("cc"):
        subprocess.run(["cc", "-std=c99", "-c", "-o", tmp_path / "m.o", tmp_path / "m.c"], check=True)
    assert run("export", files / "fruit.json").returncode == 2


@pytest.mark.parametrize("variant", [("voted",), ("kernel", "--kernel", "poly:0.5:3")])
def test_an_exported_graph_scales_as_the_model_does(files, tmp_path, variant):
    """Raw numbers in, the labels of predict out: scaling cannot be folded into votes and kernels."""
    runtime = pytest.importorskip("onnxruntime")
    rng = np.random.default_rng(2)
    X = (rng.normal(size=(80, 2)) * [10, 0.1] + [300, 5]).round(3)
    lines = [f"{a},{b},{'in' if ((a - 300) / 10) ** 2 + ((b - 5) / 0.1) ** 2 < 1 else 'out'}" for a, b in X]
    (tmp_path / "t.csv").write_text("\n".join(["a,b,y", *lines]) + "\n")
    fitted = run("fit", "t.csv", "--variant", *variant, "--scale", "standard", "-o", "m.safetensors", cwd=tmp_path)
    assert fitted.returncode == 0, fitted.stderr
    assert run("export", "m.safetensors", "-o", "m.onnx", cwd=tmp_path).returncode == 0
    predicted = run("predict", "m.safetensors", "t.csv", cwd=tmp_path).stdout.splitlines()[1:]
    labels, _ = runtime.InferenceSession(tmp_path / "m.onnx").run(["label", "scores"], {"X": X})
    assert labels.tolist() == [line.rsplit(",", 1)[1] for line in predicted]


def test_exported_c_takes_numbers_before_scaling(tmp_path):
    """Also of a model that was saved with its scaling, not folded."""
    encoder = rosenblatt.data.Encoder(
        columns=(rosenblatt.data.Column("x", "number"),), shift=np.array([3.0]), factor=np.array([0.5])
    )
    save(LinearModel(np.array([4.0]), 1.0, np.array([0, 1]), ("x",)), tmp_path / "m.json", encoder=encoder)
    written = run("export", tmp_path / "m.json", "--to", "c").stdout
    assert "{2.0}" in written
    assert "bias[1] = {-5.0}" in written
    script = run("export", tmp_path / "m.json", "--to", "c", "--show-python").stdout
    assert subprocess.run([COMMAND[0], "-c", script], capture_output=True, text=True).stdout.strip() == written.strip()


def test_convert_between_model_formats(files, tmp_path):
    assert run("convert", files / "fruit.json", tmp_path / "m.safetensors").returncode == 0
    assert run("convert", tmp_path / "m.safetensors", tmp_path / "back.json").returncode == 0
    assert (tmp_path / "back.json").read_text() == (files / "fruit.json").read_text()


def test_evaluate_says_when_labels_differ_only_in_marks(files, tmp_path):
    (tmp_path / "dots.csv").write_text("grams,roundness,skin,kind\n150,0.9,red,Apple.\n")
    done = run("evaluate", files / "fruit.json", tmp_path / "dots.csv")
    assert done.returncode == 2
    assert "differ only in marks or case" in done.stderr


def test_evaluate_tells_of_rows_it_cannot_judge_and_demands_them(tmp_path):
    (tmp_path / "t.csv").write_text("a,b,label\n1,2,x\n2,1,y\n3,1,y\n1,3,x\n")
    (tmp_path / "new.csv").write_text("a,b,label\n1,2,x\n2,1,zz\n2,1,zz\n")
    assert run("fit", "t.csv", "--out", "m.json", cwd=tmp_path).returncode == 0
    done = run("evaluate", "m.json", "new.csv", "--at-least", "0.9", cwd=tmp_path)
    assert done.returncode == 1
    assert "2 rows left out" in done.stderr
    assert "2 rows of unknown classes counted as wrong" in done.stderr
    assert run("evaluate", "m.json", "new.csv", "--at-least", "0.3", cwd=tmp_path).returncode == 0


def test_only_predictions_have_a_header_where_the_input_has_one(tmp_path):
    rows = "1,2,x\n2,1,y\n3,1,y\n1,3,x\n"
    (tmp_path / "bare.csv").write_text(rows)
    (tmp_path / "named.csv").write_text("a,b,label\n" + rows)
    for name, lines in (("bare", 4), ("named", 5)):
        assert run("fit", f"{name}.csv", "--out", f"{name}.JSON", cwd=tmp_path).returncode == 0
        assert (tmp_path / f"{name}.JSON").read_text().startswith("{")
        done = run("predict", f"{name}.JSON", f"{name}.csv", "--only", cwd=tmp_path)
        assert len(done.stdout.splitlines()) == lines, done.stderr


def test_of_many_features_those_with_a_weight_are_listed(tmp_path):
    (tmp_path / "t.svm").write_text("1 5000000:1\n-1 1:1\n")
    done = run("fit", "t.svm", "--json", cwd=tmp_path)
    assert json.loads(done.stdout)["weights"] == {"x1": -1.0, "x5000000": 1.0}


def test_an_exported_query_finds_a_table_in_a_schema(files):
    run("fit", "points.csv", "--out", "schema.json", cwd=files)
    made = run("export", "schema.json", "--to", "sql", "--sql-table", "main.points", cwd=files).stdout
    assert 'FROM "main"."points"' in made
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE points (x1 REAL, x2 REAL)")
    database.execute("INSERT INTO points VALUES (-2, 2)")
    assert database.execute(made).fetchone()[-1] == "yes"


def test_predict_quotes_a_label_of_two_lines(tmp_path):
    (tmp_path / "n.csv").write_text('a,kind\n1,"x\nz"\n2,y\n0,"x\nz"\n5,y\n')
    run("fit", "n.csv", "--out", "n.json", cwd=tmp_path)
    (tmp_path / "new.csv").write_text("a\n1\n5\n")
    assert run("predict", "n.json", "new.csv", cwd=tmp_path).stdout == 'a,prediction\n1,"x\nz"\n5,y\n'


@pytest.mark.parametrize("blank", ["  ", "\t", ""])
def test_predict_copies_quoted_rows_without_the_blank_lines_between(tmp_path, blank):
    (tmp_path / "d.csv").write_text("a,y\n1,p\n5,q\n2,p\n6,q\n")
    run("fit", "d.csv", "--out", "m.json", cwd=tmp_path)
    (tmp_path / "new.csv").write_text(f'a,y\n"1",p\n{blank}\n"5","q\n\n"\n{blank}\n6,q\n')
    shown = run("predict", "m.json", "new.csv", cwd=tmp_path).stdout
    assert shown == 'a,y,prediction\n"1",p,p\n"5","q\n\n",q\n6,q,q\n'


def test_an_empty_text_between_quotes_is_a_row(tmp_path):
    (tmp_path / "d.csv").write_text("t,y\nhello,p\nbye,q\nhello you,p\nbye now,q\n")
    run("fit", "d.csv", "--text", "t", "--out", "m.json", cwd=tmp_path)
    (tmp_path / "new.csv").write_text('t\nhello\n""\nbye\n')
    shown = run("predict", "m.json", "new.csv", cwd=tmp_path).stdout.splitlines()
    assert [line.rpartition(",")[0] for line in shown] == ["t", "hello", '""', "bye"]


def test_outputs_that_cannot_be_meant_are_refused(tmp_path):
    (tmp_path / "d.csv").write_text("a,y\n1,p\n5,q\n2,p\n6,q\n")
    run("fit", "d.csv", "--out", "m.json", cwd=tmp_path)
    for arguments, words in (
        (("predict", "m.json", "d.csv", "--out", "o.tsv"), "the name says tabs"),
        (("fit", "d.csv", "--out", "-"), "no name of a file"),
        (("fit", "d.csv", "--out", "/dev/stdout"), "not a plain file"),
        (("predict", "-", "d.csv"), "a model is read from a file"),
        (("predict", "/dev/stdin", "d.csv"), "a model is read from a file"),
    ):
        done = run(*arguments, cwd=tmp_path, text="")
        assert done.returncode == 2
        assert words in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["d.csv", "m.json"]
