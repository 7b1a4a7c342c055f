"""Moving photographs away, to the trash or to a folder, so that nothing is ever lost.

The plan is in the library's log before the first file is touched, with the place that each file gets. Then each
photograph moves with its companions, as :mod:`app.duplicates.moving_together` says: once it has moved, so has all that
belongs to it. One that cannot be moved stays with its companions as it was, and the others go on.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from app.duplicates.companions import sidecar_files
from app.duplicates.disposal_checks import (
    FileNumber,
    check_file,
    check_kept,
    files_of,
    look_at_equal,
    look_at_kept,
)
from app.duplicates.disposal_plan import DisposalPlan, PlannedFile
from app.duplicates.disposal_results import DisposalResult, LeftFile
from app.duplicates.free_names import FreeNames
from app.duplicates.move_log import MoveLog
from app.duplicates.moving_together import SetAsideError, move_together, volumes_of
from app.duplicates.settling import move_parts, roll_back, settle_rows
from app.library import volumes
from app.library.adding import passed_over_in
from app.library.library import Library, LocatedPhotograph
from app.machine import moving, trash
from app.machine.disk import DISK, Disk
from app.results import shown
from core.errors import Cancelled, TwinlensError
from core.message import Message, verbatim
from core.progress import Progress, silent
from storage.duplicates.disposals import MARK, VOLUMES, DisposalRow, MovedCompanion, NewDisposal

WAIT_S = 10.0
"""How long to wait for another program that adds photographs, or moves them away."""

PURPOSE = "moving duplicates away"
_TRIES = 10  # names in a folder that others take meanwhile


@dataclass
class DisposalTally:
    """The photographs moved so far, and those left where they are."""

    moved: int = 0
    companions: int = 0
    bytes: int = 0
    left: list[LeftFile] = field(default_factory=list)
    cancelled: bool = False


def dispose(library: Library, plan: DisposalPlan, progress: Progress = silent) -> DisposalResult:
    """Move photographs away as planned; whatever cannot be moved is left, with its reason.

    Parameters
    ----------
    library : Library
    plan : DisposalPlan
    progress : Progress
        When it raises ``Cancelled``, what is moved stays moved, and the result says so.

    Raises
    ------
    TwinlensError
        If the library cannot be written, another program adds photographs to it, or the destination cannot be made.
    """
    tally, run = DisposalTally(), None
    with library.store.adding(PURPOSE, WAIT_S):
        log = MoveLog(library, PURPOSE)
        settle_rows(DISK, log)
        if plan.files:
            rows = _write_plan(library, plan)
            run = rows[0].run
            tally = move_away(DISK, log, plan.files, rows, progress)
    return DisposalResult(
        run=run,
        destination=None if plan.destination is None else shown(plan.destination),
        moved=tally.moved,
        companions=tally.companions,
        bytes=tally.bytes,
        left=tally.left,
        undoable=plan.undoable,
        cancelled=tally.cancelled,
    )


def _write_plan(library: Library, plan: DisposalPlan) -> list[DisposalRow]:
    """Write the plan down, with the place of each file in the folder or the trash that it goes to."""
    folder = plan.destination
    if folder is not None:
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as error:
            raise moving.why_not(error, folder) from error
        DISK.clear(folder)  # of what was left when its disk was unplugged
    new = new_rows(DISK, plan.files, folder)
    with library.store.writing(PURPOSE) as w:
        if folder is not None and (place := library.place(w, folder)) is not None:
            for row, pattern in passed_over_in(w, *place):  # or they would be found there with the next look
                if pattern not in row.excludes:
                    w.folders.add(row.volume_id, row.path, (*row.excludes, pattern))
        return w.disposals.plan(new)


class _Places:
    """The places that files get: in a folder, or each in the trash of its disk."""

    def __init__(self, disk: Disk, folder: bytes | None) -> None:
        self._disk = disk
        self._folder = folder
        self._names: dict[bytes, FreeNames] = {}
        self._volumes: dict[bytes, str] = {}

    def take(self, path: bytes, beside: Sequence[MovedCompanion]) -> tuple[bytes | None, tuple[MovedCompanion, ...]]:
        """Take free places for a photograph and those companions that have none; there are none in a system's trash."""
        going = [one for one in beside if one.lies_at is None]
        folder = self._folder
        if folder is None:
            if not trash.can_restore():
                return None, tuple(beside)
            folder = trash.bin_for(path, self._disk).files
        if folder not in self._names:
            self._names[folder] = FreeNames(self._disk, folder)
        try:
            lies_at, places = self._names[folder].take(path, [one.path for one in going])
        except FileExistsError as error:
            raise moving.why_not(error, self._folder or b"") from error
        placed = dict(zip(going, places, strict=True))
        return lies_at, tuple(one._replace(lies_at=placed.get(one, one.lies_at)) for one in beside)

    def volumes(self, paths: Iterable[bytes | None]) -> dict[str, str]:
        """Return the volumes that the folders of places are on, as the log has them."""
        folders = sorted({os.path.dirname(path) for path in paths if path is not None})
        for folder in [one for one in folders if one not in self._volumes]:
            self._volumes[folder] = self._disk.volume_of(folder)
        return {folder.decode("utf-8", "surrogateescape"): self._volumes[folder] for folder in folders}


def new_rows(disk: Disk, files: Sequence[PlannedFile], folder: bytes | None) -> list[NewDisposal]:
    """Return what the log says of photographs before they move."""
    places, mark = _Places(disk, folder), secrets.token_hex(8)
    return [_new(file, folder, places, mark) for file in files]


def _new(file: PlannedFile, folder: bytes | None, places: _Places, mark: str) -> NewDisposal:
    row = file.row
    assert row.content_hash is not None
    assert file.kept.content_hash is not None
    parent = os.path.dirname(row.path)
    beside = tuple(
        MovedCompanion(
            volumes.joined(parent, os.path.basename(one.path)), one.size, one.mtime_ns, one.moves_to, one.digest
        )
        for one in file.companions
    )
    lies_at: bytes | None = None
    try:
        lies_at, beside = places.take(file.path, beside)
    except TwinlensError:
        if folder is not None:
            raise
        # It has no trash by now: it is told when its turn comes.
    known = {
        "photograph": row.id,
        "kind": file.choice.kind,
        "width": row.width,
        "height": row.height,
        MARK: mark,
        VOLUMES: places.volumes([lies_at, *(one.lies_at for one in beside)]),
    }
    return NewDisposal(
        row.volume_id,
        row.path,
        row.size,
        row.mtime_ns,
        row.content_hash,
        file.kept.content_hash,
        shown(file.kept_path),
        folder,
        lies_at,
        beside,
        known,
    )


def move_away(
    disk: Disk, log: MoveLog, files: Sequence[PlannedFile], rows: Sequence[DisposalRow], progress: Progress = silent
) -> DisposalTally:
    """Move photographs away, each with its companions, and tell the log; see :func:`dispose`."""
    tally, going = DisposalTally(), files_of((file.path for file in files), disk)
    for at, (file, row) in enumerate(zip(files, rows, strict=True)):
        try:
            progress(at, len(rows), verbatim(shown(os.path.basename(file.path))))
        except Cancelled:
            tally.cancelled = True
            log.left(rows[at:], Message("It was stopped before."))
            break
        try:
            moved = _move_one(disk, log, file, row, going)
        except (TwinlensError, OSError) as error:
            told = error if isinstance(error, TwinlensError) else moving.why_not(error, row.destination or b"")
            tally.left.append(LeftFile(path=shown(file.path), reason=told.whole))
            if not isinstance(error, SetAsideError):  # else it is not known yet what becomes of it
                log.left([row], told.whole)
            continue
        try:
            log.done(moved, moved.lies_at, moved.beside)
        except BaseException:
            parts = move_parts(moved, file.path)
            roll_back(disk, parts, volumes_of(disk, parts))  # what the library cannot be told did not happen
            raise
        tally.moved += 1
        tally.companions += len(moved.beside)
        along = {one.moves_to for one in file.companions} - {None}
        tally.bytes += row.size + sum(one.size for one in moved.beside if one.lies_at not in along)
    return tally


def _move_one(
    disk: Disk, log: MoveLog, file: PlannedFile, row: DisposalRow, going: frozenset[FileNumber]
) -> DisposalRow:
    """Move one photograph and its companions, and return where they lie as the log is to say it."""
    for _ in range(_TRIES):
        one, kept = log.look_up(file)
        check_file(one, disk)
        check_kept(kept, one, file.choice.kind, going, disk)
        row = replace(row, beside=_still_beside(file, row))
        if row.lies_at is None and (row.destination is not None or trash.can_restore()):
            row = _other_places(disk, log, file, row)
        try:
            move_together(disk, move_parts(row, file.path), partial(_look_at_rest, disk, file, kept))
        except FileExistsError:
            row = _other_places(disk, log, file, row)
        else:
            return row
    raise TwinlensError(Message("Other programs put files of its name into the folder."), Message("Try again."))


def _still_beside(file: PlannedFile, row: DisposalRow) -> tuple[MovedCompanion, ...]:
    """Return the planned companions that are there and go with it."""
    there = set(sidecar_files(file.path))
    # Others are gone, or another photograph of this name has stayed.
    return tuple(one for one in row.beside if _full(file, one) in there)


def _look_at_rest(disk: Disk, file: PlannedFile, kept: LocatedPhotograph) -> None:
    """Refuse to let a photograph go unless the one that stays, and what lies beside that, is as the plan has it."""
    look_at_kept(kept, disk)
    for one in file.companions:
        if one.equal is not None:
            look_at_equal(one.equal, one.digest, disk)


def _full(file: PlannedFile, one: MovedCompanion) -> bytes:
    return volumes.joined(os.path.dirname(file.path), os.path.basename(one.path))


def _other_places(disk: Disk, log: MoveLog, file: PlannedFile, row: DisposalRow) -> DisposalRow:
    """Choose other places, since another program has taken one, and write them down."""
    insisted = {_full(file, MovedCompanion(one.path, 0, 0)): one.moves_to for one in file.companions}
    for one in row.beside:
        taken = insisted.get(_full(file, one))
        if taken is not None and disk.exists(taken):
            raise moving.why_not(FileExistsError(), os.path.dirname(taken))
    free = [one._replace(lies_at=insisted.get(_full(file, one))) for one in row.beside]
    lies_at, beside = _Places(disk, row.destination).take(file.path, free)
    if lies_at is not None:
        row = log.replan(row, lies_at, beside)
    return row
