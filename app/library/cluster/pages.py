"""Pages of tasks that are given to the machines of a cluster, and taken back in order.

Dask places them: a page may go to any machine that agrees with this one, and to another where that one dies.
"""

from __future__ import annotations

import itertools
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from app.library.allowance import preferred_limits
from app.library.cluster import machine
from app.library.cluster.address import imported
from app.library.cluster.calls import LOST, scheduler, submit
from app.library.cluster.newcomers import Newcomers
from app.library.extraction import FileReadingTask, Outcome, UnreadableFile
from app.library.pace import usual_workers
from app.library.workers import Workers
from core.errors import TwinlensError
from core.message import Message, joined
from features.descriptor import Extractor

PAGE = 32
"""Tasks of a page, at least."""

_FOR_EACH_CORE = 16  # tasks of a page: at its end all cores but one wait for the last file
_AHEAD, _KEPT = (
    2,
    4,
)  # pages for each machine: those that are read or wait there, and all of them
_TICK_SECONDS = 0.1
_LOOK_SECONDS = 1.0
_PATIENCE_S = 30.0  # without any machine
_FETCH_S = 30.0


@dataclass
class _Page:
    """Tasks for one machine.

    Attributes
    ----------
    tasks : list of Task
    machines : frozenset of str
        That it may go to.
    future : distributed.Future or None
        None while it is not given out.
    """

    tasks: list[FileReadingTask]
    machines: frozenset[str] = frozenset()
    future: Any = None

    def done(self) -> bool:
        return self.future is not None and bool(self.future.done())


class ClusterReaders:
    """Readers on the machines of a cluster; a context manager, at whose end no task is left there.

    Parameters
    ----------
    client : distributed.Client
    address : str
        Of the cluster, for sentences.
    extractors : mapping of str to Extractor
        By the keys that tasks want.
    count : int
        Processes, by which the memory that a picture may take is reckoned, as on this machine.

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
        """Read files and give what became of each, in the order of the tasks; see :class:`app.library.readers.Readers`.

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
        """See which machines there are, now and then; pages whose machines have gone are given out again."""
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
        """Give as many pages to the machines as they need to be busy."""
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
        """Return what became of a page's files; None where it must be given out again."""
        future, page.future = page.future, None
        with scheduler(self._client, self._address):
            error = future.exception() if future.status == "error" else None
            if error is None:
                try:
                    outcomes: list[Outcome] = future.result(timeout=_FETCH_S)
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
        """Give outcomes, those of files that were not reached from this machine."""
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
            Message("Run `twinlens worker {address}` on each machine that is to read.", address=self._address),
        )


def _stop(key: str) -> None:
    from app.library.cluster import machine

    machine.stop(key)
