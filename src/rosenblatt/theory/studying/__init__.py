"""Studies: many independent runs, and what they have in common."""

from rosenblatt.theory.studying.make import study
from rosenblatt.theory.studying.studied import Study

__all__ = ["Study", "study"]
