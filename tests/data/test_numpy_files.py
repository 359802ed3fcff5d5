"""npy and npz files: matrices with their labels in a column or beside."""

import os

import numpy as np
import pytest
from scipy import sparse

from rosenblatt.data import open as open_file
from rosenblatt.errors import DataError

X = np.arange(24, dtype=np.float32).reshape(8, 3)
y = np.array(["a", "b"] * 4)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("block_rows", [None, 3])
def test_npy_takes_the_last_column_as_target(tmp_path, order, block_rows):
    matrix = np.asarray(np.column_stack([X, np.arange(8) % 2]), dtype=np.float32, order=order)
    np.save(tmp_path / "t.npy", matrix)
    with open_file(tmp_path / "t.npy", block_rows=block_rows) as source:
        rows, labels = source.read()
        assert np.array_equal(rows.values, X)
        assert rows.values.dtype == np.float32
        assert labels.tolist() == [0, 1] * 4
        assert any("x4, was taken as the target" in note for note in source.notes)
    with open_file(tmp_path / "t.npy", target=3) as source:
        assert source.notes == ()


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_npz_finds_matrix_and_labels(tmp_path, save):
    save(tmp_path / "t.npz", X=X, y=y)
    with open_file(tmp_path / "t.npz") as source:
        rows, labels = source.read()
        assert np.array_equal(rows.values, X)
        assert labels.tolist() == y.tolist()
    save(tmp_path / "named.npz", X=X, species=y)
    with open_file(tmp_path / "named.npz", target="species") as source:
        assert source.classes.tolist() == ["a", "b"]
    with pytest.raises(DataError, match="Did you mean 'species'"):
        open_file(tmp_path / "named.npz", target="specie")


def test_bytes_stay_bytes(tmp_path):
    np.savez(tmp_path / "t.npz", X=X.astype(np.uint8), y=y)
    with open_file(tmp_path / "t.npz") as source:
        assert source.read()[0].values.dtype == np.uint8


def test_sparse_npz_with_labels_beside(tmp_path):
    csr = sparse.csr_array(np.where(X % 3 == 1, X, 0))
    np.savez(tmp_path / "s.npz", data=csr.data, indices=csr.indices, indptr=csr.indptr, shape=csr.shape, y=y)
    with open_file(tmp_path / "s.npz", block_rows=3) as source:
        assert np.array_equal(source.read()[0].dense(), csr.toarray())


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"X": X, "y": y[:-1]}, "8 rows, but there are 7 labels"),
        ({"a": X, "b": X}, "expected one matrix X"),
        ({"X": X.astype(str), "y": y}, "expected a matrix of numbers"),
        ({"X": X[:0], "y": y[:0]}, "no examples"),
        ({"data": X[0], "indices": [7, 8, 9], "indptr": [0, 3], "shape": [1, 3], "y": [1]}, "damaged sparse matrix"),
    ],
)
def test_wrong_arrays_are_refused(tmp_path, arrays, message):
    np.savez(tmp_path / "t.npz", **arrays)
    with pytest.raises(DataError, match=message):
        open_file(tmp_path / "t.npz")


def test_python_objects_are_never_unpickled(tmp_path):
    np.save(tmp_path / "t.npy", np.array([[1, "a"], [2, "b"]], dtype=object), allow_pickle=True)
    with pytest.raises(DataError, match="Python objects"):
        open_file(tmp_path / "t.npy")


@pytest.mark.parametrize("name", ["t.npy", "t.npz"])
def test_cut_files_are_refused(tmp_path, name):
    path = tmp_path / name
    (np.save(path, X) if name == "t.npy" else np.savez(path, X=X, y=y))
    data = path.read_bytes()
    for length in (len(data) // 2, len(data) - 1, 8):
        path.write_bytes(data[:length])
        with pytest.raises(DataError, match=r"damaged|no npy|no npz"):
            open_file(path)


def test_missing_values_in_a_matrix(tmp_path):
    holes = np.array([[1.0, np.nan], [3.0, 4.0], [5.0, 8.0]])
    np.savez(tmp_path / "t.npz", X=holes, y=[0, 1, 0])
    with pytest.raises(DataError, match=r"t\.npz row 0, column x2: the value is missing"):
        open_file(tmp_path / "t.npz")
    with open_file(tmp_path / "t.npz", missing="mean") as source:
        assert source.read()[0].values.tolist() == [[1, 6], [3, 4], [5, 8]]
    with open_file(tmp_path / "t.npz", missing="drop") as source:
        assert source.n == 2
    np.savez(tmp_path / "i.npz", X=[[np.inf], [1.0]], y=[0, 1])
    with pytest.raises(DataError, match="row 0, column x1: inf is not finite"):
        open_file(tmp_path / "i.npz")


def test_a_sparse_matrix_with_columns_twice_and_out_of_order(tmp_path):
    """SciPy writes such files as they are, and means the sum."""
    messy = sparse.csr_matrix(
        (np.array([1.0, 2.0, 4.0, 8.0]), np.array([3, 3, 2, 0]), np.array([0, 2, 2, 4])), shape=(3, 5)
    )
    parts = {"data": messy.data, "indices": messy.indices, "indptr": messy.indptr, "shape": messy.shape}
    np.savez(tmp_path / "t.npz", **parts, format="csr", y=np.array(["a", "b", "a"]))
    with open_file(tmp_path / "t.npz") as source:
        rows, _ = source.read()
        assert rows.dense().tolist() == [[0, 0, 0, 3, 0], [0] * 5, [8, 0, 4, 0, 0]]
        assert rows.columns.tolist() == [3, 0, 2]


@pytest.mark.parametrize("order", ["C", "F"])
def test_a_file_that_is_shortened_while_it_is_read_is_an_error(tmp_path, order):
    """Mapped into memory it would end the process."""
    path = tmp_path / "t.npy"
    np.save(path, np.asarray(np.random.default_rng(0).integers(0, 2, (5000, 4)).astype(float), order=order))
    with open_file(path, block_rows=100) as source:
        os.truncate(path, 9000)
        with pytest.raises(DataError, match="has become shorter"):
            source.read()


@pytest.mark.parametrize("trained", ["xy.npz", "xy.npy", "last.npz"])
@pytest.mark.parametrize("fresh", ["xy.npz", "x.npz", "xy.npy", "x.npy", "last.npz"])
def test_new_data_may_have_its_labels_beside_in_a_column_or_not_at_all(tmp_path, trained, fresh):
    codes = np.arange(8) % 2
    both = np.column_stack([X, codes]).astype(np.float32)
    np.savez(tmp_path / "xy.npz", X=X, y=codes)
    np.savez(tmp_path / "x.npz", X=X)
    np.savez(tmp_path / "last.npz", X=both)
    np.save(tmp_path / "xy.npy", both)
    np.save(tmp_path / "x.npy", X)
    with open_file(tmp_path / trained) as source:
        encoder = source.encoder
    with open_file(tmp_path / fresh, encoder=encoder) as source:
        batch = next(iter(source.batches()))
        assert np.array_equal(encoder.encode(batch).rows.values, X)
        if fresh.startswith("x."):
            assert batch.labels is None
            assert source.target is None
        elif fresh != "xy.npz" or trained == "xy.npz":
            assert batch.labels.tolist() == codes.tolist()


def test_labels_under_a_name_of_their_own_are_not_taken_from_another(tmp_path):
    np.savez(tmp_path / "t.npz", X=X, outcome=y)
    np.savez(tmp_path / "new.npz", X=X, y=y)
    with open_file(tmp_path / "t.npz", target="outcome") as source:
        encoder = source.encoder
    assert encoder.target == "outcome"
    with open_file(tmp_path / "new.npz", encoder=encoder) as source:
        assert next(iter(source.batches())).labels is None


def test_numbers_that_a_type_cannot_hold_are_not_wrapped_around(tmp_path):
    np.savez(tmp_path / "t.npz", X=np.array([[0, 200], [3, 1]], dtype=np.uint8), y=[0, 1])
    with open_file(tmp_path / "t.npz") as source:
        encoder = source.encoder
        assert source.read()[0].values.dtype == np.uint8
    new = np.array([[0.5, 300.0], [300.0, -1.0]])
    np.savez(tmp_path / "new.npz", X=new)
    with open_file(tmp_path / "new.npz", encoder=encoder) as source:
        assert np.array_equal(encoder.encode(next(iter(source.batches()))).rows.values, new)
    np.savez(tmp_path / "large.npz", X=np.array([[1.0, 2.0], [1.0, 1e300]]), y=[0, 1])
    with pytest.raises(DataError, match=r"row 1, column x2.*too large for float32"):
        open_file(tmp_path / "large.npz", dtype="float32").read()


@pytest.mark.parametrize(
    "harm",
    [{"shape": [2]}, {"shape": [2, -3]}, {"data": [1.0, 2.0, 3.0]}, {"shape": ["a", "b"]}, {"indices": [0, 1, 1]}],
    ids=str,
)
def test_a_damaged_sparse_npz_is_refused(tmp_path, harm):
    parts = {"data": [1.0, 2.0], "indices": [0, 1], "indptr": [0, 1, 2], "shape": [2, 3], "y": [0, 1]} | harm
    path = tmp_path / "m.npz"
    np.savez(path, **{name: np.array(part) for name, part in parts.items()})
    with pytest.raises(DataError, match="damaged sparse matrix"):
        open_file(path)


def test_a_damaged_head_is_refused(tmp_path):
    path = tmp_path / "m.npy"
    np.save(path, np.ones((4, 3)))
    path.write_bytes(path.read_bytes().replace(b"{'descr'", b"{(desc'\n"))
    with pytest.raises(DataError, match="is no npy file, or it is damaged"):
        open_file(path)


def test_labels_that_are_no_labels_are_named(tmp_path):
    path = tmp_path / "m.npz"
    np.savez(path, X=np.ones((2, 2)), y=np.array([1j, 2j]))
    with pytest.raises(DataError, match="labels are numbers, text or booleans"):
        open_file(path)


def test_the_vector_beside_the_matrix_is_the_labels(tmp_path):
    np.savez(tmp_path / "t.npz", X, y)
    with open_file(tmp_path / "t.npz") as source:
        rows, labels = source.read()
        assert (rows.d, labels.tolist()) == (3, y.tolist())
        assert any("array arr_1 was taken as the labels" in note for note in source.notes)
    np.savez(tmp_path / "two.npz", X, y, y)
    with pytest.raises(DataError, match=r"which of arr_1, arr_2 are the labels\? Name them with target="):
        open_file(tmp_path / "two.npz")
    with open_file(tmp_path / "two.npz", target="arr_2") as source:
        assert source.read()[1].tolist() == y.tolist()
