"""Locks between programs, as files beside the library that name their holder.

The operating system drops such a lock when its holder ends, in whatever way, so a kill leaves nothing locked. Where a
file system knows no locks, there are none: SQLite's own still keep every transaction whole.
"""

from __future__ import annotations

import errno
import os
import socket
import threading
import time
from contextlib import suppress
from pathlib import Path

from twinlens.core.systems import system

POLL_S = 0.02
_NO_LOCKS = {errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS}  # what a file system without locks answers


class FileLock:
    """A lock that one program holds, or several share.

    Parameters
    ----------
    path : Path
        The lock file; made when it is first taken, removed when the last holder is done.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor: int | None = None
        self._thread = threading.Lock()  # a file lock does not tell the threads of one program apart

    def acquire(self, purpose: str, wait_s: float = 0.0, shared: bool = False) -> bool:
        """Acquire the lock.

        Parameters
        ----------
        purpose : str
            What it is held for, in words that complete "process 4711 is ...".
        wait_s : float
            How long to wait for another holder.
        shared : bool
            Whether others may share it (alone on Windows, where the first takes it).

        Returns
        -------
        bool
            False when another still holds it.
        """
        end = time.monotonic() + wait_s
        if not self._thread.acquire(timeout=wait_s) if wait_s > 0 else not self._thread.acquire(blocking=False):
            return False
        while True:
            if self._try(purpose, shared):
                return True
            if time.monotonic() >= end:
                self._thread.release()
                return False
            time.sleep(POLL_S)

    def share(self) -> None:
        """Let others share the lock that is held alone."""
        if self._descriptor is not None:
            system.share_lock(self._descriptor)

    def release(self) -> None:
        """Release the lock."""
        if self._descriptor is not None:
            descriptor, self._descriptor = self._descriptor, None
            system.drop_lock(descriptor, self.path)
        self._thread.release()

    @property
    def held(self) -> bool:
        """Return whether the system itself keeps others out; not where it knows no locks, or nothing can be made."""
        return self._descriptor is not None

    def holder(self) -> str:
        """Return who holds the lock, such as ``process 4711 (adding photos since 14:02)``; empty if unknown."""
        try:
            return self.path.read_text("utf-8").split("\n", 1)[0].strip()
        except (OSError, UnicodeDecodeError):
            return ""

    def taken_by(self) -> str | None:
        """Return who holds the lock now, empty if unknown; None if nobody, or where that cannot be seen.

        The file that a killed holder has left is removed.
        """
        if not self.path.exists():
            return None
        if not self.acquire("looking who holds the lock"):
            return self.holder()
        self.release()
        return None

    def _try(self, purpose: str, shared: bool) -> bool:
        while True:
            try:
                descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
            except OSError:
                return True  # nothing can be made here (write-protected, full), so nobody writes to the library either
            try:
                system.lock(descriptor, shared)
            except OSError as error:
                os.close(descriptor)
                return error.errno in _NO_LOCKS
            if self._is_at_path(descriptor):
                break
            os.close(descriptor)  # its last holder has just removed it: once more, with a new one
        self._descriptor = descriptor
        if not shared:
            self._sign(descriptor, purpose)
        return True

    @staticmethod
    def _sign(descriptor: int, purpose: str) -> None:
        text = f"process {os.getpid()} on {socket.gethostname()} ({purpose} since {time.strftime('%H:%M:%S')})\n"
        with suppress(OSError):  # the disk may be full: the lock holds without a name
            os.ftruncate(descriptor, 0)
            os.lseek(descriptor, 0, os.SEEK_SET)
            os.write(descriptor, text.encode())

    def _is_at_path(self, descriptor: int) -> bool:
        try:
            return os.path.samestat(os.fstat(descriptor), os.stat(self.path))  # noqa: PTH116
        except FileNotFoundError:
            return False
