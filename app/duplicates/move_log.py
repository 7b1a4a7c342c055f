"""What the library is told of photographs that move: each step of theirs in the log, and what follows from it.

The moving of files (:mod:`app.duplicates.disposing`, ``settling``, ``restoring``) knows the library by this alone, so a
test can put a log in memory in its place.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from app.duplicates.disposal_plan import PlannedFile
from app.duplicates.passed_marks import MARKS, take_back_marks, transfer_marks
from app.library.library import Library, LocatedPhotograph
from core.errors import TwinlensError
from core.message import Message
from core.systems.volume import Volume
from storage.duplicates.disposals import DisposalRow, MovedCompanion
from storage.library.transaction import Transaction
from storage.photographs.photograph_rows import NewFile

CHOICE = "choice"
"""Under this name the log has what a person chose for a photograph."""


class MoveLog:
    """The log of a library, for one who keeps other programs out.

    Parameters
    ----------
    library : Library
    purpose : str
        What it is written for, in words that complete "process 4711 is ...".
    """

    def __init__(self, library: Library, purpose: str) -> None:
        self._library = library
        self._purpose = purpose

    def look_up(self, file: PlannedFile) -> tuple[LocatedPhotograph, LocatedPhotograph]:
        """Return a photograph and the one that stays as the library knows them now; refuse other paths than planned.

        Raises
        ------
        TwinlensError
        """
        with self._library.store.reading() as r:
            found = self._library.look_up(r, [file.row.id, file.kept.id])
        if [one.path for one in found] != [file.path, file.kept_path]:
            raise TwinlensError(Message("The library was changed since this was planned."), Message("Decide anew."))
        return found[0], found[1]

    def unfinished(self) -> tuple[list[DisposalRow], dict[int, Volume]]:
        """Return the rows of which nobody knows what became of them, and the volumes by id."""
        with self._library.store.reading() as r:
            return r.disposals.unfinished(), self._library.volumes(r)

    def replan(self, row: DisposalRow, lies_at: bytes, beside: Sequence[MovedCompanion]) -> DisposalRow:
        """Record that a photograph is to go to another place than planned, and return the row that says so."""
        with self._library.store.writing(self._purpose) as w:
            w.disposals.replan(row.id, lies_at, beside)
            return w.disposals.by_id([row.id])[0]

    def done(self, row: DisposalRow, lies_at: bytes | None, beside: Sequence[MovedCompanion]) -> None:
        """Record that a photograph has moved: it leaves the library, and its marks pass to the one that stays."""
        with self._library.store.writing(self._purpose) as w:
            there = w.photographs.by_path(row.volume_id, row.path)
            choice = None
            if there is not None:
                choice = w.comparisons.choice(there.id)
                w.remove([there.id])
            w.problems.clear(row.volume_id, [row.path])
            made = transfer_marks(w, row.content_hash, row.kept, row.kept_name)
            w.disposals.done(row.id, lies_at, beside, {**row.known, MARKS: made, CHOICE: choice})

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
        """Record that a photograph is back at its full path, with its marks; it is read with the next look."""
        with self._library.store.writing(self._purpose) as w:
            w.disposals.stays(row)
            take_back_marks(w, [row])
            w.disposals.undone(row.id)
            _register(w, row, path)


def _register(w: Transaction, row: DisposalRow, path: bytes) -> None:
    """Have a photograph read that is back, unless its folder was forgotten meanwhile."""
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
