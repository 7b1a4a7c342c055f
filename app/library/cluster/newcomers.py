"""Machines that join a cluster: each is compared with this one before it is given its first page."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from app.library.cluster import agreement
from app.library.cluster.calls import LOST, submit
from app.library.cluster.machine import Introduction, UnfitError
from app.library.workers import WorkerLimits, Workers
from core.message import Message
from features.descriptor import Extractor


class Newcomers:
    """The machines of a cluster: those that are ready, those that are asked, and those that are not used.

    Parameters
    ----------
    client : distributed.Client
    key : str
        Of the pools on the machines.
    extractors : mapping of str to Extractor
    limits : WorkerLimits

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
        self._picture = agreement.trial_picture()
        self._versions = agreement.package_versions()
        self._reading: dict[str, str] = {}
        self._asked: dict[str, Any] = {}
        self._known: dict[str, Introduction] = {}
        self._seen = time.monotonic()
        self.ready: dict[str, Introduction] = {}
        self.not_used: dict[str, Message] = {}

    def look(self, waiting: Callable[[], None]) -> None:
        """See who has come and gone, and hear those that were asked.

        Parameters
        ----------
        waiting : callable
            Called while this machine itself reads the trial picture; may raise to stop.
        """
        present = self._client.nthreads()
        for address in {*self.ready, *self._asked} - set(present):
            self.forget(address)
        for address in present:
            if address not in {*self.ready, *self._asked, *self.not_used}:
                self._asked[address] = submit(self._client, [address], "introduce", first=True)
        for address, future in list(self._asked.items()):
            if future.done():
                self._hear(address, future, waiting)
        if present:
            self._seen = time.monotonic()  # now: to read the trial picture here may have taken long

    def alone_s(self) -> float:
        """Return for how many seconds there has been no machine at all."""
        return time.monotonic() - self._seen

    def all_refused(self) -> bool:
        """Return whether there are machines, and none of them is used."""
        return bool(self.not_used) and not self.ready and not self._asked

    def forget(self, address: str) -> None:
        """Forget a machine: if it is there, it is asked again."""
        self.ready.pop(address, None)
        self._known.pop(address, None)
        self._asked.pop(address, None)

    def refuse(self, address: str, why: Message) -> None:
        """Use a machine no more."""
        self.forget(address)
        self.not_used[address] = why

    def close(self) -> None:
        """Ask no more."""
        with suppress(*LOST):
            self._client.cancel(list(self._asked.values()))
        self._asked.clear()

    def _hear(self, address: str, future: Any, waiting: Callable[[], None]) -> None:
        del self._asked[address]
        if future.status != "finished":
            if future.status == "error":
                self.refuse(address, _unable(address, future.exception()))
            return  # else it has gone meanwhile
        answer = future.result()
        if isinstance(answer, Introduction):
            machine = f"{answer.host} ({address})"
            if (other := agreement.other_version(machine, self._versions, answer.versions)) is not None:
                self.refuse(address, other)
                return
            self._known[address] = answer
            packed = (self._key, self._packed, self._limits, self._picture)
            self._asked[address] = submit(self._client, [address], "prepare", *packed, first=True)
            return
        known = self._known[address]
        if (different := agreement.other_reading(f"{known.host} ({address})", self._ours(waiting), answer)) is not None:
            self.refuse(address, different)
            return
        self.ready[address] = known

    def _ours(self, waiting: Callable[[], None]) -> dict[str, str]:
        """Return what this machine makes of the trial picture."""
        if not self._reading:
            with Workers(1, self._extractors, self._limits) as workers:
                self._reading = agreement.read_trial(workers, self._picture, tuple(self._extractors), waiting)
        return self._reading


def _unable(address: str, error: BaseException) -> Message:
    if isinstance(error, UnfitError):
        return Message("{machine} is not used: {why}", machine=address, why=error.args[1])
    why = f"{type(error).__name__}: {error}"
    return Message("{machine} is not used: it cannot run this Twinlens ({why}).", machine=address, why=why)
