"""Permuted sorted lists: codes sorted again and again with their bits in another order, so that near codes meet."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Int64Numbers, OptionalMask, UInt32Rows, UInt64Words
from twinlens.core.compilation import compilation
from twinlens.core.declaration.declaration import parameter
from twinlens.core.errors import TwinlensError
from twinlens.core.search.grouped_codes import group_equal
from twinlens.core.search.hamming_scan import ROW_BITS, Keys, nearest_by_hamming
from twinlens.core.search.search_structure import Candidates, CodeSearch
from twinlens.core.systems import system

_LOOPS = "twinlens.core.search.permuted_lists_loops"
_FIRST_BITS = 32
"""Bits of a code sorted at once, beside the row, in one word."""

_PLACE = 64
"""Cost of a visited place of a list, in words scanned."""

_PLACES_PER_ROW = 8
"""Places that may be visited for each row wanted, even if they cost more than scanning."""


class Permuted(CodeSearch):
    """Looks a code up in many sorted lists, each with the bits in another order, and at what stands near it there.

    In every list it goes up and down from the query's place, the codes with the longest common beginning first, until
    twice as many codes as lists are met; those are ordered by their distance. A code equal to the query's is among the
    first; a near one is missed if it stands near in no list. Where going on would cost more than comparing every code,
    because lists repeat each other or a filter leaves few, every code is compared.

    Choose it to repeat the paper's searches, or where a query has to be answered in a time that hardly grows with the
    library. Each list takes 4 bytes a code: a million codes take a gigabyte, and half a minute of a processor to sort.
    """

    key = "permuted"
    title = "Permuted sorted lists"
    paper = (
        "Charikar, Similarity Estimation Techniques from Rounding Algorithms, STOC 2002, section 5, as in Jain, Kulis "
        "and Grauman, Fast Image Search for Learned Metrics, CVPR 2008, section 4"
    )

    epsilon: float = parameter(
        1.5,
        gt=0,
        le=100,
        help="How much farther than the nearest a find may be: there are n to the power of 1 / (1 + epsilon) lists for "
        "n codes. A smaller one makes more lists, which find more and take more memory.",
    )
    lists: int | None = parameter(
        None, ge=1, le=100_000, unit="lists", help="How many sorted lists; none: as many as epsilon and the codes say."
    )
    spread: int = parameter(
        1,
        ge=1,
        le=100_000,
        help="How many codes are read for each list and direction: 1 as in the paper, that is, two for each list. "
        "More finds more of the nearest, and takes longer.",
    )
    memory: int = parameter(
        1_024,
        ge=1,
        le=1_000_000,
        unit="MB",
        help="What the lists may take. Where epsilon says more lists, there are as many as that holds; where lists "
        "does, they are refused.",
    )
    seed: int = parameter(
        0, ge=0, le=2**31 - 1, help="Start of every random draw: the same seed gives the same orders of the bits."
    )

    def build(self, planes: UInt64Words, bits: int | None = None) -> PermutedLists:
        """Sort planar codes, (words, n), in as many orders as there are lists.

        Raises
        ------
        TwinlensError
            If the lists that are asked for take more than ``memory``.
        """
        planes = np.asarray(planes)
        words, n = planes.shape
        bits = bits or 64 * words
        prefix = min(bits, max(0, n.bit_length() - 5))
        count = self._count(n, 4 * n + 4 * ((1 << prefix) + 1) + 2 * bits)
        rng = np.random.default_rng(self.seed)
        orders = rng.permuted(np.tile(np.arange(bits, dtype=np.uint16), (count, 1)), axis=1)
        starts = np.zeros((count, (1 << prefix) + 1), np.uint32)
        rows = np.empty((count, n), np.uint32)
        groups = group_equal(planes)
        kinds = np.empty(n, np.int64)
        kinds[groups.rows] = np.repeat(np.arange(len(groups.offsets) - 1), np.diff(groups.offsets))

        def fill(a: int) -> None:
            rows[a], first = _sorted(planes, orders[a].astype(np.int64), kinds, prefix)
            np.cumsum(np.bincount(first, minlength=1 << prefix), out=starts[a, 1:])

        with ThreadPoolExecutor(min(count, system.processors()), thread_name_prefix="sort") as pool:
            list(pool.map(fill, range(count)))
        return PermutedLists(planes, orders, starts, rows, 2 * self.spread * count)

    def count(self, n: int) -> int:
        """Return the number of lists for n codes, as far as memory goes."""
        return self.lists or max(1, round(math.pow(n, 1 / (1 + self.epsilon))))

    def _count(self, n: int, list_bytes: int) -> int:
        """Return how many lists of so many bytes there are for n codes."""
        most = max(1, self.memory * 2**20 // list_bytes)
        if self.lists is None:
            return min(most, self.count(n))
        if self.lists > most:
            megabytes = self.lists * list_bytes / 2**20
            raise TwinlensError(
                "{lists} sorted lists of {n} codes take {megabytes:,.0f} MB, more than the {memory} MB that they may.",
                "Choose at most {most} lists, or allow more memory.",
                lists=self.lists,
                n=n,
                megabytes=megabytes,
                memory=self.memory,
                most=most,
            )
        return self.lists


@dataclass(frozen=True, eq=False)
class PermutedLists:
    """The rows, sorted by their codes in several orders of the bits.

    Attributes
    ----------
    planes : uint64 array, (words, n)
    orders : uint16 array, (lists, bits)
    starts : uint32 array, (lists, 2**p + 1)
        Where the codes begin whose first p bits are these.
    rows : uint32 array, (lists, n)
    wanted : int
        How many rows are compared with a query.
    """

    planes: UInt64Words
    orders: npt.NDArray[np.uint16]
    starts: UInt32Rows
    rows: UInt32Rows
    wanted: int

    @property
    def bytes(self) -> int:
        """Bytes of the lists."""
        return self.orders.nbytes + self.starts.nbytes + self.rows.nbytes

    def codes(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
        """Return the codes of rows, (words, len(rows))."""
        return self.planes[:, rows]

    def candidates(self, code: UInt64Words, k: int, mask: OptionalMask = None) -> Candidates:
        """Return the k nearest of the codes met in the lists, ordered by (distance, row)."""
        words, n = self.planes.shape
        allowed = n if mask is None else int(np.count_nonzero(mask))
        compared = probed = 0
        if k > 0 and self.wanted < allowed:
            seen = np.zeros(-(-n // 8), np.uint8) if mask is None else np.packbits(~mask, bitorder="little")
            most = max(_PLACES_PER_ROW * self.wanted, words * n // _PLACE)
            search = compilation.loops(_LOOPS).search if compilation.worth(words * n) else plain_search
            lists = (self.orders, self.starts, self.rows)
            keys, probed, enough = search(self.planes, np.ascontiguousarray(code), *lists, seen, self.wanted, most)
            if enough:
                best = np.sort(keys)[:k]
                return Candidates(best & ((1 << ROW_BITS) - 1), best >> ROW_BITS, len(keys), probed)
            compared = len(keys)
        found = nearest_by_hamming(self.planes, code[None, :], min(k, self.wanted), mask)
        return Candidates(found.rows[0], found.distances[0].astype(np.int64), compared + n, probed)


def _sorted(
    planes: UInt64Words, order: Int64Numbers, kinds: Int64Numbers, prefix: int
) -> tuple[UInt32Rows, Int64Numbers]:
    """Sort rows by their codes with the bits in an order, then by row.

    Parameters
    ----------
    planes : uint64 array, (words, n)
    order : int64 array, (bits,)
        The bits of the code, the one that counts most first.
    kinds : int64 array, (n,)
        Equal for equal codes.
    prefix : int
        At most 32.

    Returns
    -------
    tuple
        The rows, (n,), and the first bits of their codes, so many as ``prefix`` says, as numbers, (n,).
    """
    n = planes.shape[1]
    depth = min(_FIRST_BITS, len(order))
    values = _gathered(planes, order[:depth])
    values = (values << np.uint64(32)) | np.arange(n, dtype=np.uint64)
    values.sort()
    rows = (values & np.uint64(2**32 - 1)).astype(np.uint32)
    values >>= np.uint64(32)
    first = (values >> np.uint64(depth - prefix)).astype(np.int64)
    alike = np.concatenate([[False], values[1:] == values[:-1], [False]])
    places = np.flatnonzero(alike[1:] | alike[:-1])
    values = values[places]
    while depth < len(order) and len(places):
        # Codes that agree so far, and are not all equal, are sorted by the bits that follow.
        groups = np.cumsum(np.concatenate([[False], values[1:] != values[:-1]]))
        unsorted = np.zeros(len(places), np.bool_)
        some = kinds[rows[places]]
        unsorted[groups[1:][(groups[1:] == groups[:-1]) & (some[1:] != some[:-1])]] = True
        kept = unsorted[groups]
        places, groups = places[kept], groups[kept].astype(np.uint64)
        if len(places) == 0:
            break
        place_bits, group_bits = len(places).bit_length(), int(groups[-1]).bit_length()
        taken = min(64 - place_bits - group_bits, len(order) - depth)
        values = _gathered(planes[:, rows[places]], order[depth : depth + taken])
        values |= groups << np.uint64(taken)
        values = (values << np.uint64(place_bits)) | np.arange(len(places), dtype=np.uint64)
        values.sort()
        rows[places] = rows[places[(values & np.uint64((1 << place_bits) - 1)).astype(np.int64)]]
        values >>= np.uint64(place_bits)
        depth += taken
    return rows, first


def _gathered(planes: UInt64Words, chosen: Int64Numbers) -> UInt64Words:
    out = np.empty(planes.shape[1], np.uint64)
    gather = compilation.loops(_LOOPS).gather if compilation.worth(planes.size) else plain_gather
    gather(planes, chosen, out)
    return out


Orders = npt.NDArray[np.uint16]
_AT_ONCE = 8_192
"""Rows whose bits are put in another order at once."""

_BLOCK = 16_384
_FEWEST = 4


def plain_gather(planes: UInt64Words, chosen: npt.NDArray[np.integer], out: UInt64Words) -> None:
    """Write the chosen bits of every code, at most 64, as a number: the first is the highest.

    Parameters
    ----------
    planes : uint64 array, (words, n)
    chosen : int64 array, (b,)
    out : uint64 array, (n,)
        Filled.
    """
    room = np.empty(min(_BLOCK, len(out)), np.uint64)
    for first in range(0, len(out), _BLOCK):
        values = out[first : first + _BLOCK]
        bit = room[: len(values)]
        values[:] = 0
        for place in chosen.tolist():
            np.right_shift(planes[place >> 6, first : first + _BLOCK], np.uint64(place & 63), out=bit)
            bit &= np.uint64(1)
            values <<= np.uint64(1)
            values |= bit


def plain_search(
    planes: UInt64Words,
    query: UInt64Words,
    orders: Orders,
    starts: UInt32Rows,
    rows: UInt32Rows,
    seen: npt.NDArray[np.uint8],
    wanted: int,
    most: int,
) -> tuple[Keys, int, bool]:
    """Walk outward from the query's place in all lists, along the longest common prefix, until enough rows are met.

    Parameters
    ----------
    planes : uint64 array, (words, n)
    query : uint64 array, (words,)
    orders : uint16 array, (lists, bits)
        The order of the bits in each list.
    starts : uint32 array, (lists, 2**p + 1)
        Where the codes begin whose first p bits are these; a short cut that this twin does without.
    rows : uint32 array, (lists, n)
        In the order of their codes' bits, first bit first, then of the row.
    seen : uint8 array, (ceil(n / 8),)
        A bit for each row, the first in the lowest; set for rows that may not be found. Changed by the compiled loop.
    wanted : int
        How many rows, at least 1.
    most : int
        How many places may be visited.

    Returns
    -------
    tuple
        Keys of the rows met, ``distance << 48 | row``, in no order; places visited; and whether as many as wanted, or
        all, were met within these.
    """
    lists, n = rows.shape
    at = _places(planes, query, orders, rows)
    # Side 2 l goes down list l from the place before the query's, side 2 l + 1 goes up from it.
    steps = np.tile([-1, 1], lists)
    first = np.repeat(at, 2) + np.minimum(steps, 0)
    room = np.stack([at, n - at], axis=1).ravel()
    reach, last = np.zeros(2 * lists, np.int64), np.full(2 * lists, orders.shape[1] + 1)
    side, step, row, level = (np.empty(0, np.int64) for _ in range(4))
    while True:
        going = reach < room
        bound = int(last[going].max()) if going.any() else -1
        # All places with a longer prefix than any still to come are known.
        settled = np.flatnonzero(level > bound)
        settled = settled[np.lexsort((step[settled], side[settled], -level[settled]))]
        met = _first_meetings(row[settled], seen)
        visited = int(met[wanted - 1]) + 1 if len(met) >= wanted else len(settled)
        over = visited > most or (visited == most and len(met) < wanted and bound >= 0)
        if len(met) >= wanted or bound < 0 or over:
            visited = min(visited, most)
            return _keys(planes, query, row[settled[met[met < visited]]]), visited, not over
        some = np.flatnonzero(going & (last >= bound))
        more = np.minimum(np.maximum(_FEWEST, reach[some]), room[some] - reach[some])
        new_side = np.repeat(some, more)
        new_step = np.arange(int(more.sum())) + np.repeat(reach[some] - (np.cumsum(more) - more), more)
        new_row = rows[new_side >> 1, first[new_side] + steps[new_side] * new_step].astype(np.int64)
        new_level = _shared(planes, query, orders, new_side >> 1, new_row)
        last[some] = new_level[np.cumsum(more) - 1]
        reach[some] += more
        side, step = np.concatenate([side, new_side]), np.concatenate([step, new_step])
        row, level = np.concatenate([row, new_row]), np.concatenate([level, new_level])


def _places(planes: UInt64Words, query: UInt64Words, orders: Orders, rows: UInt32Rows) -> Int64Numbers:
    """Find the first place of each list whose code is not before the query's."""
    lists, n = rows.shape
    low, high = np.zeros(lists, np.int64), np.full(lists, n)
    bits = (query[orders >> 6] >> (orders & 63).astype(np.uint64)) & np.uint64(1)
    while len(some := np.flatnonzero(low < high)):
        middle = (low[some] + high[some]) >> 1
        shared = _shared(planes, query, orders, some, rows[some, middle].astype(np.int64))
        equal = shared == bits.shape[1]
        before = ~equal & (bits[some, np.where(equal, 0, shared)] == 1)
        low[some] = np.where(before, middle + 1, low[some])
        high[some] = np.where(before, high[some], middle)
    return low


def _shared(
    planes: UInt64Words, query: UInt64Words, orders: Orders, lists: Int64Numbers, rows: Int64Numbers
) -> Int64Numbers:
    """Count the first bits, in the order of a list, that a row's code shares with the query's: both (c,) -> (c,)."""
    found = np.empty(len(rows), np.int64)
    for first in range(0, len(rows), _AT_ONCE):
        here = slice(first, first + _AT_ONCE)
        differing = np.ascontiguousarray((planes[:, rows[here]] ^ query[:, None]).T, dtype="<u8")
        bits = np.unpackbits(differing.view(np.uint8), axis=1, bitorder="little")
        bits = np.take_along_axis(bits, orders[lists[here]].astype(np.int64), axis=1)
        found[here] = np.where(bits.any(axis=1), bits.argmax(axis=1), bits.shape[1])
    return found


def _first_meetings(rows: Int64Numbers, seen: npt.NDArray[np.uint8]) -> Int64Numbers:
    """Return the positions, ascending, at which a row that may be found is met for the first time."""
    fresh = np.flatnonzero((seen[rows >> 3] >> (rows & 7).astype(np.uint8)) & 1 == 0)
    return fresh[np.sort(np.unique(rows[fresh], return_index=True)[1])]


def _keys(planes: UInt64Words, query: UInt64Words, rows: Int64Numbers) -> Keys:
    distances = np.bitwise_count(planes[:, rows] ^ query[:, None]).sum(axis=0, dtype=np.int64)
    keys: Keys = (distances << ROW_BITS) | rows
    return keys
