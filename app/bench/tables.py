"""Data of a bench: vectors, queries and labels, from the files of an experiment or from memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from app.bench.experiment import Experiment
from app.bench.vector_file import has_array
from app.bench.vector_table import Labels, read_labels, read_table
from core.errors import TwinlensError
from core.evaluation.named_distance import SEED
from core.evaluation.truth import Rows, is_dense
from core.message import NOTHING, Message
from core.metrics import FittedMetric, SparseMetric
from core.vectors import Vectors

DRAWN = 100


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
    meaning : Message
        Right results by such a truth or by the labels.
    measure : str
        Text form of the default ranking measure; empty for that of the first method.
    metric : FittedMetric or SparseMetric, optional
        Applied before every method; None if the experiment names one.
    """

    name: str
    base: Vectors
    queries: Vectors
    own: Rows | None = None
    labels: Labels | None = None
    query_labels: Labels | None = None
    relevant: Sequence[Rows] | None = None
    meaning: Message = NOTHING
    measure: str = ""
    metric: FittedMetric | SparseMetric | None = None

    def telling(self) -> Tables:
        """Return the tables without all-zero rows, which no histogram kernel can compare."""
        there: npt.NDArray[np.bool_] = np.asarray(self.base.any(axis=1))
        asked: npt.NDArray[np.bool_] = np.asarray(self.queries.any(axis=1))
        if there.all() and asked.all():
            return self
        if not there.any() or not asked.any():
            raise TwinlensError(
                Message("All vectors of the base or all queries are zero."), Message("Give other vectors.")
            )
        places = np.cumsum(there) - 1

        def still(rows: Rows) -> Rows:
            return np.asarray(places[rows[there[rows]]])

        own = None if self.own is None else self.own[asked]
        return replace(
            self,
            base=self.base[there],
            queries=self.queries[asked],
            own=None if own is None else np.where((own >= 0) & there[own], places[own], -1),
            labels=None if self.labels is None else self.labels[there],
            query_labels=None if self.query_labels is None else self.query_labels[asked],
            relevant=None
            if self.relevant is None
            else [still(rows) for rows, one in zip(self.relevant, asked, strict=True) if one],
        )


def load_tables(experiment: Experiment) -> Tables:
    """Read base, queries and labels from the files of an experiment."""
    if experiment.index:
        raise TwinlensError(
            Message("The experiment measures the photographs of the index “{index}”.", index=experiment.index),
            Message("Run it in the library, or export the run with its vectors."),
        )
    base = read_table(experiment.base)
    labels = read_labels(experiment.labels, base.shape[0])
    named = experiment.queries
    if not named and has_array(experiment.base, "train") and has_array(experiment.base, "test"):
        named = f"{experiment.base}::test"  # of ann-benchmarks
    if not named:
        own = drawn(base.shape[0], experiment.query_count)
        return Tables(experiment.base, base, base[own], own, labels, None if labels is None else labels[own])
    queries = read_table(named)
    asks_itself = _same_file(named, experiment.base)
    if is_dense(base) != is_dense(queries):
        raise TwinlensError(
            Message("Only one of base and queries is sparse."), Message("Give both sparse or both dense.")
        )
    query_labels = read_labels(experiment.query_labels, queries.shape[0])
    if experiment.query_count:
        queries = queries[: experiment.query_count]
        query_labels = None if query_labels is None else query_labels[: experiment.query_count]
    if queries.shape[1] != base.shape[1]:
        raise TwinlensError(
            Message(
                "The queries have {dimensions} dimensions, the base has {base_dimensions}.",
                dimensions=queries.shape[1],
                base_dimensions=base.shape[1],
            ),
            Message("Give queries with as many dimensions as the base."),
        )
    if not asks_itself:
        return Tables(experiment.base, base, queries, None, labels, query_labels)
    own = np.arange(queries.shape[0])
    if query_labels is None and labels is not None:
        query_labels = labels[own]
    return Tables(experiment.base, base, queries, own, labels, query_labels)


def drawn(rows: int, count: int) -> Rows:
    """Draw query rows in ascending order; the same numbers give the same rows."""
    return np.sort(np.random.default_rng(SEED).choice(rows, min(count or DRAWN, rows), replace=False))


def _same_file(name: str, other: str) -> bool:
    """Return whether two names mean the same array, whose rows are never their own results."""
    file, _, array = name.partition("::")
    other_file, _, other_array = other.partition("::")
    return array == other_array and Path(file).expanduser().resolve() == Path(other_file).expanduser().resolve()
