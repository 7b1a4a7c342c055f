"""Pairs among which those to mark next are chosen: of photographs far from each other, with near and farther ones."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.arithmetic.one_thread import one_thread
from core.arrays import Float64Matrix, Int64Ids, Int64Rows
from core.exact_search.measure import Measure
from core.exact_search.measure_images import Images
from core.learning.metric_judgement import background_places
from core.message import Message
from core.metrics.metric import FittedMetric
from core.progress import Progress, silent
from storage.database.schema import PhotographState
from storage.library.transaction import Transaction
from storage.photographs.descriptors import KindRow
from storage.photographs.filters import Filter

SAMPLE = 8_000
"""Photographs that are looked at; more would cost time, and there are far more pairs of them than can be marked."""

_ANCHORS = 200
_ANCHORS_OF = 1_500  # among which they are chosen
_NEAREST = 6
_FARTHER = (10, 25, 60, 150, 400)
_BACKGROUND = 4_000
_SAME = 0.1  # up to this distance two photographs hardly differ

Measures = Sequence[Measure | FittedMetric]


@dataclass(frozen=True, eq=False)
class PhotographSample:
    """Photographs of the library, drawn by chance, all of different content. Made by :meth:`of`.

    Attributes
    ----------
    ids : ndarray of int64, (n,)
        Ascending.
    contents : list of bytes
    x : ndarray of float32, (n, d)
    """

    ids: Int64Ids
    contents: list[bytes]
    x: npt.NDArray[np.float32]

    @classmethod
    def of(
        cls, r: Transaction, kind: KindRow, seed: Sequence[int], progress: Progress = silent, size: int = SAMPLE
    ) -> PhotographSample:
        """Draw photographs that were read, are there and have something to compare."""
        progress(0, 1, Message("Looking for pairs"))
        ready = r.photographs.matching(Filter(states=(PhotographState.READY,)))
        ids = np.intersect1d(r.descriptors.ids(kind), ready, assume_unique=True)
        if len(ids) > size:
            ids = np.sort(np.random.default_rng(seed).choice(ids, size, replace=False))
        ids, contents = r.photographs.contents(ids)
        stored, present = r.descriptors.read(kind, ids)
        first: dict[bytes, int] = {}
        for row, content in enumerate(contents):
            first.setdefault(content, row)
        rows = np.array([row for row in first.values() if present[row] and stored[row].any()], np.int64)
        return cls(ids[rows], [contents[row] for row in rows.tolist()], stored[rows].astype(np.float32))


@dataclass(frozen=True, eq=False)
class PairCandidates:
    """Pairs of a sample. Made by :meth:`of`.

    Attributes
    ----------
    rows : ndarray of int64, (p, 2)
        Of the sample; the smaller first, no pair twice.
    distances : tuple of ndarray of float64, (p,)
        By each measure.
    background : tuple of ndarray of float64, (b,)
        By each measure those of pairs drawn by chance.
    """

    rows: Int64Rows
    distances: tuple[Float64Matrix, ...]
    background: tuple[Float64Matrix, ...]

    @property
    def places(self) -> tuple[Float64Matrix, ...]:
        """By each measure the share of all pairs that are nearer."""
        return tuple(self.places_of(number, one) for number, one in enumerate(self.distances))

    def places_of(self, measure: int, distances: Float64Matrix) -> Float64Matrix:
        """Return the places of distances by a measure."""
        return background_places(distances, self.background[measure])

    @classmethod
    def of(
        cls, sample: PhotographSample, measures: Measures, seed: Sequence[int], progress: Progress = silent
    ) -> PairCandidates:
        """Pair photographs far from each other with what is near them by each measure, with others, and by chance."""
        n = len(sample.ids)
        if n < 2:
            nothing = tuple(np.empty(0) for _ in measures)
            return cls(np.empty((0, 2), np.int64), nothing, nothing)
        rng = np.random.default_rng(seed)
        seen = [_Seen.of(measure, sample.x) for measure in measures]
        anchors = _apart(seen[0], rng, min(_ANCHORS, n))
        found = [_chance(rng, n, len(anchors))]
        for number, one in enumerate(seen):
            ranks = np.array([rank for rank in (*range(1, 1 + _NEAREST), *_FARTHER) if rank < n])
            for done, (anchor, distances) in enumerate(zip(anchors.tolist(), one.from_rows(anchors), strict=True)):
                progress(number * len(anchors) + done, len(seen) * len(anchors), Message("Looking for pairs"))
                distances[anchor] = -1.0
                near = np.argpartition(distances, ranks[-1])[: ranks[-1] + 1]
                near = near[np.lexsort((near, distances[near]))][ranks]
                found.append(np.column_stack([np.full(len(near), anchor), near]))
        rows = np.unique(np.sort(np.concatenate(found), axis=1), axis=0)
        chance = _chance(rng, n, _BACKGROUND)
        kept = cls(rows, tuple(one.pairs(rows) for one in seen), tuple(one.pairs(chance) for one in seen))
        return kept._taking(kept.distances[0] > _SAME)

    def without(self, r: Transaction, sample: PhotographSample, skipped: Collection[tuple[int, int]]) -> PairCandidates:
        """Leave out what is marked, either way, and what was skipped."""
        marked = {row.pair for row in r.marks.all()}
        passed = {(min(pair), max(pair)) for pair in skipped}
        ids, contents = sample.ids.tolist(), sample.contents

        def wanted(one: int, other: int) -> bool:
            both = contents[one], contents[other]
            return (min(both), max(both)) not in marked and (ids[one], ids[other]) not in passed

        return self._taking(np.array([wanted(*pair) for pair in self.rows.tolist()], bool))

    def but(self, places: Int64Rows) -> PairCandidates:
        """Return all but some, by their places."""
        kept = np.ones(len(self.rows), np.bool_)
        kept[places] = False
        return self._taking(kept)

    def _taking(self, kept: npt.NDArray[np.bool_]) -> PairCandidates:
        return PairCandidates(self.rows[kept], tuple(one[kept] for one in self.distances), self.background)


@dataclass(frozen=True, eq=False)
class _Seen:
    """The sample as one measure sees it; by images where it has any, which is quick and near enough to choose by."""

    measure: Measure | FittedMetric
    x: npt.NDArray[np.float32]
    images: Images | None

    @classmethod
    def of(cls, measure: Measure | FittedMetric, x: npt.NDArray[np.float32]) -> _Seen:
        return cls(measure, x, Images.of(measure, x))

    def from_rows(self, rows: Int64Rows) -> Iterator[Float64Matrix]:
        """Measure all from each of some, (n,) each."""
        if self.images is None:
            yield from (self.measure.distances(self.x[row], self.x) for row in rows.tolist())
            return
        squared, vectors = self.images.squared, self.images.vectors
        for start in range(0, len(rows), 50):
            some = rows[start : start + 50]
            along = vectors[some] @ vectors.T
            yield from np.sqrt(np.maximum(squared + squared[some, None] - 2 * along, 0))

    def pairs(self, rows: Int64Rows) -> Float64Matrix:
        """Measure pairs of rows, (p, 2) -> (p,)."""
        found = np.empty(len(rows))
        if self.images is not None:
            for start in range(0, len(rows), 1000):
                some = rows[start : start + 1000]
                difference = self.images.vectors[some[:, 0]].astype(np.float64) - self.images.vectors[some[:, 1]]
                found[start : start + 1000] = np.sqrt(np.square(difference).sum(axis=1))
            return found
        for first in np.unique(rows[:, 0]):
            where = rows[:, 0] == first
            found[where] = self.measure.distances(self.x[first], self.x[rows[where, 1]])
        return found


def _apart(seen: _Seen, rng: np.random.Generator, count: int) -> Int64Rows:
    """Choose rows far from each other: each with a chance as the square of how far it is from those chosen."""
    order = rng.permutation(len(seen.x))[:_ANCHORS_OF]
    some = _Seen.of(seen.measure, seen.x[order])
    chosen = [0]
    with one_thread():
        nearest = np.square(next(some.from_rows(np.array(chosen))))
        while len(chosen) < count and nearest.sum() > 0:
            nearest[chosen] = 0
            chosen.append(int(rng.choice(len(nearest), p=nearest / nearest.sum())))
            nearest = np.minimum(nearest, np.square(next(some.from_rows(np.array(chosen[-1:])))))
            nearest[chosen] = 0
    return order[chosen].astype(np.int64)


def _chance(rng: np.random.Generator, n: int, count: int) -> Int64Rows:
    first = rng.integers(0, n, count)
    return np.column_stack([first, (first + rng.integers(1, n, count)) % n]).astype(np.int64)
