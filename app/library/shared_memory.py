"""Arrays from one process to another: in memory that both can see, where the system has it, else through the pipe.

The picture of a photograph has up to 72 MB, of which a pipe takes a few hundred kilobytes at a time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from core.systems import system

if TYPE_CHECKING:
    from app.machine.spawning import Pipe

_KEPT_BYTES = 8 << 20  # less is copied: what is shared costs an open file as long as there is the array


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


def receive(pipe: Pipe[Any, Any], shape: tuple[int, ...], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """Receive an array; read-only."""
    array = np.frombuffer(system.receive_memory(pipe), dtype).reshape(shape)
    if array.nbytes < _KEPT_BYTES:
        array = array.copy()
        array.flags.writeable = False
    return array
