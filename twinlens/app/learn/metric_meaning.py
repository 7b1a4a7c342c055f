"""Meaning of a metric: which colours, parts, visual words or directions it weighs more or less than before.

The weight of a group of numbers is its share in the squared distance of two photographs.
"""

from __future__ import annotations

import colorsys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from twinlens.app.learn.learn_results import (
    MetricMeaning,
    Weighed,
    WeighedCentre,
    WeighedColour,
    WeighedDirection,
    WeighedPart,
)
from twinlens.app.learn.learning import Proposal, ProposedMetric
from twinlens.app.learn.next_pairs import PhotographSample
from twinlens.app.library.library import Library
from twinlens.app.methods import catalogue
from twinlens.core.arrays import Float32Vectors, Float64Matrix, Int64Rows
from twinlens.core.errors import Remedy, TwinlensError
from twinlens.core.exact_search.measure import Measure
from twinlens.core.kernels.dot_product_kernels import Linear
from twinlens.core.message import Message, joined
from twinlens.core.metrics.kernel_metric import KernelMetric
from twinlens.core.metrics.metric import FittedMetric
from twinlens.core.metrics.metric_forms import ExplicitMetric, ImplicitMetric
from twinlens.core.progress import Progress, part, silent
from twinlens.core.projections.subspaces import column_mean, principal
from twinlens.core.vectors import one_thread
from twinlens.features.colour.colour_histogram import HsvHistogram, bin_colours
from twinlens.features.descriptor import Descriptor
from twinlens.features.fusion import Fusion
from twinlens.features.vocabulary.vlad import Vlad
from twinlens.storage.library.store import Transaction
from twinlens.storage.photographs.descriptors import KindRow

Groups = npt.NDArray[np.int64]
SAMPLE = 2_000
"""Photographs that pairs are drawn from."""

_SUBSPACE = 128  # directions in which photographs differ most, among which the strongest are sought
_DIRECTIONS = 6
_SHOWN = 4  # photographs at each end, and of each centre
_MOST_CENTRES = 12  # centres


def metric_meaning(
    library: Library, metric: Proposal | str, seed: int = 0, progress: Progress = silent
) -> MetricMeaning:
    """Return what a metric weighs more and what it weighs less than without learning.

    Parameters
    ----------
    metric : Proposal or str
        A proposal, which need not be kept, or the name of a kept metric.
    seed : int
        Of the photographs that are drawn.

    Raises
    ------
    TwinlensError
        If there is no such metric, or the library has too few photographs with this descriptor.
    """
    with library.store.reading() as r:
        found = ProposedMetric.of(r, metric)
        kind = _kind(r, metric, found.descriptor)
        sample = PhotographSample.of(r, kind, [seed], part(progress, 0, 0.2), SAMPLE)
    if len(sample.ids) < 2:
        raise TwinlensError("There are too few photos to tell what the metric weighs.", "Add some photos.")
    looking = _Looking(sample, found.fitted, seed, part(progress, 0.2, 1.0))
    return looking.at(found.descriptor)


def _kind(r: Transaction, metric: Proposal | str, descriptor: Descriptor) -> KindRow:
    """Return the vectors of the descriptor, the newest kind if there are several."""
    if isinstance(metric, Proposal):
        return metric.index.kind
    kinds = [kind for kind in r.descriptors.kinds() if catalogue.descriptor(kind.text) == descriptor]
    if not kinds:
        raise TwinlensError(
            "The library has no vectors of {descriptor}, which the metric measures.",
            Remedy("create index", {"descriptor": descriptor.text()}),
            descriptor=descriptor.text(),
        )
    return kinds[-1]


class _Looking:
    """A sample of photographs under a metric."""

    def __init__(self, sample: PhotographSample, metric: FittedMetric, seed: int, progress: Progress) -> None:
        self._sample, self._metric, self._seed, self._progress = sample, metric, seed, progress

    def at(self, descriptor: Descriptor) -> MetricMeaning:
        """Return the weighed groups that the descriptor has."""
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
        """Weigh the parts of a fusion, and each colour if one of the parts is colours."""
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
            for number in _telling(found, _MOST_CENTRES)
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
    """Find the directions, among those in which items differ, that a metric changes most, (d, k).

    Those in which items differ most, where a metric is not of the form G x.

    Parameters
    ----------
    x : ndarray of float32, (n, d)
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
    """Choose the groups that change distances most."""
    changed = np.argsort(-np.abs(found.after - found.before), kind="stable")
    return [int(one) for one in changed[:most]]


def _weighed_colours(colours: npt.NDArray[np.uint8], found: Shares, span: slice) -> list[WeighedColour]:
    weighed = [
        WeighedColour(rgb=(red, green, blue), **_numbers(found, span.start + number))
        for number, (red, green, blue) in enumerate(colours.tolist())
    ]
    return sorted(weighed, key=lambda one: -one.factor)


def _of_colours(weighed: list[WeighedColour]) -> Message:
    """Sum up colours by name, since several may share one."""
    together: dict[Message, list[Weighed]] = {}
    for one in weighed:
        together.setdefault(colour_name(one.rgb), []).append(one)
    named = []
    for name, some in together.items():
        before, after = sum(one.before for one in some), sum(one.after for one in some)
        if before > 0:
            named.append((name, after / before, before, after))
    return meaning_summary(named)


Exchange = Callable[[Float32Vectors, Float32Vectors], Float32Vectors]
"""Gives one vector as often as there are groups, each time with another group of the other's, (d,), (d,) -> (g, d)."""

_ROWS = 30_000  # that are measured at most
_PAIRS = 2_000
_TOO_FAR = 1e6  # a photograph with nothing to compare says nothing


@dataclass(frozen=True, eq=False)
class Shares:
    """Shares of groups in the squared distance of photographs drawn by chance, (g,) each.

    Attributes
    ----------
    before, after : ndarray of float64, (g,)
    pairs : int
        That they were measured on.
    """

    before: Float64Matrix
    after: Float64Matrix
    pairs: int

    @property
    def factors(self) -> Float64Matrix:
        """Factor by which each group counts more or less than before; 1 for one that never counted."""
        return np.divide(self.after, self.before, out=np.ones_like(self.after), where=self.before > 0)


def group_shares(
    x: Float32Vectors, groups: Int64Rows, metric: FittedMetric, seed: int = 0, progress: Progress = silent
) -> Shares:
    """Return the shares of groups of numbers, (d,), in distances of drawn pairs; they add up to 1.

    Parameters
    ----------
    x : ndarray of float32, (n, d)
        At least two photographs, none zero throughout.
    groups : ndarray of int64, (d,)
        The group of each number.
    metric : FittedMetric
        Before is the same without what was learned.
    """
    count = int(groups.max()) + 1
    one, other = _drawn(x, count, gradient(metric) is not None, seed)
    weigh = gradient(metric)
    if weigh is not None:
        progress(0, 1, Message("Finding out what counts"))
        delta = one.astype(np.float64) - other
        each = np.array([np.square(delta).sum(axis=0), (delta * weigh(delta)).sum(axis=0)])
        totals: Float64Matrix = np.array([np.bincount(groups, row, count) for row in each], np.float64)
        used = len(one)
    else:
        masks = groups == np.arange(count)[:, None]
        totals, _, used = _measured(one, other, lambda a, b: np.where(masks, b, a), metric, progress)
    totals = np.maximum(totals, 0)
    return _shares(totals, totals.sum(axis=1), used)


def direction_shares(
    x: Float32Vectors, directions: Float64Matrix, metric: FittedMetric, seed: int = 0, progress: Progress = silent
) -> Shares:
    """Return the shares of orthonormal directions, (d, g), as :func:`group_shares`; the rest is left out."""
    count = directions.shape[1]
    weigh = gradient(metric)
    one, other = _drawn(x, count, weigh is not None, seed)
    if weigh is not None:
        progress(0, 1, Message("Finding out what counts"))
        delta = one.astype(np.float64) - other
        weighed = weigh(delta)
        along = delta @ directions
        totals = np.array([np.square(along).sum(axis=0), (along * (weighed @ directions)).sum(axis=0)])
        whole, used = np.array([np.square(delta).sum(), (delta * weighed).sum()]), len(one)
    else:
        non_negative = isinstance(metric, KernelMetric) and metric.base.non_negative

        def exchange(a: Float32Vectors, b: Float32Vectors) -> Float32Vectors:
            made = (a + (directions * ((b.astype(np.float64) - a) @ directions)).T).astype(np.float32)
            return np.maximum(made, 0) if non_negative else made

        totals, whole, used = _measured(one, other, exchange, metric, progress)
    return _shares(np.maximum(totals, 0), whole, used)


def gradient(metric: FittedMetric) -> Callable[[Float64Matrix], Float64Matrix] | None:
    """Return the product of differences, (p, d), with A; None if the metric is no matrix of these numbers."""
    if isinstance(metric, ExplicitMetric):
        g = metric.g.astype(np.float64)
        return lambda delta: np.asarray((delta @ g.T) @ g)
    if isinstance(metric, ImplicitMetric):
        items, m = metric.items.astype(np.float64), metric.m
        return lambda delta: np.asarray(delta + ((delta @ items.T) @ m) @ items)
    return None


def _drawn(x: Float32Vectors, groups: int, quick: bool, seed: int) -> tuple[Float32Vectors, Float32Vectors]:
    rng = np.random.default_rng(seed)
    count = _PAIRS if quick else max(20, min(_PAIRS, _ROWS // (2 * groups + 1)))
    first = rng.integers(0, len(x), count)
    return x[first], x[(first + rng.integers(1, len(x), count)) % len(x)]


def _measured(
    one: Float32Vectors, other: Float32Vectors, exchange: Exchange, metric: FittedMetric, progress: Progress
) -> tuple[Float64Matrix, Float64Matrix, int]:
    """Return the group sums of all pairs by distances alone, (2, g), and the squared distances, (2,)."""
    before = Measure(metric.base) if isinstance(metric, KernelMetric) else Measure(Linear())
    groups = len(exchange(one[0], other[0]))
    totals, whole, used = np.zeros((2, groups)), np.zeros(2), 0
    for number, (x, z) in enumerate(zip(one, other, strict=True)):
        progress(number, len(one), Message("Finding out what counts"))
        rows = np.concatenate([z[None], exchange(z, x), exchange(x, z)])
        squared = np.square([before.distances(x, rows), metric.distances(x, rows)])
        if squared.max() > _TOO_FAR:
            continue
        totals += (squared[:, :1] - squared[:, 1 : 1 + groups] + squared[:, 1 + groups :]) / 2
        whole += squared[:, 0]
        used += 1
    return totals, whole, used


def _shares(totals: Float64Matrix, whole: Float64Matrix, used: int) -> Shares:
    kept = np.divide(totals, whole[:, None], out=np.zeros_like(totals), where=whole[:, None] > 0)
    return Shares(kept[0], kept[1], used)


_GREYS = (
    (0.12, Message("black")),
    (0.4, Message("dark grey")),
    (0.65, Message("medium grey")),
    (0.9, Message("light grey")),
    (2, Message("white")),
)
_RED = Message("red"), Message("dark red"), Message("pale red")
_HUES = (
    (15, _RED),
    (45, (Message("orange"), Message("dark orange"), Message("pale orange"))),
    (70, (Message("yellow"), Message("dark yellow"), Message("pale yellow"))),
    (160, (Message("green"), Message("dark green"), Message("pale green"))),
    (200, (Message("cyan"), Message("dark cyan"), Message("pale cyan"))),
    (255, (Message("blue"), Message("dark blue"), Message("pale blue"))),
    (290, (Message("violet"), Message("dark violet"), Message("pale violet"))),
    (345, (Message("pink"), Message("dark pink"), Message("pale pink"))),
    (361, _RED),
)
_LEAST_SHARE = 0.01
_ALIKE = 0.1  # a factor this near to 1 is none to speak of


def colour_name(rgb: tuple[int, int, int]) -> Message:
    """Return a plain name of a colour.

    Examples
    --------
    >>> [str(colour_name(rgb)) for rgb in ((0, 0, 0), (128, 128, 128), (20, 70, 20), (150, 200, 255))]
    ['black', 'medium grey', 'dark green', 'pale blue']
    """
    hue, saturation, value = colorsys.rgb_to_hsv(*(part / 255 for part in rgb))
    if saturation < 0.12 or value < 0.1:
        return next(name for end, name in _GREYS if value < end)
    plain, dark, pale = next(names for end, names in _HUES if 360 * hue < end)
    if value < 0.45:
        return dark
    return pale if saturation < 0.5 else plain


def times(factor: float) -> Message:
    """Return a factor in words.

    Examples
    --------
    >>> [str(times(factor)) for factor in (1.83, 2.02, 0.48, 1.0, 0.04)]
    ['1.8 times as much', 'twice as much', 'half as much', 'as much', 'hardly at all']
    """
    if factor < 0.1:
        return Message("hardly at all")
    if abs(factor - 1) < 0.05:
        return Message("as much")
    if abs(factor - 2) < 0.1:
        return Message("twice as much")
    if abs(factor - 0.5) < 0.05:
        return Message("half as much")
    return Message("{factor:.1f} times as much", factor=factor)


def meaning_summary(named: Sequence[tuple[Message, float, float, float]], several: bool = False) -> Message:
    """Return a sentence about which groups count more and which less.

    Parameters
    ----------
    named : sequence of (name, factor, share before, share after)
    several : bool
        Whether each name is of several things.

    Examples
    --------
    >>> colours, outlines, shapes = map(Message, ("colours", "outlines", "shapes"))
    >>> named = [(colours, 1.8, 0.3, 0.54), (outlines, 0.5, 0.5, 0.25), (shapes, 1.05, 0.2, 0.21)]
    >>> print(meaning_summary(named, several=True))
    Compared with before, colours count 1.8 times as much, outlines half as much.
    """
    telling = [one for one in named if max(one[2], one[3]) >= _LEAST_SHARE and abs(np.log(max(one[1], 1e-3))) > _ALIKE]
    # What changes most of the distance, not the greatest factor: that may be of something that hardly ever differs.
    more = sorted((one for one in telling if one[1] > 1), key=lambda one: one[2] - one[3])[:2]
    less = sorted((one for one in telling if one[1] < 1), key=lambda one: one[3] - one[2])[:2]
    phrases = [(name, times(factor)) for name, factor, _, _ in (*more, *less)]
    if not phrases:
        return Message("Everything counts about as much as before.")
    (name, much), *rest = phrases
    parts = joined([much, *(Message("{name} {times}", name=one, times=its) for one, its in rest)], ", ")
    if several:
        return Message("Compared with before, {name} count {parts}.", name=name, parts=parts)
    return Message("Compared with before, {name} counts {parts}.", name=name, parts=parts)
