"""A look now and then at what happens to the open library from outside the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.gui.frame.opened import OpenLibrary
from app.gui.process.jobs import Jobs
from core.progress import Progress

if TYPE_CHECKING:
    from app.library.outside_changes import LibrarySnapshot

_EVERY_MS = 2000
_AFTER_CHANGE_MS = 5000  # another program may be adding: showing that must not take all the time


class LibraryWatch(QObject):
    """Watches the library for changes by other programs; the window shows its own changes anyway.

    Parameters
    ----------
    opened : Opened
    jobs : Jobs
    parent : QObject
    """

    lost = Signal(object)
    """The library's file is gone: the `Failure`."""
    changed = Signal()
    """Photographs, indexes or disks are others than at the last look."""

    def __init__(self, opened: OpenLibrary, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._opened = opened
        self._looking = jobs.latest()
        self._seen: LibrarySnapshot | None = None
        self._growing = False
        self._own = False
        self._timer = QTimer(self)
        self._timer.setInterval(_EVERY_MS)
        self._timer.timeout.connect(self.look)
        self._timer.start()
        self.look()

    def stop(self) -> None:
        """Look no more."""
        self._timer.stop()

    def rest(self, growing: bool) -> None:
        """Pause while the window itself adds photographs."""
        self._growing = growing
        self._own = True  # nor what it has added, at the first look afterwards

    def look(self) -> None:
        """Look."""
        opened, before = self._opened, self._seen
        if self._looking.running:
            return

        def work(_: Progress) -> LibrarySnapshot:
            from app.library.outside_changes import look_for_changes

            return look_for_changes(opened.library, before)

        self._looking.begin(work).then(self._on_seen).failed(self.lost.emit)

    def _on_seen(self, seen: LibrarySnapshot) -> None:
        before, self._seen = self._seen, seen
        quiet, self._own = self._growing or self._own, False
        other = before is not None and before.facts != seen.facts and not quiet
        self._timer.setInterval(_AFTER_CHANGE_MS if other else _EVERY_MS)
        if other:
            self.changed.emit()
