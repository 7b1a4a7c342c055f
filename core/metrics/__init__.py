"""Metrics: what makes some differences count more than others. One class each, and its name in ``METRICS``."""

from __future__ import annotations

from core.metrics.explicit import ExplicitMetric
from core.metrics.given import read_metric
from core.metrics.implicit import ImplicitMetric
from core.metrics.metric import FORMULA, FittedMetric, Metric, Pairs, Ranking
from core.metrics.under_metric import MethodUnderMetric, UnderMetric, under
from core.metrics.whitening import Whitening

__all__ = [
    "FITTED",
    "FORMULA",
    "METRICS",
    "ExplicitMetric",
    "FittedMetric",
    "ImplicitMetric",
    "MethodUnderMetric",
    "Metric",
    "Pairs",
    "Ranking",
    "UnderMetric",
    "Whitening",
    "read_metric",
    "under",
]

METRICS: tuple[type[Metric], ...] = (Whitening,)
"""Every metric that can be chosen."""

FITTED: tuple[type[FittedMetric], ...] = (ExplicitMetric, ImplicitMetric)
"""Every form that a known metric is kept in, whatever it was learned by."""
