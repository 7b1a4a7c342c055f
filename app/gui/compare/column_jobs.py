"""Searching by the columns of a comparison, as it is done in a job, and the data for the view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QImage

from app.gui.compare.board_data import RankedTile, ShownColumn
from app.gui.frame.opened import OpenLibrary
from app.gui.search.search_jobs import name_and_thumbnail
from app.language.spoken import _, text
from core.progress import Progress

if TYPE_CHECKING:
    from app.compare.columns import ComparisonColumn
    from app.compare.comparison import Comparison
    from app.compare.results import ComparedColumn, CompareResult
    from app.compare.temporary_index import TemporaryIndexes
    from app.indexes.loaded_index import LoadedIndex
    from app.library.browsing import Photograph
    from app.search.question import SearchQuery

SLOW = 20_000
"""Photographs that are measured at once; with more, quicker columns are shown first."""


@dataclass(frozen=True, eq=False)
class ColumnHeading:
    """Heading of a column: its title, text form and plain words; or the reason why it cannot be made."""

    title: str
    text: str
    short: str = ""
    fault: str = ""
    changed: bool = False


@dataclass(frozen=True, eq=False)
class BoardResults:
    """Results so far.

    Attributes
    ----------
    columns : tuple of Column
        Those that are wished for, in their order.
    headings : dict of Column to Headed
    comparison : Comparison or None
        Of those that are ready.
    result : CompareResult or None
    photographs : dict of int to Photograph
    stale : bool
        The column that all were held against is gone, so that the result has to be made anew.
    left : frozenset of Column
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
        """Return some of the columns with results, in another order; nothing is computed again."""
        assert self.comparison is not None
        assert self.result is not None
        ready = self.ready()
        places = [ready.index(column) for column in columns]
        before = self.comparison.reference
        reference = places.index(before) if before in places else None
        answered = tuple(self.comparison.columns[place] for place in places)
        comparison = replace(self.comparison, columns=answered, reference=reference)
        result = self.result.model_copy(update={"columns": [self.result.columns[place] for place in places]})
        stale = before is not None and reference is None
        return replace(self, columns=tuple(columns), comparison=comparison, result=result, stale=stale)

    def waiting(self) -> list[ComparisonColumn]:
        """Return the columns that must be made first."""
        ready = self.ready()
        return [one for one in self.columns if one not in ready and not self.headings[one].fault]


def search_ready_columns(
    opened: OpenLibrary,
    question: SearchQuery,
    wished: Sequence[ComparisonColumn],
    default: str,
    k: int,
    kept: TemporaryIndexes,
    filters: Mapping[str, str],
    progress: Progress,
    quick: bool = False,
) -> BoardResults:
    """Search by the columns that are ready; if none is given, by the default ones.

    With ``quick``, those that measure very many photographs are left for another time, if others answer.

    Raises
    ------
    TwinlensError
        If the question cannot be asked.
    """
    from app.compare.columns import column_row, default_columns, title_of
    from app.compare.comparison import ComparisonSettings, search_columns
    from app.indexes.index_names import text_of, text_parts
    from app.search.filters import Filters
    from core.errors import TwinlensError

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
    comparison = search_columns(searcher, question, wanted, kept, progress)
    return replace(judged_results(opened, columns, headings, comparison), left=frozenset(left))


def random_photograph(opened: OpenLibrary, index: str, filters: Mapping[str, str]) -> list[Path | int | bytes]:
    """Return a random photograph that an index may find; nothing if there is none."""
    import random

    from app.search.filters import Filters

    with opened.searcher.moment() as moment:
        loaded = opened.searcher.index(moment, index)
        mask = opened.searcher.scope(moment, loaded, Filters.of(filters)).mask
    ids = loaded.ids if mask is None else loaded.ids[mask]
    return [int(random.choice(ids))] if len(ids) else []  # noqa: S311 (any will do)


def _needs_nothing(column: ComparisonColumn) -> bool:
    """Return whether a column is ready at once: the same measure without codes."""
    return column.search.startswith("exact") and not column.method and column.metric is None


def judged_results(
    opened: OpenLibrary,
    columns: tuple[ComparisonColumn, ...],
    headings: dict[ComparisonColumn, ColumnHeading],
    comparison: Comparison,
) -> BoardResults:
    """Return a comparison, judged or not, with its photographs."""
    from app.library.browsing import photographs

    known = {one.id: one for one in photographs(opened.library, comparison.ids().tolist())}
    return BoardResults(columns, headings, comparison, comparison.result(), known)


def query_picture(opened: OpenLibrary, question: SearchQuery) -> tuple[str, QImage]:
    """Return name and image of the query's first picture."""
    name, jpeg = name_and_thumbnail(opened, question.examples[0].picture)
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
    """Return the parts of an index (:func:`app.indexes.indexes.text_parts`), the descriptor in plain words."""
    from app.gui.forms.declaration_words import told
    from app.methods.catalogue import plain_words

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
    for rank, hit in enumerate(one.answer.hits, 1):
        photograph, standing = found.photographs.get(hit.id), standings.get(hit.id)
        if photograph is None:
            continue
        agrees = None if standing is None else standing.agrees
        true_rank = None if standing is None else standing.true_rank
        tiles.append(
            RankedTile(hit.id, photograph.content_hash, photograph.name, rank, False, agrees, hit.query, true_rank)
        )
    for lost in one.missed:
        photograph = found.photographs.get(lost.id)
        if photograph is not None:
            tiles.append(RankedTile(lost.id, photograph.content_hash, photograph.name, lost.rank, ghost=True))
    return tiles
