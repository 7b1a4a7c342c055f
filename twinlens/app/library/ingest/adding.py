"""Adding photographs to a library, rescanning its folders, reading problems again, and forgetting folders.

A folder is scanned, its new and changed photographs are read once and kept in batches, and then the indexes learn. A
folder can be forgotten so that it can come back: until the window closes, everything known of it is kept aside.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from twinlens.app.indexes.encoders import bring_indexes_up_to_date, to_learn_from
from twinlens.app.indexes.fitted_models import fits, make_kinds, usable_indexes
from twinlens.app.library import volumes
from twinlens.app.library.ingest.batches import IngestCounts, date_undated
from twinlens.app.library.ingest.folder_scan import (
    EXCLUDES,
    WHOLE,
    FolderSurvey,
    ScanScope,
    differs,
    folders_below,
    resolved_folder,
    survey_folder,
)
from twinlens.app.library.ingest.ingest import LATER, chosen_machines, count_waiting, read_photographs
from twinlens.app.library.ingest.sidecar_scan import read_sidecars, sidecars_differ
from twinlens.app.library.library import Library
from twinlens.app.library.library_results import AddResult, ForgetResult, ProblemsResult
from twinlens.app.library.workers.capacity import fitting_seconds, reading_cost
from twinlens.app.library.workers.readers import Machines
from twinlens.app.machine import app_folders, preferences
from twinlens.app.machine.background_work import BatteryPause
from twinlens.core.errors import Cancelled, Remedy, TwinlensError
from twinlens.core.files.untrusted_input import shown
from twinlens.core.message import NOTHING, Message
from twinlens.core.progress import Progress, part, silent
from twinlens.core.systems.volume import Volume
from twinlens.features.keypoints.keypoints import KEYPOINTS_VERSION
from twinlens.storage.database.schema import PhotographState
from twinlens.storage.integrity.mending import remove_damaged
from twinlens.storage.library.store import Transaction
from twinlens.storage.photographs.photographs import ChangedFile
from twinlens.storage.photographs.problems import ProblemRow
from twinlens.storage.photographs.volumes import FolderRow
from twinlens.storage.sqlite import forgotten_folders
from twinlens.storage.sqlite.place import beside

if TYPE_CHECKING:
    from twinlens.app.library.cluster.cluster import Cluster


@dataclass(frozen=True)
class Adding:
    """Options of adding folders.

    Attributes
    ----------
    excludes : sequence of str
        Patterns to pass over, besides the usual ones; remembered with the folder.
    workers : int, optional
        Processes that read; by default one a core.
    pause_on_battery : bool, optional
        Whether the work rests while the computer runs on its battery; by default as the person prefers.
    cluster : Cluster, optional
        Cluster that reads instead of processes of this machine.
    """

    excludes: Sequence[str] = ()
    workers: int | None = None
    pause_on_battery: bool | None = None
    cluster: Cluster | None = None


def add(
    library: Library,
    folders: Sequence[Path],
    options: Adding = Adding(),
    progress: Progress = silent,
) -> AddResult:
    """Add folders, or scan folders again that were added: only new and changed files are read.

    Parameters
    ----------
    progress : Progress
        When it raises ``Cancelled``, everything done so far is kept, and the result says so.

    Raises
    ------
    TwinlensError
        If a folder is not there, or another program adds photographs to this library now.
    """
    paths = [resolved_folder(folder) for folder in folders]
    with library.store.reading() as r:
        kept = {volumes.locate(library.volumes(r)[row.volume_id], row.path): row for row in r.folders.all()}
    wanted = [_Folder(path, _patterns(kept, path, tuple(options.excludes))) for path in paths]
    with chosen_machines(library, options.workers, options.cluster) as chosen:
        return _take_in(library, _Round(wanted), _sparing(progress, options.pause_on_battery), chosen)


@dataclass(frozen=True)
class _Folder:
    """A folder to scan."""

    path: bytes
    excludes: tuple[str, ...]
    scope: ScanScope = WHOLE


def _patterns(kept: dict[bytes, FolderRow], path: bytes, more: tuple[str, ...]) -> tuple[str, ...]:
    """Return the patterns of a folder: those it was added with, or that a folder around it has, and the new ones."""
    covering = [row for place, row in kept.items() if path == place or path.startswith(place.rstrip(b"/") + b"/")]
    old = covering[0].excludes if covering else EXCLUDES
    return (*old, *(pattern for pattern in more if pattern not in old))


def _take_in(library: Library, wanted: _Round, progress: Progress, by: Machines) -> AddResult:
    started = time.perf_counter()
    seen, intake, cancelled = FolderSurvey(), IngestCounts(), False
    with library.store.adding():
        try:
            for row in wanted.vanished:
                seen = _sum(seen, _vanished(library, row))
            for folder in wanted.folders:
                surveyed = survey_folder(library, folder.path, folder.excludes, progress, folder.scope)
                read_sidecars(library, folder.path, surveyed.sidecars, progress, folder.scope.deep)
                seen = _sum(seen, surveyed)
            if wanted.verify:
                remove_damaged(library.store, fits, part(progress, 0.0, 0.0))
            _read_and_learn(library, progress, by, intake)
        except Cancelled:
            cancelled = True
    with library.store.reading() as r:
        pending, to_prepare = (
            r.photographs.counts()[PhotographState.PENDING],
            len(r.keypoints.lacking(KEYPOINTS_VERSION)),
        )
    unreadable = _unreadable(library, wanted.folders)
    return AddResult(
        found=seen.found + len(seen.refused) - seen.no_pictures - intake.passed_over - unreadable,
        added=intake.added,
        changed=intake.changed,
        moved=len(intake.moved),
        removed=len(set(seen.gone) - intake.moved),
        problems=intake.problems + len(seen.refused),
        passed_over=seen.no_pictures + intake.passed_over,
        seconds=time.perf_counter() - started,
        photographs_per_second=intake.rate(),
        cancelled=cancelled,
        pending=pending,
        to_prepare=to_prepare,
        not_used=list(by.not_used.values()),
        read_here=by.read_here,
        offline=list(wanted.offline),
    )


@dataclass(frozen=True)
class _Round:
    """Folders to scan, those whose disk is away, and those that are gone."""

    folders: Sequence[_Folder]
    offline: Sequence[str] = ()
    vanished: Sequence[FolderRow] = ()
    verify: bool = False


def _sum(one: FolderSurvey, other: FolderSurvey) -> FolderSurvey:
    """Add the counts of two surveys; their files are registered already."""
    return replace(
        other,
        found=one.found + other.found,
        gone=one.gone + other.gone,
        refused=one.refused + other.refused,
        no_pictures=one.no_pictures + other.no_pictures,
    )


def _vanished(library: Library, row: FolderRow) -> FolderSurvey:
    """Mark the photographs of a folder that is gone from a disk that is there."""
    with library.store.writing("looking through a folder") as w:
        gone = [
            file.id
            for file in w.photographs.known(row.volume_id, row.path)
            if file.state is not PhotographState.MISSING
        ]
        w.photographs.mark_missing(gone)
    return FolderSurvey(gone=gone)


def _read_and_learn(library: Library, progress: Progress, by: Machines, intake: IngestCounts) -> None:
    """Read photographs that wait, then let the indexes learn; progress is shared by the estimated times."""
    date_undated(library)
    make_kinds(library)
    with library.store.reading() as r:
        waiting = count_waiting(r)
        reading, _ = reading_cost(r, waiting, by.count)
        learning = fitting_seconds(r, to_learn_from(r, r.photographs.counts()[PhotographState.PENDING]))
        # Vocabularies are learned from photographs that were read, and let these be read once more.
        twice = any(index.kind_id is None for index in usable_indexes(r))
    read = reading * (1 + twice)
    whole = max(read + learning, 1e-9)
    first, both = reading / whole, read / whole
    read_photographs(library, part(progress, 0.0, first), by, intake)
    if make_kinds(library, part(progress, first, first)):
        read_photographs(library, part(progress, first, both), by)
    learn = part(progress, both, 1.0)

    def preparing(done: float, total: float, _text: Message = NOTHING) -> None:
        learn(done, total, _PREPARING)

    bring_indexes_up_to_date(library, preparing)


_PREPARING = Message("Preparing the search")  # how, is no matter of somebody who adds photographs


def _unreadable(library: Library, folders: Sequence[_Folder]) -> int:
    """Count the files in some folders that could not be read, now or before: they may be no pictures."""
    with library.store.reading() as r:
        places = {library.place(r, folder.path) for folder in folders}
        return len({key for place in places if place is not None for key in r.problems.under(*place)})


def _sparing(progress: Progress, pause_on_battery: bool | None) -> Progress:
    wanted = preferences.load().pause_on_battery if pause_on_battery is None else pause_on_battery
    return BatteryPause(progress) if wanted else progress


def rescan(
    library: Library,
    progress: Progress = silent,
    workers: int | None = None,
    pause_on_battery: bool | None = None,
    verify: bool = True,
    cluster: Cluster | None = None,
) -> AddResult:
    """Look for changes in every connected folder, and continue what was interrupted; see :func:`add`.

    With ``verify``, every stored vector and keypoint is verified, too, and photographs of damaged ones are read again.
    """
    with library.store.reading() as r:
        rows, known = r.folders.all(), library.volumes(r)
    if not rows:
        raise TwinlensError("This library has no folder yet.", Remedy("add folder"))
    present, offline, vanished = [], [], []
    for row in rows:
        path = volumes.locate(known[row.volume_id], row.path)
        if not volumes.is_present(known[row.volume_id]):
            offline.append(shown(path))
        elif os.path.isdir(path):
            present.append(_Folder(path, row.excludes))
        else:
            vanished.append(row)
    wanted = _Round(present, offline, vanished, verify)
    with chosen_machines(library, workers, cluster) as chosen:
        return _take_in(library, wanted, _sparing(progress, pause_on_battery), chosen)


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
            if start == root.path or _is_in(start, root.path):
                for path in folders_below(start, root.row.excludes, root.path):
                    yield root._replace(path=path)


def _present_roots(library: Library) -> list[FolderOfLibrary]:
    with library.store.reading() as r:
        rows, known = r.folders.all(), library.volumes(r)
    there = [row for row in rows if volumes.is_present(known[row.volume_id])]
    places = [volumes.locate(known[row.volume_id], row.path) for row in there]
    return [FolderOfLibrary(path, row, path) for path, row in zip(places, there, strict=True)]


def _is_in(path: bytes, folder: bytes) -> bool:
    return path.startswith(folder.rstrip(b"/") + b"/")


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
    found = [
        (path, next((one for one in roots if path == one.path or _is_in(path, one.path)), None)) for path in folders
    ]
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
            present.append(_Folder(one.path, one.row.excludes, scope))
        else:
            vanished.append(one.on_its_volume)
    with chosen_machines(library, workers) as chosen:
        result = _take_in(library, _Round(present, vanished=vanished), _sparing(yielding, None), chosen)
    return result.model_copy(update={"cancelled": result.cancelled and not more_waits()})


def retry_problems(
    library: Library, progress: Progress = silent, workers: int | None = None, cluster: Cluster | None = None
) -> ProblemsResult:
    """Read the unreadable files again, and return the problems that are left."""
    with library.store.adding(), chosen_machines(library, workers, cluster) as chosen:
        with library.store.writing("retrying problems") as w:
            waiting = w.problems.retry()
        intake = IngestCounts()
        _read_and_learn(library, progress, chosen, intake)
    return library.problems().model_copy(update={"retried": len(waiting), "mended": len(waiting) - intake.problems})


def retry(library: Library, paths: Collection[str] | None = None, progress: Progress = silent) -> ProblemsResult:
    """Read unreadable files again: those at some paths, or all that are not set aside.

    Parameters
    ----------
    paths : collection of str, optional
        As :class:`twinlens.app.library.library_results.Problem` shows them.

    Returns
    -------
    ProblemsResult
        The problems that are left, and how many were tried and are mended.

    Raises
    ------
    TwinlensError
        If there is no problem at one of the paths, or another program adds photographs now.
    """
    with library.store.reading() as r:
        rows = r.problems.all() if paths is None else _at(library, r, set(paths))
        known = library.volumes(r)
        covering = [
            (folder.volume_id, folder.path)
            for folder in r.folders.all()
            if any(_is_place_in(row, folder.volume_id, folder.path) for row in rows)
        ]
    with library.store.adding("retrying problems"):
        with library.store.writing("retrying problems") as w:
            w.problems.retry([row.id for row in rows])
            w.photographs.mark_changed(list(_as_they_are_now(rows, known)))
        make_kinds(library)
        read_photographs(library, part(progress, 0.0, 0.5))
        bring_indexes_up_to_date(library, part(progress, 0.5, 0.6))
    # What is no photograph yet, as a link to nowhere or a folder that may not be entered, is met by a walk again.
    places = [os.fsdecode(volumes.locate(known[volume_id], path)) for volume_id, path in covering]
    there = [Path(place) for place in places if os.path.isdir(place)]
    if there and add(library, there, progress=part(progress, 0.6, 1.0)).cancelled:
        raise Cancelled
    left = library.problems()
    with library.store.reading() as r:
        still = {row.id for row in r.problems.all(None)}
    mended = sum(row.id not in still for row in rows)
    return left.model_copy(update={"retried": len(rows), "mended": mended})


def _at(library: Library, r: Transaction, paths: set[str]) -> list[ProblemRow]:
    known = library.volumes(r)
    found = {shown(volumes.locate(known[row.volume_id], row.path)): row for row in r.problems.all(None)}
    for path in paths:
        if path not in found:
            raise TwinlensError(
                "There is no problem with {path} any more.", "The list has changed: look again.", path=path
            )
    return [found[path] for path in paths]


def _is_place_in(row: ProblemRow, volume_id: int, folder: bytes) -> bool:
    inside = not folder or row.path == folder or row.path.startswith(folder + b"/")
    return row.photograph_id is None and row.volume_id == volume_id and inside


def _as_they_are_now(rows: list[ProblemRow], known: dict[int, Volume]) -> Iterator[ChangedFile]:
    """Yield the present sizes and times of files, which change when a person mends a file."""
    for row in rows:
        with contextlib.suppress(OSError):
            status = os.stat(volumes.locate(known[row.volume_id], row.path))
            if row.photograph_id is not None:
                yield ChangedFile(row.photograph_id, status.st_size, status.st_mtime_ns)


def ignore_problem(library: Library, path: str, ignored: bool = True) -> ProblemsResult:
    """Set a problem aside until its file changes, or take it back.

    Parameters
    ----------
    path : str
        As :class:`twinlens.app.library.library_results.Problem` shows it.

    Returns
    -------
    ProblemsResult
        The problems that are left.

    Raises
    ------
    TwinlensError
        If there is no problem at this path.
    """
    with library.store.writing("setting a problem aside") as w:
        w.problems.ignore([row.id for row in _at(library, w, {path})], ignored)
    return library.problems()


def forget(library: Library, folder: Path) -> ForgetResult:
    """Remove a folder from the library for good; its files are not touched.

    Raises
    ------
    TwinlensError
        If the library has nothing of it.
    """
    with library.store.writing("forgetting a folder") as w:
        photographs = remove_folder(w, *find_folder(library, w, folder))
    library.store.compact()
    return ForgetResult(folder=shown(volumes.full_path(folder)), photographs=photographs)


def forget_for_now(library: Library, folder: Path) -> ForgottenFolder:
    """Remove a folder from the library so that it can come back; its files are not touched.

    Raises
    ------
    TwinlensError
        If the library has nothing of it, or there is no room to keep it aside.
    """
    with library.store.writing("forgetting a folder") as w:
        place = find_folder(library, w, folder)
        one = forgotten_folders.set_aside(_aside(library), w, *place)
        remove_folder(w, *place)
    return ForgottenFolder(one.number, shown(volumes.full_path(folder)), one.photographs)


def _aside(library: Library) -> Path:
    """Return the file of forgotten folders: beside a library that is a file, otherwise on this machine."""
    if library.address.is_file:
        return beside(library.address.path, "forgotten")
    return app_folders.data_folder() / f"{library.store.id}-forgotten"


@dataclass(frozen=True)
class ForgottenFolder:
    """A forgotten folder that can come back.

    Attributes
    ----------
    number : int
        Its own; the larger the later.
    folder : str
        For people.
    photographs : int
        How many it had.
    """

    number: int
    folder: str
    photographs: int


def forgotten(library: Library) -> list[ForgottenFolder]:
    """List the folders that can come back, in the order in which they were forgotten."""
    with library.store.reading() as r:
        known = library.volumes(r)
        return [
            ForgottenFolder(one.number, shown(volumes.locate(known[one.volume_id], one.under)), one.photographs)
            for one in forgotten_folders.waiting(_aside(library))
            # One whose photographs are here was added again, or its forgetting was killed before it happened.
            if one.volume_id in known and not r.photographs.count_under(one.volume_id, one.under)
        ]


def bring_back(library: Library, number: int, progress: Progress = silent) -> int:
    """Bring a forgotten folder back with its ids, without reading; return the number of photographs.

    Raises
    ------
    TwinlensError
        If it is not kept any more.
    """
    one = next((one for one in forgotten_folders.waiting(_aside(library)) if one.number == number), None)
    if one is None:
        raise TwinlensError("That folder is not kept any more.", "Add it again.")
    with library.store.writing("taking a folder back") as w:
        for row, pattern in passed_over_in(w, one.volume_id, one.under):
            w.folders.add(row.volume_id, row.path, [kept for kept in row.excludes if kept != pattern])
        photographs = forgotten_folders.put_back(_aside(library), w, one)
    forgotten_folders.drop(_aside(library), number)
    bring_indexes_up_to_date(library, progress)  # the codes, which follow from what came back
    return photographs


def settle(library: Library) -> None:
    """Let all forgotten folders go for good."""
    if library.store.writable and forgotten_folders.drop(_aside(library)):
        library.store.compact()


def find_folder(library: Library, r: Transaction, folder: Path) -> tuple[int, bytes]:
    """Return volume and path of a folder of which the library has something.

    Raises
    ------
    TwinlensError
        If it has none of its photographs.
    """
    path = volumes.full_path(folder)
    place = library.place(r, path)
    known = place is not None and (
        any((row.volume_id, row.path) == place for row in r.folders.all()) or r.photographs.count_under(*place) > 0
    )
    if place is None or not known:
        raise TwinlensError("The library has nothing of {path}.", Remedy("show folders"), path=shown(path))
    return place


def remove_folder(w: Transaction, volume_id: int, under: bytes) -> int:
    """Remove everything known of a folder, and return the number of its photographs."""
    for row, pattern in passed_over_in(w, volume_id, under):
        w.folders.add(volume_id, row.path, (*row.excludes, pattern))
    photographs = w.forget(volume_id, under)
    w.models.remove_unused()
    return photographs


def passed_over_in(r: Transaction, volume_id: int, under: bytes) -> list[tuple[FolderRow, str]]:
    """List the folders around one, each with the pattern that excludes this one from its next scan."""
    around = [row for row in r.folders.all() if row.volume_id == volume_id and row.path != under]
    return [
        (row, "/" + os.fsdecode(under[len(row.path) :].lstrip(b"/")))
        for row in around
        if not row.path or under.startswith(row.path + b"/")
    ]
