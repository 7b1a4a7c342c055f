"""Settling the log after a kill: of each file that was being moved, the disk says whether it has moved.

A photograph goes after its companions, so it decides: where it is at its place, nothing has happened, and what went
before it comes back; where it is gone and lies where it was to go, all of it has.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from app.duplicates.disposal_results import SettleResult
from app.duplicates.moving_together import put_back
from app.duplicates.passed_marks import MARKS, pass_on
from app.library import volumes
from app.library.library import Library
from app.machine import moving, trash
from core.errors import TwinlensError
from core.files.unfinished_copies import clear
from core.message import Message
from core.systems.volume import Volume
from storage.duplicates.disposals import Beside, DisposalRow
from storage.library.transaction import Transaction

_PURPOSE = "settling what was being moved away"
_SLACK = timedelta(seconds=2)  # file systems and notes count whole seconds


def unfinished(library: Library) -> list[DisposalRow]:
    """Return the photographs of which nobody knows yet whether they were moved."""
    with library.store.reading() as r:
        return r.disposals.unfinished()


def settle(library: Library) -> SettleResult:
    """Find out what became of files that were being moved when the program was killed; may be called at any time.

    Raises
    ------
    TwinlensError
        If the library can only be read, or another program is at work on it: perhaps it is moving these very files.
    """
    if not unfinished(library):
        return SettleResult(done=0, left=0, waiting=0)
    with library.store.adding(_PURPOSE):
        return settle_planned(library)


def settle_planned(library: Library) -> SettleResult:
    """As :func:`settle`, for one who keeps other programs out already."""
    done, left, waiting = 0, 0, 0
    with library.store.reading() as r:
        rows, known = r.disposals.unfinished(), library.volumes(r)
    for folder in {row.destination for row in rows if row.destination is not None}:
        clear(Path(os.fsdecode(folder)))  # copies that were not complete
    for row in rows:
        volume = known[row.volume_id]
        path = volumes.locate(volume, row.path)
        if not volumes.is_present(volume) or (_is_away(row) and not has_content(path, row)):
            waiting += 1
        elif _settle_one(library, row, volume, path):
            done += 1
        else:
            left += 1
    return SettleResult(done=done, left=left, waiting=waiting)


CHOICE = "choice"
"""Under this name the log has what a person chose for a photograph."""


def record_done(w: Transaction, row: DisposalRow, lies_at: bytes | None, beside: Sequence[Beside]) -> None:
    """Record that a photograph was moved away: it leaves the library, and its marks pass to the one that stays."""
    there = w.photographs.by_path(row.volume_id, row.path)
    choice = None
    if there is not None:
        choice = w.comparisons.choice(there.id)
        w.remove([there.id])
    w.problems.clear(row.volume_id, [row.path])
    made = pass_on(w, row.content_hash, row.kept, row.kept_name)
    w.disposals.done(row.id, lies_at, beside, {**row.known, MARKS: made, CHOICE: choice})


def where_it_lies(row: DisposalRow, path: bytes) -> bytes | None:
    """Return where a photograph lies that was moved away, if its content is there.

    Parameters
    ----------
    row : DisposalRow
    path : bytes
        The full path that it had.
    """
    candidates = [] if row.lies_at is None else [row.lies_at]
    if row.destination is None:
        candidates += [one.lies_at for one in trash.find(path, since(row))]
    return next((one for one in candidates if has_content(one, row)), None)


def where_beside_lies(row: DisposalRow, one: Beside, path: bytes) -> bytes | None:
    """Return where a companion lies that was moved away; ``path`` is the full path that it had."""
    candidates = [] if one.lies_at is None else [one.lies_at]
    if row.destination is None:
        candidates += [found.lies_at for found in trash.find(path, since(row))]
    return next((found for found in candidates if is_as_it_was(found, one)), None)


def since(row: DisposalRow) -> datetime:
    """Return when a row was written, by the clock on the wall."""
    written = datetime.fromisoformat(row.created).replace(tzinfo=UTC)
    return written.astimezone().replace(tzinfo=None) - _SLACK


def has_content(path: bytes, row: DisposalRow) -> bool:
    """Return whether a file holds, to the byte, what the library knew."""
    try:
        if os.path.islink(path) or os.path.getsize(path) != row.size:
            return False
        return moving.content_of(path) == row.content_hash
    except OSError:
        return False


def is_as_it_was(path: bytes, one: Beside) -> bool:
    """Return whether a file is a companion as it was planned, by size and time."""
    try:
        status = os.lstat(path)
    except OSError:
        return False
    return (status.st_size, status.st_mtime_ns) == (one.size, one.mtime_ns)


def _is_away(row: DisposalRow) -> bool:
    """Return whether the folder that a file was to go to is not there, on a disk that may come back."""
    return row.destination is not None and not os.path.isdir(row.destination)


def _settle_one(library: Library, row: DisposalRow, volume: Volume, path: bytes) -> bool:
    """Return whether a photograph has moved, and record it."""
    beside = [(one, volumes.locate(volume, one.path)) for one in row.beside]
    if has_content(path, row):
        _take_back(row, path, beside)
        reason = Message("The program was stopped before it was moved.")
    else:
        lies_at = where_it_lies(row, path)
        # Where the trash cannot be read, what is gone from its place has gone there.
        unseen = row.destination is None and not trash.can_restore() and not os.path.lexists(path)
        if lies_at is not None or unseen:
            went = [
                one._replace(lies_at=place)
                for one, was in beside
                if (place := where_beside_lies(row, one, was)) is not None or (unseen and not os.path.lexists(was))
            ]
            with library.store.writing(_PURPOSE) as w:
                record_done(w, row, lies_at, went)
            return True
        _take_back(row, path, beside)
        reason = Message("The program was stopped, and it is neither at its place nor where it was to go.")
    with library.store.writing(_PURPOSE) as w:
        w.disposals.left(row.id, reason)
    return False


def _take_back(row: DisposalRow, path: bytes, beside: Sequence[tuple[Beside, bytes]]) -> None:
    """Bring companions back that went alone, and remove second names and copies of what is at its place."""
    for one, was in beside:
        lies_at = where_beside_lies(row, one, was)
        if lies_at is None:
            continue
        if not os.path.lexists(was):
            put_back([(lies_at, was)], row.destination)
        elif one.lies_at is not None:
            remove_copy(one.lies_at, was)
    if row.lies_at is not None and has_content(path, row):
        remove_copy(row.lies_at, path)
    if row.destination is None:
        for place in (path, *(was for _, was in beside)):
            trash.tidy(place)


def remove_copy(copy: bytes, original: bytes) -> None:
    """Remove a copy that was begun, or a second name, once the original is seen to hold the same."""
    with contextlib.suppress(OSError, TwinlensError):
        if os.path.islink(original) or os.path.islink(copy) or os.path.realpath(copy) == os.path.realpath(original):
            return
        if moving.same_file(copy, original) or moving.content_of(copy) == moving.content_of(original):
            os.unlink(copy)
