"""Searches and their checks as they run in a job, and results with what the window shows of their photographs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from app.gui.frame.opened import OpenLibrary
from app.gui.search.colour_examples import can_be_remembered
from app.gui.search.hit_rows import FoundPhotograph
from core.progress import Progress

if TYPE_CHECKING:
    from app.library.browsing import Photograph
    from app.search.feedback import Feedback
    from app.search.found import RankedResults
    from app.search.question import QuerySource, SearchQuery
    from app.search.results import SearchResult

MOST_RESULTS = 200


@dataclass(frozen=True)
class WindowSearch:
    """A search, as the history keeps it."""

    question: SearchQuery
    index: str
    instead_of: str = ""
    """The chosen index, where another one replaces it."""
    marked: bool = False
    """Whether marks of its photographs count; the query stays as it is."""


@dataclass(frozen=True)
class ShownResults:
    """A result with its photographs."""

    searched: RankedResults
    """The search, which can be checked."""
    photographs: dict[int, Photograph]
    """All that the search looked up, by their ids."""
    result: SearchResult
    found: list[FoundPhotograph]
    missed: list[FoundPhotograph]

    @classmethod
    def of(cls, searched: RankedResults, photographs: dict[int, Photograph]) -> ShownResults:
        """Make the answer of a search, as far as that is checked."""
        result = searched.result
        hits = [(rank, hit, photographs.get(hit.id)) for rank, hit in enumerate(result.hits, 1)]
        missed = [(one, photographs.get(one.id)) for one in result.missed]
        return cls(
            searched,
            photographs,
            result,
            [FoundPhotograph(known, hit, rank) for rank, hit, known in hits if known is not None],
            [FoundPhotograph(known, one, one.rank, True) for one, known in missed if known is not None],
        )

    @property
    def feedback(self) -> Feedback | None:
        """The marks added to the query, if they count."""
        return self.searched.feedback

    def in_order(self, ids: list[int]) -> ShownResults:
        """Return the results in an order that is already visible; others follow."""
        places = {one: place for place, one in enumerate(ids)}
        found = sorted(self.found, key=lambda one: places.get(one.photograph.id, len(places)))
        return replace(self, found=[replace(one, rank=rank) for rank, one in enumerate(found, 1)])

    def has_confirmed_first(self) -> bool:
        """Return whether matches stand before everything else."""
        confirmed = [one.confirmed for one in self.found]
        return confirmed == sorted(confirmed, reverse=True)

    def ids(self) -> list[int]:
        """Return the photographs of the results."""
        return [one.photograph.id for one in self.found]


def find(
    opened: OpenLibrary, asked: WindowSearch, wanted: dict[str, Any], exact: bool, checks: bool, progress: Progress
) -> ShownResults:
    """Search; the result can be checked afterwards.

    Parameters
    ----------
    opened : Opened
    asked : Asked
    wanted : dict
        The filters.
    exact : bool
        Whether to compare with exact search.
    checks : bool
        Whether the result will be checked.
    progress : Progress

    Raises
    ------
    TwinlensError
        As :meth:`app.search.searcher.Searcher.search`.
    """
    from app.library.browsing import listed
    from app.search.filters import Filters
    from app.search.wanted import SearchOptions

    whole = SearchOptions(
        MOST_RESULTS, compare_exact=exact, check=checks, filters=Filters.of(wanted), marks=asked.marked
    )
    (searched,) = opened.searcher.find(asked.question, [asked.index], whole, progress)
    return ShownResults.of(searched, {one.id: one for one in listed(searched.photographs.values())})


def check(opened: OpenLibrary, answer: ShownResults, progress: Progress) -> ShownResults:
    """Check whether the first hits of a search show the same as its pictures."""
    return ShownResults.of(opened.searcher.check(answer.searched, progress), answer.photographs)


def name_and_thumbnail(opened: OpenLibrary, picture: QuerySource) -> tuple[str, bytes]:
    """Return the name and the thumbnail of a query's picture."""
    from app.library.pictures import example

    return example(opened.library, picture)


def keep_in_history(opened: OpenLibrary, asked: WindowSearch) -> None:
    """Add a query to the history, if all of it can be kept."""
    from app.library.saved_state import remember

    if can_be_remembered(asked.question):
        remember(opened.library, query_values(opened, asked.question, asked.index))


def query_values(opened: OpenLibrary, question: SearchQuery, index: str) -> dict[str, Any]:
    """Return a query as plain values, with the names of its photographs in case the library loses them."""
    value = question.to_json() | {"index": index}
    for one in value["examples"]:
        if isinstance(one.get("picture"), int) and (name := name_and_thumbnail(opened, one["picture"])[0]):
            one["name"] = name
    return value
