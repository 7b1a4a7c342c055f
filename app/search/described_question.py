"""A query whose pictures are found and described."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from app.indexes.loaded_index import LoadedIndex
from app.library.library import Library
from app.search.criterion import QueryDistance
from app.search.query import QueryDescriptors, QueryPicture, RequiredDescriptors, find_query_picture
from app.search.query_views import PictureViewCache
from app.search.question import SearchQuery
from core.errors import TwinlensError
from core.message import Message, joined, verbatim
from features.keypoints.keypoints import Keypoints
from storage.library.transaction import Transaction

MOST_WITH_KEYPOINTS = 3
"""Number of liked pictures whose keypoints are compared; the descriptors of more of them are enough."""


@dataclass(frozen=True, eq=False)
class EncodedQuery:
    """A query, described.

    Attributes
    ----------
    queries : tuple of Query
        A picture for each example.
    weights : tuple of float
        Theirs.
    seen : tuple of Seen
        Their descriptors and keypoints.
    named : int or None
        The first so many name the query; None for all.
    """

    queries: tuple[QueryPicture, ...]
    weights: tuple[float, ...]
    seen: tuple[QueryDescriptors, ...]
    named: int | None = None

    @property
    def extracting(self) -> float:
        """Seconds that describing them took; 0 if all were known."""
        return sum((one.seconds for one in self.seen), 0.0)

    @property
    def name(self) -> Message:
        """The name of the query: the path of its picture, or of all its pictures with their signs."""
        parts: list[Message] = []
        for query, weight in zip(self.queries[: self.named], self.weights, strict=False):
            if parts or weight < 0:
                parts.append(verbatim("−" if weight < 0 else "+"))
            parts.append(Message("{name} (part)", name=query.name) if query.region else query.name)
        return joined(parts)

    def photographs(self) -> set[int]:
        """Return the ids of the query's photographs."""
        return {query.photograph.id for query in self.queries if query.photograph is not None}

    def liked_photographs(self) -> set[int]:
        """Return the ids of the whole photographs that results should resemble; they are results themselves."""
        return {
            query.photograph.id
            for query, weight in zip(self.queries, self.weights, strict=True)
            if query.photograph is not None and query.region is None and weight > 0
        }

    def criterion(self, index: LoadedIndex) -> QueryDistance:
        """Return the criterion by which an index ranks photographs."""
        views = [one.views[index.kind.id] for one in self.seen]
        return QueryDistance.of(index.measure, [view.alternatives for view in views], self.weights)

    def parts_criterion(self, index: LoadedIndex) -> QueryDistance | None:
        """Return the criterion by which an index looks for parts of the liked pictures; None without parts."""
        liked = [
            one.views[index.kind.id].parts for one, weight in zip(self.seen, self.weights, strict=True) if weight > 0
        ]
        every = np.concatenate(liked)
        return QueryDistance.of(index.measure, [every], [1.0]) if every.any() else None

    def keypoints(self) -> list[tuple[int, Keypoints]]:
        """Return the keypoints of the liked pictures, each with the picture's place in the query."""
        return [
            (place, one.keypoints)
            for place, (one, weight) in enumerate(zip(self.seen, self.weights, strict=True))
            if weight > 0 and one.keypoints is not None and len(one.keypoints)
        ]


def encode_query(
    library: Library, r: Transaction, question: SearchQuery, sought: RequiredDescriptors, known: PictureViewCache
) -> EncodedQuery:
    """Find the pictures of a query and describe them.

    Parameters
    ----------
    library : Library
    r : Transaction
    question : Question
    sought : Sought
        Of each picture; keypoints only of the first liked ones.
    known : DescribedPictures
        Pictures described earlier.

    Raises
    ------
    TwinlensError
        If a picture does not exist or cannot be read, or no picture is liked.
    """
    if not any(example.weight > 0 for example in question.examples):
        raise TwinlensError(
            Message("The search has no picture that results should resemble."),
            Message("Add a picture, or set one of the weights above 0."),
        )
    queries = tuple(find_query_picture(library, r, example) for example in question.examples)
    liked = [place for place, example in enumerate(question.examples) if example.weight > 0]
    looked_at = set(liked[:MOST_WITH_KEYPOINTS])
    seen = tuple(
        query.seen(r, sought if place in looked_at else replace(sought, keypoints=False), known)
        for place, query in enumerate(queries)
    )
    return EncodedQuery(queries, tuple(example.weight for example in question.examples), seen, question.named)
