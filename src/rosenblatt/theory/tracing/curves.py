"""The two halves of Novikoff's proof, as numbers: progress along u, and growth of the norm, after every update."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from rosenblatt._typing import Doubles, Ints
from rosenblatt.theory.best import Best
from rosenblatt.theory.signed import lengths


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
