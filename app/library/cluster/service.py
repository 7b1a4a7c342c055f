"""A machine that offers itself to a cluster, until a person stops it or the scheduler is gone."""

from __future__ import annotations

import asyncio
import logging
import os

from app.library.cluster import machine
from app.library.cluster.address import ClusterAddress, imported, unanswered
from app.library.cluster.machine import CORES
from app.library.pace import usual_workers
from app.library.results import WorkerResult
from app.results import shown
from core.errors import Cancelled, TwinlensError
from core.message import Message
from core.progress import Progress

_CONNECT_S, _LOOK_S, _CLOSE_S = 10, 0.2, 5


def offer(address: ClusterAddress, workers: int | None, progress: Progress) -> WorkerResult:
    """Read for a cluster.

    Parameters
    ----------
    address : ClusterAddress
        Of its scheduler.
    workers : int or None
        Processes that read; by default as many as the person prefers.
    progress : Progress
        Stops by ``Cancelled``.

    Raises
    ------
    TwinlensError
        If no scheduler answers, the address is none of a scheduler, or the package distributed is missing.
    """
    if address.local:
        raise TwinlensError(
            Message("{address} is this machine, without a scheduler.", address=address.text),
            Message("Give the address of a scheduler, such as tcp://HOST:8786."),
        )
    imported()
    return asyncio.run(_offer(address, workers or usual_workers(), progress))


async def _offer(address: ClusterAddress, count: int, progress: Progress) -> WorkerResult:
    distributed = imported()
    worker = distributed.Worker(
        address.text,
        nthreads=1,
        resources={CORES: count},
        memory_limit=None,
        dashboard=False,
        dashboard_address="127.0.0.1:0",  # what it serves besides is for nobody elsewhere
        death_timeout=_CONNECT_S,
        security=address.security(),
        silence_logs=logging.CRITICAL,
    )
    stopped = False
    try:
        await _started(worker, address)
        while worker.status == distributed.Status.running:
            progress(0, 0, _told(address, count))
            await asyncio.sleep(_LOOK_S)
    except Cancelled:
        stopped = True
    finally:
        await asyncio.to_thread(machine.stop_all)
        await worker.close(timeout=_CLOSE_S)
    return WorkerResult(scheduler=address.text, photographs=machine.told.photographs, scheduler_gone=not stopped)


async def _started(worker: object, address: ClusterAddress) -> None:
    try:
        await worker  # type: ignore[misc]
    except (OSError, TimeoutError, RuntimeError) as error:
        raise unanswered(address) from error


def _told(address: ClusterAddress, count: int) -> Message:
    if not machine.told.photographs:
        return Message("{count} processes wait for photos from {address}", count=count, address=address.text)
    return Message(
        "{photos} photos read for {address} · {name}",
        photos=machine.told.photographs,
        address=address.text,
        name=shown(os.path.basename(machine.told.last)),
    )
