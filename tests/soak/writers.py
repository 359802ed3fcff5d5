"""Several processes save to one model file: whoever reads it finds one of the models, whole, at every moment."""

import multiprocessing
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from rosenblatt.models import LinearModel, load, save
from tests.soak.part import demand

WRITERS = 3
D = 20_000


def soak(folder: Path, *, small: bool) -> Iterator[str]:
    """Let the writers loose, and read until they are done."""
    times = 20 if small else 400
    path = folder / "model.safetensors"
    whole = []
    for number in range(WRITERS):
        _write(number, path, 1)
        whole.append(path.read_bytes())
    start = multiprocessing.get_context("spawn")
    writers = [start.Process(target=_write, args=(number, path, times)) for number in range(WRITERS)]
    for writer in writers:
        writer.start()
    read, seen = 0, set()
    while any(writer.is_alive() for writer in writers):
        content = path.read_bytes()
        demand(content in whole, "the file held something that nobody wrote")
        seen.add(whole.index(content))
        demand(len(set(load(path).w.tolist())) == 1, "a model with weights of two writers was loaded")
        read += 1
    for writer in writers:
        writer.join()
        demand(writer.exitcode == 0, f"a writer ended with {writer.exitcode}")
    demand(path.read_bytes() in whole, "the last file is none of those written")
    demand([p.name for p in folder.iterdir()] == [path.name], f"files lie about: {list(folder.iterdir())}")
    yield f"{WRITERS} writers, {times} times each; read {read} times, {len(seen)} of the models seen, each whole"


def _write(number: int, path: Path, times: int) -> None:
    model = LinearModel(np.full(D, float(number)), float(number), np.array(["no", "yes"]))
    for _ in range(times):
        save(model, path)
