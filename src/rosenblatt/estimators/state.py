"""An estimator as plain values, for saving: its class by name, parameters, learned attributes, and where it stands.

Only the classes listed here can come out of a file; nothing is looked up by a name that a file gives.
"""

import re
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from rosenblatt.data.rows import Rows
from rosenblatt.errors import DataError
from rosenblatt.estimators import family, kernel
from rosenblatt.estimators.kernel import KernelStream
from rosenblatt.estimators.pairwise import Precomputed
from rosenblatt.estimators.stream import Chronicle, Stream
from rosenblatt.learning.journal import COLUMNS, Journal
from rosenblatt.learning.plan import Plan
from rosenblatt.learning.policy import Order, Rule
from rosenblatt.models.document import (
    LABEL_TYPES,
    Model,
    describe,
    kernel_to_dict,
    labels_to_dict,
    problem_of_parts,
)
from rosenblatt.models.kernels import Kernel

ESTIMATORS: dict[str, Any] = {
    "Perceptron": family.Perceptron,
    "MarginPerceptron": family.MarginPerceptron,
    "AveragedPerceptron": family.AveragedPerceptron,
    "VotedPerceptron": family.VotedPerceptron,
    "PocketPerceptron": family.PocketPerceptron,
    "KernelPerceptron": kernel.KernelPerceptron,
}
RECORDS: dict[str, Any] = {
    record.__name__: record
    for record in (Plan, Rule, Order, Journal, Rows, Chronicle, Kernel, KernelStream, Precomputed, Stream)
}
LEARNED = re.compile(r"[a-z][a-z0-9_]*_")
KEPT_APART = {"model_", "dual_coef_"}  # the model has a place of its own in the file
DAMAGE = (KeyError, TypeError, ValueError, AttributeError, IndexError, RuntimeError, OverflowError, AssertionError)

Tensors = dict[str, Any]


def capture(estimator: Any) -> tuple[Model, dict[str, Any], Tensors]:
    """Return the model inside a fitted estimator, and the estimator as JSON values and tensors."""
    name = type(estimator).__name__
    if ESTIMATORS.get(name) is not type(estimator):
        raise DataError(f"a {name} cannot be saved; save a model or one of {', '.join(ESTIMATORS)}.")
    if not hasattr(estimator, "classes_") or not hasattr(estimator, "_stream"):
        raise DataError(f"this {name} is not fitted yet; call fit before save.")
    if isinstance(estimator, kernel.KernelPerceptron):
        kernel_to_dict(estimator.model_.kernel)  # a kernel that no file holds is named before its parts are
    tensors: Tensors = {}
    learned = {key: value for key, value in vars(estimator).items() if LEARNED.fullmatch(key)}
    state = {
        "class": name,
        "params": {key: _pack(value, f"params.{key}", tensors) for key, value in estimator.get_params().items()},
        "learned": {key: _pack(v, key, tensors) for key, v in learned.items() if key not in KEPT_APART},
        "stream": _pack(estimator._stream, "stream", tensors),
    }
    return estimator.model_, state, {f"estimator.{key}": tensor for key, tensor in tensors.items()}


def restore(state: Any, tensors: Tensors, model: Model) -> Any:
    """Return the estimator that ``capture`` described; its model must be the one given."""
    try:
        if not isinstance(state["class"], str) or state["class"] not in ESTIMATORS:
            raise DataError(f"the estimator {state['class']!r} is unknown; expected one of {', '.join(ESTIMATORS)}.")
        shelf = {key.removeprefix("estimator."): tensor for key, tensor in tensors.items()}
        made = ESTIMATORS[state["class"]]
        params = {key: _unpack(value, shelf) for key, value in state["params"].items()}
        if set(params) != set(made().get_params()):
            raise DataError(f"the parameters of the {state['class']} are not those of this version.")
        estimator = made(**params)
        estimator._validate_params()
        for key, value in state["learned"].items():
            if not LEARNED.fullmatch(key) or key in KEPT_APART:
                raise DataError(f"{key!r} is not a learned attribute.")
            setattr(estimator, key, _unpack(value, shelf))
        estimator._stream = _unpack(state["stream"], shelf)
        _attach(estimator, model)
        _check_agreement(estimator, model)
    except DataError:
        raise
    except DAMAGE as error:
        raise DataError(f"the estimator's state is damaged ({type(error).__name__}: {str(error)[:80]}).") from None
    return estimator


def _attach(estimator: Any, model: Any) -> None:
    """Give the estimator the model that was read and checked on its own."""
    if isinstance(estimator, kernel.KernelPerceptron):
        estimator.model_ = model
        estimator.dual_coef_ = estimator.model_.coefficients
    elif isinstance(estimator, family.VotedPerceptron):
        estimator._stream._voted = model


def _check_agreement(estimator: Any, model: Model) -> None:
    """Refuse an estimator that would not predict as its model does."""
    stream = Stream if not isinstance(estimator, kernel.KernelPerceptron) else KernelStream
    if not isinstance(estimator._stream, stream):
        raise DataError("the estimator's stream is of another kind.")
    (mine, my_tensors), (its, its_tensors) = describe(estimator.model_), describe(model)
    mine["features"] = its["features"] = None  # the model of a vote does not carry them
    if mine != its or not all(np.array_equal(my_tensors[key], its_tensors[key]) for key in its_tensors):
        raise DataError("the estimator and its model disagree.")
    if estimator.n_features_in_ != mine["d"] or not np.array_equal(estimator.classes_, model.classes):
        raise DataError("the estimator and its model disagree.")
    _check_stream(estimator)


def _check_stream(estimator: Any) -> None:
    """Refuse a stream that could not go on: of other classes or features, or with moves of vectors it has not."""
    plan, classes = estimator._stream.plan, len(estimator.classes_)
    if type(plan.rule) is not Rule or type(plan.order) is not Order:
        raise DataError("the estimator's plan is damaged.")
    if plan.n_classes != classes or plan.d != estimator.n_features_in_:
        raise DataError("the estimator's plan does not fit its classes and features.")
    lowest = -1 if plan.shape == "binary" else 0
    for journal in estimator._stream.chronicle.journals:
        shapes = [np.shape(part) for part in journal.start]
        if journal.shape != plan.shape or shapes != [(plan.vectors, plan.d), (plan.vectors,)]:
            raise DataError("the estimator's journal does not fit its plan.")
        for column, least in ((journal.codes, 0), (journal.rival, lowest)):
            if len(column) and not (column.min() >= least and column.max() < classes):
                raise DataError("the estimator's journal names a class that there is not.")
    if not isinstance(estimator.alpha_, np.ndarray) or estimator.alpha_.dtype != np.int64:
        raise DataError("the estimator's alpha_ is damaged.")


# --- values


def _pack(value: Any, at: str, tensors: Tensors) -> Any:
    """Return a value as JSON; arrays go to ``tensors`` under the name ``at``."""
    if value is None or type(value) in (bool, int, str) or (type(value) is float and np.isfinite(value)):
        return value
    if type(value) is list:
        return [_pack(part, f"{at}.{i}", tensors) for i, part in enumerate(value)]
    if type(value) is float:
        return {"$": "float", "text": repr(value)}
    if type(value) is tuple:
        return {"$": "tuple", "items": [_pack(part, f"{at}.{i}", tensors) for i, part in enumerate(value)]}
    if type(value) is dict:
        pairs = [[_pack(key, "", {}), _pack(part, f"{at}.{key}", tensors)] for key, part in value.items()]
        return {"$": "dict", "items": pairs}
    if isinstance(value, np.generic):
        return {"$": "scalar", **labels_to_dict(np.array([value]))}
    if isinstance(value, np.ndarray):
        if value.dtype.kind in "biuf":
            tensors[at] = value
            return {"$": "array", "tensor": at}
        return {"$": "strings", **labels_to_dict(value.ravel())}
    name = type(value).__name__
    if RECORDS.get(name) is type(value):
        return {"$": name, "fields": {k: _pack(v, f"{at}.{k}", tensors) for k, v in _fields(value).items()}}
    raise DataError(f"{at} is {value!r}, a {name}, which a file cannot hold; give a number, a text or a list.")


def _fields(record: Any) -> dict[str, Any]:
    if is_dataclass(record):
        return {part.name: getattr(record, part.name) for part in fields(record)}
    state: dict[str, Any] = record.__getstate__()
    return state


def _unpack(value: Any, shelf: Tensors) -> Any:
    if value is None or type(value) in (bool, int, str, float):
        return value
    if type(value) is list:
        return [_unpack(part, shelf) for part in value]
    makers: dict[str, Callable[[Any], Any]] = {
        "float": lambda found: float(found["text"]),
        "tuple": lambda found: tuple(_unpack(part, shelf) for part in found["items"]),
        "dict": lambda found: {_unpack(key, shelf): _unpack(part, shelf) for key, part in found["items"]},
        "scalar": lambda found: np.array(found["values"], dtype=_dtype(found))[0],
        "array": lambda found: shelf[found["tensor"]],
        "strings": lambda found: np.array([str(part) for part in found["values"]], dtype=_dtype(found)),
    }
    kind = value["$"]
    if kind in makers:
        return makers[kind](value)
    record: Any = RECORDS[kind]
    parts = {key: _unpack(part, shelf) for key, part in value["fields"].items()}
    if record is Stream:
        return _stream(parts)
    if set(parts) != {part.name for part in fields(record)}:
        raise DataError(f"a {kind} has other fields in this version.")
    return CHECKS.get(kind, lambda made: made)(record(**parts))


def _dtype(found: dict[str, Any]) -> Any:
    if found["dtype"] not in LABEL_TYPES:
        raise DataError(f"{found['dtype']!r} is no type of labels.")
    return np.dtype(found["dtype"]).type


def _stream(parts: dict[str, Any]) -> Stream:
    plan, (W, b) = parts["plan"], parts["start"]
    if not isinstance(plan, Plan) or W.shape != (plan.vectors, plan.d) or b.shape != (plan.vectors,):
        raise DataError("the estimator's plan does not fit its start.")
    if not isinstance(parts["chronicle"], Chronicle) or not 1 <= len(parts["learners"]) <= plan.vectors:
        raise DataError("the estimator's learners are damaged.")
    if set(parts) != {"plan", "start", "chronicle", "learners", "n_rows", "weighted", "_voted"}:
        raise DataError("a stream has other fields in this version.")
    if type(parts["n_rows"]) is not int or not 0 <= parts["n_rows"] < 2**63 or type(parts["weighted"]) is not bool:
        raise DataError("the estimator's counts are damaged.")
    stream = Stream.__new__(Stream)
    stream.__setstate__(parts)
    return stream


def _checked_rows(rows: Rows) -> Rows:
    if rows.starts is None:
        if rows.values.ndim != 2 or rows.values.shape[1] != rows.d or rows.columns is not None:
            raise DataError("the estimator's rows are damaged.")
        return rows
    columns = np.asarray(rows.columns)
    misshapen = columns.shape != rows.values.shape or rows.values.ndim != 1
    if misshapen or problem_of_parts(columns, rows.starts, rows.d):
        raise DataError("the estimator's rows are damaged.")
    return rows


def _checked_journal(journal: Journal) -> Journal:
    lengths = {len(getattr(journal, name)) for name in COLUMNS}
    row = journal.row
    if len(lengths) != 1 or journal.codes.shape != (journal.rows.n,):
        raise DataError("the estimator's journal is damaged.")
    if len(row) and not (row.min() >= 0 and row.max() < journal.rows.n):
        raise DataError("the estimator's journal is damaged.")
    sound = type(journal.unit) is float and 0 < journal.unit < np.inf and type(journal.bias) is bool
    if not sound or type(journal.start) is not tuple or len(journal.start) != 2:
        raise DataError("the estimator's journal is damaged.")
    return journal


def _checked_chronicle(found: Chronicle) -> Chronicle:
    parts = zip(found.journals, found.places, strict=True)
    if not all(
        type(part) is Journal and place.shape == (part.rows.n,) and place.dtype == np.int64 for part, place in parts
    ):
        raise DataError("the estimator's chronicle is damaged.")
    return found


def _checked_kernel_stream(found: KernelStream) -> KernelStream:
    counts = [*found.machine_steps, *found.updates_per_pass, found.n_mistakes, found.n_rows]
    if not all(type(count) is int and 0 <= count < 2**63 for count in counts) or type(found.in_pass) is not bool:
        raise DataError("the estimator's counts are damaged.")
    if type(found.plan) is not Plan or type(found.chronicle) is not Chronicle or type(found.kernel) is not Kernel:
        raise DataError("the estimator's stream is damaged.")
    if found.in_pass and not found.updates_per_pass:
        raise DataError("the estimator's passes are damaged.")
    return found


CHECKS: dict[str, Callable[[Any], Any]] = {
    "Rows": _checked_rows,
    "Journal": _checked_journal,
    "Chronicle": _checked_chronicle,
    "KernelStream": _checked_kernel_stream,
}
