"""The trace of one run: every step or update with its numbers, the proof beside it, and tables for people."""

import importlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from rosenblatt._typing import Doubles, Ints
from rosenblatt.errors import DataError
from rosenblatt.learning.outcome import Counts
from rosenblatt.theory.best import Best
from rosenblatt.theory.decimals import fractions_of
from rosenblatt.theory.frames import to_arrow, to_csv, to_pandas
from rosenblatt.theory.layout import Table
from rosenblatt.theory.signed import lengths, near_one
from rosenblatt.theory.tracing import wording
from rosenblatt.theory.tracing.columns import columns
from rosenblatt.theory.tracing.curves import ProofCurves, proof_curves
from rosenblatt.theory.tracing.lines import full_table, margin_table, short_table
from rosenblatt.theory.tracing.record import At, Examples, Numbers, Remembered, Steps, Updates, Vectors, margins, replay
from rosenblatt.theory.tracing.schema import to_json
from rosenblatt.theory.tracing.shown import Cycle


@dataclass(frozen=True, eq=False)
class Trace:
    """What happened at every step, made by ``trace``.

    Arrays count rows, steps and passes from 0, as the journal does; printed tables count from 1, as lectures do.

    Attributes
    ----------
    examples : rows, labels, names.
    settings : the keyword arguments of the run.
    start : (W, b) before the first step, one line per vector.
    steps : columns ``number`` (pass), ``row``, ``m``, ``tau`` of the first steps shown, at most ``max_rows``.
    updates : the journal's columns ``step, row, tau, m, rival``, at most ``max_rows``.
    counts : converged, stopped_by, n_steps, n_passes, n_updates, n_mistakes, updates_per_pass of the whole run.
    model : which vector the memory made the model.
    exact : whether all numbers are fractions; then arrays hold ``fractions.Fraction``.
    best : the best separator u with gamma and R, where the data are separable and small enough to ask.
    cycle : where an exact run came back to an earlier vector at the same place of the pass, if it did.
    ties : steps at which rounding may have decided how the run went on (never in exact mode).
    what : "updates" or "steps": the lines of the tables.
    """

    examples: Examples
    settings: dict[str, Any]
    start: tuple[Numbers, Numbers]
    steps: Steps
    updates: Updates
    counts: Counts
    model: Remembered
    best: Best | None
    cycle: Cycle | None
    ties: Ints
    what: str = "updates"

    @property
    def exact(self) -> bool:
        return self.examples.exact is not None

    @property
    def binary(self) -> bool:
        return len(self.start[1]) == 1

    @cached_property
    def held(self) -> Vectors:
        """The vectors as they were judged, in units of the rate where that makes their arithmetic exact."""
        return replay(self.examples, self.start, self.updates, self.settings)

    @cached_property
    def vectors(self) -> tuple[Numbers, Numbers]:
        """W and b after 0, 1, 2, ... updates: (k+1, d) and (k+1,); (k+1, K, d) and (k+1, K) with a vector a class."""
        W, b = self.held.in_full()
        return (W[:, 0], b[:, 0]) if self.binary else (W, b)

    @property
    def survival(self) -> Ints:
        """After how many steps each vector was in force, its creating step included: the votes of the voted machine."""
        return np.diff(np.concatenate([[0], self.updates.step, [self.kept_steps]])).astype(np.int64)

    @property
    def kept_steps(self) -> int:
        """Steps to the end of the run or, where not all updates were kept, to the last of those."""
        return self.counts.n_steps if self.complete else int(self.updates.step[-1]) + 1

    @property
    def complete(self) -> bool:
        """Whether every update of the run was kept."""
        return len(self.updates) == self.counts.n_updates

    @property
    def cut(self) -> str:
        """Which updates were kept, in words, where the run made more: "the first 10000 of 12345 updates"."""
        return "" if self.complete else f"the first {len(self.updates)} of {self.counts.n_updates} updates"

    @property
    def model_k(self) -> int | None:
        """After how many updates the model's vector came up: for memory last and pocket; None where it is a blend."""
        if self.model.memory == "last":
            return self.counts.n_updates
        if self.model.memory == "pocket" and self.model.w is not None:
            W, b = self.vectors
            for k in range(len(W)):
                if np.array_equal(W[k], self.model.w) and np.array_equal(b[k], self.model.b):
                    return k
        return None

    def margins(self, k: int | None = None) -> Numbers:
        """Return m of every example (columns) at every vector (lines), or at vector k alone: the table that W2 prints.

        >>> from rosenblatt import trace
        >>> from rosenblatt.datasets import w2
        >>> trace(*w2(), bias=False).margins().astype(int).tolist()
        [[0, 0, 0, 0], [4, 0, -4, 4], [4, 4, 0, 8], [0, 8, 8, 8], [4, 8, 4, 12]]
        """
        everyone = np.arange(self.examples.n)
        if k is not None:
            return self.held.margins(k, everyone)
        return np.array([self.held.margins(k, everyone) for k in range(len(self.updates) + 1)])

    def proof(self, u: tuple[Any, float] | None = None) -> ProofCurves:
        """Return the proof's curves, by default against the best separator; any separator (w, b) will do.

        >>> from rosenblatt import trace
        >>> from rosenblatt.datasets import w2
        >>> curves = trace(*w2(), bias=False).proof(u=([1, 2], 0))
        >>> curves.hold, curves.progress.round(3).tolist()
        (True, [0.0, 0.894, 2.683, 3.578, 4.472])
        """
        if not self.binary:
            raise DataError("the proof's curves are for two classes; trace one class against the rest: y == label.")
        if u is None:
            return self._proof
        return self._against(self._separator(u))

    @cached_property
    def _proof(self) -> ProofCurves:
        if self.best is None:
            raise DataError(
                "no separator is known: the data are not separable (check(X, y) proves it, and its certificate can be "
                "drawn), or so nearly not that rounding decides, or too large to ask by the way: then give one as "
                "u=(w, b), for example from max_margin(X, y)."
            )
        return self._against(self.best)

    def _against(self, best: Best) -> ProofCurves:
        W, b = self.vectors
        return proof_curves(W, b, self.updates.tau, float(self.settings["margin"]), best)

    def _separator(self, u: tuple[Any, float]) -> Best:
        v = np.append(np.asarray(u[0], dtype=np.float64), float(u[1]))
        v, _ = near_one(v)
        size, bias, rows = float(np.linalg.norm(v)), self.settings["bias"], self.examples.rows
        V = fractions_of(v, v.shape) if self.exact else v
        gamma = float(margins(self.examples, V[None, :-1], V[-1:], np.arange(self.examples.n))[0].min()) / size
        if gamma <= 0:
            raise DataError(f"u = {u} does not separate the examples: its smallest margin is {gamma:.6g}.")
        if not bias and v[-1] != 0:
            raise DataError(f"u has b = {u[1]}, but the run was through the origin; leave b at 0.")
        return Best(v[:-1] / size, float(v[-1]) / size, gamma, float(np.sqrt(rows.squared_norms().max() + bias)))

    def k_before(self, steps: Ints) -> Ints:
        """Return how many updates had been made before each of these steps."""
        return np.searchsorted(self.updates.step, steps, side="left").astype(np.int64)

    @cached_property
    def most_updates(self) -> int | None:
        """The most updates that the theorem allows this run, with its start, rate and margin; None where it is silent."""
        if self.best is None or not self.binary or self.settings.get("weights") is not None:
            return None
        w0 = np.append(self.start[0][0].astype(np.float64), float(self.start[1][0]))
        most = self.best.most_updates(w0, float(self.settings["rate"]), float(self.settings["margin"]))
        return int(most) if np.isfinite(most) else None

    @cached_property
    def norms(self) -> Doubles:
        """‖(w, b)‖ of every vector."""
        W, b = self.vectors
        flat = np.column_stack([W.reshape(len(W), -1), b.reshape(len(b), -1)]).astype(np.float64)
        return lengths(flat)

    def sentence(self, step: int) -> str:
        """Return the arithmetic of a step (counted from 0) in words.

        >>> from rosenblatt import trace
        >>> from rosenblatt.datasets import w2
        >>> run = trace(*w2(), bias=False)
        >>> print(run.sentence(0))
        −1 × ((0)(−2) + (0)(0)) = 0 ≤ 0, so w ← (0, 0) − (−2, 0) = (2, 0)
        >>> print(run.sentence(3))
        +1 × ((0)(2) + (4)(2)) = 8 > 0, no change
        """
        at = self.at(step)
        say = self._say_binary if self.binary else self._say_direct
        return say(at.row, at.k, at.m, at.tau)

    def at(self, step: int) -> At:
        """Return the example of a step (counted from 0), its margin, and by how much it moved the vector."""
        k = int(self.k_before(np.array([step]))[0])
        if k < len(self.updates) and int(self.updates.step[k]) == step:
            return At(k, True, int(self.updates.row[k]), self.updates.m[k], self.updates.tau[k])
        if 0 <= step < len(self.steps):
            return At(k, False, int(self.steps.row[step]), self.steps.m[step], self.steps.tau[step])
        raise IndexError(f"step {step} was not kept: {len(self.steps)} steps and {len(self.updates)} updates are")

    def _say_binary(self, i: int, k: int, m: Any, tau: Any) -> str:
        W, b = self.vectors
        x, sign, bias = self.examples.x(i), self.examples.sign(i), self.settings["bias"]
        claim = wording.verdict(m, self.settings["margin"], self.settings["ties"], sign > 0)
        text = f"{'+1' if sign > 0 else '−1'} × {wording.product(x, W[k], b[k], bias)} = {claim}"
        if tau:
            return f"{text}, so {wording.move(W[k], x, b[k], tau * sign, (W[k + 1], b[k + 1]), bias)}"
        return f"{text}, no change"

    def _say_direct(self, i: int, k: int, m: Any, tau: Any) -> str:
        W, b = self.vectors
        other = int(self.held.rivals(k, np.array([i]))[0])
        true, rival = (self.examples.classes[c] for c in (int(self.examples.codes[i]), other))
        claim = wording.verdict(m, self.settings["margin"], "mistake", True)
        text = f"score of {true} − score of {rival} = {claim}"
        if not tau:
            return f"{text}, no change"
        x, bias, moves = self.examples.x(i), self.settings["bias"], []
        for label, c, step in ((true, int(self.examples.codes[i]), tau), (rival, other, -tau)):
            move = wording.move(W[k][c], x, b[k][c], step, (W[k + 1][c], b[k + 1][c]), bias)
            moves.append(move.replace("w ←", f"w({label}) ←").replace("b ←", f"b({label}) ←"))
        return f"{text}, so {', '.join(moves)}"

    def table(self) -> Table:
        """Return the lines as a table of texts, all of them."""
        return full_table(self)

    def margin_table(self, *, short: bool = False) -> Table:
        """Return m of every example at every vector as a table of texts; ``short=True``: no more than a screen."""
        return margin_table(self, short)

    def __repr__(self) -> str:
        return str(short_table(self))

    def _repr_html_(self) -> str:
        return short_table(self)._repr_html_()

    def to_markdown(self) -> str:
        """Return the table in Markdown."""
        return self.table().to_markdown()

    def to_latex(self) -> str:
        """Return the table as a LaTeX tabular."""
        return self.table().to_latex()

    def columns(self, *, exact: bool = False) -> dict[str, list[Any]]:
        """Return the lines as columns, by name; ``exact=True`` keeps the fractions of an exact run."""
        return columns(self, exact)

    def to_pandas(self, *, exact: bool = False) -> Any:
        """Return the lines as a pandas DataFrame."""
        return to_pandas(self.columns(exact=exact))

    def to_arrow(self) -> Any:
        """Return the lines as a pyarrow Table."""
        return to_arrow(self.columns())

    def to_csv(self) -> str:
        """Return the lines as CSV text; the numbers of an exact run are written without loss (0.2, 1/3)."""
        return to_csv(self.columns(exact=True))

    def to_json(self) -> str:
        """Return the whole trace as JSON of schema ``rosenblatt.trace/1`` (docs/trace-schema.md)."""
        return to_json(self)

    def to_html(self) -> str:
        """Return the run as one HTML page, the lab replaying it step by step; two classes and at most two features."""
        return str(self._lab().to_html())

    def widget(self) -> Any:
        """Return the lab as a notebook widget that replays the run; needs the extra ``lab``."""
        return self._lab().widget()

    def _lab(self) -> Any:
        return importlib.import_module("rosenblatt.lab").lab(trace=self)  # the lab stands above the theory

    @staticmethod
    def from_json(text: str) -> "Trace":
        """Return the trace that ``to_json`` wrote."""
        from rosenblatt.theory.tracing.reading import from_json

        return from_json(text)
