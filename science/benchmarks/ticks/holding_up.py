"""What the window does while a tick is late: the lines that hold it up."""

from __future__ import annotations

import sys
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

_EVERY_S = 0.01
_LATE_S = 0.05
_LINES = 8
_HERE = str(Path(__file__).parent)


class HoldingUp:
    """Looks from another thread, and keeps what the window's own thread did when it had worked longest between ticks.

    Its processor time counts, where the system tells it of another thread: then a busy machine finds nothing.
    """

    def __init__(self) -> None:
        self._window = threading.get_ident()
        self._clock = _clock_of(self._window)
        self._ticked = self._clock()
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._seen: dict[str, float] = {}

    def tick(self) -> None:
        """Say that the window lives."""
        self._ticked = self._clock()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._ends.set()
        self._thread.join()

    def worst(self, count: int = 3) -> list[str]:
        """Return what was seen when the longest were overdue: how long, and the innermost lines."""
        longest = sorted(self._seen.items(), key=lambda one: -one[1])[:count]
        return [f"{1e3 * late:.0f} ms\n{lines}" for lines, late in longest]

    def _look(self) -> None:
        while not self._ends.wait(_EVERY_S):
            late = self._clock() - self._ticked
            frame = sys._current_frames().get(self._window) if late > _LATE_S else None
            if frame is not None:
                stack = [line for line in traceback.format_stack(frame) if _HERE not in line and "<frozen" not in line]
                lines = "".join(stack[-_LINES:]) or "  in Qt itself, or waiting for a processor\n"
                self._seen[lines] = max(late, self._seen.get(lines, 0.0))


def _clock_of(thread: int) -> Callable[[], float]:
    """Return the processor time of a thread in seconds; the time of day where it cannot be told."""
    if not hasattr(time, "pthread_getcpuclockid"):
        return time.perf_counter
    clock = time.pthread_getcpuclockid(thread)
    return lambda: time.clock_gettime(clock)
