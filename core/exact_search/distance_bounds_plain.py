"""Measuring what a bound lets through in plain numpy: the twin of the compiled loop.

It measures at least the pairs that the loop measures, and keeps as many of the nearest; a distance differs by the
rounding of a float32 sum, which whoever reads the limits allows for.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Vectors
from core.exact_search.squared_distances import SmallestValues

_AT_ONCE = 1 << 20  # values of float32


def measure(
    columns: Float32Vectors,
    asked: Float32Vectors,
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
    asked : ndarray of float32, (groups, t, g)
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
    bounds = asked.transpose(0, 2, 1).reshape(-1, asked.shape[1])[: len(queries)] @ theirs
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
