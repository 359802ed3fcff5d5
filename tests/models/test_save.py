"""What is saved comes back: the same predictions and scores, bit for bit, from a file that holds data only."""

import json
import os
import stat
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import learn
from rosenblatt.errors import DataError
from rosenblatt.models import KernelModel, LinearModel, Saved, load, read_saved, save
from rosenblatt.models.container import read_tensors, write_tensors
from tests.models.zoo import fresh_rows, models

ZOO = models()
LINEAR = [name for name, model in ZOO.items() if isinstance(model, LinearModel)]


def same(a, b, X):
    assert type(a) is type(b)
    text = a.classes.dtype.kind == "U"  # the room reserved for a string is no part of it
    assert b.classes.dtype.kind == "U" if text else a.classes.dtype == b.classes.dtype
    assert a.classes.tolist() == b.classes.tolist()
    np.testing.assert_array_equal(a.score(X), b.score(X), strict=True)
    np.testing.assert_array_equal(a.predict(X), b.predict(X))


@pytest.mark.parametrize("name", ZOO)
def test_save_and_load_is_the_identity(name, tmp_path):
    save(ZOO[name], tmp_path / "model.safetensors")
    same(ZOO[name], load(tmp_path / "model.safetensors"), fresh_rows(50))


@pytest.mark.parametrize("name", LINEAR)
def test_linear_models_survive_as_plain_json(name, tmp_path):
    save(ZOO[name], tmp_path / "model.json")
    json.loads((tmp_path / "model.json").read_text(encoding="utf-8"))
    back = load(tmp_path / "model.json")
    same(ZOO[name], back, fresh_rows(50))
    assert back.names == ZOO[name].names


@pytest.mark.parametrize("name", ["vote-two-dense", "kernel-rbf"])
def test_only_linear_models_are_json(name, tmp_path):
    with pytest.raises(DataError, match=r"model\.safetensors"):
        save(ZOO[name], tmp_path / "model.json")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.property
@settings(max_examples=40)
@given(
    w=st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=6),
    b=st.floats(allow_nan=False, allow_infinity=False),
    labels=st.one_of(
        st.lists(
            st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0")), min_size=2, max_size=2
        ),
        st.lists(st.integers(-(2**63), 2**63 - 1), min_size=2, max_size=2),
        st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2, max_size=2),
    ).filter(lambda found: len(np.unique(found)) == 2),
    suffix=st.sampled_from(["json", "safetensors"]),
)
def test_any_linear_model_comes_back_bit_for_bit(tmp_path_factory, w, b, labels, suffix):
    model = LinearModel(np.array(w), b, np.unique(labels), tuple(f"c{j}" for j in range(len(w))))
    path = tmp_path_factory.mktemp("model") / f"model.{suffix}"
    save(model, path)
    back = load(path)
    assert back.w.tobytes() == model.w.tobytes()
    assert np.float64(back.b).tobytes() == np.float64(b).tobytes()
    assert back.classes.tolist() == model.classes.tolist()


def test_the_safetensors_package_opens_our_files(tmp_path):
    from safetensors import safe_open
    from safetensors.numpy import load_file

    for name, model in ZOO.items():
        save(model, tmp_path / "model.safetensors")
        tensors = load_file(tmp_path / "model.safetensors")
        if isinstance(model, LinearModel):
            np.testing.assert_array_equal(tensors["w"], model.w, err_msg=name)
        with safe_open(tmp_path / "model.safetensors", framework="np") as file:
            document = json.loads(file.metadata()["document"])
        assert document["format"] == "rosenblatt.model"
        assert document["version"] == 1


def test_we_open_what_the_safetensors_package_writes(tmp_path):
    from safetensors.numpy import save_file

    model = ZOO["vote-ovr-sparse"]
    save(model, tmp_path / "ours.safetensors")
    metadata, tensors = read_tensors(tmp_path / "ours.safetensors")
    save_file(tensors, tmp_path / "theirs.safetensors", metadata)
    same(model, load(tmp_path / "theirs.safetensors"), fresh_rows(20))


def test_what_travels_with_the_model_comes_back(tmp_path):
    encoder, training = {"columns": [{"name": "ä", "levels": ["x", "y"]}]}, {"n_updates": 4, "converged": True}
    save(ZOO["named"], tmp_path / "m", encoder=encoder, training=training)
    saved = read_saved(tmp_path / "m")
    assert isinstance(saved, Saved)
    assert saved.encoder == encoder
    assert saved.training == training
    assert saved.model.names == ZOO["named"].names


def test_a_python_function_as_kernel_cannot_be_saved(tmp_path):
    rbf = ZOO["kernel-rbf"]
    model = KernelModel(rbf.support, rbf.coefficients, rbf.b, lambda A, B: A.products(B), True, rbf.classes)
    with pytest.raises(
        DataError,
        match=r"the kernel is <function .*which a file cannot hold safely; a model with one of the kernels linear",
    ):
        save(model, tmp_path / "m")


def test_labels_without_a_place_in_json_are_refused(tmp_path):
    dates = np.array(["2024-01-01", "2024-01-02"], dtype="datetime64[D]")
    with pytest.raises(DataError, match="numbers, text or booleans"):
        save(LinearModel(np.ones(1), 0.0, dates), tmp_path / "m")


def test_something_else_is_refused(tmp_path):
    with pytest.raises(DataError, match="a dict is no model"):
        save({"w": 1}, tmp_path / "m")


def test_a_failed_save_leaves_the_old_file_and_no_litter(tmp_path):
    path = tmp_path / "model.safetensors"
    save(ZOO["named"], path)
    before = path.read_bytes()
    with pytest.raises(DataError):
        save(ZOO["named"], path, training={"x": object()})
    with pytest.raises(DataError):
        save(ZOO["named"], path, training={"x": float("nan")})
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["model.safetensors"]


def test_saving_keeps_permissions_and_follows_links(tmp_path):
    path, link = tmp_path / "model.safetensors", tmp_path / "link.safetensors"
    save(ZOO["named"], path)
    path.chmod(0o640)
    link.symlink_to(path)
    save(ZOO["labels-int"], link)
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    same(ZOO["labels-int"], load(path), fresh_rows(5))


def test_saving_to_something_that_is_no_file_is_refused(tmp_path):
    with pytest.raises(DataError, match=r"not a plain file|directory"):
        save(ZOO["named"], tmp_path)
    with pytest.raises(DataError, match=r"not a plain file|directory"):
        save(ZOO["named"], os.devnull)
    with pytest.raises(DataError, match="is a directory"):
        load(tmp_path)
    with pytest.raises(DataError, match="cannot write"):
        save(ZOO["named"], tmp_path / "missing" / "m")


def test_concurrent_writers_and_readers_meet_whole_files(tmp_path):
    path = tmp_path / "model.safetensors"
    choices = [ZOO["named"], ZOO["vote-ovr-dense"], ZOO["kernel-rbf"]]
    save(choices[0], path)
    wrong: list[BaseException] = []

    def work(writes):
        try:
            for i in range(20):
                save(choices[i % 3], path) if writes else load(path)
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(i % 2 == 0,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert os.listdir(tmp_path) == ["model.safetensors"]


def test_empty_and_scalar_tensors_have_a_place(tmp_path):
    tensors = {
        "none": np.zeros((0, 3)),
        "scalar": np.array(2.5),
        "flags": np.array([True]),
        "big": np.arange(3, dtype=">i4"),
    }
    write_tensors(tmp_path / "t", {"note": "é"}, tensors)
    metadata, back = read_tensors(tmp_path / "t")
    assert metadata["note"] == "é"
    for name, tensor in tensors.items():
        np.testing.assert_array_equal(back[name], tensor)
        assert back[name].shape == tensor.shape


def test_a_model_without_updates_can_be_saved(tmp_path):
    model = learn([[1.0], [-1.0]], [1, -1], start=([1.0], 0.0), memory="vote").model
    assert model.rows.n == 0
    save(model, tmp_path / "m")
    same(model, load(tmp_path / "m"), np.array([[2.0], [-3.0]]))


def test_a_whole_number_beyond_the_machines_in_a_kernel_is_read(tmp_path):
    path = tmp_path / "m.safetensors"
    save(ZOO["kernel-rbf"], path)
    metadata, tensors = read_tensors(path)
    document = json.loads(metadata["document"])
    document["kernel"] |= {"coef0": 2**64, "degree": 2**70}
    write_tensors(path, {**metadata, "document": json.dumps(document)}, tensors)
    assert load(path).kernel.coef0 == 2.0**64
