"""The system's trash: moving files there, knowing where they lie, and bringing them back.

Send2Trash does the first on every system. Linux keeps its trash by the freedesktop.org specification, in folders that
can be read: one in the person's data folder, and on other file systems ``.Trash/UID`` or ``.Trash-UID`` at their top.
In each lies a file in ``files`` and, under the same name, a note in ``info`` of where it came from and when. Windows
and macOS let programs put files into their trash, but not take them out: there the person does it.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import unquote_to_bytes

from app.machine import moving
from core.errors import TwinlensError
from core.message import Message
from core.systems import system

_HEADER = b"[Trash Info]"
_NOTE = b".trashinfo"
_NOTE_SIZE = 1 << 16  # bytes; a longer one is none
_OPEN = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


@dataclass(frozen=True)
class Trashed:
    """A file in the trash.

    Attributes
    ----------
    original : bytes
        Where it came from.
    lies_at : bytes
        Where it lies now.
    deleted : datetime
        When it was moved there, by the clock on the wall.
    """

    original: bytes
    lies_at: bytes
    deleted: datetime


def can_restore() -> bool:
    """Return whether files can be brought back from here; elsewhere the person does it in the trash itself."""
    return sys.platform.startswith("linux")


def put(path: bytes) -> bytes | None:
    """Move a file to the trash.

    Parameters
    ----------
    path : bytes
        Full path of a file.

    Returns
    -------
    bytes or None
        Where it lies now, where this system tells.

    Raises
    ------
    TwinlensError
        If it cannot be moved; then it is where it was.
    """
    from send2trash import TrashPermissionError, send2trash

    refuse(path)
    device = _device(path)
    since = datetime.now().replace(microsecond=0)
    try:
        send2trash(path if can_restore() else os.path.normpath(os.fsdecode(path)))
    except TrashPermissionError as error:
        raise _no_trash() from error
    except OSError as error:
        if can_restore():
            tidy(path)
        # What another library says may have no number; then its words tell.
        raise moving.why_not(error, b"") from error
    if not can_restore():
        return None
    lies_at = next((one.lies_at for one in find(path, since)), None)
    if lies_at is not None and _device(lies_at) != device:  # it was copied
        with contextlib.suppress(OSError):
            moving.to_disk(lies_at)
    return lies_at


def refuse(path: bytes) -> None:
    """Refuse a file that has no trash to go to.

    Raises
    ------
    TwinlensError
        If its disk has none, and none can be made.
    """
    if not system.has_trash(path):
        raise _no_trash()
    if not can_restore() or _device(path) == _device(os.path.expanduser(b"~")):
        return
    top = _top(path)
    if any(os.access(folder, os.W_OK | os.X_OK) for folder in _on_top(top)) or os.access(top, os.W_OK | os.X_OK):
        return
    raise _no_trash()


def _no_trash() -> TwinlensError:
    return TwinlensError(
        Message("The disk that it is on has no trash, and none can be made there."),
        Message("Move it to a folder instead."),
    )


def find(original: bytes, since: datetime | None = None) -> list[Trashed]:
    """Find what was moved to the trash from a place, the latest first.

    Parameters
    ----------
    original : bytes
        The full path that it had.
    since : datetime, optional
        By the clock on the wall; what was moved before does not count.
    """
    first = os.path.basename(original).partition(b".")[0]  # whatever number a trash gives to a name, it begins so
    found = [
        one
        for trash, base in _trashes(original)
        for name in _names(os.path.join(trash, b"info"))
        if name.startswith(first) and name.endswith(_NOTE)
        if (one := _read(trash, base, name)) is not None
        if one.original == original and os.path.lexists(one.lies_at)
        if since is None or one.deleted >= since
    ]
    found.sort(key=lambda one: (one.deleted, os.lstat(one.lies_at).st_ctime_ns), reverse=True)
    return found


def restore(lies_at: bytes, original: bytes) -> None:
    """Bring a file back from the trash; the note of it goes too, and folders that are missing are made.

    Raises
    ------
    TwinlensError
        If something has its place by now, or the system does not permit it; then it stays in the trash.
    """
    moving.bring_back(lies_at, original)
    with contextlib.suppress(OSError):
        os.unlink(_note_of(lies_at))


def tidy(original: bytes) -> None:
    """Remove the notes of a file that never came to the trash: it is where it was, and nothing lies under them."""
    if not os.path.lexists(original):
        return
    first = os.path.basename(original).partition(b".")[0]
    for trash, base in _trashes(original):
        for name in _names(os.path.join(trash, b"info")):
            if not (name.startswith(first) and name.endswith(_NOTE)):
                continue
            if os.path.lexists(os.path.join(trash, b"files", name.removesuffix(_NOTE))):
                continue
            note = os.path.join(trash, b"info", name)
            one = _read(trash, base, name)
            with contextlib.suppress(OSError):
                # On a full disk a note is empty.
                if (one.original == original) if one else os.path.getsize(note) == 0:
                    os.unlink(note)


def _trashes(path: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the trashes that a file may be in, each with what relative paths in it begin from."""
    if not can_restore():
        return
    data = os.fsencode(os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share"))
    home = os.path.join(data, b"Trash")
    yield home, data
    top = _top(path)
    for trash in _on_top(top):
        if os.path.isdir(trash) and not moving.same_file(trash, home):
            yield trash, top


def _on_top(top: bytes) -> Iterator[bytes]:
    """Yield the trashes of a file system that are this user's, whether they are there or not."""
    user = os.fsencode(system.user())
    shared = os.path.join(top, b".Trash")
    with contextlib.suppress(OSError):
        mode = os.lstat(shared).st_mode
        if stat.S_ISDIR(mode) and mode & stat.S_ISVTX:
            yield os.path.join(shared, user)
    yield os.path.join(top, b".Trash-" + user)


def _top(path: bytes) -> bytes:
    """Return where the file system is mounted that a path is, or was, on."""
    folder = os.path.realpath(os.path.dirname(path))
    while not os.path.ismount(folder):
        folder = os.path.dirname(folder)
    return folder


def _device(path: bytes) -> int:
    try:
        return os.lstat(path).st_dev
    except OSError as error:
        raise moving.why_not(error, b"") from error


def _names(folder: bytes) -> list[bytes]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _note_of(lies_at: bytes) -> bytes:
    files, name = os.path.split(lies_at)
    return os.path.join(os.path.dirname(files), b"info", name + _NOTE)


def _read(trash: bytes, base: bytes, name: bytes) -> Trashed | None:
    """Read a note of the trash; None where it is none."""
    try:
        opened = os.open(os.path.join(trash, b"info", name), _OPEN)
        with open(opened, "rb") as file:
            lines = file.read(_NOTE_SIZE).splitlines()
    except OSError:
        return None
    values = dict(line.split(b"=", 1) for line in reversed(lines) if b"=" in line)
    path = unquote_to_bytes(values.get(b"Path", b""))
    if not lines or lines[0] != _HEADER or not path:
        return None
    try:
        deleted = datetime.fromisoformat(values.get(b"DeletionDate", b"").decode("ascii"))
    except ValueError:
        deleted = datetime.min
    lies_at = os.path.join(trash, b"files", name.removesuffix(_NOTE))
    return Trashed(os.path.normpath(os.path.join(base, path)), lies_at, deleted.replace(tzinfo=None))
