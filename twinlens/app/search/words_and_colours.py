"""Queries in words and colours: the index that answers them, and searches by what photographs show.

Where no index is named, colours are asked of one that compares colours, and words of a person's own network. The words
of things are understood without one: what a photograph shows are its most probable classes
(:mod:`twinlens.features.concepts.concepts`), kept when it was read. Words alone rank by their probability; beside
pictures or colours they choose the photographs that are compared with these, and colours among them are a palette. A
person's own network answers for words that the table of concepts does not know.

For a search with the colours of a photograph, its main colours are found here, too.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from twinlens.app.indexes.fitted_models import concept_kind, usable_indexes
from twinlens.app.indexes.indexes import DEFAULT, default_row
from twinlens.app.library.library import Library
from twinlens.app.methods import catalogue
from twinlens.app.search.confirmation import SearchCosts
from twinlens.app.search.query_descriptors import ExampleDescriptors, QueryDescriptors, find_query_picture
from twinlens.app.search.ranked_results import NOBODY, RankedResults, result_photographs, stacks, unchecked
from twinlens.app.search.search_options import SearchOptions
from twinlens.app.search.search_query import Example, SearchQuery
from twinlens.app.search.search_results import Histogram, SimilarityLevels
from twinlens.app.search.search_space import Moment, bin_counts, passing
from twinlens.core.arrays import UInt8Pixels
from twinlens.core.errors import Remedy, TwinlensError
from twinlens.core.message import NOTHING, Message
from twinlens.features.colour.colour_histogram import HsvHistogram
from twinlens.features.query.words_and_colours import (
    Colour,
    Palette,
    Phrase,
    accepts_colours,
    accepts_words,
    lacking_for_words,
)
from twinlens.storage.library.store import Transaction

if TYPE_CHECKING:
    from twinlens.app.library.browsing.shown_concepts import ShownConcepts
    from twinlens.features.concepts.concept_words import ConceptQuery


def index_name_for(r: Transaction, name: str, query: SearchQuery) -> str:
    """Return the name of the index to search.

    Parameters
    ----------
    name : str
        Of an index, which is returned; or DEFAULT: for words an index that knows words, for colours one that compares
        colours, otherwise the default index.

    Raises
    ------
    TwinlensError
        If no index is named and none knows words.
    """
    if name != DEFAULT:
        return name
    words = any(isinstance(one.picture, Phrase) for one in query.examples)
    if not words and not any(one.sketch or isinstance(one.picture, Palette) for one in query.examples):
        return name
    default = default_row(r)
    others = [row for row in usable_indexes(r) if row.id != default.id]
    each = [(row.name, row.descriptor) for row in (default, *others)]
    if words:
        return _first_knowing_words(each)
    return best_for_colours(each[:1]) or best_for_colours(each[1:]) or name


def _first_knowing_words(indexes: Sequence[tuple[str, str]]) -> str:
    declared = [(name, catalogue.descriptor(text)) for name, text in indexes]
    found = next((name for name, one in declared if accepts_words(one)), None)
    if found is None:
        from twinlens.features.network.text_network import BRING  # here, since few searches are in words

        # Somebody who has added an image network must learn what it lacks.
        lacking = [lacking_for_words(one) for _, one in declared if one.needs_a_file]
        raise TwinlensError(next(iter(lacking), Message("No index of this library can be searched with words.")), BRING)
    return found


_ROUNDS = 12
_LEAST_SHARE = 0.02
_APART = 28.0  # between two colours that are told apart, in steps of 0 to 255


def compares_colours_alone(descriptor: str) -> bool:
    """Return whether an index compares colours alone, and so can be searched with a palette or a sketch.

    Parameters
    ----------
    descriptor : str
        Text form of the index's descriptor.
    """
    return accepts_colours(catalogue.descriptor(descriptor))


def best_for_colours(indexes: Sequence[tuple[str, str]]) -> str:
    """Return the name of the index to search with colours, given names and descriptors; empty if there is none.

    Histograms come first: a palette says nothing about the places of colours.
    """
    able = [(name, descriptor) for name, descriptor in indexes if compares_colours_alone(descriptor)]
    whole = [name for name, descriptor in able if isinstance(catalogue.descriptor(descriptor), HsvHistogram)]
    return (whole or [name for name, _ in able] or [""])[0]


def main_colours(pixels: UInt8Pixels, most: int = 5) -> list[tuple[Colour, float]]:
    """Return the main colours of a picture.

    Colours are counted in 4,096 cells, and the cells are clustered by k-means that starts from colours far from each
    other. Rare colours are left out, near ones joined.

    Parameters
    ----------
    pixels : ndarray of uint8, (h, w, 3)
    most : int
        Largest number of colours.

    Returns
    -------
    list of (colour, share)
        The largest share first; they add up to 1. Empty for an empty picture.
    """
    flat = pixels.reshape(-1, 3)
    if not len(flat):
        return []
    cells = (flat >> 4).astype(np.int64) @ (256, 16, 1)
    counts = np.bincount(cells, minlength=4096).astype(np.float64)
    sums = np.stack([np.bincount(cells, flat[:, i], minlength=4096) for i in range(3)], axis=1)
    there = counts > 0
    weights, colours = counts[there], sums[there] / counts[there, None]
    centres = _starts(colours, weights, most)
    for _ in range(_ROUNDS):
        nearest = _distances(colours, centres).argmin(axis=1)
        total = np.bincount(nearest, weights, minlength=len(centres))
        moved = np.stack([np.bincount(nearest, weights * colours[:, i], len(centres)) for i in range(3)], axis=1)
        centres, total = moved[total > 0] / total[total > 0, None], total[total > 0]
    return _kept(centres, total / total.sum())


def _distances(one: npt.NDArray[np.float64], other: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.asarray(np.sqrt(((one[:, None] - other[None]) ** 2).sum(axis=2)))


def _starts(colours: npt.NDArray[np.float64], weights: npt.NDArray[np.float64], most: int) -> npt.NDArray[np.float64]:
    """Return starts: the most frequent colour, then frequent ones far from those already chosen."""
    chosen = [int(weights.argmax())]
    while len(chosen) < min(most, len(colours)):
        away = _distances(colours, colours[chosen]).min(axis=1)
        chosen.append(int((away * np.sqrt(weights)).argmax()))
    return colours[chosen]


def _kept(centres: npt.NDArray[np.float64], shares: npt.NDArray[np.float64]) -> list[tuple[Colour, float]]:
    kept: list[tuple[npt.NDArray[np.float64], float]] = []
    for place in np.argsort(-shares, kind="stable"):
        twin = next((i for i, (one, _) in enumerate(kept) if np.linalg.norm(one - centres[place]) < _APART), None)
        if twin is not None:
            kept[twin] = (kept[twin][0], kept[twin][1] + float(shares[place]))
        elif not kept or shares[place] >= _LEAST_SHARE:
            kept.append((centres[place], float(shares[place])))
    total = sum(share for _, share in kept)
    kept.sort(key=lambda one: -one[1])
    return [((int(red), int(green), int(blue)), share / total) for (red, green, blue), share in _rounded(kept)]


def _rounded(kept: Sequence[tuple[npt.NDArray[np.float64], float]]) -> list[tuple[list[float], float]]:
    return [(np.rint(centre).tolist(), share) for centre, share in kept]


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
        from twinlens.app.library.browsing.shown_concepts import (
            unknown_words_error,  # here, since few searches are in words
        )
        from twinlens.features.concepts.concept_words import read_query

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
        from twinlens.features.concepts.concept_words import PERHAPS, SURE

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
        from twinlens.app.library.browsing.shown_concepts import ShownConcepts

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
    ambiguous = tuple(one for each, _ in read for one in each.ambiguous)
    return replace(
        read[0][0], terms=tuple(terms), unknown=unknown, widened=widened, colours=colours, ambiguous=ambiguous
    )
