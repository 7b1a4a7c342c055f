"""Ctrl-C, or SIGTERM when the system shuts down, is obeyed whatever a command is doing.

The first one makes the next step of long work raise `Cancelled`, so that what is done is kept; before and after long
work it interrupts at once. Python hears a signal only between two of its own steps, and one step may be a query of
minutes: so a thread hears it too, and ends the process where it has not ended soon, or at a second signal. Nothing is
lost by that: a transaction that is not complete never was, files are written beside their place first, and what moves
photographs is settled from its log.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from app.cli.plain_text import tell
from app.language.spoken import _
from core.errors import Cancelled

INTERRUPTED = 130
"""The exit code."""

_GRACE_S = 1.5
_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_SHOW_CURSOR = b"\x1b[?25h\n"  # which a bar of progress hides


class Interruption:
    """The wish to stop, as signals tell it.

    Attributes
    ----------
    wished : bool
    """

    def __init__(self) -> None:
        self.wished = False
        self._heard = False
        self._patient = 0

    @contextmanager
    def hear(self) -> Iterator[None]:
        """Hear signals inside the block, and further on once there was one: a process may be long in ending, too."""
        if self._heard or threading.current_thread() is not threading.main_thread():
            yield  # it is heard already; or nobody presses Ctrl-C here
            return
        self._heard, self.wished = True, False
        reader, writer = os.pipe()
        if sys.platform != "win32":
            os.set_blocking(writer, False)
        threading.Thread(target=self._watch, args=(reader,), name="interruption", daemon=True).start()
        waked = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        before = {number: signal.signal(number, self._on_signal) for number in _SIGNALS}
        try:
            yield
        finally:
            if not self.wished:
                for number, handler in before.items():
                    signal.signal(number, handler)
                signal.set_wakeup_fd(waked)
                os.close(writer)  # which ends the thread
                self._heard = False

    @contextmanager
    def patient(self) -> Iterator[None]:
        """Have a signal inside the block only tell the wish to stop, which :meth:`look` obeys."""
        with self.hear():
            self._patient += 1
            try:
                yield
            finally:
                self._patient -= 1

    def look(self) -> None:
        """Raise ``Cancelled`` where it is wished to stop."""
        if self.wished:
            raise Cancelled

    def finish(self) -> None:
        """Let no signal change the exit code any more: Python, when nearly ended, gives them back to the system."""
        if self.wished:
            for number in _SIGNALS:
                signal.signal(number, signal.SIG_IGN)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self.wished:
            return  # the second one is the thread's
        self.wished = True
        if not self._patient:
            raise KeyboardInterrupt
        tell("")
        tell(_("Stopping. What is done is kept. Press Ctrl-C again to leave at once."))

    def _watch(self, reader: int) -> None:
        heard = 0
        while numbers := os.read(reader, 64):
            heard += sum(number in _SIGNALS for number in numbers)
            if heard > 1:
                _leave()
            elif heard:
                late = threading.Timer(_GRACE_S, _leave)
                late.daemon = True
                late.start()
        os.close(reader)


def _leave() -> None:
    """End this process and those that it started, whatever they are doing."""
    started = sys.modules.get("multiprocessing.process")
    with suppress(OSError, ValueError):
        for child in started.active_children() if started else ():
            child.kill()
    with suppress(OSError, ValueError):
        if sys.stderr.isatty():
            os.write(sys.stderr.fileno(), _SHOW_CURSOR)
    os._exit(INTERRUPTED)


INTERRUPTION = Interruption()
"""Of this process."""

atexit.register(INTERRUPTION.finish)
