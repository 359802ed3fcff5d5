"""The two halves of Novikoff's proof, as numbers: progress along u, and growth of the norm, after every update."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from rosenblatt._typing import Doubles, Ints
from rosenblatt.theory.margin import SAFETY
from rosenblatt.theory.signed import lengths


@dataclass(frozen=True, eq=False)
class Best:
    """A unit separator (w, b), the margin ``gamma`` it has, and the largest norm ``R``, in the algorithm's space."""

    w: Doubles
    b: float
    gamma: float
    R: float

    def most_updates(self, start: Doubles, rate: Any, margin: Any) -> Any:
        """Return the largest whole k with ``u·w0 + k r γ <= sqrt(‖w0‖² + k (r²R² + 2 r β))``; rounding never lowers it.

        ``start`` is (w0, b0), or one a line with a rate and a margin each. From a zero start with margin 0 it is (R/γ)².

        >>> Best(np.array([1.0]), 0.0, 0.5, 2.0).most_updates(np.zeros(2), 1.0, 0.0)
        np.float64(16.0)
        """
        # p k² − q k − c <= 0, all divided by rate and R; k grows with q and c: both are raised by more than was rounded,
        # and so is k. Where it leaves the floats it is infinite.
        safety, gamma = float(SAFETY), self.gamma / self.R
        with np.errstate(all="ignore"):
            w0 = start / np.expand_dims(rate * self.R, -1)
            along, square = w0 @ np.append(self.w, self.b), (w0**2).sum(axis=-1)
            q = (1 + 2 * margin / (rate * self.R) / self.R) * (1 + safety) - 2 * gamma * (
                along - safety * np.sqrt(square)
            )
            p, c = gamma * gamma, square * (1 + safety) - along**2
            root = np.sqrt(q * q + 4 * p * c)
            k = np.where(q >= 0, (q + root) / np.float64(2 * p), 2 * c / (root - q))  # neither form subtracts
        return np.floor(k * (1 + safety))


@dataclass(frozen=True, eq=False)
class ProofCurves:
    """For k = 0..updates: what is, beside what the proof promises.

    With tau_1, tau_2, ... the steps taken and β the demanded margin,

        progress[k] = u·w_k        >=  floor[k]   = u·w_0 + γ Σ tau
        norm[k]     = ‖w_k‖        <=  ceiling[k] = sqrt(‖w_0‖² + Σ (tau² R² + 2 tau β))
        cosine[k]   = cos(w_k, u)  >=  promise[k] = floor / ceiling   (−1 where floor < 0: nothing is promised)

    From a zero start with rate 1 and margin 0 these are kγ, √k·R and √k·γ/R. Here w means (w, b) with a bias.

    References
    ----------
    Novikoff (1962), theorem 1.
    """

    k: Ints
    progress: Doubles
    floor: Doubles
    norm: Doubles
    ceiling: Doubles
    cosine: Doubles
    promise: Doubles

    @property
    def hold(self) -> bool:
        """Whether every inequality holds at every update, up to the rounding of u, gamma and R (1e-9 relative)."""
        slack = 1e-9 * (1 + self.norm + np.abs(self.floor))
        return bool(
            (self.progress >= self.floor - slack).all()
            and (self.norm <= self.ceiling + slack).all()
            and (np.nan_to_num(self.cosine, nan=1.0) >= self.promise - 1e-9).all()
        )


def proof_curves(W: Any, b: Any, tau: Any, margin: float, best: Best) -> ProofCurves:
    """Return the curves of vectors W (k+1 × d) and b (k+1), moved by steps ``tau``, against the separator ``best``."""
    V = np.column_stack([W.astype(np.float64), b.astype(np.float64)])
    tau = tau.astype(np.float64)
    u = np.append(best.w, best.b)
    progress = V @ u
    norm = lengths(V)
    moved = np.concatenate([[0.0], np.cumsum(tau)])
    grown = np.concatenate([[0.0], np.cumsum(tau**2 + 2 * tau * margin / best.R / best.R)])
    floor = progress[0] + best.gamma * moved
    ceiling = best.R * np.sqrt((norm[0] / best.R) ** 2 + grown)  # divided by R, so that no square leaves the floats
    with np.errstate(invalid="ignore", divide="ignore"):
        cosine = np.where(norm > 0, progress / norm, np.nan)
        promise = np.where(floor < 0, -1.0, np.where(ceiling > 0, floor / ceiling, -1.0))
    return ProofCurves(np.arange(len(V)), progress, floor, norm, ceiling, cosine, promise)
