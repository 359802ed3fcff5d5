"""Where rounding may have decided: verdicts within its reach of the demanded margin, rows and rivals too close to call.

Bound     |error of a score| <= (k + d + 8) 2^-53 Σ |x_j| S_j, with S = |w0| + Σ tau |x| over those of the k updates
          before that moved this vector, and 8 for decimals that were rounded on the way in. Whole numbers make no
          error at all while that sum is below 2^53
Reference Higham (2002), "Accuracy and Stability of Numerical Algorithms", section 3.1
"""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

import rosenblatt._core as _core
from rosenblatt._typing import Codes, Doubles, Ints
from rosenblatt.data.rows import Rows
from rosenblatt.theory.tracing.record import Examples, Steps, Updates, Vectors, stretches

Bools = NDArray[np.bool_]


@np.errstate(over="ignore")  # what is beyond the floats is within the reach of rounding
def near_ties(steps: Steps, updates: Updates, vectors: Vectors, settings: dict[str, Any]) -> Ints:
    """Return the steps at which rounding may have decided how the run went on.

    Everywhere: whether the example shown asks for an update. In the order "worst" also which one is shown, and in
    "random" whether a quiet pass was clean, for which all are looked at. Of several classes also which rival loses.
    """
    examples = vectors.examples
    rows, n, order, margin = examples.rows, examples.n, settings["order"], float(settings["margin"])
    weights = settings["weights"]
    can_ask = np.ones(n, dtype=bool) if weights is None else weights > 0
    sizes = Rows(np.abs(rows.values.astype(np.float64)), rows.d, rows.columns, rows.starts)
    S, s = np.abs(vectors.W[0] * vectors.unit), np.abs(vectors.b[0] * vectors.unit)
    whole = all(bool((part == np.floor(part)).all()) for part in (rows.values, S, s, steps.tau, np.array([margin])))
    everyone, found = np.arange(n), []
    for k, part in stretches(updates, len(steps)):
        reach = partial(_errors, W=S, b=s + margin, share=(k + rows.d + 8) * 2.0**-53, whole=whole)
        row, last = steps.row[part], part.stop - 1
        moved = bool(steps.tau[last] > 0)
        close = _close(steps.m[part], _of_margin(reach(sizes.take(row)), examples.codes[row]), margin)
        found += (part.start + np.flatnonzero(close & can_ask[row])).tolist()
        quiet = [t for t in range(part.start + n - 1, part.stop - moved) if order == "random" and (t + 1) % n == 0]
        if order == "worst" or quiet:
            m, error = vectors.margins(k, everyone), _of_margin(reach(sizes), examples.codes)
            if order == "worst" and moved:
                found += [last] if _could_be_less(examples, m, error, can_ask, int(row[-1])) else []
            elif (_close(m, error, margin) & can_ask).any() and not ((m < margin - error) & can_ask).any():
                found += quiet or [last]
        if moved:
            i, tau, pair = row[-1:], float(steps.tau[last]), [0]
            if len(s) > 1:
                pair = [int(examples.codes[i[0]]), int(updates.rival[k])]
                scores = _core.scores(rows.take(i).examples(), vectors.W[k], vectors.b[k])[0] * vectors.unit
                found += [last] if _has_equal(scores, reach(sizes.take(i))[0], *pair) else []
            S[pair] += tau * sizes.row(int(i[0]))
            s[pair] += tau * settings["bias"]
    return np.unique(np.array(found, dtype=np.int64))


def _errors(sizes: Rows, *, W: Doubles, b: Doubles, share: float, whole: bool) -> Doubles:
    """Return how far each score, of sizes |x| by sizes |w|, may be from its exact value."""
    most = _core.scores(sizes.examples(), W, b)
    return np.where(whole & (most < 2.0**53), 0.0, share * most)


def _of_margin(errors: Doubles, codes: Codes) -> Doubles:
    """Return the error of m from those of the scores: of several classes the true one's and a rival's."""
    if errors.shape[1] == 1:
        return errors[:, 0]
    own = np.arange(errors.shape[1]) == codes[:, None]
    return errors[own] + np.where(own, 0.0, errors).max(axis=1)


def _close(m: Doubles, error: Doubles, margin: float) -> Bools:
    return (error > 0) & (np.abs(m - margin) <= error)


def _could_be_less(examples: Examples, m: Doubles, error: Doubles, can_ask: Bools, i: int) -> bool:
    """Say whether some row other than i, and not equal to it, may have the least m."""
    reach = error + error[i]
    rivals = np.flatnonzero(can_ask & (reach > 0) & (m - m[i] <= reach))
    x, code = examples.rows.row(i), examples.codes[i]
    return any(examples.codes[j] != code or not np.array_equal(examples.rows.row(int(j)), x) for j in rivals)


def _has_equal(scores: Doubles, error: Doubles, true: int, rival: int) -> bool:
    """Say whether some other class may have scored as high as the rival."""
    reach = error + error[rival]
    equal = (reach > 0) & (scores >= scores[rival] - reach)
    return bool(np.delete(equal, [true, rival]).any())
