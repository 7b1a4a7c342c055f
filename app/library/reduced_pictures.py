"""Reduced pictures of a library's photographs, a file each in the disposable cache, until they are described whole.

They are bounded in bytes: of a photograph that has none, the file is read again.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from core.files import private_files

MOST_BYTES = 2_000_000_000
"""What the reduced pictures of a library take at most: those of 40,000 photographs."""

_SHARE = 0.25  # of what is free on the disk


class ReducedPictures:
    """The reduced pictures of a library, by the contents of the photographs.

    Parameters
    ----------
    folder : Path
    most : int
        Bytes of all of them together, about; and a quarter of what is free on the disk.
    """

    def __init__(self, folder: Path, most: int = MOST_BYTES) -> None:
        self.folder = os.fsencode(folder)
        self._most = most
        self._taken: int | None = None

    def has_room(self) -> bool:
        """Return whether more can be written: not where the cache cannot be."""
        if self._taken is None:
            try:
                private_files.make_folder(Path(os.fsdecode(self.folder)))
                with os.scandir(self.folder) as entries:
                    self._taken = sum(entry.stat().st_size for entry in entries)
                self._most = min(self._most, self._taken + int(_SHARE * shutil.disk_usage(self.folder).free))
            except OSError:
                self._taken = self._most
        return self._taken < self._most

    def count(self, written: int) -> None:
        """Count bytes that were written."""
        self._taken = (self._taken or 0) + written

    def has(self, content_hash: bytes) -> bool:
        """Return whether there is one of a photograph."""
        return os.path.exists(_file(self.folder, content_hash))

    def remove(self, contents: Iterable[bytes]) -> None:
        """Remove those of some photographs."""
        for content_hash in contents:
            with suppress(OSError):
                file = _file(self.folder, content_hash)
                size = os.path.getsize(file)
                os.remove(file)
                self.count(-size)

    def clear(self) -> None:
        """Remove all of them."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self._taken = None


def write_reduced(folder: bytes, content_hash: bytes, data: bytes) -> int:
    """Write a reduced picture, and return its bytes; 0 where that does not work, since it can be done without."""
    try:
        with open(_file(folder, content_hash), "wb") as file:
            return file.write(data)
    except OSError:
        return 0


def read_reduced(folder: bytes, content_hash: bytes) -> bytes:
    """Read a reduced picture; empty where there is none."""
    try:
        with open(_file(folder, content_hash), "rb") as file:
            return file.read()
    except OSError:
        return b""


def _file(folder: bytes, content_hash: bytes) -> bytes:
    return os.path.join(folder, content_hash.hex().encode())
