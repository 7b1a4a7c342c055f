"""Searches as they run in a job: results with facts of their photographs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from app.gui.frame.opened import Opened
from app.gui.library.listing_rows import FoundPhotograph
from app.gui.search.colour_examples import can_be_remembered
from core.progress import Progress

if TYPE_CHECKING:
    from app.results import SearchResult
    from app.search.feedback import Feedback
    from app.search.question import Pictured, Question

HITS = 200


@dataclass(frozen=True)
class Asked:
    """A search, as the history keeps it."""

    question: Question
    index: str
    instead_of: str = ""
    """The chosen index, where another one replaces it."""
    marked: bool = False
    """Whether marks of its photographs count; the query stays as it is."""


@dataclass(frozen=True)
class Answer:
    """A result with facts of its photographs."""

    result: SearchResult
    found: list[FoundPhotograph]
    missed: list[FoundPhotograph]
    feedback: Feedback | None = None
    """The marks added to the query, if they count."""

    def in_order(self, ids: list[int]) -> Answer:
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


def find(opened: Opened, asked: Asked, wanted: dict[str, Any], exact: bool, check: bool, progress: Progress) -> Answer:
    """Search.

    Parameters
    ----------
    opened : Opened
    asked : Asked
    wanted : dict
        The filters.
    exact : bool
        Whether to compare with exact search.
    check : bool
        Whether to check if the first hits show the same.
    progress : Progress

    Raises
    ------
    TwinlensError
        As :meth:`app.search.searcher.Searcher.search`.
    """
    from app.library.browsing import photographs
    from app.search.filters import Filters
    from app.search.wanted import Wanted

    feedback = _feedback(opened, asked)
    question = asked.question if feedback is None else feedback.question
    whole = Wanted(HITS, compare_exact=exact, check=check, filters=Filters.of(wanted))
    result = opened.searcher.search(question, asked.index, whole, progress)
    if feedback is not None:
        # A note would move the results down; the bar says already which marks count.
        result = feedback.noted(result).model_copy(update={"note": result.note})
    ids = [hit.id for hit in result.hits] + [one.id for one in result.missed]
    known = {one.id: one for one in photographs(opened.library, ids)}
    found = [FoundPhotograph(known[hit.id], hit, rank) for rank, hit in enumerate(result.hits, 1) if hit.id in known]
    missed = [FoundPhotograph(known[one.id], one, one.rank, True) for one in result.missed if one.id in known]
    return Answer(result, found, missed, feedback)


def _feedback(opened: Opened, asked: Asked) -> Feedback | None:
    from app.search.feedback import with_marks

    return with_marks(opened.library, asked.question) if asked.marked else None


def name_and_thumbnail(opened: Opened, picture: Pictured) -> tuple[str, bytes]:
    """Return the name and the thumbnail of a query's picture."""
    from app.library.pictures import example

    return example(opened.library, picture)


def keep_in_history(opened: Opened, asked: Asked) -> None:
    """Add a query to the history, if all of it can be kept."""
    from app.library.saved_state import remember

    if can_be_remembered(asked.question):
        remember(opened.library, written(opened, asked.question, asked.index))


def written(opened: Opened, question: Question, index: str) -> dict[str, Any]:
    """Return a query as plain values, with the names of its photographs in case the library loses them."""
    value = question.to_json() | {"index": index}
    for one in value["examples"]:
        if isinstance(one.get("picture"), int) and (name := name_and_thumbnail(opened, one["picture"])[0]):
            one["name"] = name
    return value
