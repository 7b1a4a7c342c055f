"""Hash tables over some bits of many codes: the rows of each occupied key, and which occupied keys are close to a key.

A key is one word or several (`core.search.bucket_keys`). A table keeps its keys sorted and rows in one run, (key, row)
in order, so it is built by one sort and read by binary search. Where codes are many and keys short, most keys are
occupied and a key's closest are found by trying keys that differ in one bit, two, ...; where keys are long, few are,
and all of them are compared. The answer is the same.

Examples
--------
>>> import numpy as np
>>> table = Table.of(np.array([[5, 1, 5, 4]], np.uint64), bits=3)
>>> table.keys.tolist(), table.rows_at([2]).tolist()
([[1, 4, 5]], [0, 2])
>>> five, seven = np.array([5], np.uint64), np.array([7], np.uint64)
>>> table.keys[0, table.closest(five, 2)].tolist(), table.keys[0, table.within(seven, 1)].tolist()
([5, 1], [5])
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.arrays import Int32Rows, Int64Rows, UInt64Words
from core.search.bucket_keys import key_place, key_places, ring
from core.search.hamming.hamming_scan import nearest_by_hamming, within_hamming

_TRIES_PER_KEY = 64
"""Looking up a key of one word takes as long as comparing about so many in a row; of two words, four times as long."""

_LONGEST_DIRECT = 24
"""Bits of a key up to which making ready looks keys up in an array of all keys, not by binary search."""

_TRIES_AT_ONCE = 1 << 20
_TRIES = 1 << 24
_COMPARISONS = 1 << 30
"""What is spent on making one table ready: each takes about half a second."""

_NO_KEY = np.iinfo(np.int32).max


@dataclass(frozen=True, eq=False)
class HashTable:
    """The rows of every occupied key.

    Attributes
    ----------
    bits : int
        Length of a key.
    keys : uint64 array, (words, occupied)
        Ascending. Where a key stands in it is its *place*.
    starts : int64 array, (occupied + 1,)
        Where each key's rows begin in ``rows``.
    rows : int32 array, (n,)
        Ascending within a key.
    ready : int32 array, (occupied, held)
        The places of the closest occupied keys of every key, as :meth:`closest` gives them; a row of -1 where finding
        them would have taken too long, so that a query finds them.
    """

    bits: int
    keys: UInt64Words
    starts: npt.NDArray[np.int64]
    rows: Int32Rows
    ready: Int32Rows

    @classmethod
    def of(cls, keys: UInt64Words, bits: int, held: int = 0) -> HashTable:
        """Put rows into a table.

        Parameters
        ----------
        keys : uint64 array, (words, n)
            The key of each row, below 2 to the power of ``bits``.
        bits : int
            From 1 to ``LONGEST_KEY``.
        held : int
            How many closest occupied keys are held ready for each; a table has no more than it has keys.
        """
        n = keys.shape[1]
        row_bits = max(1, (n - 1).bit_length())
        if bits + row_bits <= 64:  # key and row in one word: sorting words is ten times as fast as sorting their places
            together = (keys[0] << np.uint64(row_bits)) | np.arange(n, dtype=np.uint64)
            together.sort()
            rows = (together & np.uint64((1 << row_bits) - 1)).astype(np.int32)
            in_order = (together >> np.uint64(row_bits))[None]
        else:
            rows = np.lexsort(keys[::-1]).astype(np.int32)
            in_order = keys[:, rows]
        new = (in_order[:, 1:] != in_order[:, :-1]).any(axis=0)
        firsts = np.flatnonzero(np.concatenate([np.ones(min(n, 1), np.bool_), new]))
        occupied = in_order[:, firsts]
        ready = _closest_of_all(occupied, bits, min(held, len(firsts)))
        return cls(bits, occupied, np.append(firsts, n).astype(np.int64), rows, ready)

    @property
    def bytes(self) -> int:
        """Its size."""
        return self.keys.nbytes + self.starts.nbytes + self.rows.nbytes + self.ready.nbytes

    def place(self, key: UInt64Words) -> int | None:
        """Find a key, (words,)."""
        place = key_place(self.keys, key)
        return place if place < len(self.starts) - 1 and self.keys[:, place].tolist() == key.tolist() else None

    def neighbour(self, key: UInt64Words) -> int:
        """Find the place of a key's neighbour in the sorted keys: of the two, the one that begins alike for longer."""
        after = key_place(self.keys, key)
        around = range(max(0, after - 1), min(after + 1, len(self.starts) - 1))
        return min(around, key=lambda place: (self.keys[:, place] ^ key).tolist())

    def closest(self, key: UInt64Words, count: int) -> Int64Rows:
        """Find the occupied keys closest in Hamming distance to a key, (words,).

        Returns
        -------
        int64 array, (found,)
            Places ordered by (distance, key), ``count`` of them or as many as there are.
        """
        count = min(count, self.keys.shape[1])
        if 0 < count <= self.ready.shape[1] and (place := self.place(key)) is not None and self.ready[place, 0] >= 0:
            return self.ready[place, :count].astype(np.int64)
        found: Int64Rows = np.empty(0, np.int64)
        for tried in self._cheap_rings():
            found = np.concatenate([found, self._occupied(tried ^ key[:, None])])
            if len(found) >= count:
                return found[:count]
        compared: Int64Rows = nearest_by_hamming(self.keys, key[None], count).rows[0]
        return compared

    def within(self, key: UInt64Words, radius: int) -> Int64Rows:
        """Find the occupied keys that differ from a key in at most so many bits: places, by (distance, key)."""
        rings = list(itertools.islice(self._cheap_rings(), radius + 1))
        if len(rings) <= min(radius, self.bits):
            return within_hamming(self.keys, key, radius).rows
        found: Int64Rows = np.concatenate([self._occupied(tried ^ key[:, None]) for tried in rings])
        return found

    def rows_at(self, places: Iterable[int]) -> Int32Rows:
        """Return the rows of some keys, one key's after the other's."""
        starts = self.starts
        return np.concatenate([self.rows[:0], *(self.rows[starts[place] : starts[place + 1]] for place in places)])

    def _occupied(self, keys: UInt64Words) -> Int64Rows:
        """Return the places of those keys, (words, n), that are occupied, ascending."""
        found: Int64Rows = np.minimum(key_places(self.keys, keys), self.keys.shape[1] - 1)
        same = self.keys[0, found] == keys[0]
        for word, own in zip(self.keys[1:], keys[1:], strict=True):
            same &= word[found] == own
        found = found[same]
        found.sort()
        return found

    def _cheap_rings(self) -> Iterator[UInt64Words]:
        """Yield what differs in no bit, one, two, ... while trying them takes less than comparing every key."""
        tries = 0
        for distance in range(self.bits + 1):
            tries += math.comb(self.bits, distance)
            if distance > 0 and tries * _TRIES_PER_KEY * len(self.keys) ** 2 > self.keys.shape[1]:
                return
            yield ring(self.bits, distance)


def _closest_of_all(keys: UInt64Words, bits: int, count: int) -> Int32Rows:
    """Find the closest keys of each key, as :meth:`Table.closest` does; -1 where that would take too long."""
    n = keys.shape[1]
    closest = np.full((n, count), _NO_KEY, np.int32)
    if count == 0:
        return closest
    unfinished = np.arange(n)
    tries = 0
    if bits <= _LONGEST_DIRECT:
        place_of = np.full(1 << bits, _NO_KEY, np.int32)
        place_of[keys[0]] = np.arange(n, dtype=np.int32)
        for distance in range(bits + 1):
            size = math.comb(bits, distance)
            tries += size * len(unfinished)
            if len(unfinished) == 0 or size > n or tries > _TRIES:
                break
            tried = ring(bits, distance)[0]
            step = max(1, _TRIES_AT_ONCE // size)
            for start in range(0, len(unfinished), step):
                some = unfinished[start : start + step]
                found = place_of[keys[0, some, None] ^ tried]
                if size > count:
                    found.partition(count - 1, axis=1)
                found = found[:, :count]
                found.sort(axis=1)
                closest[some] = _joined(closest[some], found)
            unfinished = unfinished[closest[unfinished, -1] == _NO_KEY]
    if len(unfinished) * n <= _COMPARISONS:
        closest[unfinished] = nearest_by_hamming(keys, keys[:, unfinished].T, count).rows
    else:
        closest[unfinished] = -1
    return closest


def _joined(closer: Int32Rows, further: Int32Rows) -> Int32Rows:
    """Append to each row what was found further away, without the gaps."""
    at = np.count_nonzero(closer != _NO_KEY, axis=1)[:, None] + np.arange(further.shape[1])
    row, column = np.nonzero((further != _NO_KEY) & (at < closer.shape[1]))
    closer[row, at[row, column]] = further[row, column]
    return closer
