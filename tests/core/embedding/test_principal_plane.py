"""Principal components of a plane, where there are none too."""

from __future__ import annotations

import numpy as np
import pytest

from twinlens.core.arrays import Float32Vectors
from twinlens.core.embedding import principal_plane
from twinlens.core.embedding.neighbour_lists import COMPONENTS, neighbour_lists
from twinlens.core.embedding.principal_plane import pca_plane, principal_coordinates
from twinlens.core.vectors import UnitRows, pack_vectors, unpack_vectors


@pytest.mark.parametrize("shape", [(300, 40), (300, 500), (600, 200)])
@pytest.mark.parametrize("value", [0.0, 1.0])
def test_rows_that_are_all_equal_lie_in_one_place(shape: tuple[int, int], value: float) -> None:
    assert not np.any(pca_plane(np.full(shape, value, np.float32)))


def table(n: int = 700, d: int = 60) -> Float32Vectors:
    rng = np.random.default_rng(0)
    return (rng.standard_normal((n, 8)) @ rng.standard_normal((8, d)) + 5).astype(np.float32)


def test_a_large_table_is_projected_as_a_small_one(monkeypatch: pytest.MonkeyPatch) -> None:
    x = table(2_500)
    exact = principal_coordinates(x, 6)
    monkeypatch.setattr(principal_plane, "_LARGE", 1)
    assert np.allclose(principal_coordinates(x, 6), exact, atol=1e-4 * np.abs(exact).max())


def test_rows_of_length_1_that_are_read_from_bytes_are_what_they_stand_for() -> None:
    packed = pack_vectors(table(), np.dtype(np.int8))
    rows, whole = UnitRows(packed), unpack_vectors(packed)
    some = np.array([[5, 2], [699, 0]])
    assert np.array_equal(rows[:], whole)
    assert np.array_equal(rows[some], whole[some])
    assert np.allclose(np.linalg.norm(whole, axis=1), 1)
    assert rows.mean() == pytest.approx(whole.mean(axis=0, dtype=np.float64))
    count = COMPONENTS
    leading, exact = principal_coordinates(rows, count), principal_coordinates(whole, count)
    assert np.allclose(leading, exact, atol=1e-4 * np.abs(exact).max())
    for up_to in (100, 1_000):
        found, known = (neighbour_lists(x, 5, exact_up_to=up_to, leading=exact) for x in (rows, whole))
        assert np.array_equal(found.rows, known.rows)
        assert np.array_equal(found.squared_distances, known.squared_distances)


def test_neighbours_are_the_same_with_coordinates_that_are_known() -> None:
    x = table()
    found = neighbour_lists(x, 5, exact_up_to=100)
    known = neighbour_lists(x, 5, exact_up_to=100, leading=principal_coordinates(x, COMPONENTS))
    assert np.array_equal(known.rows, found.rows)
    assert np.array_equal(known.squared_distances, found.squared_distances)
    exact = neighbour_lists(x, 5).rows
    assert (found.rows[:, :, None] == exact[:, None]).any(axis=2).mean() > 0.9
