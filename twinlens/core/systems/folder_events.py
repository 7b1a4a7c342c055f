"""Events of folders: which of many folders has changed, told by the kernel, so that nothing is asked for meanwhile.

Linux's inotify also tells of a file that was written to in place, which a folder's own time does not show.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from typing import Protocol

_CLOSE_WRITE, _ATTRIBUTES, _MOVED, _CREATED, _DELETED = 0x8, 0x4, 0xC0, 0x100, 0x200
_GONE, _MOVED_ITSELF, _OVERFLOW, _IGNORED = 0x400, 0x800, 0x4000, 0x8000
_ONLY_FOLDERS = 0x1000000
_MASK = _CLOSE_WRITE | _ATTRIBUTES | _MOVED | _CREATED | _DELETED | _GONE | _MOVED_ITSELF | _ONLY_FOLDERS
_NO_WAIT, _CLOSED_AT_EXEC = 0o4000, 0o2000000  # O_NONBLOCK and O_CLOEXEC, which no other system has
_EVENT = struct.Struct("iIII")
_AT_ONCE = 1 << 16


class FolderEvents(Protocol):
    """Events of watched folders."""

    descriptor: int
    """Readable when there are events."""

    def watch(self, folder: bytes) -> bool:
        """Watch a folder, not those below it; return False if the system watches no more."""

    def changed(self) -> tuple[set[bytes], bool]:
        """Return the folders that have changed since the last call, and whether events were lost."""

    def close(self) -> None:
        """Watch no more."""


class InotifyEvents:
    """Events by inotify; see :class:`FolderEvents`.

    Raises
    ------
    OSError
        If the kernel gives none.
    """

    def __init__(self) -> None:
        self._library = ctypes.CDLL(None, use_errno=True)
        self.descriptor = self._library.inotify_init1(_CLOSED_AT_EXEC | _NO_WAIT)
        if self.descriptor < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        self._folders: dict[int, bytes] = {}

    def watch(self, folder: bytes) -> bool:
        """Watch a folder; one that cannot be watched now is left out."""
        number = self._library.inotify_add_watch(self.descriptor, folder, _MASK)
        if number >= 0:
            self._folders[number] = folder
        return number >= 0 or ctypes.get_errno() not in (errno.ENOSPC, errno.ENOMEM)

    def changed(self) -> tuple[set[bytes], bool]:
        """Read the events."""
        folders: set[bytes] = set()
        lost = False
        while True:
            try:
                data = os.read(self.descriptor, _AT_ONCE)
            except BlockingIOError:
                return folders, lost
            place = 0
            while place < len(data):
                number, mask, _, length = _EVENT.unpack_from(data, place)
                place += _EVENT.size + length
                lost = lost or bool(mask & _OVERFLOW)
                folder = self._folders.get(number)
                if folder is None:
                    continue
                folders.add(folder)
                if mask & _MOVED_ITSELF:  # it has another name now, under which the folder around it is watched
                    self._library.inotify_rm_watch(self.descriptor, number)
                if mask & (_IGNORED | _MOVED_ITSELF):
                    del self._folders[number]

    def close(self) -> None:
        """Watch no more."""
        os.close(self.descriptor)
