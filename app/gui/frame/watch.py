"""A look now and then at what happens to the open library from outside the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.gui.frame.opened import Opened
from app.gui.process.jobs import Jobs
from core.progress import Progress

if TYPE_CHECKING:
    from app.library.outside_changes import Seen

TOPIC = "watching"
_EVERY_MS = 2000
_AFTER_CHANGE_MS = 5000  # another program may be adding: showing that must not take all the time


class Watch(QObject):
    """Tells what others did; what the window itself does to the library it shows without being told.

    That the library's file is gone comes as a failure of the topic ``watching``.
    """

    changed = Signal()
    """Photographs, indexes or disks are others than at the last look."""

    def __init__(self, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._opened: Opened | None = None
        self._seen: Seen | None = None
        self._growing = False
        self._own = False
        self._timer = QTimer(self)
        self._timer.setInterval(_EVERY_MS)
        self._timer.timeout.connect(self.look)

    def take(self, opened: Opened | None) -> None:
        """Watch this library from now on; None for none."""
        self._opened, self._seen = opened, None
        if opened is None:
            self._timer.stop()
        else:
            self._timer.start()
            self.look()

    def rest(self, growing: bool) -> None:
        """Tell nothing while the window itself adds photographs; it looks at them anyway."""
        self._growing = growing
        self._own = True  # nor what it has added, at the first look afterwards

    def look(self) -> None:
        """Look."""
        opened, before = self._opened, self._seen
        if opened is None or self._jobs.is_running(TOPIC):
            return

        def work(_: Progress) -> Seen:
            from app.library.outside_changes import look

            return look(opened.library, before)

        self._jobs.start(TOPIC, work, self._on_seen)

    def _on_seen(self, seen: Seen) -> None:
        before, self._seen = self._seen, seen
        quiet, self._own = self._growing or self._own, False
        other = before is not None and before.facts != seen.facts and not quiet
        self._timer.setInterval(_AFTER_CHANGE_MS if other else _EVERY_MS)
        if other:
            self.changed.emit()
