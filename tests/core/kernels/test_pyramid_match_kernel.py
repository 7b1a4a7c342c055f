"""The pyramid match kernel as a dot product: against its definition, level by level and bin by bin."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

from twinlens.core.errors import TwinlensError
from twinlens.core.hashing.sparse_encoder import SparseEncoder
from twinlens.core.kernels.pyramid_match_kernel import LARGEST, Pyramid
from twinlens.core.metrics.sparse_metric import SparseMetric, as_sparse, products

Cells = npt.NDArray[np.int64]


def by_definition(x: Cells, z: Cells, levels: int, decay: float = 0.5) -> float:
    """Count new matches level by level, each worth decay^level, and normalise, as Grauman and Darrell do."""

    def matches(one: Cells, other: Cells, level: int) -> int:
        counts = [Counter(tuple(int(place) >> level for place in cell) for cell in cells) for cells in (one, other)]
        return sum(min(count, counts[1][cell]) for cell, count in counts[0].items())

    def kernel(one: Cells, other: Cells) -> float:
        total, before = 0.0, 0
        for level in range(levels):
            now = matches(one, other, level)
            total += decay**level * (now - before)
            before = now
        return total

    return kernel(x, z) / float(np.sqrt(kernel(x, x) * kernel(z, z)))


def cells(n: int, pyramid: Pyramid, rng: np.random.Generator) -> Cells:
    """Draw points, some of them several times."""
    drawn = rng.integers(0, pyramid.side, (n, pyramid.components))
    return drawn[rng.integers(0, max(1, n // 2), n)]


@given(
    st.integers(1, 4),
    st.integers(1, 6),
    st.integers(1, 30),
    st.integers(1, 30),
    st.sampled_from([0.5, 0.5, 0.2, 0.9]),
    st.integers(0, 2**32),
)
def test_the_dot_product_is_the_kernel(components: int, levels: int, n: int, m: int, decay: float, seed: int) -> None:
    pyramid, rng = Pyramid(components, levels, 30, decay), np.random.default_rng(seed)
    x, z = cells(n, pyramid, rng), cells(m, pyramid, rng)
    rows = as_sparse(pyramid.rows([x, z]))
    found = products(rows, rows)
    assert found[0, 1] == pytest.approx(by_definition(x, z, levels, decay), abs=1e-6)
    np.testing.assert_allclose(np.diagonal(found), 1, atol=1e-6)


def test_sets_of_ten_components_and_hundreds_of_points() -> None:
    pyramid, rng = Pyramid(10, 5, most=512), np.random.default_rng(0)
    x = rng.integers(4, 12, (300, 10))
    z = np.clip(np.concatenate([x[:200] + rng.integers(-1, 2, (200, 10)), rng.integers(4, 12, (55, 10))]), 0, 15)
    rows = as_sparse(pyramid.rows([x, z]))
    assert rows.shape == (2, pyramid.dimensions)
    assert products(rows, rows)[0, 1] == pytest.approx(by_definition(x, z, 5), abs=1e-6)


def test_rows_do_not_depend_on_the_order_of_points_nor_on_the_sets_beside() -> None:
    pyramid, rng = Pyramid(3, 4, most=20), np.random.default_rng(1)
    x, z = cells(17, pyramid, rng), cells(5, pyramid, rng)
    together, alone = pyramid.rows([z, x]), pyramid.rows([x[::-1]])
    for found, expected in zip((together[[1]].indices, together[[1]].data), (alone.indices, alone.data), strict=True):
        np.testing.assert_array_equal(found, expected)
    assert together.has_canonical_format


def test_dimensions_are_told_apart_to_the_last() -> None:
    pyramid = Pyramid(2, 3, most=4)
    last = np.full((4, 2), pyramid.side - 1)
    every = [np.array([[row, column]] * 4) for row in range(4) for column in range(4)]
    indices = np.concatenate([pyramid.row(one)[0] for one in [*every, last]])
    assert (len(np.unique(indices)), indices.min(), indices.max()) == (pyramid.dimensions, 0, pyramid.dimensions - 1)


def test_an_empty_set_is_an_empty_row() -> None:
    rows = Pyramid(3, 4, most=20).rows([np.zeros((0, 3), np.int64), np.ones((1, 3), np.int64)])
    assert np.diff(rows.indptr).tolist() == [0, 4]
    assert Pyramid(3, 4, most=20).rows([]).shape[0] == 0


def test_points_find_their_cells_and_those_beyond_the_outermost() -> None:
    pyramid = Pyramid(2, 3, most=9)
    points = np.array([[-1.0, 2.0], [-0.51, 2.49], [-0.5, 2.5], [0.99, 3.99], [-9.0, 99.0]])
    found = pyramid.cells(points, [-1.0, 2.0], 0.5)
    assert found.tolist() == [[0, 0], [0, 0], [1, 1], [3, 3], [0, 3]]


def test_more_points_than_declared_and_too_many_dimensions_are_sentences() -> None:
    with pytest.raises(TwinlensError, match="10 points, but 9"):
        Pyramid(2, 3, most=9).row(np.zeros((10, 2), np.int64))
    assert Pyramid(10, 5, most=1000).dimensions < LARGEST
    with pytest.raises(TwinlensError, match="6 levels over 10 components"):
        Pyramid(10, 6, most=1000)


def test_what_is_written_is_what_is_hashed(tmp_path: Path) -> None:
    """Through a file, to distances and codes: sets of which half the points match are nearer than those of none."""
    pyramid, rng = Pyramid(10, 5, most=100), np.random.default_rng(2)
    sets: list[Any] = [rng.integers(0, 16, (60, 10)) for _ in range(20)]
    sets.append(np.concatenate([sets[0][:30], rng.integers(0, 16, (30, 10))]))
    scipy.sparse.save_npz(tmp_path / "sets.npz", pyramid.rows(sets))
    rows = as_sparse(scipy.sparse.load_npz(tmp_path / "sets.npz"))
    metric = SparseMetric.plain(pyramid.dimensions)
    distances = metric.distances(rows[[20]], rows)
    assert np.argsort(distances.ravel())[:2].tolist() == [20, 0]
    codes = SparseEncoder.of(metric, bits=512).encode(rows)
    differing = np.unpackbits(codes ^ codes[20], axis=1).sum(axis=1)
    assert np.argsort(differing)[:2].tolist() == [20, 0]
    angle = np.arccos(by_definition(sets[0], sets[20], 5))
    assert differing[0] / 512 == pytest.approx(angle / np.pi, abs=0.08)
