"""Right results of queries by a named truth: neighbours, items of the same label, or what the data say.

A truth of a bench has a text form, which names its distance; ``radius:50`` takes all that is nearer than the average
distance of the 50th neighbour (Kim and Choi's protocol).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import Int64Rows
from core.errors import DeclarationError, TwinlensError
from core.evaluation.evaluation_task import NEIGHBOURS, RELEVANT
from core.evaluation.tables import Tables
from core.evaluation.truth import (
    Distance,
    Euclidean,
    KernelMetricDistance,
    MetricDistance,
    SparseDistance,
    TrueNeighbours,
    is_dense,
    own_measure,
    plain_distance,
    rows_within,
    sharing_label,
)
from core.kernels import KERNELS
from core.message import Message
from core.metrics.kernel_metric import KernelMetric
from core.metrics.metric import FittedMetric
from core.metrics.sparse_metric import SparseMetric
from core.progress import Progress
from core.vectors import Vectors

MOST_RELEVANT = 5_000
FOLDERS = "folders"
OWN_TRUTHS = (FOLDERS, "marks", "edits")
"""Truths given by the photographs of a library."""


@dataclass(frozen=True, eq=False)
class RightResults:
    """Right results of each query.

    Attributes
    ----------
    relevant : sequence of ndarray of int64
        For precision, recall and average precision.
    nearest : sequence of ndarray of int64
        For recall@R.
    """

    relevant: Sequence[Int64Rows]
    nearest: Sequence[Int64Rows]
    meaning: Message


def right_results(
    text: str, found: TrueNeighbours, distance: Distance, given: Tables, progress: Progress
) -> RightResults:  # fmt: skip
    """Return the right results by a truth.

    Raises
    ------
    TwinlensError
        If the data do not have what the truth needs.
    """
    first = found.first(1)
    if text in {"labels", FOLDERS}:
        if given.labels is None or given.query_labels is None:
            raise TwinlensError(
                "The truth “{truth}” needs labels of base and queries.", "Give a file of labels.", truth=text
            )
        relevant = sharing_label(given.labels, given.query_labels, given.own)
        return RightResults(relevant, first, given.meaning or Message("vectors with the same label"))
    if text in OWN_TRUTHS:
        if given.relevant is None:
            raise TwinlensError(
                "The truth “{truth}” needs a library.", "Run the experiment in the library.", truth=text
            )
        return RightResults(given.relevant, given.relevant, given.meaning)
    if (radius := radius_neighbour(text)) is not None:
        relevant, meaning = _within(radius, found, distance, given, progress)
        return RightResults(relevant, first, meaning)
    return RightResults(
        found.first(RELEVANT), first, Message("the {count} nearest by {truth}", count=RELEVANT, truth=text)
    )


def _within(
    count: int, found: TrueNeighbours, distance: Distance, given: Tables, progress: Progress
) -> tuple[list[Int64Rows], Message]:
    """Return the rows nearer than the average distance to the count-th neighbour (Kim and Choi's protocol)."""
    place = min(count, found.distances.shape[1]) - 1
    squared = isinstance(distance, Euclidean)
    far = np.sqrt(found.distances[:, place]) if squared else found.distances[:, place]
    relevant = rows_within(distance, given.base, given.queries, float(far.mean()) ** 2, given.own, progress)
    kept = [rows if len(rows) <= MOST_RELEVANT else rows[:0] for rows in relevant]
    return kept, Message(
        "vectors nearer than the average distance to neighbour {place} ({distance:.4g})",
        place=place + 1,
        distance=far.mean(),
    )


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
        raise TwinlensError("The truth “metric” needs a metric.", "Name a metric.")
    if text == "labels":
        return truth_distance(own_measure(method) or "l2", method, base, None)
    radius = radius_neighbour(text)
    if radius is not None and not 1 <= radius <= NEIGHBOURS:
        raise TwinlensError(
            "The truth “{text}” is not possible: the neighbour must be from 1 to {neighbours}.",
            "Give radius:50 for the average distance to neighbour 50.",
            text=text,
            neighbours=NEIGHBOURS,
        )
    plain = "l2" if radius is not None else text
    if not is_dense(base):
        if plain in {"l2", "cosine"}:
            return SparseDistance(SparseMetric.plain(base.shape[1], "distance" if plain == "l2" else "kernel"))
        raise TwinlensError(
            "Sparse vectors cannot be measured by “{text}”.",
            "Choose l2, cosine, metric, labels or radius:50.",
            text=text,
        )
    try:
        return plain_distance(plain)
    except DeclarationError:
        if re.split("[:(]", text, maxsplit=1)[0] in {kernel.key for kernel in KERNELS}:
            raise  # a kernel is meant, and a parameter of it is wrong
        raise TwinlensError(
            "Unknown truth “{text}”.",
            "Give l2, cosine, metric, labels, radius:50, or the text form of a kernel.",
            text=text,
        ) from None
