"""Lower bounds of squared Euclidean distances, and the items that may be the nearest of many queries by them.

Items are moved to their mean and turned by their principal components. In the first r of them, y, and with the length ρ
of all the rest,

    |q - x|² >= |y_q - y_x|² + (ρ_q - ρ_x)² = |q|² + |x|² - 2 (y_q · y_x + ρ_q ρ_x)

which one product of r + 2 columns gives for all pairs: an item that is farther by its bound need not be measured. The
bound is evaluated in float32 and lowered by as much as its rounding can come to (Higham: Accuracy and Stability of
Numerical Algorithms, 2002, section 3.1), so no item among the nearest is lost. The more components, the more a bound
costs and the fewer pairs are measured: r is chosen by the cost of both, on a sample, whenever the limits have fallen.

Blocks of items are the outer loop, tiles of queries the inner one; several threads work on tiles, with one thread for
each product.

In plain numpy at least the pairs that the compiled loop measures are measured, and as many of the nearest are kept; a
distance differs by the rounding of a float32 sum, which whoever reads the limits allows for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float64Values, Int64Rows
from twinlens.core.compilation import compilation
from twinlens.core.exact_search.bounds import GROUP, LOOPS, BoundBuffers, BoundedItems, Bounds, plain_measure
from twinlens.core.exact_search.squared_distances import SmallestValues
from twinlens.core.message import Message
from twinlens.core.progress import Progress
from twinlens.core.vectors import Vectors, one_thread

_TILE = 252
_ROWS = 2_048
_BLOCK_VALUES = 1 << 21
_SAMPLE = 4_096
_TOO_BOLD = 1e-5
"""Probability that a guess of a limit is too small, so that the query has to be searched again."""

_KEPT = 12
"""Items kept of a query beside a fifth more than are wanted, which equally near ones and roundings may need."""

_LEAST_SPARE = 32
_SEED = 8_192
"""Items after which components are chosen, and again whenever there have been twice as many."""


@dataclass(frozen=True, eq=False)
class NearCandidates:
    """Candidates for the nearest of each query.

    Attributes
    ----------
    rows : list of ndarray of int64
        Ascending.
    others : ndarray of float64, (q,), optional
        What the squared distance of no other row is below; infinite where there is none.
    """

    rows: list[Int64Rows]
    others: Float64Values | None


def near_candidates(
    queries: Vectors,
    read: Callable[[slice | Int64Rows], Vectors],
    n: int,
    k: int,
    own: npt.NDArray[np.integer] | None,
    progress: Progress,
) -> NearCandidates:
    """Find, for each query, the items that may be among the ``k`` nearest.

    Parameters
    ----------
    queries : ndarray, (q, d)
    read : function
        Gives rows of the items, (m, d).
    n : int
        How many there are.
    k : int
        At least 1; at most as many as there are beside the query itself.
    own : ndarray of int, (q,), optional
        Rows that are not to be found.
    progress : Progress
        May raise ``Cancelled``.

    Raises
    ------
    twinlens.core.exact_search.distance_bounds.TooLongError
        If float32 cannot hold squared lengths.
    """
    found = _near(queries, read, n, k, own, progress, True)
    lacking = np.array([len(rows) < k for rows in found.rows], np.bool_)
    if lacking.any():
        # A guess was too bold.
        again = np.flatnonzero(lacking)
        excluded = None if own is None else own[again]
        mended = _near(queries[again], read, n, k, excluded, progress, False)
        assert found.others is not None
        assert mended.others is not None
        found.others[again] = mended.others
        for number, rows in zip(again, mended.rows, strict=True):
            found.rows[number] = rows
    return found


def _near(
    queries: Vectors,
    read: Callable[[slice | Int64Rows], Vectors],
    n: int,
    k: int,
    own: npt.NDArray[np.integer] | None,
    progress: Progress,
    guess: bool,
) -> NearCandidates:
    rng = np.random.default_rng(0)
    size = min(_SAMPLE, n // 8 if n > _SEED else n)
    chosen = np.sort(rng.choice(n, size, replace=False))
    with _threads(len(queries)) as (threads, each):
        bounds = Bounds(queries, read(chosen), n)
        tiles = _tiles(len(queries), k, own, threads)
        longest, chosen_at = 0.0, _SEED
        order = _order_in_sample(k + (own is not None), n, size)
        if guess and n > _SEED and order < size:

            def limit(tile: _Tile) -> None:
                tile.selection.limits[:] = bounds.of_sample(tile.queries, order)

            list(each(limit, tiles))
            bounds.choose(_limits(tiles))
        rows_each = min(_ROWS, max(128, _BLOCK_VALUES // max(1, queries.shape[1])))
        step = threads * rows_each
        rooms = [BoundBuffers(rows_each, queries.shape[1]) for _ in range(threads)]
        for start in range(0, n, step):
            progress(start, n, Message("Finding the exact neighbours"))
            if start >= chosen_at and n - start >= _SEED:  # for fewer, what was chosen will do
                bounds.choose(_limits(tiles))
                chosen_at = 4 * start
            cuts = range(start, min(start + step, n), rows_each)
            parts = list(
                each(lambda at, room: bounds.ready(read(slice(at, min(at + rows_each, n))), room), cuts, rooms)
            )
            longest = max([longest, *(part.longest for part in parts)])
            shifts = bounds.shifts(longest)

            def search(
                tile: _Tile, cuts: range = cuts, parts: list[BoundedItems] = parts, shifts: Float64Values = shifts
            ) -> None:
                for first, items in zip(cuts, parts, strict=True):
                    _search(bounds, tile, items, first, shifts)

            list(each(search, tiles))
    kth = np.concatenate([tile.selection.nearest(k) for tile in tiles]) if tiles else np.empty(0)
    beyond = bounds.beyond(kth, longest)
    rows = [rows for tile in tiles for rows in tile.selection.below(beyond[tile.queries])]
    return NearCandidates(rows, bounds.surely(np.minimum(beyond, _limits(tiles)), longest))


@dataclass(frozen=True, eq=False)
class _Tile:
    """Some of the queries."""

    queries: slice
    selection: SmallestValues
    own: Int64Rows

    @property
    def groups(self) -> slice:
        """The groups."""
        return slice(self.queries.start // GROUP, -(-self.queries.stop // GROUP))


def _order_in_sample(count: int, n: int, size: int) -> int:
    """Return the order in the sample that is almost surely farther than ``count`` of all items."""
    expected = count * size / n
    if expected > 600:
        return int(expected + 6 * np.sqrt(expected))
    order, chance = 0, math.exp(-expected)
    beyond = 1 - chance
    while beyond > _TOO_BOLD:
        order += 1
        chance *= expected / order
        beyond -= chance
    return order


def _search(bounds: Bounds, tile: _Tile, items: BoundedItems, first: int, shifts: Float64Values) -> None:
    queries, selection, query_columns = bounds.queries[tile.queries], tile.selection, bounds.query_columns[tile.groups]
    given = items.columns, query_columns, shifts[tile.queries], items.vectors, first, queries, tile.own
    if not compilation.worth(len(queries) * len(items.vectors)):
        plain_measure(*given, selection)
        return
    compilation.loops(LOOPS).measure(
        *given,
        selection.count,
        selection.near,
        selection.rows,
        selection.filled,
        selection.limits,
    )


def _tiles(queries: int, k: int, own: npt.NDArray[np.integer] | None, threads: int) -> list[_Tile]:
    excluded = np.full(queries, -1, np.int64) if own is None else np.asarray(own, np.int64)
    size = max(1, min(_TILE, -(-queries // (threads * GROUP)) * GROUP))
    count, found = k + _KEPT + k // 5, []
    for start in range(0, queries, size):
        some = slice(start, min(start + size, queries))
        selection = SmallestValues(some.stop - start, count, max(_LEAST_SPARE, count // 4))
        found.append(_Tile(some, selection, np.ascontiguousarray(excluded[some])))
    return found


def _limits(tiles: list[_Tile]) -> Float64Values:
    return np.concatenate([tile.selection.limits for tile in tiles]) if tiles else np.empty(0)


@contextmanager
def _threads(queries: int) -> Iterator[tuple[int, Any]]:
    """Yield as many threads as the products would have, and a ``map`` that uses them; products have one each."""
    with one_thread() as before:
        threads = max(1, min(before, queries // 16))
        if threads == 1:
            yield 1, map
        else:
            with ThreadPoolExecutor(threads, thread_name_prefix="neighbours") as pool:
                yield threads, pool.map
