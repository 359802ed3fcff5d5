"""Files as bytes: opened with clear errors, decompressed, and kept where they could not be read again otherwise."""

import bz2
import errno
import gzip
import hashlib
import io
import lzma
import os
import stat
import sys
import tempfile
import zlib
from typing import Any, BinaryIO

from rosenblatt.errors import DataError, MissingExtra

HEAD = 1 << 20  # bytes looked at to find out what a file is
TAIL = 1 << 12  # bytes looked at to find the end of a line
MAGIC = {b"\x1f\x8b": "gz", b"BZh": "bz2", b"\xfd7zXZ\x00": "xz", b"\x28\xb5\x2f\xfd": "zst"}
SAMPLE, SAMPLES = 4096, 64
DAMAGE = (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile)


class ByteFile:
    """The bytes of a file, decompressed, to be read in order and, once that was done, at any place.

    A plain file is read where it is. What cannot be read twice (standard input, pipes) or not in the middle (compressed
    files) is copied to a temporary file while it is read the first time, if `keep` was called before.

    Not memory-mapped on purpose: a mapped file that somebody shortens ends the process (SIGBUS), and its pages count as
    memory of this process; reading blocks costs under a tenth of parsing them.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self.name = "standard input" if self.path == "-" else self.path
        self._file, self.size, self._changed_at = _open(self.path, self.name)
        start = _fully(self._file, 6)
        self.compression = next((kind for magic, kind in MAGIC.items() if start.startswith(magic)), None)
        self.plain = self.compression is None and self.size is not None
        self._bytes: Any = self._file if self.size is not None else _Rejoined(start, self._file)
        if self.size is not None:
            self._file.seek(0)
        if self.compression:
            self._bytes = _decompressor(self.compression, self._bytes)
        self._spool: BinaryIO | None = None
        self._keep = False
        self._digest = hashlib.blake2b(digest_size=16)
        if self.size is not None:
            for k in range(SAMPLES):
                self._digest.update(os.pread(self._file.fileno(), SAMPLE, k * self.size // SAMPLES))
        self._at = 0
        self.head = b""
        try:
            self.head = self.read(HEAD)
            if not self.head:
                raise DataError(f"{self.name} is empty; expected rows of data.")
        except BaseException:
            self.close()
            raise
        self._pending = self.head

    def read(self, size: int) -> bytes:
        """Return the next bytes, fewer only at the end of the file."""
        if self.head and self._pending:
            part, self._pending = self._pending[:size], self._pending[size:]
            return part if len(part) == size else part + self.read(size - len(part))
        try:
            data = _fully(self._bytes, size)
        except DAMAGE as error:
            raise self._damaged(error) from error
        except OSError as error:
            if self.compression and error.errno is None:
                raise self._damaged(error) from error
            raise DataError(f"cannot read {self.name}: {error.strerror or error}.") from error
        self._at += len(data)
        if self._keep:
            self._copy(data)
        return data

    def read_lines(self, size: int) -> bytes:
        """Return the next bytes up to the last line end among ``size``; nothing where only reading them can tell.

        Whole lines are read in one piece; cutting them from what was read, and joining the rest with what follows, is
        to copy everything.
        """
        if not self.plain or size <= TAIL:
            return b""
        tail = os.pread(self._file.fileno(), TAIL, self._file.tell() + size - TAIL)
        feed = tail.rfind(b"\n")
        return self.read(size - TAIL + feed + 1) if len(tail) == TAIL and feed >= 0 else b""

    @property
    def on_disk(self) -> bool:
        """Whether there is a file on the disk, beside which a cache can stand."""
        return self.size is not None

    def rewind(self) -> None:
        """Go back to the beginning, where that is possible."""
        if self.plain:
            self._file.seek(0)
            self._pending = b""
            return
        if self._begun:
            raise DataError(f"{self.name} can be read only once, and that has been done; open it again.")
        self._pending = self.head

    @property
    def _begun(self) -> bool:
        return self._at > len(self.head) or len(self._pending) < len(self.head)

    def keep(self) -> None:
        """Ask for everything that is read from now on to be readable again."""
        if self.plain or self._keep:
            return
        if self._begun:
            raise DataError(f"{self.name} can be read only once, and that has been done; open it again.")
        self._keep = True
        self._copy(self.head)

    def read_at(self, offset: int, size: int) -> bytes:
        """Return bytes at a place that was read before."""
        file = self._file if self.plain else self._spool
        if file is None:
            raise DataError(f"{self.name} can be read only once.")
        data = os.pread(file.fileno(), size, offset)
        while len(data) < size:  # a system call returns at most 2 GB
            more = os.pread(file.fileno(), size - len(data), offset + len(data))
            if not more:
                raise DataError(f"{self.name} has become shorter while it was being read.")
            data += more
        return data

    def seekable(self) -> BinaryIO:
        """Return the whole content as a file that can be read anywhere."""
        if self.plain:
            self._file.seek(0)
            return self._file
        self.keep()
        while self.read(1 << 20):
            pass
        assert self._spool is not None
        self._spool.seek(0)
        return self._spool

    @property
    def fingerprint(self) -> str:
        """What changes when the content does: size, time of change and samples, or a digest of what came through a pipe.

        The time alone is not enough: some programs copy it with the file.
        """
        found = self._digest.hexdigest()
        return found if self.size is None else f"{self.size}:{self._changed_at}:{found}"

    def refuse_changed(self) -> None:
        """Refuse to go on with a file that somebody writes over; what is only appended is not read."""
        if self.size is None or self.compression:
            return
        now = os.fstat(self._file.fileno())
        if now.st_mtime_ns != self._changed_at and now.st_size <= self.size:
            raise DataError(f"{self.name} was changed while it was read; begin anew with a file that stays as it is.")

    def close(self) -> None:
        """Close the file and give back the temporary space."""
        if self.path != "-":
            self._file.close()
        if self._spool is not None:
            self._spool.close()

    def _copy(self, data: bytes) -> None:
        if self._spool is None:
            self._spool = tempfile.TemporaryFile(prefix="rosenblatt-")  # noqa: SIM115  (closed by close)
        if self.size is None:
            self._digest.update(data)
        try:
            self._spool.write(data)
            self._spool.flush()
        except OSError as error:
            place = tempfile.gettempdir()
            raise DataError(
                f"cannot keep a copy of {self.name} in {place}: {error.strerror}; set TMPDIR to a larger disk, "
                "or unpack the file first."
            ) from error

    def _damaged(self, error: BaseException) -> DataError:
        return DataError(
            f"{self.name} is damaged or cut short: its {self.compression} data end or break after {self._at} "
            f"unpacked bytes ({error or type(error).__name__}); get the file again."
        )


class _Rejoined(io.RawIOBase):
    """A stream with its first bytes put back."""

    def __init__(self, start: bytes, rest: BinaryIO) -> None:
        self._start, self._rest = start, rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._start[: len(buffer)] or self._rest.read(len(buffer))
        self._start = self._start[len(buffer) :]
        buffer[: len(data)] = data
        return len(data)


def _open(path: str, name: str) -> tuple[BinaryIO, int | None, int]:
    """Return the file, and of a plain file its size and time of change; or say why it cannot be opened."""
    if path == "-":
        return sys.stdin.buffer, None, 0
    try:
        status = os.stat(path)
        if stat.S_ISDIR(status.st_mode):
            raise DataError(f"{name} is a directory; give one file in it.")
        file = open(path, "rb")  # noqa: SIM115  (closed by ByteFile.close)
    except DataError:
        raise
    except FileNotFoundError:
        raise DataError(f"there is no file {name}.{_neighbour(path)}") from None
    except PermissionError:
        raise DataError(f"{name} may not be read by this user; check its permissions.") from None
    except OSError as error:
        reason = "its name is too long" if error.errno == errno.ENAMETOOLONG else error.strerror or error
        raise DataError(f"cannot open {name}: {reason}.") from None
    except ValueError as error:
        raise DataError(f"cannot open {name!r}: {error}.") from None
    return file, status.st_size if stat.S_ISREG(status.st_mode) else None, status.st_mtime_ns


def _neighbour(path: str) -> str:
    """Return a hint at a file of nearly that name, as a sentence."""
    from difflib import get_close_matches

    folder, wanted = os.path.split(path)
    try:
        close = get_close_matches(wanted, os.listdir(folder or "."), n=1)
    except OSError:
        return f" There is no directory {folder} either." if folder else ""
    return f" Did you mean {os.path.join(folder, close[0])}?" if close else ""


def _fully(file: Any, size: int) -> bytes:
    """Read until ``size`` bytes or the end; pipes give what they have."""
    data = file.read(size) or b""
    while len(data) < size:
        more = file.read(size - len(data))
        if not more:
            break
        data += more
    return bytes(data)


def _decompressor(kind: str, file: Any) -> Any:
    if kind == "gz":
        return gzip.GzipFile(fileobj=io.BufferedReader(file) if isinstance(file, io.RawIOBase) else file)
    if kind == "bz2":
        return bz2.BZ2File(file)
    if kind == "xz":
        return lzma.LZMAFile(file)
    try:
        import pyarrow
    except ImportError:
        raise MissingExtra("pyarrow", "files", "reading zst files") from None
    return pyarrow.CompressedInputStream(pyarrow.PythonFile(file, mode="r"), "zstd")
