"""Disposal: photographs move to the trash or to a folder, and come back, so that nothing is ever lost.

A photograph and its sidecar files get names that are free for all of them together, and what only it says is written
beside the one that stays before it goes. When they come back, so does everything that the library knew of them.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from twinlens.app.disposal.carried_notes import planned_change, take_back_notes, write_notes
from twinlens.app.disposal.disposal_plan import DisposalPlan, PlannedFile
from twinlens.app.disposal.disposal_results import DisposalResult, LeftFile, RestoreResult
from twinlens.app.disposal.file_checks import (
    check_file,
    check_kept,
    check_present,
    files_of,
    look_at_equal,
    look_at_kept,
)
from twinlens.app.disposal.file_links import FileLink, LinkKind, link_copy, planned_link, unlink_copy
from twinlens.app.disposal.free_places import FreePlaces
from twinlens.app.disposal.move_log import (
    MoveLog,
    check_volumes,
    move_parts,
    roll_back,
    settle_rows,
    tidy_return,
    where_it_lies,
)
from twinlens.app.disposal.safe_moves import (
    FileMove,
    SetAsideError,
    Volumes,
    connected_volumes,
    move_together,
    volumes_of,
)
from twinlens.app.duplicates.sidecar_files import sidecar_files
from twinlens.app.indexes.encoders import bring_indexes_up_to_date
from twinlens.app.indexes.fitted_models import make_kinds
from twinlens.app.library import volumes
from twinlens.app.library.ingest.forgotten_folders import passed_over_in
from twinlens.app.library.ingest.ingest import read_photographs
from twinlens.app.library.library import Library, LocatedPhotograph
from twinlens.app.library.workers.readers import ThisMachine
from twinlens.app.machine import trash
from twinlens.app.machine.disk import DISK, Disk, FileNumber, why_not
from twinlens.core.errors import Cancelled, TwinlensError
from twinlens.core.files.untrusted_input import shown
from twinlens.core.message import Message, verbatim
from twinlens.core.progress import Progress, part, silent
from twinlens.core.systems.volume import Volume
from twinlens.storage.disposals import LINK, MARK, VOLUMES, DisposalOutcome, DisposalRow, MovedCompanion, NewDisposal

WAIT_S = 10.0
"""How long to wait for another program that adds photographs, or moves them away."""

PURPOSE = "moving duplicates away"
_TRIES = 10  # times that another program takes the chosen name


def dispose(library: Library, plan: DisposalPlan, progress: Progress = silent) -> DisposalResult:
    """Move photographs away as planned; whatever cannot be moved is left, with its reason.

    Parameters
    ----------
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
        linked=tally.linked,
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
            raise why_not(error, folder) from error
        DISK.clear(folder)  # incomplete copies from when its disk was unplugged
    new = new_rows(DISK, plan.files, folder, plan.links)
    with library.store.writing(PURPOSE) as w:
        if folder is not None and (place := library.place(w, folder)) is not None:
            for row, pattern in passed_over_in(w, *place):  # or the next scan would add them again from there
                if pattern not in row.excludes:
                    w.folders.add(row.volume_id, row.path, (*row.excludes, pattern))
        return w.disposals.plan(new)


_PURPOSE = "bringing photographs back"
_MOVING = 0.3  # share of the progress; the rest is reading


def restore_photographs(
    library: Library,
    which: int | Sequence[int],
    progress: Progress = silent,
    workers: int | None = None,
) -> RestoreResult:
    """Bring photographs back to their places, and read them again.

    Parameters
    ----------
    which : int or sequence of int
        The run in which they were moved away, or the ids of rows of the log. Those that are back, or never went, do
        not count.
    progress : Progress
        When it raises ``Cancelled``, photographs that are back stay so; the next scan reads the unread ones.
    workers : int, optional
        Processes that read; by default as many as the person prefers.

    Raises
    ------
    TwinlensError
        If the library cannot be written, or another program adds photographs to it, or there is no such run.
    """
    tally, cancelled = RestoreTally(), False
    with library.store.adding(_PURPOSE, WAIT_S):
        log = MoveLog(library, _PURPOSE)
        settle_rows(DISK, log)
        with library.store.reading() as r:
            found = r.disposals.by_run(which) if isinstance(which, int) else r.disposals.by_id(which)
            known = library.volumes(r)
        if isinstance(which, int) and not found:
            raise TwinlensError("There is no run {run}.", "`twinlens duplicates log` lists the runs.", run=which)
        rows = [row for row in found if row.state is DisposalOutcome.DONE]
        try:
            step = part(progress, 0.0, _MOVING)
            for at, row in enumerate(reversed(rows)):  # a sidecar file that takes up notes of several gives them back
                step(at, len(rows), verbatim(shown(os.path.basename(row.path))))
                bring_back_rows(DISK, log, row, known[row.volume_id], tally)
            if tally.restored:
                make_kinds(library)
                read_photographs(library, part(progress, _MOVING, 0.9), ThisMachine.of(workers))
                bring_indexes_up_to_date(library, part(progress, 0.9, 1.0))
        except Cancelled:
            cancelled = True
    return RestoreResult(restored=tally.restored, companions=tally.companions, left=tally.left, cancelled=cancelled)


@dataclass
class DisposalTally:
    """The photographs moved so far, and those left where they are."""

    moved: int = 0
    companions: int = 0
    bytes: int = 0
    linked: dict[str, int] = field(default_factory=dict)
    left: list[LeftFile] = field(default_factory=list)
    cancelled: bool = False


def new_rows(disk: Disk, files: Sequence[PlannedFile], folder: bytes | None, links: bool = False) -> list[NewDisposal]:
    """Return the rows of the log for photographs that are about to move, or to become links."""
    places = None if links else FreePlaces(disk, folder)
    return [_new(disk, file, folder, places) for file in files]


def _new(disk: Disk, file: PlannedFile, folder: bytes | None, places: FreePlaces | None) -> NewDisposal:
    row = file.row
    assert row.content_hash is not None
    parent = os.path.dirname(row.path)
    beside = tuple(
        MovedCompanion(
            volumes.joined(parent, os.path.basename(one.path)), one.size, one.mtime_ns, one.moves_to, one.digest
        )
        for one in file.companions
    )
    lies_at: bytes | None = None
    try:
        if places is not None:
            lies_at, beside = places.take(file.path, beside)
    except TwinlensError:
        if folder is not None:
            raise
        # Its disk has no trash now: the reason is given when its turn comes.
    known: dict[str, Any] = {
        "photograph": row.id,
        "kind": file.choice.kind,
        "width": row.width,
        "height": row.height,
        MARK: secrets.token_hex(8),  # of its own: companions of several may be meant for one place
    }
    if places is None:
        known[LINK] = planned_link(disk, file.path, file.kept_path)
    else:
        targets = [lies_at, *(one.lies_at for one in beside), file.carried and file.carried.path]
        known[VOLUMES] = places.volumes(targets)
    return NewDisposal(
        row.volume_id,
        row.path,
        row.size,
        row.mtime_ns,
        row.content_hash,
        b"" if file.kept is None else file.kept.content_hash or b"",
        shown(file.kept_path),
        folder,
        lies_at,
        beside,
        known,
    )


def move_away(
    disk: Disk, log: MoveLog, files: Sequence[PlannedFile], rows: Sequence[DisposalRow], progress: Progress = silent
) -> DisposalTally:
    """Move photographs away, each with its companions, and record it in the log; see :func:`dispose`."""
    tally, going = DisposalTally(), files_of((file.path for file in files), disk)
    for at, (file, row) in enumerate(zip(files, rows, strict=True)):
        try:
            progress(at, len(rows), verbatim(shown(os.path.basename(file.path))))
        except Cancelled:
            tally.cancelled = True
            log.left(rows[at:], Message("It was stopped before."))
            break
        try:
            if LINK in row.known:
                kind = _link_one(disk, log, file, row, going)
            else:
                moved, were_there = _move_one(disk, log, file, row, going)
        except (TwinlensError, OSError) as error:
            failure = error if isinstance(error, TwinlensError) else why_not(error, row.destination or b"")
            tally.left.append(LeftFile(path=shown(file.path), reason=failure.whole))
            if not isinstance(error, SetAsideError):  # else its fate is still open
                log.left([row], failure.whole)
            continue
        if LINK in row.known:
            log.linked(row, disk.status(file.path), kind)  # if it cannot be recorded, the next settling does it
            tally.moved, tally.bytes = tally.moved + 1, tally.bytes + row.size
            tally.linked[kind.value] = tally.linked.get(kind.value, 0) + 1
            continue
        try:
            log.done(moved, moved.lies_at, moved.beside)
        except BaseException:
            roll_back(disk, move_parts(moved, file.path), were_there)  # a move that the library cannot record is undone
            take_back_notes(disk, moved)
            raise
        tally.moved += 1
        tally.companions += len(moved.beside)
        along = {one.moves_to for one in file.companions} - {None}
        tally.bytes += row.size + sum(one.size for one in moved.beside if one.lies_at not in along)
    return tally


def _move_one(
    disk: Disk, log: MoveLog, file: PlannedFile, row: DisposalRow, going: frozenset[FileNumber]
) -> tuple[DisposalRow, Volumes]:
    """Move one photograph and its companions; return the row of the log with their places, and their volumes."""
    if file.carried is not None:
        row = log.carries(row, planned_change(disk, file.carried))
    try:
        return _move_to_free_place(disk, log, file, row, going)
    except SetAsideError:
        raise
    except (TwinlensError, OSError):
        take_back_notes(disk, row)
        raise


def _move_to_free_place(
    disk: Disk, log: MoveLog, file: PlannedFile, row: DisposalRow, going: frozenset[FileNumber]
) -> tuple[DisposalRow, Volumes]:
    write_notes(disk, row)
    for _ in range(_TRIES):
        one, kept = log.look_up(file)
        check_file(one, disk)
        if kept is not None:
            check_kept(kept, one, file.choice.kind, going, disk)
        row = replace(row, beside=_still_beside(file, row))
        if row.lies_at is None and (row.destination is not None or trash.can_restore()):
            row = _other_places(disk, log, file, row)
        try:
            moves = move_parts(row, file.path)
            were_there = volumes_of(disk, moves)
            check_volumes(row, were_there)
            move_together(disk, moves, partial(_look_at_rest, disk, file, kept, moves[-1].hidden), were_there)
            return row, were_there
        except FileExistsError:
            row = _other_places(disk, log, file, row)
    raise TwinlensError("Other programs put files of its name into the folder.", "Try again.")


def _link_one(disk: Disk, log: MoveLog, file: PlannedFile, row: DisposalRow, going: frozenset[FileNumber]) -> LinkKind:
    """Put a link to the one that stays in place of a photograph."""
    one, kept = log.look_up(file)
    check_file(one, disk)
    assert kept is not None
    check_kept(kept, one, file.choice.kind, going, disk)
    return link_copy(disk, FileLink.of(row, file.path), one.volume, partial(look_at_kept, kept, disk))


def _still_beside(file: PlannedFile, row: DisposalRow) -> tuple[MovedCompanion, ...]:
    """Return the planned companions that are still there and go with the photograph."""
    there = set(sidecar_files(file.path))
    # Others are gone, or another photograph of this name has stayed.
    return tuple(one for one in row.beside if _full(file, one) in there)


def _full(file: PlannedFile, one: MovedCompanion) -> bytes:
    return volumes.joined(os.path.dirname(file.path), os.path.basename(one.path))


def _other_places(disk: Disk, log: MoveLog, file: PlannedFile, row: DisposalRow) -> DisposalRow:
    """Choose other places, since another program has taken one, and write them down."""
    insisted = {_full(file, MovedCompanion(one.path, 0, 0)): one.moves_to for one in file.companions}
    for one in row.beside:
        taken = insisted.get(_full(file, one))
        if taken is not None and disk.exists(taken):
            raise why_not(FileExistsError(), os.path.dirname(taken))
    free = [one._replace(lies_at=insisted.get(_full(file, one))) for one in row.beside]
    others = [one for one in log.unfinished()[0] if one.id != row.id]  # or they would seem to have arrived there
    promised = [place for other in others for place in (other.lies_at, *(one.lies_at for one in other.beside)) if place]
    lies_at, beside = FreePlaces(disk, row.destination, promised).take(file.path, free)
    if lies_at is not None:
        row = log.replan(row, lies_at, beside)
    return row


def _look_at_rest(disk: Disk, file: PlannedFile, kept: LocatedPhotograph | None, aside: bytes) -> None:
    """Refuse to move a photograph unless the kept one and its companions are as planned."""
    if kept is not None:
        look_at_kept(kept, disk, aside)
    for one in file.companions:
        if one.equal is not None:
            look_at_equal(one.equal, one.digest, disk)


@dataclass
class RestoreTally:
    """The photographs that are back so far, and those that stay away."""

    restored: int = 0
    companions: int = 0
    left: list[LeftFile] = field(default_factory=list)


def bring_back_rows(disk: Disk, log: MoveLog, row: DisposalRow, volume: Volume, tally: RestoreTally) -> None:
    """Bring one photograph back with its companions and log it, or give the reason why it stays away."""
    path = disk.locate(volume, row.path)
    log.returns(row)
    try:
        if LINK in row.known:
            check_present(volume, disk)
            unlink_copy(disk, FileLink.of(row, path), volume)
            came, lost = 0, list[LeftFile]()
        else:
            came, lost = _bring_all(disk, row, volume, path)
            take_back_notes(disk, row)
    except (TwinlensError, OSError) as error:
        failure = error if isinstance(error, TwinlensError) else why_not(error, os.path.dirname(path))
        tally.left.append(LeftFile(path=shown(path), reason=failure.whole))
        if disk.is_present(volume) and not isinstance(error, SetAsideError):  # else its fate is open
            log.stays(row)
        return
    if LINK in row.known:
        log.unlinked(row, disk.status(path))
    else:
        log.undone(row, path)
    tally.restored += 1
    tally.companions += came
    tally.left += lost


def _bring_all(disk: Disk, row: DisposalRow, volume: Volume, path: bytes) -> tuple[int, list[LeftFile]]:
    """Bring the companions back and then the photograph; return how many companions came, and which are lost."""
    check_present(volume, disk)
    files = move_parts(row, path)
    moves, lost = [], []
    for file in files:
        lies_at = file.target
        if lies_at is None or not file.seems_at(disk, lies_at):  # else its content is checked when it is set aside
            lies_at = where_it_lies(disk, row, file)
        if file.is_at(disk, file.source):
            tidy_return(disk, file)
        elif lies_at is None and file is files[-1]:
            raise _not_found(file)
        elif lies_at is None:
            lost.append(LeftFile(path=shown(file.source), reason=_not_found(file).whole))
        elif disk.exists(file.source):
            raise TwinlensError(
                "There is another file at {place} now.",
                "Move that one away first, then try again.",
                place=shown(file.source),
            )
        else:
            moves.append(FileMove.of(lies_at, file.source, row.mark, None, (file.size, file.mtime_ns, file.content)))
    _make_folder(disk, os.path.dirname(path))
    if moves:
        try:
            # The disk may be gone at any moment, and come back; nothing gets below its mount point.
            were_there = connected_volumes(disk, moves, volume)
            move_together(disk, moves, partial(check_present, volume, disk), were_there)
        except FileExistsError as error:
            raise why_not(error, os.path.dirname(path)) from error
    if row.destination is None:
        for file in moves:
            trash.remove_note(disk, file.source)
    check_present(volume, disk)  # or its disk, with the trash, was gone before the notes
    return sum(file.target != path for file in moves), lost


def _not_found(file: FileMove) -> TwinlensError:
    name = shown(os.path.basename(file.source))
    if file.target is not None and file.original is None:
        return TwinlensError(
            "{name} is not in {folder} any more.",
            "Put it back there, or connect the disk of that folder.",
            name=name,
            folder=shown(os.path.dirname(file.target)),
        )
    if not trash.can_restore():
        return TwinlensError(
            "Programs cannot take {name} out of the trash of this system.",
            "Restore it in the trash itself, then look through its folder again.",
            name=name,
        )
    return TwinlensError("{name} is not in the trash any more.", name=name)


def _make_folder(disk: Disk, folder: bytes) -> None:
    try:
        disk.make_folder(folder)
    except OSError as error:
        raise why_not(error, folder) from error
