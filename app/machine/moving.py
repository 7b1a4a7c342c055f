"""Moving a file so that nothing is lost: never over another, and between file systems only as a copy that was checked.

Within a file system a file gets its new name before it loses the old one. Between two, the copy is written to the disk,
read again and compared before the original goes. Whatever is killed in between, one whole file is there.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import shutil
from pathlib import Path

from core.errors import TwinlensError
from core.files.unfinished_copies import making
from core.message import NOTHING, Message

_NO_LINKS = {errno.EPERM, errno.EACCES, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EMLINK, errno.ENOSYS, errno.EINVAL}
_NO_SPACE = {errno.ENOSPC, errno.EDQUOT}
_AT_ONCE = 1 << 20


def content_of(path: bytes) -> bytes:
    """Return the SHA-256 of a file, as the library knows contents by.

    Raises
    ------
    OSError
        If it cannot be read.
    """
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").digest()


def move(source: bytes, target: bytes) -> None:
    """Move a file to a name that is free; its times stay.

    Parameters
    ----------
    source, target : bytes
        Full paths; the folder of the target is there.

    Raises
    ------
    OSError
        ``FileExistsError`` if something has that name; whatever the reason, the source is then where and as it was.
    TwinlensError
        If another program is moving a file to the same name.
    """
    try:
        rename(source, target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        _move_between(source, target)


def bring_back(lies_at: bytes, original: bytes) -> None:
    """Move a file back to where it was; folders that are missing are made.

    Raises
    ------
    TwinlensError
        If something has its place by now, or the system does not permit it; then it stays where it lies.
    """
    try:
        os.makedirs(os.path.dirname(original), exist_ok=True)
        if same_file(lies_at, original) and not os.path.islink(original):  # killed between its two names
            os.unlink(lies_at)
        else:
            move(lies_at, original)
    except OSError as error:
        raise why_not(error, os.path.dirname(original)) from error


def rename(source: bytes, target: bytes) -> None:
    """Rename a file on its file system, unless the name is taken."""
    if os.name == "nt":
        os.rename(source, target)  # refuses a name that is taken
        return
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        _rename_over_own(source, target)
        return
    try:
        os.unlink(source)
    except OSError:
        os.unlink(target)
        raise


def _rename_over_own(source: bytes, target: bytes) -> None:
    """Rename where there are no links: the name is taken by an empty file first, which nobody else can replace."""
    os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    try:
        os.replace(source, target)
    except OSError:
        os.unlink(target)
        raise


def _move_between(source: bytes, target: bytes) -> None:
    before = os.stat(source)
    folder = os.path.dirname(target)
    if shutil.disk_usage(folder).free < before.st_size:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), target)
    with making(Path(os.fsdecode(target)), "moving a file") as part:
        copy = os.fsencode(part)
        with open(source, "rb") as original, open(copy, "xb") as written:
            shutil.copyfileobj(original, written, _AT_ONCE)
        shutil.copystat(source, copy)
        to_disk(copy)
        if content_of(copy) != content_of(source):
            raise OSError(errno.EIO, "what was written is not what was read", target)
        now = os.stat(source)
        if (now.st_size, now.st_mtime_ns) != (before.st_size, before.st_mtime_ns):
            raise OSError(errno.EBUSY, "another program is changing it", source)
        rename(copy, target)
    to_disk(folder)
    try:
        os.unlink(source)
    except OSError:
        os.unlink(target)
        raise


def to_disk(path: bytes) -> None:
    """Have the system write a file, or the names in a folder, to the disk now."""
    if os.name == "nt" and os.path.isdir(path):
        return  # folders cannot be opened there
    opened = os.open(path, os.O_RDONLY if os.name != "nt" else os.O_RDWR)
    try:
        os.fsync(opened)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # some shares do not know it
            raise
    finally:
        os.close(opened)


def same_file(one: bytes, other: bytes) -> bool:
    """Return whether two paths lead to one file; False where one is not there."""
    with contextlib.suppress(OSError):
        return os.path.samefile(one, other)
    return False


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
