"""Memory of a worker process: limited to its allowance, given back after a large picture, and shared with the program.

Arrays go from one process to another in shared memory, where the system has it, else through the pipe. The picture of a
photograph has up to 72 MB, of which a pipe takes a few hundred kilobytes at a time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from core.systems import system
from features.reading.reading_limits import RESTING_BYTES

if TYPE_CHECKING:
    from app.machine.worker_spawning import Pipe


def hold_to(allowance_bytes: int) -> None:
    """Limit the memory of this process, where the system can (Linux, Windows).

    Memory that the process has now beyond the usual, as for a large network, does not count against a picture.

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
    """Return freed memory to the system if this process has more than one at rest should have."""
    if (system.resident_memory() or 0) > RESTING_BYTES:
        system.give_back_memory()


def send(pipe: Pipe[Any, Any], array: npt.NDArray[Any]) -> None:
    """Send an array; :func:`receive` takes it at the other end.

    Parameters
    ----------
    pipe : Pipe
        Of both directions.
    array : ndarray
        Contiguous, not empty.
    """
    system.send_memory(pipe, array.data.cast("B"))


_KEPT_BYTES = 8 << 20  # less is copied: shared memory costs an open file as long as the array lives


def receive(pipe: Pipe[Any, Any], shape: tuple[int, ...], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """Receive an array; read-only."""
    array = np.frombuffer(system.receive_memory(pipe), dtype).reshape(shape)
    if array.nbytes < _KEPT_BYTES:
        array = array.copy()
        array.flags.writeable = False
    return array
