"""One piece of work on another thread, and what follows from its end."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from app.language.spoken import _, next_step, text
from core.errors import Cancelled, Remedy, TwinlensError, refused_by_system
from core.message import Message


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
