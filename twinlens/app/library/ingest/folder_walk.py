"""The walk through a folder: files in the order of their paths, and what is passed over."""

from __future__ import annotations

import errno
import fnmatch
import os
import re
import stat
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from twinlens.app.library import volumes
from twinlens.app.machine import preferences
from twinlens.core.errors import TwinlensError
from twinlens.core.files.untrusted_input import shown
from twinlens.core.message import Message
from twinlens.core.systems import system

EXCLUDES = (
    ".*",
    "@eaDir",
    "#recycle",
    "#snapshot",
    "$RECYCLE.BIN",
    "RECYCLER",
    "System Volume Information",
    "lost+found",
    "*.lrdata",
    "Thumbs.db",
    "ehthumbs*.db",
    "desktop.ini",
)
"""Names that are excluded by default: hidden files, trash, previews of other programs."""

SIDECAR_ENDINGS = (b".xmp", b".json", b".aae")
"""Endings of files that say something of a photograph beside them."""

_OWN = (".*.twinlens-aside", ".*.twinlens-part*")
"""Names that this program gives to files for a moment; they are always excluded."""

_TOO_LONG = (
    Message("The path is too long for this system."),
    Message("Shorten the names of the folders above it."),
)

_JUNCTION = getattr(stat, "IO_REPARSE_TAG_MOUNT_POINT", None)  # a link to a folder on Windows, which is_symlink denies


@dataclass(frozen=True)
class ScanScope:
    """How much of a folder is scanned.

    Attributes
    ----------
    root : bytes
        Folder below which patterns with a ``/`` are matched; empty for the scanned one.
    deep : bool
        Whether folders below it are scanned, too.
    rested : bool
        Whether files that were written to a moment ago are left for later.
    """

    root: bytes = b""
    deep: bool = True
    rested: bool = False

    def is_restless(self, mtime_ns: int) -> bool:
        """Return whether a file is to be left for later; a time in the future is another clock's."""
        return self.rested and 0 <= time.time_ns() - mtime_ns < REST_NS


REST_NS = 2_000_000_000
"""Nanoseconds after which a file that nobody has written to is taken for whole."""

WHOLE = ScanScope()


def walk(
    folder: bytes, excludes: tuple[str, ...] = EXCLUDES, scope: ScanScope = WHOLE
) -> Iterator[WalkedFile | RefusedPath]:
    """Go through a folder and all below it.

    Files come in the order of their paths' bytes, whatever order the file system keeps. Links to files are followed,
    links to folders are not, so no walk is endless. Virtual file systems such as /proc are passed over. A file that
    vanishes meanwhile is left out.

    Parameters
    ----------
    folder : bytes
        Where to begin; its own name is not matched against the patterns.
    excludes : tuple of str
        Patterns as in a shell, without regard to case. A pattern is matched against the name of each file and folder,
        or, if there is a ``/`` inside it, against the path below the folder. The patterns of the person's preferences
        hold, too.

    Raises
    ------
    TwinlensError
        If the folder itself is not there, is no folder or may not be read; at the first step of the iteration.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = pathlib.Path(folder, "b.jpg").write_bytes(b"...")
    ...     _ = pathlib.Path(folder, ".hidden").write_bytes(b"")
    ...     [(os.path.basename(found.path), found.size) for found in walk(os.fsencode(folder))]
    [(b'b.jpg', 3)]
    """
    is_excluded = _excluding(scope.root or folder, excludes)
    # One iterator for each open level, rather than recursion: each file is then yielded through one frame.
    levels = [iter(_entries_of_root(folder))]
    passed = volumes.virtual_points()
    while levels:
        for entry in levels[-1]:
            if is_excluded(entry):
                continue
            try:
                if entry.path in passed:
                    continue
                if entry.is_symlink() or not entry.is_dir(follow_symlinks=False):
                    outcome = _look(entry)
                    if outcome is not None:
                        yield outcome
                elif _is_junction(entry):
                    yield _refused_folder_link(entry.path)
                elif scope.deep:
                    levels.append(iter(_sorted_entries(entry.path)))
                    break
            except (FileNotFoundError, NotADirectoryError):
                if system.is_too_long(entry.path):
                    yield RefusedPath(entry.path, *_TOO_LONG, unseen=True)
                continue  # vanished since its folder was listed
            except OSError as error:
                reason, next_step = _explain(error, is_folder=True)
                yield RefusedPath(entry.path, reason, next_step, unseen=True)
        else:
            levels.pop()


def _excluding(root: bytes, excludes: tuple[str, ...]) -> Callable[[os.DirEntry[bytes]], bool]:
    """Return the test of an entry below a folder that was added."""
    return _matcher((*excludes, *_OWN, *preferences.load().patterns()), len(os.path.join(root, b"")))


def folders_below(folder: bytes, excludes: tuple[str, ...], root: bytes = b"") -> Iterator[bytes]:
    """Yield a folder and all below it that a walk would enter, the outer ones first; none that cannot be read."""
    is_excluded = _excluding(root or folder, excludes)
    passed = volumes.virtual_points()
    left = deque([folder])
    while left:
        present = left.popleft()
        yield present
        with suppress(OSError), os.scandir(present) as entries:
            for entry in entries:
                with suppress(OSError):
                    if (
                        entry.is_dir(follow_symlinks=False)
                        and entry.path not in passed
                        and not is_excluded(entry)
                        and not _is_junction(entry)
                    ):
                        left.append(entry.path)


def _matcher(excludes: tuple[str, ...], prefix_length: int) -> Callable[[os.DirEntry[bytes]], bool]:
    """Compile patterns into one test of an entry; ``prefix_length`` is that of the folder's path with separator."""
    patterns = [pattern.rstrip("/") for pattern in excludes]
    match_name = _any_of([pattern for pattern in patterns if "/" not in pattern])
    match_path = _any_of([pattern.lstrip("/") for pattern in patterns if "/" in pattern])
    decode = os.fsdecode

    def is_excluded(entry: os.DirEntry[bytes]) -> bool:
        if match_name is not None and match_name(decode(entry.name)):
            return True
        return match_path is not None and bool(match_path(decode(entry.path[prefix_length:]).replace(os.sep, "/")))

    return is_excluded


def _any_of(patterns: list[str]) -> Callable[[str], re.Match[str] | None] | None:
    wanted = [fnmatch.translate(pattern) for pattern in patterns if pattern]
    return re.compile("|".join(wanted), re.IGNORECASE).match if wanted else None


def _entries_of_root(folder: bytes) -> list[os.DirEntry[bytes]]:
    if volumes.is_virtual(folder):
        raise TwinlensError(
            "{folder} holds no photos: in it the system shows itself as files.",
            "Add the folder with your photos.",
            folder=os.fsdecode(folder),
        )
    try:
        return _sorted_entries(folder)
    except OSError as error:
        reason, next_step = _explain(error, is_folder=True)
        raise TwinlensError("{folder}: {reason}", next_step, folder=os.fsdecode(folder), reason=reason) from None


def _sorted_entries(folder: bytes) -> list[os.DirEntry[bytes]]:
    """List a folder so that the walk is in path order: below a folder all paths go on with the separator."""
    with os.scandir(folder) as entries:
        keyed = [(entry.name + b"/" if _is_folder(entry) else entry.name, entry) for entry in entries]
    keyed.sort(key=_first)
    return [entry for _, entry in keyed]


def _is_folder(entry: os.DirEntry[bytes]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except (
        OSError
    ):  # some file systems do not list the kind with the name; the walk meets the error again and reports it
        return False


def _first(pair: tuple[bytes, os.DirEntry[bytes]]) -> bytes:
    return pair[0]


def _explain(error: OSError, is_folder: bool) -> tuple[Message, Message]:
    """Return why the system refuses, as a sentence and a next step."""
    if isinstance(error, FileNotFoundError):
        gone = Message("The folder is not there.") if is_folder else Message("The file is not there.")
        return gone, Message("Check the spelling, or connect the disk that it is on.")
    if isinstance(error, NotADirectoryError):
        return Message("It is not a folder."), Message("Name a folder; its photos are added.")
    if isinstance(error, PermissionError):
        if is_folder:
            return Message("The folder may not be read: permission denied."), Message(
                "Give yourself the right to read the folder."
            )
        return Message("The file may not be read: permission denied."), Message(
            "Give yourself the right to read the file."
        )
    if error.errno == errno.ENAMETOOLONG:
        return _TOO_LONG
    why = error.strerror or str(error)
    unread = (
        Message("The folder cannot be read: {why}.", why=why)
        if is_folder
        else Message("The file cannot be read: {why}.", why=why)
    )
    return unread, Message("Check the disk and its connection.")


def _look(entry: os.DirEntry[bytes]) -> WalkedFile | RefusedPath | None:
    """Return the file or refusal of an entry that is no folder; None for sockets, devices and pipes."""
    try:
        status = entry.stat(follow_symlinks=False)
        if stat.S_ISLNK(status.st_mode):
            return _look_through_link(entry.path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        return RefusedPath(entry.path, *_explain(error, is_folder=False))
    if not stat.S_ISREG(status.st_mode):
        return None
    if status.st_ino == 0:  # Windows does not list device and inode
        status = os.stat(entry.path)
    return WalkedFile(entry.path, status.st_size, status.st_mtime_ns, status.st_dev, status.st_ino)


def _look_through_link(path: bytes) -> WalkedFile | RefusedPath | None:
    """Follow a link to the file it points to."""
    try:
        status = os.stat(path)
    except OSError as error:
        return RefusedPath(path, *_explain_link(path, error))
    if stat.S_ISDIR(status.st_mode):
        return _refused_folder_link(path)
    if not stat.S_ISREG(status.st_mode):
        return None
    return WalkedFile(path, status.st_size, status.st_mtime_ns, status.st_dev, status.st_ino)


def _explain_link(path: bytes, error: OSError) -> tuple[Message, Message]:
    if isinstance(error, FileNotFoundError):
        target = shown(os.path.realpath(path))
        return Message("It is a link to {target}, which is not there.", target=target), Message(
            "Remove the link, bring that file back, or connect its disk."
        )
    if isinstance(error, NotADirectoryError):
        return Message("It is a link through something that is no folder."), Message("Correct or remove the link.")
    if error.errno == errno.ELOOP:
        return Message("It is a link that leads back to itself."), Message("Remove the link.")
    return _explain(error, is_folder=False)


def _refused_folder_link(path: bytes) -> RefusedPath:
    target = shown(os.path.realpath(path))
    return RefusedPath(
        path,
        Message("It is a link to the folder {target}, which is not followed.", target=target),
        Message("Add that folder itself, if the library does not have its photos yet."),
    )


def _is_junction(entry: os.DirEntry[bytes]) -> bool:
    if _JUNCTION is None:
        return False
    return bool(getattr(entry.stat(follow_symlinks=False), "st_reparse_tag", 0) == _JUNCTION)


class WalkedFile(NamedTuple):
    """A regular file, or a link to one.

    Attributes
    ----------
    path : bytes
        The folder's path with the way down to the file.
    size : int
        Bytes.
    mtime_ns : int
        Time of the last change, nanoseconds since 1970.
    device, inode : int
        Equal for two names of one file; a link has those of the file it points to.
    """

    path: bytes
    size: int
    mtime_ns: int
    device: int
    inode: int


class RefusedPath(NamedTuple):
    """A file or folder that cannot be looked at, and why.

    Attributes
    ----------
    path : bytes
    unseen : bool
        True where the path is a folder whose files are not seen, though they may be there: a photograph known from
        below it is not to be taken for gone.
    """

    path: bytes
    reason: Message
    next_step: Message
    unseen: bool = False


def resolved_folder(folder: str | bytes | os.PathLike[str]) -> bytes:
    """Return the absolute path of a folder that a person named, with links resolved.

    Raises
    ------
    TwinlensError
        If there is no such folder.
    """
    path = volumes.full_path(folder)
    name = os.fsdecode(path)
    if not os.path.lexists(path):
        raise TwinlensError("There is no folder {name}.", "Check the spelling, or connect its disk.", name=name)
    if not os.path.isdir(path):
        raise TwinlensError("{name} is a file, not a folder.", "Add the folder that it lies in.", name=name)
    return path
