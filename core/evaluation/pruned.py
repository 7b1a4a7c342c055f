"""The items that may be the nearest of many queries by squared Euclidean distance, found by bounds (`pruning`).

Blocks outside, tiles of queries inside; tiles are worked at by several threads, each product by one.
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
from threadpoolctl import ThreadpoolController

from core import compilation
from core.evaluation import pruning_plain
from core.evaluation.pruning import Bounds, Items, Room
from core.evaluation.selection import Selection
from core.progress import Progress
from core.vectors import Vectors

Rows = npt.NDArray[np.int64]
Wide = npt.NDArray[np.float64]

_LOOPS = "core.evaluation.pruning_loops"
_TILE = 256
_ROWS = 1_024
_BLOCK_VALUES = 1 << 21
_SAMPLE = 16_384
_TOO_BOLD = 1e-5
"""How probably a guess of a limit is too small, so that the query has to be searched again."""

_SEED = 8_192
"""Items after which components are chosen, and again whenever there have been twice as many."""


@dataclass(frozen=True, eq=False)
class Near:
    """What may be the nearest of each query.

    Attributes
    ----------
    rows : list of ndarray of int64
        In no order.
    others : ndarray of float64, (q,), optional
        What the squared distance of no other row is below; infinite where there is none.
    """

    rows: list[Rows]
    others: Wide | None


@dataclass(frozen=True, eq=False)
class _Tile:
    """Some of the queries."""

    queries: slice
    selection: Selection
    own: Rows
    room: npt.NDArray[np.float32]


def near(
    queries: Vectors,
    read: Callable[[slice | Rows], Vectors],
    n: int,
    count: int,
    own: npt.NDArray[np.integer] | None,
    progress: Progress,
) -> Near:
    """Find, for each query, the ``count`` items that are nearest but for rounding.

    Parameters
    ----------
    queries : ndarray, (q, d)
    read : function
        Gives rows of the items, (m, d).
    n : int
        How many there are.
    count : int
        At least 1.
    own : ndarray of int, (q,), optional
        Rows that are not to be found.
    progress : Progress
        May raise ``Cancelled``.

    Raises
    ------
    core.evaluation.pruning.TooLongError
        If float32 cannot hold squared lengths.
    """
    found = _near(queries, read, n, count, own, progress, True)
    lacking = np.array([len(rows) < min(count, n - 1) for rows in found.rows], np.bool_)
    if lacking.any():
        # A guess was too bold.
        again = np.flatnonzero(lacking)
        excluded = None if own is None else own[again]
        mended = _near(queries[again], read, n, count, excluded, progress, False)
        assert found.others is not None
        assert mended.others is not None
        found.others[again] = mended.others
        for number, rows in zip(again, mended.rows, strict=True):
            found.rows[number] = rows
    return found


def _near(
    queries: Vectors,
    read: Callable[[slice | Rows], Vectors],
    n: int,
    count: int,
    own: npt.NDArray[np.integer] | None,
    progress: Progress,
    guess: bool,
) -> Near:
    rng = np.random.default_rng(0)
    size = min(_SAMPLE, n // 4 if n > _SEED else n)
    chosen = np.sort(rng.choice(n, size, replace=False))
    with _threads(len(queries)) as (threads, each):
        bounds = Bounds(queries, read(chosen), n)
        tiles = _tiles(len(queries), count, own, threads)
        longest, chosen_at = 0.0, _SEED
        order = _order_in_sample(count + (own is not None), n, size)
        if guess and n > _SEED and order < size:
            for tile in tiles:
                tile.selection.limits[:] = bounds.of_sample(tile.queries, order)
            bounds.choose(_limits(tiles))
        rows_each = min(_ROWS, max(128, _BLOCK_VALUES // max(1, queries.shape[1])))
        step = threads * rows_each
        rooms = [Room(rows_each, queries.shape[1]) for _ in range(threads)]
        for start in range(0, n, step):
            progress(start, n, "Finding the exact neighbours")
            if start >= chosen_at:
                bounds.choose(_limits(tiles))
                chosen_at = 4 * start
            cuts = range(start, min(start + step, n), rows_each)
            parts = list(
                each(lambda at, room: bounds.ready(read(slice(at, min(at + rows_each, n))), room), cuts, rooms)
            )
            longest = max([longest, *(part.longest for part in parts)])
            shifts = bounds.shifts(longest)

            def search(tile: _Tile, cuts: range = cuts, parts: list[Items] = parts, shifts: Wide = shifts) -> None:
                for first, items in zip(cuts, parts, strict=True):
                    _search(bounds, tile, items, first, shifts)

            list(each(search, tiles))
    rows = [tile.selection.line(line)[0] for tile in tiles for line in range(len(tile.own))]
    return Near(rows, bounds.surely(_limits(tiles), longest))


def _order_in_sample(count: int, n: int, size: int) -> int:
    """Say which of a sample is most surely farther than ``count`` of all: seldom are so many of the sample nearer."""
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


def _search(bounds: Bounds, tile: _Tile, items: Items, first: int, shifts: Wide) -> None:
    values = tile.room[: len(tile.own) * len(items.columns)].reshape(len(tile.own), -1)
    np.matmul(bounds.asked[tile.queries], items.columns.T, out=values)
    queries, selection = bounds.queries[tile.queries], tile.selection
    if not compilation.worth(values.size):
        pruning_plain.measure(values, shifts[tile.queries], items.vectors, first, queries, tile.own, selection)
        return
    compilation.loops(_LOOPS).measure(
        values,
        shifts[tile.queries],
        items.vectors,
        first,
        queries,
        tile.own,
        selection.count,
        selection.near,
        selection.rows,
        selection.filled,
        selection.limits,
    )


def _tiles(queries: int, count: int, own: npt.NDArray[np.integer] | None, threads: int) -> list[_Tile]:
    excluded = np.full(queries, -1, np.int64) if own is None else np.asarray(own, np.int64)
    size = max(1, min(_TILE, -(-queries // threads)))
    found = []
    for start in range(0, queries, size):
        some = slice(start, min(start + size, queries))
        selection = Selection(some.stop - start, count)
        room = np.empty(size * _ROWS, np.float32)
        found.append(_Tile(some, selection, np.ascontiguousarray(excluded[some]), room))
    return found


def _limits(tiles: list[_Tile]) -> Wide:
    return np.concatenate([tile.selection.limits for tile in tiles]) if tiles else np.empty(0)


@contextmanager
def _threads(queries: int) -> Iterator[tuple[int, Any]]:
    """Give as many threads as the products would have, and a ``map`` that uses them; products have one each."""
    controller = ThreadpoolController()
    blas = [library["num_threads"] for library in controller.info() if library["user_api"] == "blas"]
    threads = max(1, min(max(blas, default=1), queries // 16))
    with controller.limit(limits=1, user_api="blas"):
        if threads == 1:
            yield 1, map
        else:
            with ThreadPoolExecutor(threads, thread_name_prefix="neighbours") as pool:
                yield threads, pool.map
