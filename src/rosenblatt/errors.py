"""What can go wrong, by name."""

from typing import Any


class DataError(ValueError):
    """The examples cannot be learnt from; the message names the value, its place and the remedy."""


class ConvergenceWarning(UserWarning):
    """The run ended without a clean pass."""


class TieWarning(UserWarning):
    """Rounding may have decided whether an example was right; exact arithmetic would know."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a run; ``outcome`` is what had been learnt by then."""

    def __init__(self, outcome: Any) -> None:
        super().__init__("interrupted; the partial result is in .outcome")
        self.outcome = outcome


class MissingExtra(ImportError):
    """An optional dependency is needed; the message has the pip command."""

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        super().__init__(f"{purpose} needs {package}: pip install 'rosenblatt[{extra}]'", name=package)
