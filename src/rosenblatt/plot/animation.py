"""A trace as a moving picture: GIF with Pillow, MP4 where ffmpeg is at hand. Two beats an update: the mistake, the turn."""

import importlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from rosenblatt.data.files import write_atomically
from rosenblatt.errors import DataError, MissingExtra
from rosenblatt.plot.update import UpdateDisplay

if TYPE_CHECKING:
    from rosenblatt.theory.tracing import Trace

MOST = 200  # updates in one film
BEATS = (1, 2)
RATE = 20  # pictures a second in an MP4, where a beat is many equal pictures


@dataclass(eq=False)
class TraceAnimation:
    """The updates of a trace as frames; made by ``animate``, drawn only when saved.

    Attributes
    ----------
    displays : one ``UpdateDisplay`` per update shown, all in one view.
    n_frames : pictures in all: two beats an update.
    note : what was left out, or "".
    """

    displays: Sequence[UpdateDisplay]
    note: str
    seconds: float
    size: tuple[float, float]
    dpi: int

    @property
    def n_frames(self) -> int:
        return len(BEATS) * len(self.displays)

    def frames(self) -> Iterator[NDArray[np.uint8]]:
        """Draw the frames, one after the other, as pixels (height × width × 4)."""
        # Laid out once, with the tallest heading: then nothing jumps, and a frame takes half the time.
        tallest = max(self.displays, key=lambda display: display.heading(2).count("\n"))
        place = self._draw(tallest, 2).figure.axes[0].get_position(original=True)
        for display in self.displays:
            for beat in BEATS:
                yield np.asarray(self._draw(display, beat, place).buffer_rgba()).copy()

    def _draw(self, display: UpdateDisplay, beat: int, place: Any = None) -> Any:
        """Draw one frame, its axes at that place or where the layout puts them; return its canvas."""
        try:
            from matplotlib.backends.backend_agg import FigureCanvasAgg
            from matplotlib.figure import Figure
        except ImportError:
            raise MissingExtra("matplotlib", "plot", "drawing") from None
        figure = Figure(figsize=self.size, dpi=self.dpi, layout="constrained" if place is None else None)
        canvas: Any = FigureCanvasAgg(figure)  # not pyplot's: nothing leaks
        ax = figure.subplots()
        if place is not None:
            ax.set_position(place)
        display.plot(ax=ax, beat=beat)
        if self.note:
            figure.text(0.995, 0.005, self.note, ha="right", va="bottom", fontsize="x-small", color="0.4")
        canvas.draw()
        return canvas

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write a .gif or .mp4; the file appears whole or not at all.

        MP4 needs ffmpeg: the program, or the one that ``pip install imageio-ffmpeg`` brings.
        """
        path = Path(path)
        kind = path.suffix.lower()
        if kind not in (".gif", ".mp4"):
            raise DataError(f"{path.name}: an animation is a .gif or an .mp4; the lab writes .html.")
        write_atomically(path, self._write_gif if kind == ".gif" else partial(self._write_mp4, _ffmpeg()))
        return path

    def _write_gif(self, file: BinaryIO) -> None:
        try:
            from PIL import Image
        except ImportError:
            raise MissingExtra("pillow", "plot", "a GIF") from None
        pictures = [Image.fromarray(pixels[:, :, :3]).quantize(64) for pixels in self.frames()]
        length = round(1000 * self.seconds)
        lengths = [length] * (len(pictures) - 1) + [3 * length]
        # Pillow joins equal neighbours; with disposal 2 and no optimisation every frame stays a frame.
        pictures[0].save(file, format="GIF", save_all=True, append_images=pictures[1:], duration=lengths, loop=0,
                         disposal=2, optimize=False)  # fmt: skip

    def _write_mp4(self, program: str, file: BinaryIO) -> None:
        """Let ffmpeg write beside (it goes back to the file's head at the end), then copy."""
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(folder, "film.mp4")
            self._film(program, name)
            file.write(Path(name).read_bytes())

    def _film(self, program: str, name: str) -> None:
        held = max(1, round(RATE * self.seconds))
        width, height = (2 * (round(side * self.dpi) // 2) for side in self.size)  # yuv420p wants even sides
        command = [program, "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s",
                   f"{width}x{height}", "-r", str(RATE), "-i", "-", "-an", "-pix_fmt", "yuv420p", name]  # fmt: skip
        with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            assert process.stdin is not None
            assert process.stderr is not None
            try:
                for pixels in self.frames():
                    process.stdin.write(np.ascontiguousarray(pixels[:height, :width, :3]).tobytes() * held)
                process.stdin.close()
            except BrokenPipeError:
                pass  # ffmpeg has stopped; what it said is raised below
            said = process.stderr.read().decode(errors="replace").strip()
        if process.returncode:
            raise DataError(f"ffmpeg could not write the film: {said}; save a .gif instead.")


def animate(
    trace: "Trace",
    *,
    ks: Sequence[int] | None = None,
    seconds: float = 0.9,
    size: tuple[float, float] = (5.2, 5.0),
    dpi: int = 110,
) -> TraceAnimation:
    """Return the updates of a trace as an animation, two beats each: the mistake, then the new vector and line.

    Parameters
    ----------
    trace : two classes, and two features (or one with a bias).
    ks : which updates, counted from 1; by default all, of more than 200 the first 200, and ``note`` says so.
    seconds : how long a beat is shown.
    size, dpi : of the picture, in inches and dots per inch.

    Examples
    --------
    >>> from rosenblatt import trace
    >>> from rosenblatt.datasets import w2
    >>> from rosenblatt.plot import animate
    >>> film = animate(trace(*w2(), bias=False))
    >>> film.n_frames, film.note
    (8, '')
    """
    made = trace.counts.n_updates
    chosen = list(range(1, len(trace.updates) + 1)) if ks is None else list(ks)
    note = ""
    if len(chosen) > MOST:
        chosen = chosen[:MOST]
    if ks is None and len(chosen) < made:
        note = f"the first {len(chosen)} of {made} updates"
    elif ks is not None and len(chosen) < len(ks):
        note = f"the first {len(chosen)} of {len(ks)} updates asked for"
    if not chosen:
        raise DataError("the run made no update, so there is nothing to animate.")
    return TraceAnimation(UpdateDisplay.compute(trace, chosen), note, seconds, size, dpi)


def _ffmpeg() -> str:
    """Return the program that writes MP4, or say how to get it."""
    found = shutil.which("ffmpeg")
    if found is None:
        try:
            found = str(importlib.import_module("imageio_ffmpeg").get_ffmpeg_exe())
        except ImportError:
            raise DataError(
                "an MP4 needs ffmpeg, and there is none on the PATH: pip install imageio-ffmpeg, or save a .gif."
            ) from None
    return found
