"""An inverted file compares the codes of the nearest lists alone, compiled or plain, and with proof misses nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tests.core.search.scanning import reference
from twinlens.core.arrays import OptionalMask, UInt64Words
from twinlens.core.compilation import compilation
from twinlens.core.hashing.packed_codes import pack_bits, planar
from twinlens.core.search.inverted_file import InvertedFile, InvertedLists, learn_centres, nearest_centres
from twinlens.core.search.search_structure import Candidates


@contextmanager
def searching(compiled: bool) -> Iterator[None]:
    with patch.object(compilation, "worth", lambda work: compiled):
        yield


def built(search: InvertedFile, planes: UInt64Words) -> InvertedLists:
    """Build in both ways, which must give the same."""
    structures = []
    for compiled in (True, False):
        with searching(compiled):
            structures.append(search.build(planes))
    one, other = structures
    for name in ("centres", "starts", "rows", "listed", "reach"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    assert one.probes == other.probes
    return one


def found_by(structure: InvertedLists, query: UInt64Words, k: int, mask: OptionalMask = None) -> Candidates:
    """Search in both ways, which must give the same."""
    found = []
    for compiled in (True, False):
        with searching(compiled):
            found.append(structure.candidates(query, k, mask))
    one, other = found
    assert (one.rows.tolist(), one.distances.tolist()) == (other.rows.tolist(), other.distances.tolist())
    assert (one.scanned, one.probed) == (other.scanned, other.probed)
    return one


def nearest_in_lists(structure: InvertedLists, query: UInt64Words, k: int, mask: OptionalMask) -> list[int]:
    """Go through whole lists, the nearest centre first, with nothing but Python."""

    def apart(one: UInt64Words, other: UInt64Words) -> int:
        return sum(int(a ^ b).bit_count() for a, b in zip(one.tolist(), other.tolist(), strict=True))

    lists = range(structure.centres.shape[1])
    met: list[tuple[int, int]] = []
    for visited, number in enumerate(sorted(lists, key=lambda one: (apart(structure.centres[:, one], query), one))):
        if visited >= structure.probes and len(met) >= k:
            break
        rows = structure.rows[structure.starts[number] : structure.starts[number + 1]].tolist()
        met += [(apart(structure.planes[:, row], query), row) for row in rows if mask is None or mask[row]]
    return [row for _, row in sorted(met)[:k]]


@st.composite
def searches(draw: st.DrawFn) -> tuple[InvertedLists, UInt64Words, int, OptionalMask]:
    words, n = draw(st.integers(1, 3)), draw(st.integers(1, 60))
    few = st.sampled_from([0, 1, 2, 3, 7, 1 << 63, (1 << 64) - 1, 0x5555555555555555])
    planes = draw(hnp.arrays(np.uint64, (words, n), elements=few))
    query = draw(hnp.arrays(np.uint64, words, elements=few))
    lists, probes = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    search = InvertedFile(lists=lists, probes=probes, proof=draw(st.booleans()), seed=draw(st.integers(0, 5)))
    return built(search, planes), query, draw(st.integers(1, 70)), draw(st.none() | hnp.arrays(np.bool_, n))


@settings(max_examples=150)
@given(searches())
def test_the_nearest_of_the_nearest_lists(case: tuple[InvertedLists, UInt64Words, int, OptionalMask]) -> None:
    structure, query, k, mask = case
    found = found_by(structure, query, k, mask)
    distances, rows = reference(structure.planes, query, mask)
    if structure.proof:
        assert (found.rows.tolist(), found.distances.tolist()) == (rows[:k], distances[:k])
    else:
        assert found.rows.tolist() == nearest_in_lists(structure, query, k, mask)
    assert found.scanned <= structure.planes.shape[1]
    assert found.probed <= structure.centres.shape[1]


def clustered(n: int, bits: int, clusters: int, seed: int = 0) -> UInt64Words:
    rng = np.random.default_rng(seed)
    centres = rng.random((clusters, bits)) < 0.5
    return planar(pack_bits(centres[rng.integers(0, clusters, n)] ^ (rng.random((n, bits)) < 0.1)))


def test_lists_hold_every_code_once_the_farthest_from_the_centre_first() -> None:
    structure = built(InvertedFile(lists=20), clustered(700, 130, 8))
    assert sorted(structure.rows.tolist()) == list(range(700))
    np.testing.assert_array_equal(structure.listed, structure.planes[:, structure.rows])
    for number, (start, stop) in enumerate(zip(structure.starts[:-1], structure.starts[1:], strict=True)):
        own = structure.listed[:, start:stop]
        far = np.bitwise_count(own ^ structure.centres[:, number, None]).sum(axis=0)
        np.testing.assert_array_equal(far, structure.reach[start:stop])
        assert (np.diff(far.astype(int)) <= 0).all()
        others = np.bitwise_count(own[:, :, None] ^ structure.centres[:, None, :]).sum(axis=0)
        assert (others.min(axis=1) == far).all()


def test_a_centre_has_the_bits_of_most_of_its_codes() -> None:
    planes = clustered(300, 128, 3)
    centres = learn_centres(planes, 3)
    owners, _ = nearest_centres(planes, centres)
    moved = [planes[:, owners == number] for number in range(3)]
    for number, own in enumerate(moved):
        bits = np.unpackbits(np.ascontiguousarray(own.T).view(np.uint8), axis=1)
        most = np.packbits(2 * bits.sum(axis=0, dtype=int) >= len(bits))
        np.testing.assert_array_equal(most.view(np.uint64), centres[:, number])


@pytest.mark.parametrize("compiled", [True, False])
def test_clusters_are_found_by_few_lists_and_proved_by_few_codes(compiled: bool) -> None:
    planes = clustered(4_000, 256, 40)
    with searching(compiled):
        structure = InvertedFile().build(planes)
        mean, worst = structure.share_found.of(structure.probes)
        assert mean >= 0.99
        assert 0 < worst <= mean
        assert structure.probes < 30
        proved = InvertedFile(probes=1, proof=True).build(planes)
        for row in range(0, 4_000, 400):
            code = np.ascontiguousarray(planes[:, row])
            found = proved.candidates(code, 50)
            assert found.rows.tolist() == reference(planes, code)[1][:50]
            assert found.scanned < 2_000
            assert structure.candidates(code, 50).scanned < 2_000


def test_codes_without_clusters_are_all_compared() -> None:
    planes = planar(pack_bits(np.random.default_rng(0).random((2_000, 64)) < 0.5))
    structure = InvertedFile().build(planes)
    assert structure.probes > structure.centres.shape[1] // 2, "no list tells anything"


def test_shares_found_by_lists() -> None:
    structure = built(InvertedFile(lists=4, probes=2), clustered(60, 64, 4))
    shares = [structure.share_found.of(probes) for probes in range(1, 5)]
    assert shares == sorted(shares)
    assert shares[-1] == (1.0, 1.0)
    assert [structure.share_found.enough(share) for share in (1e-9, 1.0)] == [1, structure.share_found.turns.max() + 1]


def test_more_lists_than_codes_are_as_many_as_codes() -> None:
    planes = clustered(5, 64, 2)
    structure = built(InvertedFile(lists=100, probes=100), planes)
    assert structure.centres.shape[1] == structure.probes == 5
    assert structure.bytes > planes.nbytes
