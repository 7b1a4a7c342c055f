"""Searches with words: photographs ranked by what they show, and photographs that show it among those to be searched.

What a photograph shows are its most probable classes (:mod:`features.concepts.concepts`), kept when it was read. Words
alone rank by their probability; beside pictures or colours they choose the photographs that are compared with these.
A person's own image and text networks answer for words that the table of concepts does not know.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence

import numpy as np

from app.indexes.fitted_models import concept_kind, usable_indexes
from app.indexes.indexes import DEFAULT
from app.library.library import Library
from app.library.shown_concepts import ShownConcepts, unknown_words_error
from app.methods import catalogue
from app.search.confirmation import SearchCosts
from app.search.query_descriptors import ExampleDescriptors, QueryDescriptors, find_query_picture
from app.search.ranked_results import NOBODY, RankedResults, result_photographs, stacks, unchecked
from app.search.search_options import SearchOptions
from app.search.search_query import Example, SearchQuery
from app.search.search_results import Histogram, SimilarityLevels
from app.search.search_space import Moment, bin_counts, passing
from core.errors import Remedy, TwinlensError
from core.message import NOTHING, Message
from features.concepts.concept_words import PERHAPS, SURE, ConceptQuery, read_query
from features.query.words_and_colours import Palette, Phrase
from storage.library.store import Transaction

PROBABILITY = Message("probability")
"""The measure of a search with words alone."""

INDEX = "What it shows"
"""Stands for the name of an index in the results of a search with words alone."""


class ConceptSearch:
    """Searches a library with words; keeps what its photographs show until that changes. Safe to use from threads."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._lock = threading.Lock()
        self._shown: tuple[int | None, ShownConcepts | None] = (None, None)

    def read(self, r: Transaction, query: SearchQuery, indexes: Sequence[str]) -> ConceptQuery | None:
        """Read the words of a query; None where there are none, or a person's own network answers for them.

        Parameters
        ----------
        indexes : sequence of str
            Names of the indexes to search.

        Raises
        ------
        TwinlensError
            If none of the words is known; names words to try.
        """
        phrases = [(one.picture, one.weight > 0) for one in query.examples if isinstance(one.picture, Phrase)]
        if not phrases or concept_kind(r) is None:
            return None
        read = _joined([(read_query(one.text, one.language), liked) for one, liked in phrases])
        own = {row.name for row in usable_indexes(r) if catalogue.descriptor(row.descriptor).needs_a_file}
        if own.intersection(indexes) or (own and (read.unknown or not read.terms)):
            return None
        if not read.terms and not read.colours:
            raise unknown_words_error(read)
        return read

    def rank(self, moment: Moment, query: SearchQuery, words: ConceptQuery, options: SearchOptions) -> RankedResults:
        """Rank photographs by what they show.

        Raises
        ------
        TwinlensError
            If no photograph was classified yet, or a filter does not exist.
        """
        started, r = time.perf_counter(), moment.r
        shown = self._at(moment)
        if not len(shown.ids):
            raise TwinlensError("The library has no photos that words can find yet.", Remedy("rescan"))
        mask = passing(self._library, r, options.filters, shown.ids)
        scores = words.scores(shown.classes)
        if mask is not None:
            scores = np.where(mask, scores, 0)
        order = np.argsort(-scores, kind="stable")[: options.k]
        order = order[scores[order] > 0]
        examples = tuple(ExampleDescriptors(find_query_picture(self._library, r, one), {}) for one in query.examples)
        descriptors = QueryDescriptors(query, examples)
        photographs = self._library.look_up(r, shown.ids[order])
        similarities = scores[order]
        counted = Histogram(counts=bin_counts(scores[scores > 0]), low=0.0, high=1.0, sample=np.count_nonzero(scores))
        note = words.note() if len(order) else Message("No photo shows this.")
        return RankedResults(
            descriptors,
            options.changed(check=False),
            shown.ids[order],
            NOBODY,
            {one.row.id: one for one in photographs},
            result_photographs(descriptors, photographs, 1 - similarities, similarities),
            unchecked(
                descriptors,
                SearchCosts(),
                time.perf_counter() - started,
                index=INDEX,
                text="concepts",
                measure=PROBABILITY,
                exact=True,
                of=len(shown.ids),
                histogram=counted,
                likeness=SimilarityLevels(very_similar=SURE, similar=PERHAPS, shows=words.title()),
            ),
            [note] if note else [],
            NOTHING,
            stacks(r, photographs),
        )

    def probability(self, moment: Moment, words: ConceptQuery, photograph_id: int) -> float:
        """Return how probably a photograph is what words mean; 0 where it was not classified."""
        shown = self._at(moment)
        return float(words.scores(shown.classes.some(shown.ids == photograph_id)).sum())

    def _at(self, moment: Moment) -> ShownConcepts:
        with self._lock:
            version, known = self._shown
            if known is None or moment.version is None or version != moment.version:
                known = ShownConcepts.of(moment.r)
                self._shown = moment.version, known
            return known


def is_words_alone(words: ConceptQuery, query: SearchQuery) -> bool:
    """Return whether a query has nothing but words for things, so that photographs are ranked by what they show."""
    return not words.colours and all(isinstance(one.picture, Phrase) for one in query.examples)


def with_words_as_filter(
    words: ConceptQuery, query: SearchQuery, indexes: Sequence[str], options: SearchOptions
) -> tuple[SearchQuery, Sequence[str], SearchOptions]:
    """Return a search with pictures or colours and words as one among the photographs that show what is meant.

    Colours that the words name become a palette, which the index for colours is searched with.
    """
    examples = [one for one in query.examples if not isinstance(one.picture, Phrase)]
    if words.colours:
        examples.append(Example(Palette.read(",".join(words.colours))))
        indexes = [DEFAULT]
    shows = ", ".join(filter(None, (options.filters.shows, words.text())))
    filters = options.filters.changed(shows=shows or None)
    return SearchQuery(tuple(examples)), indexes, options.changed(filters=filters)


def _joined(read: Sequence[tuple[ConceptQuery, bool]]) -> ConceptQuery:
    """Return several queries in words as one; those of which results should be unlike are turned round."""
    terms = [one if liked else one._replace(wanted=not one.wanted) for each, liked in read for one in each.terms]
    unknown = tuple(word for each, _ in read for word in each.unknown)
    widened = tuple(one for each, _ in read for one in each.widened)
    colours = tuple(one for each, _ in read for one in each.colours)
    return ConceptQuery(tuple(terms), read[0][0].language, unknown, widened, colours)
