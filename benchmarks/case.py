"""One comparison: what a case is, and how ours and a peer are timed in turn."""

import gc
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

# Does the work once. Returns what to show (an accuracy, a count), or a function that finds it when the clock has
# stopped, or `Clocked` if it kept the time itself.
Job = Callable[[], Any]


@dataclass(frozen=True)
class Clocked:
    """The seconds of the part of a job that counts, and what to show."""

    seconds: float
    shown: Any = None


@dataclass(frozen=True)
class Setting:
    """How a case is to be run."""

    quick: bool
    threads: int


@dataclass(frozen=True)
class Pair:
    """The two sides. Of several settings of the peer the fastest counts."""

    ours: Job
    peer: Job | Mapping[str, Job]
    size: str = ""  # what was run, where a quick run is smaller than the case's name says
    bytes_read: int = 0  # by one run of ours, every pass reading everything


@dataclass(frozen=True)
class Case:
    """A line of the table. ``make`` builds the data, untimed, and returns the two sides.

    A case that ``spreads`` over threads is run on all cores, where its target stands, and in a full run on one too.
    """

    name: str
    peer: str
    target: float | None
    make: Callable[[Setting], Pair]
    spreads: bool = False
    claimed: bool = True  # in README, if it has a target


@dataclass
class Result:
    case: Case
    threads: int
    size: str = ""
    bytes_read: int = 0
    setting: str = ""  # the peer's fastest
    seconds: dict[str, float] = field(default_factory=dict)
    shown: dict[str, Any] = field(default_factory=dict)
    target: float | None = None

    @property
    def ratio(self) -> float:
        return self.seconds["peer"] / self.seconds["ours"]

    @property
    def verdict(self) -> str:
        if self.target is None:
            return ""
        return "reached" if self.ratio >= self.target else "MISSED"


def rest() -> None:
    """Wait until no thread works: those of BLAS spin for a tenth of a second, on cores that the next job may want."""
    for _ in range(100):
        before = time.process_time()
        time.sleep(0.01)
        if time.process_time() - before < 0.002:
            return


SHORT = 0.1  # seconds


def clock(job: Job) -> Clocked:
    """Run a job, one of milliseconds twice: the first time it finds in the caches what the other side left there."""
    gc.collect()
    rest()
    first = once(job)
    return min(first, once(job), key=lambda clocked: clocked.seconds) if first.seconds < SHORT else first


def once(job: Job) -> Clocked:
    begin = time.perf_counter()
    found = job()
    took = time.perf_counter() - begin
    if isinstance(found, Clocked):
        return found
    return Clocked(took, found() if callable(found) else found)


def measure(case: Case, setting: Setting, target: float | None) -> Result:
    """Run ours and the peer in turn, equally often and at least twice, and keep the best of each."""
    pair = case.make(setting)
    result = Result(case, setting.threads, pair.size, pair.bytes_read, target=target)
    most, patience = (4, 0.4) if setting.quick else (9, 12.0)
    settings = dict(pair.peer) if isinstance(pair.peer, Mapping) else {"": pair.peer}
    begin = time.perf_counter()
    for round_ in range(most):
        if round_ >= 2 and time.perf_counter() - begin > patience:
            break
        _keep(result, "ours", pair.ours)
        for name, theirs in settings.items():
            _keep(result, "peer", theirs, name)
        settings = {result.setting: settings[result.setting]}  # after the first round only the fastest
    return result


def _keep(result: Result, side: str, job: Job, setting: str = "") -> None:
    """Run a job and keep what it found if it was the fastest so far."""
    found = clock(job)
    if found.seconds < result.seconds.get(side, float("inf")):
        result.seconds[side], result.shown[side] = found.seconds, found.shown
        if side == "peer":
            result.setting = setting
