"""Exact neighbours beside the plain sort of all distances."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twinlens.core.evaluation import truth
from twinlens.core.evaluation.truth import (
    Cosine,
    Distance,
    Euclidean,
    KernelDistance,
    rows_within,
    sharing_label,
    true_neighbours,
)
from twinlens.core.kernels.histogram_kernels import ChiSquare, Intersection

DISTANCES: list[Distance] = [Euclidean(), Cosine(), KernelDistance(ChiSquare()), KernelDistance(Intersection())]


@pytest.mark.parametrize("distance", DISTANCES, ids=lambda one: type(one).__name__)
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 1000), k=st.integers(0, 80), with_own=st.booleans())
def test_neighbours_are_the_plain_ones(distance: Distance, seed: int, k: int, with_own: bool) -> None:
    rng = np.random.default_rng(seed)
    base = rng.integers(0, 4, (70, 3)).astype(np.float32)  # many ties
    own = rng.integers(0, 70, 5) if with_own else None
    queries = base[own] if own is not None else rng.integers(0, 4, (5, 3)).astype(np.float32)
    before, truth._BLOCK = truth._BLOCK, 16
    try:
        found = true_neighbours(distance, base, queries, k, own)
        near = rows_within(distance, base, queries, 0.5, own)
    finally:
        truth._BLOCK = before
    for number, query in enumerate(queries):
        far = distance.exactly(query, base)
        np.testing.assert_allclose(distance.block(query[None], base)[0], far, atol=1e-9)
        rows = np.arange(70)
        if own is not None:
            rows = rows[rows != own[number]]
        expected = rows[np.lexsort((rows, far[rows]))][:k]
        assert found.rows[number].tolist() == expected.tolist()
        np.testing.assert_array_equal(found.distances[number], far[expected])
        assert set(near[number]) >= set(rows[far[rows] < 0.5 - 1e-9])
        assert set(near[number]) <= set(rows[far[rows] < 0.5 + 1e-9])


def test_rows_of_a_label() -> None:
    labels = np.array([3, 1, 3, 2, 1])
    assert [rows.tolist() for rows in sharing_label(labels, np.array([3, 9, 1]), np.array([0, -1, -1]))] == [
        [2], [], [1, 4]
    ]  # fmt: skip
    assert sharing_label(labels, np.array([3]))[0].tolist() == [0, 2]
