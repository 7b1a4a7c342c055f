"""The graph of nearest neighbours: for each code the k nearest others, exactly."""

from __future__ import annotations

import numpy as np

from core.codes import Words
from core.message import Message
from core.progress import Progress, silent
from core.search.hamming import Neighbours, nearest

_AT_ONCE = 1_024
"""Codes asked for at once: the scan reads memory once for all of them."""


def nearest_neighbour_graph(planes: Words, k: int, progress: Progress = silent, threads: int = 0) -> Neighbours:
    """Find the k nearest others of every code.

    Parameters
    ----------
    planes : ndarray of uint64, (words, n)
        Codes as :func:`core.codes.planar` lays them out.
    k : int
        How many.
    progress : Progress
        May raise ``Cancelled``.
    threads : int
        As in :func:`core.search.hamming.nearest`.

    Returns
    -------
    Neighbours
        Both arrays (n, k'), k' the smaller of k and n - 1; ordered by (distance, row). No code is its own neighbour.
    """
    n = planes.shape[1]
    k = max(0, min(k, n - 1))
    found = Neighbours(np.empty((n, k), np.uint16), np.empty((n, k), np.int64))
    for start in range(0, n if k else 0, _AT_ONCE):
        progress(start, n, Message("Comparing {n} codes with each other", n=n))
        stop = min(start + _AT_ONCE, n)
        near = nearest(planes, np.ascontiguousarray(planes[:, start:stop].T), k + 1, threads=threads)
        other = near.rows != np.arange(start, stop)[:, None]
        # Where many codes are equal, a code may not be among the k + 1 nearest to itself: then the last is too many.
        other[other.all(axis=1), k] = False
        found.rows[start:stop] = near.rows[other].reshape(-1, k)
        found.distances[start:stop] = near.distances[other].reshape(-1, k)
    return found
