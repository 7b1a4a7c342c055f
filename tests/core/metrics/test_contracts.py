"""Metrics that are given keep the contracts of learned ones, whatever their form."""

from __future__ import annotations

import pytest

from tests.core.metrics.made import given_forms
from twinlens.core.metrics import METRICS
from twinlens.core.metrics.metric import FittedMetric
from twinlens.core.metrics.metric_forms import FITTED
from twinlens.testing.metrics import FITTED_CONTRACTS, FittedContract

FORMS = given_forms()


def test_forms_are_known() -> None:
    assert {form for cls in METRICS for form in cls.fitted} <= set(FITTED)


@pytest.mark.parametrize("contract", FITTED_CONTRACTS, ids=lambda contract: contract.__name__)
@pytest.mark.parametrize("metric", FORMS.values(), ids=FORMS.keys())
def test_fitted(metric: FittedMetric, contract: FittedContract) -> None:
    contract(metric)
