"""How a hypothesis moves."""

from rosenblatt.learning.checkpoint import Checkpoint
from rosenblatt.learning.journal import Journal
from rosenblatt.learning.online import Online
from rosenblatt.learning.outcome import Outcome
from rosenblatt.learning.run import learn

__all__ = ["Checkpoint", "Journal", "Online", "Outcome", "learn"]
