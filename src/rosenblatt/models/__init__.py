"""What was learned: frozen values that score and predict, and the files they are saved in."""

from rosenblatt.models.kernel import KernelModel
from rosenblatt.models.line import Line
from rosenblatt.models.linear import LinearModel
from rosenblatt.models.save import Saved, encoder_of, load, read_model, read_saved, save
from rosenblatt.models.voted import VotedModel

__all__ = ["KernelModel", "Line", "LinearModel", "Saved", "VotedModel"]
__all__ += ["encoder_of", "load", "read_model", "read_saved", "save"]
