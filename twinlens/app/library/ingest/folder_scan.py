"""The scan of a folder: its regular files, in the order of their paths, compared with what the library knows.

:func:`walk` yields the files, :func:`survey_folder` merges them with the library's rows, which come in the same order,
and registers what is new, changed, gone or back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from twinlens.app.library import volumes
from twinlens.app.library.ingest.folder_walk import SIDECAR_ENDINGS, WHOLE, RefusedPath, ScanScope, WalkedFile, walk
from twinlens.app.library.library import Library
from twinlens.app.library.workers.extraction import PICTURE_TYPES
from twinlens.core.message import Message
from twinlens.core.progress import Progress, silent
from twinlens.storage.database.values import PhotographState
from twinlens.storage.library.store import Transaction
from twinlens.storage.photographs.photographs import ChangedFile, KnownFile, NewFile
from twinlens.storage.photographs.problems import NewProblem


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
        if file.state is not PhotographState.MISSING and not any(volumes.is_in(file.path, one) for one in unseen)
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


def _cover(w: Transaction, volume_id: int, under: bytes, excludes: tuple[str, ...]) -> int:
    """Keep the list of folders free of folders inside others, and return the id of the one that covers this."""
    for row in w.folders.all():
        if row.volume_id == volume_id and row.path != under and volumes.is_in(under, row.path):
            return row.id
        if row.volume_id == volume_id and row.path != under and volumes.is_in(row.path, under):
            w.folders.remove(volume_id, row.path)
    return w.folders.add(volume_id, under, excludes)
