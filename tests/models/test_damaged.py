"""Damaged, foreign and hostile files: a clear DataError, at once, and never a wrong success."""

import json
import time
import tracemalloc

import numpy as np
import pytest

from rosenblatt import learn
from rosenblatt.errors import DataError
from rosenblatt.models import load, save
from rosenblatt.models.container import read_tensors, write_tensors
from tests.models.fuzz import fuzz, mutate
from tests.models.zoo import models

ZOO = models()


def raw(header, body=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + body


def tensor(dtype="F64", shape=(1,), offsets=(0, 8)):
    return {"dtype": dtype, "shape": list(shape), "data_offsets": list(offsets)}


HOSTILE = {
    "empty": (b"", "cut short"),
    "seven bytes": (b"\0" * 7, "cut short"),
    "huge header": (b"\xff" * 8 + b"{}", "cut short"),
    "header past the end": ((100).to_bytes(8, "little") + b"{}", "cut short"),
    "no json": (raw(b"{nonsense"), "not valid JSON"),
    "not utf-8": (raw(b'{"\xff\xfe": 1}'), "not UTF-8"),
    "a list": (raw([]), "not a JSON object"),
    "deep": (raw(b"[" * 100_000), "nested too deeply"),
    "many lists": (raw(b"[" + b"[]," * 2_000_001 + b"[]]"), "more than 2000000"),
    "long number": (raw(b'{"a": ' + b"9" * 10_000 + b"}"), "not valid JSON"),
    "nan": (raw(b'{"a": NaN}'), "holds NaN"),
    "repeated key": (raw(b'{"a": 1, "a": 2}'), "'a' twice"),
    "metadata no text": (raw({"__metadata__": {"a": 1}}), "text to text"),
    "tensor a number": (raw({"w": 3}), "must have dtype, shape and data_offsets"),
    "dtype unknown": (raw({"w": tensor("F128")}, b"\0" * 8), "dtype 'F128'"),
    "dtype a list": (raw({"w": tensor(["F64"])}, b"\0" * 8), "dtype"),
    "negative size": (raw({"w": tensor(shape=(-1,))}, b"\0" * 8), "shape"),
    "size a bool": (raw({"w": tensor(shape=(True,))}, b"\0" * 8), "shape"),
    "size overflows": (raw({"w": tensor(shape=(2**61, 8))}, b"\0" * 8), "needs"),
    "terabytes claimed": (raw({"w": tensor(shape=(2**40,), offsets=(0, 2**43))}, b"\0" * 8), "needs"),
    "rank": (raw({"w": tensor(shape=(1,) * 1000)}, b"\0" * 8), "shape"),
    "offsets reversed": (raw({"w": tensor(offsets=(8, 0))}, b"\0" * 8), "needs"),
    "overlap": (raw({"w": tensor(), "b": tensor()}, b"\0" * 8), "overlaps"),
    "gap": (raw({"w": tensor(offsets=(8, 16))}, b"\0" * 16), "gap"),
    "rest": (raw({"w": tensor()}, b"\0" * 9), "belong to no tensor"),
    "foreign": (raw({"w": tensor()}, b"\0" * 8), "not a model of rosenblatt"),
    "pickle": (b"\x80\x04cos\nsystem\n(S'true'\ntR.", "cut short"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_containers_are_refused_with_a_reason(name, tmp_path):
    content, reason = HOSTILE[name]
    path = tmp_path / "m.safetensors"
    path.write_bytes(content)
    tracemalloc.start()
    with pytest.raises(DataError, match=reason):
        load(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20 * len(content) + (4 << 20)


def rewritten(tmp_path, name, change):
    """Save a model, apply ``change(document, tensors)`` to what the file holds, and return the new file."""
    path = tmp_path / "m.safetensors"
    save(ZOO[name], path)
    metadata, tensors = read_tensors(path)
    document = json.loads(metadata["document"])
    change(document, tensors)
    write_tensors(path, {**metadata, "document": json.dumps(document)}, tensors)
    return path


def put(key, value):
    return lambda document, tensors: document.__setitem__(key, value)


def tensor_of(key, make):
    return lambda document, tensors: tensors.__setitem__(key, make(tensors[key]))


MEANINGLESS = [
    ("named", put("format", "other"), "format is 'other'"),
    ("named", put("version", 2), "pip install -U rosenblatt"),
    ("named", put("version", True), "version"),
    ("named", put("kind", "forest"), "kind is 'forest'"),
    ("named", put("kind", ["linear"]), "kind"),
    ("named", put("d", 4), r"shape \(5,\); expected \(4\)"),
    ("named", put("d", 10**30), "d is"),
    ("named", put("features", ["a"]), "features"),
    ("named", put("classes", {"dtype": "str", "values": ["yes", "no"]}), "sorted and different"),
    ("named", put("classes", {"dtype": "str", "values": ["a"]}), "at least two"),
    ("named", put("classes", {"dtype": "int8", "values": [1, 1000]}), "classes"),
    ("named", put("classes", {"dtype": "int64", "values": [0.5, 1]}), "classes"),
    ("named", put("classes", {"dtype": "V8", "values": [1, 2]}), "dtype 'V8'"),
    ("named", put("classes", {"dtype": ["str"], "values": ["a", "b"]}), "dtype"),
    ("named", put("encoder", []), "encoder must be an object"),
    ("named", put("library", 1), "library"),
    ("named", tensor_of("w", lambda w: w.astype(np.int64)), "tensor 'w' holds int64"),
    ("named", tensor_of("w", lambda w: w[:3]), r"shape \(3,\)"),
    ("named", tensor_of("w", lambda w: w * np.nan), "NaN"),
    ("named", tensor_of("b", lambda b: b + np.inf), "NaN or infinity"),
    ("named", lambda document, tensors: tensors.pop("b"), "'b' is missing"),
    ("named", lambda document, tensors: tensors.update(extra=np.ones(1)), "'extra' belongs to nothing"),
    ("vote-two-dense", tensor_of("ballot.0.count", lambda c: c * np.nan), "NaN"),
    ("vote-two-dense", tensor_of("ballot.0.count", lambda c: c - 5), "negative"),
    ("vote-two-dense", tensor_of("ballot.0.row", lambda r: r + 10**6), "must lie in"),
    ("vote-two-dense", tensor_of("ballot.0.row", lambda r: r - 10**6), "must lie in"),
    ("vote-two-dense", put("ballots", 10**9), "ballots"),
    ("vote-two-dense", put("ballots", 0), "tensor|ballots"),
    ("vote-two-dense", put("bias", 1), "bias is 1"),
    ("vote-direct-dense", tensor_of("ballot.0.gains", lambda g: g + 5), "classes"),
    ("vote-two-sparse", tensor_of("rows.columns", lambda c: c + 5), "must lie in 0..4"),
    ("vote-two-sparse", tensor_of("rows.columns", lambda c: c * 0), "must grow within each row"),
    ("vote-two-sparse", tensor_of("rows.starts", lambda s: s[::-1]), "must grow from 0"),
    ("kernel-rbf", put("kernel", {"name": "os.system", "gamma": 1, "degree": 1, "coef0": 1}), "is unknown"),
    ("kernel-rbf", put("kernel", {"name": "rbf", "gamma": "1", "degree": 1, "coef0": 1}), "gamma"),
    ("kernel-rbf", put("kernel", None), "kernel must have"),
    ("kernel-rbf", tensor_of("coefficients", lambda c: np.vstack([c, c, c])), "3 vectors for 2 classes"),
]


@pytest.mark.parametrize(("name", "change", "reason"), MEANINGLESS)
def test_files_without_meaning_are_refused_with_a_reason(name, change, reason, tmp_path):
    path = rewritten(tmp_path, name, change)
    with pytest.raises(DataError, match=reason) as caught:
        load(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("name", ["named", "vote-two-sparse", "kernel-voted"])
def test_a_file_cut_anywhere_is_refused(name, tmp_path):
    path = tmp_path / "m.safetensors"
    save(ZOO[name], path)
    whole = path.read_bytes()
    for cut in range(0, len(whole), max(1, len(whole) // 60)):
        path.write_bytes(whole[:cut])
        with pytest.raises(DataError):
            load(path)


JSON = [
    ("{", "not valid JSON"),
    ("[]", "not a JSON object"),
    ('{"kind": "voted"}', "plain JSON holds linear models"),
    ('{"kind": "linear", "w": [1, "2"], "b": 0}', "w must hold finite numbers"),
    ('{"kind": "linear", "w": [1e999], "b": 0}', "w must hold finite numbers"),
    ('{"kind": "linear", "w": [[1], [1, 2]], "b": 0}', "equal length"),
    ('{"kind": "linear", "w": [[[1]]], "b": 0}', "finite numbers"),
    ('{"kind": "linear", "w": [1], "b": true}', "b must hold"),
    ('{"kind": "linear", "w": [1], "b": 0}', "not a saved model"),
    ("\ufeff{}", "JSON"),
]


@pytest.mark.parametrize(("text", "reason"), JSON)
def test_json_that_is_no_model_is_refused(text, reason, tmp_path):
    path = tmp_path / "m.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=reason):
        load(path)


def test_mutated_files_never_crash_hang_or_lie(tmp_path):
    counts = fuzz(300, seed=1, directory=tmp_path)
    assert counts["refused"] > 100
    assert counts["slowest"] < 5


def test_mutations_change_the_file():
    rng = np.random.default_rng(0)
    content = bytes(range(200))
    changed = sum(mutate(content, rng) != content for _ in range(100))
    assert changed > 90


def test_a_million_repeated_keys_are_refused_quickly(tmp_path):
    path = tmp_path / "m.safetensors"
    keys = ",".join(f'"{i}":0' for i in range(300_000)) + ',"299999":0'
    path.write_bytes(raw(f"{{{keys}}}".encode()))
    began = time.monotonic()
    with pytest.raises(DataError, match="twice"):
        load(path)
    assert time.monotonic() - began < 10  # a quadratic search would take minutes


def test_every_bit_that_falls_over_in_a_file_is_noticed(tmp_path):
    """Not one of them gives another model in silence; a file without a digest is taken as it is."""
    path = tmp_path / "m.safetensors"
    model = learn([[-2, 0], [0, -2], [-2, 2], [2, 2]], [0, 0, 1, 1], bias=False).model
    save(model, path)
    content = path.read_bytes()
    for at in range(len(content)):
        path.write_bytes(content[:at] + bytes([content[at] ^ 0x10]) + content[at + 1 :])
        try:
            found = load(path)
        except DataError:
            continue
        assert (found.w.tolist(), found.b, found.classes.tolist()) == (model.w.tolist(), model.b, [0, 1]), at
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    del header["__metadata__"]["digest"]
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + content[8 + length :])
    assert load(path).w.tolist() == [2.0, 4.0]
