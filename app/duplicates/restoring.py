"""Bringing photographs back that were moved away: their files, their companions, and what the library knew of them.

The files move as they went (:mod:`app.duplicates.moving_together`). Marks and decisions are of contents, so they are
there as soon as the library has read the file again.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field

from app.duplicates.disposal_results import LeftFile, RestoreResult
from app.duplicates.disposing import WAIT_S
from app.duplicates.move_log import MoveLog
from app.duplicates.moving_together import FileMove, SetAsideError, move_together
from app.duplicates.settling import move_parts, settle_rows, tidy_return, unhide, where_it_lies
from app.indexes.descriptor_kinds import make_kinds
from app.indexes.encoders import bring_indexes_up_to_date
from app.library.intake import read_photographs
from app.library.library import Library
from app.library.readers import ThisMachine
from app.machine import moving, trash
from app.machine.disk import DISK, Disk
from app.results import shown
from core.errors import Cancelled, TwinlensError
from core.message import Message, verbatim
from core.progress import Progress, part, silent
from core.systems.volume import Volume
from storage.duplicates.disposals import DisposalOutcome, DisposalRow

_PURPOSE = "bringing photographs back"
_MOVING = 0.3  # share of the progress; the rest is reading


@dataclass
class RestoreTally:
    """The photographs that are back so far, and those that stay away."""

    restored: int = 0
    companions: int = 0
    left: list[LeftFile] = field(default_factory=list)


def restore_photographs(
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
    tally, cancelled = RestoreTally(), False
    with library.store.adding(_PURPOSE, WAIT_S):
        log = MoveLog(library, _PURPOSE)
        settle_rows(DISK, log)
        with library.store.reading() as r:
            found = r.disposals.by_run(which) if isinstance(which, int) else r.disposals.by_id(which)
            known = library.volumes(r)
        rows = [row for row in found if row.state is DisposalOutcome.DONE]
        try:
            step = part(progress, 0.0, _MOVING)
            for at, row in enumerate(rows):
                step(at, len(rows), verbatim(shown(os.path.basename(row.path))))
                bring_back_rows(DISK, log, row, known[row.volume_id], tally)
            if tally.restored:
                make_kinds(library)
                read_photographs(library, part(progress, _MOVING, 0.9), ThisMachine.of(workers))
                bring_indexes_up_to_date(library, part(progress, 0.9, 1.0))
        except Cancelled:
            cancelled = True
    return RestoreResult(restored=tally.restored, companions=tally.companions, left=tally.left, cancelled=cancelled)


def bring_back_rows(disk: Disk, log: MoveLog, row: DisposalRow, volume: Volume, tally: RestoreTally) -> None:
    """Bring one photograph back with its companions, and say so in the log; or say why it stays away."""
    path = disk.locate(volume, row.path)
    log.returns(row)
    try:
        came, lost = _bring_all(disk, row, volume, path)
    except (TwinlensError, OSError) as error:
        told = error if isinstance(error, TwinlensError) else moving.why_not(error, os.path.dirname(path))
        tally.left.append(LeftFile(path=shown(path), reason=told.whole))
        if disk.is_present(volume) and not isinstance(error, SetAsideError):  # else it is not known what becomes of it
            log.stays(row)
        return
    log.undone(row, path)
    tally.restored += 1
    tally.companions += came
    tally.left += lost


def _bring_all(disk: Disk, row: DisposalRow, volume: Volume, path: bytes) -> tuple[int, list[LeftFile]]:
    """Bring the companions back and then the photograph; return how many companions came, and which are lost."""
    _check_present(disk, volume)
    files = move_parts(row, path)
    unhide(disk, files)
    moves, lost = [], []
    for file in files:
        lies_at = file.target
        if lies_at is None or not file.seems_at(disk, lies_at):  # else it is read when it is set aside
            lies_at = where_it_lies(disk, row, file)
        if file.is_at(disk, file.source):
            tidy_return(disk, file)
        elif lies_at is None and file is files[-1]:
            raise _not_found(file)
        elif lies_at is None:
            lost.append(LeftFile(path=shown(file.source), reason=_not_found(file).whole))
        elif disk.exists(file.source):
            raise TwinlensError(
                Message("There is another file at {place} now.", place=shown(file.source)),
                Message("Move that one away first, then try again."),
            )
        else:
            moves.append(FileMove.of(lies_at, file.source, row.mark, None, (file.size, file.mtime_ns, file.content)))
    _make_folder(disk, os.path.dirname(path))
    if moves:
        try:
            # The folder is there, so it is on the disk, which may be gone at any moment; nothing gets below its mount.
            move_together(disk, moves, lambda: _check_present(disk, volume))
        except FileExistsError as error:
            raise moving.why_not(error, os.path.dirname(path)) from error
    if row.destination is None:
        for file in moves:
            trash.remove_note(disk, file.source)
    _check_present(disk, volume)  # or its disk, with the trash, was gone before the notes
    return sum(file.target != path for file in moves), lost


def _make_folder(disk: Disk, folder: bytes) -> None:
    try:
        disk.make_folder(folder)
    except OSError as error:
        raise moving.why_not(error, folder) from error


def _check_present(disk: Disk, volume: Volume) -> None:
    if not disk.is_present(volume):
        raise TwinlensError(Message("Its disk is not connected."), Message("Connect the disk, then try again."))


def _not_found(file: FileMove) -> TwinlensError:
    name = shown(os.path.basename(file.source))
    if file.target is not None and file.original is None:
        return TwinlensError(
            Message("{name} is not in {folder} any more.", name=name, folder=shown(os.path.dirname(file.target))),
            Message("Put it back there, or connect the disk of that folder."),
        )
    if not trash.can_restore():
        return TwinlensError(
            Message("Programs cannot take {name} out of the trash of this system.", name=name),
            Message("Restore it in the trash itself, then look through its folder again."),
        )
    return TwinlensError(Message("{name} is not in the trash any more.", name=name))
