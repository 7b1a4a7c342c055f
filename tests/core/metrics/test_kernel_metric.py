"""Metrics that were learned of a kernel: against plain numpy, and against the explicit form where there is one."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csc_array, csr_array

from twinlens.core.arrays import Float64Matrix
from twinlens.core.declaration.fitted import Packed
from twinlens.core.errors import TwinlensError
from twinlens.core.exact_search.measure import Measure
from twinlens.core.hashing.hash_method import HashMethod
from twinlens.core.hashing.method_under_metric import UnderMetric, under
from twinlens.core.kernels.dot_product_kernels import Linear, Polynomial
from twinlens.core.kernels.histogram_kernels import ChiSquare, Hellinger, Intersection
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.kernels.radial_kernels import Gaussian, Laplacian
from twinlens.core.methods import METHODS
from twinlens.core.methods.klsh import Klsh
from twinlens.core.methods.lsh import BilinearLsh
from twinlens.core.metrics.itml import Itml
from twinlens.core.metrics.kernel_learning import MOST_ITEMS, KernelTable, learn_of_kernel, learn_sparse
from twinlens.core.metrics.kernel_metric import KernelMetric, KernelSpace
from twinlens.core.metrics.metric import FARTHEST, MetricPairs
from twinlens.core.metrics.metric_arrays import read_metric
from twinlens.core.metrics.metric_forms import FITTED, ExplicitMetric
from twinlens.core.metrics.sparse_metric import SparseMetric
from twinlens.core.vectors import Vectors
from twinlens.testing.declarations import blas_threads

N, D, C = 90, 17, 8

KERNELS: tuple[Kernel, ...] = (
    Linear(),
    Linear(normalise=True),
    Polynomial(),
    Gaussian(gamma=2.0),
    Laplacian(gamma=1.0, normalise=True),
    ChiSquare(),
    Intersection(normalise=True),
    Hellinger(normalise=True),
)
every_kernel = pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.text())


def histograms(n: int = N, d: int = D, seed: int = 0) -> Vectors:
    x = np.random.default_rng(seed).gamma(0.4, size=(n, d)).astype(np.float32)
    return np.asarray(x / x.sum(axis=1, keepdims=True))


def weights(c: int = C, seed: int = 1) -> Float64Matrix:
    """Make a symmetric S with which I + Φ S Φ' is positive definite, whatever Φ."""
    g = np.random.default_rng(seed).standard_normal((c, c))
    return np.asarray(g @ g.T / c)


def made(kernel: Kernel, ranking: str = "distance") -> KernelMetric:
    x = histograms()
    return KernelMetric.of_weights(kernel, x[:C], weights(), ranking).fitted_to(x)


def plain_kernel(kernel: Kernel, s: Float64Matrix, x: Vectors, z: Vectors) -> Float64Matrix:
    """Compute s_A of all pairs as it is written."""
    items = histograms()[:C].astype(np.float64)
    x, z = x.astype(np.float64), z.astype(np.float64)
    gram = kernel.matrix(items, items)
    m = s + s.T + s.T @ gram @ s
    return np.asarray(kernel.matrix(x, z) + kernel.matrix(x, items) @ m @ kernel.matrix(items, z))


@every_kernel
def test_distance_and_kernel_are_those_of_plain_numpy(kernel: Kernel) -> None:
    x, metric = histograms(), made(kernel)
    expected = plain_kernel(kernel, weights(), x, x)
    own = np.diag(expected)
    far = np.sqrt(np.maximum(own + own[20] - 2 * expected[:, 20], 0)) / metric.spread
    np.testing.assert_allclose(metric.distances(x[20], x), far, atol=2e-5)
    np.testing.assert_allclose(metric.kernel(x[20], x), expected[20], atol=1e-5 * own.max())
    np.testing.assert_allclose(metric.matrix(x, x[:5]), expected[:, :5], atol=1e-5 * own.max())
    angles = made(kernel, "kernel").distances(x[20], x)
    cosines = expected[20] / np.sqrt(own * own[20])
    np.testing.assert_allclose(1 - angles**2 / 2, cosines, atol=1e-5)


@every_kernel
def test_weights_come_back(kernel: Kernel) -> None:
    metric, s = made(kernel), weights()
    items = histograms()[:C].astype(np.float64)
    gram = kernel.matrix(items, items)
    for found, expected in ((metric.s, s), (metric.m, s + s.T + s.T @ gram @ s)):
        np.testing.assert_allclose(gram @ found @ gram, gram @ expected @ gram, atol=1e-8)
    if kernel == Linear():
        g = np.eye(D) + items.T @ s @ items
        stretched = np.linalg.eigvalsh(g @ g)
        np.testing.assert_allclose(metric.spectrum(), stretched[::-1][:C], rtol=1e-10)
        learned = np.eye(D) + items.T @ metric.m @ items
        np.testing.assert_allclose(learned, g @ g, atol=1e-10)


@every_kernel
def test_an_item_has_one_image_and_one_distance(kernel: Kernel) -> None:
    x = histograms(300)
    for metric in (made(kernel), made(kernel, "kernel")):
        images, distances = metric.apply(x), metric.distances(x[3], x)
        assert images.shape == (300, metric.out_dimensions)
        assert distances[3] == 0
        for threads in (1, 2):
            with blas_threads(threads):
                for i in range(0, 300, 17):
                    np.testing.assert_array_equal(metric.apply(x[i : i + 1])[0], images[i])
                    np.testing.assert_array_equal(metric.apply(x[i : i + 1 + i % 70]), images[i : i + 1 + i % 70])
                    np.testing.assert_array_equal(metric.distances(x[3], x[i:]), distances[i:])
                    assert metric.distances(x[i], x[3:4])[0] == distances[i]


@every_kernel
def test_images_have_the_learned_kernel_for_dot_product(kernel: Kernel) -> None:
    x, metric = histograms(), made(kernel)
    images = metric.apply(x).astype(np.float64)
    expected = plain_kernel(kernel, weights(), x, x)
    # All 90 items are landmarks, so nothing is outside of what they span.
    np.testing.assert_allclose(images @ images.T, expected, atol=2e-4 * np.abs(expected).max())
    new = histograms(50, seed=9)
    images_of_new = metric.apply(new).astype(np.float64)
    plain = KernelMetric.of(kernel, x[:C], np.zeros((C, 0)), np.zeros(0)).fitted_to(x).apply(new).astype(np.float64)
    lost = kernel.matrix(new, new) - plain @ plain.T
    found = plain_kernel(kernel, weights(), new, new) - images_of_new @ images_of_new.T
    np.testing.assert_allclose(found, lost, atol=2e-4 * np.abs(expected).max())


def test_without_change_it_is_the_measure() -> None:
    x = np.insert(histograms(), [0, 40], 0, axis=0)
    for kernel in (ChiSquare(normalise=True), Intersection(normalise=True)):
        plain = KernelMetric.of(kernel, x[1:2], np.zeros((1, 0)), np.zeros(0))
        telling = x.any(axis=1)
        expected = Measure(kernel).distances(x[5], x)
        np.testing.assert_allclose(plain.distances(x[5], x)[telling], expected[telling], atol=1e-12)
        assert plain.fitted_to(x).spread == pytest.approx(1)


@every_kernel
def test_blank_items_come_last(kernel: Kernel) -> None:
    x = np.insert(histograms(), [10, 40], 0, axis=0)
    blank = ~x.any(axis=1)
    for metric, farthest in ((made(kernel), FARTHEST), (made(kernel, "kernel"), 2)):
        distances, asked = metric.distances(x[0], x), metric.distances(x[10], x)
        assert (distances[blank] == farthest).all()
        assert distances[~blank].max() < farthest
        assert (asked[blank] == 0).all()
        assert (asked[~blank] == farthest).all()
        assert not metric.apply(x[blank]).any()


def test_survives_storage() -> None:
    metric = made(ChiSquare(normalise=True))
    assert KernelMetric in FITTED
    packed = metric.pack()
    arrays = {name: np.frombuffer(a.tobytes(), a.dtype).reshape(a.shape) for name, a in packed.arrays.items()}
    again = KernelMetric.unpack(Packed(packed.kind, json.loads(json.dumps(packed.numbers)), arrays))
    x = histograms()
    assert again.pack().digest() == packed.digest()
    np.testing.assert_array_equal(again.distances(x[0], x), metric.distances(x[0], x))
    np.testing.assert_array_equal(again.apply(x), metric.apply(x))


def test_vectors_that_the_kernel_is_not_for_get_a_sentence() -> None:
    x, metric = histograms(), made(ChiSquare())
    with pytest.raises(TwinlensError, match="17 dimensions"):
        metric.check(18)
    with pytest.raises(TwinlensError, match="chi-square kernel is for histograms"):
        metric.apply(-x)
    with pytest.raises(TwinlensError, match="chi-square kernel is for histograms"):
        KernelMetric.of_weights(ChiSquare(), -x[:C], weights())
    with pytest.raises(TwinlensError, match="nothing to learn from"):
        metric.fitted_to(np.zeros((3, D)))


SIMILAR = Itml(prior="similar", slack=0.1, rank=8, even=0.5)


# ---- learning --------------------------------------------------------------------------------------------------------


def marks(x: Vectors, count: int, seed: int = 4) -> MetricPairs:
    rows = np.random.default_rng(seed).integers(0, len(x), (count, 2))
    high = x[:, 0] > np.median(x[:, 0])
    return MetricPairs(rows, high[rows[:, 0]] == high[rows[:, 1]])


@pytest.mark.parametrize(
    "declared",
    [Itml(slack=1.0), Itml(rank=3, slack=5.0), Itml(slack=1.0, ranking="kernel"), SIMILAR],
    ids=lambda one: one.text(),
)
@pytest.mark.parametrize("count", [6, 80])
def test_of_the_linear_kernel_it_learns_what_it_learns_of_the_vectors(declared: Itml, count: int) -> None:
    x = np.random.default_rng(3).standard_normal((100, 40)).astype(np.float32)
    pairs = marks(x, count)
    explicit = declared.learn(x, pairs)
    learned = learn_of_kernel(declared, Linear(), x, pairs)
    sparse = learn_sparse(declared, csc_array(x), pairs).metric
    assert isinstance(learned.metric, KernelMetric)
    assert isinstance(sparse, SparseMetric)
    assert learned.pairs.left_out() == explicit.pairs.left_out()
    if not declared.rank:
        assert len(learned.metric.items) <= 2 * count
    expected = explicit.metric.distances(x[0], x)
    near = 5e-3 if declared.rank else 1e-5  # principal directions are found nearly
    np.testing.assert_allclose(learned.metric.distances(x[0], x), expected, atol=near)
    np.testing.assert_allclose(sparse.distances(csr_array(x[:1]), csr_array(x)), expected, atol=near)
    assert learned.metric.ranking == sparse.ranking == declared.ranking


@settings(max_examples=15)
@given(st.integers(0, 10**6), st.integers(2, 60), st.sampled_from([0.1, 1.0, 10.0]), st.sampled_from([0, 4]))
def test_of_the_intersection_it_learns_what_it_learns_of_unary_codes(
    seed: int, count: int, slack: float, rank: int
) -> None:
    counts = np.random.default_rng(seed).integers(0, 4, (60, 9))
    unary = (counts[:, :, None] > np.arange(4)).reshape(60, -1).astype(np.float32)
    x = counts.astype(np.float32)
    rows = np.random.default_rng(seed).integers(0, 60, (count, 2))
    rows[0] = 0, int(np.argmax((x != x[0]).any(axis=1)))
    pairs = MetricPairs(rows, rows.sum(axis=1) % 2 == 0)
    declared = Itml(slack=slack, rank=rank)
    explicit = declared.learn(unary, pairs).metric
    learned = learn_of_kernel(declared, Intersection(), x, pairs).metric
    scale = explicit.distances(unary[5], unary).max()
    np.testing.assert_allclose(
        learned.distances(x[5], x) * learned.spread,
        explicit.distances(unary[5], unary) * explicit.spread,
        atol=(2e-2 if rank else 1e-4) * scale * explicit.spread,
    )


def test_many_items_are_said_by_fewer() -> None:
    x = histograms(700, 40)
    table = KernelTable.of(Hellinger(normalise=True), x)
    g = np.diag(np.linspace(0.5, 3, table.space.rank))
    metric = table.metric(ExplicitMetric.of(g))
    assert len(metric.items) == MOST_ITEMS
    assert "keeps the 400 that tell most" in str(metric.note)
    e = table.space.coordinates
    expected = np.linalg.norm((e - e[3]) @ g.T, axis=1)
    np.testing.assert_allclose(metric.distances(x[3], x) * metric.spread, expected, atol=1e-2)


def test_a_space_keeps_every_product_and_knows_new_items() -> None:
    x = histograms(30)
    kernel = ChiSquare()
    gram = kernel.matrix(x, x)
    space = KernelSpace.of(gram, cut=1e-12)
    np.testing.assert_allclose(space.coordinates @ space.coordinates.T, gram, atol=1e-10)
    np.testing.assert_allclose(gram @ space.axes, space.coordinates, atol=1e-8)
    nothing = space.changed_by(np.eye(space.rank))
    assert nothing.axes.shape == (0, 0)
    assert nothing.s.shape == (0, 0)


def learn_by_kernel(declared: Itml, x: Vectors, pairs: MetricPairs) -> str:
    return str(learn_of_kernel(declared, ChiSquare(normalise=True), x, pairs).metric.note)


def learn_by_sparse_rows(declared: Itml, x: Vectors, pairs: MetricPairs) -> str:
    return str(learn_sparse(declared, csr_array(x), pairs).metric.note)


@pytest.mark.parametrize("learn", [learn_by_kernel, learn_by_sparse_rows])
def test_pairs_that_teach_nothing_get_a_sentence(learn: Callable[[Itml, Vectors, MetricPairs], str]) -> None:
    x = np.insert(histograms(), 3, 0, axis=0)
    rows = np.array([(0, 0), (1, 2), (2, 1), (4, 5), (5, 4), (3, 6), (7, 8)])
    pairs = MetricPairs(rows, np.array([True, True, True, True, False, True, False]))
    said = learn(Itml(), x, pairs)
    for words in ("1 of an item with itself", "1 marked before", "1 marked both", "1 with an item that has nothing"):
        assert words in said
    with pytest.raises(TwinlensError, match=r"row 99, but there are 91 vectors"):
        learn(Itml(), x, MetricPairs(np.array([(0, 99)]), np.array([True])))
    with pytest.raises(TwinlensError, match="no pair to learn from"):
        learn(Itml(), x, MetricPairs(rows[:1], np.array([True])))
    with pytest.raises(TwinlensError, match="cannot start from prior=covariance"):
        learn(Itml(prior="covariance"), x, pairs)
    with pytest.raises(TwinlensError, match=r"zero throughout|tells nothing"):
        learn(Itml(), np.zeros((5, 9)), MetricPairs(rows[1:2], np.array([True])))


# ---- hashing ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cls", METHODS, ids=lambda cls: cls.key)
def test_every_method_stands_behind_it(cls: type[HashMethod]) -> None:
    x = histograms(200, 30)
    method = cls(bits=6, **({"landmarks": 60} if "landmarks" in cls.model_fields else {}))
    metric = KernelMetric.of_weights(ChiSquare(normalise=True), x[:C], weights()).fitted_to(x)
    encoder = under(metric, method).fit(np.insert(x, 7, 0, axis=0))
    codes = encoder.encode(x)
    assert encoder.dimensions == 30
    for i in range(0, 200, 31):
        np.testing.assert_array_equal(encoder.encode(x[i : i + 1])[0], codes[i])
    again = UnderMetric.unpack(encoder.pack())
    np.testing.assert_array_equal(again.encode(x), codes)


def test_the_method_s_kernel_gives_way_to_the_learned_one() -> None:
    x = histograms(200, 30)
    metric = KernelMetric.of_weights(ChiSquare(normalise=True), x[:C], weights()).fitted_to(x)
    images = metric.apply(x)
    same = under(metric, Klsh(bits=32, landmarks=60, kernel=ChiSquare())).fit(x)
    linear = Klsh(bits=32, landmarks=60, kernel=Linear()).fit(images)
    np.testing.assert_array_equal(same.encode(x), linear.encode(images))
    transformed = under(metric, Klsh(bits=32, landmarks=60, kernel=Intersection(), scale=3.0)).fit(x)
    gaussian = Klsh(bits=32, landmarks=60, kernel=Gaussian(gamma=1.5 / metric.spread**2)).fit(images)
    np.testing.assert_array_equal(transformed.encode(x), gaussian.encode(images))
    another = under(metric, Klsh(bits=32, landmarks=60, kernel=Laplacian(gamma=0.5))).fit(x)
    kept = Klsh(bits=32, landmarks=60, kernel=Laplacian(gamma=0.5)).fit(images)
    np.testing.assert_array_equal(another.encode(x), kept.encode(images))


def test_no_matrix_is_left_even_where_the_numbers_agree() -> None:
    x = histograms(60, 24)
    metric = KernelMetric.of_weights(Hellinger(), x[:C], weights()).fitted_to(x)
    assert metric.out_dimensions == metric.dimensions == 24
    with pytest.raises(TwinlensError, match="no matrices any more"):
        under(metric, BilinearLsh(bits=8)).check(24, (4, 6))


# ---- given -----------------------------------------------------------------------------------------------------------


def test_it_can_be_given_as_items_weights_and_kernel() -> None:
    x = histograms()
    metric = read_metric({"items": x[:C], "S": weights(), "kernel": np.array("chi-square:normalise=true")})
    expected = KernelMetric.of_weights(ChiSquare(normalise=True), x[:C], weights())
    np.testing.assert_array_equal(metric.distances(x[0], x), expected.distances(x[0], x))
    again = read_metric({"items": expected.items, "S": expected.s, "kernel": np.array(expected.base.text())})
    np.testing.assert_allclose(again.distances(x[0], x), expected.distances(x[0], x), atol=1e-5)
    with pytest.raises(TwinlensError, match="not symmetric"):
        read_metric({"items": x[:2], "S": np.array([[1.0, 2.0], [0.0, 1.0]]), "kernel": np.array("chi-square")})
    with pytest.raises(TwinlensError, match="gamma=auto"):
        read_metric({"items": x[:2], "S": np.eye(2), "kernel": np.array("gaussian")})
    with pytest.raises(TwinlensError, match="chi-squar"):
        read_metric({"items": x[:2], "S": np.eye(2), "kernel": np.array("chi-squar")})
