"""Metrics: what makes some differences count more than others. One class each, and its name in ``METRICS``."""

from __future__ import annotations

from core.metrics.explicit import ExplicitMetric
from core.metrics.given import read_metric, read_sparse_metric
from core.metrics.implicit import ImplicitMetric
from core.metrics.itml import Itml
from core.metrics.kept_forms import FITTED
from core.metrics.kernel_metric import KernelMetric
from core.metrics.metric import FORMULA, FittedMetric, Metric, Pairs, Ranking
from core.metrics.sparse import as_sparse, is_sparse
from core.metrics.sparse_encoder import SparseEncoder
from core.metrics.sparse_metric import SparseMetric
from core.metrics.under_metric import MethodUnderMetric, UnderMetric, under
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
    "MethodUnderMetric",
    "Metric",
    "Pairs",
    "Ranking",
    "SparseEncoder",
    "SparseMetric",
    "UnderMetric",
    "Whitening",
    "as_sparse",
    "is_sparse",
    "read_metric",
    "read_sparse_metric",
    "under",
]

METRICS: tuple[type[Metric], ...] = (Whitening, Itml)
"""Every metric that can be chosen."""
