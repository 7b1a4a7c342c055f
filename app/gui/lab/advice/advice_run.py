"""Advice while it is worked out: how far it is, and what is measured so far."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from app.gui.frame.opened import Opened
from app.gui.lab.advice import advice_words
from app.gui.lab.advice.advice_facts import EDITS, NEIGHBOURS
from app.gui.process.jobs import Jobs
from app.lab.advice.last_advice import KeptAdvice
from app.lab.advice.questions import NamedPairs
from app.lab.advice.separate_run import Advising, advise_aside
from app.language.spoken import _, _n, text
from app.machine.durations import time_left
from core.message import Message
from core.progress import Progress

if TYPE_CHECKING:
    from app.lab.advice.results import AdvicePoint

ADVISING = "advice"
_TICK_MS = 250


class AdviceRun(QObject):
    """Works advice out in a job.

    Parameters
    ----------
    jobs : Jobs
    parent : QObject

    Signals
    -------
    ticked
        Some time has passed: `progress` and `points` may be others.
    done : KeptAdvice
        It is worked out, and kept.
    failed : str
        Nothing came of it, and why.
    stopped
        Before anything was measured.
    """

    ticked = Signal()
    done = Signal(object)
    failed = Signal(str)
    stopped = Signal()
    _found = Signal(object)  # a point, from the job

    def __init__(self, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self.opened: Opened | None = None
        """The library that advice is worked out of."""
        self.truth = EDITS
        self._points: dict[str, AdvicePoint] = {}
        self._began = self._seconds = 0.0
        self._doing = ""
        self._stopping = self._stale = False
        self._tick = QTimer(self)
        self._tick.setInterval(_TICK_MS)
        self._tick.timeout.connect(self.ticked)
        self._found.connect(self._on_found, Qt.ConnectionType.QueuedConnection)
        jobs.progressed.connect(self._on_progressed)
        jobs.failed.connect(self._on_failed)
        jobs.stopped.connect(self._on_stopped)

    @property
    def running(self) -> bool:
        """Whether advice is being worked out."""
        return self._jobs.is_running(ADVISING)

    @property
    def points(self) -> list[AdvicePoint]:
        """What is measured so far."""
        return list(self._points.values())

    def take_new(self) -> bool:
        """Return whether something was measured since this was asked last."""
        new, self._stale = self._stale, False
        return new

    def start(self, opened: Opened, truth: str, seconds: float, pairs: NamedPairs | None) -> None:
        """Measure, as long as is said."""
        self.opened, self.truth, self._points = opened, truth, {}
        self._began, self._seconds, self._doing = time.monotonic(), seconds, ""
        self._stopping = self._stale = False
        self._tick.start()
        found = self._found.emit
        asked = Advising(seconds, NEIGHBOURS if truth == NEIGHBOURS else EDITS, pairs)

        def work(progress: Progress) -> KeptAdvice:
            return advise_aside(opened.path, asked, progress, found)

        self._jobs.start(ADVISING, work, self._on_done)

    def stop(self) -> None:
        """Stop soon; what is known gives the answer."""
        self._stopping = True
        self._jobs.cancel(ADVISING)
        self.ticked.emit()

    def let_go(self) -> None:
        """Stop, and forget what is measured: there is another library now."""
        self._jobs.cancel(ADVISING)
        self._end()
        self._stopping, self._doing = False, ""

    def progress(self) -> tuple[float, str, str, str]:
        """Return the share of the time that is spent, what is being done, what is measured, and how long still."""
        spent = time.monotonic() - self._began
        left, count = self._seconds - spent, len(self._points)
        doing = advice_words.trying(self._doing) if self._doing else ""
        return (
            spent / self._seconds,
            _("stopping…") if self._stopping else doing,
            _n("{count} measured", "{count} measured", count) if count else "",
            _("{time_left} left", time_left=time_left(left)) if left > 0 else _("any moment now"),
        )

    def _on_found(self, point: AdvicePoint) -> None:
        if self.running:
            self._points[point.key] = point
            self._stale = True

    def _on_progressed(self, topic: str, done: float, total: float, doing: Message) -> None:
        if topic == ADVISING:
            self._doing = text(doing)

    def _on_done(self, kept: KeptAdvice) -> None:
        self._end()
        self.done.emit(kept)

    def _on_failed(self, topic: str, sentence: str, next_step: str) -> None:
        if topic == ADVISING:
            self._end()
            self.failed.emit(f"{sentence} {next_step}".strip())

    def _on_stopped(self, topic: str) -> None:
        if topic == ADVISING:
            self._end()
            self.stopped.emit()

    def _end(self) -> None:
        self._tick.stop()
        self._points = {}
