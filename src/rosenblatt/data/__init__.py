"""Where examples come from."""

from rosenblatt.data.arrays import Rows, as_rows, augment
from rosenblatt.data.labels import encode

__all__ = ["Rows", "as_rows", "augment", "encode"]
