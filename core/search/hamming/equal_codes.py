"""Equal codes put together: libraries are full of copies, and of photographs whose codes are equal."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.arrays import Int64Rows, UInt64Words


@dataclass(frozen=True, eq=False)
class EqualCodes:
    """Rows by their code; groups in the order of their lowest row, rows ascending.

    Attributes
    ----------
    offsets : ndarray of int64, (groups + 1,)
    rows : ndarray of int64, (n,)
        Group g is ``rows[offsets[g]:offsets[g + 1]]``.
    """

    offsets: Int64Rows
    rows: Int64Rows

    @property
    def lowest(self) -> Int64Rows:
        """The lowest row of each group, (groups,), ascending."""
        return self.rows[self.offsets[:-1]]


def group_equal(planes: UInt64Words) -> EqualCodes:
    """Put rows with equal codes together.

    Parameters
    ----------
    planes : ndarray of uint64, (words, n)
    """
    n = planes.shape[1]
    if n == 0:
        return EqualCodes(np.zeros(1, np.int64), np.empty(0, np.int64))
    order = _sorted(planes)
    differs = np.zeros(n, np.bool_)
    differs[0] = True
    for word in planes:
        run = word[order]
        differs[1:] |= run[1:] != run[:-1]
    starts = np.flatnonzero(differs)
    lowest = order[starts]  # a stable sort: the first of a run is its lowest row
    lengths = np.diff(np.append(starts, n))
    turn = np.argsort(lowest, kind="stable")
    offsets = np.concatenate([[0], np.cumsum(lengths[turn])])
    places = np.arange(n) - np.repeat(offsets[:-1] - starts[turn], lengths[turn])
    return EqualCodes(offsets.astype(np.int64), order[places])


def _sorted(planes: UInt64Words) -> Int64Rows:
    """Order rows by code, then by row; most codes differ in their first words, so only ties look at more."""
    order = np.argsort(planes[0], kind="stable")
    for word in range(1, len(planes)):
        ranks = _ranks(planes[:word], order)
        if len(ranks) == 0 or ranks[-1] == len(order) - 1:
            return order
        order = order[np.lexsort((planes[word][order], ranks))]
    return order


def _ranks(planes: UInt64Words, order: Int64Rows) -> Int64Rows:
    """Return each of sorted rows the number of its run of equal codes, from 0."""
    differs = np.zeros(len(order), np.int64)
    for word in planes:
        run = word[order]
        differs[1:] |= run[1:] != run[:-1]
    return np.cumsum(differs)
