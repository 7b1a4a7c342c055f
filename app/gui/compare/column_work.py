"""The work of the columns: searching, measuring everything, and making the missing columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.gui.compare.column_jobs import BoardResults, judged_results, search_ready_columns
from app.gui.compare.new_columns import ColumnMaking
from app.gui.frame.opened import OpenLibrary
from app.gui.process.job import Failure
from app.gui.process.jobs import Jobs
from core.progress import Progress

if TYPE_CHECKING:
    from app.compare.columns import ComparisonColumn
    from app.compare.comparison import Comparison
    from app.compare.results import CompareResult
    from app.compare.temporary_index import TemporaryIndexes
    from app.search.question import SearchQuery


@dataclass(frozen=True)
class ColumnQuery:
    """A query with its columns.

    Attributes
    ----------
    question : Question
    columns : tuple of Column
        Empty: those that are worth seeing first.
    default : str
        The index that answers where none is named.
    k : int
        How many each is asked for.
    filters : mapping of str to str
        As :meth:`app.search.filters.Filters.of` reads them.
    """

    question: SearchQuery
    columns: tuple[ComparisonColumn, ...]
    default: str
    k: int
    filters: Mapping[str, str]


class ColumnSearch(QObject):
    """Searches, and signals when more is known.

    Attributes
    ----------
    found : Found or None
        What is known so far.
    making : ColumnMaking
    """

    changed = Signal(bool)
    """More is known; whether the visible pictures keep their places."""
    failed = Signal(object)
    """The query cannot be searched."""

    def __init__(self, opened: OpenLibrary, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._opened = opened
        self._jobs = jobs
        self._asking = self._jobs.latest()
        self._holding = self._jobs.latest()
        self._judging = self._jobs.latest()
        self._kept: TemporaryIndexes | None = None
        self._asked: ColumnQuery | None = None
        self._judged = False
        self.found: BoardResults | None = None
        self.making = ColumnMaking(jobs, self)
        self.making.made.connect(self._ask_again)
        self.making.failed.connect(self._on_not_made)
        self.making.stopped.connect(self._make_next)

    def ask(self, asked: ColumnQuery, keep: bool, quick: bool = True) -> None:
        """Search by the quick columns first, then by the others, measure everything, and make missing columns."""
        self._asked = asked
        self._judging.cancel()
        kept = self._kept
        if kept is None:
            self._asking.begin(_temporary_indexes).then(lambda made: self._ask_with(made, asked, keep, quick))
        else:
            self._ask_with(kept, asked, keep, quick)

    def _ask_with(self, kept: TemporaryIndexes, asked: ColumnQuery, keep: bool, quick: bool) -> None:
        opened, self._kept = self._opened, kept

        def work(progress: Progress) -> BoardResults:
            return search_ready_columns(
                opened, asked.question, asked.columns, asked.default, asked.k, kept, asked.filters, progress, quick
            )

        self._asking.begin(work).then(lambda found: self._on_answered(found, keep)).failed(self._on_failed)

    def choose(self, columns: Sequence[ComparisonColumn]) -> bool:
        """Show other columns or another order, if all have results; nothing is computed again."""
        found, asked = self.found, self._asked
        if found is None or asked is None or not self._judged or any(one not in found.ready() for one in columns):
            return False
        self.found, self._asked = found.chosen(columns), replace(asked, columns=tuple(columns))
        return True

    def hold_against(self, place: int | None) -> None:
        """Compare the columns with one that has a result, unless they have changed by then."""
        found = self.found
        if found is None or found.comparison is None:
            return
        if not found.stale and place == found.comparison.reference:
            return
        comparison: Comparison = found.comparison.held_against(place)

        def then(result: CompareResult) -> None:
            if self.found is found:
                self.found = replace(found, comparison=comparison, result=result, stale=False)
                self.changed.emit(True)

        self._holding.begin(lambda _: comparison.result()).then(then)

    def _ask_again(self) -> None:
        if self._asked is not None:
            self.ask(self._asked, keep=True)

    def _on_answered(self, found: BoardResults, keep: bool) -> None:
        opened, asked = self._opened, self._asked
        if asked is None:
            return
        self.found, self._judged = found, False
        self.changed.emit(keep)
        comparison = found.comparison
        if found.left:
            self.ask(asked, keep=True, quick=False)
        elif comparison is None:
            self._make_next()
        else:
            self._judge(opened, found, comparison)

    def _judge(self, opened: OpenLibrary, found: BoardResults, comparison: Comparison) -> None:
        def work(progress: Progress) -> BoardResults:
            from app.compare.comparison import judge_columns

            return judged_results(
                opened, found.columns, found.headings, judge_columns(opened.searcher, comparison, progress)
            )

        self._judging.begin(work).then(self._on_judged)

    def _on_judged(self, found: BoardResults) -> None:
        self.found, self._judged = found, True
        self.changed.emit(True)
        self._make_next()

    def _make_next(self) -> None:
        """Make the next missing column."""
        if self.found is not None and self._kept is not None:
            self.making.go_on(self._opened, self._kept, self.found.waiting())

    def _on_not_made(self) -> None:
        self.changed.emit(True)
        self._make_next()

    def _on_failed(self, failure: Failure) -> None:
        self.found = None
        self.failed.emit(failure)


def _temporary_indexes(__: Progress) -> TemporaryIndexes:
    """Make the place of temporary indexes; in a job, since what they import would hold the window up."""
    from app.compare.temporary_index import TemporaryIndexes

    return TemporaryIndexes()
