"""Permuted sorted lists meet the codes that the paper's walk meets, and give them as they are."""

from __future__ import annotations

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
from twinlens.core.errors import TwinlensError
from twinlens.core.hashing.packed_codes import from_planar, pack_bits, planar, unpack_bits
from twinlens.core.search import permuted_lists
from twinlens.core.search.permuted_lists import Permuted, PermutedLists
from twinlens.core.search.search_structure import Candidates

FAR = 1_000_000
"""Places for each row wanted: the scan never has to answer."""


@contextmanager
def walking(compiled: bool, places: int = FAR) -> Iterator[None]:
    with (
        patch.object(compilation, "worth", lambda work: compiled),
        patch.object(permuted_lists, "_PLACES_PER_ROW", places),
        patch.object(permuted_lists, "_AT_ONCE", 7),
        patch.object(permuted_lists, "_BLOCK", 7),
    ):
        yield


def built(search: Permuted, planes: UInt64Words, bits: int | None = None) -> PermutedLists:
    """Build in both ways, which must give the same."""
    structures = []
    for compiled in (True, False):
        with walking(compiled):
            structures.append(search.build(planes, bits))
    np.testing.assert_array_equal(structures[0].rows, structures[1].rows)
    np.testing.assert_array_equal(structures[0].starts, structures[1].starts)
    return structures[0]


def asked(
    structure: PermutedLists, query: UInt64Words, k: int, mask: OptionalMask = None, places: int = FAR
) -> Candidates:
    """Ask in both ways, which must answer the same; what holds for every answer is checked."""
    found = []
    for compiled in (True, False):
        with walking(compiled, places):
            found.append(structure.candidates(query, k, mask))
    one, other = found
    assert (one.rows.tolist(), one.distances.tolist()) == (other.rows.tolist(), other.distances.tolist())
    assert (one.scanned, one.probed) == (other.scanned, other.probed)
    assert one.rows.dtype == one.distances.dtype == np.int64
    distances, rows = reference(structure.planes, query, mask)
    known = dict(zip(rows, distances, strict=True))
    pairs = list(zip(one.distances.tolist(), one.rows.tolist(), strict=True))
    assert pairs == sorted({(known[row], row) for row in one.rows.tolist()})
    assert len(pairs) == min(k, structure.wanted, len(known))
    return one


def met(structure: PermutedLists, query: UInt64Words, mask: OptionalMask) -> set[int]:
    """Walk as the paper says, with nothing but Python: every place of every list, the longest common prefix first."""
    n = structure.planes.shape[1]
    bits = 64 * len(structure.planes)
    codes = unpack_bits(from_planar(structure.planes, bits), bits)
    sought = unpack_bits(from_planar(query[:, None], bits), bits)[0]
    places = []
    for a, order in enumerate(structure.orders.tolist()):
        keys = [tuple(code[order].tolist()) for code in codes]
        rows = sorted(range(n), key=lambda row: (keys[row], row))
        assert rows == structure.rows[a].tolist()
        key = tuple(sought[order].tolist())
        at = sum(keys[row] < key for row in rows)
        for place, row in enumerate(rows):
            shared = next((i for i in range(len(key)) if keys[row][i] != key[i]), len(key))
            step = place - at if place >= at else at - 1 - place
            places.append((-shared, a, place >= at, step, row))
    found: list[int] = []
    for *_, row in sorted(places):
        if (mask is None or mask[row]) and row not in found and len(found) < structure.wanted:
            found.append(row)
    return set(found)


@st.composite
def questions(draw: st.DrawFn) -> tuple[PermutedLists, UInt64Words, OptionalMask]:
    bits, n = draw(st.integers(1, 140)), draw(st.integers(0, 50))
    few = st.sampled_from([0, 1, 2, 3, 1 << 63, (1 << 64) - 1, 0x5555555555555555])
    used = planar(np.packbits(np.ones((1, bits), np.uint8), axis=1, bitorder="little"))
    planes = draw(hnp.arrays(np.uint64, (len(used), n), elements=few)) & used
    query = draw(hnp.arrays(np.uint64, len(used), elements=few)) & used[:, 0]
    lists = draw(st.none() | st.integers(1, 6))
    search = Permuted(lists=lists, spread=draw(st.integers(1, 4)), seed=draw(st.integers(0, 9)))
    return built(search, planes, bits), query, draw(st.none() | hnp.arrays(np.bool_, n))


@settings(max_examples=150)
@given(questions())
def test_it_meets_what_the_paper_meets(question: tuple[PermutedLists, UInt64Words, OptionalMask]) -> None:
    structure, query, mask = question
    n = structure.planes.shape[1]
    found = asked(structure, query, n, mask)
    if structure.wanted < (n if mask is None else int(mask.sum())):
        assert set(found.rows.tolist()) == met(structure, query, mask)
        assert found.scanned == structure.wanted
        assert found.probed >= structure.wanted
    else:
        assert found.rows.tolist() == reference(structure.planes, query, mask)[1]


@settings(max_examples=100)
@given(questions(), st.integers(0, 60), st.integers(0, 3))
def test_any_number_of_finds_and_of_places(
    question: tuple[PermutedLists, UInt64Words, OptionalMask], k: int, places_per_row: int
) -> None:
    structure, query, mask = question
    with patch.object(permuted_lists, "_PLACE", 16):
        asked(structure, query, k, mask, places_per_row)


def clustered(n: int, bits: int, seed: int = 0) -> npt.NDArray[np.bool_]:
    rng = np.random.default_rng(seed)
    centres = rng.random((20, bits)) < 0.5
    return centres[rng.integers(0, 20, n)] ^ (rng.random((n, bits)) < 0.1)


@pytest.mark.parametrize("bits", [20, 64, 100, 256])
def test_an_equal_item_is_always_found(bits: int) -> None:
    codes = clustered(900, bits)
    structure = built(Permuted(lists=3), planar(pack_bits(codes)), bits)
    mask = np.arange(900) % 2 == 1
    for row in range(0, 900, 90):
        query = np.ascontiguousarray(structure.planes[:, row])
        for some in (None, mask, ~mask):
            nearest = reference(structure.planes, query, some)[0][0]
            found = asked(structure, query, 3, some)
            if nearest == 0:
                assert found.distances[0] == 0


@pytest.mark.parametrize("search", [Permuted(lists=60), Permuted(lists=2, spread=30), Permuted(epsilon=0.1)])
@pytest.mark.parametrize("some", [False, True])
def test_with_lists_enough_it_finds_everything(search: Permuted, some: bool) -> None:
    structure = built(search, planar(pack_bits(clustered(120, 100))), 100)
    mask = np.arange(120) % 3 == 0 if some else None
    query = np.ascontiguousarray(structure.planes[:, 3])
    for k in (1, 50, 120, 130):
        distances, rows = reference(structure.planes, query, mask)
        found = asked(structure, query, k, mask)
        assert (found.rows.tolist(), found.distances.tolist()) == (rows[:k], distances[:k])


def test_more_lists_find_more() -> None:
    codes = clustered(4_000, 128)
    planes = planar(pack_bits(codes))
    queries = np.ascontiguousarray(
        planar(pack_bits(codes[:40] ^ (np.random.default_rng(1).random((40, 128)) < 0.05))).T
    )
    true = [reference(planes, query)[1][:5] for query in queries]
    shares = []
    for lists in (2, 20):
        structure = Permuted(lists=lists).build(planes, 128)
        found = [structure.candidates(query, 5).rows.tolist() for query in queries]
        shares.append(np.mean([len(set(a) & set(b)) / 5 for a, b in zip(found, true, strict=True)]))
    assert shares[0] < shares[1]
    assert shares[1] > 0.5


ADVERSARIAL = {
    "all equal": np.full((4, 900), 7, np.uint64),
    "all distinct": np.random.default_rng(4).integers(0, 2**64, (4, 900), dtype=np.uint64),
    "one bit apart": planar(pack_bits(np.tri(300, 299, -1, dtype=np.bool_)))[:, ::-1].copy(),
    "two distances in turn": np.tile(np.array([[0, 1]], np.uint64), (1, 500)),
    "one code": np.full((4, 1), 3, np.uint64),
    "no code": np.empty((4, 0), np.uint64),
}


@pytest.mark.parametrize("places", [FAR, 2])
@pytest.mark.parametrize("name", ADVERSARIAL)
def test_adversarial_codes(name: str, places: int) -> None:
    planes = ADVERSARIAL[name]
    n = planes.shape[1]
    structure = built(Permuted(), planes)
    for mask in (None, np.zeros(n, np.bool_), np.arange(n) == n // 2, np.arange(n) >= n // 2):
        for k in (0, 1, 2000):
            asked(structure, np.zeros(len(planes), np.uint64), k, mask, places)


def test_where_walking_costs_more_the_scan_answers() -> None:
    codes = np.random.default_rng(0).random((2_000, 64)) < 0.5
    codes[:200, :] = codes[0]
    structure = built(Permuted(), planar(pack_bits(codes)), 64)
    mask = np.arange(2_000) >= 2_000 - structure.wanted - 1
    query = np.ascontiguousarray(structure.planes[:, 0])
    found = asked(structure, query, 10, mask, places=2)
    assert found.rows.tolist() == reference(structure.planes, query, mask)[1][:10]
    assert found.probed == 2 * structure.wanted
    assert 2_000 <= found.scanned <= 2_000 + structure.wanted


def test_the_number_of_lists_is_the_papers() -> None:
    planes = np.random.default_rng(0).integers(0, 2**64, (1, 1_000), dtype=np.uint64)
    structure = Permuted().build(planes)
    assert (len(structure.rows), structure.wanted) == (16, 32)  # 1,000 to the power of 0.4
    assert len(Permuted(epsilon=1).build(planes).rows) == 32
    assert Permuted(spread=5).build(planes).wanted == 160


def test_lists_fit_the_memory_that_they_may_take() -> None:
    planes = np.zeros((1, 100_000), np.uint64)
    structure = Permuted(memory=2).build(planes)
    assert 0.5 * 2**21 < structure.bytes <= 2**21
    with pytest.raises(TwinlensError, match="20 sorted lists of 100,000 codes take 8 MB, more than the 2 MB") as raised:
        Permuted(memory=2, lists=20).build(planes)
    assert str(raised.value.advice) == "Choose at most 5 lists, or allow more memory."


def test_the_same_seed_gives_the_same_lists() -> None:
    planes = planar(pack_bits(clustered(300, 64)))
    one, same, other = (Permuted(seed=seed).build(planes) for seed in (1, 1, 2))
    assert np.array_equal(one.rows, same.rows)
    assert not np.array_equal(one.rows, other.rows)


def test_codes_may_be_read_only_and_a_part_of_others() -> None:
    planes = planar(pack_bits(clustered(900, 130)))
    planes.flags.writeable = False
    structure = built(Permuted(), planes[:, 100:700], 130)
    assert asked(structure, planes[:, 120], 10).distances[0] == 0
