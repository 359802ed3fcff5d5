"""Files larger than memory: svmlight and Parquet of 2 GB train under a cap of 400 MB."""

import json
import multiprocessing
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from tests.soak.part import capped, demand, run

CAP = 400_000_000
BUDGET = "128MB"  # for data; Python, NumPy and pyarrow take about 110 MB before the first row
WORDS, NONZEROS = 47_000, 68
COLUMNS, GROUP = 28, 1 << 20  # rows of a Parquet row group, as pyarrow writes by itself


def soak(folder: Path, *, small: bool) -> Iterator[str]:
    """Train averaged, two passes, on each file; fail above the cap or below a plausible accuracy."""
    size = 20_000_000 if small else 2_000_000_000
    for make, name, which in ((svmlight, "large.svm", ()), (parquet, "large.parquet", ("--target", "label"))):
        path = folder / name
        _apart(make, path, size)
        with capped(CAP) as group:
            settings = ["--memory", BUDGET, "--variant", "averaged", "--max-passes", 2]
            done = run("fit", path, *which, *settings, "--json", group=group)
        demand(done.code == 0, f"{name}: exit code {done.code}: {done.err[-500:]}")
        report = json.loads(done.out)
        how = "capped by a control group" if group is not None else "measured only: no control group can be made here"
        yield (
            f"{name}: {path.stat().st_size / 1e6:.0f} MB, {report['rows']} rows, peak {done.peak / 1e6:.0f} MB "
            f"({how}), accuracy {report['train_accuracy']:.4f}"
        )
        demand(done.peak <= CAP, f"{name}: the peak is above {CAP / 1e6:.0f} MB")
        demand(report["train_accuracy"] > 0.8, f"{name}: nothing was learnt")
        path.unlink()


def _apart(make: Callable[[Path, int], None], path: Path, size: int) -> None:
    """Make the file in a process of its own: a child's peak begins with what its parent held when it was started."""
    maker = multiprocessing.get_context("spawn").Process(target=make, args=(path, size))
    maker.start()
    maker.join()
    demand(maker.exitcode == 0, f"{path.name} was not made")


def svmlight(path: Path, size: int) -> None:
    """Write text-like rows: sixteen different stretches of lines in a random sequence."""
    rng = np.random.default_rng(0)
    direction = rng.standard_normal(WORDS)
    stretches = [_lines(rng, direction, min(size // 20, 8_000_000)) for _ in range(16)]
    with path.open("wb") as file:
        while file.tell() < size:
            file.write(stretches[rng.integers(16)])


def _lines(rng: np.random.Generator, direction: np.ndarray, size: int) -> bytes:
    lines, written = [], 0
    while written < size:
        columns = np.unique(np.minimum((WORDS ** rng.random(NONZEROS)).astype(int) - 1, WORDS - 1))
        values = rng.uniform(0.05, 0.3, len(columns)).round(6)
        label = int(values @ direction[columns] > 0)
        pairs = " ".join(f"{j + 1}:{v}" for j, v in zip(columns.tolist(), values.tolist(), strict=True))
        lines.append(f"{label} {pairs}\n".encode())
        written += len(lines[-1])
    return b"".join(lines)


def parquet(path: Path, size: int) -> None:
    """Write random float32 columns in row groups of a million rows."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(0)
    direction = rng.standard_normal(COLUMNS).astype(np.float32)
    schema = pa.schema([*((f"x{j}", pa.float32()) for j in range(COLUMNS)), ("label", pa.int8())])
    left = size // (4 * COLUMNS)
    with pq.ParquetWriter(path, schema, use_dictionary=False) as writer:
        while left > 0:
            n = min(left, GROUP)
            X = rng.standard_normal((COLUMNS, n), dtype=np.float32)
            y = (direction @ X + rng.standard_normal(n, dtype=np.float32) > 0).astype(np.int8)
            writer.write_table(pa.table([*X, y], schema=schema), row_group_size=GROUP)
            left -= n
