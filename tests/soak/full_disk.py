"""A full disk: every file that is written says so with exit code 2, keeps its old content, and leaves no part behind."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.soak.part import Skipped, demand, run

ROWS = "".join(f"{i % 17},{i * 7 % 13},{'yes' if i % 17 > i * 7 % 13 else 'no'}\n" for i in range(2000))
OLD = b"what stood here before"


def soak(folder: Path, *, small: bool) -> Iterator[str]:
    """Try each kind of file on a small file system that is full."""
    data = folder / "data.csv"
    data.write_text("a,b,kind\n" + ROWS)
    model, state = folder / "model.json", folder / "state"
    enough = run("fit", data, "--out", model, "--checkpoint", state, "--max-passes", "1")
    demand(enough.code == 0, f"the run with room enough fails: {enough.err[-300:]}")
    with mounted(folder / "disk") as disk:
        for name, arguments in {
            "model.safetensors": ["fit", data, "--out", disk / "model.safetensors"],
            "model.json": ["fit", data, "--out", disk / "model.json"],
            "state": ["fit", data, "--checkpoint", disk / "state", "--resume", "--every", "1ms"],
            "converted.svm": ["convert", data, disk / "converted.svm"],
            "code.c": ["export", model, "--to", "c", "--out", disk / "code.c"],
        }.items():
            old = (
                state.read_bytes() if name == "state" else OLD
            )  # only by the run it belongs to is a checkpoint replaced
            (disk / name).write_bytes(old)
            before = _fill(disk)
            done = run(*arguments)
            demand(done.code == 2, f"{name}: exit code {done.code} on a full disk; {done.err[-300:]}")
            demand("no space left" in done.err.lower(), f"{name}: the message does not name the cause: {done.err}")
            demand("Traceback" not in done.err, f"{name}: {done.err[-500:]}")
            demand((disk / name).read_bytes() == old, f"{name}: the old file was damaged")
            demand(_content(disk) == before, f"{name}: files lie about: {_content(disk)}")
            _empty(disk)
        yield "model (two formats), checkpoint, converted data, exported code: exit 2, old file intact, none partial"
        yield _cache(disk, data)
        yield _predictions(disk, data, model)


def _cache(disk: Path, data: Path) -> str:
    """The cache is a convenience: the run goes on without it and says so."""
    (disk / "data.csv").write_bytes(data.read_bytes())
    before = _fill(disk)
    done = run("fit", disk / "data.csv", "--cache")
    demand(done.code == 0, f"cache: exit code {done.code}; {done.err[-300:]}")
    demand("no space left" in done.err.lower(), f"cache: the message does not name the cause: {done.err}")
    demand(_content(disk) == before, f"cache: files lie about: {_content(disk)}")
    _empty(disk)
    return "cache: not written, said so, the fit itself done, none partial"


def _predictions(disk: Path, data: Path, model: Path) -> str:
    _fill(disk)
    done = run("predict", model, data, stdout=disk / "predictions.csv")
    demand(done.code == 2, f"predictions: exit code {done.code}; {done.err[-300:]}")
    demand("no space left" in done.err.lower(), f"predictions: the message does not name the cause: {done.err}")
    _empty(disk)
    return "predictions to standard output: exit 2"


@contextmanager
def mounted(place: Path) -> Iterator[Path]:
    """Give a file system of one megabyte."""
    place.mkdir()
    try:
        made = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)], capture_output=True, text=True
        )
    except FileNotFoundError:
        raise Skipped("there is no mount command") from None
    if made.returncode:
        raise Skipped(f"a small file system cannot be mounted by this user: {made.stderr.strip()}")
    try:
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)


def _fill(disk: Path) -> dict[str, int]:
    with (disk / "filler").open("wb", buffering=0) as file:
        try:
            while file.write(b"\0" * 4096):
                pass
        except OSError:
            pass
    return _content(disk)


def _content(disk: Path) -> dict[str, int]:
    return {path.name: path.stat().st_size for path in sorted(disk.iterdir())}


def _empty(disk: Path) -> None:
    for path in disk.iterdir():
        path.unlink()
