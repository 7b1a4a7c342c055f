"""Memory that each reading process may take: as preferred, or a share of the machine's."""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from app.machine import preferences

if TYPE_CHECKING:
    from app.library.workers import WorkerLimits

_SHARE = 0.75  # of the memory, for all processes that read together; they rarely hold large pictures at the same time
_LEAST, _MOST = 256 << 20, 2048 << 20
_UNKNOWN = 4 << 30
_CONTROL_GROUPS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def preferred_limits(workers: int) -> WorkerLimits:
    """Return what one photograph may cost, for a number of processes.

    Parameters
    ----------
    workers : int
    """
    from app.library.workers import WorkerLimits

    return WorkerLimits(memory_bytes=preferred_allowance(workers))


def preferred_allowance(workers: int) -> int:
    """Return the bytes of memory that each of a number of processes may take.

    Parameters
    ----------
    workers : int
    """
    preferred = preferences.load().worker_memory
    return usual_allowance(workers) if isinstance(preferred, str) else preferred << 20


def usual_allowance(workers: int, machine_bytes: int | None = None) -> int:
    """Return the bytes that each process may take where nothing else is preferred.

    Parameters
    ----------
    workers : int
    machine_bytes : int, optional
        The machine's memory; by default it is asked for.

    Examples
    --------
    >>> usual_allowance(8, 8 << 30) >> 20, usual_allowance(2, 64 << 30) >> 20, usual_allowance(4, 1 << 30) >> 20
    (768, 2048, 256)
    """
    machine = machine_memory() if machine_bytes is None else machine_bytes
    return min(max(int(machine * _SHARE) // max(workers, 1), _LEAST), _MOST)


def machine_memory() -> int:
    """Return the bytes of memory that this machine has, or that a container lets the program have."""
    found = _physical()
    for path in _CONTROL_GROUPS:
        with contextlib.suppress(OSError, ValueError):  # “max” is no number
            found = min(found, int(Path(path).read_text(encoding="ascii")))
    return found


def _physical() -> int:
    if sys.platform == "win32":
        return _physical_of_windows()
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):
        return _UNKNOWN


def _physical_of_windows() -> int:
    class MemoryStatus(ctypes.Structure):
        _fields_ = [("length", ctypes.c_uint32), ("load", ctypes.c_uint32), ("physical", ctypes.c_uint64)]
        _fields_ += [(f"other{number}", ctypes.c_uint64) for number in range(6)]

    status = MemoryStatus(length=ctypes.sizeof(MemoryStatus))
    kernel = getattr(ctypes, "windll").kernel32  # noqa: B009 (only there on Windows, as type checkers know)
    return int(status.physical) if kernel.GlobalMemoryStatusEx(ctypes.byref(status)) else _UNKNOWN
