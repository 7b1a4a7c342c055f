"""Measuring of an index of faiss, in a process apart from the threads of the program's compiled loops."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from twinlens.core.arrays import Float32Vectors, Int64Rows
from twinlens.core.errors import TwinlensError
from twinlens.core.message import verbatim
from twinlens.core.worker_process import TaskCaller


@dataclass(frozen=True)
class FaissFigures:
    """Figures of an index, and the ranking of every query.

    Attributes
    ----------
    fit, encode : float
        Seconds.
    model, codes : int
        Bytes.
    seconds : dict of int to float
        Of a query, by how many are asked for.
    scanned : float
        Vectors compared for a query.
    rows : ndarray of int64, (q, rows)
    """

    fit: float
    encode: float
    model: int
    codes: int
    seconds: dict[int, float]
    scanned: float
    rows: Int64Rows


@dataclass(frozen=True)
class FaissTask:
    """An index to build of vectors and to search.

    Attributes
    ----------
    factory, parameters : str
        As of :class:`twinlens.app.bench.faiss_peer.FaissPeer`.
    base, queries : ndarray of float32, (n, d) and (q, d)
    rows : int
        How many are asked for of the ranking.
    depths : sequence of int
        How many are asked for where a query is timed.
    """

    factory: str
    parameters: str
    base: Float32Vectors
    queries: Float32Vectors
    rows: int
    depths: Sequence[int]

    def __call__(self, caller: TaskCaller) -> FaissFigures:
        """Measure it.

        Raises
        ------
        TwinlensError
            If faiss refuses.
        """
        del caller
        try:
            return self._measure()
        except (RuntimeError, AssertionError) as error:
            reason = str(error).rpartition(": ")[2] or str(error)
            raise TwinlensError(
                "faiss cannot make {name}: {reason}.",
                "Give another factory string, such as PQ16 or OPQ16,PQ16.",
                name=self.factory,
                reason=verbatim(reason.rstrip(".")),
            ) from error

    def _measure(self) -> FaissFigures:
        import faiss

        index = faiss.index_factory(self.base.shape[1], self.factory)
        began = time.perf_counter()
        index.train(self.base)
        fit = time.perf_counter() - began
        model = len(faiss.serialize_index(index))
        began = time.perf_counter()
        index.add(self.base)
        encode = time.perf_counter() - began
        if self.parameters:
            space: Any = faiss.ParameterSpace()
            space.set_index_parameters(index, self.parameters)
        _, rows = index.search(self.queries, self.rows)
        faiss.omp_set_num_threads(1)
        counters: Any = faiss.cvar
        for one in (counters.indexIVF_stats, counters.hnsw_stats):
            one.reset()
        seconds = {}
        for depth in self.depths:
            began = time.perf_counter()
            for query in self.queries:
                index.search(query[None], depth)
            seconds[depth] = (time.perf_counter() - began) / max(1, len(self.queries))
        searched = max(1, len(self.queries) * len(seconds))
        compared = (counters.indexIVF_stats.ndis + counters.hnsw_stats.ndis) / searched
        codes = len(faiss.serialize_index(index)) - model
        scanned = compared or float(len(self.base))
        return FaissFigures(fit, encode, model, codes, seconds, scanned, np.asarray(rows, np.int64))
