"""The system's trash: which one a file goes to, the note about it there, and finding files in it.

Linux keeps its trash by the freedesktop.org specification, in folders that can be read: one in the person's data
folder, and on other file systems ``.Trash/UID`` or ``.Trash-UID`` at their top. A trashed file lies in ``files`` and,
under the same name, a note in ``info`` has its origin and time, which is written first. So the place of a file in the
trash is known before it moves. Windows and macOS let programs put files into their trash, by Send2Trash, but not take
them out: there the person does it.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple
from urllib.parse import quote, unquote_to_bytes

from twinlens.app.library import volumes
from twinlens.app.machine.disk import DISK, Disk, why_not
from twinlens.core.errors import TwinlensError
from twinlens.core.systems import system

_HEADER = b"[Trash Info]"
NOTE = b".trashinfo"
_LONGEST_NOTE = 1 << 16  # bytes; a longer one is none
_PRIVATE = 0o700


class TrashFolder(NamedTuple):
    """A trash: its folder, and the base of the paths in its notes; empty where they are full paths."""

    folder: bytes
    base: bytes

    @property
    def files(self) -> bytes:
        """The folder of the files."""
        return volumes.joined(self.folder, b"files")

    @property
    def info(self) -> bytes:
        """The folder of the notes."""
        return volumes.joined(self.folder, b"info")


@dataclass(frozen=True)
class TrashedFile:
    """A file in the trash.

    Attributes
    ----------
    original : bytes
        Where it came from.
    lies_at : bytes
        Where it lies now.
    deleted : datetime
        When it was moved there, in local time.
    """

    original: bytes
    lies_at: bytes
    deleted: datetime


def can_restore() -> bool:
    """Return whether this program can restore files; elsewhere the person does it in the trash itself."""
    return sys.platform.startswith("linux")


def refuse_trash(path: bytes, disk: Disk = DISK) -> None:
    """Refuse a file that has no trash to go to.

    Raises
    ------
    TwinlensError
        If its disk has none, and none can be made.
    """
    if not system.has_trash(path):
        raise _no_trash()
    if can_restore():
        bin_for(path, disk)


def _no_trash() -> TwinlensError:
    return TwinlensError(
        "The disk that it is on has no trash, and none can be made there.", "Move it to a folder instead."
    )


def bin_for(path: bytes, disk: Disk = DISK) -> TrashFolder:
    """Return the trash that a file goes to, where programs know its folders; it need not be there yet.

    Raises
    ------
    TwinlensError
        If its disk has none, and none can be made; or if the file is not there.
    """
    try:
        if disk.status(path).device == disk.status(disk.home()).device:
            return _home(disk)
    except OSError as error:
        raise why_not(error, b"") from error
    top = disk.top(os.path.dirname(path))
    for one in _on_top(disk, top):
        there = one.folder if disk.exists(one.folder) else os.path.dirname(one.folder)
        if disk.may(there, os.W_OK | os.X_OK):
            return one
    raise _no_trash()


def _home(disk: Disk) -> TrashFolder:
    return TrashFolder(os.path.join(disk.data(), b"Trash"), b"")


def _on_top(disk: Disk, top: bytes) -> Iterator[TrashFolder]:
    """Yield the trash folders of this user on a file system, whether they exist or not."""
    user = os.fsencode(system.user())
    shared = os.path.join(top, b".Trash")
    with contextlib.suppress(OSError):
        mode = disk.status(shared).mode
        if stat.S_ISDIR(mode) and mode & stat.S_ISVTX:
            yield TrashFolder(os.path.join(shared, user), top)
    yield TrashFolder(os.path.join(top, b".Trash-" + user), top)


def bin_around(lies_at: bytes) -> TrashFolder | None:
    """Return the trash that a file lies in, or is to lie in, by its path; None where it is none."""
    folder, files = os.path.split(os.path.dirname(lies_at))
    above, name = os.path.split(folder)
    user = os.fsencode(system.user())
    if files != b"files":
        return None
    if name == b".Trash-" + user:
        return TrashFolder(folder, above)
    if name == user and os.path.basename(above) == b".Trash":
        return TrashFolder(folder, os.path.dirname(above))
    return TrashFolder(folder, b"") if name == b"Trash" else None


def write_note(disk: Disk, lies_at: bytes, original: bytes) -> None:
    """Write the note of a file that is about to be moved into the trash; missing folders are made.

    Parameters
    ----------
    lies_at : bytes
        Its place in the trash.
    original : bytes
        Its full path.

    Raises
    ------
    OSError
        ``FileExistsError`` if there is a note of this name.
    """
    trash = bin_around(lies_at)
    assert trash is not None
    for folder in (trash.files, trash.info):
        disk.make_folder(folder, _PRIVATE)
    inside = trash.base and volumes.is_in(original, trash.base)
    path = volumes.relative_to(original, trash.base) if inside else original
    moment = datetime.now().strftime("%Y-%m-%dT%H:%M:%S")
    text = f"[Trash Info]\nPath={quote(path)}\nDeletionDate={moment}\n"
    note = _note_of(lies_at)
    try:
        disk.write(note, text.encode())
    except FileExistsError:
        raise
    except OSError:
        with contextlib.suppress(OSError):
            disk.unlink(note)  # on a full disk it is empty
        raise


def _note_of(lies_at: bytes) -> bytes:
    files, name = os.path.split(lies_at)
    return os.path.join(os.path.dirname(files), b"info", name + NOTE)


def remove_note(disk: Disk, lies_at: bytes, original: bytes | None = None) -> None:
    """Remove the note of an empty place in the trash; other places have none.

    Parameters
    ----------
    lies_at : bytes
    original : bytes, optional
        Where the file came from: another program may be moving one of its own to this place.
    """
    trash = bin_around(lies_at)
    if trash is None or disk.exists(lies_at):
        return
    note = _note_of(lies_at)
    with contextlib.suppress(OSError):
        if original is not None:
            one = _read(disk, trash, os.path.basename(note))
            if one.original != original if one else disk.status(note).size > 0:  # a kill leaves an empty one
                return
        disk.unlink(note)


def _read(disk: Disk, trash: TrashFolder, name: bytes) -> TrashedFile | None:
    """Read a note of the trash; None where it is none."""
    try:
        lines = disk.read(os.path.join(trash.info, name), _LONGEST_NOTE).splitlines()
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
    lies_at = os.path.join(trash.files, name.removesuffix(NOTE))
    base = trash.base or os.path.dirname(trash.folder)
    return TrashedFile(os.path.normpath(os.path.join(base, path)), lies_at, deleted.replace(tzinfo=None))


def put_by_system(disk: Disk, path: bytes) -> None:
    """Put a file into the trash of a system where programs cannot look.

    Raises
    ------
    TwinlensError
        If it cannot be moved; then it is where it was.
    """
    from send2trash import TrashPermissionError

    try:
        disk.put_into_system_trash(path)
    except TrashPermissionError as error:
        raise _no_trash() from error
    except OSError as error:
        # An error of another library may have no number; then its text is shown.
        raise why_not(error, b"") from error


def find_trashed(original: bytes, since: datetime | None = None, disk: Disk = DISK) -> list[TrashedFile]:
    """Find files in the trash that came from a path, the latest first.

    Parameters
    ----------
    original : bytes
        The full path that it had.
    since : datetime, optional
        In local time; files moved before do not count.
    """
    if not can_restore():
        return []
    first = os.path.basename(original).partition(b".")[0]  # whatever number a trash gives to a name, it begins so
    bins = [_home(disk)]
    bins += [one for one in _on_top(disk, disk.top(os.path.dirname(original))) if one.folder != bins[0].folder]
    found = [
        one
        for trash in bins
        for name in disk.names(trash.info)
        if name.startswith(first) and name.endswith(NOTE)
        if (one := _read(disk, trash, name)) is not None
        if one.original == original and disk.exists(one.lies_at)
        if since is None or one.deleted >= since
    ]
    found.sort(key=lambda one: (one.deleted, disk.status(one.lies_at).ctime_ns), reverse=True)
    return found
