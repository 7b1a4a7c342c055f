"""A running advice, one long work among others: the indexes measured so far."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from app.gui.frame.opened import OpenLibrary
from app.gui.lab.queued_work import QueuedWork
from app.gui.library.adding_controller import LongWork
from app.lab.advice.questions import EDITS, NEIGHBOURS, NamedPairs
from app.lab.advice.separate_run import AdviceJob, advise_in_process
from app.language.spoken import _
from core.progress import Progress

if TYPE_CHECKING:
    from app.lab.advice.last_advice import KeptAdvice
    from app.lab.advice.results import AdvicePoint

_TICK_MS = 250


class AdviceRun(QObject):
    """Finds an advice when its turn comes; the status line shows how far it is.

    Parameters
    ----------
    opened : Opened
    adding : AddingControl
        Runs one long work after the other.
    parent : QObject

    Signals
    -------
    found_some
        Other indexes are measured.
    ended : KeptAdvice or None
        The advice is found and kept; there is none where it was stopped before an index was measured, or failed.
    """

    found_some = Signal()
    ended = Signal(object)
    _found = Signal(object)  # a point, from the job

    def __init__(self, opened: OpenLibrary, adding: LongWork, parent: QObject) -> None:
        super().__init__(parent)
        self._opened, self._adding = opened, adding
        self._work: QueuedWork | None = None
        self.truth = EDITS
        self._points: dict[str, AdvicePoint] = {}
        self._new = False
        self._calm = QTimer(self)  # several that come at once are shown together
        self._calm.setSingleShot(True)
        self._calm.setInterval(_TICK_MS)
        self._calm.timeout.connect(self._tell)
        self._found.connect(self._on_found, Qt.ConnectionType.QueuedConnection)

    @property
    def running(self) -> bool:
        """Whether an advice is running, or waits for its turn."""
        return self._work is not None

    @property
    def points(self) -> list[AdvicePoint]:
        """The indexes measured so far."""
        return list(self._points.values())

    def start(self, truth: str, seconds: float, pairs: NamedPairs | None) -> None:
        """Measure for a number of seconds, once nothing else runs."""
        self.truth, self._points, self._new = truth, {}, False
        address, found = self._opened.address, self._found.emit

        def work(progress: Progress) -> KeptAdvice:
            asked = AdviceJob(seconds, NEIGHBOURS if truth == NEIGHBOURS else EDITS, pairs)
            return advise_in_process(address, asked, progress, found)

        one = self._work = QueuedWork(self._adding, self)
        one.ended.connect(self._on_ended)
        one.queue(_("Measuring indexes…"), work)

    def stop(self) -> None:
        """Stop soon, and use what was measured."""
        if self._work is not None:
            self._work.stop()

    def _on_found(self, point: AdvicePoint) -> None:
        if self.running:
            self._points[point.key] = point
            self._new = True
            if not self._calm.isActive():
                self._tell()

    def _tell(self) -> None:
        if self._new and self.running:
            self._new = False
            self._calm.start()
            self.found_some.emit()

    def _on_ended(self, kept: KeptAdvice | None) -> None:
        self._calm.stop()
        self._work, self._points = None, {}
        self.ended.emit(kept)
