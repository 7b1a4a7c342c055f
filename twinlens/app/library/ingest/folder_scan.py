"""The scan of a folder: its regular files, in the order of their paths, compared with what the library knows.

:func:`walk` yields the files, :func:`survey_folder` merges them with the library's rows, which come in the same order,
and registers what is new, changed, gone or back.
"""

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
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, TypeVar

from twinlens.app.library import volumes
from twinlens.app.library.library import Library
from twinlens.app.library.workers.extraction import PICTURE_TYPES
from twinlens.app.machine import preferences
from twinlens.core.errors import TwinlensError
from twinlens.core.message import Message
from twinlens.core.progress import Progress, silent
from twinlens.core.systems import system
from twinlens.storage.database.schema import PhotographState
from twinlens.storage.library.store import Transaction
from twinlens.storage.photographs.photographs import ChangedFile, KnownFile, NewFile
from twinlens.storage.photographs.problems import NewProblem

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


@dataclass
class FolderSurvey:
    """The result of one walk through a folder.

    Attributes
    ----------
    found : int
        Regular files seen.
    new, changed : list
        To be registered, in path order; to be read again.
    gone, back : list of int
        Photographs whose files have vanished, or are there again.
    restless : int
        Files that were left for later, since somebody writes to them.
    sidecars : list of NewFile
        The files whose names end as those of notes beside photographs do.
    """

    found: int = 0
    new: list[NewFile] = field(default_factory=list)
    changed: list[ChangedFile] = field(default_factory=list)
    gone: list[int] = field(default_factory=list)
    back: list[int] = field(default_factory=list)
    refused: list[NewProblem] = field(default_factory=list)
    restless: int = 0
    no_pictures: int = 0
    no_pictures_any_more: list[bytes] = field(default_factory=list)
    over: list[bytes] = field(default_factory=list)
    sidecars: list[NewFile] = field(default_factory=list)


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


def survey_folder(
    library: Library,
    folder: bytes,
    excludes: tuple[str, ...],
    progress: Progress = silent,
    scope: ScanScope = WHOLE,
) -> FolderSurvey:
    """Walk a folder and register what is new, in path order and in one transaction.

    Parameters
    ----------
    folder : bytes
        Absolute path, links resolved.
    excludes : tuple of str
        Patterns as :func:`twinlens.app.library.ingest.folder_scan.walk` takes them.

    Raises
    ------
    TwinlensError
        If the folder cannot be walked.
    """
    volume, under = volumes.split_folder(folder)
    with library.store.writing("looking through a folder") as w:
        volume_id = w.volumes.seen(volume.identity, volume.label, volume.mount, anew=library.address.is_file)
        _look_again_at_passed_over(w)
    place = _Place(folder, volume_id, volume.mount, under)
    with library.store.reading() as r:
        result = _compare(r, place, excludes, progress, scope)
    with library.store.writing("registering photographs") as w:
        folder_id = _cover(w, volume_id, under, excludes)
        w.photographs.register(volume_id, folder_id, result.new)
        w.photographs.mark_changed(result.changed)
        w.photographs.mark_missing(result.gone)
        w.photographs.mark_present(result.back)
        w.passed_over.remove(volume_id, result.no_pictures_any_more)
        w.problems.clear(volume_id, result.over)
        w.problems.add(result.refused)
    return result


_PICTURE_TYPES = (
    "picture types"  # setting: the types that could be told from files that are no pictures at the last scan
)


def _look_again_at_passed_over(w: Transaction) -> None:
    """Read files again that were no pictures, or unreadable ones, to a program that knew other types."""
    if w.settings.get(_PICTURE_TYPES) != list(PICTURE_TYPES):
        w.passed_over.clear()
        w.problems.retry()
        w.settings.put(_PICTURE_TYPES, list(PICTURE_TYPES))


@dataclass(frozen=True)
class _Place:
    """A folder with its path now, its volume and mount point, and its path on the volume."""

    folder: bytes
    volume_id: int
    mount: bytes
    under: bytes


_TELL_EVERY = 500


def differs(
    r: Transaction, library: Library, folder: bytes, excludes: tuple[str, ...], scope: ScanScope
) -> FolderSurvey:
    """Compare a folder with the library, and register nothing."""
    volume, under = volumes.split_folder(folder)
    known = library.place(r, folder)
    if known is None:
        return FolderSurvey()
    found = _compare(r, _Place(folder, known[0], volume.mount, under), excludes, silent, scope)
    problems = r.problems.under(known[0], under)
    found.refused = [one for one in found.refused if one.path not in problems]
    return found


def _compare(
    r: Transaction, place: _Place, excludes: tuple[str, ...], progress: Progress, scope: ScanScope
) -> FolderSurvey:
    result = FolderSurvey()
    first = len(place.under) + bool(place.under)

    def is_here(path: bytes) -> bool:
        return scope.deep or b"/" not in path[first:]

    problems = {path: row for path, row in r.problems.under(place.volume_id, place.under).items() if is_here(path)}
    known = _Merged(one for one in r.photographs.known(place.volume_id, place.under) if is_here(one.path))
    passed = _Merged(one for one in r.passed_over.known(place.volume_id, place.under) if is_here(one.path))
    unseen: list[bytes] = []
    gone: list[KnownFile] = []
    seen_problems: set[bytes] = set()
    for outcome in walk(place.folder, excludes, scope):
        path = volumes.relative_to(outcome.path, place.mount)
        if isinstance(outcome, RefusedPath):
            seen_problems.add(path)
            result.refused.append(NewProblem(place.volume_id, path, outcome.reason, outcome.next_step))
            if outcome.unseen:
                unseen.append(path)
            continue
        result.found += 1
        if path.lower().endswith(SIDECAR_ENDINGS):
            result.sidecars.append(NewFile(path, outcome.size, outcome.mtime_ns))
        if result.found % _TELL_EVERY == 0:
            progress(0, 0, Message("looking through folders: {found} files", found=result.found))
        gone.extend(known.before(path))
        result.no_pictures_any_more.extend(file.path for file in passed.before(path))
        before, passed_before = known.at(path), passed.at(path)
        if scope.is_restless(outcome.mtime_ns) and not _is_as_before(before or passed_before, outcome):
            result.restless += 1
            continue
        _sort_in(result, before, passed_before, NewFile(path, outcome.size, outcome.mtime_ns), outcome)
    gone.extend(known.rest())
    result.no_pictures_any_more.extend(file.path for file in passed.rest())
    result.gone = [
        file.id
        for file in gone
        if file.state is not PhotographState.MISSING and not any(_is_inside(file.path, one) for one in unseen)
    ]
    # A problem of a path, not of a photograph, is solved when the walk does not meet it again.
    result.over = [path for path, row in problems.items() if row.photograph_id is None and path not in seen_problems]
    return result


def _is_as_before(before: KnownFile | NewFile | None, found: WalkedFile) -> bool:
    return before is not None and (before.size, before.mtime_ns) == (found.size, found.mtime_ns)


F = TypeVar("F", KnownFile, NewFile)


class _Merged(Generic[F]):
    """Files in path order, consumed in step with another list in path order (a merge)."""

    def __init__(self, files: Iterator[F]) -> None:
        self._files: Iterator[F] = files
        self._next: F | None = next(files, None)

    def before(self, path: bytes) -> list[F]:
        """Return the files that come before a path."""
        taken: list[F] = []
        while self._next is not None and self._next.path < path:
            taken.append(self._next)
            self._next = next(self._files, None)
        return taken

    def at(self, path: bytes) -> F | None:
        """Return the file at a path, if it is there."""
        if self._next is None or self._next.path != path:
            return None
        taken, self._next = self._next, next(self._files, None)
        return taken

    def rest(self) -> list[F]:
        """Return all remaining files."""
        taken: list[F] = [] if self._next is None else [self._next]
        taken.extend(self._files)
        self._next = None
        return taken


def _sort_in(
    result: FolderSurvey, known: KnownFile | None, passed: NewFile | None, file: NewFile, found: WalkedFile
) -> None:
    """Add one file to the survey: as new, changed, back, no picture, or not at all if it is as before."""
    if known is not None:
        if (known.size, known.mtime_ns) != (found.size, found.mtime_ns):
            result.changed.append(ChangedFile(known.id, found.size, found.mtime_ns))
        elif known.state is PhotographState.MISSING:
            result.back.append(known.id)
    elif passed is not None and (passed.size, passed.mtime_ns) == (found.size, found.mtime_ns):
        result.no_pictures += 1
    else:
        if passed is not None:
            result.no_pictures_any_more.append(file.path)
        result.new.append(file)


def _is_inside(path: bytes, folder: bytes) -> bool:
    return not folder or path == folder or path.startswith(folder + b"/")


def _cover(w: Transaction, volume_id: int, under: bytes, excludes: tuple[str, ...]) -> int:
    """Keep the list of folders free of folders inside others, and return the id of the one that covers this."""
    for row in w.folders.all():
        if row.volume_id == volume_id and row.path != under and _is_inside(under, row.path):
            return row.id
        if row.volume_id == volume_id and row.path != under and _is_inside(row.path, under):
            w.folders.remove(volume_id, row.path)
    return w.folders.add(volume_id, under, excludes)


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
        return RefusedPath(path, *_explain_link(error))
    if stat.S_ISDIR(status.st_mode):
        return _refused_folder_link(path)
    if not stat.S_ISREG(status.st_mode):
        return None
    return WalkedFile(path, status.st_size, status.st_mtime_ns, status.st_dev, status.st_ino)


def _explain_link(error: OSError) -> tuple[Message, Message]:
    if isinstance(error, FileNotFoundError):
        return Message("It is a link to a file that is not there."), Message("Remove the link or bring its file back.")
    if isinstance(error, NotADirectoryError):
        return Message("It is a link through something that is no folder."), Message("Correct or remove the link.")
    if error.errno == errno.ELOOP:
        return Message("It is a link that leads back to itself."), Message("Remove the link.")
    return _explain(error, is_folder=False)


def _refused_folder_link(path: bytes) -> RefusedPath:
    return RefusedPath(
        path, Message("It is a link to a folder, which is not followed."), Message("Add that folder itself.")
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
