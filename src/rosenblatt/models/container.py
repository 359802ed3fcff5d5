"""The container of a saved model: the safetensors layout, read and written by hand.

Layout: eight bytes, the length N of the header, little-endian; N bytes of JSON, ``{"__metadata__": {text: text}, name:
{"dtype", "shape", "data_offsets"}}``; then the tensors, little-endian, in C order, without gaps. Nothing in a file is
ever executed. What a file claims is checked before memory is taken for it.
"""

import hashlib
import json
import math
import os
from collections.abc import Mapping
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from rosenblatt.data.files import write_atomically
from rosenblatt.errors import DataError

Tensors = dict[str, NDArray[Any]]

DTYPES = {
    "BOOL": np.dtype("?"),
    "U8": np.dtype("u1"),
    "I8": np.dtype("i1"),
    "U16": np.dtype("<u2"),
    "I16": np.dtype("<i2"),
    "U32": np.dtype("<u4"),
    "I32": np.dtype("<i4"),
    "U64": np.dtype("<u8"),
    "I64": np.dtype("<i8"),
    "F16": np.dtype("<f2"),
    "F32": np.dtype("<f4"),
    "F64": np.dtype("<f8"),
}
CODES = {dtype: code for code, dtype in DTYPES.items()}
MAX_HEADER = 64 << 20  # bytes; feature names and category levels live there
MAX_BRACKETS = 2_000_000  # lists and objects in a header: what makes small text into large memory
MAX_RANK = 8
DIGEST = "digest"  # among the metadata


def write_tensors(path: str | os.PathLike[str], metadata: Mapping[str, str], tensors: Tensors) -> None:
    """Write a safetensors file, atomically."""
    arrays = {name: _little_endian(array) for name, array in tensors.items()}
    ordered = sorted(arrays, key=lambda name: (-arrays[name].itemsize, name))  # widest first: each one is aligned
    header: dict[str, Any] = {"__metadata__": {**metadata, DIGEST: digest(metadata, arrays)}}
    end = 0
    for name in ordered:
        array = arrays[name]
        begin, end = end, end + array.nbytes
        header[name] = {"dtype": CODES[array.dtype], "shape": list(array.shape), "data_offsets": [begin, end]}
    text = json.dumps(header, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    if len(text) > MAX_HEADER:
        raise DataError(f"the description of the model takes {len(text)} bytes; at most {MAX_HEADER} can be saved.")

    def write(file: BinaryIO) -> None:
        file.write(len(text).to_bytes(8, "little"))
        file.write(text)
        for name in ordered:
            file.write(arrays[name].reshape(-1).view(np.uint8).data)

    write_atomically(path, write)


def digest(metadata: Mapping[str, str], tensors: Tensors) -> str:
    """Return what a bit that falls over changes: BLAKE2b of the metadata and of all tensors, by name."""
    made = hashlib.blake2b(digest_size=16)
    for key in sorted(metadata.keys() - {DIGEST}):
        made.update(f"{key}={metadata[key]}\n".encode("utf-8", "surrogatepass"))
    for name in sorted(tensors):
        array = np.ascontiguousarray(tensors[name])
        made.update(f"{name} {array.dtype.str} {array.shape}\n".encode("utf-8", "surrogatepass"))
        made.update(array.reshape(-1).view(np.uint8).data)
    return made.hexdigest()


def read_tensors(path: str | os.PathLike[str]) -> tuple[dict[str, str], Tensors]:
    """Read a safetensors file: its metadata and its tensors, or a DataError that says what is wrong with it."""
    name = os.fspath(path)
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        first = file.read(8)
        length = int.from_bytes(first, "little")
        if len(first) < 8 or length > size - 8:
            raise DataError(
                f"{name} is not a saved model, or it is cut short: it has {size} bytes, and its header would need "
                f"{8 + length if len(first) == 8 else 8}. Save the model again."
            )
        if length > MAX_HEADER:
            raise DataError(f"{name}: the header claims {length} bytes; at most {MAX_HEADER} are allowed.")
        header = parse_json(file.read(length), f"{name}: the header")
        if not isinstance(header, dict):
            raise DataError(f"{name}: the header is not a JSON object; this is not a saved model.")
        metadata = header.pop("__metadata__", {})
        if not (isinstance(metadata, dict) and all(isinstance(value, str) for value in metadata.values())):
            raise DataError(f"{name}: __metadata__ must map text to text; the file is damaged.")
        places = _places(name, header, size - 8 - length)
        tensors = {}
        for key, (dtype, shape, begin) in places.items():
            file.seek(8 + length + begin)
            array = np.fromfile(file, dtype=dtype, count=math.prod(shape))
            if array.size != math.prod(shape):
                raise DataError(f"{name}: the file ended inside tensor {key!r}; it changed while it was read.")
            tensors[key] = array.reshape(shape)
    return metadata, tensors


Place = tuple[np.dtype[Any], tuple[int, ...], int]


def _places(name: str, header: dict[str, Any], size: int) -> dict[str, Place]:
    """Return dtype, shape and offset of each tensor; refuse gaps, overlaps and sizes that do not fit."""
    places: dict[str, Place] = {}
    spans: list[tuple[int, int, str]] = []
    for key, entry in header.items():
        if not (isinstance(entry, dict) and set(entry) == {"dtype", "shape", "data_offsets"}):
            raise DataError(f"{name}: tensor {key!r} must have dtype, shape and data_offsets; the file is damaged.")
        code, shape, offsets = entry["dtype"], entry["shape"], entry["data_offsets"]
        if not isinstance(code, str) or code not in DTYPES:
            raise DataError(f"{name}: tensor {key!r} has dtype {code!r}; expected one of {', '.join(DTYPES)}.")
        if not (_are_counts(shape) and len(shape) <= MAX_RANK):
            raise DataError(f"{name}: tensor {key!r} has shape {_short(shape)}; expected up to {MAX_RANK} sizes.")
        if not (_are_counts(offsets) and len(offsets) == 2):
            raise DataError(f"{name}: tensor {key!r} has data_offsets {_short(offsets)}; expected [begin, end].")
        begin, end = offsets
        need = math.prod(shape) * DTYPES[code].itemsize
        if end - begin != need or end > size:
            raise DataError(
                f"{name}: tensor {key!r} ({code}, shape {shape}) needs {need} bytes, but its place is "
                f"{begin} to {end} of {size}; the file is damaged or cut short."
            )
        places[key] = (DTYPES[code], tuple(shape), begin)
        spans.append((begin, end, key))
    at = 0
    for begin, end, key in sorted(spans):
        if begin != at:
            what = "overlaps another" if begin < at else "leaves a gap before it"
            raise DataError(f"{name}: tensor {key!r} {what} (byte {begin}, expected {at}); the file is damaged.")
        at = end
    if at != size:
        raise DataError(f"{name}: {size - at} bytes belong to no tensor; the file is damaged.")
    return places


def parse_json(text: bytes, what: str) -> Any:
    """Parse JSON from an untrusted file: no NaN, no repeated keys, no depth or size that hurts."""
    if text.count(b"[") + text.count(b"{") > MAX_BRACKETS:
        raise DataError(f"{what} holds more than {MAX_BRACKETS} lists and objects; this is not a saved model.")
    try:
        return json.loads(text.decode(), object_pairs_hook=_object, parse_constant=_refuse_constant)
    except UnicodeDecodeError as error:
        raise DataError(f"{what} is not UTF-8 text (byte {error.start}); this is not a saved model.") from None
    except RecursionError:
        raise DataError(f"{what} is nested too deeply; this is not a saved model.") from None
    except DataError as error:
        raise DataError(f"{what} {error}") from None
    except ValueError as error:  # JSONDecodeError, and numbers of more digits than Python converts
        raise DataError(f"{what} is not valid JSON ({_short(str(error))}); the file is damaged.") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise DataError(f"names {_short(twice)} twice; the file is damaged.")
    return found


def _refuse_constant(text: str) -> Any:
    raise DataError(f"holds {text}; every number must be finite.")


def _are_counts(values: Any) -> bool:
    """Say whether values is a list of whole numbers from 0 to 2**62."""
    return isinstance(values, list) and all(type(value) is int and 0 <= value < 2**62 for value in values)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def _little_endian(array: NDArray[Any]) -> NDArray[Any]:
    little = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<")).reshape(array.shape)
    if little.dtype not in CODES:
        raise DataError(f"element type {array.dtype} has no place in a saved model.")
    return little
