"""Candidates are chosen by their codes, and by the projection where that is wished."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.declaration.declaration import read_declaration
from core.hashing.packed_codes import pack_bits, planar
from core.methods.lsh import Lsh
from core.search import SEARCHES, candidate_query
from core.search.candidate_query import (
    WIDER,
    asymmetric_distances,
    encode_queries,
    find_any_candidates,
    find_candidates,
)
from core.search.linear_scan import Scan
from core.search.search_structure import Search


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
    found = candidate_query.asymmetric_distances(query, planar(pack_bits(items)))
    expected = [np.abs(query)[item != (query >= 0)].sum() for item in items]
    assert found == pytest.approx(np.array(expected))


def test_it_ranks_by_the_inner_product_with_the_code() -> None:
    rng = np.random.default_rng(1)
    query, items = rng.standard_normal(64), rng.random((500, 64)) < 0.5
    order = candidate_query.nearest_by_projection(query, planar(pack_bits(items)), 500)
    products = np.where(items[order], 1.0, -1.0) @ query
    assert (np.diff(products) <= 1e-9).all()


def test_equal_codes_stay_in_their_order() -> None:
    planes = planar(pack_bits(np.zeros((5, 10), np.bool_)))
    np.testing.assert_array_equal(candidate_query.nearest_by_projection(np.ones(10), planes, 3), [0, 1, 2])


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
        by_both += np.isin(true, candidate_query.nearest_by_projection(projection, planes, 20)).sum()
    assert by_both > 1.1 * by_bits
