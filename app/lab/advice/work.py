"""State of an advice in progress: subjects, candidates, measured indexes and the time left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from app.bench.faiss_peer import FaissPeer
from app.indexes.index_metric import metric_text
from app.indexes.index_names import text_of
from app.indexes.loaded_index import LoadedIndex
from app.lab.advice.measurement import row_of
from app.lab.advice.reasons import short_name
from app.lab.advice.results import AdvicePoint, IndexParts
from app.methods import catalogue
from core.errors import TwinlensError
from core.exact_search.measure import Measure
from core.message import Message
from core.progress import Progress
from core.tuning.budget import Seconds
from core.tuning.trial_costs import Costs
from storage.indexes.indexes import IndexRow
from storage.library.transaction import Transaction

LEAST = 10  # questions


class OutOfTimeError(Exception):
    """The time is over."""


class TooLongError(Exception):
    """One index takes more than its share of the time."""


@dataclass(frozen=True, eq=False)
class Subject:
    """Vectors of the library under one measure, with the methods and structures of the indexes over them."""

    base: LoadedIndex
    ids: int
    own: list[tuple[str, str]]

    @property
    def measure(self) -> str:
        """The kernel's text form; empty for a metric."""
        return self.base.measure.kernel.text() if isinstance(self.base.measure, Measure) else ""


@dataclass(frozen=True, eq=False)
class Candidate:
    """An index to try: vectors, hash method and search structure."""

    subject: int
    method: str  # empty for exact search
    search: str

    def row(self, r: Transaction, subjects: Sequence[Subject]) -> IndexRow:
        """Return the row of such an index, without an id."""
        return row_of(r, subjects[self.subject].base.row.name, self.method, self.search)


@dataclass(eq=False)
class Work:
    """The state of an advice in the making: what is measured, refused, and left to do."""

    budget: Seconds
    progress: Progress
    found: Callable[[AdvicePoint], None]
    subjects: Sequence[Subject]
    seed: int
    peers: Sequence[FaissPeer] = ()
    compared: dict[str, AdvicePoint] = field(default_factory=dict)  # peers that were measured
    levels: tuple[dict[str, AdvicePoint], dict[str, AdvicePoint]] = field(default_factory=lambda: ({}, {}))
    where: dict[str, Candidate] = field(default_factory=dict)
    refused: dict[str, Message] = field(default_factory=dict)
    left: dict[str, IndexParts] = field(default_factory=dict)
    slow: set[tuple[int, str]] = field(default_factory=set)  # methods that took too long, by subject
    too_long: dict[str, float] = field(default_factory=dict)  # seconds that methods would have taken, by their keys
    dearest: float = 0.0  # seconds of the index that took longest to learn
    costs: Costs = field(default_factory=Costs)
    cancelled: bool = False

    def watch(self, tried: IndexParts, until: float = 1.0) -> None:
        """Report progress; raise an error when the time, or the index's share of it, is over."""
        spent = self.budget.spent()
        self.progress(min(1.0, spent), 1.0, Message("Trying {index}", index=short_name(tried)))
        if spent >= 1:
            raise OutOfTimeError
        if spent >= until:
            raise TooLongError

    def wait(self, candidate: Candidate, r: Transaction) -> None:
        """Remember that a candidate is still to be tried."""
        with suppress(TwinlensError):
            parts = parts_of(candidate.row(r, self.subjects))
            self.left[parts.key] = parts

    def waits(self, candidate: Candidate, r: Transaction) -> bool:
        """Return whether a candidate is still to be tried."""
        try:
            return text_of(candidate.row(r, self.subjects)) in self.left
        except TwinlensError:
            return False

    def has(self, share: float) -> bool:
        """Return whether less than a share of the time is spent."""
        return self.budget.spent() < share


def parts_of(row: IndexRow) -> IndexParts:
    """Return the declarations of an index in text form."""
    search = catalogue.search_structure(row.search)
    return IndexParts(
        key=text_of(row),
        descriptor=catalogue.descriptor(row.descriptor).text(),
        metric=metric_text(row),
        method=catalogue.method(row.method).text() if search.uses_codes else "",
        search=search.text(),
    )
