"""A file as a `Source`: its examples in blocks, in file order or shuffled, within a memory budget."""

import hashlib
import json
import weakref
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from rosenblatt._typing import Ints, Labels
from rosenblatt.data.cache import Cache, Piece, write_cache
from rosenblatt.data.columnar import Columnar
from rosenblatt.data.columns import choose_columns
from rosenblatt.data.delimited import Delimited
from rosenblatt.data.encoder import Encoder
from rosenblatt.data.formats import open_table
from rosenblatt.data.joining import in_one_piece, joined, together
from rosenblatt.data.look import look
from rosenblatt.data.rows import Rows
from rosenblatt.data.settings import Settings
from rosenblatt.data.source import Block
from rosenblatt.data.survey import Facts
from rosenblatt.data.table import Batch
from rosenblatt.data.windows import permutation, schedule
from rosenblatt.errors import DataError


class FileSource:
    """A file as labelled examples; made by `open`. Satisfies `Source`.

    Attributes
    ----------
    path, format : what was opened; format is "csv", "parquet", "arrow", "npy", "npz" or "svmlight".
    columns, kinds : the file's column names, and what each was taken for: "number", "boolean", "category", "text".
    target : name of the label column, or None for data without labels; weight : that of the weights, or None.
    encoder : how columns become features; frozen, goes to JSON and back, encodes new data.
    classes, class_counts : the sorted labels and how many rows have each.
    n, d, names : rows (after dropping), features, their names.
    notes : what a reader of the result should know ("labels are sorted", "qid ignored", …), as sentences.
    fits : whether the encoded rows fit the memory budget.
    fingerprint : of the file (size, time of change, samples of its bytes) and the settings.
    """

    def __init__(self, path: Any, settings: Settings, encoder: Encoder | None, cache: bool) -> None:
        self._settings, self._given = settings, encoder
        self._cache: Cache | None = None
        self._whole: Block | None = None
        self._facts: Facts | None = None
        self.memory = settings.memory
        self._table, self._file = open_table(path, settings, encoder)
        self._closing = weakref.finalize(self, self._table.close)
        self.path, self.format = self._table.path, self._table.format
        self.columns: tuple[str, ...] = getattr(self._table, "names", ())
        self.kinds: Mapping[str, str] = self._table.kinds
        try:
            self._kinds, self.target = choose_columns(self._table, settings, encoder)
            self.kinds = {**self._table.kinds, **self._kinds}
            if encoder is None:
                self._look(cache)
        except BaseException:
            self.close()
            raise

    @property
    def fingerprint(self) -> str:
        """Changes whenever the file or the settings do."""
        content = self._file.fingerprint if self._file is not None else repr(id(self._table))
        given = None if self._given is None else self._given.to_dict()
        text = json.dumps([content, asdict(self._settings), given], sort_keys=True, default=repr)
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()

    @property
    def weight(self) -> str | None:
        """The column of example weights."""
        return self._settings.weight

    @property
    def facts(self) -> Facts:
        """What the first read of the whole file found out; done when first asked for."""
        if self._facts is None:
            self._look(cache=False)
        assert self._facts is not None
        return self._facts

    @property
    def encoder(self) -> Encoder:
        return self._given if self._given is not None else self.facts.encoder

    @property
    def classes(self) -> Labels:
        if self.facts.target is None:
            raise DataError(f"{self.path} has no labels; name their column with target=.")
        return self.facts.target.classes

    @property
    def class_counts(self) -> Ints:
        return self.facts.class_counts

    @property
    def n(self) -> int:
        return self.facts.n

    @property
    def d(self) -> int:
        return self.encoder.d

    @property
    def names(self) -> tuple[str, ...] | None:
        return self.encoder.names

    @property
    def notes(self) -> tuple[str, ...]:
        return self.facts.notes if self._facts is not None else tuple(self._table.notes)

    @property
    def fits(self) -> bool:
        asked = self._settings.block_rows is not None or self._settings.window is not None
        return not asked and self.n * self.facts.row_bytes <= self.memory / 3

    def __repr__(self) -> str:
        if self._facts is None:
            return f"FileSource({self.path!r}, {self.format})"
        return f"FileSource({self.path!r}, {self.format}, {self.n} rows, {self.d} features)"

    def blocks(self, pass_number: int = 0, *, order: str = "cyclic", seed: int = 0, skip: int = 0) -> Iterator[Block]:
        """Return every example once, in blocks, each in the order to be shown (see `Source.blocks`).

        In order, a block of the file at a time. Shuffled, a window of blocks at a time: the blocks are permuted by
        (seed, pass), and the rows of a window are shuffled together.
        """
        for block in self._blocks(pass_number, order, seed, skip):
            yield block
            if self._file is not None and self._cache is None:
                self._file.refuse_changed()

    def _blocks(self, pass_number: int, order: str, seed: int, skip: int) -> Iterator[Block]:
        sizes = self.facts.block_sizes
        starts = np.concatenate([[0], np.cumsum(sizes)])
        if order == "cyclic":
            for i in [int(i) for i in np.flatnonzero(sizes)][skip:]:
                rows, codes, weights = self._piece(i)
                yield Block(rows, codes, weights, np.arange(starts[i], starts[i + 1]))
            return
        if order not in ("shuffle", "shuffle_once"):
            raise DataError(f"order={order!r} needs all examples in memory; in blocks choose 'cyclic' or 'shuffle'.")
        turn = 0 if order == "shuffle_once" else pass_number
        chains = [range(i, i + 1) for i in range(len(sizes))] if self._cache else self._table.chains
        chains = [chain for chain in chains if sizes[chain.start : chain.stop].any()]
        lanes = int(np.clip(self.memory // 3 // max(self._table.lane_bytes, 1), 1, 4))
        windows = schedule(chains, self.window, seed=seed, pass_number=turn, lanes=lanes)
        for k, window in list(enumerate(windows))[skip:]:
            yield self._shuffled(window, starts, permutation(seed, int(sizes[window].sum()), turn, k))

    @property
    def window(self) -> int:
        """Blocks in a shuffled window."""
        if self._settings.window is not None:
            return self._settings.window
        block = self.n * self.facts.row_bytes / max(len(self.facts.block_sizes), 1)
        return int(np.clip(self.memory / 6 / max(block, 1), 4, 64))

    def whole(self) -> Block:
        """Return all examples as one block, in file order."""
        if self._whole is None:
            self._whole = self._joined([self._piece(int(i)) for i in np.flatnonzero(self.facts.block_sizes)])
        return self._whole

    def read(self) -> tuple[Rows, Labels]:
        """Return all examples and their labels."""
        block = self.whole()
        return block.rows, self.classes[block.codes]

    def rows(self) -> Rows:
        """Return all rows as features, labelled or not, in file order: what ``predict`` takes."""
        return Rows.stack([self.encoder.encode(batch).rows for batch in self.batches()])

    def batches(self) -> Iterator[Batch]:
        """Return the raw rows in file order, nothing dropped: what `Encoder.encode` takes. Needs one read only."""
        if self._table.n_blocks:
            yield from map(self._table.block, range(self._table.n_blocks))
        else:
            yield from self._table.scan()

    def raw_row(self, row: int) -> Batch:
        """Return one row of the file as a batch of its own, counted from 0, those that are dropped too."""
        seen = 0
        for batch in self.batches():
            if row < seen + batch.n:
                return batch.row(row - seen)
            seen += batch.n
        raise IndexError(f"{self.path} has {seen} rows")

    def keep_all_columns(self) -> None:
        """Let batches know every column of a table as it is written in the file, not the features alone."""
        if isinstance(self._table, Columnar):
            self._table.keeps_all = True

    @property
    def dialect(self) -> tuple[str, bool, bool] | None:
        """Delimiter of a text table, whether its first line has names, whether quotes quote; None for other formats."""
        if not isinstance(self._table, Delimited):
            return None
        return self._table.dialect.delimiter, self._table.header_bytes > 0, self._table.dialect.quotes

    def place(self, row: int) -> str:
        """Return where example ``row`` stands in the file: "iris.csv line 38"."""
        if not 0 <= row < self.n:
            raise DataError(f"row {row} is outside 0..{self.n - 1}, the rows of {self.path}.")
        if self._table.n_blocks == 0:  # the cache was used: find the blocks now
            if self._file is not None:
                self._file.keep()
            for _ in self._table.scan():
                pass
        starts = np.concatenate([[0], np.cumsum(self.facts.block_sizes)])
        i = int(np.searchsorted(starts, row, side="right")) - 1
        batch = self._table.block(i)
        return batch.place(int(self._kept(batch)[row - starts[i]]), None)[0]

    def close(self) -> None:
        """Give back temporary space and file handles; done by itself when the source is no longer used."""
        self._closing()

    def __enter__(self) -> "FileSource":
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def _look(self, cache: bool) -> None:
        """Read the file once to learn about it, or take what a fresh cache knows."""
        if cache and self._file is not None and self._file.on_disk:
            self._cache = Cache.fresh(self._file.path, self.fingerprint)
        if self._cache is not None:
            self._facts = self._cache.facts
            return
        if self._file is not None:
            self._file.keep()
        self._facts, kept = look(self._table, self._settings, self._kinds, self.target, self._given)
        if kept is not None and self.fits and self._facts.target is not None:
            self._whole = self._joined([self._encoded(batch) for batch in in_one_piece(kept)])
        if cache and self._file is not None and self._file.on_disk:
            self._write_cache(self._file.path)

    def _write_cache(self, path: str) -> None:
        pieces = (self._piece(int(i)) for i in range(len(self.facts.block_sizes)))
        try:
            write_cache(path, self.fingerprint, self.facts, pieces)
        except DataError as error:
            self._facts = replace(self.facts, notes=(*self.facts.notes, f"The cache was not written: {error}"))
            return
        self._cache = Cache.fresh(path, self.fingerprint)

    def _piece(self, i: int) -> Piece:
        return self._cache.block(i) if self._cache is not None else self._encoded(self._table.block(i))

    def _kept(self, batch: Batch) -> Ints:
        """Return which rows of a batch are examples: not dropped, of a wanted class, of a weight that is not 0."""
        kept = self.encoder.encode(batch).kept
        if self.facts.target is None or batch.labels is None:
            return kept
        return kept[self.facts.target.codes_of(batch, self.weight)[kept] >= 0]

    def _encoded(self, batch: Batch) -> Piece:
        if self.facts.target is None or batch.labels is None:
            raise DataError(f"{self.path} has no labels to learn from; name their column with target=.")
        rows, kept, _ = self.encoder.encode(batch)
        codes = self.facts.target.codes_of(batch, self.weight)[kept]
        if (codes < 0).any():
            wanted = np.flatnonzero(codes >= 0)
            rows, codes, kept = rows.take(wanted), codes[wanted], kept[wanted]
        weights = None if self.weight is None else np.asarray(batch.columns[self.weight], dtype=np.float64)[kept]
        return rows, codes, weights

    def _joined(self, pieces: list[Piece]) -> Block:
        if len(pieces) == 1:
            return Block(*pieces[0], np.arange(len(pieces[0][1])))
        parts = [rows for rows, _, _ in pieces]
        rows = together(parts) or Rows.stack(parts)
        codes = np.concatenate([codes for _, codes, _ in pieces])
        weights = [weights for _, _, weights in pieces if weights is not None]
        return Block(rows, codes, np.concatenate(weights) if weights else None, np.arange(len(codes)))

    def _shuffled(self, window: list[int], starts: Ints, order: Ints) -> Block:
        codes: list[Any] = []
        weights: list[Any] = []

        def parts() -> Iterator[Rows]:
            for i in window:
                rows, own, weight = self._piece(i)
                codes.append(own)
                if weight is not None:
                    weights.append(weight)
                yield rows

        rows = joined(parts(), order)
        number = np.concatenate([np.arange(starts[i], starts[i + 1]) for i in window])[order]
        weight = np.concatenate(weights)[order] if weights else None
        return Block(rows, np.concatenate(codes)[order], weight, number)
