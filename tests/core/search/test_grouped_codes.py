"""Grouping equal codes gives the scan's answer, with fewer comparisons."""

from __future__ import annotations

import itertools
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tests.core.search.scanning import reference, ways
from twinlens.core.arrays import OptionalMask, UInt64Words
from twinlens.core.hashing.packed_codes import pack_bits, planar
from twinlens.core.search import grouped_codes
from twinlens.core.search.grouped_codes import Grouped
from twinlens.core.search.linear_scan import Scan


@st.composite
def questions(draw: st.DrawFn) -> tuple[UInt64Words, UInt64Words, OptionalMask]:
    words, n = draw(st.integers(1, 5)), draw(st.integers(0, 60))
    elements = st.sampled_from([0, 1, 3, 1 << 63][: draw(st.integers(1, 4))])
    planes = draw(hnp.arrays(np.uint64, (words, n), elements=elements))
    return planes, draw(hnp.arrays(np.uint64, words, elements=elements)), draw(st.none() | hnp.arrays(np.bool_, n))


@settings(max_examples=150)
@given(questions(), st.integers(0, 70))
def test_it_is_the_scan(question: tuple[UInt64Words, UInt64Words, OptionalMask], k: int) -> None:
    planes, query, mask = question
    structure = Grouped().build(planes)
    distances, rows = reference(planes, query, mask)
    for small, _ in itertools.product((4_096, 0), ways()):
        with patch.multiple(grouped_codes, _SMALL=small, _MORE=1):
            found = structure.candidates(query, k, mask)
        assert found.rows.tolist() == rows[:k]
        assert found.distances.tolist() == distances[:k]
        assert found.rows.dtype == found.distances.dtype == np.int64
        assert found.scanned == len(set(map(tuple, planes.T.tolist())))


@pytest.mark.parametrize("k", [1, 10, 300, 5_000])
@pytest.mark.parametrize("copies", [1, 2, 50, 4_000])
def test_copies_with_masks_that_leave_the_last(k: int, copies: int) -> None:
    rng = np.random.default_rng(copies)
    distinct = planar(pack_bits(rng.random((4_000 // copies, 40)) < 0.5))
    planes = distinct[:, rng.permutation(4_000) % distinct.shape[1]]
    for mask in (None, np.arange(4_000) >= 3_900, rng.random(4_000) < 0.5, np.zeros(4_000, np.bool_)):
        found = Grouped().build(planes).candidates(planes[:, 3], k, mask)
        expected = Scan().build(planes).candidates(planes[:, 3], k, mask)
        np.testing.assert_array_equal(found.rows, expected.rows)
        np.testing.assert_array_equal(found.distances, expected.distances)


def test_a_distinct_code_is_kept_once() -> None:
    planes = np.tile(np.array([[7, 9], [1, 1]], np.uint64), (1, 5_000))
    structure = Grouped().build(planes)
    assert structure.planes.tolist() == [[7, 9], [1, 1]]
    assert structure.bytes < planes.nbytes + 1000
    assert structure.candidates(planes[:, 0], 3).scanned == 2


def test_where_all_codes_differ_none_is_copied() -> None:
    planes = np.arange(100, dtype=np.uint64)[None]
    assert Grouped().build(planes).planes is planes


def test_a_mask_of_another_length_is_refused() -> None:
    for planes in (np.arange(10, dtype=np.uint64)[None], np.zeros((1, 10), np.uint64)):
        with pytest.raises(ValueError, match="the mask must be"):
            Grouped().build(planes).candidates(np.zeros(1, np.uint64), 1, np.ones(9, np.bool_))
