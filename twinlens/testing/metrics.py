"""Promises of every metric: of what it learns, and of every fitted one, learned or given."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from twinlens.core.arrays import Float64Matrix
from twinlens.core.declaration.parameters import ParameterKind
from twinlens.core.errors import TwinlensError
from twinlens.core.metrics.metric import FARTHEST, FittedMetric, Metric, MetricPairs
from twinlens.core.progress import Progress, silent
from twinlens.core.vectors import Vectors
from twinlens.testing.declarations import blas_threads, read_back, stops_wherever_it_says, training_data

D = 24
"""Dimensions of the vectors that fitted metrics are tried on."""


def variants(cls: type[Metric]) -> list[Metric]:
    """Return a metric as it is, and with each of its other choices."""
    found = [cls()]
    for about in cls.parameters():
        if about.kind in {ParameterKind.CHOICE, ParameterKind.SWITCH}:
            words = about.words or (not about.default,)
            found += [cls(**{about.name: word}) for word in words if word != about.default]
    return found


def marks(x: Vectors, count: int = 60) -> MetricPairs:
    """Mark pairs by whether the first coordinates have the same sign; items that are zero throughout have no mark."""
    rows = np.flatnonzero(x.any(axis=1))
    chosen = rows[np.random.default_rng(8).integers(0, len(rows), (count, 2))]
    return MetricPairs(chosen, (x[chosen[:, 0], 0] >= 0) == (x[chosen[:, 1], 0] >= 0))


def fit(metric: Metric, x: Vectors, progress: Progress = silent) -> FittedMetric:
    """Fit a metric, with marks if it needs some."""
    pairs = marks(x) if metric.needs_marks and np.asarray(x).any() else None
    return metric.fit(x, pairs, progress)


def factor(metric: FittedMetric) -> Float64Matrix:
    """Find G by what the metric makes of the unit vectors, (out, d)."""
    return metric.image(np.eye(metric.dimensions)).T


def plain_distances(g: Float64Matrix, spread: float, query: Vectors, x: Vectors) -> Float64Matrix:
    """Compute |G (x - query)| / spread."""
    return np.asarray(np.linalg.norm((x.astype(np.float64) - query) @ g.T, axis=1) / spread)


def plain_cosines(g: Float64Matrix, query: Vectors, x: Vectors) -> Float64Matrix:
    """Compute the cosine of G x and G query."""
    images, asked = x.astype(np.float64) @ g.T, g @ query.astype(np.float64)
    return np.asarray(images @ asked / np.linalg.norm(images, axis=1) / np.linalg.norm(asked))


def an_item_has_one_image(metric: FittedMetric) -> None:
    """Alone or in a batch, with any number of threads, in any float type: one image."""
    x = training_data(n=900)
    images = metric.apply(x)
    assert images.dtype == np.float32
    assert images.shape == (900, metric.out_dimensions)
    order = np.random.default_rng(3).permutation(len(x))
    for threads in (1, 2):
        with blas_threads(threads):
            np.testing.assert_array_equal(metric.apply(x[order]), images[order])
            np.testing.assert_array_equal(metric.apply(np.asfortranarray(x)), images)
            np.testing.assert_array_equal(metric.apply(x.astype(np.float64)), images)
            for i in range(0, len(x), 13):
                np.testing.assert_array_equal(metric.apply(x[i : i + 1])[0], images[i])
                np.testing.assert_array_equal(metric.apply(x[i : i + 1 + i % 70]), images[i : i + 1 + i % 70])
    assert metric.apply(x[:0]).shape == (0, metric.out_dimensions)


def an_item_has_one_distance(metric: FittedMetric) -> None:
    """A pair has one distance, whatever is measured beside it."""
    x = training_data(n=900)
    distances = metric.distances(x[3], x)
    assert distances.dtype == np.float64
    for threads in (1, 2):
        with blas_threads(threads):
            for i in range(0, len(x), 13):
                assert metric.distances(x[3], x[i : i + 1])[0] == distances[i]
                np.testing.assert_array_equal(metric.distances(x[3], x[i:]), distances[i:])
                assert metric.distances(x[i], x[3:4])[0] == distances[i]
    assert distances[3] == 0
    assert metric.distances(x[3], x[:0]).shape == (0,)


def image_distance_and_kernel_are_those_of_plain_numpy(metric: FittedMetric) -> None:
    """What is computed fast is what the matrix G says."""
    x, g = training_data(n=50, seed=2), factor(metric)
    images = x.astype(np.float64) @ g.T
    np.testing.assert_allclose(metric.apply(x), images, atol=2e-6 * np.abs(images).max())
    kernel = images @ images[4]
    np.testing.assert_allclose(metric.kernel(x[4], x), kernel, atol=2e-6 * np.abs(kernel).max())
    distances = metric.distances(x[4], x)
    if metric.ranking == "kernel":
        np.testing.assert_allclose(np.cos(2 * np.arcsin(distances / 2)), plain_cosines(g, x[4], x), atol=2e-6)
    else:
        np.testing.assert_allclose(distances, plain_distances(g, metric.spread, x[4], x), rtol=1e-5)
    assert metric.ranking in {"distance", "kernel"}


def similarities_reverse_the_order(metric: FittedMetric) -> None:
    """Similarity falls from 1 to 0 as distance grows."""
    x = training_data(n=80, seed=2)
    distances = np.sort(metric.distances(x[0], x))
    similarities = metric.similarities(distances)
    assert similarities[0] == 1
    assert (np.diff(similarities) <= 0).all()
    assert similarities.min() >= 0
    np.testing.assert_array_equal(similarities[distances >= np.sqrt(2)], 0)


def blank_items_come_last(metric: FittedMetric) -> None:
    """An item that is zero throughout is farthest from all, and nothing is lost."""
    x = np.insert(training_data(n=60, seed=2), [10, 40], 0, axis=0)
    farthest = 2 if metric.ranking == "kernel" else FARTHEST
    blank = ~x.any(axis=1)
    distances = metric.distances(x[0], x)
    assert (distances[blank] == farthest).all()
    assert distances[~blank].max() < farthest
    asked = metric.distances(x[10], x)
    assert (asked[blank] == 0).all()
    assert (asked[~blank] == farthest).all()
    assert not metric.apply(x[blank]).any()


def spectrum_is_of_a(metric: FittedMetric) -> None:
    """The spectrum is that of A = G'G."""
    g = factor(metric)
    spectrum = metric.spectrum()
    expected = np.sort(np.linalg.eigvalsh(g.T @ g))[::-1]
    assert spectrum.shape == (D,)
    np.testing.assert_allclose(spectrum, np.maximum(expected, 0), atol=2e-6 * expected[0])


def survives_storage(metric: FittedMetric) -> None:
    """Taken apart, written and put together again, it measures the same."""
    packed = metric.pack()
    again = type(metric).unpack(read_back(packed))
    x = training_data(n=40)
    assert again.pack().digest() == packed.digest()
    np.testing.assert_array_equal(again.apply(x), metric.apply(x))
    np.testing.assert_array_equal(again.distances(x[0], x), metric.distances(x[0], x))


def spread_makes_the_mean_distance_what_it_is_without(metric: FittedMetric) -> None:
    """Distances keep their mean, so that similarities stay comparable."""
    x = training_data(n=120, seed=4).astype(np.float64)
    fitted = metric.fitted_to(np.insert(x, [0, 7], 0, axis=0))
    g, centred = factor(metric), x - x.mean(axis=0)
    expected = np.sqrt(np.square(x).sum(axis=1).mean() * np.square(centred @ g.T).sum() / np.square(centred).sum())
    assert fitted.spread == pytest.approx(expected, rel=1e-5)
    if metric.ranking == "distance":
        mean = np.mean([np.square(fitted.distances(row, x)).mean() for row in x])
        without = 2 * np.square(centred).sum(axis=1).mean() / np.square(x).sum(axis=1).mean()
        assert mean == pytest.approx(without, rel=1e-5)


def bad_vectors_get_a_sentence(metric: FittedMetric) -> None:
    """NaN, infinity and another length are errors that say where."""
    x = training_data()
    for bad in (np.nan, np.inf):
        spoilt = x.copy()
        spoilt[317, 5] = bad
        with pytest.raises(TwinlensError, match=r"Row 317\b"):
            metric.apply(spoilt)
        with pytest.raises(TwinlensError, match=r"Row 317\b"):
            metric.fitted_to(spoilt)
    for use in (metric.apply, metric.fitted_to):
        with pytest.raises(TwinlensError, match="25 dimensions"):
            use(np.ones((3, 25)))
    with pytest.raises(TwinlensError, match="nothing to learn from"):
        metric.fitted_to(np.zeros((3, D)))
    with pytest.raises(TwinlensError, match=r"24 dimensions.*25"):
        metric.check(25)
    metric.check(24)


def input_stays_as_it_is(metric: Metric) -> None:
    """Learning and applying write nothing into the vectors that they are given, which may be a mapped file."""
    x = training_data()
    given = x.copy()
    for writeable in (True, False):
        given.setflags(write=writeable)
        fit(metric, given).apply(given)
        np.testing.assert_array_equal(given, x, err_msg="fit or apply has changed its input")


def fit_is_deterministic(metric: Metric) -> None:
    """The same data and pairs teach the same; blank items teach nothing."""
    x = training_data()
    found = fit(metric, x)
    assert isinstance(found, metric.fitted), "fit returns another class than `fitted` names"
    assert (found.dimensions, found.ranking) == (D, metric.ranking), "what is fitted has the ranking that is declared"
    first = found.pack().digest()
    again = "fit learns something else the second time: draw from a seed, and keep no state"
    assert fit(metric, x.copy()).pack().digest() == first, again
    with_blanks = fit(metric, np.insert(x, [0, 7, 400], 0, axis=0)).pack().digest()
    assert with_blanks == first, "items that are zero throughout change what it learns: begin with training_vectors(x)"


def fit_can_be_cancelled(metric: Metric) -> None:
    """Learning tells its progress, and stops wherever that says so."""
    x = training_data()
    stops_wherever_it_says(lambda progress: fit(metric, x, progress))


def fit_refuses_with_a_sentence(metric: Metric) -> None:
    """What cannot be learned from is an error that says why."""
    x = training_data()
    x[317, 5] = np.nan
    with pytest.raises(TwinlensError, match=r"Row 317\b"):
        fit(metric, x)
    for nothing in (np.zeros((5, D)), np.zeros((0, D))):
        with pytest.raises(TwinlensError, match="nothing to learn from"):
            fit(metric, nothing)


FittedContract = Callable[[FittedMetric], None]
FITTED_CONTRACTS: tuple[FittedContract, ...] = (
    an_item_has_one_image,
    an_item_has_one_distance,
    image_distance_and_kernel_are_those_of_plain_numpy,
    similarities_reverse_the_order,
    blank_items_come_last,
    spectrum_is_of_a,
    survives_storage,
    spread_makes_the_mean_distance_what_it_is_without,
    bad_vectors_get_a_sentence,
)
MetricContract = Callable[[Metric], None]
METRIC_CONTRACTS: tuple[MetricContract, ...] = (
    input_stays_as_it_is,
    fit_is_deterministic,
    fit_can_be_cancelled,
    fit_refuses_with_a_sentence,
)
