"""Work that rests while the computer runs on its battery."""

from __future__ import annotations

import time
from collections.abc import Callable

from core.message import NOTHING, Message
from core.progress import Progress
from core.systems import system

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
