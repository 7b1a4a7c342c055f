"""Asking the library, as it is done in a job: answers with what is known of their photographs."""

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
    """A search as one comes back to it."""

    question: Question
    index: str
    instead_of: str = ""
    """The chosen index, where another one stands in for it."""
    marked: bool = False
    """What was marked similar to its photographs, or different from them, counts too; the question stays as it is."""


@dataclass(frozen=True)
class Answer:
    """A result with what is known of its photographs."""

    result: SearchResult
    found: list[FoundPhotograph]
    missed: list[FoundPhotograph]
    feedback: Feedback | None = None
    """What the marks have added to the question, where they count."""

    def in_order(self, ids: list[int]) -> Answer:
        """Put what was found in an order that is seen already; what is not in it comes behind."""
        places = {one: place for place, one in enumerate(ids)}
        found = sorted(self.found, key=lambda one: places.get(one.photograph.id, len(places)))
        return replace(self, found=[replace(one, rank=rank) for rank, one in enumerate(found, 1)])

    def has_confirmed_first(self) -> bool:
        """Return whether what is confirmed to show the same stands before everything else."""
        confirmed = [one.confirmed for one in self.found]
        return confirmed == sorted(confirmed, reverse=True)

    def ids(self) -> list[int]:
        """Return the photographs that were found."""
        return [one.photograph.id for one in self.found]


def find(opened: Opened, asked: Asked, wanted: dict[str, Any], exact: bool, check: bool, progress: Progress) -> Answer:
    """Ask.

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

    filters = Filters.of(wanted)
    feedback = _feedback(opened, asked)
    question = asked.question if feedback is None else feedback.question
    result = opened.searcher.search(
        question, asked.index, HITS, compare_exact=exact, filters=filters, progress=progress, check=check
    )
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
    """Return the name and the thumbnail of what is asked with."""
    from app.library.pictures import example

    return example(opened.library, picture)


def keep_in_history(opened: Opened, asked: Asked) -> None:
    """Remember a question, if all of it can be kept."""
    from app.library.saved_state import remember

    if can_be_remembered(asked.question):
        remember(opened.library, written(opened, asked.question, asked.index))


def written(opened: Opened, question: Question, index: str) -> dict[str, Any]:
    """Write a question down, with the names of its photographs for the time when the library has them no more."""
    value = question.to_json() | {"index": index}
    for one in value["examples"]:
        if isinstance(one.get("picture"), int) and (name := name_and_thumbnail(opened, one["picture"])[0]):
            one["name"] = name
    return value
