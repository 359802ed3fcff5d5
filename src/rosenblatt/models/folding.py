"""Folding the scaling of the features back into a linear model, so that it is "these numbers times your columns"."""

from dataclasses import replace
from typing import Any

import numpy as np

from rosenblatt.data.encoder import Encoder
from rosenblatt.models.linear import LinearModel


def fold(model: Any, encoder: Encoder) -> tuple[Any, Encoder]:
    """Return the model for unscaled features and the encoder without scaling; other than linear models stay.

    ``w·((x − shift) factor) + b = (w factor)·x + (b − (w factor)·shift)``: the same scores up to rounding.

    >>> import numpy as np
    >>> from rosenblatt.data import Column, Encoder
    >>> encoder = Encoder(columns=(Column("x", "number"),), shift=np.array([3.0]), factor=np.array([0.5]))
    >>> model, plain = fold(LinearModel(np.array([4.0]), 1.0, np.array([0, 1]), ("x",)), encoder)
    >>> model.w.tolist(), model.b, plain.factor
    ([2.0], -5.0, None)
    """
    if not isinstance(model, LinearModel) or encoder.factor is None:
        return model, encoder
    w, b = model.w * encoder.factor, model.b
    if encoder.shift is not None:
        b = b - w @ encoder.shift
    return replace(model, w=w, b=float(b) if np.ndim(b) == 0 else b), encoder.unscaled()
