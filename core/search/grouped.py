"""Comparing the query once with every distinct code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from core.search.equal_codes import Groups, group_equal
from core.search.hamming import nearest, within
from core.search.plain import ROW_BITS
from core.search.search import Candidates, CodeSearch, Mask

Rows = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class GroupedCodes:
    """Distinct codes, (words, groups), in the order of their lowest row; and the rows of each."""

    planes: npt.NDArray[np.uint64]
    groups: Groups
    bytes: int

    def candidates(self, code: npt.NDArray[np.uint64], k: int, mask: Mask = None) -> Candidates:
        """Find the k nearest codes, (words,) -> exact, ordered by (distance, row)."""
        near = nearest(self.planes, code[None], k, self._groups_left(mask))
        groups, distances = near.rows[0], near.distances[0]
        if mask is not None and len(groups) == k > 0:
            # Groups tie in the order of their lowest rows, which the mask may leave out: all that tie are wanted.
            tied = within(self.planes, code, int(distances[-1]), self._groups_left(mask))
            groups, distances = tied.rows, tied.distances
        keys = self._keys(groups, distances.astype(np.int64), k, mask)
        return Candidates(rows=keys & ((1 << ROW_BITS) - 1), distances=keys >> ROW_BITS, scanned=self.planes.shape[1])

    def _groups_left(self, mask: Mask) -> Mask:
        """Say which groups have a row that may be found."""
        rows, offsets = self.groups.rows, self.groups.offsets
        if mask is None or len(rows) == 0:
            return mask
        if mask.shape != rows.shape:
            raise ValueError(f"the mask must be {rows.shape}, not {mask.shape}")
        if len(offsets) == len(rows) + 1:
            return mask
        return np.logical_or.reduceat(mask[rows], offsets[:-1])

    def _keys(self, groups: Rows, distances: Rows, k: int, mask: Mask) -> Rows:
        """Give the k first of the groups' rows that may be found, as ``distance << ROW_BITS | row``, in order."""
        starts = self.groups.offsets[groups]
        lengths = self.groups.offsets[groups + 1] - starts
        at_most = k
        while True:
            # Rows ascend within a group, so no more than its first k can be among the k nearest.
            taken = np.minimum(lengths, at_most)
            ends = np.cumsum(taken)
            which = np.repeat(np.arange(len(groups)), taken)
            rows = self.groups.rows[np.arange(len(which)) + (starts + taken - ends)[which]]
            if mask is None:
                break
            allowed = mask[rows]
            rows, which = rows[allowed], which[allowed]
            lacking = np.bincount(which, minlength=len(groups)) < k
            if not (lacking & (taken < lengths)).any():
                break
            at_most *= 8
        keys: Rows = (distances[which] << ROW_BITS) | rows
        if k < len(keys):
            keys.partition(max(k - 1, 0))
        keys = keys[:k]
        keys.sort()
        return keys


class Grouped(CodeSearch):
    """Compares the query once with every distinct code: what the scan finds, with less work where many are equal.

    Copies, series and short codes make equal codes. Choose it for a library with many of them; where all codes differ
    it is the scan, and where only few are equal the scan takes less memory: this keeps each distinct code once, and
    8 bytes for each item and each distinct code.
    """

    key = "grouped"
    title = "Equal codes grouped"

    exact: ClassVar[bool] = True

    def build(self, planes: npt.NDArray[np.uint64], bits: int | None = None) -> GroupedCodes:
        """Put rows of planar codes, (words, n), together where the codes are equal; copies the distinct codes."""
        groups = group_equal(planes)
        kept = groups.rows.nbytes + groups.offsets.nbytes
        if len(groups.lowest) == planes.shape[1]:
            return GroupedCodes(planes, groups, kept)
        distinct = np.ascontiguousarray(planes[:, groups.lowest])
        return GroupedCodes(distinct, groups, kept + distinct.nbytes)
