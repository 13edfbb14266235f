"""Files that clients name: only below one folder, only regular ones, never written over, and no link is followed."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from volery.errors import SimulationError

__all__ = ["ClientFiles"]

_LARGEST = 64 << 20
"""Bytes of a file that is read."""


class ClientFiles:
    """A folder, and what clients may do below it. Any thread may call; nothing here waits for another program."""

    def __init__(self, root: Path) -> None:
        self.root = root.absolute()

    def check_new(self, name: str) -> None:
        """Refuse now what `write` would refuse later."""
        with self._folder(name) as (folder, last), contextlib.suppress(FileNotFoundError):
            os.stat(last, dir_fd=folder, follow_symlinks=False)
            raise SimulationError(f"{name}: is there already, and files are not written over; choose another name")

    def write(self, name: str, data: bytes) -> None:
        """A new file."""
        with self._folder(name) as (folder, last):
            try:
                number = os.open(last, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o644, dir_fd=folder)
            except FileExistsError:
                raise SimulationError(f"{name}: is there already, and files are not written over") from None
            except OSError as error:
                raise SimulationError(f"{name}: cannot be written: {error.strerror}") from None
            with os.fdopen(number, "wb") as file:
                file.write(data)

    def read(self, name: str) -> bytes:
        """All of a regular file."""
        with self._folder(name) as (folder, last):
            try:
                # Without waiting: the open of a pipe that nobody writes to would stand still.
                number = os.open(last, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
            except OSError as error:
                raise SimulationError(f"{name}: cannot be read: {error.strerror}") from None
            with os.fdopen(number, "rb") as file:
                about = os.fstat(number)
                if not stat.S_ISREG(about.st_mode) or about.st_size > _LARGEST:
                    raise SimulationError(f"{name}: must be a regular file of at most {_LARGEST >> 20} MB")
                return file.read(_LARGEST)

    @contextlib.contextmanager
    def _folder(self, name: str) -> Iterator[tuple[int, str]]:
        """The open folder of a file, and the file's own name; each folder on the way is opened as no link."""
        parts = self._parts(name)
        self.root.mkdir(parents=True, exist_ok=True)
        folder = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY)
        try:
            for part in parts[:-1]:
                try:
                    inner = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
                except OSError:
                    raise SimulationError(f"{name}: there is no folder '{part}' there") from None
                os.close(folder)
                folder = inner
            yield folder, parts[-1]
        finally:
            os.close(folder)

    def _parts(self, name: str) -> tuple[str, ...]:
        path = Path(name)
        if path.is_absolute():
            path = path.relative_to(self.root) if path.is_relative_to(self.root) else Path("..")
        if not name or "\0" in name or not path.parts or ".." in path.parts:
            raise SimulationError(
                f"{name[:200]!r}: clients' files lie below {self.root}; name one there, such as 'map.binvox'"
            )
        return path.parts
