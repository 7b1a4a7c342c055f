"""Metrics: what makes some differences count more than others. One class each, and its name in ``METRICS``."""

from __future__ import annotations

from core.declaration.family import Family
from core.metrics.explicit_metric import ExplicitMetric
from core.metrics.implicit_metric import ImplicitMetric
from core.metrics.itml import Itml
from core.metrics.kept_forms import FITTED
from core.metrics.kernel_metric import KernelMetric
from core.metrics.metric import FORMULA, FittedMetric, Metric, Pairs, Ranking
from core.metrics.metric_arrays import read_metric, read_sparse_metric
from core.metrics.sparse_encoder import SparseEncoder
from core.metrics.sparse_metric import SparseMetric
from core.metrics.sparse_vectors import as_sparse, is_sparse
from core.metrics.whitening import Whitening

__all__ = [
    "FITTED",
    "FORMULA",
    "METRICS",
    "ExplicitMetric",
    "FittedMetric",
    "ImplicitMetric",
    "Itml",
    "KernelMetric",
    "Metric",
    "Pairs",
    "Ranking",
    "SparseEncoder",
    "SparseMetric",
    "Whitening",
    "as_sparse",
    "is_sparse",
    "read_metric",
    "read_sparse_metric",
]

METRICS: Family[Metric] = Family("metric", Metric, (Whitening, Itml))
"""Every metric that can be chosen."""
