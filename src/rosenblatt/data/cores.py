"""How many processors this process may use."""

import os


def cores() -> int:
    """Return their number; a container or a batch system may have given fewer than there are."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
