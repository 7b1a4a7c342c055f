"""A worker process that decodes one picture after the other for a caller that waits.

It has the limits of those that `add` reads with. A picture that crashes it or takes too long costs one sentence; the
next one is asked of a new process.
"""

from __future__ import annotations

import logging
import pickle
import time
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from app import across, waiting, worker
from app.looking import Asked
from app.spawning import LightContext, LightProcess, Parcel, starting
from app.workers import STARTS, WorkerLimits, ended_at_start, explain_end, explain_time
from features.picture import Picture
from features.unreadable import UnreadableError

_END_S = 1.0  # for a process that has closed its pipe to end


class Decoder:
    """A worker process; used by one thread at a time, but for :meth:`kill`.

    Parameters
    ----------
    limits : WorkerLimits
    polite : bool
        Whether every other process goes first.

    Attributes
    ----------
    answers : int
        That the present process has given.
    """

    def __init__(self, limits: WorkerLimits, polite: bool) -> None:
        self.limits = limits
        self._polite = polite
        self._process: LightProcess | None = None
        self._pipe: Connection[Any, Any] | None = None
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
        belongings = Parcel(pickle.dumps(({}, self.limits.picture)))
        ours, theirs = context.Pipe()
        process = context.Process(
            target=worker.serve,
            args=(theirs, belongings, self.limits.memory_bytes, self._polite),
            name="twinlens-decoder",
        )
        with theirs, starting():
            process.start()
        self._process, self._pipe, self._ready, self.answers = process, ours, False, 0

    def ask(self, asked: Asked) -> Picture | bytes:
        """Have a picture decoded.

        Parameters
        ----------
        asked : Look, Thumbnail or SharedThumbnail

        Raises
        ------
        UnreadableError
            If it cannot be, also because its decoder crashed or took too long.
        TwinlensError
            If no process can be started.
        Cancelled
            If whoever waits wants it no longer (`app.waiting`). The process may still be busy.
        """
        for _ in range(1 + STARTS):
            process, pipe = self._get_ready()
            taken = False
            try:
                pipe.send(asked)
                until = time.monotonic() + self.limits.seconds
                while (found := self._message(pipe, until)) is None:
                    taken = True
                self.answers += 1
                return found
            except (EOFError, ConnectionError):
                code = self._ended(process)
                if taken:
                    raise UnreadableError(*explain_end(code)) from None
        raise ended_at_start()

    def _message(self, pipe: Connection[Any, Any], until: float) -> Picture | bytes | None:
        while not pipe.poll(waiting.LOOK_S):
            waiting.look()
            if time.monotonic() > until:
                self.stop()
                raise UnreadableError(*explain_time(self.limits.seconds))
        return _received(pipe)

    def finish(self, seconds: float) -> bool:
        """Wait for the answer that nobody wants any more; tell whether the process can be asked again."""
        if not self._ready:
            return True  # it was not asked yet
        until = time.monotonic() + seconds
        try:
            while self._pipe is not None and self._pipe.poll(max(0.0, until - time.monotonic())):
                if _received(self._pipe) is not None:
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

    def _get_ready(self) -> tuple[LightProcess, Connection[Any, Any]]:
        """Start the process where there is none, and wait until it is ready."""
        for _ in range(1 + STARTS):
            self.begin()
            process, pipe = self._process, self._pipe
            assert process is not None
            assert pipe is not None
            try:
                while not self._ready:
                    if not pipe.poll(waiting.LOOK_S):
                        waiting.look()
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
        """Give the code with which the process ended by itself."""
        process.join(_END_S)
        code = process.exitcode
        self.stop()
        return -9 if code is None else code


def _received(pipe: Connection[Any, Any]) -> Picture | bytes | None:
    """Give what comes of a question; None where the process has only taken it, after which its end is the picture's."""
    match pipe.recv():
        case worker.TAKEN:
            return None
        case "bytes", bytes(found):
            return found
        case "picture", facts, (height, width), masked:
            rgb = across.receive(pipe, (height, width, 3), np.uint8)
            return Picture(rgb, across.receive(pipe, (height, width), np.bool_) if masked else None, facts)
        case _, sentence, next_step, fault:
            if fault:
                logging.getLogger("twinlens").error("in the process that decodes:\n%s", fault)
            raise UnreadableError(sentence, next_step)
        case answer:
            raise AssertionError(answer)
