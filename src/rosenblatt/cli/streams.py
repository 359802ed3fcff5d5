"""The standard streams made dependable: open, buffered, UTF-8; and a polite end when somebody asks for one."""

import io
import os
import signal
import sys
from contextlib import suppress
from types import FrameType
from typing import Any


def prepare_streams() -> None:
    """Make sure that the three streams are there and lose nothing.

    A stream that was closed would give its number to the next file that is opened, and what is meant for the one would
    end up in the other. Into standard output that was closed nothing can be written; what standard error would say is
    dropped. An unbuffered standard output writes as much as fits and forgets the rest.
    """
    for number, name, way in ((0, "stdin", os.O_RDONLY), (1, "stdout", os.O_RDONLY), (2, "stderr", os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            opened = os.open(os.devnull, way)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, "r" if number == 0 else "w", encoding="utf-8", closefd=False))  # noqa: SIM115
    ours = sys.stdout is sys.__stdout__
    out: Any = sys.stdout
    if ours and isinstance(getattr(out, "buffer", None), io.RawIOBase):
        buffered = io.BufferedWriter(out.detach())
        sys.stdout = io.TextIOWrapper(buffered, encoding="utf-8", errors="surrogateescape", line_buffering=True)
    for stream, own in ((sys.stdout, sys.__stdout__), (sys.stderr, sys.__stderr__)):
        if stream is own:  # not what a notebook or a test has put there
            _speak_utf8(stream)


def _speak_utf8(stream: Any) -> None:
    """Write UTF-8 to files and pipes whatever the locale, and names of files that are none as they are.

    A terminal of another coding gets ? for what it lacks.
    """
    if not isinstance(stream, io.TextIOWrapper):
        return
    if stream.isatty():
        stream.reconfigure(errors="replace")
    elif stream is sys.stderr:
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    else:
        stream.reconfigure(encoding="utf-8", errors="surrogateescape")


def silence_stdout() -> None:
    """Point standard output nowhere: it takes nothing any more, and the interpreter flushes once more at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())


class Termination:
    """Lets SIGTERM end a command, within ``with``, as Ctrl-C does, with what it has; ``came`` says that it did.

    Where somebody else has chosen what it does, and outside the main thread, nothing is changed.
    """

    came = _ours = False

    def __enter__(self) -> "Termination":
        if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            with suppress(ValueError):  # not the main thread
                signal.signal(signal.SIGTERM, self._end)
                self._ours = True
        return self

    def __exit__(self, *raised: object) -> None:
        if self._ours:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)

    def _end(self, number: int, frame: FrameType | None) -> None:
        self.came = True
        as_ctrl_c = signal.getsignal(signal.SIGINT)  # which may hold it back until nothing is half written
        if callable(as_ctrl_c):
            as_ctrl_c(signal.SIGINT, frame)
        else:  # in the background of a script Ctrl-C is ignored
            raise KeyboardInterrupt
