"""Work in the background: behind everything that a person waits for, polite to other programs, paused on battery."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar

from twinlens.core.message import NOTHING, Message
from twinlens.core.progress import Progress
from twinlens.core.systems import system

_in_background: ContextVar[bool] = ContextVar("in background", default=False)


@contextmanager
def in_background() -> Iterator[None]:
    """Mark the work inside the block as background: it waits for everything that a person waits for."""
    token = _in_background.set(True)
    try:
        yield
    finally:
        _in_background.reset(token)


def is_background() -> bool:
    """Return whether the present work is in the background."""
    return _in_background.get()


def be_polite() -> None:
    """Lower the priority of this process below all others, for processor and disk, as far as the system offers it."""
    # A container or a policy may refuse either, and an older system not know it.
    with suppress(OSError, AttributeError):
        system.yield_processors()
    with suppress(OSError, AttributeError, KeyError):
        system.yield_disk()


PAUSED = Message("Paused: on battery")
_LOOK_EVERY_S = 5.0
_TELL_EVERY_S = 0.2  # while paused: how soon a cancel takes effect


class BatteryPause:
    """Progress that does not return while the computer runs on its battery, which pauses long work.

    It reports repeatedly meanwhile, so that the work can be cancelled during the pause.

    Parameters
    ----------
    progress : Progress
        The wrapped progress; may raise ``Cancelled``.
    is_on_battery : callable
        Called every few seconds.
    wait : callable
        Waits so many seconds.
    clock : callable
        Returns seconds.
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
