"""Which run gets what: seeds, starts, rates, margins, scalings and label flips, one line per run."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt._typing import Codes, Doubles, Ints
from rosenblatt.data.arrays import as_rows
from rosenblatt.data.rows import Rows
from rosenblatt.data.splitmix import INCREMENT, mix
from rosenblatt.errors import DataError
from rosenblatt.learning.policy import Order, Rule

Seeds = NDArray[np.uint64]
Scale = str | float | Doubles

VARIED = ("order", "start", "rate", "margin", "scale", "flip")
RATES = (0.01, 0.1, 1.0, 10.0, 100.0)
MARGINS = (0.0, 0.1, 1.0, 10.0)
SCALES: tuple[Scale, ...] = ("none", "standard", "unit")
FLIPS = (0.0, 0.05, 0.1, 0.2)


def run_seeds(seed: int, runs: int) -> Seeds:
    """Return one seed per run: the first outputs of SplitMix64 from ``seed``, any of them without the others.

    >>> from rosenblatt.blackboard import Generator
    >>> generator = Generator(7)
    >>> [generator.below(2**64) for _ in range(3)] == run_seeds(7, 3).tolist()
    True
    """
    with np.errstate(over="ignore"):  # arithmetic modulo 2**64 is meant
        states = np.uint64(seed) + np.arange(1, runs + 1, dtype=np.uint64) * np.uint64(INCREMENT)
    return mix(states)


@dataclass(frozen=True, eq=False)
class Design:
    """What differs from run to run. ``run_seed`` decides random starts and flips; ``order_seed`` the order shown."""

    vary: tuple[str, ...]
    run_seed: Seeds
    order_seed: Seeds
    rate: Doubles
    margin: Doubles
    flip: Doubles
    scale: Ints  # which of scales
    scales: tuple[Scale, ...]
    start: Doubles  # (w, b): one line for all runs, or one for each

    @property
    def runs(self) -> int:
        return len(self.run_seed)

    def start_of(self, i: int) -> Doubles:
        return self.start[0 if len(self.start) == 1 else i]

    def codes_of(self, i: int, codes: Codes) -> Codes:
        """Return the labels of run i: some turned over, but never so that one class is left."""
        share = float(self.flip[i])
        if share == 0:
            return codes
        rng = np.random.default_rng([int(self.run_seed[i]), 1])
        turned = rng.choice(len(codes), size=round(share * len(codes)), replace=False)
        own = codes.copy()
        own[turned] = 1 - own[turned]
        if len(turned) and own.min() == own.max():
            own[turned[0]] = 1 - own[turned[0]]
        return own


def make_design(
    runs: int,
    vary: tuple[str, ...],
    seed: int,
    values: dict[str, Any],
    common: dict[str, float],
    start_of_seed: Callable[[int], Doubles],
    fixed_start: Doubles,
) -> Design:
    """Spread the values of everything varied evenly over the runs, all combinations in turn.

    ``values`` holds the lists ``rate, margin, scale, flip, start`` (None where nothing was given).
    """
    _check(vary, values)
    Order("cyclic", seed)
    lists: dict[str, Sequence[Any]] = {
        "rate": _values(values["rate"], RATES) if "rate" in vary else (common["rate"],),
        "margin": _values(values["margin"], MARGINS) if "margin" in vary else (common["margin"],),
        "scale": _values(values["scale"], SCALES) if "scale" in vary else ("none",),
        "flip": _values(values["flip"], FLIPS) if "flip" in vary else (0.0,),
    }
    for rate in lists["rate"]:
        Rule(0.0, rate)
    for margin in lists["margin"]:
        Rule(margin)
    for flip in lists["flip"]:
        if not 0 <= flip <= 0.5:
            raise DataError(f"flips holds {flip!r}; a share of labels turned over is from 0 to 0.5.")
    given = values["start"]
    index, rest = np.arange(runs), np.arange(runs)
    chosen = {}
    for name, options in (*lists.items(), ("start", given if given is not None else (None,))):
        chosen[name] = rest % len(options)
        rest = rest // len(options)
    seeds = run_seeds(seed, runs)
    start = fixed_start[None, :]
    if given is not None:
        start = np.array([np.asarray(given[k], dtype=np.float64) for k in chosen["start"]])
    elif "start" in vary:
        start = np.array([start_of_seed(int(seeds[i])) for i in index])
    return Design(
        vary,
        seeds,
        seeds if "order" in vary else np.full(runs, seed, dtype=np.uint64),
        np.array(lists["rate"], dtype=np.float64)[chosen["rate"]],
        np.array(lists["margin"], dtype=np.float64)[chosen["margin"]],
        np.array(lists["flip"], dtype=np.float64)[chosen["flip"]],
        chosen["scale"].astype(np.int64),
        tuple(lists["scale"]),
        np.ascontiguousarray(start),
    )


def _values(given: Any, default: tuple[Any, ...]) -> Sequence[Any]:
    return default if given is None else tuple(given)


def _check(vary: tuple[str, ...], values: dict[str, Any]) -> None:
    for name in vary:
        if name not in VARIED:
            raise DataError(f"vary names {name!r}; choose from {', '.join(map(repr, VARIED))}.")
    for name, given in values.items():
        if given is not None and name not in vary:
            raise DataError(f"{name}s is given, but vary={vary!r} does not name {name!r}; add it there.")
        if given is not None and len(given) == 0:
            raise DataError(f"{name}s is empty; give at least one value.")


def scaled(rows: Rows, scale: Scale) -> Rows:
    """Return the rows scaled: "none", "standard" (mean 0, deviation 1), "unit" (length 1), a factor, or one a feature.

    >>> scaled(as_rows([[3.0, 4.0]]), "unit").values.tolist(), scaled(as_rows([[3.0, 4.0]]), [2.0, 1.0]).values.tolist()
    ([[0.6, 0.8]], [[6.0, 4.0]])
    """
    if isinstance(scale, str) and scale == "none":
        return rows
    X = rows.dense()
    if isinstance(scale, str):
        if scale == "standard":
            constant = X.min(axis=0) == X.max(axis=0)  # rounding would give them a deviation
            X = np.where(constant, 0.0, (X - X.mean(axis=0)) / np.where(constant, 1.0, X.std(axis=0)))
        elif scale == "unit":
            length = np.linalg.norm(X, axis=1, keepdims=True)
            X = X / np.where(length > 0, length, 1.0)
        else:
            raise DataError(f"scales holds {scale!r}; choose 'none', 'standard', 'unit', a number or one per feature.")
    else:
        factor = np.asarray(scale, dtype=np.float64)
        if factor.shape not in ((), (rows.d,)) or not np.isfinite(factor).all():
            raise DataError(f"scales holds {scale!r}; a scaling is one finite factor, or {rows.d}, one per feature.")
        X = X * factor
    return Rows(as_rows(X).values, rows.d, names=rows.names)


def scale_name(scale: Scale) -> str:
    """Return a scaling's name for tables."""
    if isinstance(scale, str):
        return scale
    return "×(" + ", ".join(f"{v:g}" for v in np.atleast_1d(np.asarray(scale))) + ")"
