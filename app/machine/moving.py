"""Moving a file so that nothing is lost: never over another, and between file systems only as a copy that was checked.

What is moved has a hidden name in its own folder first, which nobody else knows. Within a file system it is then
renamed. Between two, the copy is written to the disk, read again and compared, and has a hidden name, too, until the
original is gone. Whatever is killed in between, one whole file is there, and a file with a name that people see is
never a copy too many: nobody needs to ask who made it.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
from collections.abc import Callable

from app.library import volumes
from app.library.photo_export import numbered
from app.machine.disk import Disk, FileStatus
from core.errors import TwinlensError
from core.message import NOTHING, Message

ASIDE = b".twinlens-aside"
"""How the name of a file ends that is set aside; it begins with a dot, so folders are shown and searched without it."""

_NO_SPACE = {errno.ENOSPC, errno.EDQUOT}
_LONGEST = 100  # bytes of a name that are repeated in a hidden one; some file systems have room for 143


def content_of(path: bytes) -> bytes:
    """Return the SHA-256 of a file, as the library knows contents by.

    Raises
    ------
    OSError
        If it cannot be read.
    """
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").digest()


def hidden_name(path: bytes, mark: str) -> bytes:
    """Return the name under which a file is set aside in its own folder.

    Parameters
    ----------
    path : bytes
        Full path.
    mark : str
        What nobody else knows.

    Examples
    --------
    >>> hidden_name(b"/photos/a.jpg", "mark")
    b'/photos/.a.jpg.75863b1a.twinlens-aside'
    """
    folder, name = os.path.split(path)
    short = name if len(name) <= _LONGEST else name[:_LONGEST].decode("utf-8", "ignore").encode()
    number = hashlib.blake2b(os.fsencode(mark) + name, digest_size=4).hexdigest().encode()
    return volumes.joined(folder, b".%s.%s%s" % (short, number, ASIDE))


def move(
    disk: Disk,
    source: bytes,
    target: bytes,
    hidden: bytes,
    known: tuple[FileStatus, bytes] | None = None,
    arrived: Callable[[], None] = lambda: None,
) -> None:
    """Move a file to a name that is free; its times stay.

    Parameters
    ----------
    disk : Disk
    source, target : bytes
        Full paths; the folder of the target is there.
    hidden : bytes
        The name beside the target under which a copy waits for the source to go.
    known : (FileStatus, bytes), optional
        What the file is and holds, where it has just been read.
    arrived : callable
        Is asked when the file is on its new disk, before it loses its old name or could not get that back, and raises
        OSError if it must not stay there.

    Raises
    ------
    OSError
        ``FileExistsError`` if something has that name. The source is then where and as it was, or has gone and is the
        hidden one.
    TwinlensError
        If another program is moving a file to the same name.
    """
    try:
        disk.rename(source, target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        _move_between(disk, source, target, hidden, known or disk.look(source), arrived)
        return
    try:
        arrived()
    except OSError:
        disk.rename(target, source)
        raise


def _move_between(
    disk: Disk,
    source: bytes,
    target: bytes,
    hidden: bytes,
    known: tuple[FileStatus, bytes],
    arrived: Callable[[], None],
) -> None:
    before, content = known
    if disk.exists(target):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), target)
    folder = os.path.dirname(target)
    if disk.free_space(folder) < before.size:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), target)
    with disk.making(target) as part:
        disk.copy(source, part)
        if disk.look(part)[1] != content:
            raise OSError(errno.EIO, "what was written is not what was read", target)
        disk.rename(part, hidden)
    try:
        arrived()
        disk.sync(folder)
        disk.unlink_unchanged(source, before)
    except OSError:
        with contextlib.suppress(OSError):
            if disk.exists(source):  # a system may say that it failed though it has gone
                copied, held = disk.look(hidden)
                if held == content:
                    disk.unlink_unchanged(hidden, copied)
        raise
    disk.rename(hidden, target)
    arrived()  # or its disk has gone between the two steps of a rename, with both names


def to_its_place(
    disk: Disk,
    lies_at: bytes,
    place: bytes,
    hidden: bytes,
    never: bytes | None = None,
    arrived: Callable[[], None] = lambda: None,
) -> bytes:
    """Move a file to its place, or where another has that by now, beside it under a name with a number.

    Parameters
    ----------
    disk : Disk
    lies_at, place, hidden : bytes
        Full paths, as of :func:`move`.
    never : bytes, optional
        Where it was on the way to: it does not get that name, or it would seem to have arrived.
    arrived : callable
        As of :func:`move`.

    Returns
    -------
    bytes
        Where it lies then.

    Raises
    ------
    OSError, TwinlensError
        If it cannot be moved; then it is where it was, or the hidden one.
    """
    folder, name = os.path.split(place)
    for one in numbered(name):
        there = volumes.joined(folder, one)
        if never is not None and there != place and one == os.path.basename(never):
            continue
        try:
            move(disk, lies_at, there, hidden, arrived=arrived)
        except FileExistsError:
            if not disk.exists(lies_at):
                lies_at = hidden
            continue
        return there
    raise OSError(errno.EEXIST, "the folder has too many files of this name", place)


def discard(disk: Disk, copy: bytes, original: bytes) -> bool:
    """Remove a copy with a hidden name, of a file that is at its place; return whether it was one, and went.

    Raises
    ------
    OSError
        If they cannot be read, or it cannot be removed.
    """
    known, held = disk.look(copy)
    if held != disk.look(original)[1]:
        return False
    disk.sync(os.path.dirname(original))
    disk.unlink_unchanged(copy, known)
    return True


def why_not(error: OSError, place: bytes) -> TwinlensError:
    """Return why the system does not move a file, and what to do.

    Parameters
    ----------
    error : OSError
    place : bytes
        The folder that it was to go to, or ``b""`` for the trash.
    """
    where = os.fsencode(place).decode("utf-8", "replace") or Message("the trash")
    if error.errno in _NO_SPACE:
        free = Message("Free some space there and do the same again.") if place else Message("Empty the trash.")
        return TwinlensError(Message("There is no space for it left in {where}.", where=where), free)
    if error.errno == errno.EROFS:
        return TwinlensError(
            Message("Its disk can only be read."), Message("Allow writing to the disk, or leave the file where it is.")
        )
    if isinstance(error, PermissionError):
        return TwinlensError(
            Message("The system does not permit moving it: it is protected, or another program has it open."),
            Message("Close that program, or give yourself the right to change the file and its folder."),
        )
    if isinstance(error, FileNotFoundError):
        return TwinlensError(Message("It is not there any more."), Message("Look through its folder again."))
    if isinstance(error, FileExistsError):
        return TwinlensError(Message("Another file has its name in {where}.", where=where))
    if error.errno in (errno.EBUSY, getattr(errno, "ETXTBSY", errno.EBUSY)):
        return TwinlensError(Message("Another program is using it."), Message("Close that program, then try again."))
    if error.errno == errno.ENAMETOOLONG:
        return TwinlensError(Message("Its name is too long for {where}.", where=where), Message("Shorten its name."))
    return TwinlensError(
        Message("It cannot be moved to {where}: {why}.", where=where, why=error.strerror or str(error)), NOTHING
    )
