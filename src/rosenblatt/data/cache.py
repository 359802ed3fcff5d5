"""The cache: encoded rows beside their file as Arrow IPC, used while file and settings stay the same.

Dense rows are one FixedSizeList column ``x``, sparse rows two List columns ``columns`` and ``values``; ``code`` is the
class, ``weight`` the example's weight if it has one. Any Arrow reader opens it; the encoder is in the metadata as JSON.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from rosenblatt._typing import Codes, Doubles
from rosenblatt.data.columnar import arrow, checked
from rosenblatt.data.encoder import Encoder
from rosenblatt.data.files import write_atomically
from rosenblatt.data.rows import Rows
from rosenblatt.data.survey import Facts
from rosenblatt.data.target import Target
from rosenblatt.errors import DataError

KEY = b"rosenblatt"
VERSION = 2

Piece = tuple[Rows, Codes, Doubles | None]


def cache_path(path: str) -> Path:
    """Return where the cache of a file stands: beside it."""
    return Path(f"{path}.rosenblatt.arrow")


def write_cache(path: str, fingerprint: str, facts: Facts, pieces: Iterable[Piece]) -> None:
    """Write encoded blocks, one record batch each, so that the cache appears complete or not at all."""
    pa = arrow()
    meta = json.dumps({"version": VERSION, "fingerprint": fingerprint, **_facts_to_dict(facts)}).encode()
    index = np.int64 if facts.encoder.d > 2**31 - 1 else np.int32  # one type, whatever a block by itself would need

    def write(file: BinaryIO) -> None:
        writer = None
        for piece in pieces:
            batch = _to_batch(*piece, index=index).replace_schema_metadata({KEY: meta})
            if writer is None:
                writer = pa.ipc.new_file(file, batch.schema)
            writer.write_batch(batch)
        if writer is None:
            raise DataError("there are no rows to cache.")
        writer.close()

    write_atomically(cache_path(path), write)


class Cache:
    """An open cache: facts and blocks as the file itself would give them."""

    def __init__(self, path: Path, meta: dict[str, Any]) -> None:
        self.path = path
        self.facts = _facts_from_dict(meta)

    @classmethod
    def fresh(cls, path: str, fingerprint: str) -> "Cache | None":
        """Return the cache of a file if there is one that belongs to this content and these settings."""
        place = cache_path(path)
        if not place.is_file():
            return None
        pa = arrow()
        try:
            with pa.OSFile(str(place)) as file:
                meta = json.loads(pa.ipc.open_file(file).schema.metadata[KEY])
            if meta["version"] != VERSION or meta["fingerprint"] != fingerprint:
                return None
            return cls(place, meta)
        except (OSError, pa.ArrowException, KeyError, TypeError, ValueError):
            return None  # damaged or of another version: it will be written anew

    def block(self, i: int) -> Piece:
        """Return one block. Read and not mapped: a file that somebody shortens would end the process."""
        pa = arrow()
        try:
            with pa.OSFile(str(self.path)) as file:
                batch = checked(pa.ipc.open_file(file).get_batch(i))
            return self._piece(batch)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, pa.ArrowException) as error:
            raise DataError(
                f"the cache {self.path} is damaged, or was changed while it was in use ({error}); remove it."
            ) from error

    def _piece(self, batch: Any) -> Piece:
        names = self.facts.encoder.names
        codes = batch.column("code").to_numpy()
        if len(codes) and not 0 <= codes.min() <= codes.max() < len(self.facts.class_counts):
            raise ValueError("a class code is out of range")
        weights = batch.column("weight").to_numpy() if "weight" in batch.schema.names else None
        d = self.facts.encoder.d
        if "x" in batch.schema.names:
            values = batch.column("x").flatten().to_numpy().reshape(batch.num_rows, d)
            return Rows(values, d, names=names), codes, weights
        lists, values = batch.column("columns"), batch.column("values")
        starts = lists.offsets.to_numpy()
        wide = lists.values.type == arrow().int64()
        starts = starts.astype(np.int64) if wide else starts
        return Rows(values.values.to_numpy(), d, lists.values.to_numpy(), starts, names), codes, weights


def _to_batch(rows: Rows, codes: Codes, weights: Doubles | None, *, index: Any) -> Any:
    pa = arrow()
    if rows.starts is None:
        flat = pa.array(np.ascontiguousarray(rows.values).reshape(-1))
        columns = {"x": pa.FixedSizeListArray.from_arrays(flat, rows.d)}
    else:
        assert rows.columns is not None
        offsets = pa.array(rows.starts.astype(np.int32))
        columns = {
            "columns": pa.ListArray.from_arrays(offsets, pa.array(rows.columns.astype(index, copy=False))),
            "values": pa.ListArray.from_arrays(offsets, pa.array(rows.values)),
        }
    columns["code"] = pa.array(codes)
    if weights is not None:
        columns["weight"] = pa.array(weights)
    return pa.RecordBatch.from_arrays(list(columns.values()), names=list(columns))


def _facts_to_dict(facts: Facts) -> dict[str, Any]:
    return {
        "encoder": facts.encoder.to_dict(),
        "target": None if facts.target is None else facts.target.to_dict(),
        "class_counts": facts.class_counts.tolist(),
        "block_sizes": facts.block_sizes.tolist(),
        "row_bytes": facts.row_bytes,
        "notes": list(facts.notes),
    }


def _facts_from_dict(data: dict[str, Any]) -> Facts:
    return Facts(
        encoder=Encoder.from_dict(data["encoder"]),
        target=None if data["target"] is None else Target.from_dict(data["target"]),
        class_counts=np.array(data["class_counts"], dtype=np.int64),
        block_sizes=np.array(data["block_sizes"], dtype=np.int64),
        row_bytes=float(data["row_bytes"]),
        notes=tuple(data["notes"]),
    )
