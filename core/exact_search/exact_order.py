"""The exact order of rows whose distances are known approximately: only those too close to call are measured."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from core.arrays import Float64Matrix, Int64Rows

Exactly = Callable[[Int64Rows], Float64Matrix]
"""Measures rows exactly, (m,) -> (m,)."""


def nearest_exactly(
    approximate: Float64Matrix, error: float, exactly: Exactly, k: int
) -> tuple[Int64Rows, Float64Matrix]:
    """Find the k nearest rows, ordered by (exact distance, row).

    Parameters
    ----------
    approximate : ndarray of float64, (n,)
        Squared distances, none off by more than ``error``.
    error : float
    exactly : callable
        Gives the distances of rows, not squared.
    k : int

    Returns
    -------
    rows : ndarray of int64, (k',)
    distances : ndarray of float64, (k',)
        Exact.

    Examples
    --------
    >>> true = np.array([0.30, 0.10, 0.31, 0.10])
    >>> approximate = np.array([0.32, 0.10, 0.30, 0.11]) ** 2
    >>> rows, distances = nearest(approximate, 0.02, lambda rows: true[rows], 3)
    >>> rows.tolist(), distances.tolist()
    ([1, 3, 0], [0.1, 0.1, 0.3])
    """
    k = min(k, len(approximate))
    if not k:
        return np.empty(0, np.int64), np.empty(0)
    bound = np.partition(approximate, k - 1)[k - 1] + 2 * error
    rows = np.flatnonzero(approximate <= bound).astype(np.int64)
    distances = exactly(rows)
    order = np.lexsort((rows, distances))[:k]
    return rows[order], distances[order]


def exact_places(
    rows: Int64Rows, distances: Float64Matrix, approximate: Float64Matrix, error: float, exactly: Exactly
) -> Int64Rows:
    """Return the places of rows, from 0, in the order of (exact distance, row), (m,) -> (m,).

    Parameters
    ----------
    rows : ndarray of int64, (m,)
    distances : ndarray of float64, (m,)
        Theirs, exact.
    approximate, error, exactly
        As for :func:`nearest`.

    Examples
    --------
    >>> true = np.array([0.30, 0.10, 0.31, 0.10])
    >>> approximate = np.array([0.32, 0.10, 0.30, 0.11]) ** 2
    >>> places_of(np.array([3, 2]), true[[3, 2]], approximate, 0.02, lambda rows: true[rows]).tolist()
    [1, 3]
    """
    order = np.argsort(approximate)
    ordered = approximate[order]
    squared = np.square(distances)
    surely = np.searchsorted(ordered, squared - error, side="left")
    perhaps = np.searchsorted(ordered, squared + error, side="right")
    unsure = [order[low:high] for low, high in zip(surely.tolist(), perhaps.tolist(), strict=True)]
    asked = np.unique(np.concatenate(unsure)) if unsure else np.empty(0, np.int64)
    known = exactly(asked.astype(np.int64))
    found = np.empty(len(rows), np.int64)
    for place, (row, distance, near) in enumerate(zip(rows.tolist(), distances.tolist(), unsure, strict=True)):
        theirs = known[np.searchsorted(asked, near)]
        found[place] = surely[place] + int(((theirs < distance) | ((theirs == distance) & (near < row))).sum())
    return found
