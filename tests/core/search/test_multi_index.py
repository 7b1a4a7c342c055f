"""Multi-index hashing gives the scan's answer, whatever the codes, the substrings, the mask and the budget."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tests.core.search.scanning import reference
from twinlens.core.arrays import OptionalMask, UInt64Words
from twinlens.core.compilation import compilation
from twinlens.core.hashing.packed_codes import pack_bits, planar
from twinlens.core.search import multi_index
from twinlens.core.search.multi_index import ENTRY, PROBE, WORD, MultiIndex, SubstringTables, substring
from twinlens.core.search.search_structure import Candidates

PROBED_LONG = 300.0
"""Of the cost of the scan: so much that little is left to it."""


@contextmanager
def probing(compiled: bool, share: float = PROBED_LONG) -> Iterator[None]:
    """Probe for any number of the nearest, up to a share of the scan's cost."""
    with (
        patch.object(compilation, "worth", lambda work: compiled),
        patch.object(multi_index, "_SHARE", share),
        patch.object(SubstringTables, "most", 1 << 40),
    ):
        yield


def clustered(n: int, bits: int, clusters: int = 5, seed: int = 0) -> npt.NDArray[np.bool_]:
    rng = np.random.default_rng(seed)
    centres = rng.random((clusters, bits)) < 0.5
    return centres[rng.integers(0, clusters, n)] ^ (rng.random((n, bits)) < 0.1)


def assert_exact(
    structure: SubstringTables, query: UInt64Words, k: int, mask: OptionalMask = None, share: float = PROBED_LONG
) -> Candidates:
    distances, rows = reference(structure.planes, query, mask)
    found = []
    for compiled in (True, False):
        with probing(compiled, share):
            found.append(structure.candidates(query, k, mask))
        assert found[-1].rows.tolist() == rows[:k]
        assert found[-1].distances.tolist() == distances[:k]
        assert found[-1].rows.dtype == found[-1].distances.dtype == np.int64
    assert (found[0].scanned, found[0].probed) == (found[1].scanned, found[1].probed)
    return found[0]


@st.composite
def questions(draw: st.DrawFn) -> tuple[SubstringTables, UInt64Words, OptionalMask]:
    bits, n = draw(st.integers(1, 140)), draw(st.integers(0, 60))
    few = st.sampled_from([0, 1, 2, 3, 1 << 63, ~0 & (1 << 64) - 1])
    used = planar(np.packbits(np.ones((1, bits), np.uint8), axis=1, bitorder="little"))
    planes = draw(hnp.arrays(np.uint64, (len(used), n), elements=few)) & used
    query = draw(hnp.arrays(np.uint64, len(used), elements=few)) & used[:, 0]
    search = MultiIndex(substrings=draw(st.none() | st.integers(1, 20)))
    return search.build(planes, bits), query, draw(st.none() | hnp.arrays(np.bool_, n))


@settings(max_examples=200)
@given(questions(), st.integers(0, 70), st.sampled_from([3_000.0, 30.0, 1.0, 0.0]))
def test_it_is_exact(question: tuple[SubstringTables, UInt64Words, OptionalMask], k: int, share: float) -> None:
    structure, query, mask = question
    assert_exact(structure, query, k, mask, share)


@pytest.mark.parametrize("bits", [9, 63, 64, 65, 100, 128, 250, 256])
@pytest.mark.parametrize("substrings", [None, 1, 3, 16])
def test_clusters(bits: int, substrings: int | None) -> None:
    codes = clustered(600, bits)
    structure = MultiIndex(substrings=substrings).build(planar(pack_bits(codes)), bits)
    queries = planar(pack_bits(codes[:4] ^ (np.random.default_rng(1).random((4, bits)) < 0.05))).T
    mask = np.random.default_rng(2).random(600) < 0.3
    for query in np.ascontiguousarray(queries):
        for k in (1, 30):
            assert_exact(structure, query, k, share=PROBED_LONG)
            assert_exact(structure, query, k, mask, share=PROBED_LONG)


def unary(n: int) -> UInt64Words:
    """Code ``i`` has ``i`` bits: each is one bit from the next."""
    return planar(pack_bits(np.tri(n, n - 1, -1, dtype=np.bool_)))


ADVERSARIAL = {
    "all equal": np.full((4, 900), 7, np.uint64),
    "all distinct": np.random.default_rng(4).integers(0, 2**64, (4, 900), dtype=np.uint64),
    "one bit apart, nearest last": unary(300)[:, ::-1].copy(),
    "two distances in turn": np.tile(np.array([[0, 1]], np.uint64), (1, 500)),
    "all as far as can be": np.full((2, 500), ~np.uint64(0)),
    "one code": np.full((4, 1), 3, np.uint64),
    "no code": np.empty((4, 0), np.uint64),
}


@pytest.mark.parametrize("share", [PROBED_LONG, 1 / 3])
@pytest.mark.parametrize("k", [0, 1, 100, 2000])
@pytest.mark.parametrize("name", ADVERSARIAL)
def test_adversarial_codes(name: str, k: int, share: float) -> None:
    planes = ADVERSARIAL[name]
    n = planes.shape[1]
    structure = MultiIndex().build(planes)
    for mask in (None, np.zeros(n, np.bool_), np.arange(n) == n // 2):
        assert_exact(structure, np.zeros(len(planes), np.uint64), k, mask, share)


def test_near_codes_are_found_without_comparing_many() -> None:
    codes = np.random.default_rng(0).random((20_000, 128)) < 0.5
    codes[7_000:7_003] = codes[5] ^ (np.arange(128) == [[1], [50], [99]])
    structure = MultiIndex().build(planar(pack_bits(codes)), 128)
    with probing(compiled=True, share=1 / 3):
        found = structure.candidates(np.ascontiguousarray(structure.planes[:, 5]), 4)
    assert found.rows.tolist() == [5, 7_000, 7_001, 7_002]
    assert 4 <= found.scanned < 200
    assert 0 < found.probed < 200


def test_where_probing_costs_more_the_scan_answers() -> None:
    codes = np.random.default_rng(0).random((3_000, 128)) < 0.5
    structure = MultiIndex().build(planar(pack_bits(codes)), 128)
    found = assert_exact(structure, np.ascontiguousarray(structure.planes[:, 5]), 50, share=1 / 3)
    # What was spent in vain is at most a third of what scanning costs.
    assert 3_000 <= found.scanned <= 3_000 + 3_000 * 2 / 3 / (ENTRY + 2 * WORD)
    assert found.probed <= 3_000 * 2 / 3 / PROBE


def test_where_codes_have_no_near_ones_the_scan_answers_straight_away() -> None:
    codes = np.random.default_rng(0).random((20_000, 128)) < 0.5
    structure = MultiIndex().build(planar(pack_bits(codes)), 128)
    query = np.ascontiguousarray(structure.planes[:, 5])
    found = structure.candidates(query, 2)
    assert (found.scanned, found.probed) == (20_000, 0)
    assert found.rows.tolist() == reference(structure.planes, query, None)[1][:2]
    assert structure.candidates(query, 1).scanned < 200


def test_where_an_eighth_of_the_codes_have_near_ones_these_are_looked_for() -> None:
    codes = np.random.default_rng(0).random((20_000, 128)) < 0.5
    codes[::6] = codes[1::6][: len(codes[::6])]
    structure = MultiIndex().build(planar(pack_bits(codes)), 128)
    found = structure.candidates(np.ascontiguousarray(structure.planes[:, 600]), 2)
    assert found.rows.tolist() == [600, 601]
    assert found.scanned < 200


def test_rows_that_may_not_be_found_are_not_compared() -> None:
    structure = MultiIndex().build(planar(pack_bits(clustered(2_000, 64))), 64)
    mask = np.arange(2_000) % 10 == 0
    query = np.ascontiguousarray(structure.planes[:, 3])
    assert assert_exact(structure, query, 5, mask).scanned <= 200


@pytest.mark.parametrize(("bits", "substrings"), [(100, 7), (64, 1), (256, 1), (200, 3), (5, 20), (1, None)])
def test_every_bit_is_in_one_substring_of_at_most_64(bits: int, substrings: int | None) -> None:
    structure = MultiIndex(substrings=substrings).build(np.zeros((-(-bits // 64), 10), np.uint64), bits)
    assert [bit for start, length in structure.substrings for bit in range(start, start + length)] == [*range(bits)]
    assert all(1 <= length <= 64 for _, length in structure.substrings)
    if substrings is not None and bits / 64 <= substrings <= bits:
        assert len(structure.substrings) == substrings


def test_substrings_are_as_long_as_the_paper_advises() -> None:
    planes = np.zeros((4, 1 << 16), np.uint64)
    assert len(MultiIndex().build(planes).substrings) == round(256 / math.log2(1 << 16))


@given(st.integers(0, 120), st.integers(1, 64))
def test_a_substring_is_its_bits(start: int, length: int) -> None:
    bits = np.random.default_rng(start).random((3, 128)) < 0.5
    length = min(length, 128 - start)
    expected = [sum(1 << i for i in range(length) if code[start + i]) for code in bits.tolist()]
    assert substring(planar(pack_bits(bits)), start, length).tolist() == expected


def test_what_it_keeps_is_told() -> None:
    structure = MultiIndex(substrings=2).build(np.zeros((1, 100), np.uint64))
    assert structure.bytes == 2 * ((1 << 9) + 1) * 4 + 2 * 100 * 4 + 2 * 100 * 8


def test_codes_may_be_read_only_and_a_part_of_others() -> None:
    planes = planar(pack_bits(clustered(900, 130)))
    planes.flags.writeable = False
    structure = MultiIndex().build(planes[:, 100:700], 130)
    assert_exact(structure, planes[:, 120], 10)
