"""What a bench is about: vectors, queries and labels, from the files that an experiment names or at hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from app.bench.experiment import Experiment
from app.bench.metric import SEED
from app.bench.vector_file import has_array
from app.bench.vector_table import Labels, read_labels, read_table
from core.errors import TwinlensError
from core.evaluation.truth import Rows, is_dense
from core.message import Message
from core.metrics import FittedMetric, SparseMetric
from core.vectors import Vectors

DRAWN = 100


@dataclass(frozen=True, eq=False)
class Tables:
    """What an experiment is about, at hand: read from its files, or given from elsewhere.

    Attributes
    ----------
    name : str
        Where the vectors come from, for people.
    base : ndarray, (n, d)
        Or a sparse table in rows.
    queries : ndarray, (q, d)
        Likewise.
    own : ndarray of int64, (q,), optional
        Row of each query in the base, -1 where it is not there; such a row is never the query's answer.
    labels, query_labels : ndarray of int64, (n,) and (q,), optional
    relevant : sequence of ndarray of int64, optional
        Rows that are the right answers of each query, where a truth of its own name (marks, edits) says so.
    meaning : str
        What counts as right by such a truth or by the labels, for people.
    measure : str
        Text form of what ranks where nothing else is said; empty for that of the first method.
    metric : FittedMetric or SparseMetric, optional
        Stands before every method; None where the experiment says which.
    """

    name: str
    base: Vectors
    queries: Vectors
    own: Rows | None = None
    labels: Labels | None = None
    query_labels: Labels | None = None
    relevant: Sequence[Rows] | None = None
    meaning: str = ""
    measure: str = ""
    metric: FittedMetric | SparseMetric | None = None

    def telling(self) -> Tables:
        """Leave out rows that are zero throughout: no histogram kernel says anything of them."""
        there: npt.NDArray[np.bool_] = np.asarray(self.base.any(axis=1))
        asked: npt.NDArray[np.bool_] = np.asarray(self.queries.any(axis=1))
        if there.all() and asked.all():
            return self
        if not there.any() or not asked.any():
            raise TwinlensError(
                Message("All vectors of the base, or of the queries, are zero throughout."), Message("Give others.")
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
    """Load base, queries, the queries' rows in the base, and the labels of both, from the files of an experiment."""
    if experiment.index:
        raise TwinlensError(
            Message("The experiment is of the photographs of the index “{index}”.", index=experiment.index),
            Message("Run it with `twinlens lab run FILE`, or export a run with its vectors."),
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
            Message("Of base and queries one is sparse and the other is not."), Message("Give both alike.")
        )
    query_labels = read_labels(experiment.query_labels, queries.shape[0])
    if experiment.query_count:
        queries = queries[: experiment.query_count]
        query_labels = None if query_labels is None else query_labels[: experiment.query_count]
    if queries.shape[1] != base.shape[1]:
        raise TwinlensError(
            Message(
                "The queries have {shape} dimensions, the base has {shape2}.",
                shape=queries.shape[1],
                shape2=base.shape[1],
            ),
            Message("Give queries of the same kind."),
        )
    if not asks_itself:
        return Tables(experiment.base, base, queries, None, labels, query_labels)
    own = np.arange(queries.shape[0])
    if query_labels is None and labels is not None:
        query_labels = labels[own]
    return Tables(experiment.base, base, queries, own, labels, query_labels)


def drawn(rows: int, count: int) -> Rows:
    """Draw rows that ask, ascending: always the same of so many."""
    return np.sort(np.random.default_rng(SEED).choice(rows, min(count or DRAWN, rows), replace=False))


def _same_file(name: str, other: str) -> bool:
    """Return whether two names are of the same array, whose rows then are never their own answer."""
    file, _, array = name.partition("::")
    other_file, _, other_array = other.partition("::")
    return array == other_array and Path(file).expanduser().resolve() == Path(other_file).expanduser().resolve()
