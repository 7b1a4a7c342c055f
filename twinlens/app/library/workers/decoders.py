"""Decoders: the processes that decode, describe and compare pictures for a caller that waits.

There are two lanes, so that an evaluation never keeps a search waiting. Two processes at most serve a person, and one
of them stays warm. As many as there are processors serve work in the background
(`twinlens.app.machine.background_work.in_background`), and end after a rest. Each has the limits of those that `add`
reads with. A picture that crashes its process or takes too long costs one sentence, and the next picture goes to a new
process. Nothing large is imported before a process is started: the command line starts one first, and imports what it
needs itself meanwhile.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, TypeVar

from twinlens.app.library.workers.capacity import preferred_allowance
from twinlens.app.machine import background_work
from twinlens.core.errors import Cancelled, TwinlensError
from twinlens.core.progress import LOOK_S, look_for_stop
from twinlens.core.systems import system

if TYPE_CHECKING:
    from collections.abc import Callable

    from twinlens.app.library.workers.decoding_tasks import TaskResult, WorkerTask
    from twinlens.app.library.workers.worker import PictureProcess

Small = TypeVar("Small")
_FOR_PEOPLE = 2
_GRACE_S = 0.5  # for a result that nobody wants any more: most come in time, and a new process takes as long to start
_REST_S = 20.0  # then a process that need not stay warm ends


def warm() -> None:
    """Start a process for the first picture of the present work, without waiting for it."""
    _lane().warm()


def is_warm() -> bool:
    """Return whether there is a process for a person who waits."""
    return _people.is_warm()


def ask(task: WorkerTask[TaskResult]) -> TaskResult:
    """Run a task in one of the processes, as :meth:`twinlens.app.library.workers.worker.PictureProcess.ask` does."""
    return _lane().ask(task)


def run_each(
    task: Callable[[tuple[Small, ...]], WorkerTask[list[TaskResult | None]]], each: tuple[Small, ...]
) -> list[TaskResult | None]:
    """Run a task on much that is small at once; what ends its process or takes too long gives None alone."""
    from twinlens.features.reading.reading_limits import UnreadableError

    try:
        return ask(task(each))
    except UnreadableError:
        half = len(each) // 2
        return [*run_each(task, each[:half]), *run_each(task, each[half:])] if half else [None]


def follow_preferences() -> None:
    """Read the memory for one picture anew, since the preferences have changed."""
    _memory_bytes.cache_clear()


def end() -> None:
    """End all processes."""
    _people.end()
    _background.end()


class _Lane:
    """Some processes that take tasks in turn.

    Parameters
    ----------
    most : int
        Processes at most; each is started when all others are busy.
    warm : int
        Processes that do not end by themselves.
    polite : bool
        Whether they let every other process go first.
    """

    def __init__(self, most: int, warm: int, polite: bool) -> None:
        self._most, self._warm, self._polite = most, warm, polite
        self._changed = threading.Condition()
        self._resting: list[PictureProcess] = []
        self._busy: list[PictureProcess] = []
        self._rest: threading.Timer | None = None

    def ask(self, task: WorkerTask[TaskResult]) -> TaskResult:
        """Run a task in one of the processes."""
        process = self._take()
        try:
            found = process.ask(task)
        except Cancelled:
            # The result may come in a moment, but the caller that has stopped does not wait for it.
            threading.Thread(target=self._recover, args=(process,), name="recovering", daemon=True).start()
            raise
        except TwinlensError:
            self._give_back(process)
            raise
        except BaseException:
            process.stop()
            self._give_back(process)
            raise
        self._give_back(process)
        return found

    def is_warm(self) -> bool:
        """Return whether there is a process."""
        return bool(self._resting or self._busy)

    def warm(self) -> None:
        """Start a process, unless there is one."""
        with self._changed:
            if not self.is_warm():
                self._resting.append(self._process(_memory_bytes()))
                with suppress(TwinlensError):  # the first picture meets the error again
                    self._resting[0].begin()

    def end(self) -> None:
        """End all processes of the lane."""
        with self._changed:
            for process in self._busy:
                process.kill()
        self._stop_resting(0)

    def _take(self) -> PictureProcess:
        memory_bytes = _memory_bytes()
        with self._changed:
            while not self._resting and len(self._busy) >= self._most:
                self._changed.wait(LOOK_S)
                look_for_stop()
            process = self._resting.pop() if self._resting else None  # the one that was used last
            if process is not None and process.memory_bytes != memory_bytes:  # the person has chosen others
                process.stop()
                process = None
            process = process or self._process(memory_bytes)
            self._busy.append(process)
        return process

    def _process(self, memory_bytes: int) -> PictureProcess:
        from twinlens.app.library.workers.worker import PictureProcess  # here, since few commands decode

        return PictureProcess(memory_bytes, self._polite)

    def _give_back(self, process: PictureProcess) -> None:
        with self._changed:
            self._busy.remove(process)
            self._resting.append(process)
            self._changed.notify()
            if self._rest is not None:
                self._rest.cancel()
                self._rest = None
            if len(self._resting) > self._warm:
                self._rest = threading.Timer(_REST_S, self._stop_resting, (self._warm,))
                self._rest.daemon = True
                self._rest.start()

    def _recover(self, process: PictureProcess) -> None:
        """Make a process usable again whose result nobody wants."""
        if not process.finish(_GRACE_S):
            process.stop()
            if self._warm:
                with suppress(TwinlensError):
                    process.begin()
        self._give_back(process)

    def _stop_resting(self, left: int) -> None:
        with self._changed:
            while len(self._resting) > left:
                self._resting.pop(0).stop()


def _lane() -> _Lane:
    return _background if background_work.is_background() else _people


@cache  # a query must not read the file of the preferences
def _memory_bytes() -> int:
    """Return the memory for one picture: as much as when it is added."""
    return preferred_allowance(system.processors())


_background = _Lane(system.processors(), warm=0, polite=True)
_people = _Lane(_FOR_PEOPLE, warm=1, polite=False)
