"""The concepts of a library's photographs: their most probable classes, and the choice among them by words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from twinlens.app.indexes.fitted_models import concept_kind
from twinlens.core.arrays import Int64Ids, Int64Labels
from twinlens.core.errors import TwinlensError
from twinlens.core.message import Message
from twinlens.features.concepts.concept_words import (
    SURE,
    Concept,
    ConceptQuery,
    concept_table,
    read_query,
    spelt,
)
from twinlens.features.concepts.concepts import ClassProbabilities
from twinlens.storage.library.store import Transaction


class ConceptCount(NamedTuple):
    """The number of photographs that surely show something."""

    concept: Concept
    photographs: int


class ShownConcept(NamedTuple):
    """Something that a photograph shows, and how probably."""

    concept: Concept
    probability: float


@dataclass(frozen=True, eq=False)
class ShownConcepts:
    """The classes of the photographs that were classified.

    Attributes
    ----------
    ids : Int64Ids, (n,)
        Ascending.
    """

    ids: Int64Ids
    classes: ClassProbabilities

    @classmethod
    def of(cls, r: Transaction) -> Self:
        """Read them all."""
        kind = concept_kind(r)
        blocks = [] if kind is None else list(r.descriptors.blocks(kind))
        ids = np.concatenate([np.empty(0, np.int64), *(ids for ids, _ in blocks)])
        return cls(ids, ClassProbabilities.joined([ClassProbabilities.of(vectors) for _, vectors in blocks]))

    def surely(self, words: ConceptQuery, ids: Int64Ids) -> npt.NDArray[np.bool_]:
        """Return which photographs surely show what words mean, (m,) ids -> (m,); none that was not classified."""
        return np.isin(ids, self.ids[words.surely(self.classes)])

    def subjects(self) -> Int64Labels:
        """Return the subject of each photograph, (n,): the narrowest broader concept that it surely shows, -1 for none.

        A number of the table's `facets`.
        """
        broader = concept_table().facets
        found = np.full(len(self.ids), -1, np.int64)
        for place in sorted(range(len(broader)), key=lambda one: -len(broader[one].classes)):
            found[self.classes.of_any(broader[place].classes) >= SURE] = place
        return found

    def showing(self, concept: Concept, ids: Int64Ids) -> npt.NDArray[np.bool_]:
        """Return which photographs surely show a concept, (m,) ids -> (m,)."""
        return np.isin(ids, self.ids[self.classes.of_any(concept.classes) >= SURE])

    @cached_property
    def counts(self) -> list[ConceptCount]:
        """The number of photographs that surely show each facet, first the broader ones, in the order of the table."""
        table = concept_table()
        of_class = self.classes.class_counts(SURE)
        counts = self.classes.counts([one.classes for one in table.facets], SURE)
        counts += [of_class[one.classes[0]] for one in table.single_facets]
        return [ConceptCount(*each) for each in zip((*table.facets, *table.single_facets), counts, strict=True)]


def concepts_of(r: Transaction, photograph_id: int) -> list[ShownConcept]:
    """Return what one photograph shows, the most telling first: the narrowest sure facet, then other probable ones."""
    kind = concept_kind(r)
    if kind is None:
        return []
    vectors, present = r.descriptors.read(kind, [photograph_id])
    if not present[0]:
        return []
    shown, table = ClassProbabilities.of(vectors), concept_table()
    known = {one.classes[0]: one for one in table.single_facets}
    pairs = zip(shown.classes[0].tolist(), shown.probabilities[0].tolist(), strict=True)
    single = [ShownConcept(known[each], share) for each, share in pairs if share >= _SHOWN and each in known]
    broader = [ShownConcept(one, float(shown.of_any(one.classes)[0])) for one in table.facets]
    sure = [one for one in (*single, *broader) if one.probability >= SURE]
    first = sorted(sure, key=lambda one: (len(one.concept.classes), -one.probability))[:1]
    return [*first, *(one for one in single if one not in first)][:_MOST_SHOWN]


_SHOWN = 0.1
_MOST_SHOWN = 3


def read_words(text: str, language: str) -> ConceptQuery:
    """Read words that photographs are searched with.

    Raises
    ------
    TwinlensError
        If none of them is known; names words to try.
    """
    read = read_query(text, language)
    if not read.terms:
        raise unknown_words_error(read)
    return read


def unknown_words_error(read: ConceptQuery) -> TwinlensError:
    """Return the error that none of the words of a query is known, with words to try."""
    near = [each for word in read.unknown for each in concept_table().near(spelt(word), read.language)]
    if not read.unknown:
        error = Message("These words name nothing that can be seen.")
    else:
        error = Message("No photos can be found by {words} yet.", words=[f"“{one}”" for one in read.unknown])
    if near:
        return TwinlensError(error, Message("Try {near}.", near=near))
    return TwinlensError(error, Message("Try a thing that can be seen, such as dog or castle."))
