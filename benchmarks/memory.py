"""Peak memory beyond the input, ours and scikit-learn's, each measured in a process of its own."""

import ctypes
import gc
import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import data

PASSES = 3
BLOCK = 4 << 20  # what is read at a time where something is read in blocks


def seeded_bytes() -> tuple[np.ndarray, np.ndarray]:
    """As many bytes as MNIST has, labels by a random direction."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 256, (60_000, 784), dtype=np.uint8)
    return X, (X @ rng.standard_normal(784).astype(np.float32) > 0).astype(np.int32)


INPUTS: dict[str, Callable[[], tuple[Any, np.ndarray]]] = {
    "dense float32 200 000 × 100": lambda: data.dense(200_000, 100),
    "bytes 60 000 × 784": seeded_bytes,
    "sparse text 100 000 × 47 000": data.text_like,
}


@dataclass(frozen=True)
class Peak:
    """Bytes: the input's, the most held beyond it by each side, and what ours is allowed."""

    name: str
    input: int
    ours: int
    scikit_learn: int
    allowed: int


def measure(name: str) -> Peak:
    """Fit one input in two processes side by side, one for each library."""
    root = Path(__file__).resolve().parents[1]
    command = [sys.executable, "-m", "benchmarks.memory", name]
    children = [subprocess.Popen([*command, side], cwd=root, stdout=subprocess.PIPE, text=True) for side in FITS]
    ours, theirs = (json.loads(child.communicate()[0]) for child in children)
    allowed = 12 * ours["rows"] + BLOCK  # labels, order and norms take four bytes a row each
    return Peak(name, ours["input"], ours["beyond"], theirs["beyond"], allowed)


def fit_ours(X, y) -> None:
    from rosenblatt import learn

    learn(X, y, order="shuffle", max_passes=PASSES, journal=False)


def fit_scikit_learn(X, y) -> None:
    from sklearn.linear_model import Perceptron

    Perceptron(max_iter=PASSES, tol=None).fit(X, y)


FITS = {"ours": fit_ours, "scikit-learn": fit_scikit_learn}


def beyond(job: Callable[[], None]) -> int:
    """Return by how much the resident set grows at most while the job runs.

    Linux can forget the highest mark; elsewhere it counts from the start of the process, so that what was held before
    and let go again hides as much of the growth.
    """
    gc.collect()
    _give_back()
    try:
        Path("/proc/self/clear_refs").write_text("5")
        read = _high_water_of_linux
    except OSError:
        read = _high_water_of_the_process
    before = read()
    job()
    return read() - before


def _give_back() -> None:
    """Hand memory that was freed to the system, where the C library can: the job would use it unseen."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def _refuse_huge_pages() -> None:
    """Let memory come in small pages, where the system can: the first byte of a huge one counts as two megabytes."""
    control = getattr(ctypes.CDLL(None), "prctl", None)
    if control is not None:
        disable_huge_pages = 41
        control(disable_huge_pages, 1, 0, 0, 0)


def _high_water_of_linux() -> int:
    found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert found is not None
    return 1024 * int(found[1])


def _high_water_of_the_process() -> int:
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def main() -> None:
    """The child: make the input, load the code with a small fit, then measure the large one."""
    name, side = sys.argv[1:]
    _refuse_huge_pages()
    X, y = INPUTS[name]()
    fit = FITS[side]
    fit(X[:100], y[:100])
    grown = beyond(lambda: fit(X, y))
    parts = [X] if isinstance(X, np.ndarray) else [X.data, X.indices, X.indptr]
    print(json.dumps({"rows": X.shape[0], "input": sum(part.nbytes for part in parts), "beyond": grown}))


if __name__ == "__main__":
    main()
