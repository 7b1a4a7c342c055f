"""Machines that come to a cluster, each asked whether it reads files as the others do before it reads any."""

from __future__ import annotations

import asyncio
import concurrent.futures
import pickle
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import Any

from twinlens.app.library.cluster import machine
from twinlens.app.library.cluster.machine import Introduction, UnfitError
from twinlens.app.library.workers.decoding_tasks import WorkerLimits
from twinlens.app.library.workers.worker_pool import Workers
from twinlens.core.message import Message
from twinlens.features.descriptor import Extractor

FETCH_S = 30.0
"""Seconds in which a reply that a machine has given comes over, unless that machine is gone."""


class Newcomers:
    """The machines of a cluster: the ready ones, those being prepared, and those that are not used.

    Parameters
    ----------
    key : str
        Of the pools on the machines.

    Attributes
    ----------
    ready : dict of str to Introduction
        By Dask address.
    not_used : dict of str to Message
        By Dask address, why.
    """

    def __init__(self, client: Any, key: str, extractors: Mapping[str, Extractor], limits: WorkerLimits) -> None:
        self._client = client
        self._key = key
        self._extractors = extractors
        self._limits = limits
        self._packed = pickle.dumps(dict(extractors), protocol=pickle.HIGHEST_PROTOCOL)
        self._picture = machine.trial_picture()
        self._versions = machine.package_versions()
        self._reading: dict[str, str] = {}
        self._requests: dict[str, Any] = {}
        self._known: dict[str, Introduction] = {}
        self._seen = time.monotonic()
        self.ready: dict[str, Introduction] = {}
        self.not_used: dict[str, Message] = {}

    def look(self, waiting: Callable[[], None]) -> None:
        """Note which machines have come and gone, and take the replies of those being prepared.

        Parameters
        ----------
        waiting : callable
            Called while this machine itself reads the trial picture; may raise to stop.
        """
        present = self._client.nthreads()
        for address in {*self.ready, *self._requests} - set(present):
            self.forget(address)
        for address in present:
            if address not in {*self.ready, *self._requests, *self.not_used}:
                self._requests[address] = submit(self._client, [address], "introduce", first=True)
        for address, future in list(self._requests.items()):
            if future.done():
                self._hear(address, future, waiting)
        if present:
            self._seen = time.monotonic()  # now: to read the trial picture here may have taken long

    def alone_s(self) -> float:
        """Return for how many seconds there has been no machine at all."""
        return time.monotonic() - self._seen

    def all_refused(self) -> bool:
        """Return whether there are machines, and none of them is used."""
        return bool(self.not_used) and not self.ready and not self._requests

    def forget(self, address: str) -> None:
        """Forget a machine; if it is still there, it is prepared again."""
        self.ready.pop(address, None)
        self._known.pop(address, None)
        self._requests.pop(address, None)

    def refuse(self, address: str, why: Message) -> None:
        """Stop using a machine, for a reason."""
        self.forget(address)
        self.not_used[address] = why

    def close(self) -> None:
        """Cancel the requests under way."""
        if self._requests:  # a client that has lost its scheduler refuses to cancel
            with suppress(*LOST):
                self._client.cancel(list(self._requests.values()))
        self._requests.clear()

    def _hear(self, address: str, future: Any, waiting: Callable[[], None]) -> None:
        del self._requests[address]
        if future.status != "finished":
            if future.status == "error":
                self.refuse(address, _unable(address, future.exception()))
            return  # else it has gone meanwhile
        try:
            reply = future.result(timeout=FETCH_S)
        except TimeoutError:
            return  # it has gone since it replied
        if isinstance(reply, Introduction):
            named = f"{reply.host} ({address})"
            if (other := machine.other_version(named, self._versions, reply.versions)) is not None:
                self.refuse(address, other)
                return
            self._known[address] = reply
            packed = (self._key, self._packed, self._limits, self._picture)
            self._requests[address] = submit(self._client, [address], "prepare", *packed, first=True)
            return
        known = self._known[address]
        if (different := machine.other_reading(f"{known.host} ({address})", self._ours(waiting), reply)) is not None:
            self.refuse(address, different)
            return
        self.ready[address] = known

    def _ours(self, waiting: Callable[[], None]) -> dict[str, str]:
        """Return the digests of the trial picture as this machine reads it."""
        if not self._reading:
            with Workers(1, self._extractors, self._limits) as workers:
                self._reading = machine.read_trial(workers, self._picture, tuple(self._extractors), waiting)
        return self._reading


def _unable(address: str, error: BaseException) -> Message:
    if isinstance(error, UnfitError):
        return Message("{machine} is not used: {why}", machine=address, why=error.args[1])
    why = f"{type(error).__name__}: {error}"
    return Message("{machine} is not used: it cannot run this Twinlens ({why}).", machine=address, why=why)


LOST = (OSError, TimeoutError, RuntimeError, concurrent.futures.CancelledError, asyncio.CancelledError)
"""Errors that Dask raises when the scheduler is gone."""


def submit(client: Any, machines: Collection[str], name: str, *arguments: object, first: bool = False) -> Any:
    """Submit a call of a function of `twinlens.app.library.cluster.machine` to one of some machines.

    Parameters
    ----------
    machines : collection of str
        Their Dask addresses; at least one.
    name : str
        Of the function.
    *arguments
        Its arguments.
    first : bool
        Whether it goes before all other work there.
    """
    packed = pickle.dumps(arguments, protocol=pickle.HIGHEST_PROTOCOL)

    def call(name: str, packed: bytes) -> Any:  # inside a function, so that it is sent as its code
        import pickle

        from twinlens.app.library.cluster import machine

        return getattr(machine, name)(*pickle.loads(packed))  # noqa: S301 (from the program that adds)

    workers = list(machines)
    return client.submit(call, name, packed, workers=workers, pure=False, priority=int(first), key=None)
