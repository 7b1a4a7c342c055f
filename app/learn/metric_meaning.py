"""Meaning of a metric: which colours, parts, visual words or directions it weighs more or less than before.

Of the squared distances of photographs drawn by chance, how much comes from each colour with the metric, and how much
without what it has learned (:mod:`app.learn.metric_shares`).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from app.learn.learning import Proposal
from app.learn.metric_meaning_results import (
    MetricMeaning,
    Weighed,
    WeighedCentre,
    WeighedColour,
    WeighedDirection,
    WeighedPart,
)
from app.learn.metric_meaning_words import colour_name, meaning_summary
from app.learn.metric_shares import Shares, direction_shares, gradient, group_shares
from app.learn.pair_candidates import PhotographSample
from app.learn.proposed_metric import ProposedMetric
from app.library.library import Library
from app.methods import catalogue
from core.arithmetic.one_thread import one_thread
from core.arrays import Float32Vectors, Float64Matrix
from core.errors import Remedy, TwinlensError
from core.message import Message
from core.metrics.metric import FittedMetric
from core.progress import Progress, part, silent
from core.projections.subspaces import column_mean, principal
from features.colour.hsv_histogram import HsvHistogram, bin_colours
from features.descriptor import Descriptor
from features.fusion import Fusion
from features.vocabulary.vlad import Vlad
from storage.library.transaction import Transaction
from storage.photographs.descriptors import KindRow

Groups = npt.NDArray[np.int64]

SAMPLE = 2_000
"""Photographs that pairs are drawn from."""

_SUBSPACE = 128  # directions in which photographs differ most, among which the strongest are sought
_DIRECTIONS = 6
_SHOWN = 4  # photographs at each end, and of each centre
_TOLD = 12  # centres


def metric_meaning(
    library: Library, metric: Proposal | str, seed: int = 0, progress: Progress = silent
) -> MetricMeaning:
    """Return what a metric weighs more and what it weighs less than without learning.

    Parameters
    ----------
    library : Library
    metric : Proposal or str
        A proposal, which need not be kept, or the name of a kept metric.
    seed : int
        Of the photographs that are drawn.
    progress : Progress

    Raises
    ------
    TwinlensError
        If there is no such metric, or the library has too few photographs with this descriptor.
    Cancelled
        If progress says so.
    """
    with library.store.reading() as r:
        found = ProposedMetric.of(r, metric)
        kind = _kind(r, metric, found.descriptor)
        sample = PhotographSample.of(r, kind, [seed], part(progress, 0, 0.2), SAMPLE)
    if len(sample.ids) < 2:
        raise TwinlensError(
            Message("There are too few photos to tell what the metric weighs."), Message("Add some photos.")
        )
    looking = _Looking(sample, found.fitted, seed, part(progress, 0.2, 1.0))
    return looking.at(found.descriptor)


def _kind(r: Transaction, metric: Proposal | str, descriptor: Descriptor) -> KindRow:
    """Return the vectors of the descriptor, of the newest kind where there are several."""
    if isinstance(metric, Proposal):
        return metric.index.kind
    kinds = [kind for kind in r.descriptors.kinds() if catalogue.descriptor(kind.text) == descriptor]
    if not kinds:
        raise TwinlensError(
            Message(
                "The library has no vectors of {descriptor}, which the metric measures.", descriptor=descriptor.text()
            ),
            Remedy("create index", {"descriptor": descriptor.text()}),
        )
    return kinds[-1]


class _Looking:
    """The sample seen by a metric."""

    def __init__(self, sample: PhotographSample, metric: FittedMetric, seed: int, progress: Progress) -> None:
        self._sample, self._metric, self._seed, self._progress = sample, metric, seed, progress

    def at(self, descriptor: Descriptor) -> MetricMeaning:
        """Return the weighed parts, as far as the descriptor allows."""
        if isinstance(descriptor, HsvHistogram):
            return self._colours(descriptor)
        if isinstance(descriptor, Fusion):
            return self._parts(descriptor)
        if isinstance(descriptor, Vlad):
            return self._centres(descriptor)
        return self._directions()

    def _shares(self, groups: Groups) -> Shares:
        return group_shares(self._sample.x, groups, self._metric, self._seed, self._progress)

    def _colours(self, descriptor: HsvHistogram) -> MetricMeaning:
        colours = bin_colours(descriptor)
        found = self._shares(np.arange(descriptor.dimensions) % len(colours))
        weighed = _weighed_colours(colours, found, slice(0, len(colours)))
        return MetricMeaning(kind="colours", sentence=_of_colours(weighed), colours=weighed, pairs=found.pairs)

    def _parts(self, descriptor: Fusion) -> MetricMeaning:
        """Look at the parts; at each colour, too, where one of the parts is colours."""
        groups = np.empty(descriptor.dimensions, np.int64)
        spans, start, count = [], 0, 0
        for one, _ in descriptor.parts:
            size = len(bin_colours(one)) if isinstance(one, HsvHistogram) else 1
            groups[start : start + one.dimensions] = count + np.arange(one.dimensions) % size
            spans.append(slice(count, count + size))
            start, count = start + one.dimensions, count + size
        found = self._shares(groups)
        parts: list[WeighedPart] = []
        colours: list[WeighedColour] = []
        for (one, _), span in zip(descriptor.parts, spans, strict=True):
            before, after = float(found.before[span].sum()), float(found.after[span].sum())
            factor = after / before if before > 0 else 1.0
            parts.append(
                WeighedPart(
                    name=Message(one.plain_name), descriptor=one.text(), factor=factor, before=before, after=after
                )
            )
            if isinstance(one, HsvHistogram) and not colours:
                colours = _weighed_colours(bin_colours(one), found, span)
        parts.sort(key=lambda one: -one.factor)
        sentence = meaning_summary([(one.name, one.factor, one.before, one.after) for one in parts], several=True)
        return MetricMeaning(kind="parts", sentence=sentence, parts=parts, colours=colours, pairs=found.pairs)

    def _centres(self, descriptor: Vlad) -> MetricMeaning:
        words, length = descriptor.matrix_shape
        found = self._shares(np.repeat(np.arange(words), length))
        lengths = np.square(self._sample.x.reshape(-1, words, length)).sum(axis=2)
        centres = [
            WeighedCentre(
                number=number,
                photographs=self._sample.ids[np.argsort(-lengths[:, number], kind="stable")[:_SHOWN]].tolist(),
                **_numbers(found, number),
            )
            for number in _telling(found, _TOLD)
        ]
        named = [
            (Message("visual word {number:d}", number=one.number), one.factor, one.before, one.after) for one in centres
        ]
        return MetricMeaning(
            kind="centres",
            sentence=meaning_summary(named),
            centres=sorted(centres, key=lambda one: -one.factor),
            pairs=found.pairs,
        )

    def _directions(self) -> MetricMeaning:
        x = self._sample.x
        directions = strongest_directions(self._metric, x, self._seed, silent)
        found = direction_shares(x, directions, self._metric, self._seed, self._progress)
        along = x @ directions
        weighed = [
            WeighedDirection(
                one_end=self._sample.ids[np.argsort(along[:, number], kind="stable")[:_SHOWN]].tolist(),
                other_end=self._sample.ids[np.argsort(-along[:, number], kind="stable")[:_SHOWN]].tolist(),
                **_numbers(found, number),
            )
            for number in _telling(found, _DIRECTIONS)
        ]
        weighed.sort(key=lambda one: -one.factor)
        named = [(Message("what tells these photos apart"), one.factor, one.before, one.after) for one in weighed[:1]]
        sentence = meaning_summary(named)
        return MetricMeaning(kind="directions", sentence=sentence, directions=weighed, pairs=found.pairs)


def strongest_directions(metric: FittedMetric, x: Float32Vectors, seed: int, progress: Progress) -> Float64Matrix:
    """Find the directions that a metric stretches or shrinks most, among those in which items differ, (d, k).

    Those in which items differ most, where a metric is not of the form G x.

    Parameters
    ----------
    metric : FittedMetric
    x : ndarray of float32, (n, d)
    seed : int
    progress : Progress
    """
    count = min(_SUBSPACE, x.shape[1], len(x) - 1)
    basis = principal(x, column_mean(x, silent), max(1, count), np.random.default_rng(seed), progress)
    weigh = gradient(metric)
    if weigh is None:
        return basis[:, : 2 * _DIRECTIONS]
    spread = np.var(x @ basis, axis=0)
    with one_thread():
        # Weighed by how far items lie apart in them: a direction in which none differ changes no distance.
        weighed = np.sqrt(spread)[:, None] * (weigh(basis.T) @ basis) * np.sqrt(spread)
        change = weighed / max(np.trace(weighed), 1e-300) - np.diag(spread / max(spread.sum(), 1e-300))
        values, vectors = np.linalg.eigh(change)
        chosen = np.argsort(-np.abs(values))[: 2 * _DIRECTIONS]
        turned, _ = np.linalg.qr(basis @ (np.sqrt(spread)[:, None] * vectors[:, chosen]))
    return np.asarray(turned)


def _numbers(found: Shares, number: int) -> dict[str, float]:
    return {
        "factor": float(found.factors[number]),
        "before": float(found.before[number]),
        "after": float(found.after[number]),
    }


def _telling(found: Shares, most: int) -> list[int]:
    """Choose what changes distances most."""
    changed = np.argsort(-np.abs(found.after - found.before), kind="stable")
    return [int(one) for one in changed[:most]]


def _weighed_colours(colours: npt.NDArray[np.uint8], found: Shares, span: slice) -> list[WeighedColour]:
    weighed = [
        WeighedColour(rgb=(red, green, blue), **_numbers(found, span.start + number))
        for number, (red, green, blue) in enumerate(colours.tolist())
    ]
    return sorted(weighed, key=lambda one: -one.factor)


def _of_colours(weighed: list[WeighedColour]) -> Message:
    """Summarise by names, of which several colours may have the same."""
    together: dict[Message, list[Weighed]] = {}
    for one in weighed:
        together.setdefault(colour_name(one.rgb), []).append(one)
    named = []
    for name, some in together.items():
        before, after = sum(one.before for one in some), sum(one.after for one in some)
        if before > 0:
            named.append((name, after / before, before, after))
    return meaning_summary(named)
