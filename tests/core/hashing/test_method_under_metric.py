"""Every hash method stands behind every metric."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tests.core.metrics.made import every_form
from twinlens.core.declaration.declaration import read_declaration
from twinlens.core.declaration.fitted import Packed
from twinlens.core.errors import TwinlensError
from twinlens.core.hashing.hash_method import HashMethod
from twinlens.core.hashing.method_under_metric import UnderMetric, under
from twinlens.core.methods import METHODS
from twinlens.core.metrics.metric import FittedMetric
from twinlens.core.metrics.metric_forms import ExplicitMetric
from twinlens.core.metrics.metric_priors import Whitening
from twinlens.testing.declarations import blas_threads, training_data

FORMS = every_form()
every_metric = pytest.mark.parametrize("metric", FORMS.values(), ids=FORMS.keys())
X = training_data() / 8


def small(cls: type[HashMethod]) -> HashMethod:
    return cls(bits=6, **({"landmarks": 60} if "landmarks" in cls.model_fields else {}))


every_method = pytest.mark.parametrize("method", [small(cls) for cls in METHODS], ids=lambda method: method.key)


@every_metric
@every_method
def test_codes_are_those_of_the_images(method: HashMethod, metric: FittedMetric) -> None:
    images = metric.apply(X)
    if metric.out_dimensions == 7 and method.key.startswith("bilinear"):
        with pytest.raises(TwinlensError):  # 7 numbers are no matrix
            under(metric, method).fit(X)
        return
    encoder = under(metric, method).fit(np.insert(X, [3, 300], 0, axis=0))
    assert (encoder.bits, encoder.dimensions) == (6, 24)
    assert encoder.measure is None
    expected = method.fit(images).encode(images)
    np.testing.assert_array_equal(encoder.encode(X), expected)
    with blas_threads(2):
        for i in range(0, len(X), 31):
            np.testing.assert_array_equal(encoder.encode(X[i : i + 1])[0], expected[i])


@every_metric
def test_survives_storage(metric: FittedMetric) -> None:
    method = METHODS[0](bits=13)
    encoder = under(metric, method).fit(X)
    packed = encoder.pack()
    arrays = {name: np.frombuffer(a.tobytes(), a.dtype).reshape(a.shape) for name, a in packed.arrays.items()}
    again = UnderMetric.unpack(Packed(packed.kind, json.loads(json.dumps(packed.numbers)), arrays))
    assert again.pack().digest() == packed.digest()
    np.testing.assert_array_equal(again.encode(X), encoder.encode(X))
    np.testing.assert_array_equal(again.metric.distances(X[0], X), metric.distances(X[0], X))


def test_of_another_version_gets_a_sentence() -> None:
    packed = under(Whitening().fit(X), METHODS[0](bits=8)).fit(X).pack()
    numbers = packed.numbers | {"encoder": {"kind": "NoSuchEncoder", "numbers": {}}}
    with pytest.raises(TwinlensError, match="NoSuchEncoder"):
        UnderMetric.unpack(Packed(packed.kind, numbers, packed.arrays))
    with pytest.raises(TwinlensError, match="stored as Other"):
        UnderMetric.unpack(Packed("Other", {}, {}))


def test_other_vectors_get_a_sentence() -> None:
    stage = under(Whitening().fit(X), METHODS[0](bits=8))
    with pytest.raises(TwinlensError, match="25"):
        stage.check(25)
    with pytest.raises(TwinlensError, match="25"):
        stage.fit(np.ones((3, 25)))
    with pytest.raises(TwinlensError, match="nothing to learn from"):
        stage.fit(np.zeros((3, 24)))
    spoilt = X.copy()
    spoilt[317, 5] = np.nan
    with pytest.raises(TwinlensError, match=r"Row 317\b"):
        stage.fit(spoilt)
    with pytest.raises(TwinlensError, match=r"Row 317\b"):
        stage.fit(X).encode(spoilt)


def test_a_matrix_stays_one_where_dimensions_stay() -> None:
    bilinear = read_declaration(METHODS, "bilinear-lsh:bits=8")
    under(Whitening().fit(X), bilinear).check(24, (4, 6))
    fewer = ExplicitMetric.of(np.eye(24)[:12])
    with pytest.raises(TwinlensError, match=r"12 dimensions in place of 24, which are no matrices any more"):
        under(fewer, bilinear).check(24, (4, 6))
    with pytest.raises(TwinlensError) as caught:
        under(fewer, bilinear).check(24)
    assert "in place of" not in str(caught.value.message)
    under(fewer, METHODS[0](bits=8)).check(24, (4, 6))


def test_what_are_no_histograms_any_more_gets_a_sentence() -> None:
    histograms = np.abs(X)
    method = read_declaration(METHODS, "klsh:bits=8,landmarks=60,kernel=chi-square")
    with pytest.raises(TwinlensError, match=r"chi-square .*under the metric [\d]+ of the 400 vectors"):
        under(Whitening().fit(histograms), method).fit(histograms)
    assert under(ExplicitMetric.of(np.eye(24)), method).fit(histograms).bits == 8


def test_progress_never_goes_back() -> None:
    shares: list[float] = []
    under(Whitening().fit(X), METHODS[0](bits=8)).fit(X, lambda done, total, text: shares.append(done / total))
    assert len(shares) >= 3
    assert shares == sorted(shares)
    assert shares[-1] <= 1
