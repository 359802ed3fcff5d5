"""The command line `rosenblatt`: each command reads, calls one library function, prints."""

from rosenblatt.cli.app import main

__all__ = ["main"]
