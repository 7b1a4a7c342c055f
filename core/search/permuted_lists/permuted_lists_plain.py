"""Permuted sorted lists in plain numpy: the twin of the compiled loops, with exactly the same results."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.arrays import Int64Numbers, UInt32Rows, UInt64Words
from core.search.hamming.hamming_scan_plain import ROW_BITS, Keys

Orders = npt.NDArray[np.uint16]

_AT_ONCE = 8_192
"""Rows whose bits are put in another order at once."""

_BLOCK = 16_384
_FEWEST = 4


def gather(planes: UInt64Words, chosen: npt.NDArray[np.integer], out: UInt64Words) -> None:
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


def search(
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
