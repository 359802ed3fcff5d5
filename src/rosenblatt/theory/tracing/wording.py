"""The arithmetic of one step, in a sentence a lecturer would write."""

from fractions import Fraction
from typing import Any

from rosenblatt.theory.decimals import Components, number, vector

WIDEST = 8  # terms of a sum that are written out


def product(x: Components, w: Components, b: Any, bias: bool) -> str:
    """Return ((2)(−2) + (0)(0) + 1), the score term by term."""
    pairs = zip(x, w, strict=True)
    terms = ["w·x"] if len(x) > WIDEST else [f"({number(wj)})({number(xj)})" for xj, wj in pairs]
    return "(" + " + ".join(terms + ([_in_sum(b)] if bias else [])) + ")"


def verdict(m: Any, margin: Any, ties: str, positive: bool) -> str:
    """Return how m compares with what is demanded: '4 > 0', '0 ≤ 0', or the printed listing's view of a zero."""
    if ties == "positive":
        if m == 0:
            return "0, and sign(0) = +1" if positive else "0, but sign(0) = +1"
        return f"{number(m)} {'<' if m < 0 else '>'} 0"
    return f"{number(m)} {'≤' if m <= margin else '>'} {number(margin)}"


def move(w: Components, x: Components, b: Any, step: Any, after: tuple[Components, Any], bias: bool) -> str:
    """Return 'w ← (0, 0) − (−2, 0) = (2, 0)', with b where there is one; ``step`` is tau with the label's sign."""
    sign, size = ("−" if step < 0 else "+"), abs(step)
    factor = "" if size == 1 else f"{number(size)} × "
    text = f"w ← {vector(w, '−')} {sign} {factor}{vector(x, '−')} = {vector(after[0], '−')}"
    return text + (f", b ← {number(b)} {sign} {number(size)} = {number(after[1])}" if bias else "")


def _in_sum(value: Any) -> str:
    return f"({number(value)})" if isinstance(value, (Fraction, float, int)) and value < 0 else number(value)
