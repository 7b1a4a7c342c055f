"""The queue of long work: one job at a time, in the order in which it was asked for, shown in the status line.

Pause holds the running job, Cancel ends it and drops those that wait; what is done is kept. When the window closes, no
job has its turn any more.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, Self

from PySide6.QtCore import QObject, Signal

from twinlens.app.gui.process.jobs import Failure, Job, Jobs, Work
from twinlens.app.gui.services.status_line import StatusLine
from twinlens.app.language.texts import _
from twinlens.core.errors import Cancelled
from twinlens.core.message import Message


class QueuedJob(Job):
    """A job that waits for its turn, with the handlers `began` and `over` besides those of a job.

    Attributes
    ----------
    words : str
        What the status line says while it runs.
    name : str
        What it is called while it waits.
    """

    def __init__(self, queue: WorkQueue, words: str, work: Work, name: str) -> None:
        super().__init__()
        self.words, self.work, self.name = words, work, name or words.rstrip("…")
        self.has_begun = False
        self._queue = queue
        self._began: Callable[[], object] | None = None
        self._over: Callable[[Any], object] | None = None

    def began(self, act: Callable[[], object]) -> Self:
        """Set the handler of the beginning, which is called at once where the job has its turn already."""
        self._began = act
        if self.has_begun:
            act()
        return self

    def over(self, act: Callable[[Any], object]) -> Self:
        """Set the handler of every end, called before the next job begins: its result, None where there is none."""
        self._over = act
        return self

    def begin(self) -> None:
        """Note that the job has its turn."""
        self.has_begun = True
        if self._began is not None:
            self._began()

    def cancel(self) -> None:
        """Cancel the work at its next step; before its turn, take it out of the queue."""
        super().cancel()
        if not self.has_begun:
            self._queue.take_out(self)

    def tell_progress(self, done: float, total: float, doing: Message) -> None:
        """Show the progress, and call its handler."""
        if self.running:
            self._queue.show_progress(done, total, doing)
            super().tell_progress(done, total, doing)

    def end(self, result: object, error: BaseException | None) -> Failure | None:
        """Let the next job have its turn, and call the handlers of this end."""
        if not self.running:
            return None
        if self._over is not None:
            self._over(result)
        if self.has_begun:
            self._queue.go_on(stopped=isinstance(error, Cancelled))
        return super().end(result, error)

    def _forget(self) -> None:
        super()._forget()
        self._began = self._over = None


class WorkQueue(QObject):
    """The queue of all long work on a library.

    Parameters
    ----------
    status : StatusLine
        Shows the work, with its time left, Pause and Cancel.
    """

    working = Signal(bool)
    """Work begins, or no more waits."""
    changed = Signal()
    """The library has changed."""
    progressed = Signal(float, float, object)
    """The done part of the work, the total, and the `Message` of the present step."""

    def __init__(self, status: StatusLine, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._status, self._jobs = status, jobs
        self._running: QueuedJob | None = None
        self._waiting: deque[QueuedJob] = deque()
        self._announced = ""
        status.pause_wanted.connect(self._on_pause)
        status.cancel_wanted.connect(self.stop)

    def leave(self) -> None:
        """Disconnect from the status line."""
        self._status.pause_wanted.disconnect(self._on_pause)
        self._status.cancel_wanted.disconnect(self.stop)

    def run(self, words: str, work: Work, name: str = "") -> QueuedJob:
        """Do work in its turn.

        Parameters
        ----------
        words : str
            What the status line says meanwhile.
        name : str
            What it is called while it waits; by default `words`.
        """
        job = QueuedJob(self, words, work, name)
        self._waiting.append(job)
        if self._running is None:
            self._next()
        self._show_waiting()
        return job

    def busy(self) -> bool:
        """Return whether any work runs or waits."""
        return bool(self._running or self._waiting)

    def announce(self, name: str) -> None:
        """Show what may be asked for next; empty for nothing."""
        self._announced = name
        self._show_waiting()

    def last_waiting(self) -> str:
        """Return the name of the last running or waiting work; empty if none."""
        names = [one.name for one in (self._running, *self._waiting) if one is not None]
        return (self._announced or names[-1]) if names else ""

    def tell(self, sentence: str) -> None:
        """Show the result of work."""
        self._status.show_message(sentence)

    def stop(self) -> None:
        """Stop running and waiting work; finished parts are kept."""
        for job in [*self._waiting, *([self._running] if self._running else [])]:
            job.cancel()

    def take_out(self, job: QueuedJob) -> None:
        """Drop work that waits for its turn."""
        self._waiting.remove(job)
        self._show_waiting()
        job.end(None, Cancelled())

    def show_progress(self, done: float, total: float, doing: Message) -> None:
        """Show the progress of the running work."""
        self._status.show_progress(done, total, doing)
        self.progressed.emit(done, total, doing)

    def go_on(self, stopped: bool) -> None:
        """Let the next job have its turn, after one that has ended or was stopped."""
        self._next()
        if stopped:
            self._status.show_message(_("Stopped; what is done is kept."))

    def _next(self) -> None:
        self._running = None
        if not self._waiting:
            self._status.end()
            self.working.emit(False)
            self.changed.emit()
            return
        job = self._running = self._waiting.popleft()
        self._status.begin(job.words)
        self._show_waiting()
        self.working.emit(True)
        job.begin()
        self._jobs.start(job, job.work)

    def _show_waiting(self) -> None:
        announced = [self._announced] if self._announced and self.busy() else []
        self._status.show_queue([*(one.name for one in self._waiting), *announced])

    def _on_pause(self, paused: bool) -> None:
        if self._running is not None:
            self._running.pause(paused)
