"""Metrics: what makes some differences count more than others. One class each, and its place in ``METRICS``."""

from __future__ import annotations

from twinlens.core.declaration.family import Family
from twinlens.core.metrics.metric import Metric

METRICS: Family[Metric] = Family(
    "metric",
    Metric,
    {"whitening": "twinlens.core.metrics.metric_priors:Whitening", "itml": "twinlens.core.metrics.itml:Itml"},
)
"""Every metric that can be chosen."""
