"""The quality of a new vocabulary: edited copies of held-out photographs, searched with it and with the one in use."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from twinlens.app.evaluate.editing_tasks import Editing
from twinlens.app.library.workers.decoding_tasks import WorkerTask
from twinlens.app.search.describing import Describer
from twinlens.app.vocabulary.learned_vocabularies import EditChange, VocabularyQuality
from twinlens.app.vocabulary.vocabulary_settings import VocabularySettings
from twinlens.core.arrays import Float32Vectors
from twinlens.core.errors import TwinlensError
from twinlens.core.evaluation.judgement import Judgement, QueryTruth, RankedItems, judge_queries
from twinlens.core.exact_search.measure import Measure
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.message import Message, counted
from twinlens.core.progress import Progress
from twinlens.features.descriptor import Descriptor, Extractor, Pictures
from twinlens.features.pictures.edits import EDITS, Edit
from twinlens.features.pictures.picture import Picture
from twinlens.features.reading.reading_limits import UnreadableError

FEWEST = 8
"""Least number of edited photographs: with fewer, the confidence interval is meaningless."""

_RESAMPLES = 4_000
_CONFIDENCE = 95
FoundCopies = npt.NDArray[np.bool_]


class Compared(NamedTuple):
    """A vocabulary to measure: that of a descriptor's extractor."""

    name: str
    descriptor: Descriptor
    extractor: Extractor


def measure_quality(
    compared: tuple[Compared, Compared],
    kernel: Kernel,
    held_out: Pictures,
    wanted: VocabularySettings,
    progress: Progress,
) -> VocabularyQuality:
    """Compare the vocabulary in use with a new one.

    Parameters
    ----------
    compared : pair of Compared
        The one in use and the new one.
    kernel : Kernel
        The descriptor's measure.
    held_out : callable returning an iterable of Picture
        The first ones are edited and their copies are the queries; all can be found.
    wanted : VocabularySettings
        Its seed is also that of edits and resampling.

    Raises
    ------
    TwinlensError
        If there are too few photographs.
    """
    describer = Describer({one.name: (one.descriptor, one.extractor) for one in compared})
    pictures = wanted.among + wanted.asked * len(EDITS)
    base: list[list[Float32Vectors]] = [[], []]
    copies: list[list[Float32Vectors]] = [[], []]
    last: Picture | None = None
    done = 0

    def rows(of: WorkerTask[Picture] | Picture, doing: Message) -> list[Float32Vectors]:
        nonlocal done
        progress(done, pictures, doing)
        done += 1
        vectors = describer.vectors(of)
        return [vectors[one.name] for one in compared]

    for number, picture in enumerate(held_out()):
        is_edited = len(base[0]) < wanted.asked
        try:
            own = rows(picture, Message("Measuring the new vocabulary"))
            edited = [
                rows(
                    _edited(picture, last, edit, f"{wanted.seed} {number} {place}"),
                    Message("Measuring the new vocabulary: {name}", name=edit.name),
                )
                for place, edit in enumerate(EDITS if is_edited else ())
            ]
        except UnreadableError:
            continue  # an unreadable picture is left out
        last = picture
        for which in range(2):
            base[which].append(own[which])
            copies[which] += [one[which] for one in edited]
    there = len(base[0])
    edited_count = min(wanted.asked, there)
    if edited_count < FEWEST:
        raise TwinlensError(
            counted(
                "Only {count} photo is left to measure a vocabulary with.",
                "Only {count} photos are left to measure a vocabulary with.",
                edited_count,
            ),
            "Add photos, or learn from fewer of them.",
        )
    found = [
        _found(Measure(kernel), np.stack(queries), np.stack(rows)) for queries, rows in zip(copies, base, strict=True)
    ]
    return quality_summary(found[0], found[1], there, wanted.seed)


def _edited(picture: Picture, last: Picture | None, edit: Edit, drawn: str) -> Editing:
    """Return the task of an edited copy; edits that paste use the last photograph, the first one itself."""
    seed = int.from_bytes(hashlib.sha256(drawn.encode()).digest()[:4], "little")
    return Editing(edit.name, picture.rgb, (picture if last is None else last).rgb, seed)


def _found(measure: Measure, copies: Float32Vectors, base: Float32Vectors) -> FoundCopies:
    """Return whether the photograph of each copy is nearest, (photographs, edits); a tie does not count."""

    def ranking(row: int) -> RankedItems:
        distances = measure.distances(copies[row], base)
        own = np.arange(len(base)) == row // len(EDITS)
        return RankedItems(np.lexsort((own, distances)))

    truths = [QueryTruth(frozenset([row // len(EDITS)])) for row in range(len(copies))]
    first = [place == 0 for place in judge_queries(ranking, truths, Judgement()).places]
    return (np.array(first) & copies.any(axis=1)).reshape(-1, len(EDITS))


def quality_summary(present: FoundCopies, new: FoundCopies, among: int, seed: int) -> VocabularyQuality:
    """Return the measurement as figures and a sentence.

    Parameters
    ----------
    present, new : ndarray of bool, (photographs, edits)
        Whether each copy found its photograph first.
    seed : int
        Seed of the bootstrap: photographs are resampled with all their copies, which depend on each other.
    """
    rng = np.random.default_rng(seed)
    drawn = rng.integers(0, len(present), (_RESAMPLES, len(present)))
    means = [rows.mean(axis=1) for rows in (present, new)]
    resampled = [mean[drawn].mean(axis=1) for mean in means]
    interval, later = _interval(resampled[0]), _interval(resampled[1])
    difference = _interval(resampled[1] - resampled[0])
    recall = float(present.mean()), float(new.mean())
    return VocabularyQuality(
        photographs=len(present),
        questions=present.size,
        among=among,
        present=recall[0],
        present_interval=interval,
        new=recall[1],
        new_interval=later,
        difference_interval=difference,
        edits=[
            EditChange(edit=edit.name, present=float(one), new=float(other))
            for edit, one, other in zip(EDITS, present.mean(axis=0), new.mean(axis=0), strict=True)
        ],
        sentence=_sentence(present, recall, difference, among),
    )


def _interval(values: npt.NDArray[np.float64]) -> tuple[float, float]:
    low, high = np.percentile(values, ((100 - _CONFIDENCE) / 2, (100 + _CONFIDENCE) / 2))
    return float(low), float(high)


def _sentence(present: FoundCopies, recall: Sequence[float], difference: tuple[float, float], among: int) -> Message:
    measured = {
        "copies": present.size,
        "photos": len(present),
        "among": among,
        "new": recall[1],
        "present": recall[0],
        "low": difference[0] * 100,
        "high": difference[1] * 100,
        "confidence": _CONFIDENCE,
    }
    if difference[0] > 0:
        return Message(
            "The new vocabulary finds {new:.1%} of {copies} edited copies of {photos} photos first among {among}, the "
            "one in use {present:.1%} (difference {low:+.1f} to {high:+.1f} points with {confidence} % confidence). "
            "Keep the new one.",
            **measured,
        )
    if difference[1] < 0:
        return Message(
            "The new vocabulary finds {new:.1%} of {copies} edited copies of {photos} photos first among {among}, the "
            "one in use {present:.1%} (difference {low:+.1f} to {high:+.1f} points with {confidence} % confidence). "
            "The one in use is better.",
            **measured,
        )
    return Message(
        "The new vocabulary finds {new:.1%} of {copies} edited copies of {photos} photos first among {among}, the one "
        "in use {present:.1%}. This may be chance (difference {low:+.1f} to {high:+.1f} points with {confidence} % "
        "confidence). No change needed.",
        **measured,
    )
