"""The asymmetric distance is the sum that it says, and ranks finer than counting bits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.hashing.packed_codes import pack_bits, planar
from core.methods.lsh import Lsh
from core.search import candidate_query


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
