"""Changes of the library, made one after another: who marks faster than the disk writes loses nothing."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.gui.process.job import Failure
from app.gui.process.jobs import Jobs, Work
from core.errors import TwinlensError
from core.progress import Progress, silent


@dataclass
class _Change:
    work: Work
    then: Callable[[Any], object]
    failed: Callable[[Failure], object] | None
    written: bool = False

    def write(self, progress: Progress) -> object:
        """Do the work; stopped on the way it is not written, and nothing of it is."""
        try:
            result = self.work(progress)
        except TwinlensError:
            self.written = True  # it cannot be
            raise
        self.written = True
        return result


class ChangeQueue(QObject):
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
        self._waiting: deque[_Change] = deque()  # what is being written is the first
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
        for change in self._waiting:
            if not change.written:
                with suppress(TwinlensError):  # as for what the window keeps: nobody is there to be told
                    change.write(silent)
        self._waiting.clear()

    def _next(self) -> None:
        self._running = bool(self._waiting)
        if not self._running:
            self.written.emit()
            return
        change = self._waiting[0]

        def done(result: object) -> None:
            self._waiting.popleft()
            change.then(result)
            self._next()

        def failed(failure: Failure) -> None:
            self._waiting.popleft()
            (change.failed or self.failed.emit)(failure)
            self._next()

        self._jobs.begin(change.write).then(done).failed(failed)
