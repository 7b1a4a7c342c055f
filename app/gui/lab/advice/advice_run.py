"""A running advice, one long work among others: the indexes measured so far."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from app.gui.frame.opened import Opened
from app.gui.library.adding_controller import AddingControl
from app.lab.advice.questions import EDITS, NEIGHBOURS, NamedPairs
from app.lab.advice.separate_run import Advising, advise_aside
from app.language.spoken import _, text
from core.errors import TwinlensError
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
    done : KeptAdvice
        The advice is found and kept.
    ended : str
        There is no advice: the reason, or nothing where it was stopped before an index was measured.
    """

    found_some = Signal()
    done = Signal(object)
    ended = Signal(str)
    _found = Signal(object)  # a point, from the job
    _over = Signal(object, str)  # from the job: the advice, or why there is none

    def __init__(self, opened: Opened, adding: AddingControl, parent: QObject) -> None:
        super().__init__(parent)
        self._opened, self._adding = opened, adding
        self.running = False
        """Whether an advice is running, or waits for its turn."""
        self.truth = EDITS
        self._began = self._unwanted = self._new = False
        self._points: dict[str, AdvicePoint] = {}
        self._calm = QTimer(self)  # several that come at once are shown together
        self._calm.setSingleShot(True)
        self._calm.setInterval(_TICK_MS)
        self._calm.timeout.connect(self._tell)
        self._found.connect(self._on_found, Qt.ConnectionType.QueuedConnection)
        self._over.connect(self._on_over, Qt.ConnectionType.QueuedConnection)

    @property
    def points(self) -> list[AdvicePoint]:
        """The indexes measured so far."""
        return list(self._points.values())

    def start(self, truth: str, seconds: float, pairs: NamedPairs | None) -> None:
        """Measure for a number of seconds, once nothing else runs."""
        self.running, self.truth, self._points = True, truth, {}
        self._began = self._unwanted = self._new = False
        path, found = self._opened.path, self._found.emit

        def work(progress: Progress) -> None:
            kept, why = None, ""
            try:
                if not self._unwanted:
                    self._began = True
                    asked = Advising(seconds, NEIGHBOURS if truth == NEIGHBOURS else EDITS, pairs)
                    kept = advise_aside(path, asked, progress, found)
            except TwinlensError as error:
                why = text(error)  # said at the question
            finally:
                self._over.emit(kept, why)

        self._adding.run(_("Measuring indexes…"), work, lambda __: None, lambda: self._on_over(None, ""))

    def stop(self) -> None:
        """Stop soon, and use what was measured; what waits for its turn does not begin."""
        if self._began:
            self._adding.stop()
        else:
            self._unwanted = True
            self._on_over(None, "")

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

    def _on_over(self, kept: KeptAdvice | None, why: str) -> None:
        if not self.running:
            return
        self._calm.stop()
        self.running, self._points = False, {}
        if kept is None:
            self.ended.emit(why)
        else:
            self.done.emit(kept)
