"""A pool of worker processes that read files; a crash, a hang or a want of memory costs one photograph and no more."""

from __future__ import annotations

import itertools
import pickle
import signal
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self, cast

import pebble

from app.library.workers import worker
from app.library.workers.extraction import FileReadingTask, Outcome, UnreadableFile, failure
from app.machine.worker_spawning import LightContext, Parcel, starting
from core.errors import TwinlensError
from core.message import Message
from features.descriptor import Extractor
from features.reading.reading_limits import Limits

_AHEAD = 16  # files given out for each worker: enough to bridge a commit, few enough that a pause is soon one
_KEPT = 256  # results kept while an earlier file is not ready: about 6 MB
_TICK_SECONDS = 0.1
STARTS = 3
_FILES_OF_A_WORKER = 5_000  # then the process is replaced, in case a decoder leaks memory


@dataclass(frozen=True)
class WorkerLimits:
    """Limits of time and memory for one file.

    Attributes
    ----------
    seconds : float
        For reading and describing it, of wall-clock time.
        Processor time is limited besides, by the picture's size (`features.reading.reading_limits`).
    memory_bytes : int
        Of one worker in all. A picture that would take more is not decoded; on Linux the system enforces it, too.
    """

    seconds: float = 60
    memory_bytes: int = Limits().memory_bytes

    @property
    def picture(self) -> Limits:
        """The limits that are checked before a picture is decoded."""
        return Limits(self.memory_bytes)


class Workers:
    """A pool of worker processes; a context manager, at whose end no process is left.

    Parameters
    ----------
    count : int
        Number of processes.
    extractors : mapping of str to Extractor
        By the keys that tasks want; sent to each process once.

    Examples
    --------
    ::

        with Workers(2, {"colour": extractor}) as workers:
            for outcome in workers.run(tasks):
                ...
    """

    def __init__(self, count: int, extractors: Mapping[str, Extractor], limits: WorkerLimits = WorkerLimits()) -> None:
        self._count = count
        self._limits = limits
        self._belongings = Parcel(pickle.dumps((dict(extractors), limits.picture), protocol=pickle.HIGHEST_PROTOCOL))
        self._context = LightContext()
        self._pool: pebble.ProcessPool | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """End all processes at once; what they were reading is not finished."""
        if self._pool is not None:
            self._pool.stop()  # type: ignore[no-untyped-call]
            self._pool.join()
            self._pool = None

    def run(self, tasks: Iterable[FileReadingTask], waiting: Callable[[], None] = lambda: None) -> Iterator[Outcome]:
        """Read files and yield their outcomes in the order of the tasks, whichever is ready first.

        Tasks are taken as they can be worked on. While the caller takes no result, no new file is begun: that is how
        to pause. To stop, close the iterator or leave the ``with``: the processes end at once.

        Parameters
        ----------
        waiting : callable
            Called ten times a second while the next result is not ready; may raise to stop.

        Yields
        ------
        Outcome
            One for each task. A file that crashes its process or takes too long is an UnreadableFile.

        Raises
        ------
        TwinlensError
            If no process can be started, or they end again and again as they start.
        WorkerStartError
            If a process cannot get ready, which is a fault of the program.
        """
        left = iter(tasks)
        given: deque[_Given] = deque()
        begun = self._context.begun
        finished = False
        try:
            while True:
                if given and self._pool is None:
                    raise RuntimeError("the workers were stopped while results were asked for")
                running = [one.future for one in given if not one.future.done()]
                free = min(self._count * _AHEAD - len(running), _KEPT - len(given))
                for task in itertools.islice(left, max(0, free)):
                    given.append(self._give(task))
                    running.append(given[-1].future)
                if not given:
                    finished = True
                    return
                if not given[0].future.done():
                    # Any result, not only the first: it makes room for another file.
                    wait(running, timeout=_TICK_SECONDS, return_when=FIRST_COMPLETED)
                    if not given[0].future.done():
                        waiting()
                if self._context.begun - begun > (1 + STARTS) * self._count:
                    raise ended_at_start()
                if self._pool is not None and not self._pool.active:  # a process died before it had taken a file
                    self._start_again(given)
                elif given[0].future.done():
                    outcome = self._outcome(given[0])
                    if outcome is None:
                        given[0] = self._give(given[0].task)
                        continue
                    given.popleft()
                    begun = self._context.begun
                    yield outcome
        finally:
            if not finished:
                self.stop()

    def _give(self, task: FileReadingTask) -> _Given:
        if self._pool is None:
            self._pool = self._started()
        future: Future[Outcome]
        try:
            future = self._pool.schedule(worker.work, args=(task,), timeout=self._limits.seconds)
        except RuntimeError as error:  # the pool has just broken; the next round starts another one
            future = Future()
            future.set_exception(BrokenProcessPool(str(error)))
        return _Given(task, future, time.monotonic())

    def _started(self) -> pebble.ProcessPool:
        pool = pebble.ProcessPool(
            self._count,
            max_tasks=_FILES_OF_A_WORKER,
            initializer=worker.start,
            initargs=(self._belongings, self._limits.memory_bytes),
            context=cast("Any", self._context),  # whose pipes are of another type on Windows
        )
        with starting():
            try:
                _ = pool.active  # reading it starts the processes
            except BrokenProcessPool as error:
                raise OSError(*getattr(error.__cause__, "args", (str(error),))) from error
        return pool

    def _start_again(self, given: deque[_Given]) -> None:
        """Start a new pool and give it the files that have no result."""
        self.stop()
        for number, one in enumerate(given):
            if not one.future.done() or isinstance(one.future.exception(), BrokenProcessPool):
                given[number] = self._give(one.task)

    def _outcome(self, one: _Given) -> Outcome | None:
        """Return the outcome of a file, or None where it must be tried again."""
        error = one.future.exception()
        if error is None:
            return one.future.result()
        if isinstance(error, worker.WorkerStartError):
            raise error
        if isinstance(error, BrokenProcessPool):
            return None  # the pool has just broken
        if isinstance(error, TimeoutError):
            if time.monotonic() - one.since < self._limits.seconds:
                return None  # the computer was asleep: only the wall clock has moved on
            return UnreadableFile(
                one.task.photograph_id,
                one.task.path,
                *explain_time(self._limits.seconds),
            )
        if isinstance(error, pebble.ProcessExpired):
            return UnreadableFile(
                one.task.photograph_id,
                one.task.path,
                *explain_end(error.exitcode),
                unreached=error.exitcode == -getattr(signal, "SIGKILL", 9),
            )
        return failure(one.task, error)


@dataclass
class _Given:
    """A file that was given to the pool."""

    task: FileReadingTask
    future: Future[Outcome]
    since: float


def ended_at_start() -> TwinlensError:
    """Return the error for processes that never get ready."""
    return TwinlensError(
        "The processes that read pictures end as soon as they start.",
        "Close other programs, since memory may be short, and try again.",
    )


def explain_time(seconds: float) -> tuple[Message, Message]:
    """Return the problem of a file that took too long."""
    return (
        Message("Reading it took longer than the {seconds:g} seconds that Twinlens allows.", seconds=seconds),
        Message("If the disk is slow, rescan; if not, open the file in another program and save it again."),
    )


def explain_end(code: int) -> tuple[Message, Message]:
    """Return the problem of a file during which the process ended."""
    if code == -getattr(signal, "SIGPROF", 27):
        return (
            Message("Decoding this picture took more processor time than Twinlens allows for its size."),
            Message("Open it in another program and save it again, as JPEG for example; then rescan."),
        )
    if code == -getattr(signal, "SIGKILL", 9):
        return (
            Message("The system ended the process that read this picture, probably because memory ran out."),
            Message("Close other programs, or allow less memory or fewer processes in the settings; then rescan."),
        )
    try:
        how = signal.Signals(-code).name
    except ValueError:
        how = f"exit code {code}"
    return (
        Message(
            "This picture could not be read or described: the process that did it ended unexpectedly ({how}).", how=how
        ),
        Message("The file may be damaged: open it in another program and save it again, then rescan."),
    )
