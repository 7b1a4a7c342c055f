"""Decoders: the processes that decode, describe and compare pictures for a caller that waits.

There are two lanes, so that an evaluation never keeps a search waiting. Two processes at most serve a person, and one
of them stays warm. As many as there are processors serve work in the background
(`app.machine.background_work.in_background`), and end after a rest. Each has the limits of those that `add` reads with.
A picture that crashes its process or takes too long costs one sentence, and the next picture goes to a new process.
Nothing large is imported before a process is started: the command line starts one first, and imports what it needs
itself meanwhile.
"""

from __future__ import annotations

import atexit
import logging
import threading
import time
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from app.library.workers import worker
from app.library.workers.capacity import preferred_allowance
from app.machine import background_work
from app.machine.worker_spawning import LightContext, LightProcess, Pipe, starting
from core.errors import Cancelled, TwinlensError
from core.systems import system

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.library.workers.decoding_tasks import TaskResult, WorkerTask


_FOR_PEOPLE = 2
_GRACE_S = 0.5  # for a result that nobody wants any more: most come in time, and a new process takes as long to start
_REST_S = 20.0  # then a process that need not stay warm ends
_MOST_RESULTS = 5_000  # then the process is replaced, in case a decoder leaks memory


def warm() -> None:
    """Start a process for the first picture of the present work, without waiting for it."""
    _lane().warm()


def is_warm() -> bool:
    """Return whether there is a process for a person who waits."""
    return _people.is_warm()


def ask(task: WorkerTask[TaskResult]) -> TaskResult:
    """Run a task in one of the processes, as :meth:`app.library.workers.decoders.Decoder.ask` does."""
    return _lane().ask(task)


def each_asked(
    task: Callable[[tuple[bytes, ...]], WorkerTask[list[TaskResult | None]]], pictures: tuple[bytes, ...]
) -> list[TaskResult | None]:
    """Run a task on many small pictures at once; one that ends its process or takes too long gives None alone."""
    from features.reading.reading_limits import UnreadableError

    try:
        return ask(task(pictures))
    except UnreadableError:
        half = len(pictures) // 2
        return [*each_asked(task, pictures[:half]), *each_asked(task, pictures[half:])] if half else [None]


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
        self._resting: list[Decoder] = []
        self._busy: list[Decoder] = []
        self._rest: threading.Timer | None = None

    def ask(self, task: WorkerTask[TaskResult]) -> TaskResult:
        """Run a task in one of the processes."""
        decoder = self._take()
        try:
            found = decoder.ask(task)
        except Cancelled:
            # The result may come in a moment, but the caller that has stopped does not wait for it.
            threading.Thread(target=self._recover, args=(decoder,), name="recovering", daemon=True).start()
            raise
        except TwinlensError:
            self._give_back(decoder)
            raise
        except BaseException:
            decoder.stop()
            self._give_back(decoder)
            raise
        self._give_back(decoder)
        return found

    def is_warm(self) -> bool:
        """Return whether there is a process."""
        return bool(self._resting or self._busy)

    def warm(self) -> None:
        """Start a process, unless there is one."""
        with self._changed:
            if not self.is_warm():
                self._resting.append(Decoder(_memory_bytes(), self._polite))
                with suppress(TwinlensError):  # the first picture meets the error again
                    self._resting[0].begin()

    def end(self) -> None:
        """End all processes of the lane."""
        with self._changed:
            for decoder in self._busy:
                decoder.kill()
        self._stop_resting(0)

    def _take(self) -> Decoder:
        memory_bytes = _memory_bytes()
        with self._changed:
            while not self._resting and len(self._busy) >= self._most:
                self._changed.wait(background_work.LOOK_S)
                background_work.look_for_stop()
            decoder = self._resting.pop() if self._resting else None  # the one that was used last
            if decoder is not None and decoder.memory_bytes != memory_bytes:  # the person has chosen others
                decoder.stop()
                decoder = None
            decoder = decoder or Decoder(memory_bytes, self._polite)
            self._busy.append(decoder)
        return decoder

    def _give_back(self, decoder: Decoder) -> None:
        if decoder.answers >= _MOST_RESULTS:
            decoder.stop()
        with self._changed:
            self._busy.remove(decoder)
            self._resting.append(decoder)
            self._changed.notify()
            if self._rest is not None:
                self._rest.cancel()
                self._rest = None
            if len(self._resting) > self._warm:
                self._rest = threading.Timer(_REST_S, self._stop_resting, (self._warm,))
                self._rest.daemon = True
                self._rest.start()

    def _recover(self, decoder: Decoder) -> None:
        """Make a process usable again whose result nobody wants."""
        if not decoder.finish(_GRACE_S):
            decoder.stop()
            if self._warm:
                with suppress(TwinlensError):
                    decoder.begin()
        self._give_back(decoder)

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


_END_S = 1.0  # for a process that has closed its pipe to end


class Decoder:
    """A worker process; used by one thread at a time, but for :meth:`kill`.

    Parameters
    ----------
    memory_bytes : int
        As of :class:`app.library.workers.worker_pool.WorkerLimits`, whose other limits are the usual ones.
    polite : bool
        Whether every other process goes first.

    Attributes
    ----------
    answers : int
        Results that the present process has given.
    """

    def __init__(self, memory_bytes: int, polite: bool) -> None:
        self.memory_bytes = memory_bytes
        self._polite = polite
        self._process: LightProcess | None = None
        self._pipe: Pipe[Any, Any] | None = None
        self._ready = False
        self.answers = 0

    def begin(self) -> None:
        """Start the process, and do not wait until it is ready.

        Raises
        ------
        TwinlensError
            If the system refuses.
        """
        if self._process is not None:
            return
        context = LightContext()
        ours, theirs = context.Pipe()
        process = context.Process(
            target=worker.serve, args=(theirs, self.memory_bytes, self._polite), name="twinlens-decoder"
        )
        with theirs, starting():
            process.start()
        self._process, self._pipe, self._ready, self.answers = process, ours, False, 0

    def ask(self, task: WorkerTask[TaskResult]) -> TaskResult:
        """Run a task.

        Raises
        ------
        UnreadableError
            If it cannot be, also because its decoder crashed or took too long.
        TwinlensError
            If no process can be started.
        Cancelled
            If the caller wants it no longer (`app.machine.background_work`). The process may still be busy.
        """
        from app.library.workers.worker_pool import STARTS, WorkerLimits, ended_at_start, explain_end, explain_time
        from features.reading.reading_limits import UnreadableError

        seconds = WorkerLimits.seconds
        for _ in range(1 + STARTS):
            process, pipe = self._get_ready()
            taken = False
            try:
                pipe.send(task)
                until = time.monotonic() + seconds
                while True:
                    while not pipe.poll(background_work.LOOK_S):
                        background_work.look_for_stop()
                        if time.monotonic() > until:
                            self.stop()
                            raise UnreadableError(*explain_time(seconds))
                    if (found := _received(pipe)) is not worker.TAKEN:
                        self.answers += 1
                        return cast("TaskResult", found)
                    taken = True
            except (EOFError, ConnectionError):
                code = self._ended(process)
                if taken:
                    raise UnreadableError(*explain_end(code)) from None
        raise ended_at_start()

    def finish(self, seconds: float) -> bool:
        """Wait for the result that nobody wants any more; return whether the process can be used again."""
        from features.reading.reading_limits import UnreadableError

        if not self._ready:
            return True  # it has no task yet
        until = time.monotonic() + seconds
        try:
            while self._pipe is not None and self._pipe.poll(max(0.0, until - time.monotonic())):
                if _received(self._pipe) is not worker.TAKEN:
                    return True
        except UnreadableError:
            return True
        except (EOFError, ConnectionError):
            pass
        return False

    def kill(self) -> None:
        """End the process, from any thread."""
        if (process := self._process) is not None:
            process.kill()

    def stop(self) -> None:
        """End the process at once."""
        process, pipe = self._process, self._pipe
        self._process = self._pipe = None
        if process is not None and pipe is not None:
            process.kill()
            process.join()
            pipe.close()

    def _get_ready(self) -> tuple[LightProcess, Pipe[Any, Any]]:
        """Start the process where there is none, and wait until it is ready."""
        from app.library.workers.worker_pool import STARTS, ended_at_start

        for _ in range(1 + STARTS):
            self.begin()
            process, pipe = self._process, self._pipe
            assert process is not None
            assert pipe is not None
            try:
                while not self._ready:
                    if not pipe.poll(background_work.LOOK_S):
                        background_work.look_for_stop()
                    elif why := pipe.recv():
                        self.stop()
                        raise worker.WorkerStartError(why)
                    else:
                        self._ready = True
                return process, pipe
            except (EOFError, ConnectionError):
                self._ended(process)
        raise ended_at_start()

    def _ended(self, process: LightProcess) -> int:
        """Return the code with which the process ended by itself."""
        process.join(_END_S)
        code = process.exitcode
        self.stop()
        return -9 if code is None else code


def _received(pipe: Pipe[Any, Any]) -> Any:
    """Receive the result of a task; TAKEN where the process has begun, so that its end is the picture's fault."""
    from app.library.workers import process_memory
    from features.pictures.picture import Picture
    from features.reading.reading_limits import UnreadableError

    match pipe.recv():
        case worker.TAKEN:
            return worker.TAKEN
        case "made", found:
            return found
        case "picture", facts, (height, width), masked:
            rgb = process_memory.receive(pipe, (height, width, 3), "u1")
            return Picture(rgb, process_memory.receive(pipe, (height, width), "?") if masked else None, facts)
        case "problem", reason, next_step, fault:
            if fault:
                logging.getLogger("twinlens").error("in the process that decodes:\n%s", fault)
            raise UnreadableError(reason, next_step)
        case answer:
            raise AssertionError(answer)


_background = _Lane(system.processors(), warm=0, polite=True)
_people = _Lane(_FOR_PEOPLE, warm=1, polite=False)


# Registered later than the wait of multiprocessing for its processes, so done before it.
atexit.register(end)
