"""Watched folders: which folders of a library to watch, and what to do about those that changed."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from twinlens.app.library import volumes
from twinlens.app.library.ingest.adding import AddingRound, FolderToAdd, sparing_battery, take_in
from twinlens.app.library.ingest.folder_scan import differs
from twinlens.app.library.ingest.folder_walk import ScanScope, folders_below
from twinlens.app.library.ingest.ingest import LATER, chosen_machines
from twinlens.app.library.ingest.sidecar_scan import sidecars_differ
from twinlens.app.library.library import Library
from twinlens.app.library.library_results import AddResult
from twinlens.core.errors import Cancelled, TwinlensError
from twinlens.core.message import NOTHING, Message
from twinlens.core.progress import Progress, silent
from twinlens.storage.photographs.volumes import FolderRow


class FolderOfLibrary(NamedTuple):
    """A folder of a library, added by itself or below one that was, on a disk that is there."""

    path: bytes
    row: FolderRow
    root: bytes

    @property
    def on_its_volume(self) -> FolderRow:
        """Return the folder as if it had been added by itself."""
        below = volumes.relative_to(self.path, self.root)
        return replace(self.row, path=volumes.joined(self.row.path, below))


def folders_to_watch(library: Library, below: Sequence[bytes] = ()) -> Iterator[FolderOfLibrary]:
    """Yield every folder of a library whose disk is there, or those in some of its folders."""
    for root in _present_roots(library):
        for start in below or (root.path,):
            if volumes.is_in(start, root.path):
                for path in folders_below(start, root.row.excludes, root.path):
                    yield root._replace(path=path)


def _present_roots(library: Library) -> list[FolderOfLibrary]:
    with library.store.reading() as r:
        rows, known = r.folders.all(), library.volumes(r)
    there = [row for row in rows if volumes.is_present(known[row.volume_id])]
    places = [volumes.locate(known[row.volume_id], row.path) for row in there]
    return [FolderOfLibrary(path, row, path) for path, row in zip(places, there, strict=True)]


def changed_folders(library: Library, folders: Mapping[bytes, bool]) -> tuple[dict[bytes, bool], set[bytes], int]:
    """Compare some folders with the library, and change nothing.

    Parameters
    ----------
    folders : mapping of bytes to bool
        Paths, and whether what is below them is compared, too.

    Returns
    -------
    dict, set, int
        Those that differ; those in which somebody writes to a file just now; and how many files are to be read.
    """
    other: dict[bytes, bool] = {}
    files = 0
    restless: set[bytes] = set()
    for one in _known_ones(library, folders):
        if not os.path.isdir(one.path):
            other[one.path] = True
            continue
        scope = ScanScope(one.root, folders[one.path], rested=True)
        with library.store.reading() as r, contextlib.suppress(TwinlensError):
            seen = differs(r, library, one.path, one.row.excludes, scope)
            files += len(seen.new) + len(seen.changed)
            place = library.place(r, one.path)
            if place is not None and sidecars_differ(r, place, seen.sidecars, scope.deep):
                other[one.path] = scope.deep
            if seen.new or seen.changed or seen.gone or seen.back or seen.refused or seen.no_pictures_any_more:
                other[one.path] = folders[one.path]
            if seen.restless:
                restless.add(one.path)
    return other, restless, files


def _known_ones(library: Library, folders: Iterable[bytes]) -> list[FolderOfLibrary]:
    """Return those of some folders that are in the library, and whose disk is there."""
    roots = _present_roots(library)
    found = [(path, next((one for one in roots if volumes.is_in(path, one.path)), None)) for path in folders]
    return [root._replace(path=path) for path, root in found if root is not None]


def look_again(
    library: Library,
    folders: Mapping[bytes, bool],
    progress: Progress = silent,
    more_waits: Callable[[], bool] = lambda: False,
    workers: int | None = None,
) -> AddResult:
    """Look for changes in some folders, as a rescan does in all; files that are being written are left for later.

    Parameters
    ----------
    folders : mapping of bytes to bool
        Paths, and whether what is below them is looked at, too.
    workers : int, optional
        Processes that read: for a few photographs one is there sooner than several.
    more_waits : callable
        Whether other folders have changed meanwhile: what photographs do not need in order to be seen is then left to
        the next look.
    """

    def yielding(done: float, total: float, text: Message = NOTHING) -> None:
        progress(done, total, text)
        if text.template in LATER and more_waits():
            raise Cancelled

    present, vanished = [], []
    for one in _known_ones(library, folders):
        if os.path.isdir(one.path):
            scope = ScanScope(one.root, folders[one.path], rested=True)
            present.append(FolderToAdd(one.path, one.row.excludes, scope))
        else:
            vanished.append(one.on_its_volume)
    with chosen_machines(library, workers) as chosen:
        result = take_in(library, AddingRound(present, vanished=vanished), sparing_battery(yielding, None), chosen)
    return result.model_copy(update={"cancelled": result.cancelled and not more_waits()})
