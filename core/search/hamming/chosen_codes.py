"""Ranking chosen rows by their codes: what every structure does that looks at a part of the codes only."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from core.search.hamming.hamming_scan import NearestCodes
from core.search.hamming.hamming_scan_plain import ROW_BITS


def nearest_of(
    planes: npt.NDArray[np.uint64], code: npt.NDArray[np.uint64], rows: npt.NDArray[np.integer[Any]], k: int
) -> NearestCodes:
    """Find the k nearest of some rows.

    Parameters
    ----------
    planes : uint64 array, (words, n)
    code : uint64 array, (words,)
    rows : integer array, (c,)
        Which rows, each once, in any order.
    k : int
        How many at most.

    Returns
    -------
    Neighbours
        Both arrays (k',), ordered by (distance, row); k' the smaller of k and c.

    Examples
    --------
    >>> import numpy as np
    >>> nearest_of(np.array([[7, 1, 0, 3]], np.uint64), np.array([1], np.uint64), np.array([3, 0, 1]), 2).rows
    array([1, 3])
    """
    distances = np.zeros(len(rows), np.int64)
    for word, wanted in zip(planes, code, strict=True):
        distances += np.bitwise_count(word[rows] ^ wanted)
    keys = (distances << ROW_BITS) | rows
    if k < len(keys):
        keys.partition(max(k - 1, 0))
    keys = keys[:k]
    keys.sort()
    return NearestCodes((keys >> ROW_BITS).astype(np.uint16), keys & ((1 << ROW_BITS) - 1))
