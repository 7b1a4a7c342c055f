"""What search structures do when they change, and queries that find candidates by codes and projections."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twinlens.core.declaration.declaration import read_declaration
from twinlens.core.hashing.packed_codes import LARGEST_BITS, hamming, pack_bits, planar
from twinlens.core.methods.lsh import Lsh
from twinlens.core.search import SEARCHES, search_structure
from twinlens.core.search.linear_scan import Exact, Scan
from twinlens.core.search.search_structure import (
    WIDER,
    Search,
    asymmetric_distances,
    encode_queries,
    find_any_candidates,
    find_candidates,
)


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


@pytest.mark.parametrize("cls", [cls for cls in SEARCHES if cls.uses_codes and cls.in_memory], ids=lambda cls: cls.key)
def test_of_eight_times_as_many_the_nearest_by_the_projection_are_kept(cls: type[Search]) -> None:
    rng = np.random.default_rng(0)
    x = rng.standard_normal((900, 20))
    x[100:200] = x[:100]
    encoder = Lsh(bits=70).fit(x)
    planes = planar(encoder.encode(x))
    projection = encoder.project(x[:1])[0]
    search = cls.model_validate({"candidates": 25, "asymmetric": True})
    structure = search.build(planes, 70)
    mask = rng.random(900) < 0.8
    found = find_candidates(search, structure, 900, encode_queries(encoder, x[:1], True)[0], 5, mask)
    wide = structure.candidates(planes[:, 0].copy(), WIDER * 25, mask)
    far = asymmetric_distances(projection, planes[:, wide.rows])
    best = wide.rows[np.argsort(far, kind="stable")[:25]]
    np.testing.assert_array_equal(np.sort(found.rows), np.sort(best))
    assert list(zip(found.distances, found.rows, strict=True)) == sorted(zip(found.distances, found.rows, strict=True))
    np.testing.assert_array_equal(structure.codes(found.rows), planes[:, found.rows])


def test_it_is_plain_hamming_distance_unless_told_otherwise() -> None:
    x = np.random.default_rng(0).standard_normal((300, 20))
    encoder = Lsh(bits=70).fit(x)
    planes = planar(encoder.encode(x))
    found = find_candidates(Scan(candidates=30), Scan().build(planes), 300, encode_queries(encoder, x[:1], False)[0], 5)
    np.testing.assert_array_equal(found.rows, Scan().build(planes).candidates(planes[:, 0].copy(), 30).rows)


@pytest.mark.parametrize("text", ["permuted:lists=2", "buckets:key_bits=8,tables=1,neighbours=1", "scan"])
@pytest.mark.parametrize("some", [False, True])
def test_never_fewer_are_found_than_were_asked_for(text: str, some: bool) -> None:
    rng = np.random.default_rng(0)
    x = rng.standard_normal((300, 20))
    encoder = Lsh(bits=40).fit(x)
    planes = planar(encoder.encode(x))
    search = read_declaration(SEARCHES, text)
    mask = rng.random(300) < 0.5 if some else None
    allowed = 300 if mask is None else int(mask.sum())
    for k in (1, 60, 1_000):
        found = find_candidates(
            search, search.build(planes, 40), 300, encode_queries(encoder, x[:1], False)[0], k, mask
        )
        assert len(found.rows) >= min(k, allowed)
        assert mask is None or mask[found.rows].all()


def test_a_query_has_one_code_with_its_projection_and_without() -> None:
    x = np.random.default_rng(0).standard_normal((50, 20))
    encoder = Lsh(bits=70).fit(x)
    plain, projected = encode_queries(encoder, x, False), encode_queries(encoder, x, True)
    for one, other, projection in zip(plain, projected, encoder.project(x), strict=True):
        np.testing.assert_array_equal(one.code, other.code)
        assert one.projection is None
        np.testing.assert_array_equal(other.projection, projection)


@pytest.mark.parametrize("some", [False, True])
@pytest.mark.parametrize("k", [1, 7, 400])
def test_what_is_near_to_any_query_is_found_by_the_nearest_of_them(k: int, some: bool) -> None:
    rng = np.random.default_rng(0)
    x = rng.standard_normal((300, 20))
    encoder = Lsh(bits=40).fit(x)
    planes = planar(encoder.encode(x))
    mask = rng.random(300) < 0.5 if some else None
    search = Scan(candidates=25)
    asked = encode_queries(encoder, np.concatenate([x[:2], -x[:1]]), False)
    found = find_any_candidates(search, search.build(planes), 300, asked, k, mask)
    far = np.array([np.bitwise_count(planes ^ one.code[:, None]).sum(axis=0) for one in asked])
    allowed = np.arange(300) if mask is None else np.flatnonzero(mask)
    near = {row for one in far for row in allowed[np.argsort(one[allowed], kind="stable")][: max(k, 25)].tolist()}
    far = far.min(axis=0)
    order = sorted(near, key=lambda row: (far[row], row))
    np.testing.assert_array_equal(found.rows, order)
    np.testing.assert_array_equal(found.distances, far[order])
    assert found.scanned == 3 * 300
    alone = find_any_candidates(search, search.build(planes), 300, asked[:1], k, mask)
    np.testing.assert_array_equal(
        alone.rows, find_candidates(search, search.build(planes), 300, asked[0], k, mask).rows
    )


def test_what_an_asymmetric_distance_chose_for_any_query_stays() -> None:
    x = np.random.default_rng(0).standard_normal((300, 20))
    encoder = Lsh(bits=40).fit(x)
    search = Scan(candidates=10, asymmetric=True)
    structure = search.build(planar(encoder.encode(x)))
    asked = encode_queries(encoder, x[:3], True)
    found = find_any_candidates(search, structure, 300, asked, 5)
    each = [find_candidates(search, structure, 300, one, 5).rows for one in asked]
    assert set(found.rows.tolist()) == set(np.concatenate(each).tolist())


@settings(max_examples=30, deadline=None)
@given(bits=st.integers(1, 200), n=st.integers(0, 20), seed=st.integers(0, 2**20))
def test_it_adds_the_projections_of_the_bits_that_differ(bits: int, n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    query, items = rng.standard_normal(bits), rng.random((n, bits)) < 0.5
    found = search_structure.asymmetric_distances(query, planar(pack_bits(items)))
    expected = [np.abs(query)[item != (query >= 0)].sum() for item in items]
    assert found == pytest.approx(np.array(expected))


def test_it_ranks_by_the_inner_product_with_the_code() -> None:
    rng = np.random.default_rng(1)
    query, items = rng.standard_normal(64), rng.random((500, 64)) < 0.5
    order = search_structure.nearest_by_projection(query, planar(pack_bits(items)), 500)
    products = np.where(items[order], 1.0, -1.0) @ query
    assert (np.diff(products) <= 1e-9).all()


def test_equal_codes_stay_in_their_order() -> None:
    planes = planar(pack_bits(np.zeros((5, 10), np.bool_)))
    np.testing.assert_array_equal(search_structure.nearest_by_projection(np.ones(10), planes, 3), [0, 1, 2])


def test_it_finds_more_of_the_true_neighbours_at_equal_bits() -> None:
    rng = np.random.default_rng(0)
    x = rng.standard_normal((2_000, 32)) * np.linspace(2, 0.2, 32)
    queries = x[:40] + 0.1 * rng.standard_normal((40, 32))
    encoder = Lsh(bits=64).fit(x)
    planes = planar(encoder.encode(x))
    by_bits = by_both = 0
    for query, projection in zip(queries, encoder.project(queries), strict=True):
        true = np.argsort(-(x @ query) / np.linalg.norm(x, axis=1))[:20]
        code = planar(pack_bits(projection[None] >= 0))
        hamming = np.bitwise_count(planes ^ code).sum(axis=0)
        by_bits += np.isin(true, np.argsort(hamming, kind="stable")[:20]).sum()
        by_both += np.isin(true, search_structure.nearest_by_projection(projection, planes, 20)).sum()
    assert by_both > 1.1 * by_bits
