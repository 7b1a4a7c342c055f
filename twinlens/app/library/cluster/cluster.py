"""A cluster in use: the connection to its scheduler, and the machines that read for a library.

Pages of tasks go to the machines and their results come back in order. A machine that joins is compared with this one
before its first page. A scheduler looks into what it passes on, so a call is sent as its code and its arguments as
bytes: then the scheduler needs nothing of Twinlens.
"""

from __future__ import annotations

import itertools
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from twinlens.app.library.cluster import machine
from twinlens.app.library.cluster.address import ClusterAddress, imported, unanswered
from twinlens.app.library.cluster.machine import CLOSE_S, local_cluster
from twinlens.app.library.cluster.newcomers import FETCH_S, LOST, Newcomers, submit
from twinlens.app.library.workers.capacity import preferred_limits, usual_workers
from twinlens.app.library.workers.extraction import Outcome, UnreadableFile
from twinlens.app.library.workers.file_contents import FileReadingTask
from twinlens.app.library.workers.readers import Readers
from twinlens.app.library.workers.worker_pool import Workers
from twinlens.core.errors import TwinlensError
from twinlens.core.message import NOTHING, Message, counted, joined
from twinlens.features.descriptor import Extractor

_CONNECT_S = "10s"


class Cluster:
    """The machines of a cluster; a context manager, at whose end nothing is read there any more.

    Attributes
    ----------
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
        """The address of the scheduler."""
        return str(self.client.scheduler.address)

    @property
    def count(self) -> int:
        """The number of processes that read; where it is not known, that of this machine."""
        cores = 0 if self._pages is None else self._pages.cores()
        return cores or self.address.local or usual_workers()

    def machines_in_words(self) -> Message:
        """Return how many machines read now, in words."""
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
    """Raise a TwinlensError where there is no cluster."""
    try:
        yield
    except (OSError, TimeoutError, RuntimeError) as error:
        raise unanswered(address, error) from error


PAGE = 32
"""Tasks of a page, at least."""

_FOR_EACH_CORE = 16  # tasks of a page: at its end all cores but one wait for the last file
_AHEAD, _KEPT = 2, 4  # pages for each machine: those that are read or wait there, and all of them
_TICK_SECONDS = 0.1
_LOOK_SECONDS = 1.0
_PATIENCE_S = 30.0  # without any machine


class ClusterReaders:
    """Readers on the machines of a cluster; a context manager, at whose end no task is left there.

    Parameters
    ----------
    address : str
        Of the cluster, for sentences.
    extractors : mapping of str to Extractor
        By the keys that tasks want.
    count : int
        Processes, from which the memory for a picture follows, as on this machine.

    Attributes
    ----------
    read_here : int
        Photographs that no machine of the cluster reached, and this one read.
    """

    def __init__(self, client: Any, address: str, extractors: Mapping[str, Extractor], count: int) -> None:
        self._client = client
        self._address = address
        self._key = uuid.uuid4().hex
        limits = preferred_limits(count)
        self._newcomers = Newcomers(client, self._key, extractors, limits)
        self._here = Workers(usual_workers(), extractors, limits)
        self._looked = 0.0
        self.read_here = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._here.stop()
        self._newcomers.close()
        if self._client.status == "running":
            with suppress(*LOST):
                self._client.run(_stop, self._key, on_error="ignore")

    @property
    def not_used(self) -> dict[str, Message]:
        """By Dask address, why a machine is not used."""
        return self._newcomers.not_used

    def machines(self) -> int:
        """Count the machines that read now."""
        return len({one.host for one in self._newcomers.ready.values()})

    def cores(self) -> int:
        """Count the processes that read now."""
        return sum(one.cores for one in self._newcomers.ready.values())

    def run(self, tasks: Iterable[FileReadingTask], waiting: Callable[[], None]) -> Iterator[Outcome]:
        """Yield what files hold in the order of the tasks; see :class:`twinlens.app.library.workers.readers.Readers`.

        Raises
        ------
        TwinlensError
            If the scheduler is lost, or no machine of the cluster can be used.
        """
        left = iter(tasks)
        first = list(itertools.islice(left, 1))
        left = itertools.chain(first, left)
        pages: deque[_Page] = deque()
        try:
            while first:
                with scheduler(self._client, self._address):
                    self._look(pages, waiting)
                    self._give_out(pages, left)
                    if not pages and self._newcomers.ready:
                        return
                    if not (pages and pages[0].done()):
                        self._wait([page.future for page in pages if page.future is not None and not page.done()])
                if not (pages and pages[0].done()):
                    waiting()
                    continue
                outcomes = self._outcomes(pages[0], waiting)
                if outcomes is not None:
                    read = self._with_unreached(pages.popleft().tasks, outcomes, waiting)
                    yield from read
        finally:
            with suppress(*LOST):
                self._client.cancel([page.future for page in pages if page.future is not None])

    def _look(self, pages: deque[_Page], waiting: Callable[[], None]) -> None:
        """Look for machines now and then; pages whose machines have gone are given out again."""
        ready = self._newcomers.ready
        if time.monotonic() - self._looked < (_LOOK_SECONDS if ready else _TICK_SECONDS):
            return
        self._looked = time.monotonic()
        self._newcomers.look(waiting)
        if self._newcomers.all_refused() or self._newcomers.alone_s() > _PATIENCE_S:
            raise self._nobody()
        for page in pages:
            if page.future is not None and not page.done() and not page.machines & ready.keys():
                self._client.cancel([page.future])
                page.future = None

    def _give_out(self, pages: deque[_Page], left: Iterator[FileReadingTask]) -> None:
        """Send as many pages to the machines as they need to be busy."""
        ready = self._newcomers.ready
        if not ready:
            return
        for page in pages:
            if page.future is None:
                self._give(page)
        length = max(PAGE, _FOR_EACH_CORE * (self.cores() // len(ready)))
        unread = sum(not page.done() for page in pages)
        for _ in range(min(_AHEAD * len(ready) - unread, _KEPT * len(ready) - len(pages))):
            tasks = list(itertools.islice(left, length))
            if not tasks:
                return
            pages.append(_Page(tasks))
            self._give(pages[-1])

    def _give(self, page: _Page) -> None:
        page.machines = frozenset(self._newcomers.ready)
        page.future = submit(self._client, page.machines, "read_page", self._key, page.tasks)

    def _wait(self, futures: list[Any]) -> None:
        """Wait for a moment, or until a page is read."""
        if not futures:
            time.sleep(_TICK_SECONDS)
            return
        distributed = imported()
        with suppress(TimeoutError), self._client.as_current():
            distributed.wait(futures, timeout=_TICK_SECONDS, return_when="FIRST_COMPLETED")

    def _outcomes(self, page: _Page, waiting: Callable[[], None]) -> list[Outcome] | None:
        """Return the outcomes of a page's files; None where it must be given out again."""
        future, page.future = page.future, None
        with scheduler(self._client, self._address):
            error = future.exception() if future.status == "error" else None
            if error is None:
                try:
                    outcomes: list[Outcome] = future.result(timeout=FETCH_S)
                except TimeoutError:  # the machine that has them is gone
                    return None
                return outcomes
        if isinstance(error, machine.NotPreparedError):
            self._newcomers.forget(error.args[0])
            return None
        if isinstance(error, machine.UnfitError):
            self._newcomers.refuse(error.args[0], error.args[1])
            return None
        if isinstance(error, imported().KilledWorker):  # several Dask workers have died while they had it
            return list(self._here.run(page.tasks, waiting))
        raise error

    def _with_unreached(
        self, tasks: list[FileReadingTask], outcomes: list[Outcome], waiting: Callable[[], None]
    ) -> Iterator[Outcome]:
        """Yield outcomes, and read files that the cluster did not reach on this machine."""
        unreached = [isinstance(one, UnreadableFile) and one.unreached for one in outcomes]
        wanted = [task for task, wanting in zip(tasks, unreached, strict=True) if wanting]
        here = {one.photograph_id: one for one in self._here.run(wanted, waiting)} if wanted else {}
        self.read_here += len(here)
        for one in outcomes:
            yield here.get(one.photograph_id, one)

    def _nobody(self) -> TwinlensError:
        why = list(self.not_used.values())[:1]
        return TwinlensError(
            joined([Message("No machine of the cluster {address} reads photos.", address=self._address), *why]),
            "Run `twinlens worker {address}` on each machine that is to read.",
            address=self._address,
        )


def _stop(key: str) -> None:
    from twinlens.app.library.cluster import machine

    machine.stop(key)


@dataclass
class _Page:
    """Tasks for one machine.

    Attributes
    ----------
    machines : frozenset of str
        The machines that it may go to.
    future : distributed.Future or None
        None while it is not given out.
    """

    tasks: list[FileReadingTask]
    machines: frozenset[str] = frozenset()
    future: Any = None

    def done(self) -> bool:
        return self.future is not None and bool(self.future.done())


@contextmanager
def scheduler(client: Any, address: str) -> Iterator[None]:
    """Raise a TwinlensError where the scheduler proves to be gone.

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
        "The cluster's scheduler at {address} is gone.",
        "Start it again. `twinlens rescan` goes on from here, with --cluster or without.",
        address=address,
    )
