"""Moving photographs away, to the trash or to a folder, so that nothing is ever lost.

The plan is in the library's log before the first file is touched. Each file and the one that stays in its place are
read once more, then its companions go and it goes last: once a photograph has moved, so has all that belongs to it. A
file that cannot be moved stays with its companions as it was, and the others go on.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field

from app.duplicates.companions import companions
from app.duplicates.disposal_checks import Contents, FileNumber, check_contents, check_file, check_kept, files_of
from app.duplicates.disposal_plan import DisposalPlan, PlannedFile, check_companions
from app.duplicates.disposal_results import DisposalResult, LeftFile
from app.duplicates.free_names import FreeNames
from app.duplicates.moving_together import put_all, put_back
from app.duplicates.settling import record_done, settle_planned
from app.library import volumes
from app.library.adding import passed_over_in
from app.library.library import Library
from app.machine import moving
from app.results import shown
from core.errors import Cancelled, TwinlensError
from core.message import Message, verbatim
from core.progress import Progress, silent
from storage.duplicates.disposals import Beside, DisposalRow, NewDisposal

WAIT_S = 10.0
"""How long to wait for another program that adds photographs, or moves them away."""

PURPOSE = "moving duplicates away"
_TRIES = 10  # names in a folder that others take meanwhile


@dataclass
class _Tally:
    """The photographs moved so far, and those left where they are."""

    moved: int = 0
    companions: int = 0
    bytes: int = 0
    left: list[LeftFile] = field(default_factory=list)


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
    tally, run, cancelled = _Tally(), None, False
    with library.store.adding(PURPOSE, WAIT_S):
        settle_planned(library)
        if plan.files:
            rows = _write_plan(library, plan)
            run = rows[0].run
            going, contents = files_of(file.path for file in plan.files), Contents()
            for at, (file, row) in enumerate(zip(plan.files, rows, strict=True)):
                try:
                    progress(at, len(rows), verbatim(shown(os.path.basename(file.path))))
                except Cancelled:
                    cancelled = True
                    _leave(library, rows[at:], Message("It was stopped before."))
                    break
                _dispose_one(library, file, row, going, contents, tally)
    return DisposalResult(
        run=run,
        destination=None if plan.destination is None else shown(plan.destination),
        moved=tally.moved,
        companions=tally.companions,
        bytes=tally.bytes,
        left=tally.left,
        undoable=plan.undoable,
        cancelled=cancelled,
    )


def _write_plan(library: Library, plan: DisposalPlan) -> list[DisposalRow]:
    """Write the plan down, with the place of each file in the folder that it goes to."""
    folder = plan.destination
    if folder is not None:
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as error:
            raise moving.why_not(error, folder) from error
    names = None if folder is None else FreeNames(folder)
    with library.store.writing(PURPOSE) as w:
        if folder is not None and (place := library.place(w, folder)) is not None:
            for row, pattern in passed_over_in(w, *place):  # or they would be found there with the next look
                if pattern not in row.excludes:
                    w.folders.add(row.volume_id, row.path, (*row.excludes, pattern))
        try:
            return w.disposals.plan([_new(file, folder, names) for file in plan.files])
        except FileExistsError as error:
            raise moving.why_not(error, folder or b"") from error


def _new(file: PlannedFile, folder: bytes | None, names: FreeNames | None) -> NewDisposal:
    row = file.row
    assert row.content_hash is not None
    assert file.kept.content_hash is not None
    lies_at: bytes | None = None
    places: Sequence[bytes | None] = [None] * len(file.companions)
    if names is not None:
        lies_at, places = names.take(file.path, [one.path for one in file.companions])
    places = [one.moves_to or to for one, to in zip(file.companions, places, strict=True)]
    parent = os.path.dirname(row.path)
    beside = tuple(
        Beside(volumes.joined(parent, os.path.basename(one.path)), one.size, one.mtime_ns, to)
        for one, to in zip(file.companions, places, strict=True)
    )
    known = {"photograph": row.id, "kind": file.choice.kind, "width": row.width, "height": row.height}
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


def _dispose_one(
    library: Library,
    file: PlannedFile,
    row: DisposalRow,
    going: frozenset[FileNumber],
    contents: Contents,
    tally: _Tally,
) -> None:
    """Move one photograph and its companions, and say so in the log; or leave it and say why."""
    try:
        _check_again(library, file, going, contents)
        beside = _still_beside(file, row)
        lies_at, places = _put_all(library, file, row, beside)
    except (TwinlensError, OSError) as error:
        told = error if isinstance(error, TwinlensError) else moving.why_not(error, row.destination or b"")
        tally.left.append(LeftFile(path=shown(file.path), reason=told.whole))
        _leave(library, [row], told.whole)
        return
    moved = [one._replace(lies_at=place) for one, place in zip(beside, places, strict=True)]
    try:
        with library.store.writing(PURPOSE) as w:
            record_done(w, row, lies_at, moved)
    except BaseException:
        # What the library cannot be told did not happen.
        put_back([(lies_at, file.path), *((one.lies_at, _full(file, one)) for one in moved)], row.destination)
        raise
    tally.moved += 1
    tally.companions += len(moved)
    along = {one.moves_to for one in file.companions} - {None}
    tally.bytes += file.row.size + sum(one.size for one in moved if one.lies_at not in along)


def _leave(library: Library, rows: Sequence[DisposalRow], reason: Message) -> None:
    with library.store.writing(PURPOSE) as w:
        for row in rows:
            w.disposals.left(row.id, reason)


def _check_again(library: Library, file: PlannedFile, going: frozenset[FileNumber], contents: Contents) -> None:
    """Refuse a photograph that is not, at this moment, what the library knows, or whose keeper is not."""
    with library.store.reading() as r:
        found = library.look_up(r, [file.row.id, file.kept.id])
    if [one.path for one in found] != [file.path, file.kept_path]:
        raise TwinlensError(Message("The library was changed since this was planned."), Message("Decide anew."))
    one, kept = found
    check_file(one)
    check_kept(kept, one, file.choice.kind, going)
    check_contents(contents, one, kept)
    check_companions(contents, file)


def _still_beside(file: PlannedFile, row: DisposalRow) -> list[Beside]:
    """Return the planned companions that are there and go with it; refuse where one was changed."""
    there = set(companions(file.path))
    kept = []
    for one in row.beside:
        path = _full(file, one)
        if path not in there:
            continue  # gone, or another photograph of this name has stayed
        status = os.lstat(path)
        if (status.st_size, status.st_mtime_ns) != (one.size, one.mtime_ns):
            raise TwinlensError(
                Message("{name}, which belongs to it, was just changed.", name=shown(os.path.basename(path))),
                Message("Decide anew."),
            )
        kept.append(one)
    return kept


def _full(file: PlannedFile, one: Beside) -> bytes:
    return volumes.joined(os.path.dirname(file.path), os.path.basename(one.path))


def _put_all(
    library: Library, file: PlannedFile, row: DisposalRow, beside: Sequence[Beside]
) -> tuple[bytes | None, list[bytes | None]]:
    """Move the companions and then the photograph, and return where they lie; all, or none."""
    sources = [*(_full(file, one) for one in beside), file.path]
    targets = [*(one.lies_at for one in beside), row.lies_at]
    for _ in range(_TRIES):
        try:
            *places, lies_at = put_all(sources, targets)
        except FileExistsError:
            targets = _other_names(library, file, row, beside)
        else:
            return lies_at, places
    raise TwinlensError(Message("Other programs put files of its name into the folder."), Message("Try again."))


def _other_names(library: Library, file: PlannedFile, row: DisposalRow, beside: Sequence[Beside]) -> list[bytes | None]:
    """Choose other names in the folder, since another program has taken one, and write them down."""
    assert row.destination is not None
    lies_at, places = FreeNames(row.destination).take(file.path, [one.path for one in beside])
    with library.store.writing(PURPOSE) as w:
        w.disposals.replan(row.id, lies_at, [one._replace(lies_at=to) for one, to in zip(beside, places, strict=True)])
    return [*places, lies_at]
