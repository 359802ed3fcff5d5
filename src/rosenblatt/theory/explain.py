"""Certificates in words, as a teacher would write them on the board."""

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rosenblatt.theory.certificate import Certificate

SHORT = 10**6  # fractions with larger parts are shown as decimals
SHOWN = 12  # rows or numbers written out


def explain(one: "Certificate") -> str:
    """Return the explanation of a certificate."""
    if one.separable is None:
        return _unknown(one)
    return _separable(one) if one.separable else _not_separable(one)


def number(value: float) -> str:
    """Return a number as a person writes it.

    >>> number(4.0), number(0.5), number(1 / 3), number(-0.0)
    ('4', '0.5', '0.33333', '0')
    """
    return f"{value + 0.0:.5g}"


def percent(share: float) -> str:
    """Return a share in percent, with two digits where it is small.

    >>> percent(0.01639), percent(0.4), percent(1.0)
    ('1.6 %', '40 %', '100 %')
    """
    return f"{100 * share:.2g} %" if share < 0.1 else f"{100 * share:.0f} %"


def count(n: int) -> str:
    """Return a count; where nobody would read its digits, rounded up, so that "at most" stays true.

    >>> count(12322), count(14459289768964383)
    ('12322', '1.5e+16')
    """
    unit = 1 if n < 10**9 else 10 ** (len(str(n)) - 2)
    return str(n) if unit == 1 else f"{-(-n // unit) * unit:.1e}"


def counted(n: int, what: str) -> str:
    """Return words in the plural as they are where n things are counted.

    >>> counted(1, "mistakes in one pass"), counted(2, "more updates"), counted(1, "more updates")
    ('mistake in one pass', 'more updates', 'more update')
    """
    return re.sub(r"s\b", "", what, count=1) if n == 1 else what


def fraction(value: Fraction) -> str:
    """Return a fraction, or its decimals where it is long."""
    if max(value.numerator, value.denominator) < SHORT:
        return str(value)
    return f"≈{float(value):.4g}"


def listing(parts: list[str]) -> str:
    """Return "a", "a and b", "a, b and c".

    >>> listing(["3", "17"])
    '3 and 17'
    """
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]


def headline(one: "Certificate") -> str:
    """Return the verdict in three words."""
    if one.separable is None:
        return "Unknown"
    if one.proved:
        return "Separable, proved" if one.separable else "Not separable, proved"
    return f"Numerically {'' if one.separable else 'not '}separable, not proved"


def _subject(one: "Certificate") -> str:
    rest = "the rest" if one.negative is None else repr(one.negative)
    how = "by a hyperplane" if one.bias else "by a hyperplane through the origin"
    return f"{one.positive!r} against {rest} ({one.n} rows, {one.d} feature{'' if one.d == 1 else 's'}), {how}"


def _separable(one: "Certificate") -> str:
    assert one.w is not None
    assert one.gamma is not None
    vector = ", ".join(number(value) for value in one.w[:SHOWN]) + (", …" if one.d > SHOWN else "")
    place = f"w = ({vector})" + (f", b = {number(one.b)}" if one.bias else "")
    space = "(x, 1)" if one.bias else "x"
    if one.proved:
        check = f"The sign of y (w·x{' + b' if one.bias else ''}) was checked on every row in exact arithmetic."
    else:
        check = "Floating point finds every row on its right side, but exact arithmetic did not confirm it."
    if doubt := caveat(one):
        check += f" {doubt}"
    call = "(X, y)" if one.bias else "(X, y, bias=False)"
    return (
        f"{headline(one)}: {_subject(one)}.\n"
        f"Separator: {place}; its margin is {number(one.gamma)} in the space of {space}.\n"
        f"{check}\n"
        "For the perceptron: it makes a clean pass after finitely many updates, whatever the order; "
        f"mistake_bound{call} says after how many at most.\n"
        f"To try: max_margin{call} for the best separator."
    )


def caveat(one: "Certificate") -> str:
    """Return what to think of a separator that only exact arithmetic found; nothing of any other verdict."""
    if not one.separable or one.found_by != "exact pivots":
        return ""
    kept = " (the separator is kept in integers)" if one.integers else ""
    return (
        f"The margin is so small that only exact arithmetic sees it{kept}: most likely decimals that should meet on a "
        "line miss it by the rounding of binary fractions."
    )


def _not_separable(one: "Certificate") -> str:
    assert one.rows is not None
    return (
        f"{headline(one)}: {_subject(one)}.\n"
        f"{_witness(one)}\n"
        "For the perceptron: no pass is ever clean; it goes on making mistakes for ever.\n"
        f"To try: {_remedy(one)}"
    )


def _witness(one: "Certificate") -> str:
    rows: list[Any] = [] if one.rows is None else one.rows.tolist()
    if one.found_by == "zero row":
        return f"Row {rows[0]} is zero, so w·x = 0 for every w: without a bias it can never be right."
    if one.found_by == "equal rows":
        return (
            f"Rows {listing([str(i) for i in rows])} are equal and have opposite labels: one of them is always wrong."
        )
    named = [f"{fraction(weight)} of row {i}" for i, weight in zip(rows[:SHOWN], one.weights, strict=False)]
    if len(rows) > SHOWN:
        named.append(f"{len(rows) - SHOWN} more")
    term, space = ("y (w·x + b)", "(x, 1)") if one.bias else ("y w·x", "x")
    picture = "\nIn the picture: a weighted mean of one class equals a weighted mean of the other." if one.bias else ""
    so = "exactly 0" if one.proved else "0 up to rounding"
    return (
        f"Witness ({len(rows)} rows): {listing(named)}.\n"
        f"With these weights the sum of y {space} is {so}. A separator would make each {term} positive, "
        f"but their weighted sum is 0.{picture}"
    )


def _remedy(one: "Certificate") -> str:
    family = "the pocket or the averaged perceptron for few errors, a kernel or more features to separate after all."
    if one.found_by == "equal rows":
        return (
            "look at those rows first (no function of x can be right on both); then the pocket or averaged perceptron."
        )
    if not one.bias:
        return "a bias (bias=True) first; then " + family
    return family


def _unknown(one: "Certificate") -> str:
    return (
        f"{headline(one)}: {_subject(one)}.\n"
        f"{one.note}\n"
        "To try: more time (max_seconds), or the pocket or averaged perceptron, which need no separability."
    )
