"""A process that reads photographs is held to its allowance of memory, and gives back what a large one took."""

from __future__ import annotations

from core.systems import system
from features.reading.reading_limits import RESTING_BYTES


def hold_to(allowance_bytes: int) -> None:
    """Limit the memory of this process, where the system can (Linux, Windows).

    What the process has now does not count against a picture where it is more than usual, as with a large network.

    Parameters
    ----------
    allowance_bytes : int
        Of the process in all.
    """
    counted = system.counted_memory()
    if counted is not None:
        more = allowance_bytes - min(system.resident_memory() or RESTING_BYTES, RESTING_BYTES)
        system.limit_memory(counted + max(more, 0))


def give_back() -> None:
    """Return freed memory to the system, where this process has more of it than one that waits should have."""
    if (system.resident_memory() or 0) > RESTING_BYTES:
        system.give_back_memory()
