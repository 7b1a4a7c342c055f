"""Changes of runs: renaming, and deleting, which can be undone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.gui.frame.opened import OpenLibrary
from app.gui.frame.undo import UndoHistory
from app.gui.process.jobs import Jobs
from app.language.spoken import _, _n
from core.progress import Progress

if TYPE_CHECKING:
    from app.lab.experiments.runs import DeletedRun


class RunChanges(QObject):
    """Changes the runs of the library.

    Parameters
    ----------
    undoing : Undoing
    jobs : Jobs
    parent : QObject

    Signals
    -------
    changed
        The list of runs has changed.
    brought_back : list of int
        Ids of restored runs.
    """

    changed = Signal()
    brought_back = Signal(list)

    def __init__(self, undoing: UndoHistory, opened: OpenLibrary, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._opened = opened
        self._undoing, self._jobs = undoing, jobs

    def rename(self, before: str, name: str) -> None:
        """Rename a run."""
        opened = self._opened

        def work(__: Progress) -> object:
            from app.lab.experiments.runs import rename_run

            return rename_run(opened.library, before, name)

        self._jobs.begin(work).then(lambda __: self.changed.emit())

    def delete(self, names: Sequence[str]) -> None:
        """Delete runs, and offer to undo it."""
        opened = self._opened

        def work(__: Progress) -> list[DeletedRun]:
            from app.lab.experiments.runs import delete_run

            return [delete_run(opened.library, name) for name in names]

        def offer(deleted: list[DeletedRun]) -> None:
            words = (
                _("Deleted “{name}”.", name=names[0])
                if len(names) == 1
                else _n("Deleted {count} experiment.", "Deleted {count} experiments.", len(names))
            )
            if opened is self._opened:  # of a library that is gone nothing can be taken back here
                self.changed.emit()
                self._undoing.offer(words, lambda: self._restore(deleted))

        self._jobs.begin(work).then(offer)

    def _restore(self, deleted: list[DeletedRun]) -> None:
        opened = self._opened

        def work(__: Progress) -> list[int]:
            from app.lab.experiments.runs import restore_run

            return [restore_run(opened.library, one).id for one in deleted]

        self._jobs.begin(work).then(self.brought_back.emit)
