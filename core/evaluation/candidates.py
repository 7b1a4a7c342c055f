"""Candidates of a measurement: hash methods, and searchers of other programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from core.evaluation.evaluation_task import EvaluationTask, Figures
from core.hashing.hash_method import HashMethod
from core.progress import Progress
from core.search.search_structure import Search


class Peer(Protocol):
    """A searcher of another program, measured on the same tasks as hash methods."""

    @property
    def key(self) -> str:
        """Name of its family."""

    @property
    def bits(self) -> int:
        """Bits kept of each item; 0 where that is known only when it is built."""

    def text(self) -> str:
        """Return its text form."""

    def identity(self) -> str:
        """Return what tells it from any other, with the versions that its answers depend on."""

    def changed(self, *, seed: int) -> Peer:
        """Return it with another seed."""

    def measured(self, searches: Sequence[Search], task: EvaluationTask, progress: Progress) -> Iterator[Figures]:
        """Build it on the base, and yield its figures with as many candidates as each search structure ranks."""


Candidate = HashMethod | Peer
