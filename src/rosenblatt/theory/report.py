"""A finished run judged by the theory: its count against the bound, its margin against the best, and what to try next."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from rosenblatt._typing import Doubles
from rosenblatt.data.arrays import as_rows
from rosenblatt.data.labels import encode
from rosenblatt.data.rows import Rows
from rosenblatt.theory.bound import Bound, mistake_bound
from rosenblatt.theory.certificate import Certificate, Certificates
from rosenblatt.theory.explain import count, counted, headline, number, percent
from rosenblatt.theory.margin import BeyondFloats, Margin, margin_of, max_margin
from rosenblatt.theory.separability import check
from rosenblatt.theory.signed import near_one

WIDEST = 2000  # features up to which margins and bounds are computed; beyond, they take longer than most runs


@dataclass(frozen=True, eq=False)
class Report:
    """What theory says about a run. ``print(report)`` is its text.

    Attributes
    ----------
    converged, n_updates : what the run did.
    certificate : whether the data are separable, with proof.
    bound : the most updates such a run can make; None if the data are not (known to be) separable, have more than two
        classes or more than 2000 features, or if it exceeds the largest float.
    margin, best : margin of the run's vector (−inf if it does not separate), and the largest one; None as for bound.
    standardised : the bound after standardising the features, where it is lower.
    advice : what to try, most useful first.
    """

    converged: bool
    n_updates: int
    certificate: Certificate | Certificates
    bound: Bound | None = None
    margin: float | None = None
    best: Margin | None = None
    standardised: Bound | None = None
    advice: tuple[str, ...] = ()

    def __str__(self) -> str:
        updates = f"{self.n_updates} {counted(self.n_updates, 'updates')}"
        against = f", of at most {count(self.bound.most)}" if self.bound is not None else ""
        lines = [f"{'Converged' if self.converged else 'Not converged'} after {updates}{against}."]
        lines += _verdict(self.certificate)
        if self.best is not None and self.margin is not None:
            largest = f"{number(self.best.gamma)}, in the space of {self.best.space}"
            if self.margin > 0:
                share = percent(self.margin / self.best.gamma)
                lines.append(f"Margin: {number(self.margin)}, {share} of the largest, {largest}.")
            else:
                lines.append(f"Margin: none, its vector does not separate; the largest is {largest}.")
        return "\n".join([*lines, *(f"Advice: {line}" for line in self.advice)])


def report(
    X: Any,
    y: Any,
    *,
    w: Any,
    b: Any,
    converged: bool,
    n_updates: int,
    bias: bool = True,
    start: Any = None,
    rate: float = 1.0,
    margin: float = 0.0,
    weighted: bool = False,
    multiclass: str = "ovr",
    max_seconds: float | None = 30.0,
) -> Report:
    """Judge a finished run on its training data: verdict, bound, margin, advice.

    Parameters
    ----------
    w, b, converged, n_updates : of the run, as in its Outcome.
    bias, start, rate, margin : as the run was given them.
    weighted : whether example weights scaled its steps; the bounds are for steps of one size and are then left out.
    multiclass : of more than two classes, as in ``learn``.
    max_seconds : for the verdict on separability.

    Examples
    --------
    >>> from rosenblatt import learn
    >>> X, y = [[9], [11]], [0, 1]
    >>> run = learn(X, y)
    >>> print(report(X, y, w=run.w, b=run.b, converged=run.converged, n_updates=run.n_updates))
    Converged after 202 updates, of at most 12322.
    Separable, proved.
    Margin: 0.099504, 100 % of the largest, 0.099504, in the space of (x, 1).
    Advice: standardise the features: the bound falls from 12322 to 2 updates.
    """
    rows = as_rows(X)
    classes, _ = encode(y, rows.n)
    certificate = check(rows, y, bias=bias, max_seconds=max_seconds)
    if certificate.separable is not True or len(classes) > 2 or rows.d > WIDEST or weighted:
        advised = _without_bound(certificate, converged, rows.d, weighted, multiclass)
        return Report(converged, n_updates, certificate, advice=advised)
    bound = _bound(rows, y, bias=bias, start=start, rate=rate, margin=margin)
    best = max_margin(rows, y, bias=bias)
    standardised = _standardised_bound(rows, y, bias, rate, margin)
    lower = standardised if standardised is not None and (bound is None or standardised.most < bound.most) else None
    advice = []
    if lower is not None:
        now = "beyond the largest float" if bound is None else count(bound.most)
        advice.append(
            f"standardise the features: the bound falls from {now} to {count(lower.most)} {counted(lower.most, 'updates')}."
        )
    if not converged:
        more = 0 if bound is None else max(bound.most - n_updates, 0)
        left = "" if bound is None else f", and at most {count(more)} {counted(more, 'more updates')} can come"
        advice.append(f"train on: the data are separable{left}.")
    reached = margin_of(w, b, rows, y)
    if converged and -math.inf < reached < best.gamma / 2:
        advice.append("for a wider margin, demand one (margin > 0), or take the vector of max_margin.")
    return Report(converged, n_updates, certificate, bound, reached, best, lower, tuple(advice))


def _bound(rows: Rows, y: Any, **options: Any) -> Bound | None:
    """Return the bound, or None where no float holds it."""
    try:
        return mistake_bound(rows, y, **options)
    except BeyondFloats:
        return None


def _verdict(certificate: Certificate | Certificates) -> list[str]:
    if isinstance(certificate, Certificate):
        return [f"{headline(certificate)}."]
    return [f"{label!r} against the rest: {headline(one).lower()}." for label, one in certificate.items()]


def _without_bound(
    certificate: Certificate | Certificates, converged: bool, d: int, weighted: bool, multiclass: str
) -> tuple[str, ...]:
    if certificate.separable is None:
        return ("whether the data are separable is not known; check(X, y) with more seconds may tell.",)
    if certificate.separable is False:
        return _without_separator(certificate, converged, multiclass)
    if not converged:
        return ("train on: the data are separable, so a clean pass will come.",)
    if weighted:
        return ("the bound is for steps of one size; example weights scaled them here.",)
    return (f"with {d} features the bound is left out; max_margin(X, y) computes the margin.",) if d > WIDEST else ()


def _without_separator(certificate: Certificate | Certificates, converged: bool, multiclass: str) -> tuple[str, ...]:
    several = isinstance(certificate, Certificates)
    parts = certificate.values() if isinstance(certificate, Certificates) else [certificate]
    if several and converged:
        return ("all classes together are right on every row, although not every class against the rest could be.",)
    if any(part.found_by == "equal rows" for part in parts):
        advice = "two equal rows have different labels, and no function is right on both: look at them; then average."
    elif several:
        how = "may be, after more passes" if multiclass == "direct" else "(multi_class='direct') may be"
        advice = f"not every class can be told from the rest by a plane; all classes together {how}."
    else:
        advice = (
            "no linear perceptron can be right on all rows: keep the best vector (pocket), average, or use a kernel "
        )
        advice += "or more features."
    return advice, "print(check(X, y)) shows the rows that prove it."


def _standardised_bound(rows: Rows, y: Any, bias: bool, rate: float, margin: float) -> Bound | None:
    """Return the bound for features of mean 0 and deviation 1 (sparse rows: of root mean square 1, zeros kept).

    Without a bias nothing is subtracted either, since a shift could make the data inseparable through the origin.
    """
    if rows.columns is not None:
        values = np.ldexp(rows.values.astype(np.float64), -np.frexp(rows.largest())[1][rows.columns])
        square = np.bincount(rows.columns, weights=values**2, minlength=rows.d) / rows.n
        scaled = Rows(values / _no_zeros(np.sqrt(square))[rows.columns], rows.d, rows.columns, rows.starts)
    else:
        values = near_one(rows.values.astype(np.float64).T)[0].T  # so that no square leaves the floats
        if bias:  # of equal numbers the mean is one of them, not their rounded sum
            values = values - np.where(values.min(axis=0) == values.max(axis=0), values[0], values.mean(axis=0))
        scaled = Rows(np.ascontiguousarray(values / _no_zeros(np.sqrt((values**2).mean(axis=0)))), rows.d)
    certificate = check(scaled, y, bias=bias)
    return _bound(scaled, y, bias=bias, rate=rate, margin=margin) if certificate.separable else None


def _no_zeros(divisor: Doubles) -> Doubles:
    return np.where(divisor > 0, divisor, 1.0)
