"""An inverted file over codes: they lie in lists, each around a centre, and a query looks into the nearest lists.

The centres are the medians of k-means in Hamming space: a bit of a centre is that of most codes of its list. Within a
list codes are ordered by their distance from the centre, so that the triangle inequality spares a part of it:

    d(q, x) >= |d(q, c) - d(x, c)|                                         c the centre of the list of x
    d(q, x) >= (d(q, c) - d(q, c')) / 2                                    c' the centre nearest to q

Once k codes are found, whatever is farther than the k-th by one of these need not be compared. Where all lists are
visited, nothing is missed, and the two bounds are the proof of it.

Examples
--------
>>> import numpy as np
>>> codes = np.repeat(np.array([0, 2**64 - 1], np.uint64), 50)[None] ^ np.arange(100, dtype=np.uint64)
>>> lists = InvertedFile(lists=2, probes=1).build(codes)
>>> found = lists.candidates(codes[:, 7], 3)
>>> found.rows.tolist(), found.distances.tolist(), found.scanned
([7, 3, 5], [0, 1, 1], 50)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Int64Numbers, Int64Rows, OptionalMask, UInt32Rows, UInt64Words
from twinlens.core.compilation import compilation
from twinlens.core.declaration.declaration import parameter
from twinlens.core.hashing.packed_codes import from_planar, pack_bits, planar, unpack_bits
from twinlens.core.search.hamming_scan import ROW_BITS, Keys, nearest_by_hamming
from twinlens.core.search.search_structure import Candidates, CodeSearch
from twinlens.core.systems import system

Distances16 = npt.NDArray[np.uint16]

_LOOPS = "twinlens.core.search.inverted_file_loops"
_LEARNED_FROM = 32
"""Codes for each list that the centres are learned from, at most."""

_TURNS = 8
"""Of k-means; more change little."""

_TRIED, _NEAREST, _WANTED = 256, 100, 0.99
"""Codes that are searched for beforehand, how many of the nearest of each, and the share of these that is to be found:
what ``probes=auto`` goes by."""

_ROWS = 16_384
"""Codes that a thread puts into lists at a time."""


class InvertedFile(CodeSearch):
    """Puts codes into lists, each around a centre, and compares a query only with those of the nearest lists.

    It looks at a small part of the library and finds nearly all of the nearest codes where codes lie in clusters, as
    those of photographs do. By itself it visits as many lists as bring up 99 % of the hundred nearest codes, by a
    sample; where codes lie so evenly that no list tells, it comes to a scan. Choose it from some hundred thousand codes
    on, where a search may miss a few; with proof it misses none, and takes longer.
    """

    key = "ivf"
    title = "Inverted file"
    paper = (
        "Jégou, Douze and Schmid, Product Quantization for Nearest Neighbor Search, PAMI 2011, section IV, over codes"
    )

    lists: int | Literal["auto"] = parameter(
        "auto",
        ge=1,
        le=1_000_000,
        unit="lists",
        help="Into how many lists the codes go. More makes lists shorter and centres more, and building longer. auto: "
        "twice the square root of the number of codes.",
    )
    probes: int | Literal["auto"] = parameter(
        "auto",
        ge=1,
        le=1_000_000,
        unit="lists",
        help="How many lists are visited, the nearest first. More finds more of the neighbours, and takes longer. "
        "auto: as many as find 99 % of the hundred nearest codes of a sample.",
    )
    proof: bool = parameter(
        False,
        help="Go on to every list until none can hold a nearer code, by the triangle inequality: nothing is missed.",
    )
    seed: int = parameter(0, ge=0, le=2**31 - 1, help="Draws the codes that the centres are learned from.")

    @property
    def exact(self) -> bool:
        """With proof it misses nothing."""
        return self.proof

    def lists_for(self, n: int) -> int:
        """Return into how many lists n codes go, at least 1 and at most n."""
        return max(1, min(n, 2 * math.isqrt(n) if self.lists == "auto" else self.lists))

    def build(self, planes: UInt64Words, bits: int | None = None) -> InvertedLists:
        """Learn the centres of planar codes, (words, n), and put the codes into their lists."""
        planes = np.ascontiguousarray(planes)
        n = planes.shape[1]
        count = self.lists_for(n)
        rng = np.random.default_rng(self.seed)
        learned_from = rng.choice(n, min(n, _LEARNED_FROM * count), replace=False)
        centres = learn_centres(np.ascontiguousarray(planes[:, learned_from]), count)
        owners, reach = nearest_centres(planes, centres)
        order = np.lexsort((np.arange(n), -reach.astype(np.int32), owners))
        starts = np.concatenate([[0], np.cumsum(np.bincount(owners, minlength=count))]).astype(np.int64)
        built = InvertedLists(
            planes,
            centres,
            starts,
            order.astype(np.uint32),
            np.ascontiguousarray(planes[:, order]),
            reach[order],
            count if self.probes == "auto" else min(self.probes, count),
            self.proof,
        )
        return built.probing(built.share_found.enough(_WANTED)) if self.probes == "auto" else built


@dataclass(frozen=True, eq=False)
class InvertedLists:
    """Codes in the order of their lists.

    Attributes
    ----------
    planes : uint64 array, (words, n)
        As they were given.
    centres : uint64 array, (words, lists)
    starts : int64 array, (lists + 1,)
        Where each list begins.
    rows : uint32 array, (n,)
        List after list; in a list the farthest from its centre first.
    listed : uint64 array, (words, n)
        The codes of ``rows``.
    reach : uint16 array, (n,)
        Their distances from the centre of their list, in bits.
    probes : int
        How many lists are visited.
    proof : bool
        Whether others are, too, where they may hold a nearer code.
    """

    planes: UInt64Words
    centres: UInt64Words
    starts: Int64Numbers
    rows: UInt32Rows
    listed: UInt64Words
    reach: Distances16
    probes: int
    proof: bool

    @property
    def bytes(self) -> int:
        """Bytes of centres, lists and the codes in their order."""
        beside = (self.centres, self.starts, self.rows, self.listed, self.reach)
        return sum(one.nbytes for one in beside)

    def probing(self, probes: int) -> InvertedLists:
        """Return the same lists, of which so many are visited."""
        return InvertedLists(
            self.planes, self.centres, self.starts, self.rows, self.listed, self.reach, probes, self.proof
        )

    def codes(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
        """Return the codes of rows, (words, len(rows))."""
        return self.planes[:, rows]

    def candidates(self, code: npt.NDArray[np.uint64], k: int, mask: OptionalMask = None) -> Candidates:
        """Find the k nearest codes in the nearest lists, (words,) -> ordered by (distance, row).

        More lists are visited where those hold fewer than k that may be found.
        """
        if k <= 0 or self.planes.shape[1] == 0:
            return Candidates(np.empty(0, np.int64), np.empty(0, np.int64), scanned=0)
        search = compilation.loops(_LOOPS).search if compilation.worth(self._work) else plain_search
        keys, scanned, probed = search(
            self.centres.reshape(-1),
            self.listed.reshape(-1),
            self.starts,
            self.rows,
            self.reach,
            np.ascontiguousarray(code),
            k,
            self.probes,
            self.proof,
            np.empty(0, np.uint8) if mask is None else np.ascontiguousarray(mask).view(np.uint8),
        )
        keys.sort()
        keys = keys[:k]
        return Candidates(keys & ((1 << ROW_BITS) - 1), keys >> ROW_BITS, int(scanned), int(probed))

    @cached_property
    def _work(self) -> int:
        """Words that are read for a query, about."""
        words, n = self.planes.shape
        return int(words * (self.centres.shape[1] + n * self.probes / self.centres.shape[1]))

    @cached_property
    def share_found(self) -> ShareFound:
        """What visiting so many lists finds, by a sample of the codes, each without itself."""
        n = self.planes.shape[1]
        if n <= 1:
            return ShareFound(np.empty((n, 0), np.int64))
        tried = np.linspace(0, n - 1, min(n, _TRIED), dtype=np.int64)
        queries = np.ascontiguousarray(self.planes[:, tried].T)
        found = nearest_by_hamming(self.planes, queries, min(n, _NEAREST + 1)).rows
        others = np.array([rows[rows != own][: found.shape[1] - 1] for rows, own in zip(found, tried, strict=True)])
        owner = np.empty(n, np.int64)
        owner[self.rows] = np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))
        visited = nearest_by_hamming(self.centres, queries, self.centres.shape[1]).rows
        turn = np.empty_like(visited)
        np.put_along_axis(turn, visited, np.broadcast_to(np.arange(visited.shape[1]), visited.shape), axis=1)
        return ShareFound(np.take_along_axis(turn, owner[others], axis=1))


@dataclass(frozen=True, eq=False)
class ShareFound:
    """How much of the nearest codes is found by how many lists.

    Attributes
    ----------
    turns : int64 array, (queries, nearest)
        As the how manieth list, from 0, each of the nearest codes of a query has its list visited.
    """

    turns: Int64Numbers

    def of(self, probes: int) -> tuple[float, float]:
        """Return the share found by so many lists: the mean, and that of the worst query; 1 where nothing is sought."""
        if self.turns.size == 0:
            return 1.0, 1.0
        shares = (self.turns < probes).mean(axis=1)
        return float(shares.mean()), float(shares.min())

    def enough(self, share: float) -> int:
        """Return the fewest lists that find this share, as a mean."""
        if self.turns.size == 0:
            return 1
        turns = np.sort(self.turns, axis=None)
        return int(turns[max(0, math.ceil(share * len(turns)) - 1)]) + 1


def learn_centres(planes: UInt64Words, count: int) -> UInt64Words:
    """Find centres of codes by k-means in Hamming space, from the first codes on.

    Parameters
    ----------
    planes : uint64 array, (words, n)
        In an order drawn at random.
    count : int
        At least 1; at most n, or 1.

    Returns
    -------
    uint64 array, (words, count)
        Bit by bit that of most codes that are nearest to the centre, 1 where halves have either.
    """
    words, n = planes.shape
    if n == 0:
        return np.zeros((words, count), np.uint64)
    centres = np.ascontiguousarray(planes[:, :count])
    bits = unpack_bits(from_planar(planes, 64 * words), 64 * words).view(np.uint8)
    for _ in range(_TURNS):
        owners, _far = nearest_centres(planes, centres)
        order = np.argsort(owners, kind="stable")
        there, firsts, sizes = np.unique(owners[order], return_index=True, return_counts=True)
        ones = np.add.reduceat(bits[order], firsts, axis=0, dtype=np.int32)
        moved = centres.copy()
        moved[:, there] = planar(pack_bits(2 * ones >= sizes[:, None]))
        if np.array_equal(moved, centres):
            break
        centres = moved
    return centres


def nearest_centres(planes: UInt64Words, centres: UInt64Words) -> tuple[Int64Numbers, Distances16]:
    """Return the nearest centre of each code, the first of equally near ones, and its distance in bits, (n,) each."""
    words, n = planes.shape
    count = centres.shape[1]
    assign: Callable[..., tuple[Int64Numbers, Distances16]] = plain_assign
    if compilation.worth(words * n * count):
        assign = compilation.loops(_LOOPS).assign
    planes, run = np.ascontiguousarray(planes), np.ascontiguousarray(centres).reshape(-1)

    def one(first: int) -> tuple[Int64Numbers, Distances16]:
        return assign(planes, first, min(n, first + _ROWS), run, count)

    with ThreadPoolExecutor(system.processors(), thread_name_prefix="lists") as pool:
        found = list(pool.map(one, range(0, n, _ROWS)))
    none = np.empty(0, np.int64), np.empty(0, np.uint16)
    owners, far = zip(none, *found, strict=True)
    return np.concatenate(owners), np.concatenate(far)


def plain_assign(
    planes: UInt64Words, first: int, stop: int, centres: UInt64Words, count: int
) -> tuple[Int64Numbers, Distances16]:
    """Find the nearest centres of some codes.

    Parameters
    ----------
    planes : uint64 array, (words, n)
    first, stop : int
        Rows.
    centres : uint64 array, (words * count,)
        Planar, in one run.
    """
    block = planes[:, first:stop]
    owners = np.zeros(stop - first, np.int64)
    far = np.full(stop - first, 64 * len(planes) + 1, np.uint16)
    for number, centre in enumerate(centres.reshape(len(planes), count).T):
        distances = np.bitwise_count(block ^ centre[:, None]).sum(axis=0, dtype=np.uint16)
        nearer = distances < far
        owners[nearer] = number
        far[nearer] = distances[nearer]
    return owners, far


def plain_search(
    centres: UInt64Words,
    listed: UInt64Words,
    starts: Int64Rows,
    rows: UInt32Rows,
    reach: Distances16,
    query: UInt64Words,
    k: int,
    probes: int,
    proof: bool,
    mask: npt.NDArray[np.uint8],
) -> tuple[Keys, int, int]:
    """Visit lists and keep what may be among the k nearest.

    Parameters
    ----------
    centres : uint64 array, (words * lists,)
        Planar, in one run.
    listed : uint64 array, (words * n,)
        Likewise, in the order of the lists.
    starts : int64 array, (lists + 1,)
    rows : uint32 array, (n,)
    reach : uint16 array, (n,)
        Descending within a list.
    query : uint64 array, (words,)
    k : int
        At least 1.
    probes : int
        Lists that are visited; more while fewer than k codes are found.
    proof : bool
        Whether more are while they may hold a nearer code.
    mask : uint8 array, (n,) or (0,)
        By row: 1 where it may be found; empty if all may.

    Returns
    -------
    tuple
        Keys of rows, ``distance << ROW_BITS | row``, in no order: all that are met up to the k-th distance; codes
        compared; lists visited.
    """
    words = len(query)
    planes = listed.reshape(words, -1)
    beyond = 64 * words
    found = np.empty(0, np.int64)
    limit, compared, probed = beyond, 0, 0
    far = np.bitwise_count(centres.reshape(words, -1) ^ query[:, None]).sum(axis=0, dtype=np.int64)
    order = np.argsort(far, kind="stable")
    for number in order:
        enough = probed >= probes and len(found) >= k
        if enough and (not proof or far[number] - far[order[0]] > 2 * limit):
            break
        own = reach[starts[number] : starts[number + 1]].astype(np.int64)
        first = int(np.count_nonzero(own > far[number] + limit)) + int(starts[number])
        stop = int(np.count_nonzero(own >= far[number] - limit)) + int(starts[number])
        probed += 1
        if first >= stop:
            continue
        compared += stop - first
        near = rows[first:stop].astype(np.int64)
        distances = np.bitwise_count(planes[:, first:stop] ^ query[:, None]).sum(axis=0, dtype=np.int64)
        keys = ((distances << ROW_BITS) | near)[mask[near] != 0 if len(mask) else slice(None)]
        found = np.concatenate([found, keys])
        if len(found) >= k:
            limit = int(np.partition(found, k - 1)[k - 1] >> ROW_BITS)
            found = found[found >> ROW_BITS <= limit]
    return found, compared, probed
