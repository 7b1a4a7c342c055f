"""Every search structure finds what the plain computation finds."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from core.hashing.packed_codes import LARGEST_BITS, hamming, pack_bits, planar
from core.search import SEARCHES
from core.search.linear_scan import Exact, Scan
from core.search.search_structure import Search


def codes(n: int = 700, bits: int = 100) -> npt.NDArray[np.uint8]:
    # Few distinct bits, so that distances tie.
    return pack_bits(np.random.default_rng(0).random((n, bits)) < np.linspace(0, 1, bits) ** 4)


@pytest.mark.parametrize("k", [1, 20, 700, 5_000])
@pytest.mark.parametrize("some", [False, True])
def test_scan_is_exact_with_ties_in_row_order(k: int, some: bool) -> None:
    items = codes()
    mask = np.random.default_rng(1).random(700) < 0.3 if some else None
    structure = Scan().build(planar(items))
    for query in (0, 13, 699):
        found = structure.candidates(planar(items[query : query + 1])[:, 0], k, mask)
        rows = np.arange(700) if mask is None else np.flatnonzero(mask)
        distances = hamming(items[query], items[rows])
        order = np.lexsort((rows, distances))[:k]
        np.testing.assert_array_equal(found.rows, rows[order])
        np.testing.assert_array_equal(found.distances, distances[order])
        assert found.scanned == 700


def test_scan_ranks_as_many_as_said_or_asked_for() -> None:
    assert Scan(candidates=50).depth(20) == 50
    assert Scan(candidates=50).depth(80) == 80


@pytest.mark.parametrize("some", [False, True])
def test_everything_is_a_candidate_of_the_exact_search(some: bool) -> None:
    mask = np.arange(700) % 3 == 0 if some else None
    structure = Exact().build(planar(codes()))
    found = structure.candidates(np.zeros(2, np.uint64), Exact().depth(5), mask)
    np.testing.assert_array_equal(found.rows, np.arange(0, 700, 3) if some else np.arange(700))
    assert not found.distances.any()
    assert found.scanned == 0


@pytest.mark.parametrize("cls", [cls for cls in SEARCHES if cls.in_memory], ids=lambda cls: cls.key)
@pytest.mark.parametrize("n", [0, 1])
def test_hardly_anything_to_search(cls: type[Search], n: int) -> None:
    structure = cls().build(planar(codes(n)))
    found = structure.candidates(np.zeros(2, np.uint64), cls().depth(10))
    assert found.rows.dtype == found.distances.dtype == np.int64
    np.testing.assert_array_equal(found.rows, np.arange(n))


def test_only_the_exact_search_does_without_codes() -> None:
    assert [cls.key for cls in SEARCHES if not cls.uses_codes] == ["exact"]


@pytest.mark.parametrize("cls", [cls for cls in SEARCHES if cls.uses_codes and cls.in_memory], ids=lambda cls: cls.key)
def test_the_longest_codes(cls: type[Search]) -> None:
    """Whatever a structure brings up has its true distance, also one that 15 bits do not hold."""
    bits = np.random.default_rng(0).random((60, LARGEST_BITS)) < np.linspace(0, 1, 60)[:, None]
    planes = planar(pack_bits(bits))
    for row in (0, 59):
        found = cls().build(planes, LARGEST_BITS).candidates(np.ascontiguousarray(planes[:, row]), cls().depth(60))
        assert row in found.rows
        if found.distances.any():
            np.testing.assert_array_equal(found.distances, (bits[found.rows] != bits[row]).sum(axis=1))
