"""The trace: every step of a run with its numbers, exactly as on paper."""

from rosenblatt.theory.best import Best
from rosenblatt.theory.tracing.curves import ProofCurves
from rosenblatt.theory.tracing.make import trace
from rosenblatt.theory.tracing.traced import Trace

__all__ = ["Best", "ProofCurves", "Trace", "trace"]
