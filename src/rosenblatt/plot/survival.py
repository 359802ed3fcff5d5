"""SurvivalDisplay: how long each vector stood, and how good it was."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt._typing import Ints
from rosenblatt.data.arrays import as_rows
from rosenblatt.data.labels import encode
from rosenblatt.errors import DataError
from rosenblatt.plot.look import SERIES, new_axes, tidy, tint, title, whole_ticks, write

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rosenblatt.theory.tracing import Trace

CROWD = 200  # more vectors than this are no longer told apart as bars
BINS = 160


@dataclass(eq=False, repr=False)
class SurvivalDisplay:
    """How long each vector was in force: width is its survival count, height how many examples it gets right.

    The voted machine gives vector k the weight ``count[k]``; the averaged one is their mean with these weights.

    Attributes
    ----------
    count : steps of each vector, the start's first; their sum is the number of steps.
    right : how many of n examples each vector has on the right side (m > 0).
    ax_, figure_, bars_ : the artists, once drawn.

    References
    ----------
    Freund and Schapire (1999), figure 1.
    """

    count: Ints
    right: Ints
    n: int
    cut: str = ""

    @classmethod
    def from_trace(cls, trace: "Trace", *, ax: "Axes | None" = None, **style: Any) -> "SurvivalDisplay":
        """Draw the vectors of a trace."""
        right = (trace.margins() > 0).sum(axis=1).astype(np.int64)
        return cls(trace.survival, right, trace.examples.n, trace.cut).plot(ax=ax, **style)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, ax: "Axes | None" = None, **style: Any
    ) -> "SurvivalDisplay":
        """Draw the vectors of a fitted VotedPerceptron of two classes, judged on X and y."""
        model: Any = getattr(estimator, "model_", getattr(estimator, "model", estimator))
        ballots: Any = getattr(model, "ballots", ())
        if len(ballots) != 1 or ballots[0].gains is not None or not hasattr(model, "start"):
            raise DataError("survival is drawn for a linear voted machine of two classes: VotedPerceptron.")
        rows, ballot = as_rows(X), ballots[0]
        _, codes = encode(y, rows.n, model.classes)
        sign = np.where(codes == 1, 1.0, -1.0)
        score = model.start.score(rows)
        S = model.rows.products(rows) + float(model.bias)
        right = [int((sign * score > 0).sum())]
        for row, step in zip(ballot.row, ballot.step, strict=True):
            score = score + step * S[row]
            right.append(int((sign * score > 0).sum()))
        return cls(ballot.count.astype(np.int64), np.array(right), rows.n).plot(ax=ax, **style)

    from_outcome = from_estimator

    def plot(self, ax: "Axes | None" = None) -> "SurvivalDisplay":
        """Draw, on the axes given or on new ones."""
        self.ax_ = ax = new_axes(ax, (7.4, 3.3))
        self.figure_ = ax.figure
        ends = np.cumsum(self.count)
        total = int(ends[-1])
        crowded = len(self.count) > CROWD
        self.bars_ = self._draw_band(ax, ends) if crowded else self._draw_bars(ax, ends)
        ax.set_xlim(0, total)
        ax.set_ylim(*self._range() if crowded else (0, 1.04 * self.n))
        band = "line: mean of the vectors in force; band: from the worst to the best of them"
        tidy(ax, "steps", f"examples right, of {self.n}", "; ".join(filter(None, [band * crowded, self.cut])))
        whole_ticks(ax, "xy")
        longest = int(self.count.argmax())
        share = self.count[longest] / total
        part = f"{share:{'.0%' if share >= 0.1 else '.1%'}}" if share >= 0.001 else f"1 in {round(1 / share)}"
        voters = int((self.count > 0).sum())
        title(
            ax,
            f"{voters} vector{'s' * (voters != 1)} in {total} steps; $w_{{{longest}}}$ has {part} of the votes",
        )
        return self

    def _draw_bars(self, ax: "Axes", ends: Ints) -> Any:
        """Draw every vector as a bar, the longest with their counts."""
        paint = [tint(SERIES[0], 0.6 if k % 2 else 0.85) for k in range(len(self.count))]
        bars = ax.bar(ends - self.count, self.right, width=self.count, align="edge", color=paint,
                      edgecolor="white", linewidth=0.8 if len(self.count) < 80 else 0, zorder=2)  # fmt: skip
        for k, (end, count, right) in enumerate(zip(ends, self.count, self.right, strict=True)):
            if count >= 0.075 * ends[-1]:
                inside = right >= 0.2 * self.n
                style: dict[str, Any] = {"colour": "white", "path_effects": []} if inside else {}
                write(ax, (end - count / 2, right), f"$w_{{{k}}}$: {count}", away=(0, -9 if inside else 8), **style)
        return bars

    def _draw_band(self, ax: "Axes", ends: Ints) -> Any:
        """Draw more vectors than there is room for bars: their range and mean in equal stretches of steps."""
        edges = np.linspace(0, ends[-1], BINS + 1)
        first = np.searchsorted(ends, edges[:-1], side="right")
        last = np.minimum(np.searchsorted(ends, edges[1:], side="left"), len(ends) - 1)
        low, mean, high = np.array([
            (part.min(), np.average(part, weights=np.maximum(weight, 1)), part.max())
            for part, weight in ((self.right[a : b + 1], self.count[a : b + 1]) for a, b in zip(first, last, strict=True))
        ]).T  # fmt: skip
        band = ax.fill_between(edges, np.append(low, low[-1]), np.append(high, high[-1]), step="post",
                               color=tint(SERIES[0], 0.3), linewidth=0, zorder=1)  # fmt: skip
        ax.stairs(mean, edges, baseline=None, color=SERIES[0], linewidth=1.2, zorder=2)
        return band

    def _range(self) -> tuple[float, float]:
        """Return the heights to show of a crowd: all examples right, the worst that lasted, and some room below it."""
        worst = float(self.right[self.count > 0].min())
        return max(2 * worst - self.n, 0.9 * worst), 1.02 * self.n
