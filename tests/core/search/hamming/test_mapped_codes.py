"""Codes on disk are searched as codes in memory are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.errors import Cancelled
from core.hashing.packed_codes import planar
from core.search.hamming.hamming_scan import nearest_by_hamming, nearest_mapped


@pytest.mark.parametrize("n", [0, 1, 99, 100, 101, 1_000])
@pytest.mark.parametrize("k", [0, 1, 150, 2_000])
def test_a_file_is_searched_block_by_block(tmp_path: Path, n: int, k: int) -> None:
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 4, (n, 9), np.uint8)
    np.save(tmp_path / "codes.npy", codes)
    queries = np.ascontiguousarray(planar(rng.integers(0, 4, (3, 9), np.uint8)).T)
    expected = nearest_by_hamming(planar(codes), queries, k)
    found = nearest_mapped(np.load(tmp_path / "codes.npy", mmap_mode="r"), queries, k, block=100)
    np.testing.assert_array_equal(found.rows, expected.rows)
    np.testing.assert_array_equal(found.distances, expected.distances)
    assert found.distances.dtype == np.uint16


def test_it_can_be_cancelled() -> None:
    def stop(done: float, total: float, text: object) -> None:
        if done >= 200:
            raise Cancelled

    with pytest.raises(Cancelled):
        nearest_mapped(np.zeros((1_000, 8), np.uint8), np.zeros((1, 1), np.uint64), 3, stop, block=100)
