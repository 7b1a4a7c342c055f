"""Results of a search: ranked photographs, and those whose keypoints are still to be compared."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from app.library.library import Library, LocatedPhotograph
from app.search.described_question import EncodedQuery
from app.search.feedback import Feedback
from app.search.geometric_check import ConfirmationCache, Confirmations, as_geometric_check, confirm, reordered
from app.search.results import ResultPhotograph, SearchResult
from app.search.stacks import with_stacks
from app.search.wanted import SearchOptions
from core.arrays import Int64Ids
from core.message import NOTHING, Message, counted, joined
from core.progress import Progress


@dataclass(frozen=True, eq=False)
class RankedResults:
    """Outcome of one search; see :func:`check` for the second half of it.

    Attributes
    ----------
    described : Described
        The query.
    wanted : Wanted
        Whether to check is said.
    ranked : Ids, (n,)
        At least as many photographs as are wanted, if there are so many, in the order before the check.
    candidates : Ids, (m,)
        Photographs to check, the most promising first; empty where no check is wanted.
    photographs : dict of int to LookedUp
        Every ranked photograph, candidate, and missed one.
    hits : dict of int to Hit
        Every ranked photograph and candidate.
    unchecked : SearchResult
        Without hits and note.
    notes : list of Message
        What a person should know of how the query was answered, a sentence each.
    certainty : Message
        Why the results have no error rate, where one is wanted.
    feedback : Feedback or None
        The marks that were added to the query.
    confirmed : Confirmed or None
        None before the check.
    together : mapping of int to int
        What belongs into one stack; see :func:`app.search.stacks.together`.
    """

    described: EncodedQuery
    wanted: SearchOptions
    ranked: Int64Ids
    candidates: Int64Ids
    photographs: dict[int, LocatedPhotograph]
    hits: dict[int, ResultPhotograph]
    unchecked: SearchResult
    notes: list[Message]
    certainty: Message = NOTHING
    feedback: Feedback | None = None
    confirmed: Confirmations | None = None
    together: Mapping[int, int] = field(default_factory=dict)

    @cached_property
    def result(self) -> SearchResult:
        """The result with its hits in order, as far as they are checked; it does not mention marks."""
        notes, ids = self.notes, self.ranked
        if self.confirmed is not None:
            ids = reordered(ids, self.confirmed, self.described.liked_photographs(), self.wanted.confirmed_only)
            notes = [*notes, *confirmation_notes(self.confirmed, self.wanted)]
        hits = with_stacks([self._hit(one) for one in ids[: self.wanted.k].tolist()], self.together)
        result = self.unchecked.model_copy(update={"hits": hits, "note": joined(notes)}).noted(self.certainty)
        return result.sure_only() if self.wanted.sure and result.threshold is not None else result

    def contents(self) -> dict[int, bytes | None]:
        """Return the content hashes of ranked photographs and candidates by their ids."""
        return {one: self.photographs[one].row.content_hash for one in self.hits}

    def _hit(self, photograph_id: int) -> ResultPhotograph:
        """Return a photograph as a result; one that was added by a mark is like any other."""
        hit = self.hits[photograph_id]
        confirmation = None if self.confirmed is None else self.confirmed.found.get(photograph_id)
        added = self.feedback is not None and photograph_id in self.feedback.added
        check = None if confirmation is None else as_geometric_check(confirmation)
        return hit.model_copy(update={"check": check, "query": hit.query and not added})


def confirm_results(
    library: Library, found: RankedResults, checks: ConfirmationCache, progress: Progress
) -> RankedResults:
    """Compare the candidates of a search with its pictures; matches come first.

    Parameters
    ----------
    library : Library
    found : Found
        Returned as it is where no check is wanted.
    checks : Checks
        Earlier comparisons.
    progress : Progress

    Raises
    ------
    Cancelled
        If progress says so.
    """
    if not found.wanted.check:
        return found
    started = time.perf_counter()
    with library.store.reading() as r:
        confirmed = confirm(r, found.described, found.candidates, checks, progress)
    took = time.perf_counter() - started
    before = found.unchecked.seconds
    seconds = before.model_copy(update={"check": took, "total": before.total + took})
    result = found.unchecked.model_copy(
        update={"seconds": seconds, "checked": len(confirmed.found), "unprepared": confirmed.lacking}
    )
    return replace(found, unchecked=result, confirmed=confirmed)


def confirmation_notes(confirmed: Confirmations, wanted: SearchOptions) -> list[Message]:
    """Return what a person should know of the check, a sentence each."""
    made = []
    if wanted.confirmed_only and not confirmed.found and not confirmed.lacking:
        made.append(Message("There is nothing to check: the query has no distinctive points."))
    if confirmed.lacking:
        made.append(
            counted(
                "{count} photo could not be checked yet. Rescan the library to include it.",
                "{count} photos could not be checked yet. Rescan the library to include them.",
                confirmed.lacking,
            )
        )
    if confirmed.left:
        made.append(
            counted(
                "There was time to check only the first photo.",
                "There was time to check only the first {count} photos.",
                len(confirmed.found),
            )
        )
    return made
