"""A pool of worker processes that read files; a crash, a hang or a want of memory costs one photograph and no more."""

from __future__ import annotations

import itertools
import pickle
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from types import TracebackType
from typing import Self

from twinlens.app.library.workers.decoding_tasks import WorkerLimits
from twinlens.app.library.workers.extraction import Outcome, UnreadableFile
from twinlens.app.library.workers.file_contents import FileReadingTask
from twinlens.app.library.workers.worker import ExtractionTask, PictureProcess, was_killed
from twinlens.core.errors import Cancelled
from twinlens.core.progress import stopped_by
from twinlens.features.descriptor import Extractor
from twinlens.features.reading.reading_limits import UnreadableError

_AHEAD = 16  # files given out for each worker: enough to bridge a commit, few enough that a pause is soon one
_KEPT = 256  # results kept while an earlier file is not ready: about 6 MB
_TICK_SECONDS = 0.1
_USUAL = WorkerLimits()


class Workers:
    """A pool of worker processes, each with a thread that waits for it; a context manager, after which none is left.

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

    def __init__(self, count: int, extractors: Mapping[str, Extractor], limits: WorkerLimits = _USUAL) -> None:
        self._count = count
        self._limits = limits
        self._extractors = pickle.dumps(dict(extractors), protocol=pickle.HIGHEST_PROTOCOL)
        self._threads: ThreadPoolExecutor | None = None
        self._processes: list[PictureProcess] = []
        self._free: list[PictureProcess] = []
        self._stopping = threading.Event()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """End all processes at once; what they were reading is not finished."""
        if self._threads is not None:
            self._stopping.set()
            for process in self._processes:
                process.kill()
            self._threads.shutdown(cancel_futures=True)
            for process in self._processes:
                process.stop()
            self._threads = None

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
        given: deque[Future[Outcome]] = deque()
        finished = False
        try:
            while True:
                if given and self._threads is None:
                    raise RuntimeError("the workers were stopped while results were asked for")
                running = [one for one in given if not one.done()]
                free = min(self._count * _AHEAD - len(running), _KEPT - len(given))
                for task in itertools.islice(left, max(0, free)):
                    given.append(self._give(task))
                    running.append(given[-1])
                if not given:
                    finished = True
                    return
                if given[0].done():
                    yield given.popleft().result()
                    continue
                # Any result, not only the first: it makes room for another file.
                wait(running, timeout=_TICK_SECONDS, return_when=FIRST_COMPLETED)
                if not given[0].done():
                    waiting()
        finally:
            if not finished:
                self.stop()

    def _give(self, task: FileReadingTask) -> Future[Outcome]:
        if self._threads is None:
            self._stopping.clear()
            self._processes = [
                PictureProcess(self._limits.memory_bytes, extractors=self._extractors) for _ in range(self._count)
            ]
            self._free = list(self._processes)
            self._threads = ThreadPoolExecutor(self._count, thread_name_prefix="reading")
        return self._threads.submit(self._read, task)

    def _read(self, task: FileReadingTask) -> Outcome:
        """Read a file by a process that is free; there are as many as threads."""
        process = self._free.pop()
        try:
            with stopped_by(self._look_for_stop):
                return process.ask(ExtractionTask(task), self._limits.seconds)
        except UnreadableError as error:
            return UnreadableFile(
                task.photograph_id, task.path, error.message, error.advice, unreached=was_killed(error)
            )
        finally:
            self._free.append(process)

    def _look_for_stop(self) -> None:
        if self._stopping.is_set():
            raise Cancelled
