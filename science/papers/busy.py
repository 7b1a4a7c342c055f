"""How busy the machine was with other programs while something was measured: a clock is to be believed less then."""

from __future__ import annotations

import os
import time

QUIET = 0.25
"""Cores that other programs may use on average, and a clock is believed all the same."""


class Busy:
    """Tells how many cores programs other than this one have used since it was made; 0 where that is not known."""

    def __init__(self) -> None:
        self._began, self._used = time.monotonic(), _others_s()

    def cores(self) -> float:
        """Return the mean until now."""
        now = _others_s()
        passed = time.monotonic() - self._began
        if now is None or self._used is None or passed <= 0:
            return 0.0
        return max(0.0, (now - self._used) / passed)


def _others_s() -> float | None:
    """Return the processor time that others have used, in seconds; None where psutil is missing."""
    try:
        import psutil
    except ImportError:
        return None
    times = psutil.cpu_times()
    idle = times.idle + getattr(times, "iowait", 0.0)
    # Time in a guest is counted twice.
    used = sum(times) - idle - getattr(times, "guest", 0.0) - getattr(times, "guest_nice", 0.0)
    own = os.times()
    return float(used - own.user - own.system - own.children_user - own.children_system)
