"""A machine that offers itself to a cluster, until a person stops it or the scheduler is gone."""

from __future__ import annotations

import asyncio
import os

from app.library.cluster import machine
from app.library.cluster.address import ClusterAddress, imported, unanswered
from app.library.cluster.nodes import CLOSE_S, worker_class, worker_options
from app.library.pace import usual_workers
from app.library.results import WorkerResult
from app.results import shown
from core.errors import Cancelled, TwinlensError
from core.message import Message
from core.progress import Progress

_CONNECT_S, _LOOK_S = 10, 0.2


def offer_machine(address: ClusterAddress, workers: int | None, progress: Progress) -> WorkerResult:
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
    stopped = False
    with worker_options(count) as options:
        worker = worker_class()(address.text, death_timeout=_CONNECT_S, security=address.security(), **options)
        try:
            await _started(worker, address)
            while worker.status == distributed.Status.running:
                progress(0, 0, _told(address, count))
                await asyncio.sleep(_LOOK_S)
        except Cancelled:
            stopped = True
        finally:
            await asyncio.to_thread(machine.stop_all)
            await worker.close(timeout=CLOSE_S)
    return WorkerResult(
        scheduler=address.text, photographs=machine.machine_tally.photographs, scheduler_gone=not stopped
    )


async def _started(worker: object, address: ClusterAddress) -> None:
    try:
        await worker  # type: ignore[misc]
    except (OSError, TimeoutError, RuntimeError) as error:
        raise unanswered(address, error) from error


def _told(address: ClusterAddress, count: int) -> Message:
    if not machine.machine_tally.photographs:
        return Message("{count} processes wait for photos from {address}", count=count, address=address.text)
    return Message(
        "{photos} photos read for {address} · {name}",
        photos=machine.machine_tally.photographs,
        address=address.text,
        name=shown(os.path.basename(machine.machine_tally.last)),
    )
