"""A linear model as Python source that needs nothing but Python: of numbers, or of the columns an encoder knows."""

import pprint
from typing import Any

import numpy as np

import rosenblatt
from rosenblatt.data.encoder import Encoder
from rosenblatt.data.sniff import FALSE, NULLS, TRUE
from rosenblatt.errors import DataError
from rosenblatt.export.parts import feature_names, header_line, linear_of, number, vectors
from rosenblatt.models.linear import LinearModel
from rosenblatt.models.scored import LEAST_POSITIVE

SCORE = '''

def scores(x):
    """Return w·x + b for each vector, summed as rosenblatt sums: the very same floats."""
    if len(x) != len(FEATURES):
        raise ValueError(f"expected {len(FEATURES)} numbers, got {len(x)}")
    found = []
    for w, b in zip(WEIGHTS, BIAS):
        part = [0.0] * 16
        for j, wj in enumerate(w):
            part[j % 16] += float(x[j]) * wj
        for half in (8, 4, 2, 1):
            for lane in range(half):
                part[lane] += part[lane + half]
        found.append(part[0] + b)
    return found
'''

ENCODE = '''

def encode(row):
    """Return a row, a mapping from column names to values, as (feature, value) pairs.

    None, "" and NaN are missing, and among numbers the words of MISSING_WORDS. A level is compared letter by letter,
    blanks included; one that training did not have adds nothing.
    """
    entries = []
    for name, kind, start, levels, width, ngrams in COLUMNS:
        cell = row[name]
        words_for_none = ("",) if kind in ("category", "text") else MISSING_WORDS
        missing = cell is None or cell != cell or cell in words_for_none
        if kind == "text":
            pairs = sorted(words("" if missing else str(cell), width, ngrams).items())
        elif missing and MISSING not in ("zero", "mean"):
            raise ValueError(f"column {name!r} is missing")
        elif kind == "category":
            pairs = [(k, FILL[start + k] if MISSING == "mean" else 0.0) for k in range(width)] if missing else []
            if not missing:
                pairs = [(levels[level(cell)], 1.0)] if level(cell) in levels else []
        else:
            pairs = [(0, (FILL[start] if MISSING == "mean" else 0.0) if missing else as_number(name, cell))]
        for k, value in pairs:
            j = start + k
            value = value if SHIFT is None else value - SHIFT[j]
            value = value if FACTOR is None else value * FACTOR[j]
            if value or not SPARSE:
                entries.append((j, ROUND(value)))
    return entries


def words(text, width, ngrams):
    """Count the word n-grams of a text by bucket: CRC-32 modulo width."""
    found = re.findall(r"\\w+", text.lower())
    grams = [" ".join(found[i : i + n]) for n in range(1, ngrams + 1) for i in range(len(found) - n + 1)]
    return Counter(zlib.crc32(gram.encode("utf-8", "surrogatepass")) % width for gram in grams)


def level(cell):
    """Return a cell as the text of a level: whole numbers have no decimal point."""
    return repr(int(cell)) if isinstance(cell, float) and cell == int(cell) else str(cell)


def as_number(name, cell):
    """Return a cell as a number; the words for true and false are 1 and 0."""
    text = str(cell).strip()
    if text in TRUE or text in FALSE:
        return float(text in TRUE)
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"column {name!r}: {cell!r} is not a number") from None


def scores(row):
    """Return w·x + b for each vector, summed as rosenblatt sums: the very same floats."""
    entries = encode(row)
    found = []
    for w, b in zip(WEIGHTS, BIAS):
        part = [0.0] * 16
        for at, (j, value) in enumerate(entries):
            part[(at if SPARSE else j) % 16] += value * w.get(j, 0.0)
        for half in (8, 4, 2, 1):
            for lane in range(half):
                part[lane] += part[lane + half]
        found.append(part[0] + b)
    return found
'''

BINARY = f'''

def predict(x):
    """Return the label of one example; a score of zero is positive."""
    return CLASSES[1] if scores(x)[0] >= {LEAST_POSITIVE:g} else CLASSES[0]
'''

MULTICLASS = '''

def predict(x):
    """Return the label of one example: the class of the largest score, the first of equals."""
    found = scores(x)
    return CLASSES[found.index(max(found))]
'''


def to_python(model: Any, *, encoder: Encoder | None = None) -> str:
    """Return Python source with ``scores(x)`` and ``predict(x)``; it imports nothing beyond Python itself.

    Parameters
    ----------
    model : a linear model, or a fitted estimator that has one.
    encoder : how columns become features. With it, x is a row of the table as a mapping from column names to values,
        categories and texts included; without, x is the list of features.

    Notes
    -----
    Scores are the same floats as the model's, for rows of finite numbers. Blanks around a level count, as in Parquet (of
    CSV cells they are stripped). Which letters make a word is a matter of the Unicode tables of the Python that runs the
    source.

    Examples
    --------
    >>> from rosenblatt import learn
    >>> source = to_python(learn([[9], [11]], ["low", "high"]).model)
    >>> module = {}
    >>> exec(source, module)
    >>> module["predict"]([12.0])
    'high'
    """
    linear = linear_of(model, "Python")
    data = _of_features(linear) if encoder is None else _of_columns(linear, encoder)
    decide = BINARY if linear.w.ndim == 1 else MULTICLASS
    return f'"""{header_line(linear, rosenblatt.__version__)}"""\n\n{data}{decide}'


def _of_features(linear: LinearModel) -> str:
    W, b = vectors(linear)
    rows = "".join("    [" + ", ".join(map(number, w)) + "],\n" for w in W)
    return (
        f"FEATURES = {feature_names(linear)!r}\n"
        f"CLASSES = {linear.classes.tolist()!r}\n"
        f"WEIGHTS = [\n{rows}]\n"
        f"BIAS = [{', '.join(map(number, b))}]\n" + SCORE
    )


def _of_columns(linear: LinearModel, encoder: Encoder) -> str:
    W, b = vectors(linear)
    if not encoder.columns or encoder.d != W.shape[1]:
        raise DataError(f"the encoder makes {encoder.d} features of {len(encoder.columns)} columns, not {W.shape[1]}.")
    columns = [
        (
            column.name,
            column.kind,
            start,
            {level: k for k, level in enumerate(column.levels)},
            column.width,
            column.ngrams,
        )
        for column, start in zip(encoder.columns, encoder.starts, strict=True)
    ]
    # Only the weights that are not zero are written: of the buckets of a text most were never met.
    weights = [{j: float(w[j]) for j in np.flatnonzero(w).tolist()} for w in W]
    single = encoder.dtype == "float32"
    return (
        f"import re\n{'import struct' + chr(10) if single else ''}import zlib\nfrom collections import Counter\n\n"
        f"COLUMNS = {_written(columns)}  # name, kind, first feature, levels, features, words in a run\n"
        f"CLASSES = {linear.classes.tolist()!r}\n"
        f"WEIGHTS = {_written(weights)}\n"
        f"BIAS = {b.tolist()!r}\n"
        f"MISSING = {encoder.missing!r}\n"
        f"SPARSE = {encoder.sparse!r}\n"
        f"FILL = {_numbers(encoder.fill)}\nSHIFT = {_numbers(encoder.shift)}\nFACTOR = {_numbers(encoder.factor)}\n"
        f"TRUE, FALSE, MISSING_WORDS = {TRUE!r}, {FALSE!r}, {NULLS!r}\n"
        + ('ROUND = lambda value: struct.unpack("f", struct.pack("f", value))[0]\n' if single else "ROUND = float\n")
        + ENCODE
    )


def _written(value: Any) -> str:
    return pprint.pformat(value, width=118, compact=True, sort_dicts=False)


def _numbers(values: Any) -> str:
    return "None" if values is None else _written(values.tolist())
