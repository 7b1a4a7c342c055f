"""Being told to end from outside: Ctrl-C in the terminal, its closing, a system that shuts down."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable
from types import FrameType
from typing import Any

from PySide6.QtCore import QObject, QSocketNotifier

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")
_INTERRUPTED = 128


class StopSignals(QObject):
    """Turns the first signal to end into a call on the window's thread; a second one ends the process at once.

    Python runs handlers of signals between two of its own steps, and Qt waits without taking any: a socket wakes it.

    Parameters
    ----------
    stop : callable
        Gets the exit code that tells of the signal.
    """

    def __init__(self, stop: Callable[[int], None]) -> None:
        super().__init__()
        self._stop = stop
        self._told = False
        self._reader, self._writer = socket.socketpair()
        for end in (self._reader, self._writer):
            end.setblocking(False)
        self._notifier = QSocketNotifier(self._reader.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_woken)
        self._waked = signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)
        self._before: dict[int, Any] = {}
        for name in _NAMES:
            number = getattr(signal, name, None)
            # Who starts a program in such a way that it does not hear a signal (nohup) wants just that.
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                self._before[number] = signal.signal(number, self._on_signal)

    def close(self) -> None:
        """Leave everything as it was."""
        for number, before in self._before.items():
            signal.signal(number, before)
        signal.set_wakeup_fd(self._waked)
        self._notifier.setEnabled(False)
        self._reader.close()
        self._writer.close()

    def _on_signal(self, number: int, _: FrameType | None) -> None:
        if self._told:
            os._exit(_INTERRUPTED + number)  # the person does not want to wait any longer
        self._told = True

    def _on_woken(self) -> None:
        for number in self._reader.recv(64):
            if number in self._before:
                self._stop(_INTERRUPTED + number)
                return
