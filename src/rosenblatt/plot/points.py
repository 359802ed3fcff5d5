"""Drawing examples: shape and colour by class, rings round mistakes, small numbers beside hand-made data."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt._typing import Labels
from rosenblatt.plot.examples import Shown
from rosenblatt.plot.look import INK, QUIET, SHAPES, colours, halo, literal

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes


CROWD = 1000  # examples of which many lie on top of each other


def draw_points(ax: "Axes", shown: Shown, *, palette: Mapping[Any, str] | None = None) -> list[Any]:
    """Scatter the examples, an artist or two per class; those far from the slice are faint.

    Of a crowd the classes are drawn by turns, an eighth at a time, so that none lies on top of the other; of few, those
    at one and the same place side by side.
    """
    made: list[Any] = []
    turns = 1 if len(shown.xy) <= CROWD else 8
    turn = np.arange(len(shown.xy)) % turns
    size = point_size(len(shown.xy))
    paint = colours(shown.classes, palette)
    aside = _shared_places(shown) if turns == 1 else np.zeros(len(shown.xy), dtype=bool)
    for now, (k, colour), beside in product(range(turns), enumerate(paint), (False, True)):
        mine = (shown.codes == k) & (turn == now) & (aside == beside)
        if not mine.any():
            continue
        shift = (k - (len(paint) - 1) / 2) * np.sqrt(size) if beside else 0.0
        x, y = shown.xy[mine].T
        opacity: Any = np.where(shown.near[mine], 1.0, 0.22)
        made.append(
            ax.scatter(
                x,
                y,
                s=size * (0.85 if SHAPES[k % len(SHAPES)] == "s" else 1.0),
                marker=SHAPES[k % len(SHAPES)],
                color=colour,
                alpha=opacity,
                edgecolors="white",
                linewidths=0.6,
                zorder=4,
                label=class_name(shown.classes, k),
                transform=_moved(ax, shift),
            )
        )
    return made


def _shared_places(shown: Shown) -> NDArray[np.bool_]:
    """Return whether an example of another class lies at the very place of each."""
    _, place = np.unique(shown.xy, axis=0, return_inverse=True)
    place = place.ravel()
    several = np.bincount(np.unique(np.column_stack([place, shown.codes]), axis=0)[:, 0]) > 1
    return np.asarray(several[place])


def _moved(ax: "Axes", points: float) -> Any:
    """Return the axes' own coordinates, moved to the right by so many typographic points."""
    from matplotlib.transforms import ScaledTranslation

    return ax.transData + ScaledTranslation(points / 72, 0, ax.figure.dpi_scale_trans)


def point_size(n: int) -> float:
    """Return a marker area that suits so many points."""
    return 70.0 if n <= 12 else 38.0 if n <= 250 else 18.0 if n <= 1000 else 8.0


def draw_rings(ax: "Axes", shown: Shown, which: NDArray[np.bool_]) -> Any:
    """Ring the chosen examples; None where there are none. The more there are, the finer, so that none hides another."""
    if not which.any():
        return None
    width = 1.3 if which.sum() <= 60 else 0.9 if which.sum() <= 250 else 0.5
    area = (3.2 if width > 1 else 2.2) * point_size(len(shown.xy))
    x, y = shown.xy[which].T
    return ax.scatter(x, y, s=area, marker="o", facecolors="none", edgecolors=INK, linewidths=width, zorder=4.5)


def number_points(ax: "Axes", shown: Shown, *, away: Sequence[tuple[float, float]]) -> list[Any]:
    """Write the number of each row (from 1, as printed tables count) beside it, so many points away."""
    return [
        ax.annotate(
            str(i + 1),
            xy=tuple(shown.xy[i]),
            xytext=away[i],
            textcoords="offset points",
            fontsize="x-small",
            color=QUIET,
            ha="center",
            va="center",
            path_effects=halo(2.0),
            zorder=6,
        )
        for i in range(len(shown.xy))
    ]


def class_name(classes: Labels, k: int) -> str:
    """Return the label as a legend writes it: +1 and −1 with their signs, others letter by letter.

    >>> import numpy as np
    >>> class_name(np.array([-1, 1]), 1), class_name(np.array([0, 1]), 1), class_name(np.array([False, True]), 0)
    ('+1', '1', 'False')
    """
    label = classes[k : k + 1].tolist()[0]
    if classes.tolist() == [-1, 1] and not isinstance(label, bool):
        return "+1" if label > 0 else "−1"
    return literal(str(label))


def class_handles(classes: Labels, palette: Mapping[Any, str] | None = None) -> list["Artist"]:
    """Return legend entries for the classes, the positive one first."""
    from matplotlib.lines import Line2D

    found: list[Artist] = [
        Line2D([], [], linestyle="none", marker=SHAPES[k % len(SHAPES)], color=colour, markersize=7,
               markeredgecolor="white", markeredgewidth=0.6, label=class_name(classes, k))
        for k, colour in enumerate(colours(classes, palette))
    ]  # fmt: skip
    return found[::-1] if len(found) == 2 else found


def ring_handle(label: str) -> "Artist":
    """Return a legend entry for a ring."""
    from matplotlib.lines import Line2D

    return Line2D([], [], linestyle="none", marker="o", markersize=9, markerfacecolor="none", markeredgecolor=INK,
                  markeredgewidth=1.2, label=label)  # fmt: skip


def line_handle(label: str, **style: Any) -> "Artist":
    """Return a legend entry for a line."""
    from matplotlib.lines import Line2D

    return Line2D([], [], label=label, **style)
