"""Memory that each reading process may take: as preferred, or a share of the machine's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.machine import preferences
from core.systems import system

if TYPE_CHECKING:
    from app.library.workers import WorkerLimits

_SHARE = 0.75  # of the memory, for all processes that read together; they rarely hold large pictures at the same time
_LEAST, _MOST = 256 << 20, 2048 << 20


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
    machine = system.memory_bytes() if machine_bytes is None else machine_bytes
    return min(max(int(machine * _SHARE) // max(workers, 1), _LEAST), _MOST)
