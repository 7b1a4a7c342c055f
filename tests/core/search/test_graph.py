"""The graph holds for each code what comparing all with all gives."""

from __future__ import annotations

import numpy as np
import pytest

from core.codes import hamming, planar
from core.search.graph import nearest_neighbour_graph


@pytest.mark.parametrize("n", [0, 1, 2, 300])
@pytest.mark.parametrize("k", [0, 1, 5, 1_000])
@pytest.mark.parametrize("largest", [1, 2, 256])
def test_each_code_has_its_nearest_others(n: int, k: int, largest: int) -> None:
    codes = np.random.default_rng(0).integers(0, largest, (n, 3), np.uint8)
    table = hamming(codes[:, None], codes)
    found = nearest_neighbour_graph(planar(codes), k)
    assert found.rows.shape == found.distances.shape == (n, max(0, min(k, n - 1)))
    for row in range(n):
        others = np.delete(np.arange(n), row)
        order = others[np.lexsort((others, table[row][others]))][:k]
        np.testing.assert_array_equal(found.rows[row], order)
        np.testing.assert_array_equal(found.distances[row], table[row][order])
