"""Hash tables over some bits of many codes: the rows of each occupied key, and which occupied keys are close to a key.

A table keeps its keys sorted and rows in one run, (key, row) in order, so it is built by one sort and read by binary
search. Where codes are many and keys short, most keys are occupied and a key's closest are found by trying keys that
differ in one bit, two, ...; where keys are long, few are, and all of them are compared. The answer is the same.

Examples
--------
>>> import numpy as np
>>> table = Table.of(np.array([5, 1, 5, 4], np.uint64), bits=3)
>>> table.keys.tolist(), table.rows_at([2]).tolist()
([1, 4, 5], [0, 2])
>>> table.keys[table.closest(5, 2)].tolist(), table.keys[table.within(7, 1)].tolist()
([5, 1], [5])
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.search.hamming.hamming_scan import nearest, within

Words = npt.NDArray[np.uint64]
Places = npt.NDArray[np.int64]
Rows = npt.NDArray[np.int32]

LONGEST_KEY = 64
"""Bits of a key at most: it is one word."""

_BLOCK = 16_384
"""Rows whose keys are made at once: they stay in the cache while bit after bit is added."""

_TRIES_PER_KEY = 64
"""Looking one key up takes about as long as comparing so many keys in a row."""

_LONGEST_DIRECT = 24
"""Bits of a key up to which making ready looks keys up in an array of all keys, not by binary search."""

_TRIES_AT_ONCE = 1 << 20
_TRIES = 1 << 24
_COMPARISONS = 1 << 30
"""What is spent on making one table ready: each takes about half a second."""

_NO_KEY = np.iinfo(np.int32).max


def draw_bits(bits: int, key_bits: int, tables: int, seed: int) -> npt.NDArray[np.int64]:
    """Draw which bits of a code are the key of each table.

    Parameters
    ----------
    bits : int
        Length of a code, at least 1.
    key_bits : int
        From 1 to ``bits``.
    tables, seed : int

    Returns
    -------
    int64 array, (tables, key_bits)
        Distinct within a table; tables share no bit until the code has not enough unused ones left for another table.
    """
    rng = np.random.default_rng(seed)
    drawn = np.empty((tables, key_bits), np.int64)
    left = np.empty(0, np.int64)
    for chosen in drawn:
        if len(left) < key_bits:
            left = rng.permutation(bits)
        chosen[:], left = left[:key_bits], left[key_bits:]
    return drawn


def keys_of(planes: Words, chosen: npt.NDArray[np.int64]) -> Words:
    """Make keys of some bits of codes.

    Parameters
    ----------
    planes : uint64 array, (words, n)
    chosen : int64 array, (key_bits,)
        Numbers of bits; the first becomes the highest of the key.

    Returns
    -------
    uint64 array, (n,)
    """
    n = planes.shape[1]
    keys = np.zeros(n, np.uint64)
    one = np.uint64(1)
    for start in range(0, n, _BLOCK):
        block, made = planes[:, start : start + _BLOCK], keys[start : start + _BLOCK]
        for bit in chosen.tolist():
            made <<= one
            made |= (block[bit // 64] >> np.uint64(bit % 64)) & one
    return keys


def keys_of_one(code: Words, chosen: npt.NDArray[np.int64]) -> list[int]:
    """Make the keys of one code, (words,), in all tables, (tables, key_bits): what :func:`keys_of` makes of each."""
    ones = (code[chosen // 64] >> (chosen % 64).astype(np.uint64)) & np.uint64(1)
    keys: list[int] = (ones << np.arange(chosen.shape[1], dtype=np.uint64)[::-1]).sum(axis=1, dtype=np.uint64).tolist()
    return keys


@dataclass(frozen=True, eq=False)
class Table:
    """The rows of every occupied key.

    Attributes
    ----------
    bits : int
        Length of a key.
    keys : uint64 array, (occupied,)
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
    keys: Words
    starts: npt.NDArray[np.int64]
    rows: Rows
    ready: Rows

    @classmethod
    def of(cls, keys: Words, bits: int, held: int = 0) -> Table:
        """Put rows into a table.

        Parameters
        ----------
        keys : uint64 array, (n,)
            The key of each row, below 2 to the power of ``bits``.
        bits : int
            From 1 to ``LONGEST_KEY``.
        held : int
            How many closest occupied keys are held ready for each; a table has no more than it has keys.
        """
        n = len(keys)
        row_bits = max(1, (n - 1).bit_length())
        if bits + row_bits <= 64:  # key and row in one word: sorting words is ten times as fast as sorting their places
            together = (keys << np.uint64(row_bits)) | np.arange(n, dtype=np.uint64)
            together.sort()
            rows = (together & np.uint64((1 << row_bits) - 1)).astype(np.int32)
            in_order = together >> np.uint64(row_bits)
        else:
            rows = np.argsort(keys, kind="stable").astype(np.int32)
            in_order = keys[rows]
        firsts = np.flatnonzero(np.concatenate([np.ones(min(n, 1), np.bool_), in_order[1:] != in_order[:-1]]))
        occupied = in_order[firsts]
        ready = _closest_of_all(occupied, bits, min(held, len(occupied)))
        return cls(bits, occupied, np.append(firsts, n).astype(np.int64), rows, ready)

    @property
    def bytes(self) -> int:
        """Its size."""
        return self.keys.nbytes + self.starts.nbytes + self.rows.nbytes + self.ready.nbytes

    def place(self, key: int) -> int | None:
        """Find a key."""
        place = int(np.searchsorted(self.keys, np.uint64(key)))
        return place if place < len(self.keys) and int(self.keys[place]) == key else None

    def neighbour(self, key: int) -> int:
        """Find the place of a key's neighbour in the sorted keys: of the two, the one that begins alike for longer."""
        after = int(np.searchsorted(self.keys, np.uint64(key)))
        around = range(max(0, after - 1), min(after + 1, len(self.keys)))
        return min(around, key=lambda place: int(self.keys[place]) ^ key)

    def closest(self, key: int, count: int) -> Places:
        """Find the occupied keys closest in Hamming distance.

        Returns
        -------
        int64 array, (found,)
            Places ordered by (distance, key), ``count`` of them or as many as there are.
        """
        count = min(count, len(self.keys))
        if 0 < count <= self.ready.shape[1] and (place := self.place(key)) is not None and self.ready[place, 0] >= 0:
            return self.ready[place, :count].astype(np.int64)
        found: Places = np.empty(0, np.int64)
        for ring in self._cheap_rings():
            found = np.concatenate([found, self._occupied(ring ^ np.uint64(key))])
            if len(found) >= count:
                return found[:count]
        compared: Places = nearest(self.keys[None], np.array([[key]], np.uint64), count).rows[0]
        return compared

    def within(self, key: int, radius: int) -> Places:
        """Find the occupied keys that differ from a key in at most so many bits: places, by (distance, key)."""
        rings = list(itertools.islice(self._cheap_rings(), radius + 1))
        if len(rings) <= min(radius, self.bits):
            return within(self.keys[None], np.array([key], np.uint64), radius).rows
        found: Places = np.concatenate([self._occupied(ring ^ np.uint64(key)) for ring in rings])
        return found

    def rows_at(self, places: Iterable[int]) -> Rows:
        """Return the rows of some keys, one key's after the other's."""
        starts = self.starts
        return np.concatenate([self.rows[:0], *(self.rows[starts[place] : starts[place + 1]] for place in places)])

    def _occupied(self, keys: Words) -> Places:
        """Return the places of those keys that are occupied, ascending."""
        places = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        found: Places = places[self.keys[places] == keys].astype(np.int64)
        found.sort()
        return found

    def _cheap_rings(self) -> Iterator[Words]:
        """Yield what differs in no bit, one, two, ... while trying them takes less than comparing every key."""
        tries = 0
        for distance in range(self.bits + 1):
            tries += math.comb(self.bits, distance)
            if distance > 0 and tries * _TRIES_PER_KEY > len(self.keys):
                return
            yield _ring(self.bits, distance)


@functools.lru_cache(64)
def _ring(bits: int, distance: int) -> Words:
    """Return all words of so many bits with ``distance`` ones."""
    ones = [sum(1 << bit for bit in chosen) for chosen in itertools.combinations(range(bits), distance)]
    return np.array(ones, np.uint64)


def _closest_of_all(keys: Words, bits: int, count: int) -> Rows:
    """Find the closest keys of each key, as :meth:`Table.closest` does; -1 where that would take too long."""
    closest = np.full((len(keys), count), _NO_KEY, np.int32)
    if count == 0:
        return closest
    unfinished = np.arange(len(keys))
    tries = 0
    if bits <= _LONGEST_DIRECT:
        place_of = np.full(1 << bits, _NO_KEY, np.int32)
        place_of[keys] = np.arange(len(keys), dtype=np.int32)
        for distance in range(bits + 1):
            size = math.comb(bits, distance)
            tries += size * len(unfinished)
            if len(unfinished) == 0 or size > len(keys) or tries > _TRIES:
                break
            ring = _ring(bits, distance)
            step = max(1, _TRIES_AT_ONCE // size)
            for start in range(0, len(unfinished), step):
                some = unfinished[start : start + step]
                found = place_of[keys[some, None] ^ ring]
                if size > count:
                    found.partition(count - 1, axis=1)
                found = found[:, :count]
                found.sort(axis=1)
                closest[some] = _joined(closest[some], found)
            unfinished = unfinished[closest[unfinished, -1] == _NO_KEY]
    if len(unfinished) * len(keys) <= _COMPARISONS:
        closest[unfinished] = nearest(keys[None], keys[unfinished, None], count).rows
    else:
        closest[unfinished] = -1
    return closest


def _joined(closer: Rows, further: Rows) -> Rows:
    """Append to each row what was found further away, without the gaps."""
    at = np.count_nonzero(closer != _NO_KEY, axis=1)[:, None] + np.arange(further.shape[1])
    row, column = np.nonzero((further != _NO_KEY) & (at < closer.shape[1]))
    closer[row, at[row, column]] = further[row, column]
    return closer
