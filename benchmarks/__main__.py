"""`python -m benchmarks`: peers side by side, the ratios as a table."""

import argparse
import json
import os
import sys
import time
import warnings
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks import figures, growth, machine, memory, peers
from benchmarks.case import Case, Result, Setting, measure
from benchmarks.cases import all_cases
from benchmarks.cores import limited_to
from benchmarks.data import Absent
from rosenblatt.data.cores import cores

LINE = "{:<54} {:<36} {:>7} {:>8} {:>6}  {:<8} {:>9}  {}"
HEAD = LINE.format("case", "against", "threads", "ratio", "target", "", "bandwidth", "accuracy or count: ours | theirs")


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="fewer repeats, the peers' best known settings: two minutes, not twenty"
    )
    parser.add_argument("--only", default="", metavar="WORDS", help="what has this in its line")
    parser.add_argument("--json", default="", metavar="FILE", help="also write the results to this file")
    parser.add_argument("--check", action="store_true", help="fail if README claims twice what is reached")
    parser.add_argument(
        "--readme", default="", metavar="FILE", help="measure nothing: put this file's ratios into README"
    )
    return parser.parse_args()


def main() -> int:
    given = options()
    if given.readme:
        figures.write(json.loads(Path(given.readme).read_text(encoding="utf-8")))
        return 0
    warnings.filterwarnings("ignore")
    os.sync()  # what an installation has left to be written would be written during the first cases
    begin = time.perf_counter()
    report = {"mode": "quick" if given.quick else "full", "machine": machine.describe(), "peers": peers.versions()}
    print_machine(report)
    bandwidth = report["machine"]["bandwidth"]
    results = list(compare(given.only, quick=given.quick, bandwidth=bandwidth))
    report["cases"] = [as_json(result, bandwidth) for result in results]
    report["memory"] = [asdict(peak) for peak in print_memory(given.only)]
    report["growth"] = [asdict(slope) for slope in print_growth(given.only)]
    report["seconds"] = time.perf_counter() - begin
    if given.json:
        Path(given.json).write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    missed = sum(result.verdict == "MISSED" for result in results)
    print(f"\n{len(results)} comparisons, {missed} below target; {report['mode']} took {report['seconds']:.0f} s")
    problems = figures.broken(report, figures.claims(figures.README.read_text(encoding="utf-8"))) if given.check else []
    for problem in problems:
        print(f"broken: {problem}")
    return 1 if problems else 0


def print_machine(report: dict[str, Any]) -> None:
    found = report["machine"]
    print(
        f"{found['processor']}, {found['cores']} core{'s' * (found['cores'] > 1)}, level {found['level']}, {found['memory'] / 2**30:.0f} GiB, "
        f"{found['system']}, Python {found['python']}; one core reads {found['bandwidth'] / 1e9:.1f} GB/s"
    )
    print("; ".join(f"{name} {version}" for name, version in report["peers"].items()))


def compare(only: str, *, quick: bool, bandwidth: float) -> Iterator[Result]:
    """Run the cases section by section; a full run has those that spread over threads on one core and on all."""
    every = cores()
    for section, cases in all_cases().items():
        chosen = [case for case in cases if only in f"{section} {case.name} {case.peer}"]
        if chosen:
            print(f"\n{section}\n{HEAD}")
        for case in chosen:
            for threads in sorted({1, every}) if case.spreads and not quick else [every]:
                target = case.target if threads == every else None
                yield from run(case, Setting(quick, threads), target, bandwidth)


def run(case: Case, setting: Setting, target: float | None, bandwidth: float) -> Iterator[Result]:
    try:
        with limited_to(setting.threads):
            result = measure(case, setting, target)
    except (Absent, ImportError) as absent:
        print(f"{case.name:<54} {case.peer:<36} not run: {absent}", flush=True)
        return
    print(line(result, bandwidth), flush=True)
    yield result


def share(result: Result, bandwidth: float) -> float | None:
    """Return the bytes that a plain loop reads by the second of ours, as a share of what one core can read."""
    return result.bytes_read / result.seconds["ours"] / bandwidth if result.bytes_read else None


def line(result: Result, bandwidth: float) -> str:
    reached = share(result, bandwidth)
    about = [f"{result.shown['ours']} | {result.shown['peer']}"] if result.shown["ours"] is not None else []
    about += [part for part in (result.size, result.setting) if part]
    return LINE.format(
        result.case.name,
        result.case.peer,
        result.threads if result.case.spreads else "",
        f"{result.ratio:.2f}×",
        "" if result.target is None else f"{result.target:g}×",
        result.verdict,
        "" if reached is None else f"{reached:.0%}",
        "; ".join(about),
    ).rstrip()


def as_json(result: Result, bandwidth: float) -> dict[str, Any]:
    return {
        "case": result.case.name,
        "against": result.case.peer,
        "threads": result.threads if result.case.spreads else None,
        "size": result.size,
        "setting": result.setting,
        "ratio": result.ratio,
        "target": result.target,
        "claimed": result.case.claimed and result.target is not None,
        "seconds": result.seconds,
        "share of bandwidth": share(result, bandwidth),
        "shown": result.shown,
    }


def print_memory(only: str) -> Iterator[memory.Peak]:
    names = [name for name in memory.INPUTS if only in f"memory {name}"]
    if names:
        print(
            "\nmemory: MB at the peak beyond the input, in small pages; allowed are labels, order, norms and one block"
        )
        print(f"{'input':<34} {'MB':>8} {'ours':>8} {'allowed':>8} {'scikit-learn':>13}")
    for name in names:
        peak = memory.measure(name)
        numbers = [f"{value / 1e6:.1f}" for value in (peak.input, peak.ours, peak.allowed, peak.scikit_learn)]
        print("{:<34} {:>8} {:>8} {:>8} {:>13}".format(name, *numbers), flush=True)
        yield peak


def print_growth(only: str) -> Iterator[growth.Slope]:
    chosen = [one for one in growth.GROWTHS if only in f"growth {one.name}"]
    if chosen:
        print("\ngrowth: the slope of log time against log size")
        print(f"{'':<54} {'slope':>6} {'theory':>6}  {'milliseconds at each size'}")
    for one in chosen:
        slope = growth.measure(one)
        times = ", ".join(f"{1e3 * s:.3g}" for s in slope.seconds)
        print(f"{slope.name:<54} {slope.slope:>6.2f} {slope.theory:>6g}  {times}", flush=True)
        yield slope


if __name__ == "__main__":
    sys.exit(main())
