"""A running advice: its progress, and the indexes measured so far."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from app.gui.frame.opened import Opened
from app.gui.process.job import Failure
from app.gui.process.jobs import Jobs
from app.lab.advice.last_advice import KeptAdvice
from app.lab.advice.questions import EDITS, NEIGHBOURS, NamedPairs
from app.lab.advice.separate_run import Advising, advise_aside
from app.language.spoken import _, _n, text
from app.machine.durations import time_left
from core.message import NOTHING, Message
from core.progress import Progress

if TYPE_CHECKING:
    from app.lab.advice.results import AdvicePoint

_TICK_MS = 250


class AdviceRun(QObject):
    """Finds an advice in a job.

    Parameters
    ----------
    jobs : Jobs
    parent : QObject

    Signals
    -------
    ticked
        Some time has passed: `progress` and `points` may have changed.
    done : KeptAdvice
        The advice is found and kept.
    failed : str
        There is no advice: the reason.
    stopped
        It was stopped before an index was measured.
    """

    ticked = Signal()
    done = Signal(object)
    failed = Signal(str)
    stopped = Signal()
    _found = Signal(object)  # a point, from the job

    def __init__(self, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._advising = self._jobs.latest()
        self.opened: Opened | None = None
        """The library of the advice."""
        self.truth = EDITS
        self._points: dict[str, AdvicePoint] = {}
        self._began = self._seconds = 0.0
        self._doing = NOTHING
        self._stopping = self._stale = False
        self._tick = QTimer(self)
        self._tick.setInterval(_TICK_MS)
        self._tick.timeout.connect(self.ticked)
        self._found.connect(self._on_found, Qt.ConnectionType.QueuedConnection)

    @property
    def running(self) -> bool:
        """Whether an advice is running."""
        return self._advising.running

    @property
    def points(self) -> list[AdvicePoint]:
        """The indexes measured so far."""
        return list(self._points.values())

    def take_new(self) -> bool:
        """Return whether an index was measured since the last call."""
        new, self._stale = self._stale, False
        return new

    def start(self, opened: Opened, truth: str, seconds: float, pairs: NamedPairs | None) -> None:
        """Measure for a number of seconds."""
        self.opened, self.truth, self._points = opened, truth, {}
        self._began, self._seconds, self._doing = time.monotonic(), seconds, NOTHING
        self._stopping = self._stale = False
        self._tick.start()
        found = self._found.emit
        asked = Advising(seconds, NEIGHBOURS if truth == NEIGHBOURS else EDITS, pairs)

        def work(progress: Progress) -> KeptAdvice:
            return advise_aside(opened.path, asked, progress, found)

        self._advising.begin(work).then(self._on_done).failed(self._on_failed).stopped(self._on_stopped).progressed(
            self._on_progressed
        )

    def stop(self) -> None:
        """Stop soon, and use what was measured."""
        self._stopping = True
        self._advising.cancel()
        self.ticked.emit()

    def progress(self) -> tuple[float, str, str, str]:
        """Return the spent share of the time, and texts: the work, the number measured, the time left."""
        spent = time.monotonic() - self._began
        left, count = self._seconds - spent, len(self._points)
        return (
            spent / self._seconds,
            _("Stopping…") if self._stopping else text(self._doing),
            _n("{count} measured", "{count} measured", count) if count else "",
            _("{time_left} left", time_left=time_left(left)) if left > 0 else _("any moment now"),
        )

    def _on_found(self, point: AdvicePoint) -> None:
        if self.running:
            self._points[point.key] = point
            self._stale = True

    def _on_progressed(self, __: float, ___: float, doing: Message) -> None:
        self._doing = doing

    def _on_done(self, kept: KeptAdvice) -> None:
        self._end()
        self.done.emit(kept)

    def _on_failed(self, failure: Failure) -> None:
        self._end()
        self.failed.emit(failure.words())

    def _on_stopped(self) -> None:
        self._end()
        self.stopped.emit()

    def _end(self) -> None:
        self._tick.stop()
        self._points = {}
