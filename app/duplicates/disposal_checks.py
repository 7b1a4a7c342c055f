"""Checks before a photograph is moved away, and of the one that stays in its place."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterable, Set

from app.library.library import LocatedPhotograph
from app.machine.disk import DISK, Disk
from app.results import shown
from core.errors import TwinlensError
from core.message import Message
from storage.database.schema import PhotographState

IDENTICAL = "identical"

FileNumber = tuple[int, int]
"""Device and number of a file: equal for all its names on one mount."""

_RESCAN = Message("Look through the folders again, then decide again.")


def check_file(one: LocatedPhotograph, disk: Disk = DISK) -> None:
    """Refuse a photograph whose file is not there, not as it was read, or may not be moved.

    Raises
    ------
    TwinlensError
        With the reason.
    """
    if not disk.is_present(one.volume):
        raise TwinlensError(Message("Its disk is not connected."), Message("Connect the disk, then try again."))
    if one.row.content_hash is None or one.row.state is not PhotographState.READY:
        raise TwinlensError(Message("It has not been read, or could not be."), _RESCAN)
    try:
        status = disk.status(one.path)
    except OSError as error:
        raise TwinlensError(Message("It is not there any more."), _RESCAN) from error
    if not status.is_file:
        raise TwinlensError(
            Message("It is a link to a file elsewhere, not a file itself."), Message("Remove the link yourself.")
        )
    if (status.size, status.mtime_ns) != (one.row.size, one.row.mtime_ns):
        raise TwinlensError(Message("It was changed since it was read."), _RESCAN)
    check_place(one.path, disk)


def check_place(path: bytes, disk: Disk = DISK) -> None:
    """Refuse a file that is protected, or whose folder or disk may not be changed.

    Raises
    ------
    TwinlensError
    """
    folder = os.path.dirname(path)
    if disk.is_read_only(folder):
        raise TwinlensError(
            Message("Its disk can only be read."), Message("Allow writing to the disk, or leave the file where it is.")
        )
    if not disk.status(path).mode & stat.S_IWUSR or not disk.may(path, os.W_OK):
        raise TwinlensError(
            Message("The file is write-protected."),
            Message("Remove the write protection first if you want to remove the file."),
        )
    if not disk.may(folder, os.W_OK | os.X_OK):
        raise TwinlensError(
            Message("Its folder may not be changed: permission denied."),
            Message("Give yourself the right to change the folder."),
        )


def check_kept(
    kept: LocatedPhotograph, one: LocatedPhotograph, kind: str, going: Set[FileNumber], disk: Disk = DISK
) -> None:
    """Refuse to let a photograph go whose keeper is not there for certain.

    Parameters
    ----------
    kept, one : LookedUp
        The one that stays, and the one that goes.
    kind : str
    going : set of FileNumber
        Of all that go: links show one file in several places.
    disk : Disk, optional

    Raises
    ------
    TwinlensError
    """
    name = shown(os.path.basename(kept.path))
    if not disk.is_present(kept.volume):
        raise _away(name)
    if kept.row.content_hash is None or kept.row.state is not PhotographState.READY:
        raise TwinlensError(Message("{name}, which is kept instead, could not be read.", name=name), _RESCAN)
    if kind == IDENTICAL and kept.row.content_hash != one.row.content_hash:
        raise TwinlensError(Message("{name}, which is kept instead, is not the same file.", name=name), _RESCAN)
    try:
        status = disk.status(kept.path)
    except OSError as error:
        raise TwinlensError(
            Message("{name}, which is kept instead, is no longer there.", name=name), _RESCAN
        ) from error
    if not status.is_file:
        raise _link(name)
    if (status.size, status.mtime_ns) != (kept.row.size, kept.row.mtime_ns):
        raise _file_changed(name)
    if not disk.may(kept.path, os.R_OK):
        raise TwinlensError(Message("{name}, which is kept instead, may not be read.", name=name), _RESCAN)
    if (status.device, status.number) in going:
        raise _same_file(name, Message("Keep both: one file under two names takes space once."))


def look_at_kept(kept: LocatedPhotograph, disk: Disk) -> None:
    """Read the photograph that stays, by its path, and refuse to let another go unless it holds what the library knows.

    The other one is set aside meanwhile, with whatever leads to it.

    Raises
    ------
    TwinlensError
    """
    name = shown(os.path.basename(kept.path))
    try:
        status, content = disk.look(kept.path)
    except FileNotFoundError as error:
        if not disk.is_present(kept.volume):
            raise _away(name) from error
        raise _same_file(
            name, Message("Keep both, unless another program has just removed {name}.", name=name)
        ) from error
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise _link(name) from error
        raise TwinlensError(Message("{name}, which stays in its place, cannot be read.", name=name), _RESCAN) from error
    if not disk.is_present(kept.volume):
        raise _away(name)
    if (status.size, status.mtime_ns, content) != (kept.row.size, kept.row.mtime_ns, kept.row.content_hash):
        raise _file_changed(name)


def look_at_equal(path: bytes, content: bytes, disk: Disk) -> None:
    """Refuse to let a companion go whose equal beside the photograph that stays is not there for certain.

    Raises
    ------
    TwinlensError
    """
    try:
        same = disk.look(path)[1] == content
    except OSError:
        same = False
    if not same:
        raise TwinlensError(
            Message("{name}, which lies beside the photo kept, was changed.", name=shown(os.path.basename(path))),
            Message("Decide anew."),
        )


def files_of(paths: Iterable[bytes], disk: Disk = DISK) -> frozenset[FileNumber]:
    """Return the numbers of the files at some paths; those that are not there are left out."""
    found = set()
    for path in paths:
        with contextlib.suppress(OSError):
            status = disk.status(path)
            found.add((status.device, status.number))
    return frozenset(found)


def _away(name: str) -> TwinlensError:
    return TwinlensError(
        Message("The disk of {name}, which is kept instead, is not connected.", name=name),
        Message("Connect the disk, then try again."),
    )


def _link(name: str) -> TwinlensError:
    return TwinlensError(
        Message("{name}, which is kept instead, is a link to a file elsewhere, not a file itself.", name=name),
        Message("Keep the file itself."),
    )


def _file_changed(name: str) -> TwinlensError:
    return TwinlensError(Message("{name}, which is kept instead, was changed since it was read.", name=name), _RESCAN)


def _same_file(name: str, advice: Message) -> TwinlensError:
    return TwinlensError(
        Message("{name}, which is kept instead, is the same file as one to be removed.", name=name), advice
    )
