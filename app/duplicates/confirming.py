"""Confirming: pictures laid over each other, some pairs at the same time, with the result of one after another.

Threads wait for the processes that lay them over each other and decode their files: a pair that ends its process costs
nothing but itself. Whether a pair is of interest depends on what earlier pairs told of its families, so a pair
waits while an earlier one of the same family is under way; all others need not.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from itertools import islice
from types import TracebackType
from typing import NamedTuple, Self

from app.duplicates.close_looks import FileVerification
from app.duplicates.compared_pictures import AlignmentCache, ComparedContent
from app.duplicates.comparing_tasks import AlignmentTask
from app.library import decoders
from app.library.library import Library
from app.machine import waiting
from core.errors import Cancelled
from core.systems import system
from features.copies.relation import NOT_COMPARED, Relation, RelationKind
from features.copies.turnable_hash import UPRIGHT, Orientation
from features.reading.unreadable import UnreadableError

_log = logging.getLogger(__name__)

SERIES_SECONDS = 120.0
"""Between two photographs of a series, at most."""

SERIES_VOTES = 8
"""Keypoints that agree in turn and scale, at least, where photographs of different times are one series."""

_TRIES = 2  # the system may have ended the process for want of memory
_LOOKED_AHEAD = 64  # pairs
_WAIT_S = 0.2


class ProposedPair(NamedTuple):
    """Two pictures by their places, the lower one first, and why they are proposed."""

    first: int
    second: int
    way: Orientation | None = UPRIGHT
    votes: int = SERIES_VOTES


ConfirmedPair = tuple[ProposedPair, Relation | None]


class PairConfirmation:
    """Confirms pairs; its threads end with it.

    Parameters
    ----------
    library : Library
    every : sequence of Compared
        The pictures by their places.
    threads : int, optional
        By default one a core.
    """

    def __init__(self, library: Library, every: Sequence[ComparedContent], threads: int | None = None) -> None:
        self._library, self._every = library, every
        self._looks, self._close_looks = AlignmentCache(library), FileVerification(library)
        self._most = threads or system.processors()
        self._closed = threading.Event()
        self._threads = ThreadPoolExecutor(self._most, thread_name_prefix="confirming")
        with waiting.in_background(), waiting.stopped_by(self._stop_if_closed):
            decoders.warm()
            self._context = copy_context()

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        """Cancel the work under way, and wait for its threads."""
        self._closed.set()
        self._threads.shutdown(cancel_futures=True)

    def all(self, pairs: Iterable[ProposedPair]) -> Iterator[ConfirmedPair]:
        """Yield what pairs are, in their order."""
        given: deque[tuple[ProposedPair, Future[Relation | None]]] = deque()
        for pair in pairs:
            given.append((pair, self._begin(pair)))
            if len(given) > 2 * self._most:
                yield _ended(*given.popleft())
        while given:
            yield _ended(*given.popleft())

    def in_turn(
        self,
        pairs: Iterable[ProposedPair],
        is_wanted: Callable[[ProposedPair], bool],
        families: Callable[[ProposedPair], set[int]],
        progress: Callable[[int], None],
    ) -> Iterator[ConfirmedPair]:
        """Yield what those pairs are that are still wanted when it is their turn.

        Parameters
        ----------
        pairs : iterable of Pair
        is_wanted : callable
            Asked once for each pair, when all earlier ones of its families have been yielded.
        families : callable
            Returns the families of a pair, which change as pairs are yielded.
        progress : callable
            Given how many pairs are done.
        """
        left, done = iter(pairs), 0
        under_way: dict[Future[Relation | None], ProposedPair] = {}
        ahead: list[ProposedPair] = []
        while True:
            ahead += islice(left, _LOOKED_AHEAD - len(ahead))
            if not ahead and not under_way:
                return
            taken: set[int] = set().union(*map(families, under_way.values()))
            later: list[ProposedPair] = []
            for pair in ahead:
                own = families(pair)
                if not taken.isdisjoint(own) or len(under_way) >= 2 * self._most:
                    later.append(pair)
                elif is_wanted(pair):
                    under_way[self._begin(pair)] = pair
                else:
                    done += 1
                    continue
                taken |= own
            ahead = later
            progress(done)
            for ended in wait(under_way, _WAIT_S, FIRST_COMPLETED).done if under_way else ():
                done += 1
                yield under_way.pop(ended), ended.result()

    def _begin(self, pair: ProposedPair) -> Future[Relation | None]:
        return self._threads.submit(self._context.copy().run, self._relation, pair)

    def _stop_if_closed(self) -> None:
        if self._closed.is_set():
            raise Cancelled

    def _relation(self, pair: ProposedPair) -> Relation | None:
        """Return the relation of two pictures; None without one."""
        self._stop_if_closed()
        one, other = self._every[pair.first], self._every[pair.second]
        apart = one.seconds_from(other)
        if apart:
            together = apart <= SERIES_SECONDS and pair.votes >= SERIES_VOTES
            return Relation(RelationKind.SIMILAR) if together else None
        with self._library.store.reading() as r:
            looks = self._looks.of(r, [one, other])
        if len(looks) < 2:
            return None
        task = AlignmentTask(looks[one.content], looks[other.content], UPRIGHT if pair.way is None else pair.way)
        for _ in range(_TRIES):
            try:
                return self._told(one, other, task)
            except UnreadableError as error:
                _log.warning("%s and %s are not compared: %s", one.content.hex(), other.content.hex(), error.message)
        return NOT_COMPARED

    def _told(self, one: ComparedContent, other: ComparedContent, task: AlignmentTask) -> Relation | None:
        laid = decoders.ask(task)
        found = None if laid is None else self._close_looks.told(one, other, laid)
        return None if found is None or found.kind is RelationKind.OTHER else found


def _ended(pair: ProposedPair, found: Future[Relation | None]) -> ConfirmedPair:
    return pair, found.result()
