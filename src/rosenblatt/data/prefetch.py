"""Reading ahead: the next block is read and decoded while the one before is being learnt from."""

from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")
_END = object()


def prefetched(items: Iterator[T]) -> Generator[T, None, None]:
    """Return the same items, the next one being made in the background; never more than one ahead.

    >>> list(prefetched(iter([1, 2, 3])))
    [1, 2, 3]
    """
    with ThreadPoolExecutor(1, thread_name_prefix="rosenblatt-prefetch") as pool:
        coming = pool.submit(next, items, _END)
        while (item := coming.result()) is not _END:
            coming = pool.submit(next, items, _END)
            yield item  # type: ignore[misc]
