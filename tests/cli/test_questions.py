"""check, verify, trace, study: the answers, their exit codes, their forms."""

import csv
import io
import json

import pytest

import rosenblatt.theory
from tests.cli.program import run


def test_check_proves_that_points_are_separable(files):
    done = run("check", "points.csv", "--table", cwd=files)
    assert done.returncode == 0
    assert "linearly separable" in done.stdout
    assert "proved in exact arithmetic" in done.stdout
    assert "touching rows: line" in done.stdout


def test_check_through_the_origin_speaks_of_sums_not_of_hulls(tmp_path):
    (tmp_path / "line.csv").write_text("x,label\n9,lo\n11,hi\n")
    done = run("check", "line.csv", "--no-bias", "--table", cwd=tmp_path)
    assert (
        "2 rows (at most d + 1 = 2 are ever needed) of which the weighted sums of both sides are equal" in done.stdout
    )
    assert "both sums = (4.95)\n" in done.stdout
    assert "hull" not in done.stdout


def test_check_of_equal_rows_advises_no_kernel(tmp_path):
    (tmp_path / "equal.csv").write_text("x,label\n1,a\n1,b\n2,c\n3,c\n")
    done = run("check", "equal.csv", "--table", cwd=tmp_path)
    assert "no function of them is right on both" in done.stdout
    assert "kernel" not in done.stdout
    assert "direct" not in done.stdout


def test_check_proves_that_a_cross_is_not(files):
    done = run("check", "cross.csv", "--table", cwd=files)
    assert done.returncode == 1
    for words in (
        "not linearly separable",
        "line 2 × 1/4",
        "line 5 × 1/4",
        "both sums = (0.25, 0.25), half of the shared point (0.5, 0.5)",
        "--variant pocket",
    ):
        assert words in done.stdout


def test_check_in_a_pipe_is_csv_and_json_has_its_schema(files):
    rows = list(csv.DictReader(io.StringIO(run("check", "cross.csv", cwd=files).stdout)))
    assert [row["place"] for row in rows] == ["line 2", "line 3", "line 4", "line 5"]
    assert {row["weight"] for row in rows} == {"1/4"}
    found = json.loads(run("check", "three.csv", "--json", cwd=files).stdout)
    assert found["schema"] == "rosenblatt.check/1"
    assert len(found["certificates"]) == 3


def test_a_saved_certificate_is_verified_or_refused(files, tmp_path):
    proof = tmp_path / "proof.json"
    assert run("check", "cross.csv", "--out", proof, cwd=files).returncode == 1
    held = run("verify", proof, "cross.csv", "--json", cwd=files)
    assert held.returncode == 0, held.stderr
    assert json.loads(held.stdout)["holds"] is True
    other = run("verify", proof, "points.csv", "--table", cwd=files)
    assert other.returncode == 1
    assert "does not hold" in other.stdout
    proof.write_text(proof.read_text().replace("1/4", "1/5"))
    assert run("verify", proof, "cross.csv", cwd=files).returncode == 1
    proof.write_text("{}")
    broken = run("verify", proof, "cross.csv", cwd=files)
    assert broken.returncode == 2
    assert "proof.json" in broken.stderr


def test_trace_shows_the_worked_example(files):
    """W2: rows 1, 2, 3, 1 cause updates; m of all rows at the last vector is 4, 8, 4, 12."""
    done = run("trace", "points.csv", "--no-bias", "--all-examples", "--words", "--table", cwd=files)
    assert done.returncode == 0, done.stderr
    assert "converged after 4 updates" in done.stdout
    assert "1: 4   2: 8   3: 4   4: 12" in done.stdout
    assert "−1 × ((0)(−2) + (0)(0)) = 0 ≤ 0, so w ← (0, 0) − (−2, 0) = (2, 0)" in done.stdout


def test_trace_in_its_other_forms(files, tmp_path):
    rows = list(csv.DictReader(io.StringIO(run("trace", "points.csv", "--no-bias", cwd=files).stdout)))
    assert len(rows) == 4
    found = json.loads(run("trace", "points.csv", "--no-bias", "--json", cwd=files).stdout)
    assert found["schema"] == "rosenblatt.trace/1"
    for form in ("json", "csv", "md", "tex"):
        out = tmp_path / f"run.{form}"
        assert run("trace", "w2", "--out", out).returncode == 0
        assert out.stat().st_size > 50
    again = rosenblatt.theory.Trace.from_json((tmp_path / "run.json").read_text())
    assert again.counts.n_updates == 4
    refused = run("trace", "w2", "--out", tmp_path / "run.docx")
    assert refused.returncode == 2
    assert ".tex" in refused.stderr


def test_study_counts_updates_over_orders(files):
    done = run("study", "points.csv", "--no-bias", "--runs", "200", "--json", cwd=files)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["schema"] == "rosenblatt.study/1"
    assert found["runs"] == 200
    assert found["updates"]["max"] <= 10
    assert sum(bar["runs"] for bar in found["histogram"]) == 200
    table = run("study", "w2", "--runs", "50", "--vary", "order,start", "--table")
    assert "updates in 50 runs" in table.stdout
    rows = list(
        csv.DictReader(io.StringIO(run("study", "w2", "--runs", "20", "--vary", "margin", "--margins", "0,1").stdout))
    )
    assert {row["margin"] for row in rows} == {"0.0", "1.0"}


def test_study_of_three_classes_says_how_to_choose(files):
    done = run("study", "three.csv", cwd=files)
    assert done.returncode == 2
    assert "--positive" in done.stderr
    assert run("study", "three.csv", "--positive", "ant", "--runs", "5", cwd=files).returncode == 0


@pytest.mark.parametrize("name", ["w1", "w2", "w3", "and", "or", "3_of_5", "origin", "offset"])
def test_shipped_sets_are_known_by_name(name):
    assert run("check", name).returncode == 0


def test_rows_of_a_file_without_lines_count_from_one(tmp_path):
    """The first row of a Parquet file is row 1 for explain and for a proof, as --row 1 says."""
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    pq.write_table(pa.table({"a": [3, 1, 1], "y": ["no", "no", "yes"]}), tmp_path / "t.parquet")
    assert "row 2 and row 3 are equal" in run("check", "t.parquet", "--table", cwd=tmp_path).stdout
    run("fit", "t.parquet", "--max-passes", "3", "-o", "m.json", cwd=tmp_path)
    assert "t.parquet row 1:" in run("explain", "m.json", "t.parquet", "--row", "1", "--table", cwd=tmp_path).stdout


def test_check_answers_where_the_bound_is_beyond_the_floats(tmp_path):
    (tmp_path / "huge.csv").write_text("a,b,y\n1e300,2,1\n-1e300,3,-1\n2,-1,-1\n")
    done = run("check", "huge.csv", "--table", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("linearly separable  proved")
    assert "the bound exceeds the largest float" in done.stdout


def test_check_warns_of_decimals_that_should_meet_on_a_line(tmp_path):
    """The third point is the midpoint of the others on paper; the floats nearest to the six decimals are separable."""
    (tmp_path / "line.csv").write_text("a,b,y\n-0.4,-0.2,no\n0.2,-0.4,no\n-0.1,-0.3,yes\n")
    text = " ".join(run("check", "line.csv", "--table", cwd=tmp_path).stdout.split())
    assert text.startswith("linearly separable proved in exact arithmetic The margin is so small that only exact")
    assert "most likely decimals that should meet on a line" in text


@pytest.mark.parametrize(("labels", "named"), [("-1 0 1", "-1"), ("0.5 1.7 2", "0.5"), ("10 20 30", "10")])
def test_a_trace_of_three_classes_names_one(tmp_path, labels, named):
    rows = "".join(f"{i},{i * i},{label}\n" for i, label in enumerate(labels.split()))
    (tmp_path / "three.csv").write_text("a,b,y\n" + rows)
    done = run("trace", "three.csv", cwd=tmp_path)
    assert done.returncode == 2
    assert f"trace one class against the rest with --positive {named}, or all" in done.stderr
