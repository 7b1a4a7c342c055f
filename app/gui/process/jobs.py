"""Work behind the window: the only place with threads. Results come home on the window's own thread."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal

from app.gui.process.job import Job
from app.machine.waiting import stopped_by
from core.message import NOTHING, Message
from core.progress import Progress

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
