"""Reduced pictures on the disk, from which local features are described later."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from twinlens.core.files import private_files

_EACH_BYTES = 50_000  # roughly
MOST_BYTES = 40_000 * _EACH_BYTES
"""Bytes of the reduced pictures of a library, at most."""


_SHARE = 0.25  # of what is free on the disk


class ReducedPictures:
    """The reduced pictures of a library, by the contents of the photographs.

    Parameters
    ----------
    most : int
        Bytes of all of them together, about; and a quarter of what is free on the disk.
    """

    def __init__(self, folder: Path, most: int = MOST_BYTES) -> None:
        self.folder = os.fsencode(folder)
        self._most = most
        self._taken: int | None = None

    def has_room(self) -> bool:
        """Return whether more can be written; False where the cache cannot be written."""
        return self._free_bytes() > 0

    def room(self) -> int:
        """Return for how many photographs there is room, roughly."""
        return self._free_bytes() // _EACH_BYTES

    def _free_bytes(self) -> int:
        if self._taken is None:
            try:
                private_files.make_folder(Path(os.fsdecode(self.folder)))
                with os.scandir(self.folder) as entries:
                    self._taken = sum(entry.stat().st_size for entry in entries)
                self._most = min(self._most, self._taken + int(_SHARE * shutil.disk_usage(self.folder).free))
            except OSError:
                self._taken = self._most
        return max(0, self._most - self._taken)

    def count(self, written: int) -> None:
        """Count bytes that were written."""
        self._taken = (self._taken or 0) + written

    def has(self, content_hash: bytes) -> bool:
        """Return whether a photograph has a reduced picture."""
        return os.path.exists(_file(self.folder, content_hash))

    def remove(self, contents: Iterable[bytes]) -> None:
        """Remove the reduced pictures of some photographs."""
        for content_hash in contents:
            with suppress(OSError):
                file = _file(self.folder, content_hash)
                size = os.path.getsize(file)
                os.remove(file)
                self.count(-size)

    def clear(self) -> None:
        """Remove all reduced pictures."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self._taken = None


def _file(folder: bytes, content_hash: bytes) -> bytes:
    return os.path.join(folder, content_hash.hex().encode())


def write_reduced(folder: bytes, content_hash: bytes, data: bytes) -> int:
    """Write a reduced picture, which is optional, and return its bytes; 0 where it cannot be written."""
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
