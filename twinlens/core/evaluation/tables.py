"""Tables: the data of an experiment in memory, that is vectors, queries, and their right results by a named truth.

A truth is the neighbours, the items of the same label, or what the data say. A truth of a bench has a text form, which
names its distance; ``radius:50`` takes all that is nearer than the average distance of the 50th neighbour (Kim and
Choi's protocol).
"""

from __future__ import annotations

import contextlib
import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Int64Labels, Int64Rows
from twinlens.core.errors import DeclarationError, TwinlensError
from twinlens.core.evaluation.evaluation_task import NEIGHBOURS, RELEVANT
from twinlens.core.evaluation.truth import (
    SEED,
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
from twinlens.core.kernels import KERNELS
from twinlens.core.message import NOTHING, Message
from twinlens.core.metrics.kernel_metric import KernelMetric
from twinlens.core.metrics.metric import FittedMetric, MetricPairs
from twinlens.core.metrics.sparse_metric import SparseMetric
from twinlens.core.progress import Progress
from twinlens.core.vectors import Vectors

DRAWN = 100
"""Queries drawn where no number is given."""


@dataclass(frozen=True, eq=False)
class Tables:
    """Data of an experiment in memory.

    Attributes
    ----------
    name : str
        Source of the vectors.
    base : ndarray, (n, d)
        Dense, or sparse in rows.
    queries : ndarray, (q, d)
        Likewise.
    own : ndarray of int64, (q,), optional
        Row of each query in the base, which is never its own result; -1 for a query outside the base.
    labels, query_labels : ndarray of int64, (n,) and (q,), optional
    relevant : sequence of ndarray of int64, optional
        Rows of the right results of each query, if the truth (marks, edits) gives them.
    any_right : bool
        Whether one of these is enough, as of identical files.
    meaning : Message
        Right results by such a truth or by the labels.
    measure : str
        Text form of the default ranking measure; empty for that of the first method.
    neighbours : ndarray of int64, (q, m), optional
        The nearest by this measure, in order, where the data bring them.
    query_name : str
        Source of the queries.
    metric : FittedMetric or SparseMetric, optional
        Applied before every method; None if the experiment names one.
    pairs : MetricPairs, optional
        Teach the metric that the experiment names, where it names no pairs.
    """

    name: str
    base: Vectors
    queries: Vectors
    own: Int64Rows | None = None
    labels: Int64Labels | None = None
    query_labels: Int64Labels | None = None
    relevant: Sequence[Int64Rows] | None = None
    meaning: Message = NOTHING
    measure: str = ""
    neighbours: Int64Rows | None = None
    metric: FittedMetric | SparseMetric | None = None
    pairs: MetricPairs | None = None
    query_name: str = "queries"
    any_right: bool = False

    def comparable(self) -> Tables:
        """Return the tables without all-zero rows, which neither a histogram kernel nor an angle can compare."""
        there: npt.NDArray[np.bool_] = np.asarray(self.base.any(axis=1))
        compared: npt.NDArray[np.bool_] = np.asarray(self.queries.any(axis=1))
        if there.all() and compared.all():
            return self
        if not there.any() or not compared.any():
            raise TwinlensError("All vectors of the base or all queries are zero.", "Give other vectors.")
        places = np.cumsum(there) - 1

        def still(rows: Int64Rows) -> Int64Rows:
            return np.asarray(places[rows[there[rows]]])

        own = None if self.own is None else self.own[compared]
        return replace(
            self,
            base=self.base[there],
            queries=self.queries[compared],
            own=None if own is None else np.where((own >= 0) & there[own], places[own], -1),
            labels=None if self.labels is None else self.labels[there],
            query_labels=None if self.query_labels is None else self.query_labels[compared],
            relevant=None
            if self.relevant is None
            else [still(rows) for rows, one in zip(self.relevant, compared, strict=True) if one],
            neighbours=None,
        )

    def digest(self) -> str:
        """Return a digest of vectors, queries and right results."""
        return self._digest(*_PARTS.values())

    def digests(self) -> dict[str, str]:
        """Return a digest of each of these, by name, which tell two sets of data apart."""
        return {name: self._digest(fields) for name, fields in _PARTS.items()}

    def _digest(self, *parts: tuple[str, ...]) -> str:
        made = hashlib.sha256()
        for name in (name for part in parts for name in part):
            value: Any = getattr(self, name)
            if name == "relevant":
                for rows in value or ():
                    _take(made, name, np.asarray(rows, np.int64))
            elif name in {"base", "queries"} and not is_dense(value):
                for part in ("indptr", "indices", "data"):
                    _take(made, f"{name} {part} {value.shape}", getattr(value, part))
            elif name in {"base", "queries"}:
                _take(made, name, value)
            else:
                _take(made, name, None if value is None else np.asarray(value, np.int64))
        return made.hexdigest()


_PARTS = {"vectors": ("base",), "queries": ("queries", "own"), "right results": ("labels", "query_labels", "relevant")}


def _take(made: Any, name: str, array: Any) -> None:
    made.update(name.encode())
    if array is None:
        return
    table = np.ascontiguousarray(array)
    made.update(f"{table.dtype.str}{table.shape}".encode())
    made.update(table.data.cast("B") if table.size else b"")


def draw_queries(rows: int, count: int) -> Int64Rows:
    """Draw query rows in ascending order; the same numbers give the same rows."""
    return np.sort(np.random.default_rng(SEED).choice(rows, min(count or DRAWN, rows), replace=False))


@contextlib.contextmanager
def naming(name: str) -> Iterator[None]:
    """Add the name of the file to the errors raised inside."""
    try:
        yield
    except TwinlensError as error:
        raise TwinlensError("{name}: {sentence}", error.next_step, name=name, sentence=error.message) from None


MOST_RELEVANT = 5_000
FOLDERS = "folders"
CONCEPTS = "concepts"
OWN_TRUTHS = (FOLDERS, CONCEPTS, "marks", "edits")
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
    any_nearest : bool
        Whether one of these is enough, since they are equally near.
    """

    relevant: Sequence[Int64Rows]
    nearest: Sequence[Int64Rows]
    meaning: Message
    any_nearest: bool = True


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
    if text in {"labels", FOLDERS, CONCEPTS}:
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
        return RightResults(given.relevant, given.relevant, given.meaning, given.any_right)
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
