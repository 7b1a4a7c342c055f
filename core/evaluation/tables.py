"""Tables: the data of an experiment in memory, that is vectors, queries, and their right results."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from core.arrays import Int64Labels, Int64Rows
from core.errors import TwinlensError
from core.evaluation.truth import SEED, is_dense
from core.message import NOTHING, Message
from core.metrics.metric import FittedMetric
from core.metrics.sparse_metric import SparseMetric
from core.vectors import Vectors

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
    asked : str
        Source of the queries.
    metric : FittedMetric or SparseMetric, optional
        Applied before every method; None if the experiment names one.
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
    metric: FittedMetric | SparseMetric | None = None
    asked: str = "queries"
    any_right: bool = False

    def telling(self) -> Tables:
        """Return the tables without all-zero rows, which no histogram kernel can compare."""
        there: npt.NDArray[np.bool_] = np.asarray(self.base.any(axis=1))
        asked: npt.NDArray[np.bool_] = np.asarray(self.queries.any(axis=1))
        if there.all() and asked.all():
            return self
        if not there.any() or not asked.any():
            raise TwinlensError("All vectors of the base or all queries are zero.", "Give other vectors.")
        places = np.cumsum(there) - 1

        def still(rows: Int64Rows) -> Int64Rows:
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
