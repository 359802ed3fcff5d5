"""This machine: what it is, and how fast one core can read memory that no cache holds."""

import os
import platform
import time
from pathlib import Path
from typing import Any

import numpy as np

import rosenblatt._core as _core
from rosenblatt.data.cores import cores


def read_bandwidth(bytes_: int = 1 << 29, repeats: int = 5) -> float:
    """Return bytes per second, best of several sweeps of a maximum over int64 (one load each, nothing stored)."""
    block = np.ones(bytes_ // 8, dtype=np.int64)
    best = float("inf")
    for _ in range(repeats):
        begin = time.perf_counter()
        block.max()
        best = min(best, time.perf_counter() - begin)
    return bytes_ / best


def describe() -> dict[str, Any]:
    """Return the machine in words and numbers."""
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 0
    return {
        "processor": _processor(),
        "cores": cores(),
        "level": _core.level(),
        "memory": pages,
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "bandwidth": read_bandwidth(),
    }


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
