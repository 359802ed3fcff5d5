"""TraceStripDisplay: every example shown, pass under pass; right answers are small, updates carry class and number."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt._typing import Codes, Ints, Labels
from rosenblatt.plot.look import FAINT, INK, QUIET, SHAPES, colours, legend, new_axes, tidy, title
from rosenblatt.plot.points import class_handles, line_handle

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rosenblatt.theory.tracing import Trace

PASSES = 40  # passes drawn; of a longer run the first ones, and the title says so
NUMBERED = 30  # examples in a pass up to which the rows' numbers are written


@dataclass(eq=False, repr=False)
class TraceStripDisplay:
    """One mark per step: ``number`` is its pass, ``place`` its place in it, ``row`` the example (all from 0).

    Attributes
    ----------
    number, place, row, code : one entry per step drawn.
    updated : whether the step moved the vector. mistaken : whether m <= 0; without an update it was left.
    left_out : steps of the run that are not drawn.
    ax_, figure_, quiet_, left_, marks_, legend_ : the artists, once drawn.

    Examples
    --------
    >>> from rosenblatt import trace
    >>> from rosenblatt.datasets import w2
    >>> from rosenblatt.plot import TraceStripDisplay
    >>> from matplotlib.figure import Figure
    >>> display = TraceStripDisplay.from_trace(trace(*w2(), bias=False), ax=Figure().subplots())
    >>> display.number[display.updated].tolist(), display.row[display.updated].tolist()
    ([0, 0, 0, 1], [0, 1, 2, 0])
    """

    number: Ints
    place: Ints
    row: Ints
    code: Codes
    updated: NDArray[np.bool_]
    mistaken: NDArray[np.bool_]
    classes: Labels
    left_out: int
    summary: str

    @classmethod
    def from_trace(cls, trace: "Trace", *, ax: "Axes | None" = None, **style: Any) -> "TraceStripDisplay":
        """Draw the steps of a trace, at most 40 passes of them."""
        number = trace.steps.number
        kept = number < PASSES
        number = number[kept]
        first = np.searchsorted(number, np.arange(int(number[-1]) + 1))
        place = np.arange(len(number)) - first[number]
        updated = np.asarray(trace.steps.tau[kept] > 0, dtype=bool)
        mistaken = np.asarray(trace.steps.m[kept] <= 0, dtype=bool)
        row = trace.steps.row[kept]
        counts = trace.counts
        summary = (
            f"{counts.n_updates} update{'s' * (counts.n_updates != 1)} in {counts.n_steps} steps, "
            f"{counts.n_passes} pass{'es' * (counts.n_passes != 1)}"
            + ("" if counts.converged else f"; not converged ({counts.stopped_by.replace('_', ' ')})")
        )
        display = cls(number, place, row, trace.examples.codes[row], updated, mistaken, trace.examples.classes,
                      counts.n_steps - len(number), summary)  # fmt: skip
        return display.plot(ax=ax, **style)

    def plot(
        self, ax: "Axes | None" = None, *, palette: Mapping[Any, str] | None = None, show_legend: bool = True
    ) -> "TraceStripDisplay":
        """Draw, on the axes given or on new ones."""
        passes, longest = int(self.number[-1]) + 1, int(self.place.max()) + 1
        self.ax_ = ax = new_axes(ax, (max(4.6, min(10.0, 1.6 + 0.42 * longest)), max(1.9, 1.3 + 0.36 * passes)))
        self.figure_ = ax.figure
        numbered = longest <= NUMBERED
        area = 170.0 if numbered else float(np.clip(9000 / longest, 6, 60))
        quiet = ~self.updated
        self.quiet_ = ax.scatter(
            self.place[quiet] + 1, self.number[quiet] + 1, s=area if numbered else 0.35 * area,
            marker="o" if numbered else "|", color="#F0F0F0" if numbered else FAINT, linewidths=0.8, zorder=2,
        )  # fmt: skip
        left = quiet & self.mistaken
        self.left_ = ax.scatter(self.place[left] + 1, self.number[left] + 1, s=area, marker="o", facecolors="none",
                                edgecolors=QUIET, linestyles=":", linewidths=1.4, zorder=3)  # fmt: skip
        self.marks_ = []
        for k, colour in enumerate(colours(self.classes, palette)):
            for hollow in (False, True):
                mine = self.updated & (self.code == k) & (self.mistaken != hollow)
                self.marks_.append(
                    ax.scatter(self.place[mine] + 1, self.number[mine] + 1, s=area * (0.85 if k == 0 else 1.0),
                               marker=SHAPES[k % len(SHAPES)], facecolors="white" if hollow else colour,
                               edgecolors=colour, linewidths=1.2 if hollow else 0, zorder=3)
                )  # fmt: skip
        if numbered:
            ink = np.where(self.updated, np.where(self.mistaken, "white", INK), QUIET)
            for place, number, row, colour in zip(self.place, self.number, self.row, ink, strict=True):
                ax.annotate(str(row + 1), (place + 1, number + 1), ha="center", va="center_baseline",
                            fontsize="x-small", color=str(colour), zorder=4)  # fmt: skip
        ax.set_xlim(0.4, longest + 0.6)
        ax.set_ylim(passes + 0.6, 0.4)
        ax.set_yticks(range(1, passes + 1) if passes <= 12 else range(5, passes + 1, 5))
        ax.set_xticks([])
        note = f"{self.left_out} later steps not drawn" if self.left_out else ""
        tidy(ax, "examples in the order shown" + (" (row numbers)" if numbered else "") + " →", "pass", note)
        ax.spines["bottom"].set_visible(False)
        ax.spines["left"].set_visible(False)
        ax.tick_params(axis="y", length=0)
        ax.xaxis.label.set_fontsize("small")
        title(ax, self.summary)
        self.legend_ = self._legend(ax, palette) if show_legend else None
        return self

    def _legend(self, ax: "Axes", palette: Mapping[Any, str] | None) -> Any:
        handles = class_handles(self.classes, palette)
        for handle in handles:
            handle.set_label(f"update on {handle.get_label()}")
        if (self.updated & ~self.mistaken).any():
            handles.append(line_handle("right, but too near", linestyle="none", marker="o", markersize=7,
                                       markerfacecolor="white", markeredgecolor=INK))  # fmt: skip
        if (self.mistaken & ~self.updated).any():
            handles.append(
                line_handle("wrong, but left", linestyle="none", marker="$\u25cc$", markersize=9, color=QUIET)
            )
        handles.append(line_handle("right", linestyle="none", marker="o", markersize=7, color="#E4E4E4"))
        return legend(ax, handles)
