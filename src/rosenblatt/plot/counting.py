"""MistakesDisplay and ConvergenceDisplay: how many updates a run takes, many runs take, and the theorem allows."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt._typing import Doubles, Ints
from rosenblatt.errors import DataError
from rosenblatt.learning.outcome import Outcome
from rosenblatt.plot.look import FAINT, INK, QUIET, SERIES, legend, new_axes, panels, tidy, title, whole_ticks, write
from rosenblatt.plot.points import line_handle

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rosenblatt.theory.studying import Study
    from rosenblatt.theory.tracing import Trace

NEAR = 1.6  # a bound up to so many times the largest count is drawn to scale; a farther one behind a break


@dataclass(eq=False, repr=False)
class MistakesDisplay:
    """Updates per pass, and updates so far against steps, below the bound.

    Attributes
    ----------
    per_pass : for each run (by name) the updates in each pass.
    steps : for each run the steps at which updates were made (from 1).
    n_steps : for each run its length, or up to the last update kept; ``cut`` then says how many that are.
    bound : the most updates the theorem allows, the largest of the runs'; None where it says nothing.
    whose : whose bound that is, where the runs' differ.
    ax_, figure_, bars_, curves_, bound_ : the artists, once drawn.

    Examples
    --------
    >>> from rosenblatt import trace
    >>> from rosenblatt.datasets import w2
    >>> from rosenblatt.plot import MistakesDisplay
    >>> from matplotlib.figure import Figure
    >>> display = MistakesDisplay.from_trace(trace(*w2(), bias=False), ax=Figure().subplots(1, 2))
    >>> display.per_pass[""].tolist(), display.bound
    ([3, 1, 0], 10)
    """

    per_pass: dict[str, Ints]
    steps: dict[str, Ints]
    n_steps: dict[str, int]
    bound: int | None
    cut: str = ""
    whose: str = ""

    @classmethod
    def from_trace(cls, trace: "Trace | Mapping[str, Trace]", *, ax: Any = None, **style: Any) -> "MistakesDisplay":
        """Draw one trace, or several by name."""
        runs: dict[str, Any] = {str(name): run for name, run in trace.items()} if isinstance(trace, Mapping) else {
            "": trace}  # fmt: skip
        if not runs:
            raise DataError("there is no trace to draw; give at least one.")
        bounds = {name: run.most_updates for name, run in runs.items()}
        known = [bound for bound in bounds.values() if bound is not None]
        largest = max(known) if len(known) == len(bounds) else None
        whose = ", ".join(name for name, bound in bounds.items() if bound == largest) if len({*known}) > 1 else ""
        return cls(
            {name: run.counts.updates_per_pass for name, run in runs.items()},
            {name: run.updates.step + 1 for name, run in runs.items()},
            {name: run.kept_steps for name, run in runs.items()},
            largest,
            next((run.cut for run in runs.values() if run.cut), ""),
            f" ({whose})" if whose else "",
        ).plot(ax=ax, **style)

    @classmethod
    def from_outcome(
        cls, outcome: Outcome, *, bound: int | None = None, ax: Any = None, **style: Any
    ) -> "MistakesDisplay":
        """Draw the result of ``learn``; the bound, if wanted, is ``mistake_bound(X, y).most``."""
        steps = np.zeros(0, dtype=np.int64) if outcome.journal is None else np.sort(outcome.journal.step) + 1
        return cls({"": outcome.updates_per_pass}, {"": steps}, {"": outcome.n_steps}, bound).plot(ax=ax, **style)

    def plot(self, ax: Any = None) -> "MistakesDisplay":
        """Draw on two axes given (on one: updates per pass only), or on new ones."""
        axes = panels(ax, 2, (9.6, 3.7))
        self.ax_, self.figure_ = axes, axes[0].figure
        self.bars_ = self._draw_passes(axes[0])
        self.curves_: dict[str, Any] = {}
        self.bound_ = None
        if len(axes) == 2:
            self._draw_cumulative(axes[1])
        return self

    def _draw_passes(self, ax: "Axes") -> dict[str, Any]:
        made: dict[str, Any] = {}
        many = len(self.per_pass)
        longest = max(len(counts) for counts in self.per_pass.values())
        for k, (name, counts) in enumerate(self.per_pass.items()):
            at = np.arange(1, len(counts) + 1)
            colour = SERIES[k % len(SERIES)]
            if longest > 60 or many > 3:
                made[name] = ax.plot(at, counts, color=colour, linewidth=1.6, label=name)
            else:
                width = 0.7 / many
                made[name] = ax.bar(at + (k - (many - 1) / 2) * width, counts, width=0.92 * width, color=colour,
                                    label=name, zorder=2)  # fmt: skip
                if longest <= 12:
                    ax.bar_label(made[name], fontsize="small", color=INK, padding=2)
        tidy(ax, "pass", "updates")
        whole_ticks(ax, "xy")
        ax.set_ylim(0, 1.14 * max(1, *(int(counts.max(initial=0)) for counts in self.per_pass.values())))
        title(ax, "updates in each pass")
        if many > 1:
            legend(ax, [line_handle(n, color=SERIES[k % len(SERIES)], linewidth=4) for k, n in enumerate(made)])
        return made

    def _draw_cumulative(self, ax: "Axes") -> None:
        most = 1
        for k, (name, steps) in enumerate(self.steps.items()):
            x = np.concatenate([[0], steps, [self.n_steps[name]]])
            y = np.concatenate([np.arange(len(steps) + 1), [len(steps)]])
            (self.curves_[name],) = ax.plot(x, y, color=SERIES[k % len(SERIES)], linewidth=1.9, zorder=4 - 0.1 * k,
                                            drawstyle="steps-post")  # fmt: skip
            most = max(most, len(steps))
        tidy(ax, "steps (examples shown)", "updates so far", self.cut)
        whole_ticks(ax, "xy")
        ax.set_xlim(left=0)
        title(ax, "updates so far, and the most there can be" if self.bound is not None else "updates so far")
        ax.set_ylim(0, 1.12 * most)
        if self.bound is not None:
            # Several runs have colours of their own, and a largest bound that may be only one's.
            style = {"whose": self.whose, "colour": INK} if len(self.steps) > 1 else {}
            self.bound_ = draw_bound(ax, self.bound, most, "y", **style)


@dataclass(eq=False, repr=False)
class ConvergenceDisplay:
    """How the number of updates spreads over the runs of a study, against the bound.

    Attributes
    ----------
    updates : of the runs that converged; ``not_converged`` : how many did not.
    edges, counts : the histogram; ``share`` : the empirical distribution at sorted ``updates``.
    quantiles : 5, 50 and 95 % of the converged runs' updates.
    bound : the most updates the theorem allows in any of the runs; None where it says nothing.
    ax_, figure_, bars_, curve_, bound_ : the artists, once drawn.
    """

    updates: Ints
    not_converged: int
    edges: Doubles
    counts: Ints
    quantiles: tuple[float, float, float]
    bound: int | None
    varied: str

    @property
    def share(self) -> Doubles:
        return np.arange(1, len(self.updates) + 1) / (len(self.updates) + self.not_converged)

    @classmethod
    def from_study(cls, study: "Study", *, ax: "Axes | None" = None, **style: Any) -> "ConvergenceDisplay":
        """Draw the updates of a study's runs."""
        done: NDArray[np.bool_] = study.results.converged
        updates = np.sort(study.results.updates[done])
        edges, counts = _histogram(updates)
        low, middle, high = (float(q) for q in np.quantile(updates, (0.05, 0.5, 0.95))) if len(updates) else (0, 0, 0)
        bound = study.bound
        most = int(bound.max()) if len(bound) and np.isfinite(bound).all() else None
        varied = ", ".join(study.design.vary) or "nothing"
        return cls(updates, int((~done).sum()), edges, counts, (low, middle, high), most, varied).plot(ax=ax, **style)

    def plot(self, ax: "Axes | None" = None, *, kind: str = "histogram") -> "ConvergenceDisplay":
        """Draw, on the axes given or on new ones, a "histogram" or an "ecdf" (the share of runs done by k updates)."""
        if kind not in ("histogram", "ecdf"):
            raise DataError(f"kind={kind!r} is unknown; choose 'histogram' or 'ecdf'.")
        self.ax_ = ax = new_axes(ax, (6.4, 3.9))
        self.figure_ = ax.figure
        self.bars_ = self.curve_ = self.bound_ = None
        runs = len(self.updates) + self.not_converged
        most = int(self.updates.max(initial=1))
        low, middle, high = self.quantiles
        if kind == "histogram":
            self.bars_ = ax.bar(self.edges[:-1], self.counts, width=np.diff(self.edges), align="edge",
                                color=SERIES[0], edgecolor="white", linewidth=0.6, zorder=2)  # fmt: skip
            top = 1.18 * max(int(self.counts.max(initial=0)), self.not_converged, 1)
        else:
            x = np.concatenate([[0], self.updates, [1.02 * most]])
            y = np.concatenate([[0], self.share, [len(self.updates) / runs]])
            (self.curve_,) = ax.plot(x, y, color=SERIES[0], linewidth=2, drawstyle="steps-post", zorder=2)
            top = 1.08
        if not len(self.updates):
            return self._say_none(ax, runs)
        least = int(self.updates.min())
        if kind == "histogram" and least > 20 * (most - least + 1):  # seen from 0 the bars would be a line
            room = 5 * (most - least + 1)
            ax.set_xlim(least - room, most + room)
        else:
            ax.set_xlim(0 if most > 12 else 0.4, 1.04 * most + 1)
        ax.set_ylim(0, top)
        tidy(ax, "updates until the first clean pass", "runs" if kind == "histogram" else "share of runs done")
        whole_ticks(ax, "xy" if kind == "histogram" else "x")
        ax.axvspan(low, high, color=FAINT, alpha=0.35, linewidth=0, zorder=0)
        ax.axvline(middle, color=INK, linewidth=1.4, zorder=3)
        left_half = middle <= sum(ax.get_xlim()) / 2
        write(ax, (middle, top), f"median {middle:g}", away=(4 if left_half else -4, -3), va="top",
              ha="left" if left_half else "right")  # fmt: skip
        title(ax, f"{runs} runs, varied: {self.varied}; 5–95 % of them in grey: {low:.0f}–{high:.0f} updates")
        if self.not_converged and kind == "histogram":
            right = ax.get_xlim()[1]
            at = right + 0.06 * right
            ax.bar([at], [self.not_converged], width=0.05 * right, color="white", edgecolor=QUIET, hatch="////")
            write(ax, (at, self.not_converged), f"{self.not_converged} not\nconverged", away=(0, 12))
            ax.set_xlim(right=at + 0.08 * right)
        if self.bound is not None:
            self.bound_ = draw_bound(ax, self.bound, most, "x")
        return self

    def _say_none(self, ax: "Axes", runs: int) -> "ConvergenceDisplay":
        """Say in the middle of an empty picture that there is nothing to draw."""
        tidy(ax, "updates until the first clean pass")
        ax.set_xticks([])
        ax.set_yticks([])
        write(ax, (0.5, 0.5), "no clean pass in any of them:\ncheck(X, y) tells whether there can be one",
              away=(0, 0), xycoords="axes fraction")  # fmt: skip
        title(ax, f"{runs} runs, none converged")
        return self


def draw_bound(ax: "Axes", bound: int, most: int, axis: str, *, whose: str = "", colour: str = SERIES[1]) -> Any:
    """Draw the bound as a line: to scale where that leaves the data legible, else behind a break in the axis."""
    label = f"bound {bound}{whose}"
    style: dict[str, Any] = {"color": colour, "linewidth": 1.6, "linestyle": "--", "zorder": 3}
    limits = ax.get_xlim() if axis == "x" else ax.get_ylim()
    near = bound <= NEAR * most or bound <= 12
    at = float(bound) if near else limits[1] + 0.12 * (limits[1] - limits[0])
    new = max(limits[1], at + 0.05 * (at - limits[0]))
    if axis == "x":
        ticks = [t for t in ax.get_xticks() if limits[0] <= t <= limits[1]]
        ax.set_xlim(limits[0], new)
        line = ax.axvline(at, **style)
        write(ax, (at, 1), label, away=(-5, -3), ha="right", va="top", colour=colour,
              xycoords=("data", "axes fraction"))  # fmt: skip
    else:
        ticks = [t for t in ax.get_yticks() if limits[0] <= t <= limits[1]]
        ax.set_ylim(limits[0], new)
        line = ax.axhline(at, **style)
        write(ax, (0, at), label, away=(6, -9), ha="left", colour=colour, xycoords=("axes fraction", "data"))
    if not near:
        (ax.set_xticks if axis == "x" else ax.set_yticks)(ticks)
        _break(ax, (limits[1] + 0.4 * (at - limits[1]) - limits[0]) / (new - limits[0]), axis)
    return line


def _break(ax: "Axes", share: float, axis: str) -> None:
    """Cut the axis with two short strokes: what follows is not to scale."""
    wide, tall = 0.006, 0.02
    for shift in (-0.007, 0.007):
        x, y = [share + shift - wide, share + shift + wide], [-tall, tall]
        if axis == "y":
            x, y = [-tall * 0.6, tall * 0.6], [share + 2 * shift - wide, share + 2 * shift + wide]
        ax.plot(x, y, transform=ax.transAxes, color=QUIET, linewidth=1.2, clip_on=False, zorder=6)


def _histogram(updates: Ints) -> tuple[Doubles, Ints]:
    """Return edges at half-integers and counts: a bar per number of updates, or equal ranges where there are many."""
    if not len(updates):
        return np.array([0.5, 1.5]), np.zeros(1, dtype=np.int64)
    low, high = int(updates[0]), int(updates[-1])
    width = max(1, -(-(high - low + 1) // 40))
    edges = np.arange(low, high + width + 1, width, dtype=np.float64) - 0.5
    return edges, np.histogram(updates, edges)[0].astype(np.int64)
