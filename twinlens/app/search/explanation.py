"""The explanation of a result: its similarity by the exact measure, the agreement of codes, and the shared colours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from twinlens.app.indexes.loaded_index import LoadedIndex
from twinlens.app.library.browsing.shown_concepts import ShownConcept, concepts_of
from twinlens.app.methods import catalogue
from twinlens.app.search.confirmation import Confirmation
from twinlens.app.search.query_descriptors import QueryDescriptors
from twinlens.app.search.search_options import SearchOptions
from twinlens.app.search.search_query import SearchQuery
from twinlens.app.search.searcher import Searcher
from twinlens.app.search.words_and_colours import PROBABILITY, index_name_for, is_words_alone, with_words_as_filter
from twinlens.core.errors import Remedy, TwinlensError
from twinlens.core.hashing.method_under_metric import UnderMetric
from twinlens.core.hashing.packed_codes import unpack_bits
from twinlens.core.message import NOTHING, Message, joined
from twinlens.features.colour.colour_histogram import HsvHistogram, bin_colours
from twinlens.storage.photographs.photographs import PhotographRow

_DEFAULTS = SearchOptions()
Vector = npt.NDArray[np.float32]


class ColourShare(NamedTuple):
    """Shares of one colour in two pictures.

    Attributes
    ----------
    rgb : str
        ``#rrggbb``: the middle of the bin.
    query, result : float
        Shares of the whole picture; those of all colours add up to 1, or to 0 where nothing is visible.
    """

    rgb: str
    query: float
    result: float


@dataclass(frozen=True)
class CodeAgreement:
    """Two codes side by side.

    Attributes
    ----------
    differ : sequence of bool
        Whether each bit differs.
    hamming : int
        Number of differing bits.
    estimate : float or None
        Estimate from that number; None where the bits of the method estimate nothing.
    estimate_of : Message
        The estimated quantity, such as ``cosine``; empty where there is none.
    sentence : Message
        The meaning of the bits.
    """

    bits: int
    differ: Sequence[bool]
    hamming: int
    estimate: float | None
    estimate_of: Message
    sentence: Message


@dataclass(frozen=True, eq=False)
class MatchLines:
    """Places of the same things in two pictures that match.

    Attributes
    ----------
    example : int
        Place of the example in the query, from 0; it may be another one than that of codes and colours.
    query, result : ndarray of float32, (n, 2)
        x and y of each agreeing keypoint, as shares of width and height of the upright pictures; of a part, where the
        query is one.
    inliers : int
        Number of agreeing keypoints.
    mirrored, inverted : bool
        Whether the result shows the query mirrored, in negative.
    """

    example: int
    query: npt.NDArray[np.float32]
    result: npt.NDArray[np.float32]
    inliers: int
    mirrored: bool = False
    inverted: bool = False


@dataclass(frozen=True)
class Explanation:
    """The reasons for the rank of a result.

    Attributes
    ----------
    similarity, distance : float
        By the exact measure, as in the search.
    measure : Message
        Name of the measure.
    example : int
        Place, from 0, of the liked example most similar to the result: codes and colours are compared with it.
    code : CodeAgreement or None
        None where the index has no codes.
    colours : sequence of ColourShare or None
        Colours of either picture, in the order of the bins; None where the index does not compare colours.
    overlap : float or None
        Share of the colours that both have in common: the sum of the smaller shares.
    match : MatchLines or None
        None if both do not match, or were not checked.
    shown : sequence of ShownConcept
        What the result shows; empty where it was not classified.
    """

    similarity: float
    distance: float
    measure: Message
    example: int = 0
    code: CodeAgreement | None = None
    colours: Sequence[ColourShare] | None = None
    overlap: float | None = None
    match: MatchLines | None = None
    shown: Sequence[ShownConcept] = ()


def explain(
    searcher: Searcher, query: SearchQuery, index: str, photograph_id: int, check: bool | None = None
) -> Explanation:
    """Return the reasons for the rank of a photograph in a search.

    Parameters
    ----------
    index : str
        Name of the index.
    check : bool, optional
        As in the search.

    Raises
    ------
    TwinlensError
        If the photograph is not in the index, and as :meth:`twinlens.app.search.searcher.Searcher.find`.
    """
    with searcher.moment() as moment:
        shown = concepts_of(moment.r, photograph_id)
        words = searcher.concepts.read(moment.r, query, [index])
        if words is not None:
            if is_words_alone(words, query):
                probability = searcher.concepts.probability(moment, words, photograph_id)
                return Explanation(probability, 1 - probability, PROBABILITY, shown=shown)
            query, (index,), _ = with_words_as_filter(words, query, [index], _DEFAULTS)
            index = index_name_for(moment.r, index, query)
        loaded = searcher.index(moment, index)
        vectors, present = moment.r.descriptors.read(loaded.kind, [photograph_id])
        if not present[0]:
            raise TwinlensError(
                "The photo with the number {photograph_id:d} is not in “{name}” yet.",
                Remedy("rescan"),
                name=loaded.row.name,
                photograph_id=photograph_id,
            )
        checked = bool(SearchOptions(check=check).for_descriptor(loaded.descriptor).check)
        descriptors = searcher.describe(moment, query, [loaded], checked)
        confirmation = searcher.confirm(moment, descriptors, photograph_id) if checked else None
        (photograph,) = moment.r.photographs.by_id([photograph_id])
    result = vectors.astype(np.float32)
    query_distance = descriptors.distance(loaded)
    distance = query_distance.distances(result)
    nearest, alternative = query_distance.nearest(result[0])
    example = query_distance.alternatives[nearest][alternative]
    colours = None
    if isinstance(loaded.descriptor, HsvHistogram):
        colours = colour_shares(loaded.descriptor, example, result[0])
    return Explanation(
        similarity=float(loaded.measure.similarities(distance)[0]),
        distance=float(distance[0]),
        measure=loaded.measure_name,
        example=query_distance.examples[nearest],
        code=_agreement(loaded, example, result[0]),
        colours=colours,
        overlap=None if colours is None else sum(min(one.query, one.result) for one in colours),
        match=None if confirmation is None else _lines(descriptors, confirmation, photograph),
        shown=shown,
    )


def _lines(descriptors: QueryDescriptors, confirmation: Confirmation, photograph: PhotographRow) -> MatchLines | None:
    """Return the places of the same things; None where both do not match."""
    keypoints = descriptors.examples[confirmation.example].keypoints
    checked = confirmation.checked
    if not confirmation.accepted or keypoints is None or not photograph.width or not photograph.height:
        return None
    longer = max(photograph.width, photograph.height)
    shape = (photograph.width / longer, photograph.height / longer)
    return MatchLines(
        confirmation.example,
        (checked.agreement.query / (keypoints.width, keypoints.height)).astype(np.float32),
        (checked.agreement.candidate / shape).astype(np.float32),
        len(checked.agreement),
        checked.mirrored,
        checked.inverted,
    )


def _agreement(index: LoadedIndex, query: Vector, result: Vector) -> CodeAgreement | None:
    """Compare the codes of two vectors; None where the index has no codes."""
    if index.encoder is None:
        return None
    bits = index.encoder.bits
    one, other = unpack_bits(index.encoder.encode(np.stack([query, result])), bits)
    differ = one != other
    hamming = int(differ.sum())
    method = catalogue.method(index.row.method)
    estimate = method.estimate(hamming / bits)
    what, sentence = method.estimate_of, method.bits_tell
    if isinstance(index.encoder, UnderMetric):
        what = Message("{what} under the metric", what=what) if what else NOTHING
        sentence = joined([sentence, Message("The bits are those of the vectors under the metric.")])
    return CodeAgreement(bits, differ.tolist(), hamming, estimate, what, sentence)


def colour_shares(declared: HsvHistogram, query: Vector, result: Vector) -> list[ColourShare]:
    """Return the shares of the colours that either of two whole pictures, (d,) and (d,), has."""
    colours = bin_colours(declared)
    size = len(colours)  # the histogram of the whole picture stands first
    one, other = (_shares(vector[:size]) for vector in (query, result))
    return [
        ColourShare(f"#{red:02x}{green:02x}{blue:02x}", float(one[i]), float(other[i]))
        for i, (red, green, blue) in enumerate(colours.tolist())
        if one[i] or other[i]
    ]


def _shares(histogram: Vector) -> npt.NDArray[np.float64]:
    """Scale a histogram to a sum of 1; an empty one stays zero."""
    total = histogram.sum(dtype=np.float64)
    return np.asarray(histogram / total if total > 0 else histogram, dtype=np.float64)
