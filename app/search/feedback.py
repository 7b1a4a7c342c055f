"""The marks of a photograph as examples of a question: what was called similar to it is liked, the rest is not.

Relevance feedback without learning (Rocchio, 1971), which helps from the first mark; what examples count for, says
:mod:`app.search.criterion`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from app.library.library import Library
from app.marks.marked_pictures import find_row
from app.results import SearchResult, shown
from app.search.question import Example, Pictured, Question
from storage.schema import State
from storage.transaction import Transaction

MOST = 20
"""Marks of each kind that count, the newest: each is one more picture to compare everything with."""


@dataclass(frozen=True)
class Feedback:
    """A question with the marks of its pictures. Made by :func:`with_marks`.

    Attributes
    ----------
    question : Question
    similar, different : int
        Photographs that were added as liked, and as not liked.
    named : str
        What they add to the question's name.
    added : frozenset of int
        The photographs that were added.
    """

    question: Question
    similar: int
    different: int
    named: str = ""
    added: frozenset[int] = frozenset()

    def told(self, found: SearchResult) -> SearchResult:
        """Return an answer to it under the name of the question without the marks, and with a sentence on them.

        What was only added is an answer like any other, not what was asked with.
        """
        hits = [one.model_copy(update={"query": False}) if one.id in self.added else one for one in found.hits]
        query = found.query.removesuffix(self.named)
        return found.model_copy(update={"query": query, "hits": hits}).noted(self.sentence())

    def sentence(self) -> str:
        """Say in a sentence what was added.

        Examples
        --------
        >>> Feedback(Question((Example(3),)), 2, 1).sentence()
        'Asked with its marks too: 2 similar, 1 different.'
        """
        if not self.similar and not self.different:
            return "It has no marks, so nothing was added to the question."
        return f"Asked with its marks too: {self.similar:,} similar, {self.different:,} different."


def with_marks(library: Library, question: Pictured | Question) -> Feedback:
    """Add to a question what was said of its pictures.

    The photographs that were marked similar to a picture that the answers shall be like are liked as much as that, and
    those marked different are not; pairs that are marked both ways, and photographs that are not there, do not count.

    Parameters
    ----------
    library : Library
    question : Path, int, bytes, Palette or Question
        A picture that is no photograph of the library, or a part of one, has no marks.
    """
    asked = Question.of(question)
    with library.store.reading() as r:
        return _added(library, r, asked)


def _added(library: Library, r: Transaction, asked: Question) -> Feedback:
    contradicted = r.marks.contradicted()
    examples = list(asked.examples)
    own_ids = {_id(library, r, one) for one in asked.examples}
    there = set(own_ids)
    counts, named = {True: 0, False: 0}, ""
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
            if other is None or other.state is not State.READY or other.id in there or taken[row.similar] == MOST:
                continue
            taken[row.similar] += 1
            there.add(other.id)
            examples.append(Example(other.id, one.weight if row.similar else -one.weight))
            named += f" {'+' if row.similar else '−'} {shown(library.paths(r, [other])[0])}"
        for similar, count in taken.items():
            counts[similar] += count
    added = frozenset(one for one in there - own_ids if one is not None)
    return Feedback(replace(asked, examples=tuple(examples)), counts[True], counts[False], named, added)


def _id(library: Library, r: Transaction, example: Example) -> int | None:
    """Return the photograph of the library that a whole example is; None where it is something else."""
    picture = example.picture
    if example.region is not None or example.sketch or not isinstance(picture, int | Path):
        return None
    row = find_row(library, r, picture)
    return None if row is None or row.state is not State.READY else row.id
