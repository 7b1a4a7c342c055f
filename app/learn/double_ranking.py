"""All photographs ranked by two measures at once, and where those first in one list stand in the other; exactly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.arrays import Float32Vectors, Float64Matrix, Int64Ids, Int64Rows
from core.exact_search.exact_order import Exactly, exact_places, nearest_exactly
from core.exact_search.measure import Measure
from core.exact_search.measure_images import Images
from core.message import Message
from core.metrics.kernel_items import KernelItems
from core.metrics.kernel_metric import KernelMetric
from core.metrics.metric import FittedMetric
from core.progress import Progress, silent
from core.vectors import as_float32
from storage.library.transaction import Transaction
from storage.photographs.descriptors import KindRow

_RANKING_BLOCK = 4_096

Measures = tuple[Measure | FittedMetric, Measure | FittedMetric]


@dataclass(frozen=True)
class RankedPhotograph:
    """A photograph in one list; places are counted from 1."""

    id: int
    distance: float
    other_rank: int
    other_distance: float


@dataclass(frozen=True, eq=False)
class MeasuredVectors:
    """Vectors in memory, of a measure without images: measured exactly, each time. Made by :meth:`of`.

    Attributes
    ----------
    measure : Measure or FittedMetric
    x : ndarray of float32, (n, d)
    coordinates : ndarray of float64, (n, q), or None
        Under a metric of a kernel: where they lie along what it has learned, which takes the longest.
    """

    measure: Measure | FittedMetric
    x: Float32Vectors
    coordinates: Float64Matrix | None

    @classmethod
    def of(cls, measure: Measure | FittedMetric, x: Float32Vectors, progress: Progress = silent) -> MeasuredVectors:
        """Make vectors ready to be measured."""
        if not isinstance(measure, KernelMetric):
            return cls(measure, x, None)
        coordinates = np.empty((len(x), measure.axes.shape[1]))
        for start in range(0, len(x), _RANKING_BLOCK):
            progress(start, len(x), Message("Measuring by the metric"))
            coordinates[start : start + _RANKING_BLOCK] = measure.coordinates(x[start : start + _RANKING_BLOCK])
        return cls(measure, x, coordinates)

    def distances(self, query: Float32Vectors) -> Float64Matrix:
        """Measure all, (d,) -> (n,), as the measure itself does."""
        if self.coordinates is None or not isinstance(self.measure, KernelMetric):
            return self.measure.distances(query, self.x)
        metric, found = self.measure, np.empty(len(self.x))
        asked = metric.against(query[None])
        for start in range(0, len(self.x), _RANKING_BLOCK):
            rows = slice(start, start + _RANKING_BLOCK)
            items = KernelItems(metric.base, self.x[rows], self.coordinates[rows], metric.stretch - 1)
            by_angle = metric.ranking == "kernel"
            found[rows] = items.angles(asked) if by_angle else items.distances(asked, metric.spread)
        return found

    def taking(self, rows: Int64Rows, more: MeasuredVectors | None = None) -> MeasuredVectors:
        """Return those of some rows, and then others."""
        others = [] if more is None else [more]
        tables = [one.coordinates for one in others if one.coordinates is not None]
        return MeasuredVectors(
            self.measure,
            np.concatenate([self.x[rows], *(one.x for one in others)]),
            None if self.coordinates is None else np.concatenate([self.coordinates[rows], *tables]),
        )


@dataclass(frozen=True, eq=False)
class _Seen:
    """All photographs as one measure sees them from the query: squared distances, how far off, and the exact ones."""

    nearly: Float64Matrix
    slack: float
    exactly: Exactly


Seen = Images | MeasuredVectors | None


@dataclass(frozen=True, eq=False)
class DoubleRanking:
    """A ranking of the same photographs by two measures.

    Attributes
    ----------
    r : Transaction
    kind : KindRow
    measures : tuple of Measure or FittedMetric
    ids : ndarray of int64, (n,)
        Ascending.
    images : tuple of Images, Held or None
        By each measure; where there are none the stored vectors are read.
    """

    r: Transaction
    kind: KindRow
    measures: Measures
    ids: Int64Ids
    images: tuple[Seen, Seen]

    def rank(
        self, query: Float32Vectors, photograph: int, k: int, progress: Progress = silent
    ) -> tuple[list[RankedPhotograph], list[RankedPhotograph]]:
        """Return the first k by each measure, in the order of (distance, id); the query goes before all.

        Parameters
        ----------
        query : ndarray of float32, (d,)
        photograph : int
            Whose vector that is; one of the ids.
        k : int
        progress : Progress
        """
        row = int(np.searchsorted(self.ids, photograph))
        seen = self._seen(query, progress)
        for one in seen:
            one.nearly[row] = np.inf  # it is told from its copies, and stands before them
        lists = []
        for this, other in (seen, seen[::-1]):
            rows, distances = nearest_exactly(this.nearly, this.slack, this.exactly, min(k, len(self.ids)) - 1)
            elsewhere = other.exactly(rows)
            places = exact_places(rows, elsewhere, other.nearly, other.slack, other.exactly)
            columns = (self.ids[rows], distances, places + 2, elsewhere)
            others = [RankedPhotograph(*one) for one in zip(*(each.tolist() for each in columns), strict=True)]
            lists.append([RankedPhotograph(photograph, 0.0, 1, 0.0), *others])
        return lists[0], lists[1]

    def _seen(self, query: Float32Vectors, progress: Progress) -> tuple[_Seen, _Seen]:
        if None in self.images:
            measured = self._all(query, progress)
        found = []
        for number, (image, measure) in enumerate(zip(self.images, self.measures, strict=True)):
            if isinstance(image, Images):
                found.append(self._from_images(image, measure, query))
            else:
                found.append(_from_all(measured[number] if image is None else image.distances(query)))
        return found[0], found[1]

    def _from_images(self, images: Images, measure: Measure | FittedMetric, query: Float32Vectors) -> _Seen:
        squared, slack = images.distances_squared(query)

        def exactly(rows: Int64Rows) -> Float64Matrix:
            # A library may hold thousands without anything to compare: these are known without reading them.
            found = np.sqrt(squared[rows])
            telling = np.flatnonzero(~images.blank[rows]) if slack else rows[:0]
            for start in range(0, len(telling), _RANKING_BLOCK):
                some = telling[start : start + _RANKING_BLOCK]
                vectors, _ = self.r.descriptors.read(self.kind, self.ids[rows[some]])
                found[some] = measure.distances(query, as_float32(vectors))
            return np.asarray(found)

        return _Seen(squared.copy(), slack, exactly)

    def _all(self, query: Float32Vectors, progress: Progress) -> list[Float64Matrix]:
        """Measure every photograph exactly by the measures that have no images, (n,) each."""
        found = [np.empty(len(self.ids) if image is None else 0) for image in self.images]
        for start in range(0, len(self.ids), _RANKING_BLOCK):
            progress(start, len(self.ids), Message("Measuring every photo"))
            rows = slice(start, start + _RANKING_BLOCK)
            vectors, _ = self.r.descriptors.read(self.kind, self.ids[rows])
            x = as_float32(vectors)
            for image, measure, distances in zip(self.images, self.measures, found, strict=True):
                if image is None:
                    distances[rows] = measure.distances(query, x)
        return found


def _from_all(distances: Float64Matrix) -> _Seen:
    return _Seen(np.square(distances), 1e-12, lambda rows: np.asarray(distances[rows]))
