"""Adding photographs: walk, read once, keep in batches; and what follows from it (rescan, retry, forget).

Whatever is stopped, by the user or by a power cut, loses at most the batch that was being read: files are registered
in path order before any is read, so ids do not depend on when or how often the work was interrupted, or on how many
processes do it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from app import preferences, volumes
from app.descriptor_kinds import make_kinds
from app.encoding import bring_up_to_date
from app.intake import read_photographs
from app.keeping import Intake
from app.library import Library
from app.power import Sparing
from app.results import AddResult, ForgetResult, ProblemsResult, shown
from app.stored_keypoints import fits
from app.surveying import Survey, absolute, survey
from app.walking import EXCLUDES
from core.errors import Cancelled, TwinlensError
from core.progress import Progress, part, silent
from storage.protecting import protect, remove_damaged
from storage.schema import State
from storage.volumes import FolderRow

_SURVEY, _READ = 0.02, 0.8  # shares of the work, for the progress; a first fit takes its time


@dataclass(frozen=True)
class _Folder:
    """A folder that is to be looked through."""

    path: bytes
    excludes: tuple[str, ...]


def add(
    library: Library,
    folders: Sequence[Path],
    progress: Progress = silent,
    excludes: Sequence[str] = (),
    workers: int | None = None,
    pause_on_battery: bool | None = None,
) -> AddResult:
    """Add folders, or look again through folders that were added: only what has changed is read.

    Parameters
    ----------
    library : Library
    folders : sequence of Path
    progress : Progress
        When it raises ``Cancelled``, what is done is kept and the result says so.
    excludes : sequence of str
        Patterns to pass over, besides the usual ones; remembered with the folder.
    workers : int, optional
        Processes that read; by default one a core.
    pause_on_battery : bool, optional
        Whether the work rests while the computer runs on its battery; by default as the person prefers.

    Raises
    ------
    TwinlensError
        If a folder is not there, or another program adds photographs to this library now.
    """
    paths = [absolute(folder) for folder in folders]
    with library.store.reading() as r:
        kept = {volumes.locate(library.volumes(r)[row.volume_id], row.path): row for row in r.folders.all()}
    wanted = [_Folder(path, _patterns(kept, path, tuple(excludes))) for path in paths]
    return _take_in(library, wanted, _sparing(progress, pause_on_battery), workers)


def _patterns(kept: dict[bytes, FolderRow], path: bytes, more: tuple[str, ...]) -> tuple[str, ...]:
    """Give the patterns of a folder: those it was added with, or that a folder around it has, and the new ones."""
    covering = [row for place, row in kept.items() if path == place or path.startswith(place.rstrip(b"/") + b"/")]
    old = covering[0].excludes if covering else EXCLUDES
    return (*old, *(pattern for pattern in more if pattern not in old))


def rescan(
    library: Library,
    progress: Progress = silent,
    workers: int | None = None,
    pause_on_battery: bool | None = None,
    verify: bool = True,
) -> AddResult:
    """Look again through every folder whose disk is there, and go on with what was interrupted; see :func:`add`.

    With ``verify``, every stored vector and keypoint is verified, too, and photographs of damaged ones are read again.
    """
    with library.store.reading() as r:
        rows, known = r.folders.all(), library.volumes(r)
    if not rows:
        raise TwinlensError("This library has no folder yet.", "Add one with `twinlens add FOLDER`.")
    present, offline, vanished = [], [], []
    for row in rows:
        path = volumes.locate(known[row.volume_id], row.path)
        if not volumes.is_present(known[row.volume_id]):
            offline.append(shown(path))
        elif os.path.isdir(path):
            present.append(_Folder(path, row.excludes))
        else:
            vanished.append(row)
    sparing = _sparing(progress, pause_on_battery)
    return _take_in(library, present, sparing, workers, offline, vanished, verify)


def _sparing(progress: Progress, pause_on_battery: bool | None) -> Progress:
    wanted = preferences.load().pause_on_battery if pause_on_battery is None else pause_on_battery
    return Sparing(progress) if wanted else progress


def _take_in(
    library: Library,
    folders: Sequence[_Folder],
    progress: Progress,
    workers: int | None,
    offline: Sequence[str] = (),
    vanished: Sequence[FolderRow] = (),
    verify: bool = False,
) -> AddResult:
    started = time.perf_counter()
    seen, intake, cancelled = Survey(), Intake(), False
    with library.store.adding():
        try:
            for row in vanished:
                seen = _sum(seen, _vanished(library, row))
            for number, folder in enumerate(folders):
                share = _SURVEY / len(folders)
                step = part(progress, number * share, (number + 1) * share)
                seen = _sum(seen, survey(library, folder.path, folder.excludes, step))
            if verify:
                remove_damaged(library.store, fits, part(progress, _SURVEY, _SURVEY))
            make_kinds(library)
            read_photographs(library, part(progress, _SURVEY, _READ), workers, intake)
            if make_kinds(library, part(progress, _READ, _READ)):
                read_photographs(library, part(progress, _READ, _READ), workers)
            bring_up_to_date(library, part(progress, _READ, 1.0))
            protect(library.store, fits, part(progress, 1.0, 1.0))
        except Cancelled:
            cancelled = True
    return AddResult(
        found=seen.found + len(seen.refused) - seen.no_pictures - intake.passed_over,
        added=intake.added,
        changed=intake.changed,
        moved=len(intake.moved),
        removed=len(set(seen.gone) - intake.moved),
        problems=intake.problems + len(seen.refused),
        passed_over=seen.no_pictures + intake.passed_over,
        seconds=time.perf_counter() - started,
        photographs_per_second=intake.rate(),
        cancelled=cancelled,
        offline=list(offline),
    )


def _vanished(library: Library, row: FolderRow) -> Survey:
    """Mark the photographs of a folder that is gone from a disk that is there."""
    with library.store.writing("looking through a folder") as w:
        gone = [file.id for file in w.photographs.known(row.volume_id, row.path) if file.state is not State.MISSING]
        w.photographs.mark_missing(gone)
    return Survey(gone=gone)


def _sum(one: Survey, other: Survey) -> Survey:
    """Add two surveys; the files themselves are registered already, only counts are looked at."""
    return replace(
        other,
        found=one.found + other.found,
        gone=one.gone + other.gone,
        refused=one.refused + other.refused,
        no_pictures=one.no_pictures + other.no_pictures,
    )


def retry_problems(library: Library, progress: Progress = silent, workers: int | None = None) -> ProblemsResult:
    """Read again what could not be read, and give what is left."""
    with library.store.adding():
        with library.store.writing("retrying problems") as w:
            waiting = w.problems.retry()
        intake = Intake()
        make_kinds(library)
        read_photographs(library, part(progress, 0.0, _READ), workers, intake)
        bring_up_to_date(library, part(progress, _READ, 1.0))
    return library.problems().model_copy(update={"retried": len(waiting), "mended": len(waiting) - intake.problems})


def forget(library: Library, folder: Path) -> ForgetResult:
    """Take a folder out of the library; its files are untouched.

    Raises
    ------
    TwinlensError
        If the library has nothing of it.
    """
    path = os.path.realpath(os.fsencode(folder.expanduser()))
    with library.store.writing("forgetting a folder") as w:
        place = library.place(w, path)
        known = place is not None and (
            any((row.volume_id, row.path) == place for row in w.folders.all()) or w.photographs.count_under(*place) > 0
        )
        if place is None or not known:
            raise TwinlensError(f"The library has nothing of {shown(path)}.", "See `twinlens status` for its folders.")
        volume_id, under = place
        for row in w.folders.all():
            if row.volume_id == volume_id and row.path != under and (not row.path or under.startswith(row.path + b"/")):
                # Only a part of a folder: the next look through it must pass that part over.
                relative = os.fsdecode(under[len(row.path) :].lstrip(b"/"))
                w.folders.add(volume_id, row.path, (*row.excludes, f"/{relative}"))
        photographs = w.forget(volume_id, under)
        w.models.remove_unused()
    library.store.compact()
    return ForgetResult(folder=shown(path), photographs=photographs)
