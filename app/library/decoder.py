"""A worker process that decodes one picture after the other, describes or compares them, for a caller that waits.

It has the limits of those that `add` reads with. A picture that crashes it or takes too long costs one sentence; the
next one is asked of a new process. Nothing large is imported before the process is started: both import at once.
"""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Any, cast

from app.library import worker
from app.machine import waiting
from app.machine.spawning import LightContext, LightProcess, Pipe, starting

if TYPE_CHECKING:
    from app.library.decoding_tasks import TaskResult, WorkerTask

_END_S = 1.0  # for a process that has closed its pipe to end


class Decoder:
    """A worker process; used by one thread at a time, but for :meth:`kill`.

    Parameters
    ----------
    memory_bytes : int
        As of :class:`app.library.workers.WorkerLimits`, whose other limits are the usual ones.
    polite : bool
        Whether every other process goes first.

    Attributes
    ----------
    answers : int
        That the present process has given.
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

    def ask(self, asked: WorkerTask[TaskResult]) -> TaskResult:
        """Have something done with pictures.

        Parameters
        ----------
        asked : Asked

        Raises
        ------
        UnreadableError
            If it cannot be, also because its decoder crashed or took too long.
        TwinlensError
            If no process can be started.
        Cancelled
            If whoever waits wants it no longer (`app.machine.waiting`). The process may still be busy.
        """
        from app.library.workers import STARTS, WorkerLimits, ended_at_start, explain_end, explain_time
        from features.reading.unreadable import UnreadableError

        seconds = WorkerLimits.seconds
        for _ in range(1 + STARTS):
            process, pipe = self._get_ready()
            taken = False
            try:
                pipe.send(asked)
                until = time.monotonic() + seconds
                while True:
                    while not pipe.poll(waiting.LOOK_S):
                        waiting.look_for_stop()
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
        """Wait for the answer that nobody wants any more; tell whether the process can be asked again."""
        from features.reading.unreadable import UnreadableError

        if not self._ready:
            return True  # it was not asked yet
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
        from app.library.workers import STARTS, ended_at_start

        for _ in range(1 + STARTS):
            self.begin()
            process, pipe = self._process, self._pipe
            assert process is not None
            assert pipe is not None
            try:
                while not self._ready:
                    if not pipe.poll(waiting.LOOK_S):
                        waiting.look_for_stop()
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
    """Get what comes of a question; TAKEN where the process has only taken it, after which its end is the picture's."""
    from app.library import shared_memory
    from features.pictures.picture import Picture
    from features.reading.unreadable import UnreadableError

    match pipe.recv():
        case worker.TAKEN:
            return worker.TAKEN
        case "made", found:
            return found
        case "picture", facts, (height, width), masked:
            rgb = shared_memory.receive(pipe, (height, width, 3), "u1")
            return Picture(rgb, shared_memory.receive(pipe, (height, width), "?") if masked else None, facts)
        case "problem", reason, next_step, fault:
            if fault:
                logging.getLogger("twinlens").error("in the process that decodes:\n%s", fault)
            raise UnreadableError(reason, next_step)
        case answer:
            raise AssertionError(answer)
