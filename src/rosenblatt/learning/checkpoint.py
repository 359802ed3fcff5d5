"""Checkpoints: everything that decides the rest of a run, in one file that is replaced whole or not at all.

The file is an npz archive of plain arrays (never pickled objects): the learners' states, and under ``meta`` a JSON text
with the plan, the fingerprint of the examples, and where the run stands.
"""

import hashlib
import json
import os
import time
import tokenize
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

import rosenblatt._core as _core
from rosenblatt._typing import Codes, Doubles
from rosenblatt.data.files import write_atomically
from rosenblatt.data.rows import Rows
from rosenblatt.errors import DataError
from rosenblatt.learning.plan import Plan
from rosenblatt.learning.policy import Stop, deadline

VERSION = 2
FINAL = ("clean_pass", "max_updates")  # nothing is left to do
DAMAGE = (zipfile.BadZipFile, zlib.error, tokenize.TokenError)  # the last from heads of arrays
Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Checkpoint:
    """Where and how often a run saves itself, so that it can be continued to the identical final model.

    Parameters
    ----------
    path : the file; written under a temporary name, flushed to the disk, then renamed.
    every : seconds between two saves; the run also saves itself when it stops.
    resume : continue from the file if it is there; without one the run starts at the beginning. A file that belongs to
        other examples or other settings is refused. The limits (passes, updates, seconds) may differ; but where each of
        several classes has stopped at its own last update, more of them cannot be asked for.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from rosenblatt import learn
    >>> X, y = [[-2, 0], [0, -2], [-2, 2], [2, 2]], [-1, -1, 1, 1]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder) / "run.checkpoint"
    ...     first = learn(X, y, bias=False, max_passes=1, checkpoint=Checkpoint(file))
    ...     rest = learn(X, y, bias=False, checkpoint=Checkpoint(file, resume=True))
    >>> first.n_passes, rest.n_passes, rest.w.tolist() == learn(X, y, bias=False).w.tolist()
    (1, 3, True)
    """

    path: str | os.PathLike[str]
    every: float = 30.0
    resume: bool = False

    def __post_init__(self) -> None:
        if not self.every >= 0:
            raise DataError(f"every={self.every!r} must be a number of seconds, 0 or more.")

    def load(self, plan: Plan, fingerprint: str) -> "Saved | None":
        """Return what was saved, if there is a file to resume from and it belongs to this plan and these examples."""
        if not self.resume or not Path(self.path).exists():
            return None
        saved = read_checkpoint(self.path)
        theirs, ours = _settings(saved.meta["plan"]), _settings(json.loads(json.dumps(asdict(plan))))
        if theirs != ours:
            differing = [key for key in ours if theirs.get(key) != ours[key]]
            key = differing[0] if differing else "plan"
            raise DataError(
                f"{self.path} was saved with {key}={theirs.get(key)!r}; this run has {key}={ours.get(key)!r}."
            )
        if saved.meta["fingerprint"] != fingerprint:
            raise DataError(
                f"{self.path} was saved with other examples, another start, or of a file in blocks another memory=; it cannot be "
                "continued here."
            )
        return saved


@dataclass(frozen=True, eq=False)
class Saved:
    """The content of a checkpoint: where the run stood, and the arrays of each learner and of the driver."""

    meta: dict[str, Any]
    states: tuple[Arrays, ...]
    extra: Arrays


def write_checkpoint(
    path: str | os.PathLike[str],
    plan: Plan,
    fingerprint: str,
    learners: Sequence[_core.Learner],
    position: Mapping[str, Any],
    extra: Arrays | None = None,
) -> None:
    """Save a run. ``position`` is plain JSON; ``extra`` holds arrays of the driver."""
    meta = {"version": VERSION, "plan": asdict(plan), "fingerprint": fingerprint, "position": dict(position)}
    meta["learners"] = len(learners)
    arrays: Arrays = {"meta": np.frombuffer(json.dumps(meta).encode(), dtype=np.uint8)}
    for k, learner in enumerate(learners):
        arrays.update({f"learner{k}.{key}": column for key, column in learner.state().items()})
    arrays.update({f"extra.{key}": column for key, column in (extra or {}).items()})

    def write(file: BinaryIO) -> None:
        np.savez(file, allow_pickle=False, **arrays)

    write_atomically(path, write)


def read_checkpoint(path: str | os.PathLike[str]) -> Saved:
    """Return a saved run, or say that the file is none or is damaged."""
    if not zipfile.is_zipfile(path):
        raise DataError(f"{path} is no checkpoint, or it is cut short.")
    try:
        with Path(path).open("rb") as file, np.load(file, allow_pickle=False) as archive:
            arrays = {key: archive[key] for key in archive.files}
        meta = json.loads(arrays.pop("meta").tobytes())
        if meta["version"] != VERSION:
            raise DataError(f"{path} was saved by another version of the library (format {meta['version']}).")
        for key in ("plan", "fingerprint", "position", "learners"):
            meta[key]
        if not (isinstance(meta["plan"], dict) and isinstance(meta["position"], dict)):
            raise TypeError("its plan or its place is no table")
        reasons = meta["position"].get("reasons", [])
        if not (isinstance(reasons, list) and all(isinstance(reason, str) for reason in reasons)):
            raise TypeError("why its learners had stopped is no list of words")
        if meta["learners"] != len({key.partition(".")[0] for key in arrays if key.startswith("learner")}):
            raise TypeError("it has other learners than it says")
        states = tuple(_with_prefix(arrays, f"learner{k}.") for k in range(meta["learners"]))
    except DataError:
        raise
    except (OSError, ValueError, KeyError, TypeError, EOFError, AttributeError, RuntimeError, *DAMAGE) as error:
        raise DataError(f"{path} is no checkpoint, or it is damaged: {error}.") from error
    return Saved(meta, states, _with_prefix(arrays, "extra."))


def _settings(plan: dict[str, Any]) -> dict[str, Any]:
    """Return a plan as a file holds it with the settings of its rule and its order beside the others.

    >>> _settings({"order": {"name": "shuffle", "seed": 1}, "bias": True})
    {'order': 'shuffle', 'seed': 1, 'bias': True}
    """
    settings: dict[str, Any] = {}
    for name, value in plan.items():
        parts = value if isinstance(value, dict) else {"name": value}
        settings |= {name if key == "name" else key: part for key, part in parts.items()}
    return settings


def _with_prefix(arrays: Arrays, prefix: str) -> Arrays:
    return {key.removeprefix(prefix): column for key, column in arrays.items() if key.startswith(prefix)}


@contextmanager
def naming_damage(path: str | os.PathLike[str]) -> Iterator[None]:
    """Say which checkpoint it is that cannot be taken up."""
    try:
        yield
    except (ValueError, RuntimeError, KeyError, TypeError) as error:
        raise DataError(f"{path} is damaged: {error}.") from error


def restore(learners: Sequence[_core.Learner], saved: Saved, path: str | os.PathLike[str]) -> None:
    """Give the learners their saved states."""
    with naming_damage(path):
        for learner, state in zip(learners, saved.states, strict=True):
            learner.restore(state)


def bind_again(
    learner: _core.Learner,
    rows: Rows,
    codes: Codes,
    weight: Doubles | None,
    path: str | os.PathLike[str],
    *,
    blocks: bool = False,
) -> None:
    """Give a restored learner its examples back, at the place where it stood in them."""
    with naming_damage(path):
        learner.rebind(rows.examples(), codes, weight, blocks=blocks)


def digest(*arrays: NDArray[Any] | None) -> str:
    """Return a digest of arrays: it changes whenever one of their numbers does."""
    made = hashlib.blake2b(digest_size=16)
    for array in arrays:
        if array is None:
            made.update(b"-")
        else:
            made.update(f"{array.shape}{array.dtype}".encode())
            made.update(np.ascontiguousarray(array).data.cast("B") if array.size else b"")
    return made.hexdigest()


def unfinished(saved: Saved | None, n_learners: int) -> list[str]:
    """Return for each learner why it had stopped for good, or "" if there may be something left to do."""
    reasons = [] if saved is None else saved.meta["position"].get("reasons", [])
    final = [reason if reason in FINAL else "" for reason in reasons]
    return final if len(final) == n_learners else [""] * n_learners


def go_on(learners: Sequence[_core.Learner], max_updates: int | None, path: str | os.PathLike[str]) -> list[int]:
    """Let those go on that had made all updates they were allowed, and now may make more; return which."""
    revived = []
    for k, learner in enumerate(learners):
        counts = learner.counts
        capped = [updates for updates, state in zip(counts["machine_updates"], counts["machine_running"], strict=True)
                  if state == "capped"]  # fmt: skip
        if not capped or (max_updates is not None and max(capped) >= max_updates):
            continue
        if len(counts["machine_running"]) > 1:
            raise DataError(
                f"{path}: the machines of {len(counts['machine_running'])} classes stopped at {max(capped)} updates each, "
                "every one at its own place; with more updates begin anew."
            )
        learner.go_on()
        revived.append(k)
    return revived


Drive = Callable[[Sequence[_core.Learner], Stop], tuple[list[str], bool]]


def drive_saved(
    learners: Sequence[_core.Learner],
    stop: Stop,
    drive: Drive,
    save: Callable[[list[str]], None],
    *,
    every: float,
    reasons: Sequence[str],
) -> tuple[list[str], bool]:
    """Drive learners as ``drive`` does, saving every so many seconds and at the end; ``reasons`` is "" for unfinished.

    A learner that has stopped is not driven again: one more clean pass would be counted.
    """
    end = deadline(stop.max_seconds)
    found = list(reasons)
    while open_ := [k for k, reason in enumerate(found) if not reason]:
        left = end - time.monotonic()
        if left <= 0:
            for k in open_:
                found[k] = "max_seconds"
            break
        span = min(max(every, 0.01), left)
        some, interrupted = drive([learners[k] for k in open_], replace(stop, max_seconds=span))
        for k, reason in zip(open_, some, strict=not interrupted):  # none, where somebody's progress raised Ctrl-C
            found[k] = "" if reason in ("max_seconds", "interrupted") else reason
        save(found)
        if interrupted:
            return found, True
    return found, False
