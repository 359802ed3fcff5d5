"""One comparison: ours and a peer, run alternately, best of several."""

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

Job = Callable[[], Any]  # does the work once and returns what to show: an accuracy, a count


@dataclass(frozen=True)
class Case:
    """What is compared. ``make`` builds the data and returns {"ours": job, "peer": job}; it is not timed."""

    name: str
    peer: str
    target: float | None
    make: Callable[[bool], dict[str, Job]]
    bytes_read: Callable[[], int] | None = None  # by one run of ours, for the share of the read bandwidth
    group: str = ""


@dataclass
class Result:
    case: Case
    seconds: dict[str, float] = field(default_factory=dict)
    shown: dict[str, Any] = field(default_factory=dict)

    @property
    def ratio(self) -> float:
        return self.seconds["peer"] / self.seconds["ours"]

    @property
    def verdict(self) -> str:
        if self.case.target is None:
            return ""
        return "reached" if self.ratio >= self.case.target else "MISSED"


def measure(case: Case, *, quick: bool) -> Result:
    """Run ours and the peer in turn until each has had its share of the time; keep the best of each."""
    jobs = case.make(quick)
    result = Result(case)
    patience = 2.0 if quick else 12.0
    most = 3 if quick else 9
    spent = dict.fromkeys(jobs, 0.0)
    runs = dict.fromkeys(jobs, 0)
    while True:
        todo = [name for name in jobs if runs[name] == 0 or (runs[name] < most and spent[name] < patience)]
        if not todo:
            return result
        for name in todo:
            gc.collect()
            begin = time.perf_counter()
            shown = jobs[name]()
            took = time.perf_counter() - begin
            spent[name] += took
            runs[name] += 1
            result.shown[name] = shown
            result.seconds[name] = min(took, result.seconds.get(name, took))
