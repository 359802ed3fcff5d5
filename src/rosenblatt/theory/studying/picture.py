"""The printed study: a histogram of updates, the bound, and the numbers below it."""

from typing import TYPE_CHECKING

import numpy as np

from rosenblatt.theory.decimals import briefly
from rosenblatt.theory.explain import count

if TYPE_CHECKING:
    from rosenblatt.theory.studying.studied import Study

WIDTH = 40
EIGHTHS = " ▏▎▍▌▋▊▉█"


def picture(study: "Study") -> str:
    """Return the study as text of a dozen lines or so."""
    if len(study) == 0:
        return "a study of no runs"
    lines = [
        f"updates in {len(study)} run{'s' * (len(study) != 1)}, varied: {', '.join(study.design.vary) or 'nothing'}",
        *_bars(study),
    ]
    updates, passes = study.summary(), study.summary("passes")
    parts = [
        f"mean {updates.mean:{'.4g' if updates.mean < 10_000 else '.0f'}}",
        f"median {briefly(updates.median)}",
        f"5–95 % {briefly(updates.quantiles[0])}–{briefly(updates.quantiles[-1])}",
        f"min {briefly(updates.minimum)}",
        f"max {briefly(updates.maximum)}",
    ]
    if np.isfinite(study.bound).all():
        parts.append(f"bound {count(int(study.bound.max()))}")
    parts.append(f"passes median {briefly(passes.median)}, max {briefly(passes.maximum)}")
    lines.append("  " + " · ".join(parts))
    if len(study.design.scales) == 1:  # directions in differently scaled features cannot be compared
        lines.append(_spread(study))
    lines.append(f"  not converged: {int((~study.results.converged).sum())}")
    return "\n".join(lines)


def _spread(study: "Study") -> str:
    half, most = np.quantile(study.spread, [0.5, 0.95])
    angle = study.summary("angle").median
    known = "" if np.isnan(angle) else f"; {angle:.1f}° (median) from the best separator"
    return f"  boundaries within {half:.1f}° (half of them), {most:.1f}° (95 %) of their mean direction{known}"


def _bars(study: "Study") -> list[str]:
    bins = study.histogram()
    most = max(count for _, _, count in bins)
    labels = [f"{low}" if low == high else f"{low}–{high}" for low, high, _ in bins]
    wide, digits = max(map(len, labels)), len(str(most))
    return [
        f"  {label:>{wide}}  {count:>{digits}} {_bar(count / most)}".rstrip()
        for label, (_, _, count) in zip(labels, bins, strict=True)
    ]


def _bar(share: float) -> str:
    eighths = round(share * WIDTH * 8)
    if share > 0 and eighths == 0:
        eighths = 1
    return "█" * (eighths // 8) + EIGHTHS[eighths % 8].strip()
