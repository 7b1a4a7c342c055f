"""Bounds of distances by leading components: what is computed of items and queries."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float32Vectors, Float64Values
from twinlens.core.compilation import compilation
from twinlens.core.exact_search.squared_distances import SmallestValues
from twinlens.core.vectors import Vectors

_AT_ONCE = 1 << 20  # values of float32

LOOPS = "twinlens.core.exact_search.distance_bounds_loops"

GROUP, BLOCK = 6, 128
"""Queries and items whose numbers lie side by side, as the compiled loop reads them (`LINES`, `ITEMS` there)."""

_LINES = 64

_LARGEST = 2_048
"""Dimensions up to which components are looked for."""

_QUERIES_WORTH = 48

_ITEMS_TRIED = 1_024

_ITEMS_TURNED = 4_096

_COMPONENTS = (0, 8, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64, 80, 96, 128, 192, 256, 384, 512, 768, 1_024)

_WORTH = 500
"""Pairs, for each term of a covariance, that make components worth looking for."""

_PRODUCT, _TURNED, _BOUND, _PAIR, _TERM = 0.0235, 0.03, 0.05, 8.0, 0.06
"""Costs in nanoseconds: of a term of a product, and of one that turns; of a bound; of a pair, and of each dimension."""


_UNIT = 2.0**-24  # float32's unit roundoff


_WIDE_UNIT = 2.0**-53


_ORDINARY = 2.0**20


_TOO_LONG = 1e30


_TINY = 1e-36  # beside which float32 has lost its digits


class TooLongError(Exception):
    """Squared lengths leave the range of float32; another way must be taken."""


@dataclass(frozen=True, eq=False)
class BoundedItems:
    """Some items, made ready.

    Attributes
    ----------
    vectors : ndarray of float32, (m, d)
        Moved and scaled.
    columns : ndarray of float32, (blocks, r + 2, BLOCK)
        What their bounds are made of; the last block is filled up with what is infinitely far.
    longest : float
        Their greatest length.
    """

    vectors: Float32Vectors
    columns: Float32Vectors
    longest: float


class BoundBuffers:
    """Buffers for prepared items, used again and again: fresh memory costs more than what is written to it.

    Parameters
    ----------
    rows, d : int
        Of the items at most, and their dimensions.
    """

    def __init__(self, rows: int, d: int) -> None:
        self.vectors = np.empty((rows, d), np.float32)
        self.columns = np.empty(-(-rows // BLOCK) * BLOCK * (d + 2), np.float32)


class Bounds:
    """The bounds of some queries.

    Parameters
    ----------
    queries : ndarray, (q, d)
    sample : ndarray, (s, d)
        Of the items.
    n : int
        How many items there are.
    """

    def __init__(self, queries: Vectors, sample: Vectors, n: int) -> None:
        d = queries.shape[1]
        wide = np.asarray(sample, np.float64)
        mean = wide.mean(axis=0) if len(wide) else np.zeros(d)
        # What float32 holds is moved in float32: any place will do, if it is the same for all.
        self._narrow = all(x.dtype.itemsize <= 2 or x.dtype == np.float32 for x in (queries, sample))
        self._mean = mean.astype(np.float32).astype(np.float64) if self._narrow else mean
        centred = wide - self._mean
        with np.errstate(over="ignore", under="ignore"):
            spread = float(np.sqrt(np.mean(np.square(centred)))) if centred.size else 0.0
        ordinary = not np.isfinite(spread) or spread == 0 or 1 / _ORDINARY < spread < _ORDINARY
        self.scale = 1.0 if ordinary else float(2.0 ** -np.round(np.log2(spread)))
        """All lengths are multiplied by it."""

        self.queries, squares = self._moved(queries)
        self._squares = squares.astype(np.float64)
        self.lengths = np.sqrt(self._squares)
        worth = len(queries) >= _QUERIES_WORTH and 16 <= d <= _LARGEST and n * len(queries) >= _WORTH * d * d
        self._sample = self._moved(sample)
        self._basis: Float32Vectors | None = None
        if worth and len(sample) >= d:
            self._basis = _components(self._sample[0][:: -(-len(sample) // _ITEMS_TURNED)])
            self._few = np.arange(0, len(queries), max(1, len(queries) // _QUERIES_WORTH))
            self._tried = (
                self._turned_all(self.queries[self._few], self._squares[self._few].astype(np.float32)),
                self._turned_all(*(some[:: -(-len(sample) // _ITEMS_TRIED)] for some in self._sample)),
            )
        self.use(d)

    def use(self, r: int) -> None:
        """Make bounds of so many components; of all dimensions, a bound is the distance."""
        self._r = r
        columns = self._columns(self.queries, self._squares.astype(np.float32), r)
        groups = -(-len(columns) // GROUP)
        query_columns = np.zeros((groups * GROUP, r + 2), np.float32)
        np.multiply(columns[:, :-1], -2, out=query_columns[: len(columns), :-1])
        query_columns[: len(columns), -1] = 1
        self.query_columns: Float32Vectors = np.ascontiguousarray(
            query_columns.reshape(groups, GROUP, r + 2).transpose(0, 2, 1)
        )
        """Multiplied with the columns of items, (groups, r + 2, GROUP), the bounds less |q|²; filled up with zeros."""

    def choose(self, limits: Float64Values) -> None:
        """Use as many components as cost least at such limits, (q,)."""
        if self._basis is None:
            return
        d = self.queries.shape[1]
        (ours, our_rests, _), (theirs, their_rests, squares) = self._tried
        cuts = (limits - self._squares)[self._few].astype(np.float32)[:, None]
        products = np.zeros((len(ours), len(theirs)), np.float32)
        costs, before = {}, 0
        for r in [r for r in _COMPONENTS if r < 0.8 * d] + [d]:
            products += ours[:, before:r] @ theirs[:, before:r].T
            bounds = squares - 2 * (products + our_rests[:, r : r + 1] * their_rests[:, r])
            turning = _TURNED * d * r / len(limits) if r < d else 0.0
            share = float(np.count_nonzero(bounds < cuts)) / max(1, bounds.size)
            costs[r] = _BOUND + _PRODUCT * (r + 2) + turning + (_PAIR + _TERM * d) * share
            before = r
        self.use(min(costs, key=lambda r: costs[r]))

    def of_sample(self, lines: slice, order: int) -> Float64Values:
        """Return a squared distance that at least ``order`` of the sample are nearer than, nearly, (q,)."""
        vectors, squares = self._sample
        found = np.empty(lines.stop - lines.start)
        for start in range(lines.start, lines.stop, _LINES):
            some = slice(start, min(start + _LINES, lines.stop))
            values = -2 * self.queries[some] @ vectors.T
            values += squares
            # The smaller ones of pairs, again and again: few of the smallest are lost, and little is left to look at.
            while values.shape[1] >= 16 * (order + 1):
                half = values.shape[1] // 2
                values = np.minimum(values[:, :half], values[:, -half:])
            values.partition(order, axis=1)
            found[start - lines.start : some.stop - lines.start] = values[:, order] + self._squares[some]
        # A little more, so that equal items are below it.
        return np.maximum(found, 0) * (1 + 1e-4) + 1e-5 * self._squares[lines]

    def ready(self, x: Vectors, room: BoundBuffers) -> BoundedItems:
        """Make items ready, (m, d), which hold until the room is used again."""
        m, r, d = len(x), self._r, x.shape[1]
        whole = -(-m // BLOCK) * BLOCK
        vectors, squares = self._moved(x, room.vectors[:m])
        columns = room.columns[: whole * (r + 2)].reshape(-1, r + 2, BLOCK)
        columns[m // BLOCK :, :, m % BLOCK :] = 0
        for start, there in zip(range(0, m, BLOCK), columns, strict=True):
            some = vectors[start : start + BLOCK].T
            if self._basis is None or r == d:
                there[:r, : some.shape[1]] = some
            else:
                np.matmul(self._basis[:, :r].T, some, out=there[:r, : some.shape[1]])
        all_squares = np.zeros(whole, np.float32)
        all_squares[:m] = squares
        rests, lengths = columns[:, r], columns[:, r + 1]
        lengths[:] = all_squares.reshape(-1, BLOCK)
        rests[:] = 0
        if r < d:
            rests[:] = lengths * np.float32(1 + self._too_long())
            rests -= np.einsum("bij,bij->bj", columns[:, :r], columns[:, :r])
            np.sqrt(np.maximum(rests, 0, out=rests), out=rests)
        columns[m // BLOCK :, r + 1, m % BLOCK :] = np.inf
        return BoundedItems(vectors, columns, float(np.sqrt(squares.max(initial=0))))

    def shifts(self, longest: float) -> Float64Values:
        """Return the term to add to bounds of items up to a length, (q,): |q|² less the rounding."""
        d, r = self.queries.shape[1], self._r
        turned = 0.0 if r == d else 2.0 * self._turned()
        doubt = (turned + (d + 2 * r + 24) * _UNIT) * np.square(longest + self.lengths)
        return np.asarray(self._squares - doubt - d * _TINY)

    def surely(self, limits: Float64Values, longest: float) -> Float64Values:
        """Return a lower bound of the distances of all items measured at a limit or more, or with such a bound, (q,).

        Squared distances of the vectors as they came, of items that are no longer (when moved and scaled) than given.
        """
        d = self.queries.shape[1]
        known = np.where(np.isinf(limits), 0.0, limits)
        both = longest + self.lengths
        moved = 4 * _UNIT * both
        doubt = (d + 8) * _UNIT * known + 2 * moved * np.sqrt(known) + moved**2 + 16 * d * _WIDE_UNIT * both**2
        return np.asarray((limits - doubt - 2 * d * _TINY) / self.scale**2)

    def beyond(self, measured: Float64Values, longest: float) -> Float64Values:
        """Return the measured value below which every item lies that is not farther than one measured so, (q,)."""
        known = measured / self.scale**2
        known, doubt = np.where(np.isinf(measured), 0.0, known), np.where(np.isinf(measured), np.inf, known)
        doubt -= self.surely(np.where(np.isinf(measured), 0.0, measured), longest)
        return np.asarray((known + 3 * doubt) * self.scale**2)

    def _moved(self, x: Vectors, room: Float32Vectors | None = None) -> tuple[Float32Vectors, Float32Vectors]:
        """Return items at the mean, (m, d), and their squared lengths, (m,)."""
        vectors = np.empty(x.shape, np.float32) if room is None else room
        squares = np.empty(len(x), np.float32)
        with np.errstate(over="ignore", invalid="ignore"):
            if not self._narrow:
                vectors[:] = (np.asarray(x, np.float64) - self._mean) * self.scale
                np.einsum("ij,ij->i", vectors, vectors, out=squares)
            elif self.scale == 1.0 and _as_loops_read(x) and compilation.worth(x.size):
                compilation.loops(LOOPS).move(np.asarray(x), self._mean.astype(np.float32), vectors, squares)
            else:
                np.subtract(x, self._mean.astype(np.float32), out=vectors, dtype=np.float32)
                vectors *= np.float32(self.scale)
                np.einsum("ij,ij->i", vectors, vectors, out=squares)
        if not squares.max(initial=0) < _TOO_LONG:
            raise TooLongError
        return vectors, squares

    def _turned(self) -> float:
        """Bound the error of the components of an item, as a part of its length."""
        d = self.queries.shape[1]
        return float((d + 6) * np.sqrt(self._r) * _UNIT)

    def _too_long(self) -> float:
        """Return the lengthening of a rest: one that is too long only lowers the bound."""
        return float(3 * (self.queries.shape[1] + 6) * np.sqrt(self._r + 1) * _UNIT)

    def _columns(self, vectors: Float32Vectors, squares: Float32Vectors, r: int) -> Float32Vectors:
        """Return y, ρ and |x|² of queries, (m, r + 2)."""
        d = vectors.shape[1]
        if r == d:
            return np.column_stack([vectors, np.zeros(len(vectors), np.float32), squares])
        assert self._basis is not None
        turned = vectors @ self._basis[:, :r]
        rest = squares * np.float32(1 + self._too_long()) - np.einsum("ij,ij->i", turned, turned)
        return np.column_stack([turned, np.sqrt(np.maximum(rest, 0)), squares])

    def _turned_all(
        self, vectors: Float32Vectors, squares: Float32Vectors
    ) -> tuple[Float32Vectors, Float32Vectors, Float32Vectors]:
        """Return all components, (m, d), the lengths of all but the first r of them, (m, d + 1), and |x|²."""
        assert self._basis is not None
        turned = vectors @ self._basis
        rests = np.zeros((len(turned), turned.shape[1] + 1), np.float32)
        rests[:, :-1] = np.sqrt(np.cumsum(np.square(turned)[:, ::-1], axis=1))[:, ::-1]
        return turned, rests, squares


def _as_loops_read(x: Vectors) -> bool:
    return bool(x.dtype == np.float32 and x.flags.c_contiguous and x.flags.aligned)


def _components(moved: Float32Vectors) -> Float32Vectors:
    """Return the principal components, (d, d), the greatest first."""
    wide = moved.astype(np.float64)
    _, vectors = np.linalg.eigh(wide.T @ wide)
    return np.ascontiguousarray(vectors[:, ::-1], np.float32)


def plain_measure(
    columns: Float32Vectors,
    query_columns: Float32Vectors,
    shifts: npt.NDArray[np.float64],
    items: Float32Vectors,
    first: int,
    queries: Float32Vectors,
    own: npt.NDArray[np.int64],
    selection: SmallestValues,
) -> None:
    """Measure the items whose bound is below the limit of a query, and keep the nearest.

    Parameters
    ----------
    columns : ndarray of float32, (blocks, t, b)
        What the bounds of items are made of, the last block filled up.
    query_columns : ndarray of float32, (groups, t, g)
        What is multiplied with it, of the queries: the squared distances' bounds, each less the query's shift.
    shifts : ndarray of float64, (q,)
    items : ndarray of float32, (m, d)
    first : int
        Row of the first item.
    queries : ndarray of float32, (q, d)
    own : ndarray of int64, (q,)
        A row that is not to be found.
    selection : SmallestValues
        Of q lines.
    """
    theirs = columns.transpose(1, 0, 2).reshape(columns.shape[1], -1)[:, : len(items)]
    bounds = query_columns.transpose(0, 2, 1).reshape(-1, query_columns.shape[1])[: len(queries)] @ theirs
    # Limits fall with what is found: a few columns at first, since all of them are measured until there are limits.
    step = selection.room if np.isinf(selection.limits).any() else bounds.shape[1]
    for start in range(0, bounds.shape[1], step):
        cuts = selection.limits - shifts
        cuts = (cuts + np.abs(cuts) * np.finfo(np.float32).eps).astype(np.float32)
        wanted = np.flatnonzero(bounds[:, start : start + step] <= cuts[:, None])
        lines, places = np.divmod(wanted, min(step, bounds.shape[1] - start))
        places += start
        at_once = max(1, _AT_ONCE // items.shape[1])
        for part in range(0, len(lines), at_once):
            some, there = lines[part : part + at_once], places[part : part + at_once]
            differences = items[there] - queries[some]
            distances = np.einsum("ij,ij->i", differences, differences)
            nearer = (distances < selection.limits[some]) & (there + first != own[some])
            selection.put(some[nearer], there[nearer] + first, distances[nearer])
