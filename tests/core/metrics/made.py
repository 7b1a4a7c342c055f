"""Metrics of every form to test with."""

from __future__ import annotations

from functools import cache

import numpy as np

from twinlens.core.arrays import Float64Matrix
from twinlens.core.metrics import METRICS
from twinlens.core.metrics.metric import FittedMetric
from twinlens.core.metrics.metric_arrays import read_metric
from twinlens.testing.declarations import training_data
from twinlens.testing.metrics import D, fit, variants


def positive_definite(d: int = D, seed: int = 1) -> Float64Matrix:
    """Make a symmetric matrix with eigenvalues from 0.1 to 3."""
    rng = np.random.default_rng(seed)
    directions, _ = np.linalg.qr(rng.standard_normal((d, d)))
    return np.asarray((directions * np.linspace(0.1, 3, d)) @ directions.T)


@cache
def every_form() -> dict[str, FittedMetric]:
    """Return a metric of every form, learned or given, fitted to the training data."""
    x = training_data()
    return {metric.text(): fit(metric, x) for cls in METRICS for metric in variants(cls)} | given_forms()


@cache
def given_forms() -> dict[str, FittedMetric]:
    """Return a metric of every form in which one is given, fitted to the training data."""
    x, rng = training_data(), np.random.default_rng(5)
    given = {
        "G of few rows": read_metric(rng.standard_normal((7, D))),
        "G of many rows": read_metric({"G": rng.standard_normal((40, D))}),
        "A": read_metric({"A": positive_definite()}),
        "items and S": read_metric({"items": x[:5] / 3, "S": rng.standard_normal((5, 5)) / 9}),
        "items and S, by kernel": read_metric({"items": x[:5] / 3, "S": rng.standard_normal((5, 5)) / 9}, "kernel"),
    }
    return {name: metric.fitted_to(x) for name, metric in given.items()}
