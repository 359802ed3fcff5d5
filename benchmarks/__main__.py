"""`python -m benchmarks [--quick] [--only WORDS] [--json FILE]`: the table of ratios."""

import argparse
import json
import sys
import warnings
from importlib.metadata import PackageNotFoundError, version

from benchmarks.bandwidth import read_bandwidth
from benchmarks.case import Case, Result, measure
from benchmarks.cases import all_cases
from benchmarks.data import Absent

PEERS = ("scikit-learn", "vowpalwabbit", "river", "mlpack", "mlxtend", "numpy", "pandas")


def row(result: Result, bandwidth: float) -> str:
    case = result.case
    share = ""
    if case.bytes_read is not None:
        share = f"{case.bytes_read() / result.seconds['ours'] / bandwidth:.0%} of bandwidth"
    target = "" if case.target is None else f"{case.target:g}×"
    shown = ", ".join(f"{name} {value}" for name, value in result.shown.items() if value is not None)
    return f"{case.name:<58} {case.peer:<34} {result.ratio:>8.2f}× {target:>7} {result.verdict:<8} {shown} {share}".rstrip()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="smaller data and fewer repeats, under two minutes")
    parser.add_argument("--only", default="", help="run the cases whose name or peer contains this")
    parser.add_argument("--json", default="", help="also write the results to this file")
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    bandwidth = read_bandwidth()
    print(f"read bandwidth of one core: {bandwidth / 1e9:.1f} GB/s")
    for name in PEERS:
        try:
            print(f"{name} {version(name)}", end="  ")
        except PackageNotFoundError:
            print(f"{name} absent", end="  ")
    print(f"\n{'case':<58} {'against':<34} {'ratio':>9} {'target':>7}")
    results: list[Result] = []
    for case in all_cases():
        if options.only and options.only not in f"{case.name} {case.peer}":
            continue
        results += run(case, bandwidth, quick=options.quick)
    if options.json:
        table = [
            {"case": r.case.name, "against": r.case.peer, "ratio": r.ratio, "target": r.case.target, "shown": r.shown}
            for r in results
        ]
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"bandwidth": bandwidth, "results": table}, file, indent=1, default=str)
    missed = [r for r in results if r.verdict == "MISSED"]
    print(f"{len(results)} comparisons, {len(missed)} below target")
    return 0


def run(case: Case, bandwidth: float, *, quick: bool) -> list[Result]:
    try:
        result = measure(case, quick=quick)
    except (Absent, ImportError) as absent:
        print(f"{case.name:<58} {case.peer:<34} not run: {absent}")
        return []
    print(row(result, bandwidth), flush=True)
    return [result]


if __name__ == "__main__":
    sys.exit(main())
