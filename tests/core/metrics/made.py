"""Metrics of every form to test with, and what they compute, in plain numpy."""

from __future__ import annotations

from functools import cache

import numpy as np

from tests.core.contracts import training_data
from twinlens.core.arrays import Float64Matrix
from twinlens.core.declaration.parameters import ParameterKind
from twinlens.core.metrics import METRICS
from twinlens.core.metrics.metric import FittedMetric, Metric, MetricPairs
from twinlens.core.metrics.metric_arrays import read_metric
from twinlens.core.progress import Progress, silent
from twinlens.core.vectors import Vectors

D = 24


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


def positive_definite(d: int = D, seed: int = 1) -> Float64Matrix:
    """Make a symmetric matrix with eigenvalues from 0.1 to 3."""
    rng = np.random.default_rng(seed)
    directions, _ = np.linalg.qr(rng.standard_normal((d, d)))
    return np.asarray((directions * np.linspace(0.1, 3, d)) @ directions.T)


@cache
def every_form() -> dict[str, FittedMetric]:
    """Return a metric of every form, learned or given, fitted to the training data."""
    x, rng = training_data(), np.random.default_rng(5)
    forms = {metric.text(): fit(metric, x) for cls in METRICS for metric in variants(cls)}
    given = {
        "G of few rows": read_metric(rng.standard_normal((7, D))),
        "G of many rows": read_metric({"G": rng.standard_normal((40, D))}),
        "A": read_metric({"A": positive_definite()}),
        "items and S": read_metric({"items": x[:5] / 3, "S": rng.standard_normal((5, 5)) / 9}),
        "items and S, by kernel": read_metric({"items": x[:5] / 3, "S": rng.standard_normal((5, 5)) / 9}, "kernel"),
    }
    return forms | {name: metric.fitted_to(x) for name, metric in given.items()}


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
