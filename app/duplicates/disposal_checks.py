"""Checks before a photograph is moved away, and of the one that stays in its place."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterable, Set

from app.library import volumes
from app.library.library import LookedUp
from app.machine.moving import content_of, why_not
from app.results import shown
from core.errors import TwinlensError
from core.message import Message
from core.systems import system
from storage.database.schema import State

IDENTICAL = "identical"

FileNumber = tuple[int, int]
"""Device and number of a file: equal for all its names."""

_RESCAN = Message("Look through the folders again, then decide again.")


def check_file(one: LookedUp) -> None:
    """Refuse a photograph whose file is not there, not as it was read, or may not be moved.

    Raises
    ------
    TwinlensError
        With the reason.
    """
    if not volumes.is_present(one.volume):
        raise TwinlensError(Message("Its disk is not connected."), Message("Connect the disk, then try again."))
    if one.row.content_hash is None or one.row.state is not State.READY:
        raise TwinlensError(Message("It has not been read, or could not be."), _RESCAN)
    try:
        status = os.lstat(one.path)
    except OSError as error:
        raise TwinlensError(Message("It is not there any more."), _RESCAN) from error
    if not stat.S_ISREG(status.st_mode):
        raise TwinlensError(
            Message("It is a link to a file elsewhere, not a file itself."), Message("Remove the link yourself.")
        )
    if (status.st_size, status.st_mtime_ns) != (one.row.size, one.row.mtime_ns):
        raise TwinlensError(Message("It was changed since it was read."), _RESCAN)
    check_place(one.path)


def check_place(path: bytes) -> None:
    """Refuse a file that is protected, or whose folder or disk may not be changed.

    Raises
    ------
    TwinlensError
    """
    folder = os.path.dirname(path)
    if system.is_read_only(folder):
        raise TwinlensError(
            Message("Its disk can only be read."), Message("Allow writing to the disk, or leave the file where it is.")
        )
    if not os.lstat(path).st_mode & stat.S_IWUSR or not os.access(path, os.W_OK):
        raise TwinlensError(
            Message("The file is write-protected."),
            Message("Remove the write protection first if you want to remove the file."),
        )
    if not os.access(folder, os.W_OK | os.X_OK):
        raise TwinlensError(
            Message("Its folder may not be changed: permission denied."),
            Message("Give yourself the right to change the folder."),
        )


def check_kept(kept: LookedUp, one: LookedUp, kind: str, going: Set[FileNumber]) -> None:
    """Refuse to let a photograph go whose keeper is not there for certain.

    Parameters
    ----------
    kept, one : LookedUp
        The one that stays, and the one that goes.
    kind : str
    going : set of FileNumber
        Of all that go: links and mounts show one file in several places.

    Raises
    ------
    TwinlensError
    """
    name = shown(os.path.basename(kept.path))
    if not volumes.is_present(kept.volume):
        raise TwinlensError(
            Message("The disk of {name}, which is kept instead, is not connected.", name=name),
            Message("Connect the disk, then try again."),
        )
    if kept.row.content_hash is None or kept.row.state is not State.READY:
        raise TwinlensError(Message("{name}, which is kept instead, could not be read.", name=name), _RESCAN)
    if kind == IDENTICAL and kept.row.content_hash != one.row.content_hash:
        raise TwinlensError(Message("{name}, which is kept instead, is not the same file.", name=name), _RESCAN)
    try:
        status = os.stat(kept.path)
    except OSError as error:
        raise TwinlensError(
            Message("{name}, which is kept instead, is no longer there.", name=name), _RESCAN
        ) from error
    if (status.st_size, status.st_mtime_ns) != (kept.row.size, kept.row.mtime_ns):
        raise TwinlensError(
            Message("{name}, which is kept instead, was changed since it was read.", name=name), _RESCAN
        )
    if not os.access(kept.path, os.R_OK):
        raise TwinlensError(Message("{name}, which is kept instead, may not be read.", name=name), _RESCAN)
    if (status.st_dev, status.st_ino) in going:
        raise TwinlensError(
            Message("{name}, which is kept instead, is the same file as one to be removed.", name=name),
            Message("Keep both: one file under two names takes space once."),
        )


def files_of(paths: Iterable[bytes]) -> frozenset[FileNumber]:
    """Return the numbers of the files that paths lead to; those that are not there are left out."""
    found = set()
    for path in paths:
        with contextlib.suppress(OSError):
            status = os.stat(path)
            found.add((status.st_dev, status.st_ino))
    return frozenset(found)


class Contents:
    """The contents of files as they are on the disk; a file that has not changed is read once."""

    def __init__(self) -> None:
        self._known: dict[tuple[bytes, int, int, int, int], bytes] = {}

    def of(self, path: bytes) -> bytes:
        """Return the content hash of a file.

        Raises
        ------
        OSError
            If it cannot be read, or changes meanwhile.
        """
        key = self._key(path)
        if key not in self._known:
            content = content_of(path)
            if self._key(path) != key:
                raise OSError("it is being changed")
            self._known[key] = content
        return self._known[key]

    @staticmethod
    def _key(path: bytes) -> tuple[bytes, int, int, int, int]:
        status = os.stat(path)
        return path, status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def check_contents(contents: Contents, one: LookedUp, kept: LookedUp) -> None:
    """Refuse to let a photograph go unless both files hold, to the byte, what the library knows.

    Raises
    ------
    TwinlensError
    """
    name = shown(os.path.basename(kept.path))
    try:
        if contents.of(kept.path) != kept.row.content_hash:
            raise TwinlensError(
                Message("{name}, which is kept instead, was changed since it was read.", name=name), _RESCAN
            )
    except OSError as error:
        raise TwinlensError(Message("{name}, which stays in its place, cannot be read.", name=name), _RESCAN) from error
    try:
        # Each is read for itself: it goes, so what was read of it before is worth nothing.
        if content_of(one.path) != one.row.content_hash:
            raise TwinlensError(Message("It was changed since it was read."), _RESCAN)
    except OSError as error:
        raise why_not(error, b"") from error
