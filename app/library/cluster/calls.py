"""Calls of what a machine does, given to Dask so that its scheduler needs nothing of Twinlens.

A scheduler looks into what it passes on. So the function is sent as its code, and its arguments as bytes.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import pickle
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

from core.errors import TwinlensError
from core.message import Message

LOST = (OSError, TimeoutError, RuntimeError, concurrent.futures.CancelledError, asyncio.CancelledError)
"""What Dask raises where the scheduler is gone."""


def submit(client: Any, machines: Collection[str], name: str, *arguments: object, first: bool = False) -> Any:
    """Have a function of `app.library.cluster.machine` called on one of some machines.

    Parameters
    ----------
    client : distributed.Client
    machines : collection of str
        Their Dask addresses; at least one.
    name : str
        Of the function.
    *arguments
        What it takes.
    first : bool
        Whether it goes before all that waits there.

    Returns
    -------
    distributed.Future
    """
    packed = pickle.dumps(arguments, protocol=pickle.HIGHEST_PROTOCOL)

    def call(name: str, packed: bytes) -> Any:  # inside a function, so that it is sent as its code
        import pickle

        from app.library.cluster import machine

        return getattr(machine, name)(*pickle.loads(packed))  # noqa: S301 (from the program that adds)

    workers = list(machines)
    return client.submit(call, name, packed, workers=workers, pure=False, priority=int(first), key=None)


@contextmanager
def scheduler(client: Any, address: str) -> Iterator[None]:
    """Say in a sentence that the scheduler is gone, where that shows.

    Raises
    ------
    TwinlensError
        If it is.
    """
    try:
        yield
    except LOST as error:
        raise _lost(address) from error
    if client.status != "running":
        raise _lost(address)


def _lost(address: str) -> TwinlensError:
    return TwinlensError(
        Message("The cluster's scheduler at {address} is gone.", address=address),
        Message("Start it again. `twinlens rescan` goes on from here, with --cluster or without."),
    )
