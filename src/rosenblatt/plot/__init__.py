"""Pictures: display objects in scikit-learn's manner. ``from_...`` computes and draws, ``plot(ax=...)`` draws again.

Each display keeps its numbers and, once drawn, its artists (names ending in ``_``). None shows a window
or touches rcParams. Needs the extra ``plot``: ``pip install 'rosenblatt[plot]'``.
"""

from rosenblatt.plot.animation import TraceAnimation, animate
from rosenblatt.plot.boundary import BoundaryDisplay
from rosenblatt.plot.certificate import CertificateDisplay
from rosenblatt.plot.counting import ConvergenceDisplay, MistakesDisplay
from rosenblatt.plot.kinds import KINDS, draw
from rosenblatt.plot.proof import AngleDisplay
from rosenblatt.plot.saving import save_picture
from rosenblatt.plot.starts import StartsDisplay
from rosenblatt.plot.strip import TraceStripDisplay
from rosenblatt.plot.survival import SurvivalDisplay
from rosenblatt.plot.update import UpdateDisplay
from rosenblatt.plot.weighing import DualDisplay, MarginDisplay

__all__ = [
    "KINDS",
    "AngleDisplay",
    "BoundaryDisplay",
    "CertificateDisplay",
    "ConvergenceDisplay",
    "DualDisplay",
    "MarginDisplay",
    "MistakesDisplay",
    "StartsDisplay",
    "SurvivalDisplay",
    "TraceAnimation",
    "TraceStripDisplay",
    "UpdateDisplay",
    "animate",
    "draw",
    "save_picture",
]
