"""The log of moves: every step of photographs that move away or back, and the settling of steps that a kill left open.

When a photograph goes, its marks pass to the one that is kept in its place; when it comes back, so do they. After a
kill, the files on the disk show whether each has moved.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial

from twinlens.app.disposal.carried_notes import (
    OWN,
    pass_own_notes,
    settle_notes,
    take_back_notes,
    take_back_own_notes,
)
from twinlens.app.disposal.disposal_plan import PlannedFile
from twinlens.app.disposal.disposal_results import SettleResult, disposal_log
from twinlens.app.disposal.file_checks import check_present, not_connected
from twinlens.app.disposal.file_links import FileLink, LinkKind, settle_link
from twinlens.app.disposal.safe_moves import FileMove, Volumes, bring_home, clear_copies, connected_volumes
from twinlens.app.library.library import Library, LocatedPhotograph
from twinlens.app.library.volumes import is_in, joined
from twinlens.app.machine import trash
from twinlens.app.machine.disk import DISK, Disk, FileStatus, is_one_file
from twinlens.core.errors import TwinlensError
from twinlens.core.message import Message
from twinlens.core.systems.volume import Volume
from twinlens.storage.disposals import LINK, NOTES, DisposalOutcome, DisposalRow, MovedCompanion
from twinlens.storage.library.store import Transaction
from twinlens.storage.marks import NewMark
from twinlens.storage.photographs.photographs import MovedFile, NewFile

CHOICE = "choice"
"""The key under which the log keeps the person's decision about a photograph."""


class MoveLog:
    """The log of a library, for a caller that keeps other programs out.

    Parameters
    ----------
    purpose : str
        Why it is written, in words that complete "process 4711 is ...".
    """

    def __init__(self, library: Library, purpose: str) -> None:
        self._library = library
        self._purpose = purpose

    def look_up(self, file: PlannedFile) -> tuple[LocatedPhotograph, LocatedPhotograph | None]:
        """Return a photograph and the one that stays as the library knows them now; refuse other paths than planned.

        Raises
        ------
        TwinlensError
        """
        with self._library.store.reading() as r:
            found = self._library.look_up(r, [file.row.id, *(() if file.kept is None else (file.kept.id,))])
        if [one.path for one in found] != [file.path, *filter(None, [file.kept_path])]:
            raise TwinlensError("The library was changed since this was planned.", "Decide anew.")
        return found[0], None if file.kept is None else found[1]

    def unfinished(self) -> tuple[list[DisposalRow], dict[int, Volume]]:
        """Return the rows whose outcome is open, and the volumes by id."""
        with self._library.store.reading() as r:
            return r.disposals.unfinished(), self._library.volumes(r)

    def replan(self, row: DisposalRow, lies_at: bytes, beside: Sequence[MovedCompanion]) -> DisposalRow:
        """Record that a photograph goes to another place than planned, and return its new row."""
        with self._library.store.writing(self._purpose) as w:
            w.disposals.replan(row.id, lies_at, beside)
            return w.disposals.by_id([row.id])[0]

    def carries(self, row: DisposalRow, change: Sequence[str | None]) -> DisposalRow:
        """Record how a sidecar file changes that takes up what only a photograph says, and return its new row."""
        with self._library.store.writing(self._purpose) as w:
            w.disposals.passed_on(row.id, {**row.known, NOTES: change})
            return w.disposals.by_id([row.id])[0]

    def done(self, row: DisposalRow, lies_at: bytes | None, beside: Sequence[MovedCompanion]) -> None:
        """Record that a photograph has moved: it leaves the library; its marks and own notes pass to what stays."""
        with self._library.store.writing(self._purpose) as w:
            there = w.photographs.by_path(row.volume_id, row.path)
            choice = None
            if there is not None:
                choice = w.comparisons.choice(there.id)
                w.remove([there.id])
            w.problems.clear(row.volume_id, [row.path])
            made = transfer_marks(w, row.content_hash, row.kept, row.kept_name)
            known = {**row.known, MARKS: made, CHOICE: choice, OWN: pass_own_notes(w, row)}
            w.disposals.done(row.id, lies_at, beside, known)

    def linked(self, row: DisposalRow, status: FileStatus, kind: LinkKind) -> None:
        """Record that a photograph is a link now; it stays in the library."""
        with self._library.store.writing(self._purpose) as w:
            known = {**row.known[LINK], "number": status.number, "kind": kind.value}
            w.disposals.done(row.id, None, (), {**row.known, LINK: known})
            _keep_time(w, row, status)

    def unlinked(self, row: DisposalRow, status: FileStatus) -> None:
        """Record that a photograph is a file of its own again."""
        with self._library.store.writing(self._purpose) as w:
            w.disposals.stays(row)
            w.disposals.undone(row.id)
            _keep_time(w, row, status)

    def left(self, rows: Sequence[DisposalRow], reason: Message) -> None:
        """Record that photographs stay where they were, and why."""
        with self._library.store.writing(self._purpose) as w:
            for row in rows:
                w.disposals.left(row.id, reason)

    def returns(self, row: DisposalRow) -> None:
        """Record that a photograph is about to be brought back."""
        with self._library.store.writing(self._purpose) as w:
            w.disposals.returns(row)

    def stays(self, row: DisposalRow) -> None:
        """Record that a photograph which was about to be brought back is still away."""
        with self._library.store.writing(self._purpose) as w:
            w.disposals.stays(row)

    def undone(self, row: DisposalRow, path: bytes) -> None:
        """Record that a photograph is back at its full path, with its marks; the next scan reads it."""
        with self._library.store.writing(self._purpose) as w:
            w.disposals.stays(row)
            take_back_marks(w, [row])
            take_back_own_notes(w, row)
            w.disposals.undone(row.id)
            _register(w, row, path)


def _keep_time(w: Transaction, row: DisposalRow, status: FileStatus) -> None:
    """Record the time of a file that has the content it had, so that it need not be read again."""
    there = w.photographs.by_path(row.volume_id, row.path)
    if there is not None:
        place = there.volume_id, there.folder_id, there.path
        w.photographs.move([MovedFile(there.id, *place, status.size, status.mtime_ns)])


def _register(w: Transaction, row: DisposalRow, path: bytes) -> None:
    """Register a photograph that is back for reading, unless its folder was forgotten meanwhile."""
    there = w.photographs.by_path(row.volume_id, row.path)
    if there is not None:
        w.photographs.mark_present([there.id])
        _choose_again(w, row, there.id)
        return
    try:
        status = os.stat(path)
    except OSError:
        return  # another program has just removed it again
    file = NewFile(row.path, status.st_size, status.st_mtime_ns)
    for folder in w.folders.all():
        if folder.volume_id == row.volume_id and is_in(row.path, folder.path):
            w.passed_over.remove(row.volume_id, [row.path])
            (photograph,) = w.photographs.register(row.volume_id, folder.id, [file]).tolist()
            _choose_again(w, row, photograph)
            return


def _choose_again(w: Transaction, row: DisposalRow, photograph: int) -> None:
    """Restore the person's decision about a photograph that is back."""
    choice = row.known.get(CHOICE)
    if choice is not None and w.comparisons.choice(photograph) is None:
        w.comparisons.choose([photograph], choice)


_PURPOSE = "settling what was being moved away"


def settle_log(library: Library) -> SettleResult:
    """Settle files that were being moved when the program was killed; may be called at any time.

    Raises
    ------
    TwinlensError
        If the library can only be read, or another program is at work on it: perhaps it is moving these very files.
    """
    if not unfinished(library):
        return SettleResult(done=0, left=0, waiting=0)
    with library.store.adding(_PURPOSE):
        return settle_rows(DISK, MoveLog(library, _PURPOSE))


def settle_if_possible(library: Library) -> None:
    """Settle as :func:`settle_log` does, unless the library can only be read, or another program is at work on it."""
    with suppress(TwinlensError):
        settle_log(library)


def settle_rows(disk: Disk, log: MoveLog) -> SettleResult:
    """Settle as :func:`settle_log` does, for a caller that keeps other programs out already."""
    done, left, waiting = 0, 0, 0
    rows, known = log.unfinished()
    for row in rows:
        try:
            if _settle_one(disk, log, row, known[row.volume_id]):
                done += 1
            else:
                left += 1
        except (OSError, TwinlensError):
            waiting += 1  # a disk that is away, or does not permit it now
    return SettleResult(done=done, left=left, waiting=waiting)


def _settle_one(disk: Disk, log: MoveLog, row: DisposalRow, volume: Volume) -> bool:
    """Settle one photograph: record whether it is away, or a link, and return that."""
    if LINK in row.known:
        return _settle_link(disk, log, row, volume)
    files = move_parts(row, disk.locate(volume, row.path))
    volumes = connected_volumes(disk, files, volume)
    check = partial(_check_connected, disk, row, volume, files)
    for file in files:  # wherever they were to go
        file.show(disk, volumes)
    check()
    clear_copies(disk, files)
    check()  # or there was nothing to clear, since a disk has just gone
    unhide(disk, files, volumes)
    settle_notes(disk, row)
    if row.is_returning:
        return _settle_return(disk, log, row, files, volumes, check)
    return _settle_leaving(disk, log, row, files, volumes, check)


def _settle_link(disk: Disk, log: MoveLog, row: DisposalRow, volume: Volume) -> bool:
    """Record whether a photograph is a link, and return that."""
    check_present(volume, disk)
    link = FileLink.of(row, disk.locate(volume, row.path))
    happened = settle_link(disk, link)
    check_present(volume, disk)
    if happened:
        status = disk.status(link.path)
        if row.is_returning:
            log.unlinked(row, status)
        else:
            log.linked(row, status, LinkKind.HARD if is_one_file(disk, link.path, link.kept) else LinkKind.CLONE)
    elif row.is_returning:
        log.stays(row)
    else:
        log.left([row], Message("The program was stopped before it was moved."))
    return happened is not row.is_returning


def _check_connected(disk: Disk, row: DisposalRow, volume: Volume, files: Sequence[FileMove]) -> None:
    """Refuse while a folder that may hold the files is on a disk that is not connected."""
    folders = {os.path.dirname(file.target) for file in files if file.target is not None} & row.volumes.keys()
    check_present(volume, disk)
    check_volumes(row, {folder: disk.volume_of(folder) for folder in sorted(folders)})


def check_volumes(row: DisposalRow, volumes: Volumes) -> None:
    """Refuse folders that are on other volumes than when it was planned to move there.

    Raises
    ------
    TwinlensError
    """
    if any(row.volumes.get(folder, volume) != volume for folder, volume in volumes.items()):
        raise not_connected()


def _settle_return(
    disk: Disk,
    log: MoveLog,
    row: DisposalRow,
    files: Sequence[FileMove],
    volumes: Volumes,
    check: Callable[[], None],
) -> bool:
    """Record whether a photograph that was being brought back is still away, and return that."""
    photograph = files[-1]
    back = photograph.is_at(disk, photograph.source)
    if back:
        roll_back(disk, files, volumes)  # its companions come along
        take_back_notes(disk, row)
    for file in files:
        tidy_return(disk, file)
    check()
    if back:
        log.undone(row, photograph.source)
    else:
        log.stays(row)
    return not back


def _settle_leaving(
    disk: Disk,
    log: MoveLog,
    row: DisposalRow,
    files: Sequence[FileMove],
    volumes: Volumes,
    check: Callable[[], None],
) -> bool:
    """Record whether a photograph has moved, and return that; ``check`` refuses if its disks are not there."""
    photograph = files[-1]
    if photograph.has_left(disk, volumes):
        lies_at = where_it_lies(disk, row, photograph)
        # Where the trash cannot be read, what is gone from its place has gone there.
        unseen = row.destination is None and not trash.can_restore() and not disk.exists(photograph.source)
        if lies_at is not None or unseen:
            went = _those_that_went(disk, row, files, unseen)
            for file in files:  # those that lie elsewhere in the trash, and companions that have stayed
                if file.target is not None and file.original is not None:
                    trash.remove_note(disk, file.target, file.original)
            check()  # else a file that was not seen may be there all the same
            log.done(row, lies_at, went)
            return True
    roll_back(disk, files, volumes)
    take_back_notes(disk, row)
    if disk.exists(photograph.source):
        reason = Message("The program was stopped before it was moved.")
    else:
        reason = Message("The program was stopped, and it is neither at its place nor where it was to go.")
    check()
    log.left([row], reason)
    return False


def _those_that_went(disk: Disk, row: DisposalRow, files: Sequence[FileMove], unseen: bool) -> list[MovedCompanion]:
    """Return the companions that have moved with their photograph."""
    went = []
    for one, file in zip(row.beside, files, strict=False):
        lies_at = where_it_lies(disk, row, file)
        if lies_at is not None or (unseen and not disk.exists(file.source)):
            went.append(one._replace(lies_at=lies_at))
    return went


def unfinished(library: Library) -> list[DisposalRow]:
    """Return the rows of photographs that may or may not have moved yet."""
    with library.store.reading() as r:
        return r.disposals.unfinished()


def move_parts(row: DisposalRow, path: bytes) -> list[FileMove]:
    """Return the files of a row as they move away: its companions, and the photograph last.

    Parameters
    ----------
    path : bytes
        The full path that the photograph has, or had.
    """
    folder = os.path.dirname(path)
    files = []
    for one in row.beside:
        was = joined(folder, os.path.basename(one.path))
        files.append(_part(row, was, one.lies_at, (one.size, one.mtime_ns, one.digest)))
    return [*files, _part(row, path, row.lies_at, (row.size, row.mtime_ns, row.content_hash))]


def _part(row: DisposalRow, was: bytes, lies_at: bytes | None, what: tuple[int, int, bytes]) -> FileMove:
    into_trash = row.destination is None and lies_at is not None and trash.bin_around(lies_at) is not None
    return FileMove.of(was, lies_at, row.mark, was if into_trash else None, what)


_SLACK = timedelta(seconds=2)  # file systems and notes count whole seconds


def where_it_lies(disk: Disk, row: DisposalRow, file: FileMove) -> bytes | None:
    """Return the place of a file that was moved away; None where its content is not there."""
    if file.target is not None and file.is_at(disk, file.target):
        return file.target
    if row.destination is not None or not trash.can_restore():
        return None
    # A disk that is mounted elsewhere by now has brought its trash along.
    written = datetime.fromisoformat(row.created).replace(tzinfo=UTC)
    found = trash.find_trashed(file.source, written.astimezone().replace(tzinfo=None) - _SLACK, disk)
    return next((one.lies_at for one in found if file.is_at(disk, one.lies_at)), None)


def unhide(disk: Disk, files: Sequence[FileMove], volumes: Volumes) -> None:
    """Show files again that are set aside at their source or target.

    Parameters
    ----------
    volumes : Volumes
        Of :func:`volumes_of`, from when they were there.

    Raises
    ------
    OSError, TwinlensError
        If one cannot be shown.
    """
    for file in files:
        file.show(disk, volumes)
        file.show_target(disk, volumes)


def roll_back(disk: Disk, files: Sequence[FileMove], volumes: Volumes) -> None:
    """Bring files back to their places from wherever they are on their way, as :func:`bring_home`.

    Raises
    ------
    OSError, TwinlensError
        If one cannot come.
    """
    for file in reversed(files):
        if file.target is None:
            continue
        if file.is_at(disk, file.target) and file.has_left(disk, volumes):
            bring_home(disk, file, file.target, volumes)
        if file.original is not None:
            trash.remove_note(disk, file.target, file.original)


def tidy_return(disk: Disk, file: FileMove) -> None:
    """Remove the note of a file that is back from the place where it lay."""
    if file.target is not None and file.original is not None:
        trash.remove_note(disk, file.target, None if file.is_at(disk, file.source) else file.original)


def transfer_marks(w: Transaction, gone: bytes, kept: bytes, kept_name: str) -> list[int]:
    """Move the marks of a content without photographs to the content kept in its place.

    A mark that the kept content already has with a third photograph stays as it is.

    Parameters
    ----------
    gone, kept : bytes
        Content hashes; empty where nothing is kept.
    kept_name : str
        Where the kept photograph lies, for people.

    Returns
    -------
    list of int
        Ids of the marks that were made.
    """
    if not kept or gone == kept or w.photographs.by_hash(gone):
        return []
    marked = {one for row in w.marks.of(kept) for one in row.pair}
    new = []
    for row in w.marks.of(gone):
        of_first = row.first == gone
        other, name = (row.second, row.second_name) if of_first else (row.first, row.first_name)
        if other not in marked and other != kept:
            new.append(NewMark(kept, other, kept_name, name, row.similar, row.origin))
    return [row.id for row in w.marks.put(new)]


def take_back_marks(w: Transaction, rows: Sequence[DisposalRow]) -> None:
    """Take back the marks that were passed on when photographs went that are about to be back.

    A mark that photographs still away would have passed on, too, is passed on by them.
    """
    back = {row.content_hash for row in rows}
    passed = [row for row in w.disposals.of_contents(back) if row.known.get(MARKS)]
    w.marks.remove([one for row in passed for one in row.known[MARKS]])
    for row in passed:
        w.disposals.passed_on(row.id, {**row.known, MARKS: []})
    for kept in {row.kept for row in passed}:
        for other in w.disposals.kept_instead(kept):
            made = [] if other.content_hash in back else transfer_marks(w, other.content_hash, kept, other.kept_name)
            if made:
                w.disposals.passed_on(other.id, {**other.known, MARKS: [*other.known.get(MARKS, []), *made]})


MARKS = "marks"
"""The key under which the log keeps the ids of the marks that were made."""


def last_run(library: Library) -> int:
    """Return the number of the last run of which something can be brought back.

    Raises
    ------
    TwinlensError
        If there is none, or another program is at work on the library.
    """
    settle_log(library)  # includes what was being moved when the program was killed
    for entry in disposal_log(library, limit=100_000):
        if entry.state is DisposalOutcome.DONE:
            return entry.run
    raise TwinlensError("There is nothing to undo.", "The log says what was moved and what came back.")
