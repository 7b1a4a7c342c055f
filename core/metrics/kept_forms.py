"""The forms that a known metric is kept in, whatever it was learned by."""

from __future__ import annotations

from core.metrics.explicit_metric import ExplicitMetric
from core.metrics.implicit_metric import ImplicitMetric
from core.metrics.kernel_metric import KernelMetric
from core.metrics.metric import FittedMetric

FITTED: tuple[type[FittedMetric], ...] = (ExplicitMetric, ImplicitMetric, KernelMetric)
