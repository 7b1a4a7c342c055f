"""Searches of the columns of a comparison, all in jobs, with the data for the view.

Columns that are ready are searched at once; afterwards those that are compared exactly, or whose index must be made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from twinlens.app.gui.compare.board_layout import RankedTile, ShownColumn
from twinlens.app.gui.process.jobs import Failure, Jobs
from twinlens.app.gui.process.open_library import OpenLibrary
from twinlens.app.gui.search.window_search import name_and_thumbnail
from twinlens.app.gui.services.work_queue import QueuedJob, WorkQueue
from twinlens.app.language.texts import _, text
from twinlens.core.message import Message
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from twinlens.app.compare.columns import ComparisonColumn
    from twinlens.app.compare.comparison import Comparison
    from twinlens.app.compare.comparison_results import ComparedColumn, CompareResult
    from twinlens.app.compare.temporary_index import TemporaryIndexes
    from twinlens.app.indexes.loaded_index import LoadedIndex
    from twinlens.app.library.browsing.photographs import Photograph
    from twinlens.app.search.search_query import SearchQuery


SLOW = 20_000
"""Photographs that are measured at once; with more, quicker columns are shown first."""


@dataclass(frozen=True, eq=False)
class ColumnHeading:
    """Heading of a column: its title, text form and plain description; or why it cannot be made."""

    title: str
    text: str
    short: str = ""
    fault: str = ""
    changed: bool = False


@dataclass(frozen=True, eq=False)
class BoardResults:
    """Results of the columns so far.

    Attributes
    ----------
    columns : tuple of ComparisonColumn
        Those that are wished for, in their order.
    comparison : Comparison or None
        Of those that are ready.
    stale : bool
        The column that all were held against is gone, so that the result has to be made anew.
    left : frozenset of ComparisonColumn
        What could answer, and takes so long that the others are shown before.
    """

    columns: tuple[ComparisonColumn, ...]
    headings: dict[ComparisonColumn, ColumnHeading]
    comparison: Comparison | None = None
    result: CompareResult | None = None
    photographs: dict[int, Photograph] = field(default_factory=dict)
    stale: bool = False
    left: frozenset[ComparisonColumn] = frozenset()

    def ready(self) -> list[ComparisonColumn]:
        """Return the columns that have a result, in its order."""
        return [] if self.comparison is None else [one.column for one in self.comparison.columns]

    def chosen(self, columns: Sequence[ComparisonColumn]) -> BoardResults:
        """Return some columns with results, in another order, without new searches."""
        assert self.comparison is not None
        assert self.result is not None
        ready = self.ready()
        places = [ready.index(column) for column in columns]
        before = self.comparison.reference
        reference = places.index(before) if before in places else None
        searched = tuple(self.comparison.columns[place] for place in places)
        comparison = replace(self.comparison, columns=searched, reference=reference)
        result = self.result.model_copy(update={"columns": [self.result.columns[place] for place in places]})
        stale = before is not None and reference is None
        return replace(self, columns=tuple(columns), comparison=comparison, result=result, stale=stale)

    def waiting(self) -> list[ComparisonColumn]:
        """Return the columns that must be made first."""
        ready = self.ready()
        return [one for one in self.columns if one not in ready and not self.headings[one].fault]


def search_ready_columns(
    opened: OpenLibrary,
    query: SearchQuery,
    wished: Sequence[ComparisonColumn],
    default: str,
    k: int,
    kept: TemporaryIndexes,
    filters: Mapping[str, str],
    progress: Progress,
    quick: bool = False,
) -> BoardResults:
    """Search by the columns that are ready, the default ones if none is given.

    With ``quick``, those that measure very many photographs are left for another time, if others answer.

    Raises
    ------
    TwinlensError
        If the question cannot be asked.
    """
    from twinlens.app.compare.columns import column_row, default_columns, title_of
    from twinlens.app.compare.comparison import ComparisonSettings, search_columns
    from twinlens.app.indexes.indexes import text_of, text_parts
    from twinlens.app.search.search_options import Filters
    from twinlens.core.errors import TwinlensError

    searcher = opened.searcher
    headings: dict[ComparisonColumn, ColumnHeading] = {}
    ready: list[ComparisonColumn] = []
    slow: set[ComparisonColumn] = set()
    with searcher.moment() as moment:
        columns = tuple(wished) or tuple(default_columns(moment.r, default))
        for column in columns:
            try:
                row = column_row(moment.r, column)
                made = kept.get(searcher, moment, column)
                if made is None and _needs_nothing(column):
                    made = kept.build(searcher, moment, column)
            except TwinlensError as error:
                headings[column] = ColumnHeading(column.method or column.index, "", fault=text(error))
                continue
            measures = made is not None and made.loaded.encoder is None and row.id <= 0
            title = exact_title(made.loaded) if made is not None and measures else text(title_of(moment.r, column))
            headings[column] = ColumnHeading(title, text_of(row), short_words(text_parts(row)), changed=row.id <= 0)
            if made is not None:
                ready.append(column)
                if made.loaded.structure is None and len(made.loaded.ids) > SLOW:
                    slow.add(column)
    left = slow if quick and len(slow) < len(ready) else set()
    ready = [column for column in ready if column not in left]
    if not ready:
        return BoardResults(columns, headings)
    wanted = ComparisonSettings(ready, k, Filters.of(filters))
    comparison = search_columns(searcher, query, wanted, kept, progress)
    return replace(judged_results(opened, columns, headings, comparison), left=frozenset(left))


def random_photograph(opened: OpenLibrary, index: str, filters: Mapping[str, str]) -> list[Path | int | bytes]:
    """Return a random photograph that an index can find; nothing if there is none."""
    import random

    from twinlens.app.search.search_options import Filters

    with opened.searcher.moment() as moment:
        loaded = opened.searcher.index(moment, index)
        mask = opened.searcher.space(moment, loaded, Filters.of(filters)).mask
    ids = loaded.ids if mask is None else loaded.ids[mask]
    return [int(random.choice(ids))] if len(ids) else []  # noqa: S311 (any will do)


def _needs_nothing(column: ComparisonColumn) -> bool:
    """Return whether a column is ready at once, by exact search under the same measure."""
    return column.search.startswith("exact") and not column.method and column.metric is None


def judged_results(
    opened: OpenLibrary,
    columns: tuple[ComparisonColumn, ...],
    headings: dict[ComparisonColumn, ColumnHeading],
    comparison: Comparison,
) -> BoardResults:
    """Return a comparison with its photographs, judged or not."""
    from twinlens.app.library.browsing.photographs import photographs

    known = {one.id: one for one in photographs(opened.library, comparison.ids().tolist())}
    return BoardResults(columns, headings, comparison, comparison.result(), known)


def query_picture(opened: OpenLibrary, query: SearchQuery) -> tuple[str, QImage]:
    """Return name and image of the query's first picture."""
    name, jpeg = name_and_thumbnail(opened, query.examples[0].picture)
    return name, QImage.fromData(jpeg) if jpeg else QImage()


def shown_columns(
    found: BoardResults,
    pinned: Sequence[ComparisonColumn],
    progress: Mapping[ComparisonColumn, tuple[float, str]],
    faults: Mapping[ComparisonColumn, str],
) -> list[ShownColumn]:
    """Return the columns as the view shows them."""
    places = {column: place for place, column in enumerate(found.ready())}
    shown = []
    for column in found.columns:
        heading = found.headings[column]
        fault = heading.fault or faults.get(column, "")
        if column in places and found.result is not None and found.comparison is not None:
            one = found.result.columns[places[column]]
            standings = {each.id: each for each in one.standings}
            shown.append(
                ShownColumn(
                    _titled(one, found.comparison.columns[places[column]].index),
                    one.text,
                    heading.short,
                    one,
                    _tiles(found, one),
                    standings,
                    partial(found.comparison.differ, places[column]),
                    changed=one.changed and bool(one.method),
                    pinned=column in pinned,
                )
            )
            continue
        done, words = progress.get(column, (0.0, ""))
        if column in found.left:
            words = _("comparing every photo")
        waits = "" if fault else words or _("waiting")
        shown.append(
            ShownColumn(
                heading.title,
                heading.text,
                heading.short,
                changed=heading.changed,
                pinned=column in pinned,
                waits=waits,
                done=done,
                fault=fault,
            )
        )
    return shown


def short_words(parts: Sequence[str]) -> str:
    """Return the parts of an index (`text_parts`), with the descriptor in plain words."""
    from twinlens.app.gui.forms.parameter_controls import told
    from twinlens.app.methods.catalogue import plain_words

    descriptor, *others = parts
    return " · ".join([told(plain_words(descriptor)), *others])


def _titled(one: ComparedColumn, index: LoadedIndex) -> str:
    """Return the title of a column; that of a temporary exact search is its measure."""
    return exact_title(index) if one.changed and not one.method else text(one.title)


def exact_title(index: LoadedIndex) -> str:
    """Return the title of an exact search: its measure."""
    return _("Exact · {measure}", measure=index.measure_title)


def _tiles(found: BoardResults, one: ComparedColumn) -> list[RankedTile]:
    standings = {each.id: each for each in one.standings}
    tiles = []
    for rank, result in enumerate(one.answer.hits, 1):
        photograph, standing = found.photographs.get(result.id), standings.get(result.id)
        if photograph is None:
            continue
        agrees = None if standing is None else standing.agrees
        true_rank = None if standing is None else standing.true_rank
        tiles.append(
            RankedTile(
                result.id, photograph.content_hash, photograph.name, rank, False, agrees, result.query, true_rank
            )
        )
    for lost in one.missed:
        photograph = found.photographs.get(lost.id)
        if photograph is not None:
            tiles.append(RankedTile(lost.id, photograph.content_hash, photograph.name, lost.rank, ghost=True))
    return tiles


@dataclass(frozen=True)
class ColumnQuery:
    """A query with its columns.

    Attributes
    ----------
    columns : tuple of ComparisonColumn
        Empty: those that are worth seeing first.
    default : str
        The index that answers where none is named.
    k : int
        How many each is asked for.
    filters : mapping of str to str
        As :meth:`twinlens.app.search.search_space.Filters.of` reads them.
    """

    query: SearchQuery
    columns: tuple[ComparisonColumn, ...]
    default: str
    k: int
    filters: Mapping[str, str]


class ColumnSearch(QObject):
    """Searches the columns in jobs, and signals new results.

    Attributes
    ----------
    found : BoardResults or None
        What is known so far.
    """

    changed = Signal(bool)
    """More is known; whether the visible pictures keep their places."""
    failed = Signal(object)
    """The query cannot be searched."""

    def __init__(self, opened: OpenLibrary, jobs: Jobs, work: WorkQueue, parent: QObject) -> None:
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
        self.making = ColumnMaking(opened, work, self)
        self.making.made.connect(self._ask_again)
        self.making.failed.connect(partial(self.changed.emit, True))

    def ask(self, asked: ColumnQuery, keep: bool, quick: bool = True) -> None:
        """Search by the fast columns, then by the others, then judge all, and make missing columns."""
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
                opened, asked.query, asked.columns, asked.default, asked.k, kept, asked.filters, progress, quick
            )

        self._asking.begin(work).then(lambda found: self._on_searched(found, keep)).failed(self._on_failed)

    def choose(self, columns: Sequence[ComparisonColumn]) -> bool:
        """Show other columns or another order without new searches, if all have results."""
        found, asked = self.found, self._asked
        if found is None or asked is None or not self._judged or any(one not in found.ready() for one in columns):
            return False
        self.found, self._asked = found.chosen(columns), replace(asked, columns=tuple(columns))
        return True

    def hold_against(self, place: int | None) -> None:
        """Compare the columns with one that has a result, unless they have changed meanwhile."""
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

    def _on_searched(self, found: BoardResults, keep: bool) -> None:
        opened, asked = self._opened, self._asked
        if asked is None:
            return
        self.found, self._judged = found, False
        self.changed.emit(keep)
        comparison = found.comparison
        if found.left:
            self.ask(asked, keep=True, quick=False)
        elif comparison is None:
            self._make_missing()
        else:
            self._judge(opened, found, comparison)

    def _judge(self, opened: OpenLibrary, found: BoardResults, comparison: Comparison) -> None:
        def work(progress: Progress) -> BoardResults:
            from twinlens.app.compare.comparison import judge_columns

            return judged_results(
                opened, found.columns, found.headings, judge_columns(opened.searcher, comparison, progress)
            )

        self._judging.begin(work).then(self._on_judged)

    def _on_judged(self, found: BoardResults) -> None:
        self.found, self._judged = found, True
        self.changed.emit(True)
        self._make_missing()

    def _make_missing(self) -> None:
        if self.found is not None and self._kept is not None:
            self.making.make(self._kept, self.found.waiting())

    def _on_failed(self, failure: Failure) -> None:
        self.found = None
        self.failed.emit(failure)


def _temporary_indexes(__: Progress) -> TemporaryIndexes:
    """Make the folder of temporary indexes; in a job, since its imports would block the window."""
    from twinlens.app.compare.temporary_index import TemporaryIndexes

    return TemporaryIndexes()


class ColumnMaking(QObject):
    """Makes columns, each in its turn among long work.

    Attributes
    ----------
    progress : dict of ComparisonColumn to (float, str)
        How much of a column is done, from 0 to 1, and what is being done.
    faults : dict of ComparisonColumn to str
        Why a column cannot be made.
    """

    made = Signal()
    """A column is ready."""
    failed = Signal()
    """A column cannot be made."""
    progressed = Signal(object, float, str)
    """A column, its progress, and the present step."""

    def __init__(self, opened: OpenLibrary, work: WorkQueue, parent: QObject) -> None:
        super().__init__(parent)
        self._opened, self._work = opened, work
        self._going: dict[ComparisonColumn, QueuedJob] = {}
        self.progress: dict[ComparisonColumn, tuple[float, str]] = {}
        self.faults: dict[ComparisonColumn, str] = {}

    def make(self, kept: TemporaryIndexes, columns: Sequence[ComparisonColumn]) -> None:
        """Make columns that are not made already, and can be."""
        for column in columns:
            if column not in self._going and column not in self.faults:
                self._make(kept, column)

    def _make(self, kept: TemporaryIndexes, column: ComparisonColumn) -> None:
        opened = self._opened

        def work(progress: Progress) -> None:
            with opened.searcher.moment() as moment:
                kept.build(opened.searcher, moment, column, progress)

        def progressed(done: float, total: float, doing: Message) -> None:
            share = done / total if total > 0 else 0.0
            self.progress[column] = (share, text(doing))
            self.progressed.emit(column, share, text(doing))

        def over(__: object) -> None:
            self._going.pop(column, None)
            self.progress.pop(column, None)

        job = self._going[column] = self._work.run(_("Preparing a column to compare…"), work)
        job.then(lambda __: self.made.emit()).progressed(progressed).over(over)
        job.failed(lambda failure: self._on_fault(column, failure.words()))
        job.stopped(lambda: self._on_fault(column, _("Stopped. Search again to go on.")))

    def give_up(self, column: ComparisonColumn) -> None:
        """Stop making a column, if it is being made."""
        if column in self._going:
            self._going[column].stopped(lambda: None).cancel()

    def _on_fault(self, column: ComparisonColumn, words: str) -> None:
        self.faults[column] = words
        self.failed.emit()
