"""Items in the plane: principal components, neighbours, forces, and an embedding that keeps neighbours together."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from twinlens.core.arrays import Float32Vectors
from twinlens.core.compilation import compilation
from twinlens.core.embedding import NeighbourEmbedding, neighbour_embedding, pca_plane
from twinlens.core.embedding.neighbour_lists import heaps, kept_neighbours, neighbour_lists
from twinlens.core.embedding.tsne import Attraction, Repulsion, affinities, conditional, plain_sums
from twinlens.core.errors import Cancelled, TwinlensError
from twinlens.core.exact_search.measure import Measure
from twinlens.core.exact_search.measure_images import images_under
from twinlens.core.kernels.dot_product_kernels import Linear
from twinlens.core.kernels.histogram_kernels import ChiSquare, Hellinger

QUICK = NeighbourEmbedding(early_steps=30, steps=60)


def crowds(n: int, count: int = 5, dimensions: int = 20, seed: int = 0) -> tuple[Float32Vectors, npt.NDArray[np.int64]]:
    """Return items around a few centres, and the number of each one's centre."""
    rng = np.random.default_rng(seed)
    label = np.arange(n) % count
    centres = 3 * rng.normal(size=(count, dimensions))
    return (centres[label] + rng.normal(size=(n, dimensions))).astype(np.float32), label


@pytest.mark.parametrize("shape", [(40, 7), (7, 40)])
def test_the_plane_of_greatest_variance(shape: tuple[int, int]) -> None:
    x = np.random.default_rng(1).normal(size=shape) * np.linspace(1, 3, shape[1])
    centred = x.astype(np.float32) - x.astype(np.float32).mean(axis=0, dtype=np.float64)
    _, values, directions = np.linalg.svd(centred, full_matrices=False)
    found = pca_plane(x)
    for axis in range(2):
        direction = directions[axis] * np.sign(directions[axis][np.abs(directions[axis]).argmax()])
        np.testing.assert_allclose(found[:, axis], centred @ direction, atol=1e-4)
    np.testing.assert_allclose(np.linalg.norm(found, axis=0), values[:2], rtol=1e-5)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("same", [False, True])
def test_few_items_and_equal_ones(n: int, same: bool) -> None:
    x = np.zeros((n, 3)) if same else np.random.default_rng(2).normal(size=(n, 3))
    plane, layout = pca_plane(x), neighbour_embedding(x, QUICK)
    assert plane.shape == layout.shape == (n, 2)
    assert np.isfinite(plane).all()
    assert np.isfinite(layout).all()
    assert not same or not plane.any()


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_what_is_not_finite_is_refused(bad: float) -> None:
    x = np.ones((5, 3))
    x[3, 1] = bad
    for work in (pca_plane, neighbour_embedding, lambda x: neighbour_lists(x, 2)):
        with pytest.raises(TwinlensError, match="Row 3"):
            work(x)
    with pytest.raises(TwinlensError, match="not finite"):
        neighbour_embedding(np.ones((5, 3)), start=x[:, :2])


@given(st.integers(2, 40), st.integers(1, 12), st.integers(0, 5))
def test_neighbours_are_those_of_a_plain_sort(n: int, k: int, seed: int) -> None:
    x = np.random.default_rng(seed).integers(0, 50, (n, 3)).astype(np.float32)
    found = neighbour_lists(x, k)
    distances = np.square(x[:, None] - x[None]).sum(axis=2)
    np.fill_diagonal(distances, np.inf)
    expected = np.sort(distances, axis=1)[:, : min(k, n - 1)]
    np.testing.assert_allclose(found.squared_distances, expected, atol=1e-2)
    np.testing.assert_allclose(np.take_along_axis(distances, found.rows, axis=1), expected, atol=1e-2)
    assert not (found.rows == np.arange(n)[:, None]).any()


def test_neighbours_by_cells_are_nearly_all() -> None:
    x = crowds(3_000, 12, 10)[0] @ np.random.default_rng(8).normal(size=(10, 60)).astype(np.float32)
    exact = neighbour_lists(x, 10)
    found = neighbour_lists(x, 10, seed=1, exact_up_to=0)
    assert (exact.rows[:, :, None] == found.rows[:, None, :]).any(axis=2).mean() > 0.97
    assert np.array_equal(found.rows, neighbour_lists(x, 10, seed=1, exact_up_to=0).rows)
    assert (np.diff(found.squared_distances, axis=1) >= 0).all()


def test_items_that_are_all_equal_have_neighbours_in_one_cell() -> None:
    found = neighbour_lists(np.ones((50, 3)), 5, exact_up_to=0)
    assert (found.rows >= 0).all()
    assert not (found.rows == np.arange(50)[:, None]).any()


def test_as_many_neighbours_count_as_is_wished() -> None:
    lists = neighbour_lists(crowds(300)[0], 30)
    weights = conditional(lists.squared_distances.astype(np.float64), 12)
    entropy = -(weights * np.log(np.maximum(weights, 1e-300))).sum(axis=1)
    np.testing.assert_allclose(np.exp(entropy), 12, rtol=1e-3)
    graph = affinities(lists, 12)
    assert graph.sum() == pytest.approx(1)
    assert abs(graph - graph.T).max() < 1e-15


@pytest.mark.parametrize("scale", [1e-4, 0.3, 8.0, 40.0])
def test_the_grid_gives_the_forces_of_all_pairs(scale: float) -> None:
    y = scale * np.random.default_rng(3).normal(size=(700, 2))
    forces, z = Repulsion().sums(y)
    expected, whole = plain_sums(y)
    assert z == pytest.approx(whole, rel=0.03)
    off = np.sqrt(np.square(forces - expected).mean()) / np.sqrt(np.square(expected).mean())
    assert off < 0.05


def test_the_pull_is_that_of_every_pair() -> None:
    graph = affinities(neighbour_lists(crowds(60)[0], 8), 4)
    y = np.random.default_rng(4).normal(size=(60, 2))
    p, difference = graph.toarray(), y[:, None] - y[None]
    w = 1 / (1 + np.square(difference).sum(axis=2))
    np.testing.assert_allclose(Attraction(graph).forces(y), np.einsum("ij,ijk->ik", p * w, difference), atol=1e-12)


@pytest.mark.parametrize("scale", [1e-4, 1.0, 30.0])
def test_compiled_loops_have_the_bits_of_numpy(scale: float, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(4)
    y = scale * rng.normal(size=(700, 2))
    attraction = Attraction(affinities(neighbour_lists(rng.normal(size=(700, 5)).astype(np.float32), 12, 0), 6.0))
    assert compilation.ready(wait=True)
    found = []
    for compiled in (True, False):
        monkeypatch.setattr(compilation, "worth", lambda _, compiled=compiled: compiled)
        forces, z = Repulsion().sums(y)
        found.append((attraction.forces(np.asfortranarray(y)), forces, z))
    for one, other in zip(*found, strict=True):
        np.testing.assert_array_equal(one, other)


def test_neighbours_stay_together() -> None:
    x, label = crowds(600)
    lists = neighbour_lists(x, 30)
    layout = neighbour_embedding(x, QUICK, lists=lists)
    plane = pca_plane(x)
    assert kept_neighbours(lists, layout) > 2 * kept_neighbours(lists, plane)
    beside = neighbour_lists(layout, 5).rows
    assert (label[beside] == label[:, None]).mean() > 0.99
    assert np.array_equal(layout, neighbour_embedding(x, QUICK))


def test_layouts_are_shown_on_the_way_and_can_be_stopped() -> None:
    x, _ = crowds(100)
    seen: list[Float32Vectors] = []
    last = neighbour_embedding(x, QUICK, watch=seen.append)
    assert len(seen) == 9
    assert np.array_equal(seen[-1], last)

    def stop(_layout: Float32Vectors) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        neighbour_embedding(x, QUICK, watch=stop)

    def stopped(done: float, total: float, _text: object = "") -> None:
        if done / total > 0.5:
            raise Cancelled

    with pytest.raises(Cancelled):
        neighbour_embedding(x, QUICK, progress=stopped)


def test_what_is_kept_is_counted() -> None:
    x = np.arange(30.0)[:, None]
    line = np.concatenate([x, 0 * x], axis=1)
    lists = neighbour_lists(x, 4)
    assert kept_neighbours(lists, line, 4) == 1
    assert kept_neighbours(lists, line[np.random.default_rng(0).permutation(30)], 4) < 0.6


@pytest.mark.parametrize("kernel", [Linear(), Hellinger()])
def test_images_have_the_distances_of_the_measure(kernel: Linear | Hellinger) -> None:
    x = np.random.default_rng(5).random((20, 6)).astype(np.float32)
    images = images_under(Measure(kernel), x)
    for row in range(20):
        expected = Measure(kernel).distances(x[row], x)
        np.testing.assert_allclose(np.linalg.norm(images - images[row], axis=1), expected, atol=1e-5)


def test_images_under_other_kernels_order_as_the_measure_does() -> None:
    x = np.random.default_rng(6).dirichlet(np.ones(8), 200).astype(np.float32)
    images = images_under(Measure(ChiSquare()), x)
    expected = Measure(ChiSquare()).distances(x[0], x)
    assert np.corrcoef(expected, np.linalg.norm(images - images[0], axis=1))[0, 1] > 0.99


def test_heaps_are_what_lies_apart() -> None:
    rng = np.random.default_rng(7)
    label = np.repeat([0, 1, 2], [300, 200, 100])
    xy = (np.array([[0.2, 0.2], [0.8, 0.3], [0.5, 0.8]])[label] + 0.03 * rng.normal(size=(600, 2))).astype(np.float32)
    found = heaps(xy)
    assert len(found.summits) == 3
    assert (found.number == label).mean() > 0.98
    np.testing.assert_allclose(found.summits[0], [0.2, 0.2], atol=0.05)
    assert len(heaps(np.empty((0, 2), np.float32)).summits) == 0
    assert set(heaps(np.full((9, 2), 0.5, np.float32)).number.tolist()) == {0}
