"""A cluster in use: the connection to its scheduler, and the machines that read for a library."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from types import TracebackType
from typing import Any, Self

from app.library.cluster.address import ClusterAddress, imported, unanswered
from app.library.cluster.machine import CORES
from app.library.cluster.pages import Pages
from app.library.pace import usual_workers
from app.library.readers import Readers
from core.errors import TwinlensError
from core.message import NOTHING, Message, counted
from features.descriptor import Extractor

_CONNECT_S, _CLOSE_S = "10s", 5


class Cluster:
    """The machines of a cluster; a context manager, at whose end nothing is read there any more.

    Parameters
    ----------
    address : ClusterAddress

    Attributes
    ----------
    address : ClusterAddress
    client : distributed.Client
    not_used : dict of str to Message
        By the machine's Dask address, why it is not used.
    read_here : int
        Photographs that no machine of the cluster reached, and this one read.
    """

    here = False

    def __init__(self, address: ClusterAddress) -> None:
        self.address = address
        self._local: Any = None
        self.client: Any = None
        self._pages: Pages | None = None
        self.not_used: dict[str, Message] = {}
        self.read_here = 0

    def __enter__(self) -> Self:
        """Start the Dask workers of this machine where these are meant, and connect to the scheduler.

        Raises
        ------
        TwinlensError
            If the package distributed is missing, no scheduler answers, or the certificates are not right.
        """
        distributed = imported()
        try:
            if self.address.local:
                self._local = self._started()
            self.client = distributed.Client(
                self._local or self.address.text,
                timeout=_CONNECT_S,
                set_as_default=False,
                security=None if self._local else self.address.security(),
            )
        except BaseException as error:
            self._close()
            if not isinstance(error, (OSError, TimeoutError, RuntimeError)):
                raise
            raise unanswered(self.address) from error
        return self

    def _started(self) -> Any:
        """Start Dask workers of this machine, each for one core."""
        try:
            return imported().LocalCluster(
                n_workers=self.address.local,
                threads_per_worker=1,
                host="127.0.0.1",
                memory_limit=None,
                dashboard_address="127.0.0.1:0",  # free ports for what Dask serves besides, which nobody needs
                worker_dashboard_address="127.0.0.1:0",
                resources={CORES: 1},
                silence_logs=logging.CRITICAL,
            )
        except (OSError, TimeoutError, RuntimeError) as error:
            raise TwinlensError(
                Message(
                    "The processes of {address} could not be started: {why}", address=self.address.text, why=str(error)
                ),
                Message("Close other programs, or ask for fewer."),
            ) from error

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def _close(self) -> None:
        for one in (self.client, self._local):
            if one is not None:
                with suppress(OSError, TimeoutError, RuntimeError):
                    one.close(timeout=_CLOSE_S)

    @property
    def scheduler(self) -> str:
        """Its address."""
        return str(self.client.scheduler.address)

    @property
    def count(self) -> int:
        """How many processes read, where that is known; else as many as this machine would take."""
        cores = 0 if self._pages is None else self._pages.cores()
        return cores or self.address.local or usual_workers()

    def told(self) -> Message:
        """Say how many machines read now."""
        machines = 0 if self._pages is None else self._pages.machines()
        return counted("{count} machine", "{count} machines", machines) if machines else NOTHING

    def readers(self, extractors: Mapping[str, Extractor]) -> AbstractContextManager[Readers]:
        """Return readers on all machines that agree with this one."""
        return self._reading(extractors)

    @contextmanager
    def _reading(self, extractors: Mapping[str, Extractor]) -> Iterator[Readers]:
        with Pages(self.client, self.address.text, extractors, self.count) as pages:
            self._pages = pages
            try:
                yield pages
            finally:
                self._pages = None
                self.not_used.update(pages.not_used)
                self.read_here += pages.read_here
