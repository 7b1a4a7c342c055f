"""Bringing photographs back that were moved away: their files, their companions, and what the library knew of them.

Marks and decisions are of contents, so they are there as soon as the library has read the file again.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from app.duplicates.disposal_results import LeftFile, RestoreResult
from app.duplicates.disposing import WAIT_S
from app.duplicates.moving_together import bring_back
from app.duplicates.passed_marks import take_back
from app.duplicates.settling import (
    CHOICE,
    has_content,
    is_as_it_was,
    remove_copy,
    settle_planned,
    where_beside_lies,
    where_it_lies,
)
from app.indexes.descriptor_kinds import make_kinds
from app.indexes.encoders import bring_up_to_date
from app.library import volumes
from app.library.intake import read_photographs
from app.library.library import Library
from app.library.readers import ThisMachine
from app.machine import moving, trash
from app.results import shown
from core.errors import Cancelled, TwinlensError
from core.files.unfinished_copies import clear
from core.message import Message, verbatim
from core.progress import Progress, part, silent
from core.systems.volume import Volume
from storage.duplicates.disposals import DisposalRow, Outcome
from storage.library.transaction import Transaction
from storage.photographs.photograph_rows import NewFile

_PURPOSE = "bringing photographs back"
_MOVING = 0.3  # share of the progress; the rest is reading


@dataclass
class _Tally:
    """The photographs that are back so far, and those that stay away."""

    restored: int = 0
    companions: int = 0
    left: list[LeftFile] = field(default_factory=list)


def restore(
    library: Library,
    which: int | Sequence[int],
    progress: Progress = silent,
    workers: int | None = None,
) -> RestoreResult:
    """Bring photographs back to their places, and read them again.

    Parameters
    ----------
    library : Library
    which : int or sequence of int
        The run in which they were moved away, or the ids of rows of the log. Those that are back, or never went, do
        not count.
    progress : Progress
        When it raises ``Cancelled``, what is back stays so; what was not read is read with the next look.
    workers : int, optional
        Processes that read; by default as many as the person prefers.

    Raises
    ------
    TwinlensError
        If the library cannot be written, or another program adds photographs to it.
    """
    tally, cancelled = _Tally(), False
    with library.store.adding(_PURPOSE, WAIT_S):
        settle_planned(library)
        with library.store.reading() as r:
            found = r.disposals.by_run(which) if isinstance(which, int) else r.disposals.by_id(which)
            known = library.volumes(r)
        rows = [row for row in found if row.state is Outcome.DONE]
        try:
            step = part(progress, 0.0, _MOVING)
            for at, row in enumerate(rows):
                step(at, len(rows), verbatim(shown(os.path.basename(row.path))))
                _restore_one(library, row, known[row.volume_id], tally)
            if tally.restored:
                make_kinds(library)
                read_photographs(library, part(progress, _MOVING, 0.9), ThisMachine.of(workers))
                bring_up_to_date(library, part(progress, 0.9, 1.0))
        except Cancelled:
            cancelled = True
    return RestoreResult(restored=tally.restored, companions=tally.companions, left=tally.left, cancelled=cancelled)


def _restore_one(library: Library, row: DisposalRow, volume: Volume, tally: _Tally) -> None:
    """Bring one photograph back with its companions, and say so in the log; or say why it stays away."""
    path = volumes.locate(volume, row.path)
    try:
        if not volumes.is_present(volume):
            raise TwinlensError(Message("Its disk is not connected."), Message("Connect the disk, then try again."))
        came, lost = _bring_all(row, volume, path)
    except TwinlensError as error:
        tally.left.append(LeftFile(path=shown(path), reason=error.whole))
        return
    with library.store.writing(_PURPOSE) as w:
        take_back(w, [row])
        w.disposals.undone(row.id)
        _register(w, row, path)
    tally.restored += 1
    tally.companions += came
    tally.left += lost


def _bring_all(row: DisposalRow, volume: Volume, path: bytes) -> tuple[int, list[LeftFile]]:
    """Bring the companions back and then the photograph; return how many companions came, and which are lost."""
    clear(Path(os.fsdecode(os.path.dirname(path))))  # what a killed program had begun to copy
    moves, lost = [], []
    for one in row.beside:
        was = volumes.locate(volume, one.path)
        lies_at = where_beside_lies(row, one, was)
        if lies_at is not None:
            moves.append((lies_at, was))
        elif not is_as_it_was(was, one):
            lost.append(LeftFile(path=shown(was), reason=_not_found(row, was).whole))
    came = len(moves)
    lies_at = where_it_lies(row, path)
    if lies_at is not None:
        moves.append((lies_at, path))
    elif not has_content(path, row):
        raise _not_found(row, path)
    back = [lies_at for lies_at, was in moves if _is_back(lies_at, was)]
    for lies_at, was in moves:
        if lies_at not in back and os.path.lexists(was):
            raise TwinlensError(
                Message("There is another file at {place} now.", place=shown(was)),
                Message("Move that one away first, then try again."),
            )
    for lies_at, was in moves:
        if lies_at not in back:
            bring_back(lies_at, was, row.destination)
        elif row.destination is not None or moving.same_file(lies_at, was):
            remove_copy(lies_at, was)
    return came, lost


def _is_back(lies_at: bytes, was: bytes) -> bool:
    """Return whether a file is at its place again already: after a kill it may be at both."""
    try:
        return moving.same_file(lies_at, was) or moving.content_of(was) == moving.content_of(lies_at)
    except OSError:
        return False


def _not_found(row: DisposalRow, path: bytes) -> TwinlensError:
    name = shown(os.path.basename(path))
    if row.destination is not None:
        return TwinlensError(
            Message("{name} is not in {folder} any more.", name=name, folder=shown(row.destination)),
            Message("Put it back there, or connect the disk of that folder."),
        )
    if not trash.can_restore():
        return TwinlensError(
            Message("Programs cannot take {name} out of the trash of this system.", name=name),
            Message("Restore it in the trash itself, then look through its folder again."),
        )
    return TwinlensError(Message("{name} is not in the trash any more.", name=name))


def _register(w: Transaction, row: DisposalRow, path: bytes) -> None:
    """Have a photograph read that is back, unless its folder was forgotten meanwhile."""
    there = w.photographs.by_path(row.volume_id, row.path)
    if there is not None:
        w.photographs.mark_present([there.id])
        _choose_again(w, row, there.id)
        return
    status = os.stat(path)
    file = NewFile(row.path, status.st_size, status.st_mtime_ns)
    for folder in w.folders.all():
        if folder.volume_id == row.volume_id and (not folder.path or row.path.startswith(folder.path + b"/")):
            w.passed_over.remove(row.volume_id, [row.path])
            (photograph,) = w.photographs.register(row.volume_id, folder.id, [file]).tolist()
            _choose_again(w, row, photograph)
            return


def _choose_again(w: Transaction, row: DisposalRow, photograph: int) -> None:
    """Restore the person's decision about a photograph that is back."""
    choice = row.known.get(CHOICE)
    if choice is not None and w.comparisons.choice(photograph) is None:
        w.comparisons.choose([photograph], choice)
