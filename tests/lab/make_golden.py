"""Write js/test/golden.json: runs of the blackboard that the lab's engine must repeat, index for index and number for number.

Run as ``python tests/lab/make_golden.py``; a test checks that a regeneration gives the same bytes.
"""

import json
import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from rosenblatt import blackboard

GOLDEN = Path(__file__).parents[2] / "js" / "test" / "golden.json"
ORDERS = ("cyclic", "shuffle", "shuffle_once", "random", "first", "worst")

LECTURE_1 = ([(1, 2), (-1, 2), (0, -1)], [1, -1, -1])
LECTURE_2 = ([(-2, 0), (0, -2), (-2, 2), (2, 2)], [-1, -1, 1, 1])
XOR = ([(0, 0), (0, 1), (1, 0), (1, 1)], [-1, 1, 1, -1])
AND = ([(0, 0), (0, 1), (1, 0), (1, 1)], [-1, -1, -1, 1])
OR = ([(0, 0), (0, 1), (1, 0), (1, 1)], [-1, 1, 1, 1])


def decimals(generator: blackboard.Generator, n: int, digits: int, separable: bool) -> tuple[list[Any], list[int]]:
    """Return n points with so many decimals; separable ones are labelled by the line x1 + 2 x2 = 1/2."""
    scale = 10**digits
    X = [tuple((generator.below(8 * scale + 1) - 4 * scale) / scale for _ in range(2)) for _ in range(n)]
    if separable:
        return X, [1 if Fraction(str(a)) + 2 * Fraction(str(b)) >= Fraction(1, 2) else -1 for a, b in X]
    return X, [1 if generator.below(2) else -1 for _ in X]


def doubles(generator: blackboard.Generator, n: int, separable: bool) -> tuple[list[Any], list[int]]:
    """Return n points with all 53 bits in use."""
    X = [tuple((generator.below(2**53) - 2**52) / 2**51 for _ in range(2)) for _ in range(n)]
    if separable:
        return X, [1 if 3 * a - b >= 0.2 else -1 for a, b in X]
    return X, [1 if generator.below(2) else -1 for _ in X]


def kernel_of(kernel: dict[str, Any], number: Callable[[float], Any]) -> Callable[[Any, Any], Any]:
    """Return K(a, b) as the lab writes it: repeated multiplication, squared differences."""
    gamma, coef0 = number(kernel["gamma"]), number(kernel["coef0"])

    def inner(a: Any, b: Any) -> Any:
        return a[0] * b[0] + a[1] * b[1]

    def poly(a: Any, b: Any) -> Any:
        base = product = gamma * inner(a, b) + coef0
        for _ in range(kernel["degree"] - 1):
            product *= base
        return product

    def rbf(a: Any, b: Any) -> float:
        p, q = a[0] - b[0], a[1] - b[1]
        return math.exp(-gamma * (p * p + q * q))

    return {"linear": inner, "poly": poly, "rbf": rbf}[kernel["name"]]


def run_case(X: list[Any], y: list[int], *, exact: bool, **options: Any) -> dict[str, Any]:
    """Run one case on the blackboard and return it with everything the lab's engine must repeat."""

    def number(value: float) -> Any:
        return Fraction(str(value)) if exact else value

    given = dict(options)
    for name in ("margin", "rate"):
        if name in given:
            given[name] = number(given[name])
    if "start" in given:
        *w0, b0 = (number(v) for v in given["start"])
        given["start"] = (w0, b0)
    if "kernel" in given:
        given["kernel"] = kernel_of(given["kernel"], number)
    run = blackboard.learn([tuple(map(number, x)) for x in X], y, **given)
    voters = run.voters if len(run.voters) <= 40 else run.voters[-40:]
    return {
        "X": X,
        "y": y,
        "exact": exact,
        "options": options,
        "journal": [[step, row, float(tau), float(m)] for step, row, tau, m, _ in run.journal],
        "counts": [count for _, count in run.voters],
        "vectors": [list(map(float, vector)) for vector, _ in voters],
        "average": [float(v) for v in run.average],
        "pocket": [list(map(float, run.pocket)), run.pocket_errors],
        "per_pass": run.updates_per_pass,
        "steps": run.n_steps,
        "mistakes": run.n_mistakes,
        "converged": run.converged,
        "stopped_by": run.stopped_by,
    }


def cases() -> Iterator[dict[str, Any]]:
    """Yield the cases: the lectures, then every order × tie rule × kind of number, margins, starts, rates, kernels."""
    yield run_case(*LECTURE_1, exact=True, bias=False, start=(1, -0.8, 0))
    yield run_case(*LECTURE_2, exact=True, bias=False)
    yield run_case(*LECTURE_2, exact=True, bias=False, ties="positive")
    yield run_case([(9, 0), (11, 0)], [-1, 1], exact=True)
    generator = blackboard.Generator(2026)
    for order in ORDERS:
        for X, y in (LECTURE_1, LECTURE_2, AND, OR, XOR):
            for bias in (True, False):
                yield run_case(X, y, exact=True, order=order, bias=bias, seed=7, max_passes=25)
        for ties in ("mistake", "positive"):
            for separable in (True, False):
                common = {"order": order, "ties": ties, "seed": generator.below(2**63), "max_passes": 12}
                for digits in (0, 1, 2):
                    X, y = decimals(generator, 7, digits, separable)
                    yield run_case(X, y, exact=True, bias=bool(digits), **common)
                X, y = doubles(generator, 9, separable)
                yield run_case(X, y, exact=False, bias=separable, **common)
                X, y = decimals(generator, 8, 1, separable)
                yield run_case(X, y, exact=False, **common)
        for margin, rate in ((1, 1), (0.5, 0.1), (2.5, 0.25), (0.3, 0.7)):
            X, y = decimals(generator, 6, 1, True)
            start = tuple((generator.below(41) - 20) / 10 for _ in range(3))
            common = {"order": order, "margin": margin, "rate": rate, "seed": generator.below(100), "max_passes": 30}
            yield run_case(X, y, exact=True, **common)
            yield run_case(X, y, exact=True, start=start, **common)
            X, y = doubles(generator, 8, True)
            yield run_case(X, y, exact=False, start=start, **common)
        for kernel in (
            {"name": "linear", "gamma": 1, "degree": 1, "coef0": 0},
            {"name": "poly", "gamma": 1, "degree": 2, "coef0": 1},
            {"name": "poly", "gamma": 0.5, "degree": 3, "coef0": 1},
            {"name": "rbf", "gamma": 0.5, "degree": 3, "coef0": 1},
        ):
            exact = kernel["name"] != "rbf"
            common = {"order": order, "kernel": kernel, "seed": 3, "max_passes": 15}
            yield run_case(*XOR, exact=exact, **common)
            X, y = decimals(generator, 7, 1, False)
            yield run_case(X, y, exact=exact, bias=False, margin=0.5, **common)
            X, y = doubles(generator, 8, False)
            yield run_case(X, y, exact=False, rate=0.5, **common)
        X, y = decimals(generator, 6, 0, False)
        yield run_case(X, y, exact=True, order=order, max_updates=5)


def golden_text() -> str:
    """Return the file: one case a line."""
    lines = (json.dumps(case, separators=(",", ":")) for case in cases())
    return "[\n" + ",\n".join(lines) + "\n]\n"


if __name__ == "__main__":
    GOLDEN.write_text(golden_text(), encoding="utf-8")
    print(f"{GOLDEN}: {len(json.loads(GOLDEN.read_text()))} cases, {GOLDEN.stat().st_size} bytes")
