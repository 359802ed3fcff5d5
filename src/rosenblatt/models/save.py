"""Saving and loading models: safetensors files, and plain JSON for linear models. Never pickle."""

import importlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from rosenblatt.data.encoder import Encoder
from rosenblatt.data.features import Column
from rosenblatt.data.files import write_bytes
from rosenblatt.errors import DataError
from rosenblatt.models.container import DIGEST, MAX_HEADER, Tensors, digest, parse_json, read_tensors, write_tensors
from rosenblatt.models.document import Document, Model, describe, overflowed, rebuild
from rosenblatt.models.linear import LinearModel
from rosenblatt.models.voted import VotedModel

FORMAT = "rosenblatt.model"
VERSION = 1


@dataclass(frozen=True, eq=False)
class Saved:
    """Everything a file holds.

    ``model`` scores rows of numbers; ``encoder`` is the description of how columns of a file become such rows;
    ``training`` says how the model came about (counts, settings); ``library`` is the version that wrote it;
    ``estimator`` is the scikit-learn estimator the model came in, or None.
    """

    model: Model
    encoder: dict[str, Any] | None
    training: dict[str, Any] | None
    library: str
    estimator: Any = None


def save(
    model: Any,
    path: str | os.PathLike[str],
    *,
    encoder: Any = None,
    training: dict[str, Any] | None = None,
) -> None:
    """Save a model or a fitted estimator to a file that holds data and nothing else.

    Parameters
    ----------
    model : a linear, voted or kernel model, or one of the estimators; an estimator comes back as it is, and its
        ``partial_fit`` goes on where it stands.
    path : where to; a name ending in ``.json`` gives plain JSON (linear models), any other a safetensors file.
    encoder : how the columns of a table become the features: an ``Encoder``, or its ``to_dict()``.
    training : how the model came about, as JSON values.

    Notes
    -----
    The file is written beside its final name and renamed: a reader, or a crash, meets the old file or the new one.
    docs/model-format.md describes every field.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from rosenblatt import learn
    >>> model = learn([[-2, 0], [0, -2], [-2, 2], [2, 2]], ["no", "no", "yes", "yes"], bias=False).model
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "w2.safetensors"
    >>> save(model, path)
    >>> load(path).w.tolist(), load(path).predict([[1, 1]]).tolist()
    ([2.0, 4.0], ['yes'])
    """
    import rosenblatt

    state = None
    extra: Tensors = {}
    if hasattr(model, "get_params"):
        model, state, extra = _estimators().capture(model)
    body, tensors = describe(model)
    tensors |= extra
    document: Document = {"format": FORMAT, "version": VERSION, "library": rosenblatt.__version__, **body}
    columns = encoder.to_dict() if hasattr(encoder, "to_dict") else encoder
    document |= {"encoder": columns, "training": training, "estimator": state}
    if not all(np.isfinite(tensor).all() for tensor in tensors.values() if tensor.dtype.kind == "f"):
        raise DataError("the weights hold NaN or infinity; such a model cannot be saved.")
    if is_json(path):
        _save_json(document, tensors, path)
    else:
        write_tensors(path, {"format": f"{FORMAT}/{VERSION}", "document": _dumps(document)}, tensors)


def _estimators() -> ModuleType:
    """Return the module that knows estimators: always this one, loaded only where a file or a user brings one.

    It lies above this room, and scikit-learn comes with it.
    """
    return importlib.import_module("rosenblatt.estimators.state")


def load(path: str | os.PathLike[str]) -> Any:
    """Return the model or estimator that ``save`` wrote to ``path``; ``models.read_model`` gives its encoder too.

    A damaged or foreign file is a DataError that says what is wrong with it. Nothing in a file is executed.
    """
    saved = read_saved(path)
    return saved.model if saved.estimator is None else saved.estimator


def read_model(path: str | os.PathLike[str]) -> Saved:
    """Return what ``save`` wrote to ``path``, an estimator as its model alone: scikit-learn is not needed."""
    return _read(path, with_estimator=False)


def read_saved(path: str | os.PathLike[str]) -> Saved:
    """Return everything that ``save`` wrote to ``path``."""
    return _read(path, with_estimator=True)


def features_of(model: Model) -> tuple[int, tuple[str, ...] | None]:
    """Return how many columns the model takes, and their names where they have any."""
    if isinstance(model, LinearModel):
        return model.w.shape[-1], model.names
    rows = model.rows if isinstance(model, VotedModel) else model.support
    return rows.d, rows.names


def encoder_of(saved: Saved) -> Encoder:
    """Return how the columns of new data become features: as saved, else by the names of the features, else as a matrix.

    >>> from rosenblatt.models import LinearModel
    >>> model = LinearModel(np.array([2.0, 4.0]), 0.0, np.array(["no", "yes"]), names=("x1", "x2"))
    >>> encoder_of(Saved(model, None, None, "0.1.0")).names
    ('x1', 'x2')
    """
    if saved.encoder is not None:
        return Encoder.from_dict(saved.encoder)
    d, names = features_of(saved.model)
    if names is None:
        return Encoder(d=d, first_index=1)  # svmlight files count from 1 unless one is told otherwise
    return Encoder(columns=tuple(Column(name, "number") for name in names))


def _read(path: str | os.PathLike[str], *, with_estimator: bool) -> Saved:
    name = os.fspath(path)
    if Path(path).is_dir():
        raise DataError(f"{name} is a directory; give the name of a saved model.")
    if name == "-" or (Path(path).exists() and not Path(path).is_file()):
        raise DataError(f"{name} is no file; a model is read from a file that can be read at any place.")
    document, tensors, sound = _read_json(name) if is_json(path) else _read_binary(name)
    try:
        _check_head(document)
        state = _object_or_none(document, "estimator")
        extra = {key: tensors.pop(key) for key in list(tensors) if state and key.startswith("estimator.")}
        model = rebuild(document, tensors)
        estimator = _estimators().restore(state, extra, model) if state and with_estimator else None
        saved = Saved(
            model,
            _object_or_none(document, "encoder"),
            _object_or_none(document, "training"),
            document["library"],
            estimator,
        )
        if not sound:  # last: what is wrong in particular says more
            raise DataError("it is not what was written, by its digest; it is damaged, or another program changed it.")
        return saved
    except DataError as error:
        raise DataError(f"{name}: {error}") from None


def _check_head(document: Document) -> None:
    if document.get("format") != FORMAT:
        raise DataError(f"format is {document.get('format')!r}; expected {FORMAT!r}: this is not a saved model.")
    version = document.get("version")
    if type(version) is not int or version < 1:
        raise DataError(f"version is {version!r}; expected a whole number.")
    library = document.get("library")
    if not isinstance(library, str):
        raise DataError("library must be the version that wrote the file.")
    if version > VERSION:
        raise DataError(
            f"the file has format version {version}, written by rosenblatt {library[:40]}; this one reads up to "
            f"{VERSION}. Upgrade: pip install -U rosenblatt"
        )


def _object_or_none(document: Document, key: str) -> dict[str, Any] | None:
    found = document.get(key)
    if found is not None and not isinstance(found, dict):
        raise DataError(f"{key} must be an object or null.")
    return found


def _read_binary(name: str) -> tuple[Document, Tensors, bool]:
    """Return the document, the tensors, and whether both are as they were written; without a digest nobody can say."""
    with open(name, "rb") as file:
        start = file.read(8).decode("utf-8", "ignore")
    if len(start.encode()) >= 5 and all(letter.isprintable() or letter in "\t\r\n" for letter in start):
        raise DataError(f"{name} is not a saved model; it looks like data. Give the model first, then the data.")
    metadata, tensors = read_tensors(name)
    if "document" not in metadata:
        raise DataError(f"{name} is a safetensors file, but not a model of rosenblatt (it has no document).")
    document = parse_json(metadata["document"].encode("utf-8", "surrogatepass"), f"{name}: the document")
    if not isinstance(document, dict):
        raise DataError(f"{name}: the document is not a JSON object; the file is damaged.")
    return document, tensors, metadata.get(DIGEST) in (None, digest(metadata, tensors))


def _dumps(value: Any) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        text.encode()  # half a surrogate pair has no UTF-8
        return text
    except (TypeError, ValueError, RecursionError) as error:
        raise DataError(f"the model's description cannot be written as JSON: {error}.") from None


def is_json(path: str | os.PathLike[str]) -> bool:
    """Say whether the name asks for plain JSON."""
    return Path(path).suffix.lower() == ".json"


def refuse_as_json(kind: str, path: str | os.PathLike[str]) -> None:
    """Refuse a name ending in .json for a kind of model that plain JSON does not hold."""
    if kind != "linear" and is_json(path):
        raise DataError(f"{path}: a {kind} model does not fit plain JSON; use a name such as model.safetensors.")


def _save_json(document: Document, tensors: Tensors, path: str | os.PathLike[str]) -> None:
    if document["estimator"] is not None:
        raise DataError("an estimator does not fit plain JSON; use a name such as model.safetensors, or save .model_.")
    refuse_as_json(document["kind"], path)
    document |= {name: tensor.tolist() for name, tensor in tensors.items()}
    lines = ",\n".join(f"  {json.dumps(key)}: {_dumps(value)}" for key, value in document.items())
    text = f"{{\n{lines}\n}}\n".encode()
    if len(text) > MAX_HEADER:
        raise DataError(f"the model takes {len(text)} bytes as JSON; use a name such as model.safetensors.")
    write_bytes(path, text)


def _read_json(name: str) -> tuple[Document, Tensors, bool]:
    with open(name, "rb") as file:
        text = file.read(MAX_HEADER + 1)
    if len(text) > MAX_HEADER:
        raise DataError(f"{name} has more than {MAX_HEADER} bytes; a JSON model has fewer.")
    document = parse_json(text, name)
    if not isinstance(document, dict):
        raise DataError(f"{name} is not a JSON object; this is not a saved model.")
    if str(document.get("format")).startswith("rosenblatt-certificate"):
        raise DataError(f"{name} is a certificate, not a saved model; verify checks it against data.")
    if "kind" not in document:
        raise DataError(f"{name} is JSON, but not a saved model: its format is {document.get('format')!r}.")
    if document.get("kind") != "linear":
        raise DataError(f"{name}: kind is {document.get('kind')!r}; plain JSON holds linear models.")
    return document, {key: _numbers(name, key, document.pop(key, None)) for key in ("w", "b")}, True


def _numbers(name: str, key: str, values: Any) -> Any:
    """Return nested lists of numbers as an array; anything else is refused before NumPy interprets it."""
    rows = values if isinstance(values, list) else [values]
    flat = [value for row in rows for value in (row if isinstance(row, list) else [row])]
    if not flat or any(type(value) not in (int, float) or overflowed(value) for value in flat):
        raise DataError(f"{name}: {key} must hold finite numbers.")
    try:
        return np.array(values, dtype=np.float64)
    except (ValueError, OverflowError):
        raise DataError(f"{name}: {key} must hold rows of equal length and finite numbers.") from None
