"""Mutated inputs for the file readers: whatever the bytes, a clear error or rows that are really there.

``python -m tests.data.fuzz 100000`` runs the long version.
"""

import random
import sys
import tempfile
from pathlib import Path

import numpy as np

import rosenblatt._core as _core
from rosenblatt.data import open as open_file
from rosenblatt.data.delimited import Delimited
from rosenblatt.errors import DataError

SVMLIGHT = (
    b"+1 1:0.5 3:-2e-3 7:1 # a comment\n-1 2:4\n\n# nothing here\n1 qid:3 1:1e300 2:.5 9:0\r\n-1 1:17 100000:3.25\n0\n"
    b"2.5 1:0.1234567890123456789 2:1e-320 3:00001.50"
)
CSV = b'size,colour,kind\n1.5,red,yes\n2,"blue, dark",no\n-3e2,red,yes\n,"say ""hi""",no\n4,green,yes\n5,red,no\n'
NUMBERS = b"a,b,kind\n1.5,-2e3,no\n12345678.9,0.1234567890123,yes\n,7,no\r\n+3., .5 ,yes\n\n1e-5,00012,no\n9,8,yes\n"
PIECES = [b":", b"\n", b" ", b"#", b"-", b"+", b"e", b"E99999", b".", b"qid:", b"\0", b"\xff", b"nan", b"inf", b'"', b",",
          b"\r", b"9" * 30, b"1:", b":1", b"0x", b"\t", b"\xef\xbb\xbf", b'""', b"-0", b"1e309", b"1e-400", b"\n\n\n"]  # fmt: skip


def mutated(seed: bytes, chance: random.Random) -> bytes:
    """Return the seed with a few places changed, cut, doubled or filled with what parsers trip over."""
    data = bytearray(seed)
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(data) + 1)
        choice = chance.randrange(5)
        if choice == 0 and data:
            data[at % len(data)] = chance.randrange(256)
        elif choice == 1:
            data[at:at] = chance.choice(PIECES)
        elif choice == 2:
            del data[at : at + chance.randint(1, 20)]
        elif choice == 3:
            data[at:at] = data[at : at + chance.randint(1, 40)]
        else:
            data = data[:at] if chance.random() < 0.2 else data
    return bytes(data)


def reference_svmlight(data: bytes) -> list[tuple[float, dict[int, float]]] | None:
    """Read svmlight text in plain Python; None if it is wrong."""
    rows = []
    for raw in data.split(b"\n"):
        line = raw.partition(b"#")[0]
        fields = line.replace(b"\v", b" ").replace(b"\f", b" ").split(None)
        if not line.strip(b" \t\r\v\f"):
            continue
        try:
            label, before, row = _decimal(fields[0]), -1, {}
            for pair in fields[1:]:
                index, colon, value = pair.partition(b":")
                if index == b"qid" and colon and value.isdigit() and len(value) <= 18:
                    continue
                if not index.isdigit() or len(index) > 18 or not colon or int(index) <= before:
                    return None
                before = int(index)
                row[before] = _decimal(value)
        except ValueError:
            return None
        rows.append((label, row))
    return rows


def _decimal(text: bytes) -> float:
    if not all(c in b"0123456789.eE+-" for c in text):
        raise ValueError(text)
    value = float(text)
    if not np.isfinite(value):
        raise ValueError(text)
    return value


def check_svmlight(data: bytes, threads: int) -> bool:
    """Parse in the core and in plain Python and compare; return whether the text was right."""
    parsed = _core.parse_svmlight(np.frombuffer(data, dtype=np.uint8), first_index=0, threads=threads)
    expected = reference_svmlight(data)
    assert (parsed["fault"] == "") == (expected is not None), data
    assert (parsed["at"] >= 0) == (expected is None), data
    if expected is None:
        return False
    starts = parsed["starts"].tolist()
    assert parsed["labels"].tolist() == [label for label, _ in expected], data
    for i, (_, row) in enumerate(expected):
        part = slice(starts[i], starts[i + 1])
        found = dict(zip(parsed["columns"][part].tolist(), parsed["values"][part].tolist(), strict=True))
        assert found == row, data
    return True


def check_csv(path: Path, data: bytes) -> bool:
    """Read a table in the core (where it agrees to) and in plain Python alone, and compare."""
    right = check_file(path, data, missing="zero")
    straight = Delimited._straight
    try:
        found = _read(path) if right else None
        Delimited._straight = lambda self, block, threads, sheet=None: (None, None)
        expected = _read(path)
    finally:
        Delimited._straight = straight
    assert (found is None) == (expected is None), data
    if found is not None and expected is not None:
        assert found == expected, data
    return right


def _read(path: Path) -> tuple[list[list[float]], list[object], tuple[str, ...] | None] | None:
    try:
        with open_file(path, missing="zero") as source:
            rows, y = source.read()
            return rows.dense().tolist(), y.tolist(), source.names
    except DataError:
        return None


def check_file(path: Path, data: bytes, **options: object) -> bool:
    """Open a file with these bytes; an error must be a DataError, a success must hold finite rows of one width."""
    path.write_bytes(data)
    try:
        with open_file(path, **options) as source:
            rows, y = source.read()
    except DataError:
        return False
    assert rows.n == len(y) == source.n
    assert np.isfinite(rows.values).all()
    rows.examples()  # the core checks every index
    return True


def fuzz(count: int, seed: int = 0) -> dict[str, tuple[int, int]]:
    """Run so many mutated inputs of each kind; return how many were read and how many refused."""
    chance = random.Random(seed)
    tally = {"svmlight": [0, 0], "svmlight file": [0, 0], "csv file": [0, 0]}
    with tempfile.TemporaryDirectory() as folder:
        for i in range(count):
            data = mutated(SVMLIGHT, chance)
            tally["svmlight"][check_svmlight(data, 1 + i % 3)] += 1
            if i % 5 == 0:
                tally["svmlight file"][check_file(Path(folder) / "a.svm", data)] += 1
                tally["csv file"][check_csv(Path(folder) / "a.csv", mutated(CSV if i % 2 else NUMBERS, chance))] += 1
    return {key: (read, refused) for key, (refused, read) in tally.items()}


if __name__ == "__main__":
    for kind, (read, refused) in fuzz(int(sys.argv[1]) if len(sys.argv) > 1 else 1000).items():
        print(f"{kind}: {read} read, {refused} refused")
