"""Distances of the truths of a bench, by their text form."""

from __future__ import annotations

import re

from core.errors import DeclarationError, TwinlensError
from core.evaluation.evaluation_task import NEIGHBOURS
from core.evaluation.named_distance import own_measure, plain_distance
from core.evaluation.truth import (
    Distance,
    KernelMetricDistance,
    MetricDistance,
    SparseDistance,
    is_dense,
)
from core.kernels import KERNELS
from core.message import Message
from core.metrics.kernel_metric import KernelMetric
from core.metrics.metric import FittedMetric
from core.metrics.sparse_metric import SparseMetric
from core.vectors import Vectors

_RADIUS = re.compile(r"radius:(\d+)")


def radius_neighbour(text: str) -> int | None:
    """Return the neighbour that ``radius:50`` names; None for any other truth."""
    radius = _RADIUS.fullmatch(text)
    return int(radius[1]) if radius else None


def truth_distance(text: str, method: object, base: Vectors, metric: FittedMetric | SparseMetric | None) -> Distance:
    """Return the distance of a truth, dense or sparse, including ``metric``, ``labels`` and ``radius:50``.

    Raises
    ------
    TwinlensError
        If the truth is unknown, or does not fit these vectors.
    """
    if text in {"metric", "labels"} and metric is not None:
        if isinstance(metric, KernelMetric):
            return KernelMetricDistance(metric)
        return MetricDistance(metric) if isinstance(metric, FittedMetric) else SparseDistance(metric)
    if text == "metric":
        raise TwinlensError(Message("The truth “metric” needs a metric."), Message("Name a metric."))
    if text == "labels":
        return truth_distance(own_measure(method) or "l2", method, base, None)
    radius = radius_neighbour(text)
    if radius is not None and not 1 <= radius <= NEIGHBOURS:
        raise TwinlensError(
            Message(
                "The truth “{text}” is not possible: the neighbour must be from 1 to {neighbours}.",
                text=text,
                neighbours=NEIGHBOURS,
            ),
            Message("Give radius:50 for the average distance to neighbour 50."),
        )
    plain = "l2" if radius is not None else text
    if not is_dense(base):
        if plain in {"l2", "cosine"}:
            return SparseDistance(SparseMetric.plain(base.shape[1], "distance" if plain == "l2" else "kernel"))
        raise TwinlensError(
            Message("Sparse vectors cannot be measured by “{text}”.", text=text),
            Message("Choose l2, cosine, metric, labels or radius:50."),
        )
    try:
        return plain_distance(plain)
    except DeclarationError:
        if re.split("[:(]", text, maxsplit=1)[0] in {kernel.key for kernel in KERNELS}:
            raise  # a kernel is meant, and a parameter of it is wrong
        raise TwinlensError(
            Message("Unknown truth “{text}”.", text=text),
            Message("Give l2, cosine, metric, labels, radius:50, or the text form of a kernel."),
        ) from None
