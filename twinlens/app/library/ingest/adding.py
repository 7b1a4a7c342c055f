"""Adding photographs to a library, rescanning its folders, reading problems again, and forgetting folders.

A folder is scanned, its new and changed photographs are read once and kept in batches, and then the indexes learn. A
folder can be forgotten so that it can come back: until the window closes, everything known of it is kept aside.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from twinlens.app.indexes.encoders import bring_indexes_up_to_date, to_learn_from
from twinlens.app.indexes.fitted_models import fits, make_kinds, usable_indexes
from twinlens.app.library import volumes
from twinlens.app.library.ingest.batches import date_undated
from twinlens.app.library.ingest.folder_scan import FolderSurvey, survey_folder
from twinlens.app.library.ingest.folder_walk import EXCLUDES, WHOLE, ScanScope, resolved_folder
from twinlens.app.library.ingest.ingest import chosen_machines, count_waiting, read_photographs
from twinlens.app.library.ingest.ingest_plan import IngestCounts
from twinlens.app.library.ingest.sidecar_scan import read_sidecars
from twinlens.app.library.library import Library
from twinlens.app.library.library_results import AddResult
from twinlens.app.library.workers.capacity import fitting_seconds, reading_cost
from twinlens.app.library.workers.file_contents import DENIED
from twinlens.app.library.workers.readers import Machines
from twinlens.app.machine import preferences
from twinlens.app.machine.background_work import BatteryPause
from twinlens.core.errors import Cancelled, Remedy, TwinlensError
from twinlens.core.files.untrusted_input import shown
from twinlens.core.message import NOTHING, Message
from twinlens.core.progress import Progress, part, silent
from twinlens.features.keypoints.keypoints import KEYPOINTS_VERSION
from twinlens.storage.database.values import PhotographState
from twinlens.storage.integrity.mending import remove_damaged
from twinlens.storage.photographs.problems import ProblemRow
from twinlens.storage.photographs.volumes import FolderRow

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
    wanted = [FolderToAdd(path, _patterns(kept, path, tuple(options.excludes))) for path in paths]
    with chosen_machines(library, options.workers, options.cluster) as chosen:
        return take_in(library, AddingRound(wanted), sparing_battery(progress, options.pause_on_battery), chosen)


@dataclass(frozen=True)
class FolderToAdd:
    """A folder to scan."""

    path: bytes
    excludes: tuple[str, ...]
    scope: ScanScope = WHOLE


def _patterns(kept: dict[bytes, FolderRow], path: bytes, more: tuple[str, ...]) -> tuple[str, ...]:
    """Return the patterns of a folder: those it was added with, or that a folder around it has, and the new ones."""
    covering = [row for place, row in kept.items() if volumes.is_in(path, place)]
    old = covering[0].excludes if covering else EXCLUDES
    return (*old, *(pattern for pattern in more if pattern not in old))


def take_in(library: Library, wanted: AddingRound, progress: Progress, by: Machines) -> AddResult:
    """Survey the folders of a round and read what is new or changed in them."""
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
                _retry_allowed(library)
                remove_damaged(library.store, fits, part(progress, 0.0, 0.0))
            read_and_learn(library, progress, by, intake)
        except Cancelled:
            cancelled = True
    with library.store.reading() as r:
        pending, to_prepare = (
            r.photographs.counts()[PhotographState.PENDING],
            len(r.keypoints.lacking(KEYPOINTS_VERSION)),
        )
    problems = _problems(library, wanted.folders)
    return AddResult(
        found=seen.found + len(seen.refused) - seen.no_pictures - intake.passed_over - len(problems),
        added=intake.added,
        changed=intake.changed,
        moved=len(intake.moved),
        removed=len(set(seen.gone) - intake.moved),
        problems=intake.problems + len(seen.refused),
        unreadable=sum(not one.ignored for one in problems),
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
class AddingRound:
    """Folders to scan, those whose disk is away, and those that are gone."""

    folders: Sequence[FolderToAdd]
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


def read_and_learn(library: Library, progress: Progress, by: Machines, intake: IngestCounts) -> None:
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


def _retry_allowed(library: Library) -> None:
    """Let the files be read that could not be for want of a right, and can be now: they look as they did."""
    with library.store.writing("looking through a folder") as w:
        known, rows = library.volumes(w), [row for row in w.problems.all() if row.reason == DENIED]
        w.problems.retry([row.id for row in rows if os.access(volumes.locate(known[row.volume_id], row.path), os.R_OK)])


_PREPARING = Message("Preparing the search")  # how, is no matter of somebody who adds photographs


def _problems(library: Library, folders: Sequence[FolderToAdd]) -> list[ProblemRow]:
    """Return the problems of the files in some folders, met now or before: these may be no pictures."""
    with library.store.reading() as r:
        places = {library.place(r, folder.path) for folder in folders}
        rows = [row for place in places if place is not None for row in r.problems.under(*place).values()]
        return list({row.id: row for row in rows}.values())


def sparing_battery(progress: Progress, pause_on_battery: bool | None) -> Progress:
    """Return a progress that waits while the computer runs on its battery, if that is wanted."""
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
            present.append(FolderToAdd(path, row.excludes))
        else:
            vanished.append(row)
    wanted = AddingRound(present, offline, vanished, verify)
    with chosen_machines(library, workers, cluster) as chosen:
        return take_in(library, wanted, sparing_battery(progress, pause_on_battery), chosen)
