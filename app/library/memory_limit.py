"""A process that reads photographs is held to its allowance of memory, and gives back what a large one took."""

from __future__ import annotations

import ctypes
import functools
import sys
from collections.abc import Callable
from pathlib import Path

from features.reading.reading_limits import RESTING_BYTES


def hold_to(allowance_bytes: int) -> None:
    """Limit the memory that this process can write to, where the system knows such a limit (Linux).

    Address space is not limited: libraries reserve much of it that they never use. What the process has now does not
    count against a picture where it is more than usual, as with a large network.

    Parameters
    ----------
    allowance_bytes : int
        Of the process in all.
    """
    if not sys.platform.startswith("linux"):
        return
    import resource

    now = _status("VmData:")
    if now is None:
        return
    more = allowance_bytes - min(_status("VmRSS:") or RESTING_BYTES, RESTING_BYTES)
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = now + max(more, 0)
    resource.setrlimit(resource.RLIMIT_DATA, (wanted if most == resource.RLIM_INFINITY else min(wanted, most), most))


def give_back() -> None:
    """Return freed memory to the system, where the C library keeps more of it than a process that waits should have."""
    if (trim := _trimming()) is not None and (_status("VmRSS:") or 0) > RESTING_BYTES:
        trim(0)


@functools.cache
def _trimming() -> Callable[[int], int] | None:
    """Return the function of the GNU C library; None where another one is used."""
    trim: Callable[[int], int] | None = None
    if sys.platform.startswith("linux"):
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    return trim


def _status(name: str) -> int | None:
    """Return an amount of memory of this process, in bytes."""
    lines = Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines()
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(name)), None)
