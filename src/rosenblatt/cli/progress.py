"""The line that a person sees on standard error while a command works: what it is doing, how far, how fast, how long.

Only on a terminal, only after a second, and gone when the work is done. Telling the line something costs an assignment;
drawing happens in a thread of its own, a few times a second, and only then is rich imported.
"""

import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from rosenblatt.cli.screen import count, quiet

DELAY = 1.0  # seconds of work before the line appears
PER_SECOND = 4  # drawings


class ProgressLine:
    """A context in which a line tells how the work goes.

    >>> line = ProgressLine(shown=False)
    >>> line.stage("averaged", rows=4000, max_passes=10)
    >>> line.passes(3, 1234, 9000)
    >>> line.words(seconds=5.0)
    'averaged · pass 3 of 10 · 1,234 updates in it · 25 % · 0:05 · 1.8 k rows/s'
    """

    def __init__(self, *, shown: bool) -> None:
        self.shown = shown
        self._timer = threading.Timer(DELAY, self._show) if shown else None
        self._live: Any = None
        self.stage("starting")

    def __enter__(self) -> "ProgressLine":
        if self._timer is not None:
            self._timer.daemon = True
            self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer.join()
        if self._live is not None:
            self._live.stop()

    def stage(self, doing: str, *, rows: int | None = None, max_passes: int | None = None) -> None:
        """Say what begins now; ``rows`` is how many there are in a pass, where that is known."""
        self.doing, self.rows, self.max_passes, self.began = doing, rows, max_passes, time.monotonic()
        self.told: tuple[int, int, int] | None = None
        self.done, self.of, self.what = 0, 0, ""

    @property
    def watch(self) -> Callable[..., None] | None:
        """The ``progress`` for `learn`; None where nobody looks, so that nothing is counted in vain."""
        return self.passes if self.shown else None

    def passes(self, n_pass: int, n_updates: int, n_steps: int) -> None:
        """Take the pass under way, its updates and the steps so far."""
        self.told = (n_pass, n_updates, n_steps)

    def runs(self, done: int, of: int) -> None:
        """Take the runs of a study: a ``progress`` of `study`."""
        self.done, self.of, self.what = done, of, "run"

    def seen(self, rows: int) -> None:
        """Take the rows read so far."""
        self.done, self.of, self.what = rows, self.rows or 0, "row"

    def share(self) -> float | None:
        """Return how much is done: of the pass under way, or of all."""
        if self.told is not None:
            n_pass, _, n_steps = self.told
            if not self.rows:
                return None
            return min(max(n_steps / self.rows - (n_pass - 1), 0.0), 1.0)
        return self.done / self.of if self.of else None

    def words(self, seconds: float) -> str:
        """Return the line after so many seconds."""
        parts, share, done = [self.doing], self.share(), self.done
        if self.told is not None:
            n_pass, n_updates, n_steps = self.told
            most = f" of {self.max_passes:,}" if self.max_passes else ""
            parts += [f"pass {n_pass:,}{most}", f"{count(n_updates, 'update')} in it"]
            done = n_steps
            if share is not None and n_pass <= seconds + 1:  # of passes shorter than a second it would only flicker
                parts.append(f"{100 * share:.0f} %")
        elif self.what:
            parts.append(f"{done:,} of {count(self.of, self.what)}" if self.of else count(done, self.what))
        minutes, rest = divmod(int(seconds), 60)
        parts.append(f"{minutes}:{rest:02d}" if minutes < 60 else f"{minutes // 60}:{minutes % 60:02d}:{rest:02d}")
        if done and seconds:
            parts.append(f"{_rate(done / seconds)} {self.what or 'row'}s/s")
        return " · ".join(parts)

    def _show(self) -> None:
        from rich.console import Console
        from rich.live import Live

        self._live = Live(
            get_renderable=self._drawn,
            console=Console(stderr=True),
            refresh_per_second=PER_SECOND,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._live.start()

    def _drawn(self) -> Any:
        from rich.text import Text

        return Text(self.words(time.monotonic() - self.began), style="dim", no_wrap=True, overflow="ellipsis")


def _rate(value: float) -> str:
    """Return a rate in three digits.

    >>> _rate(0.25), _rate(999.7), _rate(1800), _rate(52_340_000)
    ('0.25', '1 k', '1.8 k', '52.3 M')
    """
    for unit, name in ((1e6, " M"), (1e3, " k")):
        if value >= 0.9995 * unit:
            return f"{value / unit:.3g}{name}"
    return f"{value:.3g}"


def progress_line(given: dict[str, Any], *, writes_rows: bool = False) -> ProgressLine:
    """Return the line of a command: shown to a person at a terminal who asked neither for JSON nor for silence.

    A command that ``writes_rows`` as it goes shows it only if they go elsewhere.
    """
    terminal = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
    json = given.get("form") == "json" or given.get("as_json")
    return ProgressLine(shown=terminal and not json and not quiet() and not (writes_rows and sys.stdout.isatty()))
