"""What a command may write to: not the files it reads, and not a name that says another format."""

import os

from rosenblatt.errors import DataError


def refuse_overwriting(out: str | None, *read: str | None) -> None:
    """Refuse to write to a file that the command reads, by whatever name."""
    for path in read:
        if out and path and os.path.exists(out) and os.path.exists(path) and os.path.samefile(out, path):
            other = "" if out == path else f" under the name {path}"
            raise DataError(f"{out} would be overwritten, and it is read here{other}. Give another name to write to.")
