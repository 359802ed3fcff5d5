"""A model as a document and tensors, and back: what a saved file means. Opens no file, executes nothing.

The document is JSON: ``format, version, library, kind, d, features, classes, bias, kernel, encoder, training,
estimator``. Whatever comes back is checked as if a stranger had written it, because a stranger may have.
"""

import math
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt._typing import Labels
from rosenblatt.data.rows import NATIVE, Rows
from rosenblatt.errors import DataError
from rosenblatt.models.container import Tensors
from rosenblatt.models.kernel import KernelModel
from rosenblatt.models.kernels import NAMES, Kernel
from rosenblatt.models.linear import LinearModel
from rosenblatt.models.voted import Ballot, VotedModel

Model = LinearModel | VotedModel | KernelModel
Document = dict[str, Any]

NUMBERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64")
LABEL_TYPES = ("str", "bool", "object", *NUMBERS)
FLOATS = (np.dtype("float64"), np.dtype("float32"))
INDICES = (np.dtype("int64"), np.dtype("int32"))


# --- out


def describe(model: Model) -> tuple[Document, Tensors]:
    """Return the document and the tensors of a model."""
    if isinstance(model, LinearModel):
        part = {"w": np.asarray(model.w), "b": np.asarray(model.b, dtype=np.float64)}
        names, d = model.names, model.w.shape[-1]
        return _document("linear", d, names, model.classes), part
    if isinstance(model, VotedModel):
        document = _document("voted", model.rows.d, model.rows.names, model.classes)
        document |= {"bias": model.bias, "ballots": len(model.ballots)}
        start = {"start.w": np.asarray(model.start.w), "start.b": np.asarray(model.start.b, dtype=np.float64)}
        return document, {**_of_rows("rows", model.rows), **start, **_of_ballots(model.ballots)}
    if isinstance(model, KernelModel):
        document = _document("kernel", model.support.d, model.support.names, model.classes)
        document |= {"bias": model.bias, "ballots": len(model.ballots), "kernel": kernel_to_dict(model.kernel)}
        part = {"coefficients": model.coefficients, "b": model.b}
        return document, {**_of_rows("support", model.support), **part, **_of_ballots(model.ballots)}
    raise DataError(f"a {type(model).__name__} is no model; save a LinearModel, VotedModel, KernelModel or estimator.")


def _document(kind: str, d: int, names: tuple[str, ...] | None, classes: Labels) -> Document:
    features = None if names is None else list(names)
    return {"kind": kind, "d": d, "features": features, "classes": labels_to_dict(classes)}


def kernel_to_dict(kernel: Any) -> dict[str, Any]:
    """Return a named kernel as a dict; a Python function has no place in a file."""
    if not isinstance(kernel, Kernel):
        raise DataError(
            f"the kernel is {kernel}, which a file cannot hold safely; "
            f"a model with one of the kernels {', '.join(NAMES)} can be saved."
        )
    return asdict(kernel)


def labels_to_dict(classes: Labels) -> dict[str, Any]:
    """Return class labels as a dict: their element type and their values.

    >>> labels_to_dict(np.array(["ham", "spam"]))
    {'dtype': 'str', 'values': ['ham', 'spam']}
    """
    kind = classes.dtype.kind
    dtype = {"U": "str", "b": "bool", "O": "object"}.get(kind, classes.dtype.name)
    if dtype not in LABEL_TYPES:
        raise DataError(f"labels of type {classes.dtype} cannot be saved; use numbers, text or booleans.")
    values = classes.tolist()
    strange = [value for value in values if type(value) not in (str, bool, int, float)]
    if strange:
        raise DataError(f"the label {strange[0]!r} cannot be saved; use numbers, text or booleans.")
    return {"dtype": dtype, "values": values}


def _of_rows(prefix: str, rows: Rows) -> Tensors:
    if rows.starts is None or rows.columns is None:
        return {f"{prefix}.values": rows.values}
    return {f"{prefix}.values": rows.values, f"{prefix}.columns": rows.columns, f"{prefix}.starts": rows.starts}


def _of_ballots(ballots: tuple[Ballot, ...]) -> Tensors:
    tensors = {}
    for k, ballot in enumerate(ballots):
        for name in ("row", "step", "count", "gains", "loses"):
            if getattr(ballot, name) is not None:
                tensors[f"ballot.{k}.{name}"] = getattr(ballot, name)
    return tensors


# --- back


def rebuild(document: Document, tensors: Tensors) -> Model:
    """Return the model of a document and its tensors; a DataError where they do not fit together."""
    kind = document.get("kind")
    builders: dict[Any, Callable[[Document, _Shelf], Model]] = {
        "linear": _linear,
        "voted": _voted,
        "kernel": _kernel,
    }
    if not isinstance(kind, str) or kind not in builders:
        raise DataError(f"kind is {kind!r}; expected one of {', '.join(builders)}.")
    shelf = _Shelf(tensors)
    model = builders[kind](document, shelf)
    if shelf.left:
        raise DataError(f"tensor {sorted(shelf.left)[0]!r} belongs to nothing in a {kind} model.")
    return model


class _Shelf:
    """The tensors of a file, each taken once, with its element type and shape checked."""

    def __init__(self, tensors: Tensors) -> None:
        self._tensors = tensors
        self.left = set(tensors)

    def __contains__(self, name: str) -> bool:
        return name in self._tensors

    def take(self, name: str, dtypes: tuple[np.dtype[Any], ...], shape: tuple[int | None, ...]) -> NDArray[Any]:
        """Return a tensor; None in ``shape`` stands for any size."""
        if name not in self.left:
            raise DataError(f"tensor {name!r} is missing.")
        self.left.discard(name)
        array = self._tensors[name]
        fits = array.ndim == len(shape) and all(
            want is None or have == want for have, want in zip(array.shape, shape, strict=True)
        )
        if not fits:
            wanted = "(" + ", ".join("any" if size is None else str(size) for size in shape) + ")"
            raise DataError(f"tensor {name!r} has shape {array.shape}; expected {wanted}.")
        if array.dtype not in dtypes:
            raise DataError(f"tensor {name!r} holds {array.dtype}; expected {' or '.join(map(str, dtypes))}.")
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise DataError(f"tensor {name!r} holds NaN or infinity; every number must be finite.")
        return array


def whole(document: Document, key: str, least: int = 0) -> int:
    """Return a whole number of a document."""
    value = document.get(key)
    if type(value) is not int or not least <= value < 2**62:
        raise DataError(f"{key} is {value!r}; expected a whole number, {least} or more.")
    return value


def flag(document: Document, key: str) -> bool:
    """Return a truth value of a document."""
    value = document.get(key)
    if type(value) is not bool:
        raise DataError(f"{key} is {value!r}; expected true or false.")
    return value


def labels_from_dict(found: Any) -> Labels:
    """Return the class labels; they are sorted and different, as learning made them."""
    if not (isinstance(found, dict) and set(found) == {"dtype", "values"} and isinstance(found["values"], list)):
        raise DataError("classes must have dtype and values.")
    dtype, values = found["dtype"], found["values"]
    kinds = {"str": (str,), "bool": (bool,), "object": (str, bool, int, float)}
    allowed = kinds.get(dtype, (int, float)) if isinstance(dtype, str) else ()
    if not allowed or (dtype not in kinds and dtype not in NUMBERS):
        raise DataError(f"classes have dtype {dtype!r}; expected str, bool, object or a number type.")
    if any(type(value) not in allowed or overflowed(value) for value in values) or len(values) < 2:
        raise DataError(f"classes must be at least two values of type {dtype}.")
    try:
        classes = np.array(values, dtype=dtype)
        if any(not a < b for a, b in zip(classes[:-1].tolist(), classes[1:].tolist(), strict=True)):
            raise DataError("classes must be sorted and different.")
        if classes.tolist() != values:
            raise DataError(f"classes do not fit their type {dtype}.")
    except (OverflowError, TypeError) as error:
        raise DataError(f"classes are not valid: {error}.") from None
    return classes


def overflowed(value: Any) -> bool:
    """Say whether a number of a file overflowed while it was parsed (JSON has no infinity, but 1e999)."""
    return isinstance(value, float) and math.isinf(value)


def names_from(document: Document, d: int) -> tuple[str, ...] | None:
    """Return the feature names, one a column, or None."""
    names = document.get("features")
    if names is None:
        return None
    if not (isinstance(names, list) and len(names) == d and all(isinstance(name, str) for name in names)):
        raise DataError(f"features must be {d} names, one for each column.")
    return tuple(names)


def _linear(document: Document, shelf: _Shelf) -> LinearModel:
    d, classes = whole(document, "d", 1), labels_from_dict(document.get("classes"))
    w, b = _vectors(shelf, "w", "b", d, len(classes))
    return LinearModel(w, b, classes, names_from(document, d))


def _vectors(shelf: _Shelf, w: str, b: str, d: int, k: int) -> tuple[NDArray[Any], Any]:
    """Return one vector (two classes) or one a class, with the bias to match."""
    if k == 2 and w in shelf and shelf._tensors[w].ndim == 1:
        return shelf.take(w, FLOATS, (d,)), float(shelf.take(b, FLOATS[:1], ()))
    return shelf.take(w, FLOATS, (k, d)), shelf.take(b, FLOATS[:1], (k,))


def _voted(document: Document, shelf: _Shelf) -> VotedModel:
    d, classes = whole(document, "d", 1), labels_from_dict(document.get("classes"))
    rows = _to_rows(document, shelf, "rows", d)
    start = LinearModel(*_vectors(shelf, "start.w", "start.b", d, len(classes)), classes)
    ballots = _to_ballots(document, shelf, rows.n, start.w.ndim, len(classes))
    if not ballots:
        raise DataError("a voted model needs ballots.")
    return VotedModel(rows, ballots, start, flag(document, "bias"), classes)


def _kernel(document: Document, shelf: _Shelf) -> KernelModel:
    d, classes = whole(document, "d", 1), labels_from_dict(document.get("classes"))
    support = _to_rows(document, shelf, "support", d)
    coefficients = shelf.take("coefficients", FLOATS[:1], (None, support.n))
    vectors = len(coefficients)
    if vectors != len(classes) and not (vectors == 1 and len(classes) == 2):
        raise DataError(f"coefficients hold {vectors} vectors for {len(classes)} classes.")
    b = shelf.take("b", FLOATS[:1], (vectors,))
    kernel = kernel_from_dict(document.get("kernel"))
    ballots = _to_ballots(document, shelf, support.n, 1 if vectors == 1 else 2, len(classes))
    return KernelModel(support, coefficients, b, kernel, flag(document, "bias"), classes, ballots)


def kernel_from_dict(found: Any) -> Kernel:
    """Return the named kernel of a document."""
    if not (isinstance(found, dict) and set(found) == {"name", "gamma", "degree", "coef0"}):
        raise DataError("kernel must have name, gamma, degree and coef0.")
    if found["name"] not in NAMES:
        raise DataError(f"kernel {found['name']!r} is unknown; expected one of {', '.join(NAMES)}.")
    for key in ("gamma", "degree", "coef0"):
        if type(found[key]) not in (int, float) or abs(found[key]) > 1e300:
            raise DataError(f"the kernel's {key} is {found[key]!r}; expected a finite number.")
    degree = found["degree"] if abs(found["degree"]) < 2**53 else float(found["degree"])
    return Kernel(found["name"], float(found["gamma"]), degree, float(found["coef0"]))


def _to_rows(document: Document, shelf: _Shelf, prefix: str, d: int) -> Rows:
    names = names_from(document, d)
    if f"{prefix}.starts" not in shelf:
        return Rows(shelf.take(f"{prefix}.values", NATIVE, (None, d)), d, names=names)
    values = shelf.take(f"{prefix}.values", FLOATS, (None,))
    columns = shelf.take(f"{prefix}.columns", INDICES, (len(values),))
    starts = shelf.take(f"{prefix}.starts", (columns.dtype,), (None,))
    if problem := problem_of_parts(columns, starts, d):
        raise DataError(f"{prefix}.{problem}")
    return Rows(values, d, columns, starts, names)


def problem_of_parts(columns: Any, starts: Any, d: int) -> str:
    """Return what is wrong with the columns and starts of sparse rows; "" if nothing is."""
    if len(starts) == 0 or starts[0] != 0 or starts[-1] != len(columns) or (starts[1:] < starts[:-1]).any():
        return f"starts must grow from 0 to {len(columns)}, the number of stored values."
    if len(columns) and (columns.min() < 0 or columns.max() >= d):
        return f"columns must lie in 0..{d - 1}."
    within = np.ones(max(len(columns) - 1, 0), dtype=bool)
    within[starts[1:-1][(starts[1:-1] > 0) & (starts[1:-1] < len(columns))] - 1] = False
    return "columns must grow within each row." if (columns[1:] <= columns[:-1])[within].any() else ""


def _to_ballots(document: Document, shelf: _Shelf, n: int, rank: int, k: int) -> tuple[Ballot, ...]:
    """Return the ballots: one (two classes, or the direct machine) or one a class; ``rank`` 1 means one vector."""
    number = whole(document, "ballots")
    direct = "ballot.0.gains" in shelf
    expected = 1 if rank == 1 or direct else k
    if number not in (0, expected) or (direct and rank == 1):
        raise DataError(f"there are {number} ballots; expected {expected}.")
    ballots = []
    for i in range(number):
        row = shelf.take(f"ballot.{i}.row", INDICES[:1], (None,))
        step = shelf.take(f"ballot.{i}.step", FLOATS[:1], (len(row),))
        count = shelf.take(f"ballot.{i}.count", FLOATS[:1], (len(row) + 1,))
        if len(row) and (row.min() < 0 or row.max() >= n):
            raise DataError(f"ballot.{i}.row must lie in 0..{n - 1}, the stored rows.")
        if (count < 0).any():
            raise DataError(f"ballot.{i}.count must not be negative.")
        sides = [_side(shelf, f"ballot.{i}.{name}", len(row), k) for name in ("gains", "loses") if direct]
        ballots.append(Ballot(row, step, count, *sides))
    return tuple(ballots)


def _side(shelf: _Shelf, name: str, n: int, k: int) -> NDArray[Any]:
    side = shelf.take(name, (np.dtype("int32"),), (n,))
    if len(side) and (side.min() < 0 or side.max() >= k):
        raise DataError(f"{name} must lie in 0..{k - 1}, the classes.")
    return side
