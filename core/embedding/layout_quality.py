"""Quality of a layout: the share of neighbours that stay neighbours."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.embedding.neighbour_lists import NeighbourLists, neighbour_lists


def kept_neighbours(lists: NeighbourLists, layout: npt.ArrayLike, k: int = 10, sample: int = 2_000) -> float:
    """Return the share of the k nearest of an item that are among its k nearest in a layout, over a sample of items.

    Parameters
    ----------
    lists : NeighbourLists
        Of at least k neighbours, or of all others.
    layout : array_like, (n, 2)
    k : int
    sample : int
        Items looked at, evenly spread; all where there are not so many.
    """
    y = np.asarray(layout, np.float32)
    n = len(y)
    k = min(k, lists.rows.shape[1])
    if k == 0:
        return 1.0
    if n <= sample:
        there = neighbour_lists(y, k, exact_up_to=n).rows
        rows = np.arange(n)
    else:
        rows = np.linspace(0, n - 1, sample).astype(np.int64)
        there = _nearest_of(y, rows, k)
    own = lists.rows[rows, :k]
    return float((own[:, :, None] == there[:, None, :]).any(axis=2).mean())


def _nearest_of(y: npt.NDArray[np.float32], rows: npt.NDArray[np.int64], k: int) -> npt.NDArray[np.int64]:
    found = np.empty((len(rows), k), np.int64)
    for place, row in enumerate(rows.tolist()):
        distances = np.square(y - y[row]).sum(axis=1)
        distances[row] = np.inf
        found[place] = np.argpartition(distances, k - 1)[:k]
    return found
