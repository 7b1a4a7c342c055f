"""A job is work on another thread whose result arrives on the window's thread; only here are there threads.

Changes of the library are written in a queue, one after another, so that marks made faster than the disk writes are not
lost. Drawing is done in turns, so that the window stays responsive between two of them.
"""

from __future__ import annotations

import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from app.language.texts import _, next_step, text
from app.machine.background_work import stopped_by
from core.errors import Cancelled, Remedy, TwinlensError, refused_by_system
from core.message import NOTHING, Message
from core.progress import Progress, silent

Work = Callable[[Progress], Any]
_THREADS = 4  # one for long work, the others for what a person waits for
_SWITCH_S = 0.0005
"""The window's thread asks for the interpreter at every call of Qt: it must not wait Python's usual 5 ms each time."""

_TOLD_EVERY_S = 0.05  # more progress than that nobody sees, and the window's thread would have to take it


class LatestJob:
    """Jobs of which only the newest counts: the one before is cancelled and dropped when another begins."""

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs
        self._job: Job | None = None

    def begin(self, work: Work) -> Job:
        """Begin some work in place of what runs."""
        if self._job is not None:
            self._job.drop()
        self._job = self._jobs.begin(work)
        return self._job

    @property
    def running(self) -> bool:
        """Whether the newest has not ended yet."""
        return self._job is not None and self._job.running

    def cancel(self) -> None:
        """Ask it to stop."""
        if self._job is not None:
            self._job.cancel()

    def drop(self) -> None:
        """Have nothing follow from it any more."""
        if self._job is not None:
            self._job.drop()

    def pause(self, paused: bool) -> None:
        """Have it wait at its next step, or go on."""
        if self._job is not None:
            self._job.pause(paused)


class Jobs(QObject):
    """A few threads, and the way back from them."""

    failed = Signal(object)
    """A `Failure` for which the job's owner has said nothing."""
    _ended = Signal(object, object, object)
    _progressed = Signal(object, float, float, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._threads = ThreadPoolExecutor(max_workers=_THREADS, thread_name_prefix="window")
        self._finished = False
        sys.setswitchinterval(_SWITCH_S)
        self._running: set[Job] = set()
        self._ended.connect(self._on_ended, Qt.ConnectionType.QueuedConnection)
        self._progressed.connect(self._on_progressed, Qt.ConnectionType.QueuedConnection)

    def begin(self, work: Work) -> Job:
        """Do some work on another thread. While the window closes nothing new is begun: the job is dropped."""
        job = Job()
        if self._finished:
            job.drop()
            return job
        self._running.add(job)
        self._threads.submit(self._run, job, work)
        return job

    def latest(self) -> LatestJob:
        """Return a place for jobs of which only the newest counts."""
        return LatestJob(self)

    def busy(self) -> bool:
        """Return whether anything runs whose end somebody waits for."""
        return any(job.running for job in self._running)

    @property
    def finished(self) -> bool:
        """Whether nothing new is begun any more."""
        return self._finished

    def leave(self) -> None:
        """Begin nothing new, and drop what runs; it may come to its end."""
        self._finished = True
        for job in self._running:
            job.drop()

    def finish(self) -> None:
        """Stop everything and wait for it; before the library is closed."""
        self.leave()
        self._threads.shutdown(wait=True, cancel_futures=True)
        self._running.clear()

    def _run(self, job: Job, work: Work) -> None:
        told = 0.0

        def progress(done: float, total: float, doing: Message = NOTHING) -> None:
            nonlocal told
            job.wait()
            now = time.monotonic()
            if now - told >= _TOLD_EVERY_S:
                told = now
                self._progressed.emit(job, float(done), float(total), doing)

        try:
            with stopped_by(job.look):
                self._ended.emit(job, work(progress), None)
        except Exception as error:  # noqa: BLE001 (the job runner's catch: a failed job is told, and the window goes on)
            self._ended.emit(job, None, error)

    def _on_progressed(self, job: Job, done: float, total: float, doing: Message) -> None:
        job.tell_progress(done, total, doing)

    def _on_ended(self, job: Job, result: object, error: BaseException | None) -> None:
        self._running.discard(job)
        failure = job.end(result, error)
        if failure is not None:
            self.failed.emit(failure)


@dataclass(frozen=True)
class Failure:
    """Why a job failed: what is so, what to do next, and what the program can do about it."""

    sentence: str
    next_step: str
    remedy: Remedy | None = None

    def words(self) -> str:
        """Return both sentences."""
        return f"{self.sentence} {self.next_step}".strip()


class Job:
    """Work under way on another thread. What follows from it is said with `then`, `failed`, `progressed`, `stopped`.

    All four are called on the window's thread, and give the job back, so that they can be said in one expression.
    A failure for which nothing was said is told by :attr:`Jobs.failed`.
    """

    def __init__(self) -> None:
        self._then: Callable[[Any], object] | None = None
        self._failed: Callable[[Failure], object] | None = None
        self._progressed: Callable[[float, float, Message], object] | None = None
        self._stopped: Callable[[], object] | None = None
        self._stop, self._goes_on = threading.Event(), threading.Event()
        self._goes_on.set()
        self._running = True
        self._dropped = False

    def then(self, act: Callable[[Any], object]) -> Job:
        """Call this with the result."""
        self._then = act
        return self

    def failed(self, act: Callable[[Failure], object]) -> Job:
        """Call this if the work fails."""
        self._failed = act
        return self

    def progressed(self, act: Callable[[float, float, Message], object]) -> Job:
        """Call this now and then with how much is done, of how much, and what is being done."""
        self._progressed = act
        return self

    def stopped(self, act: Callable[[], object]) -> Job:
        """Call this if the work ends because it was cancelled."""
        self._stopped = act
        return self

    @property
    def running(self) -> bool:
        """Whether its end is still to come."""
        return self._running

    def cancel(self) -> None:
        """Ask the work to stop at its next step; what it has written is kept."""
        self._stop.set()
        self._goes_on.set()

    def pause(self, paused: bool) -> None:
        """Have the work wait at its next step, or go on."""
        if not self._stop.is_set():
            (self._goes_on.clear if paused else self._goes_on.set)()

    def drop(self) -> None:
        """Cancel it, and call nothing any more."""
        self.cancel()
        self._dropped, self._running = True, False
        self._forget()

    def look(self) -> None:
        """Raise `Cancelled` if it was cancelled; called by the work."""
        if self._stop.is_set():
            raise Cancelled

    def wait(self) -> None:
        """Wait while it is paused; called by the work."""
        self._goes_on.wait()
        self.look()

    def tell_progress(self, done: float, total: float, doing: Message) -> None:
        """Call what was said for progress."""
        if self._progressed is not None and not self._dropped:
            self._progressed(done, total, doing)

    def end(self, result: object, error: BaseException | None) -> Failure | None:
        """Call what was said for this end; return the failure if nothing was."""
        if self._dropped:
            return None
        self._running = False
        then, failed, stopped = self._then, self._failed, self._stopped
        self._forget()
        if isinstance(error, Cancelled):
            if stopped is not None:
                stopped()
        elif error is not None:
            failure = _failure(error)
            if failed is None:
                return failure
            failed(failure)
        elif then is not None:
            then(result)
        return None

    def _forget(self) -> None:
        """Hold widgets no longer: the last to let go of a job may be the thread that did it."""
        self._then = self._failed = self._progressed = self._stopped = None


def _failure(error: BaseException) -> Failure:
    """Return what is told of an error; one of the program's own is logged."""
    if isinstance(error, OSError):
        error = refused_by_system(error) or error
    if isinstance(error, TwinlensError):
        remedy = error.next_step if isinstance(error.next_step, Remedy) else None
        return Failure(text(error.message), next_step(error), remedy)
    import logging

    logging.getLogger("twinlens").error("unexpected error", exc_info=error)
    words = _("Twinlens made a mistake ({fault}).", fault=f"{type(error).__name__}: {error}")
    return Failure(words, _("The log says more: see Settings."))


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
    """One queue for everything short that is written."""

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


_BETWEEN_MS = 10


class DrawingTurns(QObject):
    """Calls functions one after the other, each in a turn of its own."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._left: list[Callable[[], object]] = []
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_BETWEEN_MS)
        self._soon.timeout.connect(self._take_one)

    def begin(self, *turns: Callable[[], object]) -> None:
        """Take these turns in place of those that are left."""
        self._left = list(turns)
        self._soon.start()

    def are_over(self) -> bool:
        """Return whether none is left."""
        return not self._left

    def _take_one(self) -> None:
        if self._left:
            self._left.pop(0)()
        if self._left:
            self._soon.start()
