"""Multi-index hashing: codes are cut into substrings, and near codes agree, nearly, in at least one of them."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Int64Numbers, OptionalMask, UInt32Rows, UInt64Words
from twinlens.core.compilation import compilation
from twinlens.core.declaration.declaration import parameter
from twinlens.core.search.hamming_scan import ROW_BITS, Keys, nearest_by_hamming
from twinlens.core.search.search_structure import Candidates, CodeSearch

_SHORTEST = 8
"""Bits of a substring where nothing else is said: fewer tell too little apart, however few codes there are."""

_LONGEST = 64
_SHARE = 1 / 16
"""Of what the scan costs: probing may cost so much before the scan takes over."""

_TRIED, _PROVED = 32, 4
"""Codes that are asked for their nearest beforehand, and of how many probing has to prove them: what it saves for so
many is worth what it costs in vain for the others.
"""

_LOOPS = "twinlens.core.search.multi_index_loops"


class MultiIndex(CodeSearch):
    """Looks only at codes that agree with the query's, nearly, in some part of it, and still misses nothing.

    Codes are cut into substrings, each with a table of its own. A code within a distance of the query is, in one
    substring at least, within a share of that distance: probing the tables in a growing radius finds all, until the
    nearest are proved. Where that costs more than a share of comparing every code, every code is compared, and for more
    candidates than codes have near ones that is done straight away.

    Choose it for many millions of codes, or for copies and near copies, and for few candidates. Otherwise the scan is
    as fast: with a million codes and a thousand candidates it is what answers nearly always. The tables take some three
    times as much as the codes.
    """

    key = "multi-index"
    title = "Multi-index hashing"
    paper = "Norouzi, Punjani and Fleet, Fast Search in Hamming Space with Multi-Index Hashing, CVPR 2012, section 3"

    substrings: int | None = parameter(
        None,
        ge=1,
        le=2_048,
        help="Into how many parts a code is cut. None: the bits divided by the binary logarithm of the number of "
        "codes, as the paper advises. Fewer are probed more often, more lead to more codes. A part has at most 64 bits "
        "and at least one.",
    )

    @property
    def exact(self) -> bool:
        """It compares every code that may be near."""
        return True

    def build(self, planes: UInt64Words, bits: int | None = None) -> SubstringTables:
        """Make a table for each substring of planar codes, (words, n)."""
        planes = np.asarray(planes)
        words, n = planes.shape
        bits = bits or 64 * words
        cuts = _cut(bits, self.substrings or max(1, round(bits / max(_SHORTEST, math.log2(max(n, 2))))))
        longest = max(length for _, length in cuts)
        prefix = min(longest, n.bit_length() + 2)
        starts = np.empty((len(cuts), (1 << prefix) + 1), np.uint32)
        rows = np.empty((len(cuts), n), np.uint32)
        keys = np.empty((len(cuts), n if longest > prefix else 0), np.uint64)
        for a, (start, length) in enumerate(cuts):
            values = substring(planes, start, length)
            rows[a], values = _sorted(values, length)
            first = (values >> np.uint64(max(0, length - prefix))).astype(np.int64)
            starts[a, 0] = 0
            np.cumsum(np.bincount(first, minlength=1 << prefix), out=starts[a, 1:])
            if keys.shape[1]:
                keys[a] = values
        return SubstringTables(planes, cuts, starts, rows, keys)


@dataclass(frozen=True, eq=False)
class SubstringTables:
    """For each substring, the rows in its order, and where each beginning begins.

    Attributes
    ----------
    planes : uint64 array, (words, n)
    substrings : tuple of (start, length)
        Bits of the code.
    starts : uint32 array, (m, 2**p + 1)
    rows : uint32 array, (m, n)
    keys : uint64 array, (m, n) or (m, 0)
        The substrings in order, where some have more than p bits; else ``starts`` says it all.
    """

    planes: UInt64Words
    substrings: tuple[tuple[int, int], ...]
    starts: UInt32Rows
    rows: UInt32Rows
    keys: UInt64Words

    @property
    def bytes(self) -> int:
        """Bytes of starts, rows and keys."""
        return self.starts.nbytes + self.rows.nbytes + self.keys.nbytes

    @cached_property
    def _shifts(self) -> npt.NDArray[np.int64]:
        prefix = (self.starts.shape[1] - 1).bit_length() - 1
        return np.array([max(0, length - prefix) for _, length in self.substrings], np.int64)

    @cached_property
    def _changes(self) -> npt.NDArray[np.int64]:
        """In how many ways so many bits of each substring can be flipped, (m, longest + 1); at most 2**48."""
        longest = max(length for _, length in self.substrings)
        ways = [[min(math.comb(length, s), 1 << 48) for s in range(longest + 1)] for _, length in self.substrings]
        return np.array(ways, np.int64)

    def _parts(self, code: UInt64Words) -> UInt64Words:
        """Return the substrings of one code, (m,)."""
        whole = int.from_bytes(code.astype("<u8").tobytes(), "little")
        parts = [(whole >> start) & ((1 << length) - 1) for start, length in self.substrings]
        return np.array(parts, np.uint64)

    def codes(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
        """Return the codes of rows, (words, len(rows))."""
        return self.planes[:, rows]

    @cached_property
    def most(self) -> int:
        """How many of the nearest are proved for enough of the codes: for more, probing is not tried."""
        n = self.planes.shape[1]
        tried = np.linspace(0, n - 1, min(n, _TRIED), dtype=np.int64)
        proved = sorted(self._probed(code, n, None)[3] for code in np.ascontiguousarray(self.planes[:, tried].T))
        return proved[-min(len(proved), _PROVED)]

    def candidates(self, code: UInt64Words, k: int, mask: OptionalMask = None) -> Candidates:
        """Find the k nearest codes, (words,) -> exact, ordered by (distance, row)."""
        n = self.planes.shape[1]
        allowed = n if mask is None else int(np.count_nonzero(mask))
        compared = probed = 0
        if 0 < k < allowed and k <= self.most:
            keys, probed, compared, proved = self._probed(np.ascontiguousarray(code), k, mask)
            if proved >= k:
                keys = np.sort(keys)[:k]
                return Candidates(keys & ((1 << ROW_BITS) - 1), keys >> ROW_BITS, compared, probed)
        found = nearest_by_hamming(self.planes, code[None, :], k, mask)
        return Candidates(found.rows[0], found.distances[0].astype(np.int64), compared + n, probed)

    def _probed(self, code: UInt64Words, k: int, mask: OptionalMask) -> tuple[npt.NDArray[np.int64], int, int, int]:
        """Do what :func:`twinlens.core.search.multi_index.plain_search` does, within the share of a scan."""
        n = self.planes.shape[1]
        seen = np.zeros(-(-n // 8), np.uint8) if mask is None else np.packbits(~mask, bitorder="little")
        budget = int(_SHARE * self.planes.size)
        search = compilation.loops(_LOOPS).search if compilation.worth(budget) else plain_search
        tables = (self.starts, self.rows, self.keys, self._parts(code), self._shifts, self._changes)
        found: tuple[npt.NDArray[np.int64], int, int, int] = search(self.planes, code, *tables, seen, k, budget)
        return found


def substring(planes: UInt64Words, start: int, length: int) -> UInt64Words:
    """Return bits ``start`` and following of every code, at most 64, as a number: (words, n) -> (n,)."""
    word, shift = divmod(start, 64)
    values: UInt64Words = planes[word] >> np.uint64(shift)
    if shift + length > 64:
        values |= planes[word + 1] << np.uint64(64 - shift)
    values &= np.uint64((1 << length) - 1)
    return values


def _cut(bits: int, parts: int) -> tuple[tuple[int, int], ...]:
    """Cut the bits of a code into parts that differ by at most one bit, the longer first."""
    parts = min(bits, max(parts, -(-bits // _LONGEST)))
    starts = [-(-bits * i // parts) for i in range(parts + 1)]
    return tuple((start, stop - start) for start, stop in itertools.pairwise(starts))


def _sorted(values: UInt64Words, length: int) -> tuple[npt.NDArray[np.integer], UInt64Words]:
    """Order rows by their value, then row; return the rows and the values in that order."""
    row_bits = len(values).bit_length()
    if length + row_bits > 64:
        order = np.argsort(values, kind="stable")
        return order, values[order]
    # One number for both sorts several times as fast as the order of the values alone.
    both = (values << np.uint64(row_bits)) | np.arange(len(values), dtype=np.uint64)
    both.sort()
    return (both & np.uint64((1 << row_bits) - 1)).astype(np.uint32), both >> np.uint64(row_bits)


PROBE = 32
"""Cost of a look-up of a bucket, in words scanned: about a third of a nanosecond each."""

ENTRY, WORD = 120, 60
"""Cost of a row of a bucket, and of each word of its code: it lies anywhere, while a scan reads straight on."""


def plain_search(
    planes: UInt64Words,
    query: UInt64Words,
    starts: UInt32Rows,
    rows: UInt32Rows,
    keys: UInt64Words,
    values: UInt64Words,
    shifts: Int64Numbers,
    changes: Int64Numbers,
    seen: npt.NDArray[np.uint8],
    k: int,
    budget: int,
) -> tuple[Keys, int, int, int]:
    """Probe the substrings' tables in growing radius until the k nearest rows are proved, or it costs too much.

    Parameters
    ----------
    planes : uint64 array, (words, n)
    query : uint64 array, (words,)
    starts : uint32 array, (m, 2**p + 1)
        Where the rows begin whose substring begins with so many of its highest bits.
    rows : uint32 array, (m, n)
        In the order of their substring.
    keys : uint64 array, (m, n) or (m, 0)
        The substrings, in order; only where some are longer than p bits.
    values : uint64 array, (m,)
        The query's substrings.
    shifts : int64 array, (m,)
        How many bits of a substring are beyond the first p.
    changes : int64 array, (m, longest + 1)
        ``changes[a, s]``: in how many ways s bits of substring a can be flipped.
    seen : uint8 array, (ceil(n / 8),)
        A bit for each row, the first in the lowest; set for rows that may not be found. Changed.
    k : int
        At least 1, at most the number of rows that may be found.
    budget : int
        What it may cost, in words scanned.

    Returns
    -------
    tuple
        Keys of rows, ``distance << 48 | row``, in no order: if k are proved, all up to the k-th distance; buckets
        probed; rows compared; and how many of the nearest are proved, k or more or as many as the budget allows.
    """
    found: list[Keys] = []
    histogram = np.zeros(64 * len(query) + 1, np.int64)
    compared, probed, work, proved = 0, 0, 0, 0
    entry = ENTRY + WORD * len(query)
    for flipped in range(changes.shape[1]):
        for a in range(len(values)):
            if int(changes[a, flipped]) * PROBE > budget - work:
                return np.concatenate([*found, np.empty(0, np.int64)]), probed, compared, proved
            low, high = _buckets(starts[a], keys[a], values[a] ^ _flips(int(changes[a, 1]), flipped), int(shifts[a]))
            costs = np.cumsum(PROBE + entry * (high - low)) + work
            within = int(np.searchsorted(costs, budget, side="right"))
            new = np.unique(rows[a][_ranges(low[:within], high[:within])]).astype(np.int64)
            new = new[(seen[new >> 3] >> (new & 7).astype(np.uint8)) & 1 == 0]
            np.bitwise_or.at(seen, new >> 3, (1 << (new & 7)).astype(np.uint8))
            distances = np.bitwise_count(planes[:, new] ^ query[:, None]).sum(axis=0, dtype=np.int64)
            histogram += np.bincount(distances, minlength=len(histogram))
            found.append((distances << ROW_BITS) | new)
            compared += len(new)
            probed += within
            if within < len(costs):
                return np.concatenate(found), probed, compared, proved
            work = int(costs[-1]) if len(costs) else work
            # With substrings to a probed to radius s and the others to s - 1, all codes within m s + a are found.
            radius = len(values) * flipped + a
            proved += int(histogram[radius]) if radius < len(histogram) else 0
            if proved >= k:
                everything = np.concatenate(found)
                limit = int(np.searchsorted(np.cumsum(histogram), k))
                return everything[everything >> ROW_BITS <= limit], probed, compared, proved
    return np.concatenate(found), probed, compared, proved


def _buckets(
    starts: UInt32Rows, keys: UInt64Words, values: UInt64Words, shift: int
) -> tuple[Int64Numbers, Int64Numbers]:
    """Return where the rows with these values begin and end."""
    if shift:
        return np.searchsorted(keys, values, "left"), np.searchsorted(keys, values, "right")
    places = values.astype(np.int64)
    return starts[places].astype(np.int64), starts[places + 1].astype(np.int64)


def _ranges(low: Int64Numbers, high: Int64Numbers) -> Int64Numbers:
    """Put ranges one after the other."""
    sizes = high - low
    before = np.cumsum(sizes) - sizes
    places: Int64Numbers = np.arange(int(sizes.sum())) + np.repeat(low - before, sizes)
    return places


@lru_cache(maxsize=64)
def _flips(length: int, flipped: int) -> UInt64Words:
    """Return all numbers of so many bits of which so many are set, ascending."""
    if flipped in {0, length}:
        return np.array([(1 << flipped) - 1], np.uint64)
    if flipped > length:
        return np.empty(0, np.uint64)
    highest = np.uint64(1 << (length - 1))
    return np.concatenate([_flips(length - 1, flipped), _flips(length - 1, flipped - 1) | highest])
