"""How many updates a perceptron can make at most, and how many repeats one example can ask for."""

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from rosenblatt.data.arrays import augment
from rosenblatt.data.rows import Rows
from rosenblatt.errors import DataError
from rosenblatt.learning.journal import Journal
from rosenblatt.learning.outcome import Outcome
from rosenblatt.learning.plan import split_start
from rosenblatt.learning.policy import Rule, true_or_false
from rosenblatt.theory.decimals import as_fraction, vector
from rosenblatt.theory.explain import counted, number, percent
from rosenblatt.theory.margin import SAFETY, BeyondFloats, Margin, exact_radius, max_margin, root
from rosenblatt.theory.signed import Signed, near_one, rows_to_prove, signed


@dataclass(frozen=True)
class Bound:
    """A bound on the number of updates, with everything it was computed from.

    Attributes
    ----------
    value : the formula's value, itself rounded up, before it is rounded down to a count.
    most : the largest whole number of updates it allows.
    formula : the formula in words.
    R, gamma, space : radius and margin, and the space they are measured in: "(x, 1)" with a bias, "x" without.
    counts : what is counted: "updates", or "mistakes in one pass".
    start, rate, margin : of the runs it is about; start is a vector of the space.
    """

    value: float
    most: int
    formula: str
    R: float
    gamma: float
    space: str
    counts: str = "updates"
    start: tuple[float, ...] = field(default=(), repr=False)
    rate: float = field(default=1.0, repr=False)
    margin: float = field(default=0.0, repr=False)

    def beside(self, outcome: Outcome) -> str:
        """Return the bound beside the count of an actual run; a bound on one pass beside the count of the first.

        A run that the bound is not about is refused, as far as its journal tells: another space or start, updates with
        m above the margin, steps of other sizes.

        >>> from rosenblatt import learn
        >>> X, y = [[9], [11]], [0, 1]
        >>> mistake_bound(X, y).beside(learn(X, y))
        '202 updates, of at most 12322 (1.6 %)'
        """
        if outcome.journal is not None:
            self._refuse_others(outcome.journal)
        # From a zero start with margin 0 the mistakes of a pass are its updates.
        made = outcome.n_updates if self.counts == "updates" else int(outcome.updates_per_pass[0])
        share = percent(made / self.most) if self.most else "none allowed"
        return f"{made} {counted(made, self.counts)}, of at most {self.most} ({share})"

    def _refuse_others(self, journal: Journal) -> None:
        """Refuse the journal of a run that is not of the kind the theorem speaks of."""
        (w0, *others), b0 = journal.start[0], journal.start[1]
        begin = (*w0.tolist(), *(b0.tolist() if journal.bias else ()))
        if others or len(begin) != len(self.start):
            raise DataError(f"the bound is for one vector of {len(self.start)} numbers, in the space of {self.space}.")
        if begin != self.start:
            raise DataError(
                f"the bound is for the start {vector(self.start)}, and the run began at {vector(begin)}; give both the same."
            )
        if (m := journal.m.max(initial=-math.inf)) > self.margin:
            raise DataError(
                f"the bound is for margin={number(self.margin)}, and the run made an update at m = {number(m)}."
            )
        sizes = np.unique(journal.tau).tolist()
        scaled = any(self.start) or self.margin > 0  # else only the ratio of steps matters
        if len(sizes) > 1 or (scaled and sizes not in ([], [self.rate])):
            raise DataError(
                f"the bound is for steps of one size, the rate {number(self.rate)}; the run's were {sizes[:5]}."
            )

    def __str__(self) -> str:
        return (
            f"At most {self.most} {counted(self.most, self.counts)}: {self.formula} = {self.value:.6g} "
            f"with R = {number(self.R)}, gamma = {number(self.gamma)} in the space of {self.space}."
        )


def mistake_bound(
    X: Any,
    y: Any,
    *,
    bias: bool = True,
    start: Any = None,
    rate: float = 1.0,
    margin: float = 0.0,
    unit_rows: bool = False,
) -> Bound:
    """Return how many updates a perceptron can make on separable data, whatever the order of the examples.

    With gamma the largest margin and R the radius, both in the space of (x, 1) (through the origin: of x), and u the
    unit vector of that margin:

    - zero start, no demanded margin: ``(R/gamma)²``;
    - demanded margin beta at rate r: ``(R² + 2 beta/r) / gamma²``;
    - start w0: the largest k with ``u·w0 + k r gamma <= sqrt(‖w0‖² + k (r² R² + 2 r beta))``.

    Parameters
    ----------
    X, y, bias, start, rate, margin : as for `learn`; start is None or (w0, b0).
    unit_rows : the bound for rows divided by their lengths first (with a bias, the rows of `augment`, which then go
        through the origin): ``1/gamma²`` with the margin of those rows; above the bound for the rows as given only
        by what is allowed for the rounding of the division.

    Notes
    -----
    For steps of one size: example weights must all be 1.
    Each update raises u·w by at least r gamma and ‖w‖² by at most r² R² + 2 r beta; Cauchy and Schwarz do the rest.
    Rounded down in exact arithmetic whenever the margin is exact; where gamma was rounded, or rows when they were
    divided, the bound allows for that and is never too low. In floating point a run may differ from the theorem's by
    rounding. Raises DataError, with a proof, if the data are not separable.

    References
    ----------
    Novikoff (1962), theorem 1; Block (1962); for beta > 0 Krauth and Mézard (1987), Collins (2002), theorem 1.

    Examples
    --------
    >>> print(mistake_bound([[9], [11]], [0, 1]))
    At most 12322 updates: (R/gamma)² = 12322 with R = 11.045, gamma = 0.099504 in the space of (x, 1).
    """
    Rule(margin, rate)  # refuses what no run could be given
    bias = true_or_false("bias", bias)
    space = "(x, 1)" if bias else "x"
    if unit_rows:
        if start is not None:
            raise DataError("unit_rows=True is about a zero start; leave start out.")
        space = "(x, 1)/‖(x, 1)‖" if bias else "x/‖x‖"
        X, bias = _unit_rows(X, bias), False
    best = max_margin(X, y, bias=bias)
    problem = signed(X, y, bias)
    w0 = _start(problem, start)
    slack = (problem.D + 8) * Fraction(2) ** -52 if unit_rows else Fraction(0)  # no division errs by more
    R2 = (1 + slack) ** 2 if unit_rows else exact_radius(problem)
    # 0.1 is a decimal to whoever types it and a float to the run: never too low for either.
    readings = ((Fraction(rate), Fraction(margin)), (as_fraction(rate), as_fraction(margin)))
    value, most = max(_largest(best, R2, w0, r, beta, slack) for r, beta in readings)
    formula = "(R/gamma)²" if margin == 0 else "(R² + 2 margin/rate)/gamma²"
    if any(w0):
        formula = "largest k with u·w0 + k·rate·gamma <= sqrt(‖w0‖² + k(rate²R² + 2·rate·margin))"
    elif unit_rows and margin == 0:
        formula = "1/gamma² (rows of length 1)"
    return Bound(
        value,
        most,
        formula,
        best.R,
        best.gamma,
        space,
        start=tuple(float(part) for part in w0),
        rate=float(rate),
        margin=float(margin),
    )


def one_pass_bound(X: Any, y: Any, u: Any, gamma: float, *, bias: bool = True) -> Bound:
    """Return how many mistakes one pass can make on any data, separable or not: ``((R + D)/gamma)²``.

    ``D² = Σ max(0, gamma − y_i u·x_i)²`` is how far the data are from having margin gamma along the unit vector u.
    Any u and gamma > 0 give a valid bound; it holds for one pass that shows each row once, from a zero start with
    margin 0.

    Parameters
    ----------
    u : (w, b), or w alone for b = 0; scaled to length 1 here.
    gamma : the margin asked of u, above 0.

    References
    ----------
    Freund and Schapire (1999), Machine Learning 37, theorem 2.

    Examples
    --------
    >>> print(one_pass_bound([[1], [-1], [1]], [1, 0, 0], ([1], 0), 1.0, bias=False))
    At most 9 mistakes in one pass: ((R + D)/gamma)² = 9 with R = 1, gamma = 1 in the space of x.
    """
    problem = signed(X, y, bias)
    if not gamma > 0 or not math.isfinite(gamma):
        raise DataError(f"gamma is {gamma}; it must be above 0 and finite.")
    v = problem.join(*split_start(u))
    if not v.any():
        raise DataError("u is zero; it must point somewhere.")
    v, _ = near_one(v)
    short = np.maximum(0.0, 1.0 - problem.products(v / np.linalg.norm(v)) / gamma)
    R, far = root(exact_radius(problem)), float(short.max())
    D = far * math.sqrt(float((short / far) @ (short / far))) if far > 0 else 0.0
    value = (R / gamma + D) ** 2 if R / gamma + D < 1e150 else math.inf
    if not math.isfinite(value):
        raise DataError(f"the bound, with R = {number(R)} and gamma = {number(gamma)}, exceeds the largest float.")
    rounding = (math.sqrt(problem.n) * (problem.D + 4) + problem.n) * 2.0**-51  # of D's terms, and of their sum
    most = math.floor(value * (1 + rounding))  # which must not take a mistake away
    origin = (0.0,) * problem.D
    return Bound(value, most, "((R + D)/gamma)²", R, gamma, problem.space, "mistakes in one pass", origin)


def repeats_until_correct(w: Any, b: Any, x: Any, y: int, *, bias: bool = True) -> int:
    """Return how many updates in a row one example asks for until it is right: ``floor(−m/‖x‖²) + 1``, or 0 if m > 0.

    ``m = y (w·x + b)``, and each update (rate 1) raises it by ``‖x‖² + 1`` (through the origin by ``‖x‖²``). Exact for
    ints, fractions and floats alike.

    Parameters
    ----------
    y : −1 or +1.

    Examples
    --------
    >>> repeats_until_correct([0, 0], 0, [1, 2], 1)
    1
    >>> repeats_until_correct([-10, 0], 0, [2, 0], 1, bias=False)
    6
    """
    if y not in (-1, 1):
        raise DataError(f"y is {y!r}; it must be -1 or +1.")
    bias = true_or_false("bias", bias)
    if not bias and b != 0:
        raise DataError(f"b = {b}, but bias=False; leave b at 0.")
    if len(w) != len(x):
        raise DataError(f"w has {len(w)} numbers and x has {len(x)}; they must agree.")
    exact_w, exact_x = (
        [_exactly(v, f"{name}[{j}]") for j, v in enumerate(part)] for name, part in (("w", w), ("x", x))
    )
    m = int(y) * (sum((p * q for p, q in zip(exact_w, exact_x, strict=True)), Fraction(0)) + _exactly(b, "b"))
    square = sum((part * part for part in exact_x), Fraction(int(bias)))
    if m > 0:
        return 0
    if square == 0:
        raise DataError("x is zero and there is no bias: no number of updates makes it right.")
    return math.floor(-m / square) + 1


def _exactly(value: Any, name: str) -> Fraction:
    """Return a number as the fraction it is; NumPy's scalars included."""
    try:
        return Fraction(value.item() if isinstance(value, np.generic) else value)
    except (TypeError, ValueError, OverflowError):
        raise DataError(f"{name} is {value!r}; it must be a finite number.") from None


def _largest(
    best: Margin, R2: Fraction, w0: list[Fraction], r: Fraction, beta: Fraction, slack: Fraction
) -> tuple[float, int]:
    """Return the real (rounded up) and the whole largest k with u·w0 + k r gamma <= sqrt(‖w0‖² + k (r² R² + 2 r beta)).

    Divided by gamma, with v = u/gamma and V = ‖v‖² = 1/gamma², both rational: v·w0 + k r <= sqrt((‖w0‖² + k q) V).
    Rows that are known only up to a distance ``slack`` have a margin that is less by so much at most.
    """
    if best.exact_square is not None and not slack:
        V, v = 1 / best.exact_square, list(best.exact_vector)
    else:
        gamma = Fraction(best.gamma) - slack
        if gamma <= 0:
            raise DataError(
                f"rows of length 1 have margin {number(best.gamma)}, which is lost in the rounding of their division; "
                "ask for the bound of the rows as they are."
            )
        V = (1 + SAFETY) / gamma**2
        v = [Fraction(float(part)) / gamma for part in np.append(best.w, best.b)[: len(w0)]]
    q = r * r * R2 + 2 * r * beta
    a = sum((p * s for p, s in zip(v, w0, strict=True)), Fraction(0))
    s = sum((part * part for part in w0), Fraction(0))
    # r² k² + (2 a r − q V) k + a² − s V <= 0
    half = (q * V - 2 * a * r) / (2 * r * r)
    inside = max(Fraction(0), half * half - (a * a - s * V) / (r * r))
    square = math.ceil(inside * 4**64)
    largest = half + Fraction(math.isqrt(square - 1) + 1 if square else 0, 2**64)  # at most 2^-64 too high

    def allowed(k: int) -> bool:
        left = a + k * r
        return left <= 0 or left * left <= (s + k * q) * V

    most = max(0, math.floor(largest))
    while allowed(most + 1):
        most += 1
    while most > 0 and not allowed(most):
        most -= 1
    try:
        value = float(max(largest, Fraction(most)))
        return value if value >= largest else math.nextafter(value, math.inf), most
    except OverflowError:
        raise BeyondFloats(
            f"the bound, with R = {number(best.R)} and gamma = {number(best.gamma)}, exceeds the largest float; scale the "
            "features, then ask again."
        ) from None


def _start(problem: Signed, start: Any) -> list[Fraction]:
    if start is None or (isinstance(start, str) and start == "zeros"):
        return [Fraction(0)] * problem.D
    if isinstance(start, str):
        raise DataError(f"start is {start!r}; give the numbers, (w0, b0), or None for zeros.")
    w0, b0 = split_start(start)
    return [Fraction(float(part)) for part in problem.join(w0, b0)]


def _unit_rows(X: Any, bias: bool) -> Rows:
    """Return every row of the space divided by its length."""
    rows = augment(rows_to_prove(X)) if bias else rows_to_prove(X)
    values, largest = rows.values.astype(np.float64), np.zeros(rows.n)
    of = np.repeat(np.arange(rows.n), rows.d if rows.starts is None else np.diff(rows.starts))
    np.maximum.at(largest, of, np.abs(values).ravel())
    if (largest == 0).any():
        i = int(np.flatnonzero(largest == 0)[0])
        raise DataError(f"row {i} is zero and cannot be scaled to length 1; without a bias it can never be right.")
    # First by powers of two: squares of the rows as they are may lie beyond the floats.
    values = np.ldexp(values, -np.frexp(largest)[1][of].reshape(values.shape))
    near = Rows(values, rows.d, rows.columns, rows.starts)
    length = np.sqrt(near.squared_norms())
    return Rows(values / length[of].reshape(values.shape), rows.d, rows.columns, rows.starts)
