"""What a run did, step by step: by the core in floats, or on the blackboard in fractions. One shape for both."""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import rosenblatt._core as _core
from rosenblatt import blackboard
from rosenblatt._typing import Codes, Ints, Labels
from rosenblatt.data.rows import Rows
from rosenblatt.learning.journal import Journal
from rosenblatt.learning.outcome import Counts, Outcome
from rosenblatt.learning.plan import unit_of
from rosenblatt.models.linear import LinearModel
from rosenblatt.theory.decimals import as_fraction

Numbers = NDArray[Any]  # float64, or objects that are Fractions


@dataclass(frozen=True, eq=False)
class Examples:
    """The rows shown: floats, the same as Fractions where the run was exact, and the labels by class and code."""

    rows: Rows
    exact: Numbers | None
    classes: Labels
    codes: Codes
    names: tuple[str, ...]

    @property
    def labels(self) -> Labels:
        return self.classes[self.codes]

    @property
    def n(self) -> int:
        return self.rows.n

    def x(self, i: int) -> Numbers:
        """Return row i, in fractions where they are known."""
        return self.rows.row(i) if self.exact is None else self.exact[i]

    def sign(self, i: int) -> int:
        return 1 if self.codes[i] == 1 else -1


@dataclass(frozen=True, eq=False)
class Updates:
    """The journal's columns; see ``rosenblatt.learning.Journal``."""

    step: Ints
    row: Ints
    tau: Numbers
    m: Numbers
    rival: Codes

    def __len__(self) -> int:
        return len(self.step)

    def first(self, n: int) -> "Updates":
        """Return the first n updates."""
        return Updates(self.step[:n], self.row[:n], self.tau[:n], self.m[:n], self.rival[:n])


class At(NamedTuple):
    """A step: the updates before it, whether it is one, its example, the margin before it, and the step taken."""

    k: int
    updated: bool
    row: int
    m: Any
    tau: Any


@dataclass(frozen=True, eq=False)
class Steps:
    """One line per example shown: the pass (from 0), the row, its m before, and the step taken (0 for none)."""

    number: Ints
    row: Ints
    m: Numbers
    tau: Numbers

    def __len__(self) -> int:
        return len(self.row)


@dataclass(frozen=True, eq=False)
class Remembered:
    """Which vector the memory made the model: w and b (None for a vote), and for the pocket its training errors."""

    memory: str
    w: Numbers | None
    b: Any
    errors: int | None = None


@dataclass(frozen=True, eq=False)
class Record:
    """Start, updates, counts and model of one run."""

    start: tuple[Numbers, Numbers]
    updates: Updates
    counts: Counts
    model: Remembered


def from_outcome(outcome: Outcome, memory: str, limit: int) -> Record:
    """Return the record of a run of the core, keeping the first ``limit`` updates."""
    journal = outcome.journal
    assert isinstance(journal, Journal)
    kept = slice(0, limit)
    columns: list[Any] = [getattr(journal, name)[kept] for name in ("step", "row", "tau", "m", "rival")]
    counts = Counts(**{field.name: getattr(outcome, field.name) for field in fields(Counts)})
    w, b = (outcome.model.w, outcome.model.b) if isinstance(outcome.model, LinearModel) else (None, None)
    errors = None if outcome.pocket_errors is None else int(outcome.pocket_errors[0])
    return Record(journal.start, Updates(*columns), counts, Remembered(memory, w, b, errors))


def on_blackboard(
    examples: Examples,
    start: tuple[Numbers, Numbers],
    settings: dict[str, Any],
    weights: Numbers | None,
    max_updates: int | None,
    limit: int,
) -> Record:
    """Return the record of an exact run, in Fractions from start to end."""
    assert examples.exact is not None
    direct = len(start[0]) > 1  # of two classes the direct machine is the binary one
    signs = examples.codes.tolist() if direct else [examples.sign(i) for i in range(examples.n)]
    begin = [([whole(v) for v in w], whole(b)) for w, b in zip(*start, strict=True)]
    run = blackboard.learn(
        [[whole(v) for v in x] for x in examples.exact],
        signs,
        margin=whole(as_fraction(settings["margin"])),
        rate=whole(as_fraction(settings["rate"])),
        bias=settings["bias"],
        start=begin if direct else begin[0],
        order=settings["order"],
        seed=settings["seed"],
        ties=settings["ties"],
        max_passes=settings["max_passes"] or 2**62,
        max_updates=max_updates,
        weights=None if weights is None else [whole(v) for v in weights],
        direct=direct,
    )
    lines = run.journal[:limit]
    updates = Updates(
        np.array([line[0] for line in lines], dtype=np.int64),
        np.array([line[1] for line in lines], dtype=np.int64),
        objects([Fraction(line[2]) for line in lines]),
        objects([Fraction(line[3]) for line in lines]),
        np.array([line[4] for line in lines], dtype=np.int32),
    )
    per_pass = np.array(run.updates_per_pass, dtype=np.int64)
    counts = Counts(
        converged=run.converged,
        stopped_by=run.stopped_by,
        n_steps=run.n_steps,
        n_passes=len(per_pass),
        n_updates=len(run.journal),
        n_mistakes=run.n_mistakes,
        updates_per_pass=per_pass,
    )
    return Record(start, updates, counts, _remembered(run, settings["memory"], start[0].shape))


def _remembered(run: blackboard.Run, memory: str, shape: tuple[int, ...]) -> Remembered:
    if memory == "vote":
        return Remembered(memory, None, None)
    vector = run.pocket if memory == "pocket" else run.last
    if memory == "average":  # whole numbers must not be divided as floats
        n = run.n_steps
        vector = tuple(Fraction(sum(c * v[j] for v, c in run.voters)) / n for j in range(len(run.last)))
    parts = objects([Fraction(value) for value in vector]).reshape(shape[0], shape[1] + 1)
    w, b = (parts[0, :-1], parts[0, -1]) if shape[0] == 1 else (parts[:, :-1], parts[:, -1])
    return Remembered(memory, w, b, run.pocket_errors if memory == "pocket" else None)


def whole(value: Fraction) -> Fraction | int:
    """Return a whole number as an int: the same arithmetic, ten times faster."""
    return value.numerator if value.denominator == 1 else value


def objects(values: list[Any]) -> Numbers:
    """Return an object array of exactly these values, however few."""
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out


@dataclass(frozen=True, eq=False)
class Vectors:
    """All vectors of a run: W (k+1 × vectors × d) and b (k+1 × vectors), both times ``unit``.

    Floats are held in units of the rate, as the core holds them, so that what is shown is what was judged.
    """

    examples: Examples
    W: Numbers
    b: Numbers
    unit: Any

    def in_full(self) -> tuple[Numbers, Numbers]:
        return self.W * self.unit, self.b * self.unit

    def margins(self, k: int, index: Ints) -> Numbers:
        """Return m of the chosen rows at vector k."""
        return margins(self.examples, self.W[k], self.b[k], index)[0] * self.unit

    def rivals(self, k: int, index: Ints) -> Codes:
        """Return the best rival of each of the chosen rows at vector k."""
        return margins(self.examples, self.W[k], self.b[k], index)[1]


def replay(examples: Examples, start: tuple[Numbers, Numbers], updates: Updates, settings: dict[str, Any]) -> Vectors:
    """Return all vectors, from the start and the updates."""
    rate = float(as_fraction(settings["rate"]))
    unit = unit_of(rate, start) if examples.exact is None else 1
    units, weights = updates.tau, settings["weights"]
    if unit == rate != 1:  # a step of so many times the rate as its example weighs
        units = np.ones(len(updates)) if weights is None else weights[updates.row]
    W, b = start[0] / unit, start[1] / unit
    all_W, all_b = np.empty((len(updates) + 1, *W.shape), W.dtype), np.empty((len(updates) + 1, *b.shape), b.dtype)
    all_W[0], all_b[0] = W, b
    for k in range(len(updates)):
        i, tau, rival = int(updates.row[k]), units[k], int(updates.rival[k])
        x = examples.x(i)
        moves = [(0, tau * examples.sign(i))] if len(b) == 1 else [(int(examples.codes[i]), tau), (rival, -tau)]
        for v, step in moves:
            W[v] = W[v] + step * x
            if settings["bias"]:
                b[v] = b[v] + step
        all_W[k + 1], all_b[k + 1] = W, b
    return Vectors(examples, all_W, all_b, unit)


def margins(examples: Examples, W: Numbers, b: Numbers, index: Ints) -> tuple[Numbers, Codes]:
    """Return m of the chosen rows at one hypothesis (vectors × d), and their best rivals (−1 in the binary case).

    Floats are summed as the core sums them.
    """
    if examples.exact is None:
        part: Rows = examples.rows.take(index)
        scores: Numbers = _core.scores(part.examples(), np.ascontiguousarray(W), np.ascontiguousarray(b))
    else:
        scores = examples.exact[index] @ W.T + b
    codes = examples.codes[index]
    if len(b) == 1:
        return np.where(codes == 1, scores[:, 0], -scores[:, 0]) + 0, np.full(len(index), -1, dtype=np.int32)
    at = np.arange(len(index))
    rival = np.where(np.arange(len(b)) == codes[:, None], -np.inf, scores).argmax(axis=1).astype(np.int32)
    return scores[at, codes] - scores[at, rival], rival


def stretches(updates: Updates, shown: int) -> Iterator[tuple[int, slice]]:
    """Return for each vector k the steps at which it was judged: those before update k, and that update itself."""
    begin = 0
    for k, last in enumerate([*updates.step.tolist(), shown - 1]):
        stop = min(last + 1, shown)
        if begin < stop:
            yield k, slice(begin, stop)
        begin = stop


def steps_of(shown: tuple[Ints, Ints], updates: Updates, vectors: Vectors) -> Steps:
    """Return the lines of the steps shown, as far as the kept updates reach."""
    number, row = shown
    m = np.zeros(len(row)) if vectors.examples.exact is None else objects([Fraction(0)] * len(row))
    tau = m.copy()
    for k, part in stretches(updates, len(row)):
        m[part] = vectors.margins(k, row[part])
    kept = updates.first(int(np.searchsorted(updates.step, len(row))))
    m[kept.step], tau[kept.step] = kept.m, kept.tau
    return Steps(number, row, m, tau)
