"""Words as features: the n-grams of a text, the bucket each is hashed into, and back from a bucket to its words."""

import re
import zlib
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rosenblatt.data.table import Batch, Cells, Factor

if TYPE_CHECKING:
    from rosenblatt.data.encoder import Encoder

WORD = re.compile(r"\w+")


def word_ngrams(text: str, ngrams: int) -> list[str]:
    """Return the runs of 1 to ``ngrams`` words of a text, in lower case and joined by a space.

    Words are runs of letters, digits and underscores.

    >>> word_ngrams("Win CASH, win!", 2)
    ['win', 'cash', 'win', 'win cash', 'cash win']
    """
    words = WORD.findall(text.lower())
    found = list(words)
    for size in range(2, ngrams + 1):
        found += [" ".join(words[i : i + size]) for i in range(len(words) - size + 1)]
    return found if ngrams else []


def bucket(ngram: str, width: int) -> int:
    """Return the bucket of an n-gram: its CRC-32, modulo width."""
    return zlib.crc32(ngram.encode("utf-8", "surrogatepass")) % width


def hash_words(text: str, *, width: int, ngrams: int) -> Counter[int]:
    """Count the word n-grams of a text by bucket. Any language with CRC-32 can compute the same buckets.

    >>> sorted(hash_words("Win CASH, win!", width=1000, ngrams=1).items())
    [(265, 1), (510, 2)]
    """
    return Counter(bucket(ngram, width) for ngram in word_ngrams(text, ngrams))


def texts(cells: Cells) -> Iterator[str]:
    """Return the texts of a column; a missing one is empty: it has no words, which is no error."""
    if isinstance(cells, Factor):
        return ("" if code < 0 else cells.values[code] for code in cells.codes)
    return (str(cell) for cell in cells)


def words_behind(encoder: "Encoder", batch: Batch) -> dict[int, Counter[str]]:
    """Return for every hashed feature that the rows of a batch have, which n-grams it stands for, and how often.

    Several n-grams of one feature share its bucket, and so its weight.

    >>> from rosenblatt.data import Column, Encoder
    >>> from rosenblatt.data.table import batch_of
    >>> encoder = Encoder(columns=(Column("size", "number"), Column("note", "text", width=3, ngrams=1)))
    >>> batch = batch_of({"size": [1], "note": ["win cash now now free"]})
    >>> {j: dict(words) for j, words in sorted(words_behind(encoder, batch).items())}
    {1: {'win': 1, 'free': 1}, 3: {'cash': 1, 'now': 2}}
    """
    found: dict[int, Counter[str]] = {}
    for column, start in zip(encoder.columns, encoder.starts, strict=True):
        if column.kind == "text":
            for text in texts(batch.columns[column.name]):
                for ngram in word_ngrams(text, column.ngrams):
                    found.setdefault(start + bucket(ngram, column.width), Counter())[ngram] += 1
    return found
