"""A cluster in use: the connection to its scheduler, and the machines that read for a library."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from types import TracebackType
from typing import Any, Self

from app.library.cluster.address import ClusterAddress, imported, unanswered
from app.library.cluster.nodes import CLOSE_S, local_cluster
from app.library.cluster.pages import ClusterReaders
from app.library.pace import usual_workers
from app.library.readers import Readers
from core.message import NOTHING, Message, counted
from features.descriptor import Extractor

_CONNECT_S = "10s"


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
        self.client: Any = None
        self._opened = ExitStack()
        self._pages: ClusterReaders | None = None
        self.not_used: dict[str, Message] = {}
        self.read_here = 0

    def __enter__(self) -> Self:
        """Connect to the scheduler, which is started in this process where this machine is meant.

        Raises
        ------
        TwinlensError
            If the package distributed is missing, no scheduler answers, or the certificates are not right.
        """
        distributed = imported()
        with ExitStack() as opened, _started(self.address):
            local = opened.enter_context(local_cluster(self.address.local)) if self.address.local else None
            self.client = distributed.Client(
                local or self.address.text,
                timeout=_CONNECT_S,
                set_as_default=False,
                security=None if local else self.address.security(),
            )
            opened.callback(self._disconnect)
            self._opened = opened.pop_all()
        return self

    def _disconnect(self) -> None:
        with suppress(OSError, TimeoutError, RuntimeError):
            self.client.close(timeout=CLOSE_S)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._opened.close()

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
        with ClusterReaders(self.client, self.address.text, extractors, self.count) as pages:
            self._pages = pages
            try:
                yield pages
            finally:
                self._pages = None
                self.not_used.update(pages.not_used)
                self.read_here += pages.read_here


@contextmanager
def _started(address: ClusterAddress) -> Iterator[None]:
    """Raise a sentence where there is no cluster."""
    try:
        yield
    except (OSError, TimeoutError, RuntimeError) as error:
        raise unanswered(address, error) from error
