"""Promises of every search structure: rows in order, at their true distances, of an exact one all of the nearest."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from twinlens.core.hashing.packed_codes import hamming, pack_bits, planar
from twinlens.core.search.search_structure import CodeSearch

_K = 20


def tied_codes(n: int = 700, bits: int = 100) -> npt.NDArray[np.uint8]:
    """Make packed codes, (n, bytes), of which many are equally far from each other."""
    return pack_bits(np.random.default_rng(0).random((n, bits)) < np.linspace(0, 1, bits) ** 4)


def rows_come_in_order_at_their_distances(search: CodeSearch) -> None:
    """Candidates are distinct, ordered by distance and row, and as far as they are said to be."""
    if not search.in_memory:
        return
    codes = tied_codes()
    built = search.build(planar(codes), 100)
    for query in (0, 13, 699):
        found = built.candidates(planar(codes[query : query + 1])[:, 0], _K)
        assert len(np.unique(found.rows)) == len(found.rows)
        assert query in found.rows[found.distances == 0] or len(found.rows) == _K
        np.testing.assert_array_equal(found.distances, hamming(codes[query], codes[found.rows]))
        order = np.lexsort((found.rows, found.distances))
        np.testing.assert_array_equal(order, np.arange(len(order)))


def an_exact_one_misses_none(search: CodeSearch) -> None:
    """What says that it is exact finds the first of all, ordered by distance and row, also among some rows."""
    if not (search.in_memory and search.exact):
        return
    codes = tied_codes()
    built = search.build(planar(codes), 100)
    for mask in (None, np.random.default_rng(1).random(len(codes)) < 0.3):
        rows = np.arange(len(codes)) if mask is None else np.flatnonzero(mask)
        for query in (0, 13, 699):
            distances = hamming(codes[query], codes[rows])
            expected = np.lexsort((rows, distances))[:_K]
            found = built.candidates(planar(codes[query : query + 1])[:, 0], _K, mask)
            np.testing.assert_array_equal(found.rows, rows[expected])
            np.testing.assert_array_equal(found.distances, distances[expected])


SearchContract = Callable[[CodeSearch], None]
SEARCH_CONTRACTS: tuple[SearchContract, ...] = (rows_come_in_order_at_their_distances, an_exact_one_misses_none)
