"""How every picture looks: colours and shapes of the classes, axes without clutter, arrows, labels that stay legible.

Nothing here touches rcParams: sizes are relative ("small"), so that a user's own style sheet keeps its say.
"""

import functools
import re
from collections.abc import Mapping, Sequence
from math import ceil
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt._typing import Doubles, Labels
from rosenblatt.errors import DataError, MissingExtra
from rosenblatt.plot.plane import View, clip, segment

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.text import Text

# Okabe and Ito's colours, told apart by people with any of the common colour deficiencies; each class also has a shape.
# Of two classes the second is the positive one: a blue circle against a vermilion square.
COLOURS = ("#D55E00", "#0072B2", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8C6D31")
SHAPES = ("s", "o", "^", "D", "v", "P", "X", "p")
INK, QUIET, FAINT = "#1A1A1A", "#6B6B6B", "#C8C8C8"
EDGE: dict[str, Any] = {"color": QUIET, "linewidth": 1.1, "linestyle": (0, (4, 3))}  # of the margin
LETTERS = 15  # small ones to an inch
MATH = re.compile(r"\\[a-z]+|[${}^_,\\]")  # what is written in a formula and not seen
SERIES = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")


def new_axes(ax: "Axes | None", size: tuple[float, float] = (5.0, 4.2)) -> "Axes":
    """Return the axes given, or those of a new figure."""
    return ax if ax is not None else panels(None, 1, size)[0]


def panels(ax: Any, count: int, size: tuple[float, float], ratios: Sequence[float] | None = None) -> list["Axes"]:
    """Return up to ``count`` axes side by side: those given (one, or a sequence), or those of a new figure."""
    if ax is not None:
        given: list[Axes] = list(np.ravel(np.asarray(ax, dtype=object)))
        if len(given) > count:
            raise DataError(f"ax holds {len(given)} axes; this display has {count} panel{'s' * (count > 1)}.")
        return given
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise MissingExtra("matplotlib", "plot", "drawing") from None
    _, axes = plt.subplots(1, count, figsize=size, layout="constrained", squeeze=False, width_ratios=ratios)
    return list(axes[0])


def colours(classes: Labels, palette: Mapping[Any, str] | None = None) -> list[str]:
    """Return one colour per class: the palette's where it names the class, else ours.

    >>> import numpy as np
    >>> colours(np.array(["ham", "spam"]), {"ham": "black"})
    ['black', '#0072B2']
    """
    own = dict(palette or {})
    labels = classes.tolist()
    if strange := [label for label in own if label not in labels]:
        raise DataError(f"palette names {strange[0]!r}, which is not one of the classes {labels}.")
    return [own.get(label, COLOURS[k % len(COLOURS)]) for k, label in enumerate(labels)]


def tint(colour: str, share: float = 0.14) -> tuple[float, float, float]:
    """Return the colour mixed with white: for regions under points of the same class."""
    from matplotlib.colors import to_rgb

    r, g, b = (1 - share * (1 - part) for part in to_rgb(colour))
    return r, g, b


def literal(name: str) -> str:
    """Return a user's word so that it is drawn as it is: no formula between dollars, no name hidden by its underscore.

    >>> literal("100$ or 50$"), literal("_private") == "_private"
    ('100\\\\$ or 50\\\\$', False)
    """
    return ("\u2009" if name.startswith("_") else "") + name.replace("$", r"\$")


@functools.cache
def _ticks() -> type:
    """Return a formatter that writes very large and small numbers at their ticks: a factor would stand in the legend."""
    from matplotlib.ticker import ScalarFormatter

    class Ticks(ScalarFormatter):
        def __call__(self, x: float, pos: int | None = None) -> str:
            if not super().get_offset():
                return str(super().__call__(x, pos))
            return self.fix_minus(f"{x:.10g}")

        def get_offset(self) -> str:
            return ""

    return Ticks


def frame(ax: "Axes", view: View, *, equal: bool) -> None:
    """Show what is in view; with equal units on both axes where that is asked for and of sensible shape."""
    ax.set_xlim(view.left, view.right)
    ax.set_ylim(view.bottom, view.top)
    ax.set_aspect("equal" if equal and view.roundish else "auto")


def draw_band(ax: "Axes", w: Doubles, c: float, level: float, view: View) -> list[Any]:
    """Draw where |w·x + c| <= level: what no example may enter."""
    made: list[Any] = []
    between = clip(clip(view.corners, w, c + level), -w, level - c)
    if len(between):
        made += ax.fill(*between.T, color="white", alpha=0.75, linewidth=0, zorder=0.5)
    for side in (-level, level):
        ends = segment(w, c + side, view)
        if ends is not None:
            made += ax.plot(*ends.T, **EDGE, zorder=1)
    return made


def tidy(ax: "Axes", xlabel: str, ylabel: str = "", caption: str = "") -> None:
    """Remove what carries no information, and name the axes; the caption goes below the horizontal one."""
    from matplotlib.ticker import ScalarFormatter

    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        ax.spines[side].set_color(QUIET)
        ax.spines[side].set_linewidth(0.8)
    ax.tick_params(colors=QUIET, labelcolor=INK, labelsize="small", width=0.8, length=3)
    for axis in (ax.xaxis, ax.yaxis):
        if type(axis.get_major_formatter()) is ScalarFormatter:
            axis.set_major_formatter(_ticks()())
    lines = [xlabel, *wrap(caption, max(24, int(LETTERS * _inches(ax))))]
    ax.set_xlabel("\n".join(line for line in lines if line), color=INK, linespacing=1.5)
    ax.set_ylabel(ylabel, color=INK)
    ax.xaxis.label.set_fontsize("small" if caption else "medium")


def _inches(ax: "Axes") -> float:
    return float(ax.get_window_extent().width / ax.figure.dpi)


def title(ax: "Axes", text: str) -> None:
    """Set a left-aligned title: a sentence, not a headline, in as many lines as it needs."""
    if not {"$", "\n"} & set(text):  # neither a formula nor lines of their own
        text = "\n".join(wrap(text, max(24, int(0.85 * LETTERS * _inches(ax)))))  # larger ones
    ax.set_title(text, loc="left", fontsize="medium", color=INK, linespacing=1.35)


def legend(ax: "Axes", handles: Sequence["Artist"]) -> Any:
    """Put a frameless legend in one line above the axes, where it can cover nothing; in two where one is too short."""
    if not handles:
        return None
    letters = sum(5 + len(MATH.sub("", str(handle.get_label()))) for handle in handles)
    lines = 1 if letters <= LETTERS * _inches(ax) else 2
    made = ax.legend(
        handles=list(handles),
        loc="lower left",
        bbox_to_anchor=(0.0, 1.0),
        ncols=ceil(len(handles) / lines),
        frameon=False,
        fontsize="small",
        handletextpad=0.35,
        columnspacing=1.2,
        borderpad=0.1,
        borderaxespad=0.35,
        labelcolor=INK,
    )
    if heading := ax.get_title(loc="left"):
        ax.set_title(heading, loc="left", fontsize="medium", color=INK, linespacing=1.35, pad=6 + 16 * lines)
    return made


def halo(width: float = 2.5) -> list[Any]:
    """Return path effects that keep text legible over lines."""
    from matplotlib.patheffects import withStroke

    return [withStroke(linewidth=width, foreground="white")]


def arrow(ax: "Axes", tail: Any, tip: Any, *, colour: str, width: float = 1.8) -> Any:
    """Draw an arrow in data coordinates whose tip is where the vector ends; None where it has no length."""
    from matplotlib.patches import FancyArrowPatch

    (x0, y0), (x1, y1) = np.asarray(tail, dtype=np.float64), np.asarray(tip, dtype=np.float64)
    if x0 == x1 and y0 == y1:
        return None
    patch = FancyArrowPatch(
        (x0, y0),
        (x1, y1),
        arrowstyle="-|>,head_length=0.55,head_width=0.24",
        mutation_scale=9 + 2 * width,
        shrinkA=0,
        shrinkB=0,
        linewidth=width,
        color=colour,
        joinstyle="miter",
        capstyle="butt",
        zorder=5,
    )
    ax.add_patch(patch)
    return patch


def write(ax: "Axes", at: Any, text: str, *, away: Any = (0.0, 0.0), colour: str = INK, **options: Any) -> "Text":
    """Write a small label at a point, pushed ``away`` by so many typographic points."""
    place: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": "small", "color": colour, "zorder": 7}
    place |= {"path_effects": halo()} | options
    return ax.annotate(
        text, xy=tuple(at), xytext=tuple(away), textcoords="offset points", annotation_clip=False, **place
    )  # fmt: skip


def whole_ticks(ax: "Axes", which: str) -> None:
    """Put ticks at whole numbers only: counts have no halves."""
    from matplotlib.ticker import MaxNLocator

    for name in which:
        axis = ax.xaxis if name == "x" else ax.yaxis
        axis.set_major_locator(MaxNLocator(nbins=8, integer=True, min_n_ticks=1))
