"""Pictures on disk, whole or not at all."""

import os
from pathlib import Path
from typing import Any

from rosenblatt.data.files import write_atomically
from rosenblatt.errors import DataError

STILLS = (".png", ".svg", ".pdf")


def save_picture(figure: Any, path: str | os.PathLike[str], *, dpi: int = 150) -> Path:
    """Write a figure as .png, .svg or .pdf, whole or not at all."""
    path = Path(path)
    kind = path.suffix.lower()
    if kind not in STILLS:
        raise DataError(f"{path.name}: a picture is one of {', '.join(STILLS)}; an animation is a .gif or an .mp4.")
    figure.draw_without_rendering()  # the layout of axes with equal units settles at the second draw
    write_atomically(path, lambda file: figure.savefig(file, format=kind[1:], dpi=dpi))
    return path
