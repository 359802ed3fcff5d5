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
    A job of milliseconds is run twice in a row, and the better run counts: in the first it would find in the caches what
    the other side left there. Not where reading ``from_memory`` is what is timed.
    """

    name: str
    peer: str
    target: float | None
    make: Callable[[Setting], Pair]
    spreads: bool = False
    claimed: bool = True  # in README, if it has a target
    from_memory: bool = False


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


SHORT = 0.1  # seconds: of more the state of the caches makes no difference


def rest() -> None:
    """Wait until no thread works: those of BLAS spin for a tenth of a second, on cores that the next job may want."""
    for _ in range(100):
        before = time.process_time()
        time.sleep(0.01)
        if time.process_time() - before < 0.002:
            return


def clock(job: Job) -> Clocked:
    """Run a job once, when nothing else works."""
    gc.collect()
    rest()
    return at_once(job)


def at_once(job: Job) -> Clocked:
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
        for side, name, job in [("ours", "", pair.ours), *(("peer", name, job) for name, job in settings.items())]:
            _keep(result, side, clock(job), name)
            if result.seconds[side] < SHORT and not case.from_memory:
                _keep(result, side, at_once(job), name)
        settings = {result.setting: settings[result.setting]}  # after the first round only the fastest
    return result


def _keep(result: Result, side: str, found: Clocked, setting: str) -> None:
    """Keep what a run found if it was the fastest so far."""
    if found.seconds < result.seconds.get(side, float("inf")):
        result.seconds[side], result.shown[side] = found.seconds, found.shown
        if side == "peer":
            result.setting = setting
