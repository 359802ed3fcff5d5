"""What every export needs of a model: its vectors, names and labels, or the reason why it cannot be written down."""

import keyword
import re
from typing import Any

import numpy as np

from rosenblatt._typing import Doubles
from rosenblatt.errors import DataError
from rosenblatt.models.kernel import KernelModel
from rosenblatt.models.linear import LinearModel
from rosenblatt.models.voted import VotedModel

LANES = 16  # partial sums of the canonical dot product
FOLDS = (8, 4, 2, 1)


def model_of(model: Any) -> LinearModel | VotedModel | KernelModel:
    """Return the model itself, or the one inside a fitted estimator."""
    if isinstance(model, LinearModel | VotedModel | KernelModel):
        return model
    inner = getattr(model, "model_", None)
    if isinstance(inner, LinearModel | VotedModel | KernelModel):
        return inner
    raise DataError(f"a {type(model).__name__} cannot be exported; give a model or a fitted estimator.")


def linear_of(model: Any, language: str) -> LinearModel:
    """Return a linear model, or say that this language takes linear models only."""
    found = model_of(model)
    if not isinstance(found, LinearModel):
        raise DataError(
            f"{language} is written for linear models, not for a {type(found).__name__}; "
            "export it with to_onnx, or train with memory='last', 'average' or 'pocket'."
        )
    return found


def vectors(model: LinearModel) -> tuple[Doubles, Doubles]:
    """Return weights (vectors × features) and one bias a vector."""
    W = np.atleast_2d(np.asarray(model.w, dtype=np.float64))
    return W, np.atleast_1d(np.asarray(model.b, dtype=np.float64))


def feature_names(model: LinearModel) -> list[str]:
    """Return the names of the columns, or x1, x2, …"""
    if model.names is not None:
        return list(model.names)
    return [f"x{j + 1}" for j in range(model.w.shape[-1])]


def check_identifier(name: str) -> None:
    """Refuse a name that is no identifier in C and in Python."""
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) or keyword.iskeyword(name):
        raise DataError(f"name={name!r} must be an identifier, such as 'perceptron'.")


def number(value: float) -> str:
    """Return the shortest decimal that reads back as the same float64."""
    return repr(float(value))


def safe_comment(text: str) -> str:
    r"""Return text as it is, or quoted and escaped where it could end a C comment, splice lines or be a trigraph.

    >>> print(safe_comment("colour=red"), safe_comment("x2=?"), safe_comment("a */ b"), safe_comment("größe"))
    colour=red "x2=?" "a *\/ b" größe
    """
    if text.isprintable() and not set(text) & set('*/\\?"'):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    escaped = escaped.replace("*/", "*\\/").replace("/*", "/\\*")
    escaped = re.sub(r"\?(?=\?)", r"?\\", escaped)
    return '"' + "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in escaped) + '"'


def header_line(model: LinearModel, version: str) -> str:
    """Return one sentence about the model."""
    return f"Perceptron of {model.w.shape[-1]} features and {len(model.classes)} classes, from rosenblatt {version}."
