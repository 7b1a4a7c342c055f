"""Why a photograph was found: how alike it is by the exact measure, where the codes agree, which colours both have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from app.indexes.loaded_index import LoadedIndex
from app.methods import catalogue
from app.search.described_question import Described
from app.search.geometric_check import Confirmation
from app.search.query_views import INVERTED, MIRRORED
from app.search.question import Pictured, Question
from app.search.searcher import Searcher
from app.search.wanted import Wanted
from core.codes import unpack_bits
from core.errors import TwinlensError
from core.message import Message
from core.metrics import UnderMetric
from features.colour import Colour, bin_colours
from storage.photograph_rows import PhotographRow

Vector = npt.NDArray[np.float32]


class ColourShare(NamedTuple):
    """One colour, and how much of it two pictures have.

    Attributes
    ----------
    rgb : str
        ``#rrggbb``: the middle of the bin.
    query, hit : float
        Shares of the whole picture; those of all colours add up to 1, or to 0 where nothing is visible.
    """

    rgb: str
    query: float
    hit: float


@dataclass(frozen=True)
class CodeAgreement:
    """Two codes side by side.

    Attributes
    ----------
    bits : int
    differ : sequence of bool
        For each bit whether it differs.
    hamming : int
        How many do.
    estimate : float or None
        What that many differing bits estimate; None where the bits of the method estimate nothing.
    estimate_of : str
        What is estimated (``cosine``, say); empty where nothing is.
    sentence : str
        What the bits tell, and what they do not.
    """

    bits: int
    differ: Sequence[bool]
    hamming: int
    estimate: float | None
    estimate_of: str
    sentence: str


@dataclass(frozen=True, eq=False)
class MatchLines:
    """Where the same things are in two pictures that were confirmed to show the same.

    Attributes
    ----------
    example : int
        Which example of the question, counted from 0; it need not be that of the codes and colours.
    query, hit : ndarray of float32, (n, 2)
        x and y of what agrees, a line each, as shares of width and height of the upright pictures; of the question's
        part where a part was asked with.
    inliers : int
        How many.
    mirrored, inverted : bool
        The hit shows the question's picture mirrored, in negative.
    """

    example: int
    query: npt.NDArray[np.float32]
    hit: npt.NDArray[np.float32]
    inliers: int
    mirrored: bool = False
    inverted: bool = False


@dataclass(frozen=True)
class Explanation:
    """Why a photograph stands where it does.

    Attributes
    ----------
    similarity, distance : float
        By the exact measure, as in the answer.
    measure : str
        Its text form, or which metric.
    example : int
        Which example of the question, counted from 0, codes and colours are compared with: the one that the photograph
        is most like, of those that it shall be like.
    code : CodeAgreement or None
        None where the index has no codes.
    colours : sequence of ColourShare or None
        The colours that one of both has, in the order of the bins; None where the index does not compare colours.
    overlap : float or None
        Share of the colours that both have in common, the sum of the smaller shares.
    match : MatchLines or None
        None where it was not confirmed, or not checked, that both show the same.
    mirrored, inverted : bool
        The example is compared mirrored, in negative: so the photograph is most like it.
    """

    similarity: float
    distance: float
    measure: str
    example: int = 0
    code: CodeAgreement | None = None
    colours: Sequence[ColourShare] | None = None
    overlap: float | None = None
    match: MatchLines | None = None
    mirrored: bool = False
    inverted: bool = False


def explain(
    searcher: Searcher, question: Pictured | Question, index: str, photograph_id: int, check: bool | None = None
) -> Explanation:
    """Say why a photograph stands where it does among the answers to a question.

    Parameters
    ----------
    searcher : Searcher
    question : Path, int, bytes, Palette or Question
        As it was asked.
    index : str
        Name of the index that answered.
    photograph_id : int
    check : bool, optional
        As in the search.

    Raises
    ------
    TwinlensError
        If the index does not know the photograph, or as :meth:`app.search.searcher.Searcher.ask`.
    """
    with searcher.moment() as moment:
        loaded = searcher.index(moment, index)
        vectors, present = moment.r.descriptors.read(loaded.kind, [photograph_id])
        if not present[0]:
            raise TwinlensError(
                Message(
                    "The index “{name}” does not know the photograph {photograph_id}.",
                    name=loaded.row.name,
                    photograph_id=photograph_id,
                ),
                Message("Run `twinlens rescan`."),
            )
        checked = bool(Wanted(check=check).of(loaded.descriptor).check)
        described = searcher.describe(moment, Question.of(question), [loaded], checked)
        confirmation = searcher.confirm(moment, described, photograph_id) if checked else None
        (photograph,) = moment.r.photographs.by_id([photograph_id])
    hit = vectors.astype(np.float32)
    criterion = described.criterion(loaded)
    distance = criterion.distances(hit)
    nearest, alternative = criterion.nearest(hit[0])
    query = criterion.alternatives[nearest][alternative]
    colours = None
    if isinstance(loaded.descriptor, Colour):
        colours = colour_shares(loaded.descriptor, query, hit[0])
    return Explanation(
        similarity=float(loaded.measure.similarities(distance)[0]),
        distance=float(distance[0]),
        measure=loaded.measure_name,
        example=criterion.examples[nearest],
        code=_agreement(loaded, query, hit[0]),
        colours=colours,
        overlap=None if colours is None else sum(min(one.query, one.hit) for one in colours),
        match=None if confirmation is None else _lines(described, confirmation, photograph),
        mirrored=MIRRORED[alternative],
        inverted=INVERTED[alternative],
    )


def _lines(described: Described, confirmation: Confirmation, photograph: PhotographRow) -> MatchLines | None:
    """Say where the same things are; None where both do not show the same."""
    asked = described.seen[confirmation.example].keypoints
    checked = confirmation.checked
    if not confirmation.accepted or asked is None or not photograph.width or not photograph.height:
        return None
    longer = max(photograph.width, photograph.height)
    shape = (photograph.width / longer, photograph.height / longer)
    return MatchLines(
        confirmation.example,
        (checked.agreement.query / (asked.width, asked.height)).astype(np.float32),
        (checked.agreement.candidate / shape).astype(np.float32),
        len(checked.agreement),
        checked.mirrored,
        checked.inverted,
    )


def _agreement(index: LoadedIndex, query: Vector, hit: Vector) -> CodeAgreement | None:
    """Compare the codes of two vectors; None where the index has no codes."""
    if index.encoder is None:
        return None
    bits = index.encoder.bits
    one, other = unpack_bits(index.encoder.encode(np.stack([query, hit])), bits)
    differ = one != other
    hamming = int(differ.sum())
    method = catalogue.method(index.row.method)
    estimate = method.estimate(hamming / bits)
    what, sentence = method.estimate_of, method.bits_tell
    if isinstance(index.encoder, UnderMetric):
        what = f"{what} under the metric" if what else ""
        sentence = f"{sentence} They are bits of the vectors under the metric."
    return CodeAgreement(bits, differ.tolist(), hamming, estimate, what, sentence)


def colour_shares(declared: Colour, query: Vector, hit: Vector) -> list[ColourShare]:
    """Put the colours of two whole pictures side by side, (d,) and (d,); those that neither has are left out."""
    colours = bin_colours(declared)
    size = len(colours)  # the histogram of the whole picture stands first
    one, other = (_shares(vector[:size]) for vector in (query, hit))
    return [
        ColourShare(f"#{red:02x}{green:02x}{blue:02x}", float(one[i]), float(other[i]))
        for i, (red, green, blue) in enumerate(colours.tolist())
        if one[i] or other[i]
    ]


def _shares(histogram: Vector) -> npt.NDArray[np.float64]:
    """Scale a histogram to a sum of 1; where nothing was visible it stays zero."""
    total = histogram.sum(dtype=np.float64)
    return np.asarray(histogram / total if total > 0 else histogram, dtype=np.float64)
