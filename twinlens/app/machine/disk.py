"""The disk for moving photographs: every call of the system, each under one name, and moves that lose nothing.

A file is never moved over another one, and between file systems only as a copy that was checked. :class:`Disk` gathers
the calls so that tests can let each of them fail.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from twinlens.app.library import volumes
from twinlens.app.library.photo_export import numbered
from twinlens.core.errors import TwinlensError
from twinlens.core.files.unfinished_copies import clear, unfinished_copy
from twinlens.core.message import NOTHING, Message
from twinlens.core.systems import system
from twinlens.core.systems.volume import Volume

_CANNOT = {errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP}
_NO_LINKS = {*_CANNOT, errno.EPERM, errno.EACCES, errno.EMLINK}
_AT_ONCE = 1 << 20
_FILE_ITSELF = (
    os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
)  # no link; and a pipe in its place makes nobody wait


FileNumber = tuple[int, int]
"""Device and number of a file: equal for all its names on one mount."""


class FileStatus(NamedTuple):
    """The status of a file.

    Attributes
    ----------
    device, number : int
        Equal for all names of a file on one mount.
    size : int
        Bytes.
    mtime_ns, ctime_ns : int
        When its content, and when anything of it, was last changed.
    """

    device: int
    number: int
    size: int
    mtime_ns: int
    ctime_ns: int
    mode: int

    @property
    def is_file(self) -> bool:
        """Whether it is a file itself: no link, folder or device."""
        return stat.S_ISREG(self.mode)

    @property
    def file_number(self) -> FileNumber:
        """Device and number, equal for all names of the file."""
        return self.device, self.number

    @property
    def is_link(self) -> bool:
        """Whether it is a symbolic link."""
        return stat.S_ISLNK(self.mode)

    @property
    def times(self) -> tuple[int, int, int]:
        """Values that change with every write to the file; unlike device and number, they are stable on a network."""
        return self.size, self.mtime_ns, self.ctime_ns


class Disk:
    """The disks of this machine."""

    # --- looking

    def status(self, path: bytes) -> FileStatus:
        """Return the status of a path itself, not of a link's target; OSError if nothing is there."""
        return _of(os.lstat(path))

    def exists(self, path: bytes) -> bool:
        """Return whether anything is at a path, even a broken link."""
        return os.path.lexists(path)

    def look(self, path: bytes) -> tuple[FileStatus, bytes]:
        """Read a file that is at a path itself, and return its status and SHA-256.

        Raises
        ------
        OSError
            If it cannot be read, is a link or no file, or is changed or exchanged meanwhile.
        """
        if stat.S_ISLNK(os.lstat(path).st_mode):  # not every system has O_NOFOLLOW
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)
        with open(os.open(path, _FILE_ITSELF), "rb") as file:
            before = _of(os.fstat(file.fileno()))
            if not before.is_file:
                raise OSError(errno.EINVAL, "it is no file", path)
            content = hashlib.file_digest(file, "sha256").digest()
            for now in (os.fstat(file.fileno()), os.lstat(path)):
                if _of(now).times != before.times:
                    raise OSError(errno.EBUSY, "another program is changing it", path)
        return before, content

    def names(self, folder: bytes) -> list[bytes]:
        """List the names in a folder; none where it is not there or may not be read."""
        with contextlib.suppress(OSError):
            return os.listdir(folder)
        return []

    def may(self, path: bytes, how: int) -> bool:
        """Return whether the system permits reading, writing or searching, as :func:`os.access`."""
        return os.access(path, how)

    def is_read_only(self, folder: bytes) -> bool:
        """Return whether the disk that a folder is on can only be read."""
        return system.is_read_only(folder)

    def is_present(self, volume: Volume) -> bool:
        """Return whether a volume is mounted now."""
        return volumes.is_present(volume)

    def locate(self, volume: Volume, relative: bytes) -> bytes:
        """Return the full path of a file on a volume."""
        return volumes.locate(volume, relative)

    def volume_of(self, folder: bytes) -> str:
        """Return the identity of the volume that a folder is on now."""
        return volumes.split_folder(folder)[0].identity

    def top(self, folder: bytes) -> bytes:
        """Return the mount point of the file system that a folder is, or was, on."""
        folder = os.path.realpath(folder)
        while not os.path.ismount(folder):
            folder = os.path.dirname(folder)
        return folder

    def home(self) -> bytes:
        """Return the home of the user."""
        return os.path.realpath(os.path.expanduser(b"~"))

    def data(self) -> bytes:
        """Return the folder in which programs keep data for the user."""
        return os.fsencode(os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share"))

    def read(self, path: bytes, most: int) -> bytes:
        """Read the beginning of a small file, which is no link."""
        with open(os.open(path, _FILE_ITSELF), "rb") as file:
            return file.read(most)

    def free_space(self, folder: bytes) -> int:
        """Return the bytes that are free where a folder is."""
        return shutil.disk_usage(folder).free

    # --- changing

    def hide(self, path: bytes, hidden: bytes) -> None:
        """Rename whatever has a name at that moment, within its folder, to a hidden name that nobody else knows.

        A link and a removal would not do: they would remove a file that another program saves in between.
        """
        try:
            system.rename_new(path, hidden)
        except OSError as error:
            if error.errno not in _CANNOT:
                raise
            if os.path.lexists(hidden):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), hidden) from error
            os.rename(path, hidden)

    def rename(self, source: bytes, target: bytes) -> None:
        """Rename a file on its file system, unless the name is taken."""
        try:
            system.rename_new(source, target)
        except OSError as error:
            if error.errno not in _CANNOT:
                raise
            _rename_by_link(source, target)

    def unlink(self, path: bytes) -> None:
        """Remove a name."""
        os.unlink(path)

    def unlink_unchanged(self, path: bytes, known: FileStatus) -> None:
        """Remove a file that is still as it was when it was read, or raise OSError."""
        if self.status(path).times != known.times:
            raise OSError(errno.EBUSY, "another program is changing it", path)
        os.unlink(path)

    def make_folder(self, folder: bytes, mode: int = 0o777) -> None:
        """Make a folder, and those above it, unless it is there."""
        os.makedirs(folder, mode, exist_ok=True)

    def copy(self, source: bytes, target: bytes) -> None:
        """Copy a file with its times to a free name, and flush it to the disk."""
        with open(os.open(source, _FILE_ITSELF), "rb") as original, open(target, "xb") as written:
            shutil.copyfileobj(original, written, _AT_ONCE)
        shutil.copystat(source, target, follow_symlinks=False)
        self.sync(target)

    def hard_link(self, source: bytes, target: bytes) -> None:
        """Add a second name to a file, unless that is taken."""
        os.link(source, target, follow_symlinks=False)

    def clone(self, source: bytes, target: bytes) -> None:
        """Make a file under a free name that shares the blocks of another; OSError where the file system cannot."""
        system.clone(source, target)

    def dress(self, path: bytes, mode: int, mtime_ns: int) -> None:
        """Set permissions of a file and the time of its last change, and flush it to the disk."""
        os.chmod(path, mode)
        os.utime(path, ns=(mtime_ns, mtime_ns))
        self.sync(path)

    def write(self, path: bytes, content: bytes, mode: int = 0o600) -> None:
        """Write a small file under a free name; by default for this user alone."""
        with open(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode), "wb") as file:
            file.write(content)

    def sync(self, path: bytes) -> None:
        """Flush a file, or the names in a folder, to the disk now."""
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

    @contextmanager
    def making(self, target: bytes) -> Iterator[bytes]:
        """Yield the name of an unfinished copy; see :func:`twinlens.core.files.unfinished_copies.unfinished_copy`."""
        with unfinished_copy(Path(os.fsdecode(target)), "moving a file") as part:
            yield os.fsencode(part)

    def clear(self, folder: bytes) -> None:
        """Remove unfinished copies of killed programs from a folder."""
        clear(Path(os.fsdecode(folder)))

    def put_into_system_trash(self, path: bytes) -> None:
        """Put a file into the trash of a system where only people can take it out."""
        from send2trash import send2trash

        send2trash(os.path.normpath(os.fsdecode(path)))


def _of(status: os.stat_result) -> FileStatus:
    return FileStatus(
        status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_mode
    )


def _rename_by_link(source: bytes, target: bytes) -> None:
    """Link a file under its new name before it loses the old one, which nobody else knows."""
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
        try:
            os.lstat(source)
        except FileNotFoundError:
            return  # a share may report a failure though the name has gone: then the new one is the only one
        os.unlink(target)
        raise


def _rename_over_own(source: bytes, target: bytes) -> None:
    """Rename where there are no links: an empty file takes the new name first, so that no other program can."""
    os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    try:
        os.replace(source, target)
    except OSError:
        os.unlink(target)
        raise


DISK = Disk()
"""The disks of this machine."""

ASIDE = b".twinlens-aside"
"""The ending of the name of a file that is set aside; the name begins with a dot, so folders do not show it."""


def content_of(path: bytes) -> bytes:
    """Return the SHA-256 of a file, by which a library knows contents.

    Raises
    ------
    OSError
        If it cannot be read.
    """
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").digest()


_LONGEST = 100  # bytes of a name that are repeated in a hidden one; some file systems have room for 143


def hidden_name(path: bytes, mark: str) -> bytes:
    """Return the name under which a file is set aside in its own folder.

    Parameters
    ----------
    path : bytes
        Full path.
    mark : str
        A secret of this program.

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
    """Move a file to a free name; its times stay.

    Parameters
    ----------
    source, target : bytes
        Full paths; the folder of the target is there.
    hidden : bytes
        The name beside the target under which a copy waits for the source to go.
    known : (FileStatus, bytes), optional
        The status and content of the file, if it has just been read.
    arrived : callable
        Called when the file is on its new disk and still has its old name or can get it back; raises OSError if it must
        not stay there.

    Raises
    ------
    OSError
        ``FileExistsError`` if something has that name. The source is then where and as it was, with a copy perhaps
        that is the hidden one, or has gone and is the hidden one.
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
    disk.sync(folder)
    arrived()
    disk.status(hidden)  # its disk may have been away while it was written: then it lies below the mount point
    disk.unlink_unchanged(source, before)
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
    """Move a file to its place, or if another file has that by now, beside it under a numbered name.

    Parameters
    ----------
    lies_at, place, hidden : bytes
        Full paths, as of :func:`move`.
    never : bytes, optional
        The target of an earlier move: the file does not get that name, since it would seem to have arrived.
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
            if not is_one_file(disk, lies_at, there):
                continue
            disk.unlink(lies_at)  # a rename in steps was cut off between them
        return there
    raise OSError(errno.EEXIST, "the folder has too many files of this name", place)


def is_one_file(disk: Disk, path: bytes, other: bytes) -> bool:
    """Return whether two paths are names of one file, as a rename in steps leaves it; OSError if nobody can see."""
    try:
        one, two = disk.status(path), disk.status(other)
    except FileNotFoundError:
        return False
    return one.is_file and one.file_number == two.file_number


def discard(disk: Disk, copy: bytes, original: bytes) -> bool:
    """Remove a hidden copy of a file that is at its place; return whether it was one and was removed.

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


_NO_SPACE = {errno.ENOSPC, errno.EDQUOT}


def why_not(error: OSError, place: bytes) -> TwinlensError:
    """Return the error of a file that the system does not move, with a next step.

    Parameters
    ----------
    place : bytes
        The target folder, or ``b""`` for the trash.
    """
    where = os.fsencode(place).decode("utf-8", "replace") or Message("the trash")
    if error.errno in _NO_SPACE:
        free = Message("Free some space there and do the same again.") if place else Message("Empty the trash.")
        return TwinlensError("There is no space for it left in {where}.", free, where=where)
    if error.errno == errno.EROFS:
        return TwinlensError("Its disk can only be read.", "Allow writing to the disk, or leave the file where it is.")
    if isinstance(error, PermissionError):
        return TwinlensError(
            "The system does not permit moving it: it is protected, or another program has it open.",
            "Close that program, or give yourself the right to change the file and its folder.",
        )
    if isinstance(error, FileNotFoundError):
        return TwinlensError("It is not there any more.", "Look through its folder again.")
    if isinstance(error, FileExistsError):
        return TwinlensError("Another file has its name in {where}.", where=where)
    if error.errno in (errno.EBUSY, getattr(errno, "ETXTBSY", errno.EBUSY)):
        return TwinlensError("Another program is using it.", "Close that program, then try again.")
    if error.errno == errno.ENAMETOOLONG:
        return TwinlensError("Its name is too long for {where}.", "Shorten its name.", where=where)
    return TwinlensError(
        "It cannot be moved to {where}: {why}.", NOTHING, where=where, why=error.strerror or str(error)
    )
