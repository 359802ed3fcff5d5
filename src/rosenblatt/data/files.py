"""Files that are written whole or not at all. Reading is in bytefile.py."""

import glob
import os
import secrets
import socket
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from rosenblatt.errors import DataError


def write_atomically(path: str | os.PathLike[str], write: Callable[[BinaryIO], None]) -> None:
    """Let ``write`` fill a file that appears at ``path`` complete or not at all.

    The bytes go to a temporary name in the same directory, are flushed to the disk (fsync), and then renamed over
    ``path``; a crash at any moment leaves the old file or the new one.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_atomically(pathlib.Path(folder) / "a.txt", lambda file: None if file.write(b"42") else None)
    ...     (pathlib.Path(folder) / "a.txt").read_bytes()
    b'42'
    """
    target = Path(os.path.realpath(path))  # behind a symbolic link the file is replaced, not the link
    if target.is_dir():
        raise DataError(f"{target} is a directory; give the name of a file to write.")
    if os.path.exists(path) and not os.path.isfile(path):  # not the target: of a pipe that is no name
        raise DataError(f"{os.fspath(path)} is not a plain file; give the name of a file to write.")
    mine = f".{target.name}.{socket.gethostname()}-"
    _sweep(target.parent, mine)
    temporary = target.parent / f"{mine}{os.getpid()}-{secrets.token_hex(4)}.tmp"
    try:  # not mkstemp, whose files only their owner may read
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    except OSError as error:
        raise DataError(f"cannot write {target}: {error.strerror or error}.") from error
    try:
        with os.fdopen(handle, "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            temporary.chmod(target.stat().st_mode & 0o777)
        os.replace(temporary, target)
    except BaseException as error:
        temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise DataError(f"cannot write {target}: {error.strerror or error}.") from error
        raise
    _sync_directory(target.parent)


def write_bytes(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file of these bytes, whole or not at all."""

    def write(file: BinaryIO) -> None:
        file.write(content)

    write_atomically(path, write)


def _sweep(folder: Path, mine: str) -> None:
    """Remove what killed processes of this machine left of the same file."""
    for left in folder.glob(f"{glob.escape(mine)}*.tmp"):
        pid = left.name.removeprefix(mine).partition("-")[0]
        try:
            os.kill(int(pid), 0)
        except ProcessLookupError:
            left.unlink(missing_ok=True)
        except (ValueError, OSError):
            continue


def _sync_directory(folder: Path) -> None:
    """Make the rename durable, where directories can be opened."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)
