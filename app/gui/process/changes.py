"""Changes of the library, made one after another: who marks faster than the disk writes loses nothing."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple

from PySide6.QtCore import QObject, Signal

from app.gui.process.job import Failure
from app.gui.process.jobs import Jobs, Work


class _Change(NamedTuple):
    work: Work
    then: Callable[[Any], object]
    failed: Callable[[Failure], object] | None


class Changes(QObject):
    """One queue for everything short that is written.

    Parameters
    ----------
    jobs : Jobs
    parent : QObject
    """

    written = Signal()
    """Everything that was asked for is in the library."""
    failed = Signal(object)
    """The `Failure` of a change whose owner says nothing of it."""

    def __init__(self, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._waiting: deque[_Change] = deque()
        self._running = False

    @property
    def running(self) -> bool:
        """Whether something is being written, or waits for it."""
        return self._running

    def do(self, work: Work, then: Callable[[Any], object], failed: Callable[[Failure], object] | None = None) -> None:
        """Write something when all before it is written; `then` gets its result."""
        self._waiting.append(_Change(work, then, failed))
        if not self._running:
            self._next()

    def finish(self) -> None:
        """Write what still waits, before the library is closed; no job runs any more."""
        while self._waiting:
            self._waiting.popleft().work(_no_progress)

    def _next(self) -> None:
        self._running = bool(self._waiting)
        if not self._running:
            self.written.emit()
            return
        change = self._waiting.popleft()

        def done(result: object) -> None:
            change.then(result)
            self._next()

        def failed(failure: Failure) -> None:
            (change.failed or self.failed.emit)(failure)
            self._next()

        self._jobs.begin(change.work).then(done).failed(failed)


def _no_progress(done: float, total: float, doing: object = None) -> None:
    """Tell nobody: the window closes."""
