"""Arrays from one process to another: in memory that both can see, where the system has it, else through the pipe.

The picture of a photograph has up to 72 MB, of which a pipe takes a few hundred kilobytes at a time.
"""

from __future__ import annotations

import mmap
import os
from multiprocessing import reduction
from multiprocessing.connection import Connection
from typing import Any

import numpy as np
import numpy.typing as npt

_SHARES = hasattr(os, "memfd_create")
_KEPT_BYTES = 8 << 20  # less is copied: what is shared costs an open file as long as there is the array


def send(pipe: Connection[Any, Any], array: npt.NDArray[Any]) -> None:
    """Send an array; :func:`receive` takes it at the other end.

    Parameters
    ----------
    pipe : Connection
        Of both directions.
    array : ndarray
        Contiguous, not empty.
    """
    if not _SHARES:
        pipe.send_bytes(array.data.cast("B"))
        return
    descriptor = os.memfd_create("twinlens")
    with open(descriptor, "wb") as file:
        file.write(array.data)
        file.flush()
        reduction.send_handle(pipe, descriptor, None)


def receive(pipe: Connection[Any, Any], shape: tuple[int, ...], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """Receive an array; read-only."""
    if not _SHARES:
        array = np.empty(shape, dtype)
        pipe.recv_bytes_into(array.data.cast("B"))
        array.flags.writeable = False
        return array
    descriptor = reduction.recv_handle(pipe)
    try:
        memory = mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ)
    finally:
        os.close(descriptor)
    array = np.frombuffer(memory, dtype).reshape(shape)
    if array.nbytes < _KEPT_BYTES:
        array = array.copy()
        array.flags.writeable = False
    return array
