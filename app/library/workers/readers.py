"""What reads photographs: processes of this machine, or the machines of a cluster (`app.library.cluster`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import ClassVar, Protocol, Self

from app.library.workers.capacity import preferred_limits, usual_workers
from app.library.workers.extraction import FileReadingTask, Outcome
from app.library.workers.worker_pool import Workers
from core.message import NOTHING, Message
from features.descriptor import Extractor


class Readers(Protocol):
    """Readers of files. What follows is what they promise, wherever they are."""

    def run(self, tasks: Iterable[FileReadingTask], waiting: Callable[[], None]) -> Iterator[Outcome]:
        """Read files and give what became of each, in the order of the tasks, whichever is ready first.

        Tasks are taken as they can be worked on. While no result is asked for, little new is begun: to pause is not to
        ask. A file that ends its process or takes too long is one problem. When the iterator is closed, nothing is
        read any more.

        Parameters
        ----------
        waiting : callable
            Called ten times a second while the next result is not ready; may raise to stop.
        """


class Machines(Protocol):
    """The machines that read.

    Attributes
    ----------
    count : int
        Processes that read, roughly where they are elsewhere.
    here : bool
        Whether this machine alone reads, and so what lies in its cache can be read.
    """

    @property
    def count(self) -> int:
        """How many processes read."""

    @property
    def here(self) -> bool:
        """Whether this machine alone reads."""

    def readers(self, extractors: Mapping[str, Extractor]) -> AbstractContextManager[Readers]:
        """Return readers that describe pictures by extractors."""

    @property
    def not_used(self) -> Mapping[str, Message]:
        """By its address, why a machine is not used."""

    @property
    def read_here(self) -> int:
        """Photographs that others should have read, and could not reach."""

    def told(self) -> Message:
        """Say which machines read now; empty where that needs no word."""


@dataclass(frozen=True)
class ThisMachine:
    """Processes of this machine."""

    count: int
    here: ClassVar[bool] = True
    not_used: ClassVar[Mapping[str, Message]] = {}
    read_here: ClassVar[int] = 0

    @classmethod
    def of(cls, workers: int | None) -> Self:
        """Return so many processes; by default as many as the person prefers."""
        return cls(workers or usual_workers())

    def readers(self, extractors: Mapping[str, Extractor]) -> AbstractContextManager[Readers]:
        """Return a pool of processes."""
        return Workers(self.count, extractors, preferred_limits(self.count))

    def told(self) -> Message:
        """Say nothing: nobody would expect another machine."""
        return NOTHING
