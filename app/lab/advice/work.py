"""What advice is worked out with: vectors and their measures, candidates, and what is known so far of the time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from app.indexes.index_names import text_of
from app.indexes.loaded_index import LoadedIndex
from app.lab.advice.measurement import row_of
from app.lab.advice.results import AdvicePoint
from core.errors import TwinlensError
from core.measure import Measure
from core.message import verbatim
from core.progress import Progress
from core.tuning.budget import Seconds
from core.tuning.costs import Costs
from storage.indexes import IndexRow
from storage.transaction import Transaction

LEAST = 10  # questions


class OutOfTimeError(Exception):
    """The time is over in the middle of something."""


class TooLongError(Exception):
    """One index takes more of the time than it should."""


@dataclass(frozen=True, eq=False)
class Subject:
    """Vectors of the library under one measure, and what indexes of the library hash and search them by."""

    base: LoadedIndex
    ids: int
    own: list[tuple[str, str]]

    @property
    def measure(self) -> str:
        """The kernel's text form; empty for a metric."""
        return self.base.measure.kernel.text() if isinstance(self.base.measure, Measure) else ""


@dataclass(frozen=True, eq=False)
class Candidate:
    """An index that could answer: which vectors, by which method and search structure."""

    subject: int
    method: str  # empty for exact search
    search: str

    def row(self, r: Transaction, subjects: Sequence[Subject]) -> IndexRow:
        """Return the row that an index of it would have, without an id."""
        return row_of(r, subjects[self.subject].base.row.name, self.method, self.search)


@dataclass(eq=False)
class Work:
    """What is known; it grows while time passes."""

    budget: Seconds
    progress: Progress
    found: Callable[[AdvicePoint], None] = lambda point: None
    levels: tuple[dict[str, AdvicePoint], dict[str, AdvicePoint]] = field(default_factory=lambda: ({}, {}))
    where: dict[str, Candidate] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    left: dict[str, None] = field(default_factory=dict)
    slow: set[tuple[int, str]] = field(default_factory=set)  # methods that took too long, by subject
    too_long: dict[str, float] = field(default_factory=dict)  # seconds that methods would have taken, by their keys
    dearest: float = 0.0  # seconds of the index that took longest to learn
    costs: Costs = field(default_factory=Costs)
    cancelled: bool = False

    def watch(self, text: str, until: float = 1.0) -> None:
        """Tell where the work is; ends it when the time is over, or the share of it until which it may go on."""
        spent = self.budget.spent()
        self.progress(min(1.0, spent), 1.0, verbatim(text))
        if spent >= 1:
            raise OutOfTimeError
        if spent >= until:
            raise TooLongError

    def wait(self, candidate: Candidate, r: Transaction, subjects: Sequence[Subject]) -> None:
        """Remember that there was no time for a candidate yet."""
        with suppress(TwinlensError):
            self.left[text_of(candidate.row(r, subjects))] = None

    def waits(self, candidate: Candidate, r: Transaction, subjects: Sequence[Subject]) -> bool:
        """Return whether there was no time for a candidate yet."""
        try:
            return text_of(candidate.row(r, subjects)) in self.left
        except TwinlensError:
            return False

    def has(self, share: float) -> bool:
        """Return whether less than a share of the time is spent."""
        return self.budget.spent() < share
