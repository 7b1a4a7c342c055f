"""The exact search gives the k first in the order (distance, row), whatever the measure returns."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from core.exact_search.measure import nearest_by

DISTANCES = hnp.arrays(
    np.float32, st.integers(0, 50), elements=st.sampled_from([-0.0, 0.0, 0.5, 1.0, 2.0, np.inf, np.nan])
)


@given(DISTANCES, st.integers(0, 60), st.integers(1, 12), st.data())
def test_it_is_exact(distances: npt.NDArray[np.float32], k: int, block: int, data: st.DataObject) -> None:
    n = len(distances)
    mask = data.draw(st.none() | hnp.arrays(np.bool_, n))
    found = nearest_by(lambda rows: distances[rows], n, k, mask, block)
    key = np.nan_to_num(distances, nan=np.inf, posinf=np.inf).tolist()
    expected = sorted((key[row], row) for row in range(n) if mask is None or mask[row])[:k]
    assert list(zip(found.distances.tolist(), found.rows.tolist(), strict=True)) == expected


def test_distances_are_not_changed_and_blocks_come_in_order() -> None:
    distances = np.array([3.0, np.nan, 1.0, 2.0, 1.0])
    before = distances.copy()
    asked: list[slice] = []

    def block(rows: slice) -> npt.NDArray[np.float64]:
        asked.append(rows)
        return distances[rows]

    assert nearest_by(block, 5, 2, block=2).rows.tolist() == [2, 4]
    assert asked == [slice(0, 2), slice(2, 4), slice(4, 5)]
    assert np.array_equal(distances, before, equal_nan=True)


def test_a_block_that_is_masked_whole_is_not_computed() -> None:
    asked: list[slice] = []

    def block(rows: slice) -> npt.NDArray[np.float64]:
        asked.append(rows)
        return np.zeros(rows.stop - rows.start)

    mask = np.array([False, False, True, False, False, False])
    assert nearest_by(block, 6, 4, mask, block=2).rows.tolist() == [2]
    assert asked == [slice(2, 4)]


def test_nothing_is_computed_for_nothing() -> None:
    def never(_rows: slice) -> npt.NDArray[np.float64]:
        raise AssertionError

    assert nearest_by(never, 10, 0).rows.tolist() == []
    assert nearest_by(never, 0, 10).rows.tolist() == []
    assert nearest_by(never, 3, 2, np.zeros(3, np.bool_)).rows.tolist() == []


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="k must not"):
        nearest_by(lambda rows: np.zeros(3), 3, -1)
    with pytest.raises(ValueError, match="the mask"):
        nearest_by(lambda rows: np.zeros(3), 3, 1, np.ones(2, np.bool_))
    with pytest.raises(ValueError, match="rows 0 to 3"):
        nearest_by(lambda rows: np.zeros((3, 1)), 3, 1)
