"""The first look at a file: what one read of all rows says, and the encoder made of that."""

import re
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from typing import Any

import numpy as np

from rosenblatt.data.columnar import Columnar
from rosenblatt.data.delimited import Delimited
from rosenblatt.data.encoder import Encoder
from rosenblatt.data.formats import AnyTable, NamedTable
from rosenblatt.data.labels import nearly_all_different
from rosenblatt.data.numpy_files import Matrix
from rosenblatt.data.prefetch import prefetched
from rosenblatt.data.rows import NATIVE
from rosenblatt.data.settings import Settings
from rosenblatt.data.sniff import NULLS
from rosenblatt.data.survey import Facts, Survey
from rosenblatt.data.svmlight import Svmlight
from rosenblatt.data.table import Batch
from rosenblatt.data.target import LabelCount, Target
from rosenblatt.errors import DataError


def look(
    table: AnyTable, settings: Settings, kinds: dict[str, str], target: str | None, given: Encoder | None
) -> tuple[Facts, list[Batch] | None]:
    """Read everything once; return the facts, and the raw batches if they are few enough to keep."""
    labels = None if target is None else LabelCount(target, table.path, settings.classes)
    missing, scale = (settings.missing, settings.scale) if given is None else (given.missing, "none")
    survey = Survey(kinds, missing=missing, scale=scale, labels=labels, weight=settings.weight)
    kept: list[Batch] | None = []
    held = 0
    scan = table.scan(settings.memory // 4)
    # Text is made ahead by itself. Closed before the file is: a thread may be reading it while a batch is refused.
    with closing(scan if isinstance(table, Delimited | Svmlight) else prefetched(scan)) as batches:
        for batch in batches:
            survey.add(batch)
            held += 2 * batch.nbytes  # the text of a batch is held with it
            if kept is not None:
                kept.append(batch)
                kept = kept if held <= settings.memory // 2 else None
    if sum(survey.block_sizes) == 0:
        reason = "every row was left out" if survey.dropped else "it has no rows"
        if survey.dropped == survey.weightless > 0:
            reason = f"every weight, column {settings.weight!r}, is zero"
        raise DataError(f"{table.path} leaves nothing to learn from: {reason}.")
    if given is None:
        _refuse_endless(table, settings, survey, labels)
    encoder = given or _encoder(table, settings, survey, target)
    found = None if labels is None else _target(labels, settings, given)
    if given is None and settings.scale == "unit":
        raw = kept if kept is not None else map(table.block, range(table.n_blocks))
        encoder = _unit(encoder, raw, found, settings.weight)
    facts = Facts(
        encoder=encoder,
        target=found,
        class_counts=_class_counts(found, labels),
        block_sizes=np.array(survey.block_sizes, dtype=np.int64),
        row_bytes=_row_bytes(encoder, survey),
        notes=(*table.notes, *_notes(table, survey, labels)),
    )
    return facts, kept


def _refuse_endless(table: AnyTable, settings: Settings, survey: Survey, labels: LabelCount | None) -> None:
    """Refuse labels, and words of a category, that are nearly all different: texts or measurements, not names."""
    if labels is not None and settings.positive is None and labels.looks_endless():
        guessed = ", which was taken as the target," if settings.target is None else ""
        words = any(isinstance(key, str) for key in labels.counts)
        few = sorted((len(counts), name) for name, counts in survey.levels.items() if 2 <= len(counts) <= 20)
        better = f"target={few[0][1]!r}" if few else "target="
        also = f", and this one as text with text={labels.name!r}" if words and isinstance(table, Delimited) else ""
        raise DataError(
            f"{table.path}: column {labels.name}{guessed} has {len(labels.counts):,} different values in "
            f"{labels.counts.total():,} rows; it looks like {'text' if words else 'regression'}, and a perceptron "
            f"predicts classes. Name the column of labels with {better}{also}."
        )
    for name, counts in survey.levels.items():
        if name not in settings.categories and nearly_all_different(len(counts), counts.total()) and _wordy(counts):
            raise DataError(
                f"{table.path}: column {name} has {len(counts):,} different values in {counts.total():,} rows; it "
                f"looks like text. Use text={name!r} to learn from its words, or categories=[{name!r}] to take every "
                "value as a level."
            )


def _wordy(counts: Counter[str]) -> bool:
    """Return whether the values are of three words or more, on average."""
    return sum(len(value.split()) for value in counts) >= 3 * len(counts)


def _target(labels: LabelCount, settings: Settings, given: Encoder | None) -> Target | None:
    if given is not None and not labels.counts:
        return None
    if settings.classes is not None and settings.positive is None:
        return labels.target(None) if given is None else Target.of(np.sort(settings.classes))
    return labels.target(settings.positive)


def _class_counts(target: Target | None, labels: LabelCount | None) -> Any:
    counts = np.zeros(0 if target is None else len(target.classes), dtype=np.int64)
    if target is not None and labels is not None:
        for key, count in labels.counts.items():
            if key in target.lookup:
                counts[target.lookup[key]] += count
    return counts


def _encoder(table: AnyTable, settings: Settings, survey: Survey, target: str | None) -> Encoder:
    if isinstance(table, Matrix | Svmlight):
        sparse = isinstance(table, Svmlight) or table.is_sparse
        if table.d == 0:
            raise DataError(f"{table.path} has no features.")
        made = Encoder(
            d=table.d,
            sparse=sparse,
            dtype=_matrix_dtype(table, settings),
            target=target,
            missing=settings.missing,
            scale=settings.scale,
            first_index=table.first_index if isinstance(table, Svmlight) else None,
            fill=survey.fill(()),
        )
        shift, known = survey.scaling((), sparse=sparse)
        if known is None:
            return made
        known = known[made.first_index or 0 :]
        factors = np.ones(made.d)  # features that only rows left out have stay as they are
        factors[: len(known)] = known
        return replace(made, shift=shift, factor=factors)
    columns = survey.columns(text_width=settings.text_width, text_ngrams=settings.text_ngrams)
    d = sum(column.width for column in columns)
    sparse = 3 * len(columns) < d or any(column.kind == "text" for column in columns)
    shift, factor = survey.scaling(columns, sparse=False)
    return Encoder(
        columns=columns,
        sparse=sparse,
        dtype=_table_dtype(table, settings, sparse, [c.name for c in columns if c.kind in ("number", "boolean")]),
        target=target,
        missing=settings.missing,
        scale=settings.scale,
        fill=survey.fill(columns),
        shift=shift,
        factor=factor,
    )


def _matrix_dtype(table: Matrix | Svmlight, settings: Settings) -> str:
    if settings.dtype is not None:
        return settings.dtype
    if isinstance(table, Svmlight):
        return "float64"
    exact = settings.scale == "none" and settings.missing in ("error", "drop")
    return str(table.dtype) if exact or table.dtype.kind == "f" else "float64"


def _table_dtype(table: NamedTable, settings: Settings, sparse: bool, numbers: list[str]) -> str:
    """Return the common type of the columns where the core reads it, float64 otherwise."""
    if settings.dtype is not None:
        return settings.dtype
    if not isinstance(table, Columnar) or not numbers:
        return "float64"
    common = np.result_type(*(table.dtypes[name] for name in numbers))
    if common == np.float16:
        common = np.dtype(np.float32)
    exact = settings.scale == "none" and settings.missing in ("error", "drop") and not sparse
    return str(common) if common in NATIVE and (exact or common.kind == "f") else "float64"


def _unit(encoder: Encoder, batches: Iterable[Batch], target: Target | None, weight: str | None) -> Encoder:
    """Divide everything by the largest norm of the rows that count."""
    largest = 0.0
    for batch in batches:
        rows, kept, _ = encoder.encode(batch)
        norms = np.sqrt(rows.squared_norms())
        if target is not None and batch.labels is not None:
            norms = norms[target.codes_of(batch, weight)[kept] >= 0]
        largest = max(largest, float(norms.max(initial=0.0)))
    return replace(encoder, factor=np.full(encoder.d, 1.0 / largest if largest > 0 else 1.0))


def _row_bytes(encoder: Encoder, survey: Survey) -> float:
    item = np.dtype(encoder.dtype).itemsize
    rows = max(sum(survey.block_sizes), 1)
    if not encoder.sparse:
        return float(encoder.d * item)
    if not encoder.columns:
        return survey.entries / rows * (item + 4) + 8
    words = survey.letters / rows / 5 * max((column.ngrams for column in encoder.columns), default=0)
    return (len(encoder.columns) + words) * (item + 4) + 8


def _notes(table: AnyTable, survey: Survey, labels: LabelCount | None) -> list[str]:
    notes = []
    if others := survey.dropped - survey.weightless:
        notes.append(
            f"{table.path}: {others} row{'s were' if others != 1 else ' was'} left out (missing values, or labels not asked for)."
        )
    if survey.weightless:
        n = survey.weightless
        notes.append(f"{table.path}: {n} row{'s were' if n != 1 else ' was'} left out (weight 0).")
    if survey.n_missing and survey.missing in ("zero", "mean"):
        notes.append(f"{table.path}: {survey.n_missing} missing values were filled in ({survey.missing}).")
    for name, counts in survey.levels.items():
        marks = [mark for mark in NULLS if counts[mark]] if survey.missing != "error" else []
        if marks:
            notes.append(
                f"{table.path}: {marks[0]!r} in column {name} ({counts[marks[0]]:,} times) was taken as a level; in a "
                "category only empty cells are missing."
            )
    for name, counts in survey.levels.items():
        if all(re.fullmatch(r"[+-]?\d+/\d+", level) for level in counts):
            notes.append(
                f"{table.path}: column {name} holds fractions such as {min(counts)}, which were taken as levels; write "
                "them as decimals, or give them to trace in Python, where they are numbers."
            )
    for mark in NULLS:
        if labels is not None and labels.counts[mark]:
            notes.append(
                f"{table.path}: {mark!r} in the target {labels.name} ({labels.counts[mark]:,} times) was taken as a class; "
                "among words only empty labels are missing."
            )
    if labels is not None:
        spelled: dict[str, str] = {}
        for label in sorted(label for label in labels.counts if isinstance(label, str)):
            if (other := spelled.setdefault(label.casefold(), label)) != label:
                notes.append(
                    f"{table.path}: {other!r} and {label!r} in the target {labels.name} are two classes; if they are one, "
                    "spell them alike."
                )
    if labels is not None and labels.looks_sorted():
        notes.append(
            f"{table.path}: the labels look sorted (they change {labels.changes} time{'s' * (labels.changes != 1)} in {labels.counts.total()} "
            "rows); in file order a perceptron forgets one class while it sees the other, so shuffle."
        )
    for name, counts in survey.levels.items():
        if nearly_all_different(len(counts), counts.total()):
            notes.append(
                f"{table.path}: column {name} has {len(counts):,} levels in {counts.total():,} rows; if it is a name or "
                f"a number of the row, leave it out with exclude=[{name!r}]."
            )
    if labels is not None and labels.looks_continuous():
        notes.append(
            f"{table.path}: the target {labels.name} has {len(labels.counts)} different values in "
            f"{labels.counts.total()} rows; it looks like regression, but a perceptron predicts classes."
        )
    return notes
