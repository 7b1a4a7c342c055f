"""Permuted sorted lists: codes sorted again and again with their bits in another order, so that near codes meet."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.arrays import Int64Numbers, OptionalMask, UInt32Rows, UInt64Words
from core.compilation import compilation
from core.declaration.declaration import parameter
from core.errors import TwinlensError
from core.search.grouped_codes import group_equal
from core.search.hamming.hamming_scan import nearest_by_hamming
from core.search.hamming.hamming_scan_plain import ROW_BITS
from core.search.permuted_lists import permuted_lists_plain
from core.search.search_structure import Candidates, CodeSearch
from core.systems import system

_LOOPS = "core.search.permuted_lists.permuted_lists_loops"

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
        help="How many codes are looked at for each list and direction: 1 as in the paper, that is, two for each list. "
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
            search = compilation.loops(_LOOPS).search if compilation.worth(words * n) else permuted_lists_plain.search
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
    gather = compilation.loops(_LOOPS).gather if compilation.worth(planes.size) else permuted_lists_plain.gather
    gather(planes, chosen, out)
    return out
