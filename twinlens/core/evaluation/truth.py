"""Truth: the exact neighbours of queries, by which rankings are judged.

The distances that a truth is found by have a text form: ``l2``, ``cosine`` or a kernel's.

Blocks of the base are compared with all queries by matrix products, or where the distance is that of points, by bounds
that cost less (:mod:`twinlens.core.exact_search.distance_bounds`); what may be among the nearest is then measured pair
by pair, so that equal items are equally far, and ordered by (distance, row).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float32Vectors, Float64Matrix, Int64Rows
from twinlens.core.declaration.declaration import read_declaration
from twinlens.core.exact_search import distance_bounds
from twinlens.core.exact_search.bounds import TooLongError
from twinlens.core.exact_search.distance_bounds import NearCandidates
from twinlens.core.exact_search.squared_distances import SmallestValues, squared_distances
from twinlens.core.kernels import KERNELS
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.message import Message
from twinlens.core.metrics.kernel_metric import KernelMetric
from twinlens.core.metrics.metric import FittedMetric
from twinlens.core.metrics.sparse_metric import products
from twinlens.core.progress import Progress, silent
from twinlens.core.projections.subspaces import draw_places
from twinlens.core.vectors import Vectors, unit_rows

if TYPE_CHECKING:
    from twinlens.core.metrics.sparse_metric import SparseMetric


_BLOCK = 4096
_QUERIES = 1024
_VALUES = 1 << 17  # measured at once: what the caches hold
_SPARE = 32  # more candidates than are wanted: a product is off by a rounding, and may misplace what is nearly tied


@dataclass(frozen=True, eq=False)
class TrueNeighbours:
    """The nearest of some queries, ordered by (distance, row).

    Attributes
    ----------
    rows : ndarray of int64, (q, k)
    distances : ndarray of float64, (q, k)
    level : list of ndarray of int64
        For each query these rows and all others that are as near as the last of them, in the same order.
    level_distances : list of ndarray of float64
        Theirs.
    """

    rows: Int64Rows
    distances: Float64Matrix
    level: list[Int64Rows]
    level_distances: list[Float64Matrix]

    def first(self, count: int) -> list[Int64Rows]:
        """Return for each query the rows that are as near as its count-th or nearer: of equally near ones, all or none.

        At most k, the number that was looked for, is a good count; beyond it there is all that is known.
        """
        found = []
        for rows, distances in zip(self.level, self.level_distances, strict=True):
            last = distances[min(count, len(distances)) - 1] if len(distances) and count > 0 else -np.inf
            found.append(rows[distances <= last])
        return found

    def replaced(self, queries: npt.NDArray[np.intp], by: TrueNeighbours) -> TrueNeighbours:
        """Return the neighbours with those of some queries replaced."""
        made = TrueNeighbours(self.rows.copy(), self.distances.copy(), list(self.level), list(self.level_distances))
        made.rows[queries], made.distances[queries] = by.rows, by.distances
        for place, number in enumerate(queries.tolist()):
            made.level[number], made.level_distances[number] = by.level[place], by.level_distances[place]
        return made


def true_neighbours(
    distance: Distance,
    base: Vectors,
    queries: Vectors,
    k: int,
    own: npt.NDArray[np.integer] | None = None,
    progress: Progress = silent,
) -> TrueNeighbours:
    """Find the exact k nearest of each query.

    Parameters
    ----------
    base : ndarray, (n, d)
    queries : ndarray, (q, d)
    k : int
        At most what the base has beside the query.
    own : ndarray of int, (q,), optional
        Row of the query itself in the base, -1 where it is not there: it is never its own neighbour.
    progress : Progress
        May raise ``Cancelled``.
    """
    others_than_own = base.shape[0] - (0 if own is None else 1)
    k = max(0, min(k, others_than_own))
    near = _candidates(distance, base, queries, k, own, progress)
    found = TrueNeighbours(np.empty((queries.shape[0], k), np.int64), np.empty((queries.shape[0], k)), [], [])
    for start in range(0, queries.shape[0], _QUERIES):
        some = slice(start, min(start + _QUERIES, queries.shape[0]))
        counts, rows, exact = _measured(distance, base, queries[some], near.rows[some])
        found.rows[some], found.distances[some] = rows[:, :k], exact[:, :k]
        last = exact[:, k - 1] if k else np.full(len(exact), -np.inf)
        as_near = np.minimum(np.count_nonzero(exact <= last[:, None], axis=1), counts).tolist()
        found.level.extend(line[:count] for line, count in zip(rows, as_near, strict=True))
        found.level_distances.extend(line[:count] for line, count in zip(exact, as_near, strict=True))
        if k:
            farthest = exact[np.arange(len(exact)), counts - 1]
            others = None if near.others is None else near.others[some]
            doubtful = (counts < others_than_own) & ~_complete(distance, others, last, farthest)
            for number in (np.flatnonzero(doubtful) + start).tolist():
                # Others may be as near as the k-th of the candidates, or nearer.
                row = -1 if own is None else int(own[number])
                there, far = _level(distance, base, one_row(queries, number), last[number - start], row)
                found.rows[number], found.distances[number] = there[:k], far[:k]
                found.level[number], found.level_distances[number] = there[far <= far[k - 1]], far[far <= far[k - 1]]
    return found


def neighbours_of_rows(distance: Distance, base: Vectors, queries: Vectors, rows: Int64Rows) -> TrueNeighbours:
    """Return given nearest rows of each query, (q, k), as neighbours; others as near as the last are not known."""
    _, ordered, exact = _measured(distance, base, queries, list(np.sort(rows, axis=1)))
    return TrueNeighbours(ordered, exact, list(ordered), list(exact))


def _measured(
    distance: Distance, base: Vectors, queries: Vectors, candidates: list[Int64Rows]
) -> tuple[Int64Rows, Int64Rows, Float64Matrix]:
    """Measure the candidates of each query, given ascending.

    Gives how many they are, (q,), and by (distance, row) the candidates and how far they are, lines being filled up.
    """
    counts = np.array([len(rows) for rows in candidates], np.int64)
    rows = np.full((len(candidates), int(counts.max(initial=0))), -1, np.int64)
    exact = np.full(rows.shape, np.inf)
    there = np.arange(rows.shape[1]) < counts[:, None]
    if there.any():
        rows[there] = np.concatenate(candidates)
    at_once = max(1, _VALUES // max(1, rows.shape[1] * base.shape[1]))
    for start in range(0, len(rows), at_once):
        some = slice(start, start + at_once)
        exact[some][there[some]] = distance.in_pairs(queries[some], counts[some], base[rows[some][there[some]]])
    order = np.argsort(exact, axis=1, kind="stable")
    return counts, np.take_along_axis(rows, order, 1), np.take_along_axis(exact, order, 1)


def _candidates(
    distance: Distance,
    base: Vectors,
    queries: Vectors,
    k: int,
    own: npt.NDArray[np.integer] | None,
    progress: Progress,
) -> NearCandidates:
    """Find the candidates for the k nearest."""
    if k == 0:
        return NearCandidates([np.empty(0, np.int64)] * queries.shape[0], np.full(queries.shape[0], np.inf))
    points_of_queries = distance.points(queries, of_queries=True) if is_dense(queries) and is_dense(base) else None
    if points_of_queries is not None:

        def read(rows: slice | Int64Rows) -> Vectors:
            points = distance.points(base[rows], of_queries=False)
            assert points is not None
            return points

        with suppress(TooLongError):
            return distance_bounds.near_candidates(points_of_queries, read, base.shape[0], k, own, progress)
    selection = SmallestValues(queries.shape[0], k + _SPARE)
    for part, values in _blocks(distance, base, queries, own, progress):
        selection.add(values, part.start)
    return NearCandidates(selection.below(np.nextafter(selection.nearest(selection.count), np.inf)), None)


def _complete(
    distance: Distance, others: Float64Matrix | None, last: Float64Matrix, farthest: Float64Matrix
) -> npt.NDArray[np.bool_]:
    """Return whether nothing but the candidates of queries can be as near as the k-th of them."""
    if others is not None:
        return np.asarray(distance.squared(last) < others)
    # A rounding of the products could have taken one for the other.
    return np.asarray(farthest - last > 1e-7 * np.maximum(np.maximum(np.abs(last), np.abs(farthest)), 1e-300))


def _level(distance: Distance, base: Vectors, query: Vectors, last: float, own: int) -> tuple[Int64Rows, Float64Matrix]:
    """Return all rows within a distance, and their distances, by (distance, row)."""
    rows, far = [], []
    for start in range(0, base.shape[0], _BLOCK):
        exact = distance.exactly(query, base[start : start + _BLOCK])
        near = np.flatnonzero(exact <= last)
        rows.append(near + start)
        far.append(exact[near])
    found, exact = np.concatenate(rows), np.concatenate(far)
    found, exact = found[found != own], exact[found != own]
    order = np.lexsort((found, exact))
    return found[order], exact[order]


def is_dense(x: object) -> bool:
    """Return whether vectors are an array, and no sparse table."""
    return isinstance(x, np.ndarray)


def one_row(x: Vectors, number: int) -> Vectors:
    """Return a row: of an array a vector, (d,), of a sparse table a table with one row."""
    row: Vectors = x[number] if is_dense(x) else x[number : number + 1]
    return row


def rows_within(
    distance: Distance,
    base: Vectors,
    queries: Vectors,
    threshold: float,
    own: npt.NDArray[np.integer] | None = None,
    progress: Progress = silent,
) -> list[Int64Rows]:
    """Return, for each query, the rows that are nearer than a threshold, ascending."""
    found: list[list[Int64Rows]] = [[] for _ in range(queries.shape[0])]
    for part, values in _blocks(distance, base, queries, own, progress):
        for number, row in enumerate(values):
            found[number].append(np.flatnonzero(row < threshold) + part.start)
    return [np.concatenate(parts) if parts else np.empty(0, np.int64) for parts in found]


def sharing_label(
    labels: npt.NDArray[np.integer], query_labels: npt.NDArray[np.integer], own: npt.NDArray[np.integer] | None = None
) -> list[Int64Rows]:
    """Return, for each query, the rows of its label, ascending, without the query itself."""
    order = np.argsort(labels, kind="stable")
    starts = np.searchsorted(labels[order], query_labels, "left")
    stops = np.searchsorted(labels[order], query_labels, "right")
    found = [order[start:stop] for start, stop in zip(starts, stops, strict=True)]
    if own is None:
        return found
    return [rows[rows != row] for rows, row in zip(found, own, strict=True)]


def _blocks(
    distance: Distance,
    base: Vectors,
    queries: Vectors,
    own: npt.NDArray[np.integer] | None,
    progress: Progress,
) -> Iterator[tuple[slice, Float64Matrix]]:
    """Compare a block of the base after the other with all queries; a query with itself is infinitely far."""
    n = base.shape[0]
    for start in range(0, n, _BLOCK):
        progress(start, n, Message("Finding the exact neighbours"))
        part = slice(start, min(start + _BLOCK, n))
        values = distance.block(queries, base[part])
        if own is not None:
            here = np.flatnonzero((own >= part.start) & (own < part.stop))
            values[here, own[here] - part.start] = np.inf
        yield part, values


class Distance(ABC):
    """A distance that can be evaluated fast, nearly, and one by one, exactly."""

    @abstractmethod
    def block(self, queries: Vectors, x: Vectors) -> Float64Matrix:
        """Evaluate all pairs by matrix products, (q, d), (m, d) -> (q, m)."""

    @abstractmethod
    def exactly(self, query: Vectors, x: Vectors) -> Float64Matrix:
        """Evaluate one query, (d,), with some items, (m, d) -> (m,): of a pair always the same."""

    def in_pairs(self, queries: Vectors, counts: Int64Rows, x: Vectors) -> Float64Matrix:
        """Evaluate each query with so many items, one query's after the other's: the same as one query at a time."""
        stops = np.cumsum(counts)
        parts = [
            self.exactly(one_row(queries, number), x[stop - count : stop])
            for number, (count, stop) in enumerate(zip(counts, stops, strict=True))
        ]
        return np.concatenate(parts) if parts else np.empty(0)

    def points(self, x: Vectors, of_queries: bool) -> Vectors | None:
        """Return points whose squared Euclidean distances rank as these do, or none; queries where ``of_queries``."""
        return None

    def squared(self, exact: Float64Matrix) -> Float64Matrix:
        """Turn such distances into the squared ones of the points, or a little more."""
        return exact


class Euclidean(Distance):
    """The squared Euclidean distance, which ranks as the distance does."""

    def block(self, queries: Vectors, x: Vectors) -> Float64Matrix:
        """Return |q|² - 2 q·x + |x|²."""
        q, z = queries.astype(np.float64, copy=False), x.astype(np.float64, copy=False)
        return np.asarray((q**2).sum(axis=1)[:, None] - 2 * q @ z.T + (z**2).sum(axis=1))

    def exactly(self, query: Vectors, x: Vectors) -> Float64Matrix:
        """Return Σ (q - x)²."""
        return squared_distances(query[None], np.array([len(x)]), x)

    def in_pairs(self, queries: Vectors, counts: Int64Rows, x: Vectors) -> Float64Matrix:
        """Return the distances of many queries at once."""
        return squared_distances(queries, counts, x)

    def points(self, x: Vectors, of_queries: bool) -> Vectors | None:
        """Return the vectors themselves."""
        return x


class Cosine(Distance):
    """1 - cos of the angle; an item that is zero throughout is at 1 from everything."""

    def block(self, queries: Vectors, x: Vectors) -> Float64Matrix:
        """Return 1 - q·x / |q| |x|."""
        return np.asarray(1 - unit_rows(queries) @ unit_rows(x).T)

    def exactly(self, query: Vectors, x: Vectors) -> Float64Matrix:
        """Return the distances with one summation order, reproducible bit for bit."""
        return np.asarray(1 - (unit_rows(x) * unit_rows(query[None, :])).sum(axis=1))

    def points(self, x: Vectors, of_queries: bool) -> Vectors | None:
        """Return unit vectors; zero rows get a direction of their own, one for items and another for queries."""
        unit = unit_rows(x)
        nothing = ~unit.any(axis=1)
        return np.column_stack([unit, nothing & of_queries, nothing & (not of_queries)])

    def squared(self, exact: Float64Matrix) -> Float64Matrix:
        """Return |u - v|² = 2 (1 - cos), which is known to so many digits."""
        return 2 * exact + 1e-12


@dataclass(frozen=True)
class KernelDistance(Distance):
    """k(x, x) + k(z, z) - 2 k(x, z): the squared distance that a kernel induces."""

    kernel: Kernel

    def block(self, queries: Vectors, x: Vectors) -> Float64Matrix:
        """Return the distances of all pairs by the kernel's fast matrix."""
        own = self.kernel.diagonal(queries)
        return np.asarray(own[:, None] - 2 * self.kernel.matrix(queries, x) + self.kernel.diagonal(x))

    def exactly(self, query: Vectors, x: Vectors) -> Float64Matrix:
        """Return the distance of each query and item, pair by pair."""
        row = query[None, :]
        return np.asarray(self.kernel.diagonal(row) - 2 * self.kernel.pairs(x, row) + self.kernel.diagonal(x))


@dataclass(frozen=True)
class MetricDistance(Distance):
    """The distance of a metric."""

    metric: FittedMetric

    def block(self, queries: Vectors, x: Vectors) -> Float64Matrix:
        """Return values of G x that rank as the distance does."""
        prepared, there = self.metric.apply(queries), self.metric.apply(x)
        if self.metric.ranking == "kernel":
            return Cosine().block(prepared, there)
        return _nothing_last(Euclidean().block(prepared, there), _telling(queries), _telling(x))

    def exactly(self, query: Vectors, x: Vectors) -> Float64Matrix:
        """Return the distance of each query and item, pair by pair."""
        return self.metric.distances(query, x)


@dataclass(frozen=True)
class KernelMetricDistance(Distance):
    """The distance of a metric that was learned of a kernel."""

    metric: KernelMetric

    def block(self, queries: Vectors, x: Vectors) -> Float64Matrix:
        """Return values that rank as the distance does, by the kernel's fast matrix."""
        prepared, there = self.metric.against(queries), self.metric.against(x)
        similarity = (
            self.metric.base.matrix(queries, x) + (prepared.coordinates * prepared.weights) @ there.coordinates.T
        )
        if self.metric.ranking == "kernel":
            scale = np.sqrt(np.outer(prepared.learned_norms, there.learned_norms))
            return np.asarray(1 - np.divide(similarity, scale, out=np.full_like(similarity, -1.0), where=scale > 0))
        far = prepared.learned_norms[:, None] - 2 * similarity + there.learned_norms
        return _nothing_last(far, prepared.telling, there.telling)

    def exactly(self, query: Vectors, x: Vectors) -> Float64Matrix:
        """Return the distance of each query and item, pair by pair."""
        return self.metric.distances(query, x)


@dataclass(frozen=True)
class SparseDistance(Distance):
    """The distance of a metric on sparse tables in rows; a query is a table with one row."""

    metric: SparseMetric

    def block(self, queries: Any, x: Any) -> Float64Matrix:
        """Return values that rank as the distance does, by sparse products."""
        prepared, there = self.metric.against(queries), self.metric.against(x)
        similarity = products(prepared.x, there.x)
        if len(self.metric.s):
            similarity = similarity + prepared.coordinates @ self.metric.m @ there.coordinates.T
        if self.metric.ranking == "kernel":
            scale = np.sqrt(np.outer(prepared.learned_norms, there.learned_norms))
            return np.asarray(1 - np.divide(similarity, scale, out=np.full_like(similarity, -1.0), where=scale > 0))
        far = prepared.learned_norms[:, None] - 2 * similarity + there.learned_norms
        return _nothing_last(far, prepared.norms > 0, there.norms > 0)

    def exactly(self, query: Any, x: Any) -> Float64Matrix:
        """Return the distance of each query and item, pair by pair."""
        return self.metric.distances(query, x)


def _telling(x: Vectors) -> npt.NDArray[np.bool_]:
    return np.asarray(x.any(axis=1))


def _nothing_last(far: Float64Matrix, queries: npt.NDArray[np.bool_], items: npt.NDArray[np.bool_]) -> Float64Matrix:
    """Set the distance between a zero row and any other row to the largest number."""
    return np.where(queries[:, None] == items, far, np.finfo(np.float64).max)


SAMPLE = 20_000
"""Items from which an ``auto`` width is found, and metrics are learned where vectors are measured."""

SEED = 20_150_607
"""Seed of that sample and of queries that are drawn, the same for every seed of a method."""


def own_measure(method: object) -> str:
    """Return the text form of the kernel of a method; empty without one."""
    kernel = getattr(method, "kernel", None)
    return kernel.text() if isinstance(kernel, Kernel) else ""


def plain_distance(text: str) -> Distance:
    """Return the distance of dense vectors that ``l2``, ``cosine`` or the text form of a kernel names.

    Raises
    ------
    DeclarationError
        If it is none of these.
    """
    if text == "l2":
        return Euclidean()
    if text == "cosine":
        return Cosine()
    return KernelDistance(read_declaration(KERNELS, text))


def distance_with_width(distance: Distance, x: Vectors, items: int = SAMPLE, seed: int = SEED) -> Distance:
    """Return a kernel distance with its ``auto`` width found from a sample; other distances unchanged."""
    if not isinstance(distance, KernelDistance):
        return distance
    rng = np.random.default_rng(seed)
    return KernelDistance(distance.kernel.fitted_to(x[draw_places(len(x), items, rng)], rng))


def euclidean_coordinates(distance: Distance, x: Any) -> Float32Vectors:
    """Return vectors whose Euclidean distances rank as a distance does, or nearly."""
    if isinstance(distance, MetricDistance):
        x = distance.metric.apply(x)
    points = np.asarray(x, np.float32)
    if isinstance(distance, Cosine) or (isinstance(distance, MetricDistance) and distance.metric.ranking == "kernel"):
        lengths = np.linalg.norm(points, axis=1, keepdims=True)
        points = np.divide(points, lengths, out=np.zeros_like(points), where=lengths > 0)
    return np.ascontiguousarray(points)
