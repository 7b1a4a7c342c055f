"""What every metric promises, whatever its form."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np
import pytest

from tests.core import contracts
from tests.core.contracts import training_data
from tests.core.metrics.made import D, every_form, factor, fit, plain_cosines, plain_distances, variants
from tests.core.threads import blas_threads
from twinlens.core.declaration.fitted import Packed
from twinlens.core.errors import Cancelled, TwinlensError
from twinlens.core.metrics import METRICS
from twinlens.core.metrics.metric import FARTHEST, FittedMetric, Metric
from twinlens.core.metrics.metric_forms import FITTED

FORMS = every_form()
every_metric = pytest.mark.parametrize("metric", FORMS.values(), ids=FORMS.keys())
every_choice = pytest.mark.parametrize(
    "metric", [metric for cls in METRICS for metric in variants(cls)], ids=lambda metric: metric.text()
)


@pytest.mark.parametrize("contract", contracts.DECLARATION_CONTRACTS, ids=lambda contract: contract.__name__)
@pytest.mark.parametrize("cls", METRICS, ids=lambda cls: cls.key)
def test_declaration(cls: type[Metric], contract: contracts.DeclarationContract) -> None:
    contract(cls)


def test_keys_are_distinct_and_forms_are_known() -> None:
    assert len({cls.key for cls in METRICS}) == len(METRICS)
    assert {form for cls in METRICS for form in cls.fitted} <= set(FITTED)


# ---- known metrics ---------------------------------------------------------------------------------------------------


@every_metric
def test_an_item_has_one_image(metric: FittedMetric) -> None:
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


@every_metric
def test_an_item_has_one_distance(metric: FittedMetric) -> None:
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


@every_metric
def test_image_distance_and_kernel_are_those_of_plain_numpy(metric: FittedMetric) -> None:
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


@every_metric
def test_similarities_reverse_the_order(metric: FittedMetric) -> None:
    x = training_data(n=80, seed=2)
    distances = np.sort(metric.distances(x[0], x))
    similarities = metric.similarities(distances)
    assert similarities[0] == 1
    assert (np.diff(similarities) <= 0).all()
    assert similarities.min() >= 0
    np.testing.assert_array_equal(similarities[distances >= np.sqrt(2)], 0)


@every_metric
def test_blank_items_come_last(metric: FittedMetric) -> None:
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


@every_metric
def test_spectrum_is_of_a(metric: FittedMetric) -> None:
    g = factor(metric)
    spectrum = metric.spectrum()
    expected = np.sort(np.linalg.eigvalsh(g.T @ g))[::-1]
    assert spectrum.shape == (D,)
    np.testing.assert_allclose(spectrum, np.maximum(expected, 0), atol=2e-6 * expected[0])


@every_metric
def test_survives_storage(metric: FittedMetric) -> None:
    packed = metric.pack()
    arrays = {name: np.frombuffer(a.tobytes(), a.dtype).reshape(a.shape) for name, a in packed.arrays.items()}
    again = type(metric).unpack(Packed(packed.kind, json.loads(json.dumps(packed.numbers)), arrays))
    x = training_data(n=40)
    assert again.pack().digest() == packed.digest()
    np.testing.assert_array_equal(again.apply(x), metric.apply(x))
    np.testing.assert_array_equal(again.distances(x[0], x), metric.distances(x[0], x))


@every_metric
def test_spread_makes_the_mean_distance_what_it_is_without(metric: FittedMetric) -> None:
    x = training_data(n=120, seed=4).astype(np.float64)
    fitted = metric.fitted_to(np.insert(x, [0, 7], 0, axis=0))
    g, centred = factor(metric), x - x.mean(axis=0)
    expected = np.sqrt(np.square(x).sum(axis=1).mean() * np.square(centred @ g.T).sum() / np.square(centred).sum())
    assert fitted.spread == pytest.approx(expected, rel=1e-5)
    if metric.ranking == "distance":
        mean = np.mean([np.square(fitted.distances(row, x)).mean() for row in x])
        without = 2 * np.square(centred).sum(axis=1).mean() / np.square(x).sum(axis=1).mean()
        assert mean == pytest.approx(without, rel=1e-5)


@every_metric
def test_bad_vectors_get_a_sentence(metric: FittedMetric) -> None:
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


# ---- metrics that are learned ----------------------------------------------------------------------------------------


@every_choice
def test_fit_is_deterministic(metric: Metric) -> None:
    x = training_data()
    first = fit(metric, x)
    assert isinstance(first, metric.fitted)
    assert (first.dimensions, first.ranking) == (D, metric.ranking)
    assert fit(metric, x.copy()).pack().digest() == first.pack().digest()
    assert fit(metric, np.insert(x, [0, 7, 400], 0, axis=0)).pack().digest() == first.pack().digest()


@every_choice
def test_fit_can_be_cancelled(metric: Metric) -> None:
    x = training_data()
    shares: list[float] = []
    fit(metric, x, progress=lambda done, total, text: shares.append(done / total))
    assert len(shares) >= 2
    assert shares == sorted(shares)
    assert 0 <= shares[0] <= shares[-1] <= 1
    for stop in range(0, len(shares), max(1, len(shares) // 8)):
        calls = iter(range(len(shares)))

        def progress(done: float, total: float, text: object, stop: int = stop, calls: Iterator[int] = calls) -> None:
            if next(calls) == stop:
                raise Cancelled

        with pytest.raises(Cancelled):
            fit(metric, x, progress=progress)


@every_choice
def test_fit_refuses_with_a_sentence(metric: Metric) -> None:
    x = training_data()
    x[317, 5] = np.nan
    with pytest.raises(TwinlensError, match=r"Row 317\b"):
        fit(metric, x)
    for nothing in (np.zeros((5, D)), np.zeros((0, D))):
        with pytest.raises(TwinlensError, match="nothing to learn from"):
            fit(metric, nothing)
