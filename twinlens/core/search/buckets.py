"""Hash tables over some bits of the codes: a query is compared only with codes in the buckets of its key or near it.

A key is some bits of a code, held in one 64-bit word or several, the highest first: (words,), and of many (words, n), a
row a word. A table keeps its keys sorted and rows in one run, (key, row) in order, so it is built by one sort and read
by binary search. Where codes are many and keys short, most keys are occupied and a key's closest are found by trying
keys that differ in one bit, two, ...; where keys are long, few are, and all of them are compared. The results are the
same.

Where a query's key is not in a table, the closest occupied keys are the better way on. Of a million clustered codes of
256 bits, for 100 queries, in tables by 28 bits, where two thirds of the queries' keys are absent, they led to 29 % of
the ten nearest codes and to the nearest for all queries; the paper's neighbour in the sorted keys to 24.5 %, and to the
nearest for 95. In tables by 20 bits, a quarter absent, it was 36.2 % and 35.5 %, the nearest for 98 by both. With keys
as short as the default's hardly any is absent.

Examples
--------
>>> import numpy as np
>>> table = HashTable.of(np.array([[5, 1, 5, 4]], np.uint64), bits=3)
>>> table.keys.tolist(), table.rows_at([2]).tolist()
([[1, 4, 5]], [0, 2])
>>> five, seven = np.array([5], np.uint64), np.array([7], np.uint64)
>>> table.keys[0, table.closest(five, 2)].tolist(), table.keys[0, table.within(seven, 1)].tolist()
([5, 1], [5])
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Int32Rows, Int64Rows, IntegerRows, OptionalMask, UInt64Words
from twinlens.core.declaration.declaration import parameter
from twinlens.core.search.hamming_scan import nearest_by_hamming, nearest_of, within_hamming
from twinlens.core.search.search_structure import Candidates, CodeSearch

Absent = Literal["closest", "lexicographic"]
_CODES_PER_KEY = 32
"""Codes that a possible key has on average when nothing is said of the length of keys."""


LONGEST_KEY = 256
"""Bits of a key at most: four words. So long a key, two items share only where their codes are almost the same."""


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


_TRIES_PER_KEY = 64
"""Looking up a key of one word takes as long as comparing about so many in a row; of two words, four times as long."""

_LONGEST_DIRECT = 24
"""Bits of a key up to which making ready looks keys up in an array of all keys, not by binary search."""

_TRIES_AT_ONCE = 1 << 20
_TRIES = 1 << 24
_COMPARISONS = 1 << 30
"""Budget for preparing one table: each takes about half a second."""

_NO_KEY = np.iinfo(np.int32).max


def _closest_of_all(keys: UInt64Words, bits: int, count: int) -> Int32Rows:
    """Find the closest keys of each key, as :meth:`HashTable.closest` does; -1 where that would take too long."""
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


_BLOCK = 16_384
"""Rows whose keys are made at once: they stay in the cache while bit after bit is added."""


def draw_bits(bits: int, key_bits: int, tables: int, seed: int) -> npt.NDArray[np.int64]:
    """Draw which bits of a code are the key of each table.

    Parameters
    ----------
    bits : int
        Length of a code, at least 1.
    key_bits : int
        From 1 to ``bits``.

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


def keys_of(planes: UInt64Words, chosen: npt.NDArray[np.int64]) -> UInt64Words:
    """Make keys of some bits of codes.

    Parameters
    ----------
    planes : uint64 array, (words, n)
    chosen : int64 array, (key_bits,)
        Numbers of bits; the first becomes the highest of the key.

    Returns
    -------
    uint64 array, (ceil(key_bits / 64), n)
    """
    n = planes.shape[1]
    parts = _words(len(chosen))
    keys = np.zeros((len(parts), n), np.uint64)
    one = np.uint64(1)
    for start in range(0, n, _BLOCK):
        block = planes[:, start : start + _BLOCK]
        for word, bits in enumerate(parts):
            made = keys[word, start : start + _BLOCK]
            for bit in chosen[bits].tolist():
                made <<= one
                made |= (block[bit // 64] >> np.uint64(bit % 64)) & one
    return keys


def keys_of_one(code: UInt64Words, chosen: npt.NDArray[np.int64]) -> UInt64Words:
    """Make the keys of one code, (words,), in all tables, (tables, key_bits): what :func:`keys_of` makes of each.

    Returns
    -------
    uint64 array, (tables, ceil(key_bits / 64))
    """
    ones = (code[chosen // 64] >> (chosen % 64).astype(np.uint64)) & np.uint64(1)
    parts = _words(chosen.shape[1])
    keys = np.empty((len(chosen), len(parts)), np.uint64)
    for word, bits in enumerate(parts):
        own = ones[:, bits]
        (own << np.arange(own.shape[1], dtype=np.uint64)[::-1]).sum(axis=1, out=keys[:, word])
    return keys


@functools.cache
def _words(bits: int) -> tuple[slice, ...]:
    """Cut the bits of a key, the highest first, into its words: all but the first have 64."""
    ends = range(bits, 0, -64)
    return tuple(slice(max(0, end - 64), end) for end in reversed(ends))


@functools.lru_cache(64)
def ring(bits: int, distance: int) -> UInt64Words:
    """Return all keys of so many bits with ``distance`` ones, (words, n)."""
    chosen = np.array(list(itertools.combinations(range(bits), distance)), np.int64)
    keys = np.zeros((len(_words(bits)), len(chosen)), np.uint64)
    for bit in chosen.reshape(len(chosen), distance).T:
        keys[-1 - bit // 64, np.arange(len(chosen))] |= np.uint64(1) << (bit % 64).astype(np.uint64)
    return keys


def key_place(keys: UInt64Words, wanted: UInt64Words) -> int:
    """Find the first of ascending keys, (words, n), that is not below another, (words,)."""
    if len(keys) == 1:
        return int(keys[0].searchsorted(wanted[0]))
    first, last = 0, keys.shape[1]
    for word, own in zip(keys, wanted, strict=True):
        among = word[first:last]
        first, last = first + int(among.searchsorted(own)), first + int(among.searchsorted(own, "right"))
    return first


def key_places(keys: UInt64Words, wanted: UInt64Words) -> Int64Rows:
    """Find the first of ascending keys, (words, n), that is not below each of others, (words, m) -> (m,)."""
    if len(keys) == 1:
        return np.asarray(keys[0].searchsorted(wanted[0]), np.int64)
    n = keys.shape[1]
    first, last = np.zeros(wanted.shape[1], np.int64), np.full(wanted.shape[1], n, np.int64)
    for _ in range(n.bit_length()):
        middle = (first + last) // 2
        below = (middle < last) & _is_below(keys[:, np.minimum(middle, n - 1)], wanted)
        first, last = np.where(below, middle + 1, first), np.where(below, last, middle)
    return first


def _is_below(keys: UInt64Words, others: UInt64Words) -> npt.NDArray[np.bool_]:
    """Compare keys word by word, the highest first, (words, n) -> (n,)."""
    below = np.zeros(keys.shape[1], np.bool_)
    for word, other in zip(keys[::-1], others[::-1], strict=True):
        below = (word < other) | ((word == other) & below)
    return below
