"""Ctrl-C at good moments only: while a run writes down what it did, half of that would be lost or done twice."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class CtrlC:
    """Holds Ctrl-C back, within ``with``, until it is welcome; a second one comes through at once.

    Outside the main thread, and where somebody else has chosen what Ctrl-C does, nothing is changed.

    >>> try:
    ...     with CtrlC() as ctrl_c:
    ...         signal.raise_signal(signal.SIGINT)
    ...         print("written down")
    ...         with ctrl_c.welcome():
    ...             print("never reached")
    ... except KeyboardInterrupt:
    ...     print("stopped")
    written down
    stopped
    """

    def __init__(self) -> None:
        self.pressed = self._welcome = self._ours = False

    def __enter__(self) -> "CtrlC":
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            try:
                signal.signal(signal.SIGINT, self._press)
                self._ours = True
            except ValueError:  # not the main thread, which alone is interrupted
                pass
        return self

    def __exit__(self, *raised: object) -> None:
        if self._ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    @contextmanager
    def welcome(self) -> Iterator[None]:
        """Let it come through: at once if it was pressed before."""
        if self.pressed:
            raise KeyboardInterrupt
        self._welcome = True
        try:
            yield
        finally:
            self._welcome = False

    def _press(self, number: int, frame: FrameType | None) -> None:
        again, self.pressed = self.pressed, True
        if self._welcome or again:
            raise KeyboardInterrupt
