"""How many threads a comparison may use: one core, or all that this process has."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from threadpoolctl import threadpool_limits


@contextmanager
def limited_to(threads: int) -> Iterator[None]:
    """Keep everybody, ours and the peers, to one core if ``threads`` is 1: threads started inside stay on it too."""
    if threads > 1 or not hasattr(os, "sched_getaffinity"):
        with threadpool_limits(threads):
            yield
        return
    arrow = sys.modules.get("pyarrow")
    before, arrow_before = os.sched_getaffinity(0), arrow.cpu_count() if arrow else 0
    os.sched_setaffinity(0, {max(before)})
    if arrow:
        arrow.set_cpu_count(1)  # its threads are older than the limit
    try:
        with threadpool_limits(1):
            yield
    finally:
        os.sched_setaffinity(0, before)
        if arrow:
            arrow.set_cpu_count(arrow_before)
