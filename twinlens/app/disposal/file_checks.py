"""Checks of files before and while they are moved: that each is what the library knows, and what stays is there."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterable, Set

from twinlens.app.library.library import LocatedPhotograph
from twinlens.app.machine.disk import DISK, Disk, FileNumber, FileStatus
from twinlens.core.errors import TwinlensError
from twinlens.core.files.untrusted_input import shown
from twinlens.core.message import Message
from twinlens.core.systems.volume import Volume
from twinlens.storage.database.values import PhotographState

IDENTICAL = "identical"

_RESCAN = Message("Look through the folders again, then decide again.")


def check_file(one: LocatedPhotograph, disk: Disk = DISK) -> None:
    """Refuse a photograph whose file is not there, not as it was read, or may not be moved.

    Raises
    ------
    TwinlensError
        With the reason.
    """
    check_present(one.volume, disk)
    if one.row.content_hash is None or one.row.state is not PhotographState.READY:
        raise TwinlensError("It has not been read, or could not be.", _RESCAN)
    try:
        status = disk.status(one.path)
    except OSError as error:
        raise TwinlensError("It is not there any more.", _RESCAN) from error
    if not status.is_file:
        raise TwinlensError("It is a link to a file elsewhere, not a file itself.", "Remove the link yourself.")
    if (status.size, status.mtime_ns) != (one.row.size, one.row.mtime_ns):
        raise TwinlensError("It was changed since it was read.", _RESCAN)
    check_place(one.path, disk)


def check_present(volume: Volume, disk: Disk = DISK) -> None:
    """Refuse a volume that is not mounted now.

    Raises
    ------
    TwinlensError
    """
    if not disk.is_present(volume):
        raise not_connected()


def not_connected() -> TwinlensError:
    """Return the error of a file whose disk is away."""
    return TwinlensError("Its disk is not connected.", "Connect the disk, then try again.")


def check_place(path: bytes, disk: Disk = DISK) -> None:
    """Refuse a file that is protected, or whose folder or disk may not be changed.

    Raises
    ------
    TwinlensError
    """
    folder = os.path.dirname(path)
    if disk.is_read_only(folder):
        raise TwinlensError("Its disk can only be read.", "Allow writing to the disk, or leave the file where it is.")
    if not disk.status(path).mode & stat.S_IWUSR or not disk.may(path, os.W_OK):
        raise TwinlensError(
            "The file is write-protected.", "Remove the write protection first if you want to remove the file."
        )
    if not disk.may(folder, os.W_OK | os.X_OK):
        raise TwinlensError(
            "Its folder may not be changed: permission denied.", "Give yourself the right to change the folder."
        )


def check_kept(
    kept: LocatedPhotograph, one: LocatedPhotograph, kind: str, going: Set[FileNumber], disk: Disk = DISK
) -> None:
    """Refuse to let a photograph go whose keeper is not there for certain.

    Parameters
    ----------
    kept, one : LocatedPhotograph
        The one that stays, and the one that goes.
    going : set of FileNumber
        The numbers of all files that go: links show one file in several places.

    Raises
    ------
    TwinlensError
    """
    name = shown(os.path.basename(kept.path))
    if not disk.is_present(kept.volume):
        raise _away(name)
    if kept.row.content_hash is None or kept.row.state is not PhotographState.READY:
        raise TwinlensError("{name}, which is kept instead, could not be read.", _RESCAN, name=name)
    if kind == IDENTICAL and kept.row.content_hash != one.row.content_hash:
        raise TwinlensError("{name}, which is kept instead, is not the same file.", _RESCAN, name=name)
    try:
        status = disk.status(kept.path)
    except OSError as error:
        raise TwinlensError("{name}, which is kept instead, is no longer there.", _RESCAN, name=name) from error
    if not status.is_file:
        raise _link(name)
    if (status.size, status.mtime_ns) != (kept.row.size, kept.row.mtime_ns):
        raise _file_changed(name)
    if not disk.may(kept.path, os.R_OK):
        raise TwinlensError("{name}, which is kept instead, may not be read.", _RESCAN, name=name)
    if status.file_number in going:
        raise _same_file(name, Message("Keep both: one file under two names takes space once."))


def _away(name: str) -> TwinlensError:
    return TwinlensError(
        "The disk of {name}, which is kept instead, is not connected.", "Connect the disk, then try again.", name=name
    )


def _link(name: str) -> TwinlensError:
    return TwinlensError(
        "{name}, which is kept instead, is a link to a file elsewhere, not a file itself.",
        "Keep the file itself.",
        name=name,
    )


def _file_changed(name: str) -> TwinlensError:
    return TwinlensError("{name}, which is kept instead, was changed since it was read.", _RESCAN, name=name)


def _same_file(name: str, advice: Message) -> TwinlensError:
    return TwinlensError("{name}, which is kept instead, is the same file as one to be removed.", advice, name=name)


def look_at_kept(kept: LocatedPhotograph, disk: Disk, aside: bytes | None = None) -> None:
    """Read the photograph that stays, by its path, and refuse to let another go unless it holds what the library knows.

    The photograph that goes is set aside meanwhile, so a link to it does not pass as a copy. Nor does another view of
    it in which it still seems to be there, as in an overlay whose lower folder has just been changed: a file of the
    same number whose status changed in the same moment is the same file.

    Parameters
    ----------
    aside : bytes, optional
        The full path at which the one that goes is set aside, where it could be seen through another file system.

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
        raise TwinlensError("{name}, which stays in its place, cannot be read.", _RESCAN, name=name) from error
    if not disk.is_present(kept.volume):
        raise _away(name)
    if (status.size, status.mtime_ns, content) != (kept.row.size, kept.row.mtime_ns, kept.row.content_hash):
        raise _file_changed(name)
    if aside is not None and (going := disk.status(aside)).number == status.number and going.times == status.times:
        raise _same_file(name, Message("Keep both: one file under two names takes space once."))


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
            "{name}, which lies beside the photo kept, was changed.", "Decide anew.", name=shown(os.path.basename(path))
        )


def files_of(paths: Iterable[bytes], disk: Disk = DISK) -> frozenset[FileNumber]:
    """Return the numbers of the files at some paths; those that are not there are left out."""
    every = (status_of(path, disk) for path in paths)
    return frozenset(one.file_number for one in every if one is not None)


def status_of(path: bytes, disk: Disk = DISK) -> FileStatus | None:
    """Return the status of what lies at a path; None where nothing does."""
    with contextlib.suppress(OSError):
        return disk.status(path)
    return None
