"""Reading ahead: blocks are read and decoded while those before them are being learnt from."""

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Generic, TypeVar

from rosenblatt.data.cores import cores

MOST = 8  # blocks made at once: each is held in memory
T = TypeVar("T")
Made = TypeVar("Made")
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


def made_ahead(make: Callable[[T], Made], items: Iterable[T]) -> Generator[Made, None, None]:
    """Return what is made of each item, in order, one item to a core at a time.

    Several blocks side by side, each on one thread, are made sooner than one after another on all: nobody waits for
    the next to be read. The caller's thread is one of them: when enough items wait it makes one itself, for a thread
    more than there are cores would only take turns with the others.

    >>> list(made_ahead(abs, [-3, 2, -1]))
    [3, 2, 1]
    """
    workers = min(cores(), MOST)
    if workers == 1:
        yield from map(make, items)
        return
    coming: deque[_Task[T, Made]] = deque()
    waiting, broken = iter(items), None
    pool = ThreadPoolExecutor(workers - 1, thread_name_prefix="rosenblatt-decode")
    try:
        while broken is None:
            try:
                item = next(waiting)
                coming.append(_Task(item, pool.submit(make, item)))
            except StopIteration:
                break
            except Exception as error:  # what came before it comes first
                broken = error
            if len(coming) > 2 * workers:
                yield _oldest(coming, make)
        while coming:
            yield _oldest(coming, make)
    finally:
        pool.shutdown(cancel_futures=True)  # nobody waits for what nobody has begun
    if broken is not None:
        raise broken


@dataclass
class _Task(Generic[T, Made]):
    item: T
    made: Future[Made]


def _oldest(coming: deque[_Task[T, Made]], make: Callable[[T], Made]) -> Made:
    """Return what was made of the oldest item; until it is done, make others that nobody has begun."""
    while not coming[0].made.done():
        mine = next((task for task in coming if task.made.cancel()), None)
        if mine is None:
            break
        mine.made = Future()
        try:
            mine.made.set_result(make(mine.item))
        except Exception as error:
            mine.made.set_exception(error)
    return coming.popleft().made.result()
