"""A question whose pictures were found and described."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.indexes.loaded_index import LoadedIndex
from app.library.library import Library
from app.search.criterion import Criterion
from app.search.query import Query, Seen, find_query
from app.search.query_views import DescribedPictures
from app.search.question import Question
from core.errors import TwinlensError
from core.message import Message
from features.keypoints import Keypoints
from storage.descriptors import KindRow
from storage.transaction import Transaction

MOST_LOOKED_AT = 3
"""Of so many pictures that the answers shall be like, places are compared; more say together what is alike."""


@dataclass(frozen=True, eq=False)
class Described:
    """What a question comes to.

    Attributes
    ----------
    queries : tuple of Query
        A picture for each example.
    weights : tuple of float
        Theirs.
    seen : tuple of Seen
        What was found out of them.
    """

    queries: tuple[Query, ...]
    weights: tuple[float, ...]
    seen: tuple[Seen, ...]

    @property
    def extracting(self) -> float:
        """Seconds that it took to describe them; 0 where all were known."""
        return sum((one.seconds for one in self.seen), 0.0)

    @property
    def name(self) -> str:
        """Name the question for people: the path of its picture, or of all with their signs."""
        named = [f"{query.name} (part)" if query.region else query.name for query in self.queries]
        signs = [" − " if weight < 0 else " + " for weight in self.weights]
        return "".join(sign + name for sign, name in zip(signs, named, strict=True)).removeprefix(" + ").lstrip()

    def photographs(self) -> set[int]:
        """Return the ids of the photographs that were asked with."""
        return {query.photograph.id for query in self.queries if query.photograph is not None}

    def liked_photographs(self) -> set[int]:
        """Return the ids of those that the answers shall be like, as a whole: they are answers themselves."""
        return {
            query.photograph.id
            for query, weight in zip(self.queries, self.weights, strict=True)
            if query.photograph is not None and query.region is None and weight > 0
        }

    def criterion(self, index: LoadedIndex) -> Criterion:
        """Say by what an index ranks the answers."""
        views = [one.views[index.kind.id] for one in self.seen]
        return Criterion.of(index.measure, [view.alternatives for view in views], self.weights)

    def parts_criterion(self, index: LoadedIndex) -> Criterion | None:
        """Say by what an index looks for parts of the pictures that the answers shall be like; None without parts."""
        liked = [
            one.views[index.kind.id].parts for one, weight in zip(self.seen, self.weights, strict=True) if weight > 0
        ]
        every = np.concatenate(liked)
        return Criterion.of(index.measure, [every], [1.0]) if every.any() else None

    def keypoints(self) -> list[tuple[int, Keypoints]]:
        """Return the keypoints of the pictures that the answers shall be like, each with its place in the question."""
        return [
            (place, one.keypoints)
            for place, (one, weight) in enumerate(zip(self.seen, self.weights, strict=True))
            if weight > 0 and one.keypoints is not None and len(one.keypoints)
        ]


def describe_question(
    library: Library,
    r: Transaction,
    question: Question,
    kinds: Sequence[KindRow],
    known: DescribedPictures,
    keypoints: bool = False,
) -> Described:
    """Find the pictures of a question and describe them.

    Parameters
    ----------
    library : Library
    r : Transaction
    question : Question
    kinds : sequence of KindRow
        Of the descriptors that are wanted.
    known : DescribedPictures
        What was found out before.
    keypoints : bool
        Whether places shall be compared, too: of the first pictures that the answers shall be like.

    Raises
    ------
    TwinlensError
        If there is no such picture, one cannot be read, or the question does not say what the answers shall be like.
    """
    if not any(example.weight > 0 for example in question.examples):
        raise TwinlensError(
            Message("The question does not say what the answers shall be like."),
            Message("Add a picture that they shall be like."),
        )
    queries = tuple(find_query(library, r, example) for example in question.examples)
    liked = [place for place, example in enumerate(question.examples) if example.weight > 0]
    looked_at = set(liked[:MOST_LOOKED_AT])
    seen = tuple(query.seen(r, kinds, known, keypoints and place in looked_at) for place, query in enumerate(queries))
    return Described(queries, tuple(example.weight for example in question.examples), seen)
