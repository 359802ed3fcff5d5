"""What was learned: frozen values that score and predict."""

from rosenblatt.models.kernel import KernelModel
from rosenblatt.models.linear import LinearModel
from rosenblatt.models.voted import VotedModel

__all__ = ["KernelModel", "LinearModel", "VotedModel"]
