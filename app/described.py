"""A question whose pictures were found and described."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.asking import Question
from app.criterion import Criterion, Vector
from app.library import Library
from app.loaded_index import LoadedIndex
from app.queries import DescribedPictures, Query, find_query
from core.errors import TwinlensError
from storage.descriptors import KindRow
from storage.transaction import Transaction


@dataclass(frozen=True, eq=False)
class Described:
    """What a question comes to.

    Attributes
    ----------
    queries : tuple of Query
        A picture for each example.
    weights : tuple of float
        Theirs.
    vectors : tuple of dict of int to ndarray of float32
        Theirs, by the kind of descriptor.
    extracting : float
        Seconds that it took to describe them; 0 where all were known.
    """

    queries: tuple[Query, ...]
    weights: tuple[float, ...]
    vectors: tuple[dict[int, Vector], ...]
    extracting: float

    @property
    def name(self) -> str:
        """Name the question for people: the path of its picture, or of all with their signs."""
        named = [f"{query.name} (part)" if query.region else query.name for query in self.queries]
        signs = [" − " if weight < 0 else " + " for weight in self.weights]
        return "".join(sign + name for sign, name in zip(signs, named, strict=True)).removeprefix(" + ").lstrip()

    def photographs(self) -> set[int]:
        """Give the ids of the photographs that were asked with."""
        return {query.photograph.id for query in self.queries if query.photograph is not None}

    def criterion(self, index: LoadedIndex) -> Criterion:
        """Say by what an index ranks the answers."""
        return Criterion.of(index.measure, [vectors[index.kind.id] for vectors in self.vectors], self.weights)


def describe_question(
    library: Library, r: Transaction, question: Question, kinds: Sequence[KindRow], known: DescribedPictures
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
        What was described before.

    Raises
    ------
    TwinlensError
        If there is no such picture, one cannot be read, or the question does not say what the answers shall be like.
    """
    if not any(example.weight > 0 for example in question.examples):
        raise TwinlensError(
            "The question does not say what the answers shall be like.", "Add a picture that they shall be like."
        )
    queries = tuple(find_query(library, r, example) for example in question.examples)
    found = [query.vectors(r, kinds, known) for query in queries]
    return Described(
        queries,
        tuple(example.weight for example in question.examples),
        tuple(vectors for vectors, _ in found),
        sum((seconds for _, seconds in found), 0.0),
    )
