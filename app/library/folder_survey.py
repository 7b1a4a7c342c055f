"""Changes in a folder: its files compared with what the library knows of them.

Both come in the order of their paths, so they are merged like two sorted lists and nothing is looked up file by file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from app.library import volumes
from app.library.extraction import PICTURE_TYPES
from app.library.folder_walk import RefusedPath, WalkedFile, walk
from app.library.library import Library
from core.errors import TwinlensError
from core.message import Message
from core.progress import Progress, silent
from storage.database.schema import PhotographState
from storage.library.transaction import Transaction
from storage.photographs.photograph_rows import ChangedFile, KnownFile, NewFile
from storage.problems.problems import NewProblem

_TELL_EVERY = 500
_PICTURE_TYPES = "picture types"  # the setting: what could be told from a file that is no picture at the last look

F = TypeVar("F", KnownFile, NewFile)


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
    """

    found: int = 0
    new: list[NewFile] = field(default_factory=list)
    changed: list[ChangedFile] = field(default_factory=list)
    gone: list[int] = field(default_factory=list)
    back: list[int] = field(default_factory=list)
    refused: list[NewProblem] = field(default_factory=list)
    no_pictures: int = 0
    no_pictures_any_more: list[bytes] = field(default_factory=list)
    over: list[bytes] = field(default_factory=list)


@dataclass(frozen=True)
class _Place:
    """A folder, where it is now and on its volume; ``mount`` is where the volume is."""

    folder: bytes
    volume_id: int
    mount: bytes
    under: bytes


def survey_folder(
    library: Library, folder: bytes, excludes: tuple[str, ...], progress: Progress = silent
) -> FolderSurvey:
    """Walk a folder and register what is new, in path order and in one transaction.

    Parameters
    ----------
    library : Library
    folder : bytes
        Absolute path, links resolved.
    excludes : tuple of str
        Patterns as :func:`app.library.folder_walk.walk` takes them.
    progress : Progress

    Raises
    ------
    TwinlensError
        If the folder cannot be walked.
    Cancelled
        If progress says so; nothing is registered then.
    """
    volume, under = volumes.split_folder(folder)
    with library.store.writing("looking through a folder") as w:
        volume_id = w.volumes.seen(volume.identity, volume.label, volume.mount, anew=library.address.is_file)
        _look_again_at_passed_over(w)
    place = _Place(folder, volume_id, volume.mount, under)
    with library.store.reading() as r:
        result = _compare(r, place, excludes, progress)
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


def _look_again_at_passed_over(w: Transaction) -> None:
    """Forget which files are no pictures where they were passed over by a program that knew other types of them."""
    if w.settings.get(_PICTURE_TYPES) != list(PICTURE_TYPES):
        w.passed_over.clear()
        w.settings.put(_PICTURE_TYPES, list(PICTURE_TYPES))


def _cover(w: Transaction, volume_id: int, under: bytes, excludes: tuple[str, ...]) -> int:
    """Keep the list of folders free of folders inside others, and give the id of the one that covers this."""
    for row in w.folders.all():
        if row.volume_id == volume_id and row.path != under and _is_inside(under, row.path):
            return row.id
        if row.volume_id == volume_id and row.path != under and _is_inside(row.path, under):
            w.folders.remove(volume_id, row.path)
    return w.folders.add(volume_id, under, excludes)


def _is_inside(path: bytes, folder: bytes) -> bool:
    return not folder or path == folder or path.startswith(folder + b"/")


def _compare(r: Transaction, place: _Place, excludes: tuple[str, ...], progress: Progress) -> FolderSurvey:
    result = FolderSurvey()
    problems = r.problems.under(place.volume_id, place.under)
    known = _Merged(r.photographs.known(place.volume_id, place.under))
    passed = _Merged(r.passed_over.known(place.volume_id, place.under))
    unseen: list[bytes] = []
    gone: list[KnownFile] = []
    seen_problems: set[bytes] = set()
    for outcome in walk(place.folder, excludes):
        path = volumes.relative_to(outcome.path, place.mount)
        if isinstance(outcome, RefusedPath):
            seen_problems.add(path)
            result.refused.append(NewProblem(place.volume_id, path, outcome.reason, outcome.next_step))
            if outcome.unseen:
                unseen.append(path)
            continue
        result.found += 1
        if result.found % _TELL_EVERY == 0:
            progress(0, 0, Message("looking through folders: {found} files", found=result.found))
        gone.extend(known.before(path))
        result.no_pictures_any_more.extend(file.path for file in passed.before(path))
        _sort_in(result, known.at(path), passed.at(path), NewFile(path, outcome.size, outcome.mtime_ns), outcome)
    gone.extend(known.rest())
    result.no_pictures_any_more.extend(file.path for file in passed.rest())
    result.gone = [
        file.id
        for file in gone
        if file.state is not PhotographState.MISSING and not any(_is_inside(file.path, one) for one in unseen)
    ]
    # A problem of a place, not of a photograph, is over when the walk does not meet it again.
    result.over = [path for path, row in problems.items() if row.photograph_id is None and path not in seen_problems]
    return result


def _sort_in(
    result: FolderSurvey, known: KnownFile | None, passed: NewFile | None, file: NewFile, found: WalkedFile
) -> None:
    """Decide what one file is: new, changed, back, no picture, or as it was."""
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


class _Merged(Generic[F]):
    """Files in path order, taken as far as another list in path order has come."""

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
        raise TwinlensError(
            Message("There is no folder {name}.", name=name), Message("Check the spelling, or connect its disk.")
        )
    if not os.path.isdir(path):
        raise TwinlensError(
            Message("{name} is a file, not a folder.", name=name), Message("Add the folder that it lies in.")
        )
    return path
