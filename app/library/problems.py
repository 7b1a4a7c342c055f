"""Actions on a file that could not be read: retry, or set aside."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Iterator
from pathlib import Path

from app.indexes.descriptor_kinds import make_kinds
from app.indexes.encoders import bring_indexes_up_to_date
from app.library import volumes
from app.library.adding import add
from app.library.intake import read_photographs
from app.library.library import Library
from app.library.results import ProblemsResult
from app.results import shown
from core.errors import Cancelled, TwinlensError
from core.message import Message
from core.progress import Progress, part, silent
from core.systems.volume import Volume
from storage.library.transaction import Transaction
from storage.photographs.photograph_rows import ChangedFile
from storage.problems.problems import ProblemRow


def ignore_problem(library: Library, path: str, ignored: bool = True) -> ProblemsResult:
    """Set a problem aside until its file changes, or take it back.

    Parameters
    ----------
    library : Library
    path : str
        As :class:`app.results.Problem` shows it.
    ignored : bool

    Returns
    -------
    ProblemsResult
        Those that are left.

    Raises
    ------
    TwinlensError
        If there is no problem at this path.
    """
    with library.store.writing("setting a problem aside") as w:
        w.problems.ignore([row.id for row in _at(library, w, {path})], ignored)
    return library.problems()


def retry(library: Library, paths: Collection[str] | None = None, progress: Progress = silent) -> ProblemsResult:
    """Read again what could not be read: the files at some paths, or all that are not set aside.

    Parameters
    ----------
    library : Library
    paths : collection of str, optional
        As :class:`app.results.Problem` shows them.
    progress : Progress

    Returns
    -------
    ProblemsResult
        Those that are left, and how many of the wanted ones were tried and are mended.

    Raises
    ------
    TwinlensError
        If there is no problem at one of the paths, or another program adds photographs now.
    Cancelled
        If progress says so.
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


def _as_they_are_now(rows: list[ProblemRow], known: dict[int, Volume]) -> Iterator[ChangedFile]:
    """Yield size and time of the files that are there: who mends a file changes them."""
    for row in rows:
        with contextlib.suppress(OSError):
            status = os.stat(volumes.locate(known[row.volume_id], row.path))
            if row.photograph_id is not None:
                yield ChangedFile(row.photograph_id, status.st_size, status.st_mtime_ns)


def _is_place_in(row: ProblemRow, volume_id: int, folder: bytes) -> bool:
    inside = not folder or row.path == folder or row.path.startswith(folder + b"/")
    return row.photograph_id is None and row.volume_id == volume_id and inside


def _at(library: Library, r: Transaction, paths: set[str]) -> list[ProblemRow]:
    known = library.volumes(r)
    found = {shown(volumes.locate(known[row.volume_id], row.path)): row for row in r.problems.all(None)}
    for path in paths:
        if path not in found:
            raise TwinlensError(
                Message("There is no problem with {path} any more.", path=path),
                Message("The list has changed: look again."),
            )
    return [found[path] for path in paths]
