"""The study of many runs: one line per run, summaries, the bound beside, and how far the boundaries spread."""

from dataclasses import dataclass, fields, replace
from functools import cached_property
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt._typing import Codes, Doubles, Ints, Labels
from rosenblatt.data.rows import Rows
from rosenblatt.errors import DataError
from rosenblatt.learning.outcome import Outcome
from rosenblatt.learning.run import learn
from rosenblatt.theory.best import Best
from rosenblatt.theory.explain import count
from rosenblatt.theory.frames import to_arrow, to_pandas
from rosenblatt.theory.layout import Table
from rosenblatt.theory.signed import lengths
from rosenblatt.theory.studying.design import Design, scale_name, scaled
from rosenblatt.theory.studying.picture import picture

Bools = NDArray[np.bool_]
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
BINS = 12


@dataclass(frozen=True, eq=False)
class Results:
    """One entry per run; see ``Study`` for the meaning of each column."""

    updates: Ints
    passes: Ints
    mistakes: Ints
    steps: Ints
    errors: Ints
    converged: Bools
    stopped_by: NDArray[Any]
    final_margin: Doubles
    angle: Doubles
    w: Doubles
    b: Doubles
    finished: Bools

    @classmethod
    def empty(cls, runs: int, d: int) -> "Results":
        counts = {name: np.zeros(runs, dtype=np.int64) for name in ("updates", "passes", "mistakes", "steps", "errors")}
        return cls(
            **counts,
            converged=np.zeros(runs, dtype=bool),
            stopped_by=np.full(runs, "", dtype=object),
            final_margin=np.full(runs, -np.inf),
            angle=np.full(runs, np.nan),
            w=np.zeros((runs, d)),
            b=np.zeros(runs),
            finished=np.zeros(runs, dtype=bool),
        )

    def only(self, kept: Bools) -> "Results":
        return Results(**{part.name: getattr(self, part.name)[kept] for part in fields(self)})


@dataclass(frozen=True)
class Summary:
    """Mean, extremes and quantiles (5, 25, 50, 75, 95 %) of one column."""

    mean: float
    minimum: float
    quantiles: tuple[float, ...]
    maximum: float

    @property
    def median(self) -> float:
        return self.quantiles[2]


@dataclass(frozen=True, eq=False)
class Study:
    """What many runs did, made by ``study``.

    Attributes
    ----------
    updates, passes, mistakes, steps : counts of each run.
    converged, stopped_by : how each ended.
    errors : training errors (m <= 0) of each model; ``final_margin`` : its geometric margin, −inf if it errs.
    angle : degrees between each (w, b) and the best separator of its data as scaled; NaN where that is not known.
    w, b : the models, in the features as scaled.
    design : seed, start, rate, margin, scaling and flips of each run.
    bound : for each run the most updates the theorem allows, NaN where it says nothing.
    best : the best separator for each scaling.
    """

    rows: Rows
    classes: Labels
    codes: Codes
    design: Design
    results: Results
    settings: dict[str, Any]
    best: tuple[Best | None, ...]

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and name in Results.__dataclass_fields__:
            return getattr(self.results, name)
        raise AttributeError(f"a Study has no attribute {name!r}")

    def __len__(self) -> int:
        return self.design.runs

    @property
    def labels(self) -> Labels:
        """The labels as they were given, before any flip."""
        return self.classes[self.codes]

    def data(self, i: int) -> tuple[Rows, Labels]:
        """Return the rows and labels of run i, as scaled and flipped."""
        rows = scaled(self.rows, self.design.scales[int(self.design.scale[i])])
        return rows, self.classes[self.design.codes_of(i, self.codes)]

    def options(self, i: int) -> dict[str, Any]:
        """Return the keyword arguments of ``learn`` that repeat run i on ``data(i)``."""
        start = self.design.start_of(i)
        return self.settings | {
            "start": (start[:-1], float(start[-1])),
            "seed": int(self.design.order_seed[i]),
            "rate": float(self.design.rate[i]),
            "margin": float(self.design.margin[i]),
        }

    def rerun(self, i: int) -> Outcome:
        """Make run i again, with its journal."""
        if not 0 <= i < len(self):
            raise IndexError(f"run {i} is outside 0..{len(self) - 1}")
        return learn(*self.data(i), **self.options(i))

    def only(self, kept: Bools) -> "Study":
        """Return the study of some of the runs."""
        design = self.design
        lines = {
            name: getattr(design, name)[kept] for name in ("run_seed", "order_seed", "rate", "margin", "flip", "scale")
        }
        start = design.start if len(design.start) == 1 else design.start[kept]
        return replace(self, design=replace(design, **lines, start=start), results=self.results.only(kept))

    @cached_property
    def bound(self) -> Doubles:
        """Largest whole k with ``u·w0 + k r γ <= sqrt(‖w0‖² + k (r²R² + 2 r β))`` for each run (Novikoff 1962, theorem 1).

        From a zero start with margin 0 this is (R/γ)², rounded down; infinite where no float holds it. NaN with flips or weights, and where no separator is known.
        """
        bound = np.full(len(self), np.nan)
        if self.settings["weights"] is not None:
            return bound
        starts = np.broadcast_to(self.design.start, (len(self), self.rows.d + 1))
        for k, best in enumerate(self.best):
            mine = (self.design.scale == k) & (self.design.flip == 0)
            if best is None or not mine.any():
                continue
            bound[mine] = best.most_updates(starts[mine], self.design.rate[mine], self.design.margin[mine])
        return bound

    def summary(self, column: str = "updates") -> Summary:
        """Return mean, extremes and quantiles of a column; runs without a finite value are left out."""
        values = np.asarray(self._column(column), dtype=np.float64)
        values = values[np.isfinite(values)]
        if not len(values):
            nan = float("nan")
            return Summary(nan, nan, (nan,) * len(QUANTILES), nan)
        quantiles = tuple(float(q) for q in np.quantile(values, QUANTILES))
        return Summary(float(values.mean()), float(values.min()), quantiles, float(values.max()))

    def _column(self, name: str) -> Any:
        if name == "bound":
            return self.bound
        if name in Results.__dataclass_fields__ and name not in ("w", "finished", "stopped_by"):
            return getattr(self.results, name)
        raise DataError(f"{name!r} is no column of numbers; choose updates, passes, mistakes, steps, errors, angle...")

    def by(self, name: str) -> Table:
        """Return one line per value of what was varied: "rate", "margin", "scale" or "flip"."""
        if name not in ("rate", "margin", "scale", "flip"):
            raise DataError(f"by({name!r}): choose 'rate', 'margin', 'scale' or 'flip'.")
        values = getattr(self.design, name)
        lines = []
        for value in np.unique(values):
            part = self.only(values == value)
            updates, angle = part.summary(), part.summary("angle")
            label = scale_name(self.design.scales[int(value)]) if name == "scale" else f"{value:g}"
            known = np.isfinite(part.bound).all()
            lines.append(
                (
                    label,
                    len(part),
                    f"{updates.mean:.4g}",
                    f"{updates.median:.4g}",
                    f"{updates.maximum:.4g}",
                    count(int(part.bound.max())) if known else "–",
                    "–" if np.isnan(angle.median) else f"{angle.median:.1f}°",
                    int((~part.results.converged).sum()),
                )
            )
        headers = (name, "runs", "mean updates", "median", "max", "bound", "angle to best", "not converged")
        return Table(headers, tuple(lines), "lrrrrrrr")

    @cached_property
    def directions(self) -> Doubles:
        """(w, b) of each run with length 1; zero vectors stay zero."""
        V = np.column_stack([self.results.w, self.results.b])
        norm = lengths(V)[:, None]
        return np.asarray(V / np.where(norm > 0, norm, 1.0))

    @cached_property
    def spread(self) -> Doubles:
        """Degrees between each run's (w, b) and the mean direction of all: how much the boundary depends on chance."""
        mean = self.directions.mean(axis=0)
        norm = np.linalg.norm(mean)
        if norm == 0:
            return np.full(len(self), np.nan)
        return np.asarray(np.degrees(np.arccos(np.clip(self.directions @ (mean / norm), -1.0, 1.0))))

    def columns(self) -> dict[str, Any]:
        """Return the table by columns, one entry per run."""
        names = self.rows.names or tuple(f"x{j + 1}" for j in range(self.rows.d))
        design, results = self.design, self.results
        table: dict[str, Any] = {"run": np.arange(len(self)), "seed": design.order_seed}
        table |= {"rate": design.rate.tolist(), "margin": design.margin.tolist()}
        table |= {"scale": [scale_name(design.scales[k]) for k in design.scale], "flip": design.flip.tolist()}
        for name in ("updates", "passes", "mistakes", "steps", "converged", "stopped_by", "errors"):
            table[name] = getattr(results, name).tolist()
        table |= {"final_margin": results.final_margin.tolist(), "angle": results.angle.tolist()}
        table["bound"] = self.bound.tolist()
        table |= {f"w[{name}]": results.w[:, j].tolist() for j, name in enumerate(names)}
        table["b"] = results.b.tolist()
        return table

    def to_pandas(self) -> Any:
        """Return the table as a pandas DataFrame."""
        return to_pandas(self.columns())

    def to_arrow(self) -> Any:
        """Return the table as a pyarrow Table."""
        return to_arrow(self.columns())

    def histogram(self) -> list[tuple[int, int, int]]:
        """Return (from, to, runs) for at most 12 equal ranges of updates, both ends included."""
        low, high = int(self.results.updates.min()), int(self.results.updates.max())
        width = -(-(high - low + 1) // BINS)
        counts = np.bincount((self.results.updates - low) // width)
        return [(low + k * width, low + (k + 1) * width - 1, int(c)) for k, c in enumerate(counts)]

    def __repr__(self) -> str:
        return picture(self)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(repr(self))}</pre>"
