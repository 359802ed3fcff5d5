"""An array in an npy file, read a stretch at a time.

Not memory-mapped, as no file of the user is (bytefile.py): one that somebody shortens would end the process.
"""

import os
import tokenize
from dataclasses import dataclass
from math import prod
from typing import Any, BinaryIO

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from rosenblatt.errors import DataError


@dataclass(frozen=True, eq=False)
class Stored:
    """The array whose first byte is at ``offset``; with ``by_columns`` the first index is the fastest (Fortran)."""

    file: BinaryIO
    name: str
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    by_columns: bool
    offset: int

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def whole(self) -> NDArray[Any]:
        """Return all of it."""
        order: Any = "F" if self.by_columns else "C"
        return self._read(0, prod(self.shape)).reshape(self.shape, order=order)

    def rows(self, first: int, last: int) -> NDArray[Any]:
        """Return some rows of a matrix."""
        n, d = self.shape
        if not self.by_columns:
            return self._read(first * d, (last - first) * d).reshape(-1, d)
        values = np.empty((last - first, d), self.dtype)
        for j in range(d):
            values[:, j] = self._read(j * n + first, last - first)
        return values

    def _read(self, first: int, count: int) -> NDArray[Any]:
        values = np.empty(count, self.dtype)
        left: Any = values.view(np.uint8).data if values.nbytes else b""
        at = self.offset + first * self.dtype.itemsize
        while len(left):  # a system call reads at most 2 GB
            size = os.preadv(self.file.fileno(), [left], at)
            if size == 0:
                raise DataError(f"{self.name} has become shorter while it was being read.")
            left, at = left[size:], at + size
        return values


def stored_in(file: BinaryIO, name: str) -> Stored:
    """Return the array in an open npy file; objects are refused."""
    try:
        version = npy.read_magic(file)
        read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        shape, by_columns, dtype = read(file)
        if dtype.hasobject:
            raise ValueError("it holds Python objects, which are not read")
        offset, size = file.tell(), os.fstat(file.fileno()).st_size
        if prod(shape) * dtype.itemsize > size - offset:
            raise ValueError(f"the {size - offset} bytes behind its head are too few for shape {shape} of {dtype}")
    except (ValueError, TypeError, SyntaxError, tokenize.TokenError, EOFError, OSError) as error:
        raise DataError(f"{name} is no npy file, or it is damaged or cut short: {error}.") from error
    return Stored(file, name, dtype, shape, by_columns, offset)
