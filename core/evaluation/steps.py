"""Steps of a measurement: one candidate, search structure and seed on one set of data, under a key of all these."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from core.evaluation.evaluation_task import Figures, Task
from core.hashing.hash_method import HashMethod
from core.message import NOTHING, Message
from core.progress import Progress
from core.search.search_structure import Search

VERSION = 1
"""Version of the figures; a new one measures every step again."""


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

    def measured(self, searches: Sequence[Search], task: Task, progress: Progress) -> Iterator[Figures]:
        """Build it on the base, and yield its figures with as many candidates as each search structure ranks."""


Candidate = HashMethod | Peer


@dataclass(frozen=True)
class Step:
    """One step.

    Attributes
    ----------
    key : str
        Equal for equal figures.
    method : Candidate
        Without its seed.
    search : Search
    seed : int
    """

    key: str
    method: Candidate
    search: Search
    seed: int


@dataclass(frozen=True)
class Facts:
    """What a step was measured on.

    Attributes
    ----------
    base : str
        Source of the vectors.
    n, d, queries : int
    truth : str
        By which the true neighbours were found.
    relevant : Message
        Results that count as right in precision, recall and average precision.
    metric : str
        Applied before every method; empty for none.
    left_out : int
        All-zero rows of base and queries, left out for a histogram kernel.
    """

    base: str
    n: int
    d: int
    queries: int
    truth: str
    relevant: Message = NOTHING
    metric: str = ""
    left_out: int = 0


@dataclass(frozen=True, eq=False)
class Measured:
    """A measured step.

    Attributes
    ----------
    key : str
    figures : Figures
    facts : Facts
    exact : float
        Seconds of exact search per query.
    digest : str
        Of vectors, queries and right results.
    seconds : float
        That it took.
    digests : dict of str to str
        Of each of these; empty for steps of earlier versions.
    versions : dict of str to str
        Of the program and its machine; empty for those that run now.
    """

    key: str
    figures: Figures
    facts: Facts
    exact: float
    digest: str
    seconds: float
    digests: Mapping[str, str] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)


class Store(Protocol):
    """A place that keeps measured steps."""

    def kept(self, keys: Sequence[str]) -> Mapping[str, Measured]:
        """Return those of some steps that were measured."""

    def keep(self, one: Measured) -> None:
        """Keep a step, the moment it is measured."""


class Memory:
    """A store that forgets all when the program ends."""

    def __init__(self) -> None:
        self._steps: dict[str, Measured] = {}

    def kept(self, keys: Sequence[str]) -> Mapping[str, Measured]:
        """Return those of some steps that were measured."""
        return {key: self._steps[key] for key in keys if key in self._steps}

    def keep(self, one: Measured) -> None:
        """Keep a step."""
        self._steps[one.key] = one


def steps_of(
    candidates: Sequence[Candidate], searches: Sequence[Search], seeds: Sequence[int], about: Mapping[str, Any]
) -> list[Step]:
    """Return the steps of some candidates, by candidate, search structure and seed.

    Parameters
    ----------
    candidates : sequence of Candidate
    searches : sequence of Search
    seeds : sequence of int
    about : dict
        Everything else that determines the figures, as JSON takes it.
    """
    rest = json.dumps({"version": VERSION, **about}, sort_keys=True)
    found = []
    for method in candidates:
        for search in searches:
            for seed in seeds:
                declared = [method.changed(seed=seed).identity(), search.identity()]
                key = hashlib.sha256(json.dumps([declared, rest]).encode()).hexdigest()[:32]
                found.append(Step(key, method, search, seed))
    return found
