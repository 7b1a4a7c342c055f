"""Ctrl-Z: the work stops where no clock runs, and ``fg`` goes on."""

from __future__ import annotations

import os
import signal
import sys

from core.message import NOTHING, Message
from core.progress import Progress


class Pausing:
    """Stops the process at the next word of progress after Ctrl-Z, so that no measurement holds the pause."""

    def __init__(self) -> None:
        self._asked = False

    def listen(self) -> None:
        """Take Ctrl-Z from now on, where the system has it."""
        if hasattr(signal, "SIGTSTP"):
            signal.signal(signal.SIGTSTP, self._ask)

    def _ask(self, *_: object) -> None:
        self._asked = True
        print("  pauses at the end of what is measured now; Ctrl-C stops", file=sys.stderr, flush=True)

    def within(self, progress: Progress) -> Progress:
        """Return a progress that pauses when that is asked."""

        def told(done: float, total: float, text: Message = NOTHING) -> None:
            progress(done, total, text)
            if self._asked:
                self._asked = False
                print("  paused; fg goes on", file=sys.stderr, flush=True)
                os.kill(os.getpid(), signal.SIGSTOP)

        return told
