"""Readers of photographs: processes of this machine, or the machines of a cluster (`twinlens.app.library.cluster`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import ClassVar, Protocol, Self

from twinlens.app.library.workers.capacity import preferred_limits, usual_workers
from twinlens.app.library.workers.extraction import Outcome
from twinlens.app.library.workers.file_contents import FileReadingTask
from twinlens.app.library.workers.worker_pool import Workers
from twinlens.core.message import NOTHING, Message
from twinlens.features.descriptor import Extractor


class Readers(Protocol):
    """Readers of files, here or elsewhere."""

    def run(self, tasks: Iterable[FileReadingTask], waiting: Callable[[], None]) -> Iterator[Outcome]:
        """Read files and yield their outcomes in the order of the tasks, whichever is ready first.

        Tasks are taken as they can be worked on. While the caller takes no result, little new is begun: that is how to
        pause. A file that ends its process or takes too long is one problem. When the iterator is closed, nothing is
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
        Processes that read; a rough number if they are elsewhere.
    here : bool
        Whether this machine alone reads, so that the files of its cache can be used.
    """

    @property
    def count(self) -> int:
        """The number of processes that read."""

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
        """Photographs that the cluster could not reach, and this machine read."""

    def machines_in_words(self) -> Message:
        """Return which machines read now, in words; empty for this machine alone."""


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

    def machines_in_words(self) -> Message:
        """Return nothing: this machine is the one that everybody expects."""
        return NOTHING
