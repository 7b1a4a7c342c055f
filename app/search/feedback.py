"""The marks of a photograph as examples of a query: those marked similar are liked, those marked different disliked.

Relevance feedback without learning (Rocchio, 1971), which helps from the first mark; :mod:`app.search.criterion` weighs
the examples.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from app.library.library import Library
from app.search.question import Example, QuerySource, SearchQuery
from app.search.results import SearchResult
from core.message import Message
from storage.database.schema import PhotographState
from storage.library.transaction import Transaction

MOST_MARKS = 20
"""Largest number of marks of each kind, the newest; each is one more picture to compare everything with."""


@dataclass(frozen=True)
class Feedback:
    """A query with the marks of its pictures. Made by :func:`with_marks`.

    Attributes
    ----------
    question : Question
    similar, different : int
        Numbers of photographs added as liked and as disliked.
    added : frozenset of int
        Ids of the added photographs.
    """

    question: SearchQuery
    similar: int
    different: int
    added: frozenset[int] = frozenset()

    def noted(self, found: SearchResult) -> SearchResult:
        """Return the result of the query with a note on the marks; added photographs are ordinary results."""
        hits = [one.model_copy(update={"query": False}) if one.id in self.added else one for one in found.hits]
        return found.model_copy(update={"hits": hits}).noted(self.sentence())

    def sentence(self) -> Message:
        """Return a sentence on the added marks.

        Examples
        --------
        >>> print(Feedback(Question((Example(3),)), 2, 1).sentence())
        Your marks were included: 2 similar, 1 different.
        """
        if not self.similar and not self.different:
            return Message("This photo has no marks, so nothing was added to the search.")
        return Message(
            "Your marks were included: {similar} similar, {different} different.",
            similar=self.similar,
            different=self.different,
        )


def with_marks(library: Library, question: QuerySource | SearchQuery) -> Feedback:
    """Add the marks of a query's pictures to it.

    Photographs marked similar to a liked picture are liked as much, those marked different are disliked. Pairs marked
    both ways and missing photographs do not count.

    Parameters
    ----------
    library : Library
    question : Path, int, bytes, Palette or Question
        Only whole photographs of the library have marks.
    """
    asked = SearchQuery.of(question)
    with library.store.reading() as r:
        return _added(library, r, asked)


def _added(library: Library, r: Transaction, asked: SearchQuery) -> Feedback:
    contradicted = r.marks.contradicted()
    examples = list(asked.examples)
    own_ids = {_id(library, r, one) for one in asked.examples}
    there = set(own_ids)
    counts = {True: 0, False: 0}
    for one in asked.examples:
        own = _id(library, r, one) if one.weight > 0 else None
        content = None if own is None else r.photographs.by_id([own])[0].content_hash
        if content is None:
            continue
        rows = [row for row in reversed(r.marks.of(content)) if row.pair not in contradicted]
        photographs = r.marks.photographs_of({other for row in rows for other in row.pair})
        taken = {True: 0, False: 0}
        for row in rows:
            other = photographs.get(row.pair[0] if row.pair[1] == content else row.pair[1])
            if (
                other is None
                or other.state is not PhotographState.READY
                or other.id in there
                or taken[row.similar] == MOST_MARKS
            ):
                continue
            taken[row.similar] += 1
            there.add(other.id)
            examples.append(Example(other.id, one.weight if row.similar else -one.weight))
        for similar, count in taken.items():
            counts[similar] += count
    added = frozenset(one for one in there - own_ids if one is not None)
    named = len(asked.examples) if len(examples) > len(asked.examples) else asked.named
    question = replace(asked, examples=tuple(examples), named=named)
    return Feedback(question, counts[True], counts[False], added)


def _id(library: Library, r: Transaction, example: Example) -> int | None:
    """Return the id of the photograph that an example is; None if it is a part or anything else."""
    picture = example.picture
    if example.region is not None or example.sketch or not isinstance(picture, int | Path):
        return None
    row = library.find(r, picture)
    return None if row is None or row.state is not PhotographState.READY else row.id
