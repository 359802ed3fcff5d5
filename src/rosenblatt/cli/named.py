"""Features by the names a person knows: those of the encoder, and for a bucket of hashed words the words in it."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from rosenblatt.data.encoder import Encoder
from rosenblatt.data.words import words_behind

ROWS = 20_000  # rows of a file in which the words behind its largest weights are looked for
LONGEST = 28  # letters of an n-gram


def named(encoder: Encoder, j: int, words: Mapping[int, Counter[str]]) -> str:
    """Return the name of feature j; words that share its bucket are joined by "or", the most frequent first.

    >>> from rosenblatt.data import Column
    >>> encoder = Encoder(columns=(Column("note", "text", width=3, ngrams=1),))
    >>> words = {0: Counter({"cash": 2}), 1: Counter(win=1, now=3, free=1)}
    >>> named(encoder, 0, words), named(encoder, 1, words), named(encoder, 2, words)
    ('note "cash"', 'note "now" or "win" or 1 more', 'note#2')
    """
    here = words.get(j)
    if not here:
        return encoder.name(j)
    shown = [f'"{_short(word)}"' for word, _ in here.most_common(2)]
    shown += [f"{len(here) - 2} more"] if len(here) > 2 else []
    return f"{encoder.name(j).rpartition('#')[0]} {' or '.join(shown)}"


def _short(word: str) -> str:
    return word if len(word) <= LONGEST else word[: LONGEST - 1] + "…"


def words_of_file(encoder: Encoder, source: Any, features: Iterable[int]) -> dict[int, Counter[str]]:
    """Return the words behind some features, as found in the first rows of a file."""
    wanted = {j for j in features if encoder.columns and encoder.column(j).kind == "text"}
    found: dict[int, Counter[str]] = {}
    seen = 0
    for batch in source.batches() if wanted else ():
        for j, words in words_behind(encoder, batch).items():
            if j in wanted:
                found[j] = found.get(j, Counter()) + words
        seen += batch.n
        if seen >= ROWS:
            break
    return found


def shared_buckets(encoder: Encoder) -> str:
    """Return what a reader of words should know: that they share buckets."""
    widths = [column.width for column in encoder.columns if column.kind == "text"]
    return (
        f'words are hashed into {max(widths):,} buckets; "a" or "b": both fell into one and share its weight, '
        "as other words of the training texts may"
    )
