"""Metrics: what makes some differences count more than others. One class each, and its place in ``METRICS``."""

from __future__ import annotations

from core.declaration.family import Family
from core.metrics.metric import Metric

METRICS: Family[Metric] = Family(
    "metric", Metric, {"whitening": "core.metrics.metric_priors:Whitening", "itml": "core.metrics.itml:Itml"}
)
"""Every metric that can be chosen."""
