"""One journal, and the same numbers from text, on every instruction set, element type, storage and number of threads."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from scipy import sparse

import rosenblatt._core as _core
from rosenblatt import learn

from .problems import columns

PROGRAM = """
import json, sys, hashlib
import numpy as np
from scipy import sparse
from rosenblatt import learn
import rosenblatt._core as _core
rng = np.random.default_rng(0)
digests = {}
for d in (1, 2, 3, 7, 15, 16, 17, 31, 33, 100, 300):
    X = rng.normal(size=(60, d))
    y = rng.integers(0, 2, 60)
    kinds = {"f64": X, "f32": X.astype("f4"), "csr": sparse.csr_array(X * (abs(X) > 1)),
             "u8": rng.integers(0, 256, (60, d)).astype("u1"), "i16": rng.integers(-999, 999, (60, d)).astype("i2")}
    for kind, data in kinds.items():
        for memory in ("average", "pocket"):
            o = learn(data, y, max_passes=20, order="shuffle", memory=memory)
            j = o.journal
            parts = (j.step, j.row, j.tau, j.m, o.w, np.atleast_1d(o.b), o.model.score(data))
            digest = hashlib.sha256(b"".join(np.ascontiguousarray(p).tobytes() for p in parts)).hexdigest()
            digests[f"{d} {kind} {memory}"] = digest
X = np.round(rng.normal(size=(500, 9)) * 10.0 ** rng.integers(-3, 9, (500, 9)), 6)
text = "".join(",".join(map(repr, row)) + "\\n" for row in X.tolist()).encode()
parsed = _core.parse_delimited(np.frombuffer(text, dtype=np.uint8), delimiter=",", fields=[0] * 9)["values"]
assert np.array_equal(parsed, X)
digests["csv"] = hashlib.sha256(parsed.tobytes()).hexdigest()
print(json.dumps([_core.level(), digests]))
"""


def run_at(level: str) -> dict:
    env = {**os.environ, "ROSENBLATT_LEVEL": level}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=env, capture_output=True, text=True, check=True)
    used, digests = json.loads(done.stdout)
    assert used == level
    return digests


def test_all_levels_make_the_same_journals_bit_for_bit():
    names = _core.levels()
    assert names[0] == "baseline"
    reference = run_at("baseline")
    for name in names[1:]:
        assert run_at(name) == reference


def test_an_unknown_level_is_refused_by_name():
    env = {**os.environ, "ROSENBLATT_LEVEL": "v9"}
    code = "import rosenblatt; rosenblatt.learn([[0.0], [1.0]], [0, 1])"
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
    assert done.returncode != 0
    assert "v9" in done.stderr
    assert "baseline" in done.stderr


@pytest.mark.parametrize("order", ["cyclic", "shuffle", "worst"])
def test_storage_and_element_type_do_not_change_the_journal(order):
    """On integers every sum is exact, so dense, CSR, float32 and bytes agree bit for bit."""
    rng = np.random.default_rng(1)
    X = (rng.integers(0, 5, (80, 37)) * (rng.random((80, 37)) < 0.4)).astype(np.float64)
    y = rng.integers(0, 3, 80)
    reference = columns(learn(X, y, order=order, max_passes=15).journal)
    csr = sparse.csr_array(X)
    wide = sparse.csr_array((csr.data, csr.indices.astype(np.int64), csr.indptr.astype(np.int64)), shape=X.shape)
    kinds = [X.astype(t) for t in ("f4", "u1", "i1", "i2", "i4", "i8", "f2", "?f8"[1:])]
    kinds += [
        np.asfortranarray(X),
        np.asfortranarray(X.astype("u1")),
        csr,
        csr.astype("f4"),
        wide,
        csr.tocsc(),
        X.tolist(),
    ]
    for data in kinds:
        assert columns(learn(data, y, order=order, max_passes=15).journal) == reference


def test_threads_do_not_change_the_journal():
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(200, 20)), rng.integers(0, 7, 200)
    runs = [learn(X, y, order="shuffle", max_passes=10, memory="average", threads=t) for t in (1, 2, 5)]
    for run in runs[1:]:
        assert columns(run.journal) == columns(runs[0].journal)
        assert (run.w == runs[0].w).all()
        assert run.updates_per_pass.tolist() == runs[0].updates_per_pass.tolist()
