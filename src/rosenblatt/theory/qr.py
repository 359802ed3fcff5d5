"""A QR factorisation that columns join and leave, as Wolfe's algorithm needs it."""

import numpy as np

from rosenblatt._typing import Doubles

FLAT = 1e-13  # a new column closer than this share to the span of the others lies in it
REFRESH = 200  # changes after which it is computed anew, so that rounding does not add up
BLOCK = 64


class QR:
    """A = QR for columns (1, z_i), and from it the weights of the affine hull's point nearest to the origin.

    With A = [1 Z]ᵀ the normal equations AᵀA u = 1 are the least squares problem A u ≈ e_1, since A's first row is 1; so
    a QR factorisation solves them without squaring the condition number. Adding a column costs D k, dropping one
    at most D k².
    """

    def __init__(self, Z: Doubles) -> None:
        self.Z = Z
        self.members: list[int] = []
        self.Qt = np.zeros((0, Z.shape[1] + 1))  # one row per column of Q
        self.R = np.zeros((0, 0))
        self.changes = 0

    def start(self, members: list[int]) -> bool:
        """Factorise anew; False if the rows are affinely dependent."""
        self.members, self.changes = list(members), 0
        A = np.vstack([np.ones(len(members)), self.Z[members].T])
        if A.shape[0] < A.shape[1]:
            return False
        Q, self.R = np.linalg.qr(A)
        self.Qt = np.ascontiguousarray(Q.T)
        return self._independent()

    def add(self, j: int) -> bool:
        """Let row j join; False if it lies in the affine hull of the others."""
        if len(self.members) == self.Qt.shape[1]:
            return False
        a = np.concatenate([[1.0], self.Z[j]])
        h = self.Qt @ a
        rest = a - h @ self.Qt
        again = self.Qt @ rest  # twice is enough for orthogonality to the last digit
        rest, h = rest - again @ self.Qt, h + again
        size = float(np.linalg.norm(rest))
        k = len(self.members)
        R = np.zeros((k + 1, k + 1))
        R[:k, :k], R[:k, k], R[k, k] = self.R, h, size
        self.R, self.members = R, [*self.members, j]
        if not self._independent():
            return False
        self.Qt = np.vstack([self.Qt, rest / size])
        return self._changed()

    def drop(self, places: list[int]) -> bool:
        """Let the rows at these places leave."""
        for i in sorted(places, reverse=True):
            tail, R = np.linalg.qr(self.R[i:, i + 1 :])
            k = len(self.members) - 1
            shrunk = np.zeros((k, k))
            shrunk[:i, :i], shrunk[:i, i:], shrunk[i:, i:] = self.R[:i, :i], self.R[:i, i + 1 :], R
            self.Qt = np.vstack([self.Qt[:i], tail.T @ self.Qt[i:]])
            self.R = shrunk
            del self.members[i]
        return self._changed()

    def weights(self) -> Doubles:
        """Return alpha, Σ alpha = 1, with Σ alpha_i z_i nearest to the origin."""
        u = _back_substitute(self.R, self.Qt[:, 0])
        return np.asarray(u / u.sum())

    def _changed(self) -> bool:
        self.changes += 1
        return self.start(self.members) if self.changes >= REFRESH else True

    def _independent(self) -> bool:
        diagonal = np.abs(np.diag(self.R))
        return bool(diagonal.min() > FLAT * diagonal.max())


def _back_substitute(R: Doubles, right: Doubles) -> Doubles:
    """Solve R u = right for an upper triangular R, block by block from below."""
    u = right.copy()
    for end in range(len(R), 0, -BLOCK):
        part = slice(max(0, end - BLOCK), end)
        u[part] = np.linalg.solve(R[part, part], u[part] - R[part, end:] @ u[end:])
    return u
