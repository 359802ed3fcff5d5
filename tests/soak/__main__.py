"""`python -m tests.soak [--small] [--only WORD]`: the long runs, their figures, and 1 if any of them failed."""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.soak import full_disk, fuzzing, killed, large, writers
from tests.soak.part import Failure, Skipped

PARTS = {
    "large files": large.soak,
    "killed": killed.soak,
    "fuzz": fuzzing.soak,
    "full disk": full_disk.soak,
    "writers": writers.soak,
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--small", action="store_true", help="a small version of each, some seconds in all")
    parser.add_argument("--only", default="", help="run the parts whose name contains this")
    options = parser.parse_args()
    failed = 0
    for name, soak in PARTS.items():
        if options.only not in name:
            continue
        print(f"{name}:", flush=True)
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="rosenblatt-soak-") as folder:
            try:
                for line in soak(Path(folder), small=options.small):
                    print(f"  {line}", flush=True)
            except Skipped as reason:
                print(f"  skipped: {reason}", flush=True)
                continue
            except Failure as failure:
                print(f"  FAILED: {failure}", flush=True)
                failed += 1
        print(f"  {time.monotonic() - began:.1f} s", flush=True)
    print(f"{failed} parts failed" if failed else "all parts passed")
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
