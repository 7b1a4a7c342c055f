"""Problem files: trying again to read them, and ignoring them."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from twinlens.app.indexes.encoders import bring_indexes_up_to_date
from twinlens.app.indexes.fitted_models import make_kinds
from twinlens.app.library import volumes
from twinlens.app.library.ingest.adding import add, read_and_learn
from twinlens.app.library.ingest.ingest import chosen_machines, read_photographs
from twinlens.app.library.ingest.ingest_plan import IngestCounts
from twinlens.app.library.library import Library
from twinlens.app.library.library_results import ProblemsResult
from twinlens.core.errors import Cancelled, TwinlensError
from twinlens.core.files.untrusted_input import shown
from twinlens.core.progress import Progress, part, silent
from twinlens.core.systems.volume import Volume
from twinlens.storage.library.store import Transaction
from twinlens.storage.photographs.photographs import ChangedFile
from twinlens.storage.photographs.problems import ProblemRow

if TYPE_CHECKING:
    from twinlens.app.library.cluster.cluster import Cluster


def retry_problems(
    library: Library, progress: Progress = silent, workers: int | None = None, cluster: Cluster | None = None
) -> ProblemsResult:
    """Read the unreadable files again, and return the problems that are left."""
    with library.store.adding(), chosen_machines(library, workers, cluster) as chosen:
        with library.store.writing("retrying problems") as w:
            waiting = w.problems.retry()
        intake = IngestCounts()
        read_and_learn(library, progress, chosen, intake)
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
    return row.photograph_id is None and row.volume_id == volume_id and volumes.is_in(row.path, folder)


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
