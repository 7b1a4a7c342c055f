"""Work in the background: it waits for what a person does, takes what nobody else wants, and rests on the battery.

A thread that waits for another process looks whether it shall stop and whether a person waits.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar

from core.message import NOTHING, Message
from core.progress import Progress
from core.systems import system

LOOK_S = 0.1
"""Seconds between two looks."""

_stop: ContextVar[Callable[[], object]] = ContextVar("stop", default=lambda: None)
_in_background: ContextVar[bool] = ContextVar("in background", default=False)


@contextmanager
def stopped_by(stop: Callable[[], object]) -> Iterator[None]:
    """Call ``stop`` too, every tenth of a second, while this thread waits inside the block; it raises to stop.

    Parameters
    ----------
    stop : callable
        Raises :class:`core.errors.Cancelled` when the result is not wanted any more.
    """
    outer = _stop.get()

    def both() -> None:
        outer()
        stop()

    token = _stop.set(both)
    try:
        yield
    finally:
        _stop.reset(token)


@contextmanager
def in_background() -> Iterator[None]:
    """Do the work inside the block behind everything that a person waits for."""
    token = _in_background.set(True)
    try:
        yield
    finally:
        _in_background.reset(token)


def look_for_stop() -> None:
    """Raise if the work shall stop."""
    _stop.get()()


def is_background() -> bool:
    """Return whether nobody waits for this work just now."""
    return _in_background.get()


def be_polite() -> None:
    """Let every other process go first, from now on; what the system does not offer is left out."""
    # A container or a policy may refuse either, and an older system not know it.
    with suppress(OSError, AttributeError):
        system.yield_processors()
    with suppress(OSError, AttributeError, KeyError):
        system.yield_disk()


PAUSED = Message("Paused: on battery")
_LOOK_EVERY_S = 5.0
_TELL_EVERY_S = 0.2  # while paused: how soon Cancel is heard


class BatteryPause:
    """Progress that does not return while the computer runs on its battery, and so lets long work rest.

    What it tells meanwhile is told on and on, so that the work can be cancelled while it rests.

    Parameters
    ----------
    progress : Progress
        Who is told; may raise ``Cancelled``.
    is_on_battery : callable
        Asked every few seconds.
    wait : callable
        Waits so many seconds.
    clock : callable
        Gives seconds.
    """

    def __init__(
        self,
        progress: Progress,
        is_on_battery: Callable[[], bool] = system.on_battery,
        wait: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._progress = progress
        self._is_on_battery = is_on_battery
        self._wait = wait
        self._clock = clock
        self._looked = -_LOOK_EVERY_S + clock()

    def __call__(self, done: float, total: float, text: Message = NOTHING) -> None:
        """Report progress, and return when there is power."""
        self._progress(done, total, text)
        while self._rests():
            self._progress(done, total, PAUSED)
            while self._clock() - self._looked < _LOOK_EVERY_S:
                self._wait(_TELL_EVERY_S)
                self._progress(done, total, PAUSED)

    def _rests(self) -> bool:
        if self._clock() - self._looked < _LOOK_EVERY_S:
            return False
        resting = self._is_on_battery()
        self._looked = self._clock()
        return resting
