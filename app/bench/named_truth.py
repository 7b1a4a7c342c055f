"""Distances of the truths of a bench, by their text form."""

from __future__ import annotations

import re

import numpy as np

from core.declaration.declaration import read
from core.errors import DeclarationError, TwinlensError
from core.evaluation.truth import (
    Cosine,
    Distance,
    Euclidean,
    KernelDistance,
    KernelMetricDistance,
    MetricDistance,
    SparseDistance,
    is_dense,
)
from core.hashing.hash_method import HashMethod
from core.kernels import KERNELS, Kernel
from core.message import Message
from core.metrics import FittedMetric, KernelMetric, SparseMetric
from core.projections.subspaces import draw
from core.vectors import Vectors

NEIGHBOURS = 100
"""Number of true neighbours found, and the largest for ``radius``."""

_RADIUS = re.compile(r"radius:(\d+)")


def own_measure(method: HashMethod) -> str:
    """Return the text form of a method's kernel; empty without one."""
    kernel = getattr(method, "kernel", None)
    return kernel.text() if isinstance(kernel, Kernel) else ""


def radius_neighbour(text: str) -> int | None:
    """Return the neighbour that ``radius:50`` names; None for any other truth."""
    radius = _RADIUS.fullmatch(text)
    return int(radius[1]) if radius else None


def plain_distance(text: str) -> Distance:
    """Return the distance of dense vectors that ``l2``, ``cosine`` or the text form of a kernel names.

    Raises
    ------
    DeclarationError
        If it is none of these.
    """
    if text == "l2":
        return Euclidean()
    if text == "cosine":
        return Cosine()
    return KernelDistance(read(KERNELS, text))


def truth_distance(
    text: str, method: HashMethod, base: Vectors, metric: FittedMetric | SparseMetric | None
) -> Distance:
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


def with_width(distance: Distance, x: Vectors, items: int, seed: int) -> Distance:
    """Return a kernel distance with its ``auto`` width found from a sample; other distances unchanged."""
    if not isinstance(distance, KernelDistance):
        return distance
    rng = np.random.default_rng(seed)
    return KernelDistance(distance.kernel.fitted_to(x[draw(len(x), items, rng)], rng))
