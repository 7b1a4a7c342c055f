"""Comparing what is new: when duplicates are looked at first, and from then on whenever photographs were added."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, Signal

from app.gui.frame.opened import OpenLibrary
from app.gui.library.adding_controller import LongWork
from app.gui.process.jobs import Jobs
from app.language.spoken import _, _n
from core.message import Message
from core.progress import Progress

_TOLD_EVERY_S = 2.0


class DuplicateComparison(QObject):
    """Compares in its turn among long work.

    Parameters
    ----------
    opened : Opened
    adding : AddingControl
    jobs : Jobs
    parent : QObject
    """

    found = Signal()
    """More is known than before; told now and then while photographs are compared, and at the end."""

    def __init__(self, opened: OpenLibrary, adding: LongWork, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._opened, self._adding = opened, adding
        self._looking = jobs.latest()
        self.running = False
        self._stopped = False  # by the person, or by a fault: it begins again when it is asked for
        self._told_at = 0.0
        adding.changed.connect(self._on_changed)
        adding.progressed.connect(self._on_progressed)

    def begin(self) -> None:
        """Compare what is new with everything."""
        if self.running:
            return
        library, self.running, self._stopped = self._opened.library, True, True
        started = time.monotonic()

        def work(progress: Progress) -> int:
            from app.duplicates.separate_run import compare_in_process

            return compare_in_process(library, progress)

        def then(compared: int) -> None:
            self.running = self._stopped = False
            seconds = max(1, round(time.monotonic() - started))
            self._adding.tell(_n("{count} photo compared", "{count} photos compared", compared) + f" · {seconds} s")
            self.found.emit()

        self._adding.run(_("Comparing photos…"), work, then)

    def begin_unless_stopped(self) -> None:
        """Compare what is new, unless comparing was stopped."""
        if not self._stopped:
            self.begin()

    def _on_changed(self) -> None:
        """Compare what was added, in a library of which duplicates were looked for once."""
        if self.running and not self._adding.busy():  # it was stopped, or failed
            self.running = False
            self.found.emit()
        library = self._opened.library

        def work(__: Progress) -> bool:
            from app.duplicates.comparing import has_begun, waiting_pictures

            return has_begun(library) and waiting_pictures(library) > 0

        def then(more: bool) -> None:
            if more:
                self.begin_unless_stopped()

        if not self.running and not self._stopped:
            self._looking.begin(work).then(then)

    def _on_progressed(self, done: float, total: float, doing: Message) -> None:
        if self.running and time.monotonic() - self._told_at > _TOLD_EVERY_S:
            self._told_at = time.monotonic()
            self.found.emit()
