"""kill −9 during a checkpointed fit: the resumed run ends with the same bytes, and nothing is left lying about."""

import random
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from tests.soak.part import COMMAND, demand, run


def soak(folder: Path, *, small: bool) -> Iterator[str]:
    """Kill at random moments, one to three times a run, and let each run come to its end."""
    kills = 2 if small else 50
    data = folder / "data.csv"
    _write(data, rows=3000)
    options = ["fit", data, "--variant", "averaged", "--max-passes", 5 if small else 200, "--memory", "1MB"]
    options += ["--every", "10ms", "--checkpoint"]
    whole = folder / "whole"
    whole.mkdir()
    began = time.monotonic()
    done = run(*options, whole / "state", "--out", whole / "model.safetensors")
    lasts = time.monotonic() - began
    demand(done.code == 0, f"the run that is not killed fails: {done.err[-500:]}")
    expected = (whole / "model.safetensors").read_bytes()
    chance = random.Random(0)
    made = late = rounds = resumed = 0
    while made < kills:
        place = folder / f"killed{rounds}"
        place.mkdir()
        rounds += 1
        arguments = [*options, place / "state", "--resume", "--out", place / "model.safetensors"]
        for _ in range(min(chance.randint(1, 3), kills - made)):
            running = _kill(arguments, chance.uniform(0, lasts))
            made, late = made + running, late + (not running)
        resumed += (place / "state").exists()
        last = run(*arguments)
        demand(last.code == 0, f"after {made} kills the run cannot be resumed: {last.err[-500:]}")
        left = sorted(path.name for path in place.iterdir())
        demand(left == ["model.safetensors", "state"], f"files lie about: {left}")
        demand(
            (place / "model.safetensors").read_bytes() == expected, f"{place.name}: the resumed model is another one"
        )
    yield (
        f"{made} kills of a running program in {rounds} runs of {lasts:.1f} s ({late} more came too late), {resumed} runs "
        "went on from a checkpoint; every model byte-identical, no stray file"
    )


def _kill(arguments: list[object], after: float) -> bool:
    """Start the program and kill it; return whether it was still running."""
    process = subprocess.Popen(
        [*COMMAND, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )  # fmt: skip
    time.sleep(after)
    running = process.poll() is None
    process.kill()
    process.wait()
    return running


def _write(path: Path, rows: int) -> None:
    """Write a table that no perceptron separates, so that every pass has work to do."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((rows, 20))
    y = X @ rng.standard_normal(20) + 2 * rng.standard_normal(rows) > 0
    names = [*(f"x{j}" for j in range(20)), "kind"]
    body = [",".join([*(f"{v:.4f}" for v in row), "yes" if label else "no"]) for row, label in zip(X, y, strict=True)]
    path.write_text("\n".join([",".join(names), *body, ""]))
