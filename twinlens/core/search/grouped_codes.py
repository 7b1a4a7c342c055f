"""Grouped codes: the query is compared once with every distinct code.

Libraries are full of copies, and of photographs whose codes are equal: rows with equal codes are put together.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Int64Rows, OptionalMask, UInt64Words
from twinlens.core.search.hamming_scan import ROW_BITS, NearestCodes, nearest_by_hamming, within_hamming
from twinlens.core.search.search_structure import Candidates, CodeSearch

_SPARSE = 8
"""A mask that leaves less than one row in so many makes its groups cheap to find."""

_MORE = 16
"""Groups beyond the number that a mask, should it leave out rows by chance, makes likely to be enough."""

_SMALL = 4_096
"""So many groups are put in order whole before any are looked for in the mask."""


class Grouped(CodeSearch):
    """Compares the query once with every distinct code: what the scan finds, with less work where many are equal.

    Copies, series and short codes make equal codes. Choose it for a library with many of them; where all codes differ
    it is the scan, and where only few are equal the scan takes less memory: this keeps each distinct code once, and
    12 bytes for each item and 8 for each distinct code.
    """

    key = "grouped"
    title = "Equal codes grouped"

    @property
    def exact(self) -> bool:
        """It compares every code."""
        return True

    def build(self, planes: npt.NDArray[np.uint64], bits: int | None = None) -> GroupedCodes:
        """Put rows of planar codes, (words, n), together where the codes are equal; copies the distinct codes."""
        groups = group_equal(planes)
        kept = groups.rows.nbytes + groups.offsets.nbytes
        lowest = groups.lowest
        if len(lowest) == planes.shape[1]:
            return GroupedCodes(planes, groups, np.empty(0, np.int32), kept)
        group_of = np.empty(planes.shape[1], np.int32)
        group_of[groups.rows] = np.repeat(np.arange(len(lowest), dtype=np.int32), np.diff(groups.offsets))
        distinct = np.ascontiguousarray(planes[:, lowest])
        return GroupedCodes(distinct, groups, group_of, kept + group_of.nbytes + distinct.nbytes)


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


@dataclass(frozen=True, eq=False)
class GroupedCodes:
    """Distinct codes, (words, groups), in the order of their lowest row; the rows of each; and the group of each row.

    ``group_of`` (n,) is empty where every row is its own group.
    """

    planes: npt.NDArray[np.uint64]
    groups: EqualCodes
    group_of: npt.NDArray[np.int32]
    bytes: int

    @cached_property
    def _group_of(self) -> Int64Rows:
        """The group of each row."""
        found = np.empty(len(self.groups.rows), np.int64)
        found[self.groups.rows] = np.repeat(np.arange(len(self.groups.offsets) - 1), np.diff(self.groups.offsets))
        return found

    def codes(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
        """Return the codes of rows, (words, len(rows))."""
        return self.planes[:, self._group_of[rows]]

    def candidates(self, code: npt.NDArray[np.uint64], k: int, mask: OptionalMask = None) -> Candidates:
        """Find the k nearest codes, (words,) -> exact, ordered by (distance, row)."""
        if mask is None:
            keys = self._first_rows(nearest_by_hamming(self.planes, code[None], k), k, None)
        else:
            if mask.shape != self.groups.rows.shape:
                raise ValueError(f"the mask must be {self.groups.rows.shape}, not {mask.shape}")
            keys = self._among_nearest(code, k, mask)
            if len(keys) < k:
                keys = self._among_left(code, k, mask)
        return Candidates(rows=keys & ((1 << ROW_BITS) - 1), distances=keys >> ROW_BITS, scanned=self.planes.shape[1])

    def _among_nearest(self, code: npt.NDArray[np.uint64], k: int, mask: npt.NDArray[np.bool_]) -> Int64Rows:
        """Look for rows that may be found in the nearest groups; give fewer than k where that does not help."""
        keys = np.empty(0, np.int64)
        groups, allowed = self.planes.shape[1], int(np.count_nonzero(mask))
        if len(self.group_of) == 0 or len(mask) > _SPARSE * allowed:
            return keys
        wanted, most = _MORE + 2 * k * groups // allowed, groups // 4
        if groups <= _SMALL:
            wanted, most = min(wanted, groups), groups
        while len(keys) < k and wanted <= most:
            near = nearest_by_hamming(self.planes, code[None], wanted)
            if wanted < groups:  # of the furthest distance not all groups may be here
                whole = int(np.searchsorted(near.distances[0], near.distances[0, -1]))
                near = NearestCodes(near.distances[:, :whole], near.rows[:, :whole])
            keys = self._first_rows(near, k, mask)
            wanted *= 4
        return keys

    def _among_left(self, code: npt.NDArray[np.uint64], k: int, mask: npt.NDArray[np.bool_]) -> Int64Rows:
        """Find the nearest of the groups that have a row that may be found."""
        left = mask
        if len(self.group_of):
            left = np.zeros(self.planes.shape[1], np.bool_)
            left[self.group_of[np.flatnonzero(mask)]] = True
        near = nearest_by_hamming(self.planes, code[None], k, left)
        if near.rows.shape[1] == k > 0:
            # Groups tie in the order of their lowest rows. One whose lowest row is left out stood too early, and may
            # have taken the place of another that ties with it.
            tied = near.rows[near.distances == near.distances[0, -1]]
            if not mask[self.groups.rows[self.groups.offsets[tied]]].all():
                every = within_hamming(self.planes, code, int(near.distances[0, -1]), left)
                near = NearestCodes(every.distances[None], every.rows[None])
        return self._first_rows(near, k, mask)

    def _first_rows(self, near: NearestCodes, k: int, mask: OptionalMask) -> Int64Rows:
        """Return the k first of the groups' rows that may be found, as ``distance << ROW_BITS | row``, in order."""
        groups, distances = near.rows[0], near.distances[0].astype(np.int64)
        starts = self.groups.offsets[groups]
        lengths = self.groups.offsets[groups + 1] - starts
        reached = np.cumsum(lengths)
        enough = k if mask is None else 2 * k * len(mask) // max(1, int(np.count_nonzero(mask)))
        while True:
            # Groups up to the distance at which they hold enough rows; and no more than so many of each, since rows
            # ascend within a group.
            last = int(np.searchsorted(reached, enough))
            stop = int(np.searchsorted(distances, distances[last], "right")) if last < len(groups) else len(groups)
            taken = np.minimum(lengths[:stop], enough)
            which = np.repeat(np.arange(stop), taken)
            rows = self.groups.rows[np.arange(len(which)) + (starts[:stop] + taken - np.cumsum(taken))[which]]
            if mask is None:
                break
            allowed = mask[rows]
            rows, which = rows[allowed], which[allowed]
            cut_short = (taken < lengths[:stop]) & (np.bincount(which, minlength=stop) < k)
            if not cut_short.any() and (len(rows) >= k or stop == len(groups)):
                break
            enough *= 8
        keys: Int64Rows = (distances[which] << ROW_BITS) | rows
        if k < len(keys):
            keys.partition(max(k - 1, 0))
        keys = keys[:k]
        keys.sort()
        return keys


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
