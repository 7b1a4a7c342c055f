"""A job is work on another thread whose result arrives on the window's thread; only here are there threads.

Changes of the library are written in a queue, one after another, so that marks made faster than the disk writes are
not lost. Drawing is done in turns, so that the window stays responsive between two of them. A widget must not be
destroyed on another thread, so Python's own collector is off: young objects are collected every quarter of a second
at most, all objects preferably while no job runs.
"""

from __future__ import annotations

import gc
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Self

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication

from twinlens.app.language.texts import _, next_step, text
from twinlens.core.errors import Cancelled, Remedy, TwinlensError, refused_by_system
from twinlens.core.message import NOTHING, Message
from twinlens.core.progress import Progress, silent, stopped_by

Work = Callable[[Progress], Any]
_THREADS = 4  # one for long work, the others for jobs that a person waits for
_SWITCH_S = 0.0005
"""Switch interval of threads: the window's thread takes the interpreter at every call of Qt, too often for the
usual 5 ms."""

_TOLD_EVERY_S = 0.05  # more frequent progress is invisible, and would burden the window's thread


class LatestJob:
    """A slot for jobs of which only the newest counts: a new job cancels and drops the one before."""

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs
        self._job: Job | None = None

    def begin(self, work: Work) -> Job:
        """Begin work in place of the running job."""
        if self._job is not None:
            self._job.drop()
        self._job = self._jobs.begin(work)
        return self._job

    @property
    def running(self) -> bool:
        """Return whether the newest job has not ended yet."""
        return self._job is not None and self._job.running

    def cancel(self) -> None:
        """Cancel the job."""
        if self._job is not None:
            self._job.cancel()

    def drop(self) -> None:
        """Drop the job, so that nothing follows from it."""
        if self._job is not None:
            self._job.drop()

    def pause(self, paused: bool) -> None:
        """Pause the job at its next step, or continue it."""
        if self._job is not None:
            self._job.pause(paused)


class Jobs(QObject):
    """A pool of a few threads, and the way back to the window's thread."""

    failed = Signal(object)
    """The `Failure` of a job without a handler for failures."""
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
        """Begin work on another thread; while the window closes, the job is dropped at once."""
        job = Job()
        self.start(job, work)
        return job

    def start(self, job: Job, work: Work) -> None:
        """Begin the work of a job that is there already, as :meth:`begin`."""
        if self._finished:
            job.drop()
            return
        self._running.add(job)
        self._threads.submit(self._run, job, work)

    def latest(self) -> LatestJob:
        """Return a slot for jobs of which only the newest counts."""
        return LatestJob(self)

    def busy(self) -> bool:
        """Return whether any job runs that was not dropped."""
        return any(job.running for job in self._running)

    @property
    def finished(self) -> bool:
        """Return whether no new job is begun any more."""
        return self._finished

    def leave(self) -> None:
        """Begin no new job, and drop the running ones, which may end by themselves."""
        self._finished = True
        for job in self._running:
            job.drop()

    def finish(self) -> None:
        """Stop all jobs and wait for their ends, before the library is closed."""
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
    """The failure of a job: the reason, the next step, and the remedy that the program offers."""

    sentence: str
    next_step: str
    remedy: Remedy | None = None

    def words(self) -> str:
        """Return both sentences."""
        return f"{self.sentence} {self.next_step}".strip()


class Job:
    """Work on another thread, with the handlers `then`, `failed`, `progressed` and `stopped`.

    Handlers are called on the window's thread; the four methods return the job, so that calls can be chained.
    A failure without a handler is signalled by :attr:`Jobs.failed`.
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

    def then(self, act: Callable[[Any], object]) -> Self:
        """Set the handler of the result."""
        self._then = act
        return self

    def failed(self, act: Callable[[Failure], object]) -> Self:
        """Set the handler of a failure."""
        self._failed = act
        return self

    def progressed(self, act: Callable[[float, float, Message], object]) -> Self:
        """Set the handler of progress: the done part, the total, and the present step."""
        self._progressed = act
        return self

    def stopped(self, act: Callable[[], object]) -> Self:
        """Set the handler of a cancelled end."""
        self._stopped = act
        return self

    @property
    def running(self) -> bool:
        """Return whether the job has not ended yet."""
        return self._running

    def cancel(self) -> None:
        """Cancel the work at its next step; written changes are kept."""
        self._stop.set()
        self._goes_on.set()

    def pause(self, paused: bool) -> None:
        """Pause the work at its next step, or continue it."""
        if not self._stop.is_set():
            (self._goes_on.clear if paused else self._goes_on.set)()

    def drop(self) -> None:
        """Cancel the work, and call no handler any more."""
        self.cancel()
        self._dropped, self._running = True, False
        self._forget()

    def look(self) -> None:
        """Raise `Cancelled` if the job was cancelled; called by the work."""
        if self._stop.is_set():
            raise Cancelled

    def wait(self) -> None:
        """Wait while the job is paused; called by the work."""
        self._goes_on.wait()
        self.look()

    def tell_progress(self, done: float, total: float, doing: Message) -> None:
        """Call the handler of progress."""
        if self._progressed is not None and not self._dropped:
            self._progressed(done, total, doing)

    def end(self, result: object, error: BaseException | None) -> Failure | None:
        """Call the handler of this end; return a failure that has none."""
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
        """Release the handlers and their widgets, since the job's thread may be the last to release the job."""
        self._then = self._failed = self._progressed = self._stopped = None


def _failure(error: BaseException) -> Failure:
    """Return the failure of an error; an unexpected error is logged."""
    if isinstance(error, OSError):
        error = refused_by_system(error) or error
    elif not isinstance(error, TwinlensError):
        import logging

        from twinlens.core.declaration.family import fault_of_package

        logging.getLogger("twinlens").error("unexpected error", exc_info=error)
        error = fault_of_package(error) or error
    if isinstance(error, TwinlensError):
        remedy = error.next_step if isinstance(error.next_step, Remedy) else None
        return Failure(text(error.message), next_step(error), remedy)
    words = _("Twinlens made a mistake ({fault}).", fault=f"{type(error).__name__}: {error}")
    return Failure(words, _("The log says more: see Settings."))


class ChangeQueue(QObject):
    """The queue of all short changes of the library."""

    written = Signal()
    """All requested changes are in the library."""
    failed = Signal(object)
    """The `Failure` of a change without a handler."""

    def __init__(self, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._waiting: deque[_Change] = deque()  # the first one is being written
        self._running = False

    @property
    def running(self) -> bool:
        """Return whether any change is being written or waits."""
        return self._running

    def do(self, work: Work, then: Callable[[Any], object], failed: Callable[[Failure], object] | None = None) -> None:
        """Write a change after all earlier ones; `then` gets its result."""
        self._waiting.append(_Change(work, then, failed))
        if not self._running:
            self._next()

    def finish(self) -> None:
        """Write the waiting changes before the library is closed, when no job runs any more."""
        for change in self._waiting:
            if not change.written:
                with suppress(TwinlensError):  # nobody is left to see the error
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


@dataclass
class _Change:
    work: Work
    then: Callable[[Any], object]
    failed: Callable[[Failure], object] | None
    written: bool = False

    def write(self, progress: Progress) -> object:
        """Do the work; an interrupted change stays unwritten, and leaves nothing behind."""
        try:
            result = self.work(progress)
        except TwinlensError:
            self.written = True  # refused for good: it is not tried again
            raise
        self.written = True
        return result


_BETWEEN_MS = 10


class DrawingTurns(QObject):
    """Calls functions one after the other, each in its own turn of the event loop."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._left: list[Callable[[], object]] = []
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_BETWEEN_MS)
        self._soon.timeout.connect(self._take_one)

    def begin(self, *turns: Callable[[], object]) -> None:
        """Begin these turns in place of the remaining ones."""
        self._left = list(turns)
        self._soon.start()

    def are_over(self) -> bool:
        """Return whether no turn is left."""
        return not self._left

    def _take_one(self) -> None:
        if self._left:
            self._left.pop(0)()
        if self._left:
            self._soon.start()


_LOOK_MS = 250
_YOUNG, _MIDDLE = gc.get_threshold()[:2]
_ENOUGH, _MOST = 20, 1_000
"""Collections of younger objects after which all are collected: while no job runs, and in any case."""
_MUCH, _LONG_S = 30_000, 0.03
"""Objects that are new since the last look, less those that went, and how long it takes to look through so many."""
_AWAY_MS = 10_000


class GarbageCollector(QObject):
    """Collects garbage in place of Python, whose collector runs in whichever thread allocates.

    A widget that another thread collects is destroyed there, and Qt crashes. While objects are looked through nothing
    is drawn: a collection of all waits until no job runs. The groups of a large library alone would take a second, so
    many objects that come at once are exempt (:func:`gc.freeze`): a result has no cycles, and goes with the last who
    holds it. So is what took long to look through, and stays. All are looked through when the person has turned to
    another program.

    Parameters
    ----------
    busy : callable
        Whether any job runs.
    """

    def __init__(self, busy: Callable[[], bool], parent: QObject) -> None:
        super().__init__(parent)
        self._busy = busy
        self._settled = False
        self._before = gc.isenabled()
        gc.disable()
        self._clock, self._away = QTimer(self), QTimer(self)
        self._clock.setInterval(_LOOK_MS)
        self._clock.timeout.connect(self.look)
        self._clock.start()
        self._away.setSingleShot(True)
        self._away.setInterval(_AWAY_MS)
        self._away.timeout.connect(self._look_at_all)
        application = QGuiApplication.instance()
        assert isinstance(application, QGuiApplication)
        application.applicationStateChanged.connect(self._on_state)

    def settle(self) -> None:
        """Exempt the present objects, modules and widgets, from collection."""
        if not self._settled:
            self._settled = True
            gc.freeze()

    def look(self) -> None:
        """Collect garbage if enough objects were allocated and this is a good time."""
        gc.disable()  # another window that closed meanwhile has enabled Python's collector again
        young, middle, old = gc.get_count()
        if self._settled and young > _MUCH:
            gc.freeze()
        elif old >= (_ENOUGH if self._settled and not self._busy() else _MOST):
            began = time.thread_time()
            gc.collect()
            if self._settled and time.thread_time() - began > _LONG_S:
                gc.freeze()
        elif middle >= _MIDDLE:
            gc.collect(1)
        elif young >= _YOUNG:
            gc.collect(0)

    def _on_state(self, state: Qt.ApplicationState) -> None:
        if state == Qt.ApplicationState.ApplicationActive:
            self._away.stop()
        else:
            self._away.start()

    def _look_at_all(self) -> None:
        if self._settled and not self._busy():
            gc.unfreeze()
            gc.collect()
            gc.freeze()
        else:
            self._away.start()

    def finish(self) -> None:
        """Enable Python's own collector again."""
        self._clock.stop()
        self._away.stop()
        if self._before:
            gc.enable()


def outlived(thing: QObject) -> bool:
    """Return whether Python's collector has emptied an object that Qt still calls.

    That happens where a window is released as a whole, with widgets that refer to each other: Qt still calls their
    event filters. Only objects with attributes of their own can tell.
    """
    return not vars(thing)
