"""`open`: from a path and the user's choices to a `FileSource`. What the choices mean is said here."""

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from rosenblatt.data.encoder import TEXT_NGRAMS, TEXT_WIDTH, Encoder
from rosenblatt.data.filesource import FileSource
from rosenblatt.data.settings import Settings, parse_size
from rosenblatt.errors import DataError

# What an encoder has settled, and what is said where nobody says anything; some can be changed for other files.
DECIDED = {
    "target": None,
    "features": None,
    "exclude": (),
    "categories": (),
    "text": (),
    "missing": "error",
    "scale": "none",
    "first_index": None,
    "text_width": TEXT_WIDTH,
    "text_ngrams": TEXT_NGRAMS,
}
CHANGED = ("target", "missing", "first_index")


def open(
    path: str | os.PathLike[str] | Any,
    *,
    target: str | int | None = None,
    features: str | Sequence[str | int] | None = None,
    exclude: str | Sequence[str | int] = (),
    categories: str | Sequence[str] = (),
    text: str | Sequence[str] | None = None,
    weight: str | None = None,
    positive: Any = None,
    classes: Sequence[Any] | None = None,
    missing: str = "error",
    scale: str = "none",
    encoder: Encoder | None = None,
    format: str | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    quotes: bool | None = None,
    first_index: int | None = None,
    dtype: str | None = None,
    text_width: int = TEXT_WIDTH,
    text_ngrams: int = TEXT_NGRAMS,
    memory: int | str = "256MB",
    block_rows: int | None = None,
    window: int | None = None,
    cache: bool = False,
) -> FileSource:
    """Open a data file of any size as labelled examples.

    Parameters
    ----------
    path : CSV/TSV, Parquet, Arrow IPC/Feather, npy/npz or svmlight file, plain or compressed (gz, bz2, xz, zst); "-" is
        standard input; or any object with ``__arrow_c_stream__`` (polars, DuckDB, pandas, pyarrow).
    target : label column, by name or place; default: the one called target, label, class or y, else the last.
    features : columns to learn from; default: all others. exclude : columns to leave out of those.
    categories : columns of numbers that are names (codes, years): one feature per level.
    text : columns of text, taken as hashed word n-grams (``text_width`` buckets, up to ``text_ngrams`` words).
    weight : column of example weights; rows of weight 0 are left out.
    positive : learn this label against all others, which become "(not …)".
    classes : keep only rows with these labels.
    missing : "error", "drop", "zero" or "mean"; see `Encoder`.
    scale : "none", "standard", "maxabs" or "unit"; see `Encoder`.
    encoder : encode as this one does (for new data) instead of making one; nothing is read before it is asked for, the
        target may be absent, and what the encoder says (target, features, missing, scale, …) cannot be said again.
    format, delimiter, header, quotes, first_index : what is otherwise found out: the format from name and content; of
        text tables the delimiter, whether there is a header and whether quotes quote; of svmlight the lowest index.
    dtype : "float32" or "float64" values from text; default float64.
    memory : budget for data; decides block sizes, and whether the rows are kept.
    block_rows, window : rows in a block, blocks in a shuffled window; default from the budget, the window at least 4.
    cache : write the encoded rows beside the file (Arrow IPC) and use them while file and settings stay the same.

    Examples
    --------
    >>> import rosenblatt.data, rosenblatt, tempfile, pathlib
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name) / "fruit.csv"
    >>> _ = path.write_text("grams,skin,kind\\n150,red,apple\\n120,yellow,banana\\n170,red,apple\\n")
    >>> source = rosenblatt.data.open(path, target="kind")
    >>> source.classes.tolist(), source.names, source.n
    (['apple', 'banana'], ('grams', 'skin=red', 'skin=yellow'), 3)
    >>> rosenblatt.learn(source).converged
    True
    >>> folder.cleanup()
    """
    settings = Settings(
        target=target,
        features=None if features is None else _several(features),
        exclude=_several(exclude),
        categories=_several(categories),
        text=() if text is None else _several(text),
        weight=weight,
        positive=positive,
        classes=None if classes is None else tuple(np.asarray(classes).tolist()),
        missing=missing,
        scale=scale,
        format=format,
        delimiter=delimiter,
        header=header,
        quotes=quotes,
        first_index=first_index,
        dtype=dtype,
        text_width=text_width,
        text_ngrams=text_ngrams,
        memory=parse_size(memory),
        block_rows=block_rows,
        window=window,
    )
    if encoder is not None:
        _refuse_what_is_decided(settings)
    return FileSource(path, settings, encoder, cache)


def _several(names: Any) -> tuple[Any, ...]:
    return (names,) if isinstance(names, str | int) else tuple(names)


def _refuse_what_is_decided(settings: Settings) -> None:
    """Refuse to be told what the encoder says."""
    for name, default in DECIDED.items():
        value = getattr(settings, name)
        if value != default:
            instead = f"give dataclasses.replace(encoder, {name}={value!r})" if name in CHANGED else "open it without"
            raise DataError(f"{name}={value!r} stands beside encoder=, which decides that; leave it out, or {instead}.")
