"""The compiled loops of the inverted file; only :mod:`twinlens.core.compilation.compilation` imports this.

:mod:`twinlens.core.search.inverted_file` has the twins. Distances of a block go to a buffer, of which a part is looked
at only where its least is wanted, as in the scan. Rows of a list are in no order, so all at the k-th distance stay.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from twinlens.core.arrays import AnyArray
from twinlens.core.compilation.compiled_loop import Signatures, compiled
from twinlens.core.search.hamming_scan import ROW_BITS
from twinlens.core.search.hamming_scan_loops import _distances, _least

_STEP = 128
"""Distances that are skipped or looked at together."""

_BLOCK = 2_048
_ROOM = 1_024
"""Room for keys beyond twice k before they are thinned out."""


@compiled
def assign(planes: AnyArray, first: int, stop: int, centres: AnyArray, count: int) -> Any:
    """Do what :func:`twinlens.core.search.inverted_file.plain_assign` does."""
    words = planes.shape[0]
    owners = np.empty(stop - first, np.int64)
    far = np.empty(stop - first, np.uint16)
    code = np.empty(words, np.uint64)
    distances = np.empty(count, np.uint16)
    for i in range(first, stop):
        for w in range(words):
            code[w] = planes[w, i]
        _distances(centres, count, 0, code, distances)
        least = _least(distances)
        place = 0
        while distances[place] != least:
            place += 1
        owners[i - first] = place
        far[i - first] = least
    return owners, far


@compiled
def _fall_to(reach: AnyArray, first: int, stop: int, value: Any) -> int:
    """Return the first place whose distance, of descending ones, is below a value."""
    while first < stop:
        middle = (first + stop) >> 1
        if np.int64(reach[middle]) >= value:
            first = middle + 1
        else:
            stop = middle
    return first


@compiled
def _in_order(far: AnyArray, beyond: int) -> AnyArray:
    """Return the places of distances, the least first, by counting."""
    starts = np.zeros(beyond + 2, np.int64)
    for i in range(far.size):
        starts[np.int64(far[i]) + 1] += 1
    for i in range(1, beyond + 2):
        starts[i] += starts[i - 1]
    order = np.empty(far.size, np.int64)
    for i in range(far.size):
        distance = np.int64(far[i])
        order[starts[distance]] = i
        starts[distance] += 1
    return order


@compiled
def _up_to(keys: AnyArray, count: int, limit: int) -> int:
    """Keep the keys up to a distance; return how many stay."""
    kept = 0
    for i in range(count):
        if keys[i] >> ROW_BITS <= limit:
            keys[kept] = keys[i]
            kept += 1
    return kept


@compiled
def search(
    centres: AnyArray,
    listed: AnyArray,
    starts: AnyArray,
    rows: AnyArray,
    reach: AnyArray,
    query: AnyArray,
    k: int,
    probes: int,
    proof: bool,
    mask: AnyArray,
) -> Any:
    """Do what :func:`twinlens.core.search.inverted_file.plain_search` does."""
    lists, n = starts.size - 1, rows.size
    beyond = 64 * query.size
    far = np.empty(lists, np.uint16)
    _distances(centres, lists, 0, query, far)
    order = _in_order(far, beyond)
    closest = np.int64(far[order[0]])
    # A code is wanted up to the limit: once k are found, the k-th distance. ``reached`` counts those at or below it.
    histogram = np.zeros(beyond + 1, np.int64)
    limit, reached, count, compared, probed = beyond, 0, 0, 0, 0
    keys = np.empty(min(n, 2 * k + _ROOM), np.int64)
    buffer = np.empty(_BLOCK, np.uint16)
    for number in order:
        distance_of_list = np.int64(far[number])
        if probed >= probes and reached >= k and (not proof or distance_of_list - closest > 2 * limit):
            break
        probed += 1
        start = _fall_to(reach, starts[number], starts[number + 1], distance_of_list + limit + 1)
        stop = _fall_to(reach, start, starts[number + 1], distance_of_list - limit)
        compared += stop - start
        for first in range(start, stop, _BLOCK):
            distances = buffer[: min(_BLOCK, stop - first)]
            _distances(listed, n, first, query, distances)
            for step in range(0, distances.size, _STEP):
                near = distances[step : step + _STEP]
                if np.int64(_least(near)) > limit:
                    continue
                for i in range(near.size):
                    distance = np.int64(near[i])
                    if distance > limit:
                        continue
                    row = np.int64(rows[first + step + i])
                    if mask.size and mask[row] == 0:
                        continue
                    if count == keys.size:
                        count = _up_to(keys, count, limit)
                        if 2 * count > keys.size:
                            larger = np.empty(2 * keys.size + 1, np.int64)
                            larger[:count] = keys[:count]
                            keys = larger
                    keys[count] = (distance << ROW_BITS) | row
                    count += 1
                    histogram[distance] += 1
                    reached += 1
                    while reached - histogram[limit] >= k:
                        reached -= histogram[limit]
                        limit -= 1
    count = _up_to(keys, count, limit)
    return keys[:count], compared, probed


_planes = types.Array(types.uint64, 2, "C", readonly=True)
_run = types.Array(types.uint64, 1, "C", readonly=True)
_starts = types.Array(types.int64, 1, "C", readonly=True)
_rows = types.Array(types.uint32, 1, "C", readonly=True)
_reach = types.Array(types.uint16, 1, "C", readonly=True)
_mask = types.Array(types.uint8, 1, "C", readonly=True)
_n = types.int64
SIGNATURES: Signatures = (
    (assign, ((_planes, _n, _n, _run, _n),)),
    (search, ((_run, _run, _starts, _rows, _reach, _run, _n, _n, types.boolean, _mask),)),
)
