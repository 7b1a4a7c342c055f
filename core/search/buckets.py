"""Comparing the query with the codes that share a key with it, or nearly.

Where a query's key is not in a table, the closest occupied keys are the better way on. Of a million clustered codes of
256 bits, for 100 queries, in tables by 28 bits, where two thirds of the queries' keys are absent, they led to 29 % of
the ten nearest codes and to the nearest for all queries; the paper's neighbour in the sorted keys to 24.5 %, and to the
nearest for 95. In tables by 20 bits, a quarter absent, it was 36.2 % and 35.5 %, the nearest for 98 by both. With keys
as short as the default's hardly any is absent.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from core.arrays import Int64Rows, IntegerRows, OptionalMask, UInt64Words
from core.declaration.declaration import parameter
from core.search.bucket_keys import LONGEST_KEY, draw_bits, keys_of, keys_of_one
from core.search.hamming.chosen_codes import nearest_of
from core.search.hamming.hamming_scan import nearest_by_hamming
from core.search.hash_tables import HashTable
from core.search.search_structure import Candidates, CodeSearch

Absent = Literal["closest", "lexicographic"]

_CODES_PER_KEY = 32
"""Codes that a possible key has on average when nothing is said of the length of keys."""


@dataclass(frozen=True, eq=False)
class BucketedCodes:
    """Codes in tables by some of their bits; ``chosen`` (tables, key bits) says which bits are each table's."""

    planes: npt.NDArray[np.uint64]
    chosen: npt.NDArray[np.int64]
    tables: tuple[HashTable, ...]
    radius: int
    neighbours: int
    absent: Absent

    @property
    def bytes(self) -> int:
        """The size of the tables."""
        return sum(table.bytes for table in self.tables)

    def codes(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
        """Return the codes of rows, (words, len(rows))."""
        return self.planes[:, rows]

    def candidates(self, code: npt.NDArray[np.uint64], k: int, mask: OptionalMask = None) -> Candidates:
        """Find the k nearest codes among those of the buckets visited, (words,) -> ordered by (distance, row).

        With a mask that leaves fewer rows than the buckets hold, or none of theirs, all rows it leaves are compared.
        """
        n = self.planes.shape[1]
        if mask is not None and mask.shape != (n,):
            raise ValueError(f"the mask must be ({n},), not {mask.shape}")
        if n == 0:
            return Candidates(np.empty(0, np.int64), np.empty(0, np.int64), scanned=0)
        visited = [
            (table, self._places(table, key))
            for table, key in zip(self.tables, keys_of_one(code, self.chosen), strict=True)
        ]
        probed = sum(len(places) for _, places in visited)
        rows: IntegerRows = _distinct(np.concatenate([table.rows_at(places) for table, places in visited]))
        if mask is not None:
            if np.count_nonzero(mask) <= len(rows):
                rows = np.flatnonzero(mask)
            else:
                rows = rows[mask[rows]]
                if len(rows) == 0:
                    found = nearest_by_hamming(self.planes, code[None], k, mask)
                    return Candidates(found.rows[0], found.distances[0].astype(np.int64), scanned=n, probed=probed)
        near = nearest_of(self.planes, code, rows, k)
        return Candidates(near.rows, near.distances.astype(np.int64), scanned=len(rows), probed=probed)

    def _places(self, table: HashTable, key: UInt64Words) -> Int64Rows:
        """Choose the buckets of a table to visit, each once."""
        count = max(1, self.neighbours)
        if self.absent == "lexicographic" and table.place(key) is None:
            places = table.closest(table.keys[:, table.neighbour(key)], count)
        else:
            places = table.closest(key, count)
        if self.radius == 0:
            return places
        probed = table.within(key, self.radius)
        return np.union1d(places, probed) if self.neighbours or len(probed) == 0 else probed


def _distinct(rows: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """Sort rows, at least one, each once."""
    rows = np.sort(rows)
    first = np.ones(len(rows), np.bool_)
    np.not_equal(rows[1:], rows[:-1], out=first[1:])
    return np.compress(first, rows)


class Buckets(CodeSearch):
    """Compares the query only with codes that agree with it, or nearly, in some bits: those of a few buckets.

    In each of several tables, codes with the same key, some bits of the code, lie in one bucket. It looks at a small
    part of the library and may miss neighbours that differ in every key. Choose it for libraries so large that
    comparing every code takes too long, where near copies matter more than the rest, or to see what it misses.
    """

    key = "buckets"
    title = "Buckets"
    paper = (
        "Bodó and Csató, 2012, section III, for the closest occupied keys; buckets are of locality-sensitive hashing"
    )

    tables: int = parameter(
        5,
        ge=1,
        le=256,
        unit="tables",
        help="How many tables, each by other bits as long as the code has enough. More finds more of the neighbours, "
        "and takes longer and more memory: 4 bytes an item and table.",
    )
    key_bits: int | None = parameter(
        None,
        ge=1,
        le=LONGEST_KEY,
        unit="bits",
        help="How many bits of the code are a table's key, never more than it has. More makes buckets smaller: faster, "
        "and more is missed; above some 24, finding the closest keys of a large library takes longer than comparing "
        "all codes. None: as many as give about 32 items to a possible key.",
    )
    radius: int = parameter(
        0,
        ge=0,
        le=LONGEST_KEY,
        unit="bits",
        help="Buckets whose keys differ from the query's in up to so many bits are visited too. More finds more of the "
        "neighbours, and takes much longer with each bit.",
    )
    neighbours: int = parameter(
        10,
        ge=0,
        le=1_000,
        unit="keys",
        help="How many of the occupied keys closest to the query's are visited in each table, its own first; they are "
        "held ready for every occupied key. 0 for the query's own bucket alone.",
    )
    absent: Absent = parameter(
        "closest",
        help="Where to go when the query's key is not in a table: to the closest occupied keys; or lexicographic, as "
        "in the paper, to its neighbour in the sorted keys and the keys closest to that one.",
    )
    seed: int = parameter(0, ge=0, le=2**31 - 1, help="Draws which bits of the code are the keys.")

    def build(self, planes: npt.NDArray[np.uint64], bits: int | None = None) -> BucketedCodes:
        """Build the tables of planar codes, (words, n)."""
        words, n = planes.shape
        bits = 64 * words if bits is None else bits
        wanted = round(math.log2(max(n, 1) / _CODES_PER_KEY)) if self.key_bits is None else self.key_bits
        key_bits = max(1, min(wanted, bits, LONGEST_KEY))
        chosen = draw_bits(bits, key_bits, self.tables, self.seed)
        held = self.neighbours if self.neighbours > 1 else 0
        tables = tuple(HashTable.of(keys_of(planes, some), key_bits, held) for some in chosen)
        return BucketedCodes(planes, chosen, tables, self.radius, self.neighbours, self.absent)
