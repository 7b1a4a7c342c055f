"""The interface of quantizers: a declaration whose ``fit`` returns what turns vectors into bytes and ranks by tables.

A byte of a code is the number of one of 256 values, and a query has a table with the distance of each value of each
byte, so that its distance from an item is a sum of as many look-ups as a code has bytes. The query itself is not
quantized: the distance is asymmetric. No Hamming distance of such codes means anything, so a quantizer is no hash
method: it is a candidate of an experiment that ranks in its own way, as an index of another program does
(:class:`twinlens.core.evaluation.evaluation_task.Peer`).
"""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float32Matrix, Int64Rows
from twinlens.core.compilation import compilation
from twinlens.core.declaration.declaration import Declaration, parameter
from twinlens.core.declaration.fitted import Fitted
from twinlens.core.errors import TwinlensError
from twinlens.core.hashing.packed_codes import Bytes
from twinlens.core.message import Message
from twinlens.core.progress import Progress, part, silent
from twinlens.core.vectors import Vectors, as_vectors, row_blocks

if TYPE_CHECKING:
    from twinlens.core.evaluation.evaluation_task import EvaluationTask, Figures
    from twinlens.core.search.search_structure import Search

VALUES = 256
"""That a byte can have."""

_LOOPS = "twinlens.core.quantization.table_scan_loops"
_BLOCK = 4_096


class ByteEncoder(Fitted):
    """A fitted quantizer; what it computes of a row does not depend on the rows beside it."""

    @property
    @abstractmethod
    def bytes(self) -> int:
        """Length of a code."""

    @property
    @abstractmethod
    def dimensions(self) -> int:
        """Length of the vectors that it takes."""

    @abstractmethod
    def encode_block(self, block: Float32Matrix) -> Bytes:
        """Turn checked rows into codes, (m, dimensions) -> (m, bytes)."""

    @abstractmethod
    def tables_block(self, block: Float32Matrix) -> Float32Matrix:
        """Return the squared distances of checked queries from each value of each byte, (m, bytes, VALUES)."""

    @abstractmethod
    def decode(self, codes: Bytes) -> Float32Matrix:
        """Return the vectors that codes stand for, (n, bytes) -> (n, dimensions)."""

    def encode(self, x: npt.ArrayLike) -> Bytes:
        """Turn vectors, (n, d), into codes, (n, bytes).

        Raises
        ------
        TwinlensError
            If ``x`` has another number of dimensions or holds a value that is not finite.
        """
        table = np.asarray(x)
        codes = np.empty((len(table), self.bytes), np.uint8)
        for rows in row_blocks(len(table), self.dimensions):
            codes[rows] = self.encode_block(as_vectors(table[rows], np.float32, self.dimensions, first_row=rows.start))
        return codes

    def nearest(self, codes: Bytes, queries: npt.ArrayLike, k: int) -> tuple[Int64Rows, Float32Matrix]:
        """Find the k items nearest to each query by the tables.

        Parameters
        ----------
        codes : ndarray of uint8, (n, bytes)
        queries : array_like, (q, d)
        k : int
            How many at most.

        Returns
        -------
        rows : ndarray of int64, (q, min(k, n))
            Ordered by (distance, row).
        distances : ndarray of float32, (q, min(k, n))
            Squared.
        """
        query_rows = as_vectors(np.asarray(queries), np.float32, self.dimensions)
        planes, count = np.ascontiguousarray(codes.T), min(k, len(codes))
        rows, far = np.empty((len(query_rows), count), np.int64), np.empty((len(query_rows), count), np.float32)
        for number in range(len(query_rows)):
            rows[number], far[number] = nearest_by_table(
                planes, self.tables_block(query_rows[number : number + 1])[0], count
            )
        return rows, far


def nearest_by_table(planes: Bytes, table: Float32Matrix, k: int) -> tuple[Int64Rows, Float32Matrix]:
    """Find the k nearest codes by a table, ordered by (distance, row).

    Parameters
    ----------
    planes : ndarray of uint8, (bytes, n)
        Byte after byte of all codes.
    table : ndarray of float32, (bytes, VALUES)
    k : int
        At most n.
    """
    if k == 0:
        return np.empty(0, np.int64), np.empty(0, np.float32)
    scan = compilation.loops(_LOOPS).scan if compilation.worth(planes.size) else plain_scan
    rows, far = scan(planes.reshape(-1), planes.shape[1], np.ascontiguousarray(table).reshape(-1), k)
    order = np.lexsort((rows, far))[:k]
    return rows[order], far[order]


def plain_scan(planes: Bytes, n: int, table: npt.NDArray[np.float32], k: int) -> tuple[Int64Rows, Float32Matrix]:
    """Find candidates for the k nearest.

    Parameters
    ----------
    planes : ndarray of uint8, (bytes * n,)
        In one run.
    n : int
        At least k.
    table : ndarray of float32, (bytes * VALUES,)

    Returns
    -------
    tuple
        Rows and distances, the k nearest among them. Distances are added up byte after byte in float32.
    """
    codes, values = planes.reshape(-1, n), table.reshape(-1, VALUES)
    far = np.zeros(n, np.float32)
    for run, own in zip(codes, values, strict=True):
        far += own[run]
    limit = np.partition(far, k - 1)[k - 1]
    rows = np.flatnonzero(far <= limit)
    return rows, far[rows]


class Quantizer(Declaration):
    """Base of the quantizers; a subclass implements :meth:`fit`."""

    bytes: int = parameter(
        8,
        ge=1,
        le=1_024,
        unit="bytes",
        shown=True,
        help="Length of a code. More bytes rank finer and take more room.",
    )
    training_items: int = parameter(
        20_000,
        ge=1,
        le=10_000_000,
        unit="items",
        help="How many items, drawn at random, everything is learned from. More takes longer.",
    )
    seed: int = parameter(
        0, ge=0, le=2**31 - 1, help="Start of every random draw: the same seed on the same data gives the same codes."
    )

    @property
    def bits(self) -> int:
        """Bits of a code."""
        return 8 * self.bytes

    @abstractmethod
    def fit(self, x: Vectors, progress: Progress = silent) -> ByteEncoder:
        """Learn from vectors, (n, d).

        Raises
        ------
        TwinlensError
            If it cannot learn from these; the sentence says why and what can be done.
        """

    def measured(self, searches: Sequence[Search], task: EvaluationTask, progress: Progress) -> Iterator[Figures]:
        """Encode a base and rank it, and yield the figures of each number of candidates.

        Raises
        ------
        TwinlensError
            If the vectors are sparse, or it cannot learn from them.
        """
        from twinlens.core.evaluation.evaluation_task import RECALL_CURVE, Figures
        from twinlens.core.evaluation.method_evaluation import GivenRanking, depth_of, judged_rankings
        from twinlens.core.evaluation.truth import euclidean_coordinates, is_dense

        if not is_dense(task.base):
            raise TwinlensError("{key} takes no sparse vectors.", "Give dense vectors.", key=self.key)
        base, queries = (euclidean_coordinates(task.distance, table) for table in (task.base, task.queries))
        figures, n = Figures(), len(base)
        began = time.perf_counter()
        drawn = np.random.default_rng(self.seed).permutation(n)[: self.training_items]
        encoder = self.fit(base[np.sort(drawn)], part(progress, 0.0, 0.5))
        figures.values["seconds fit"] = time.perf_counter() - began
        began = time.perf_counter()
        codes = encoder.encode(base)
        figures.values |= {"seconds encode": time.perf_counter() - began, "seconds build": 0.0}
        model = sum(array.nbytes for array in encoder.pack().arrays.values())
        figures.values |= {"bytes model": model, "bytes codes": codes.nbytes, "bytes search": 0}
        planes, beside = np.ascontiguousarray(codes.T), 0 if task.own is None else 1  # a query of the base finds itself
        depths = {depth: min(n, depth + beside) for depth in (depth_of(search, task) for search in searches)}
        most = min(n, max(*depths.values(), max(RECALL_CURVE) + beside))
        rows, spent, tabled = np.empty((len(queries), most), np.int64), dict.fromkeys(depths, 0.0), 0.0
        for number in range(len(queries)):
            progress(0.5 + 0.25 * number / len(queries), 1, Message("Searching"))
            began = time.perf_counter()
            table = encoder.tables_block(queries[number : number + 1])[0]
            tabled += time.perf_counter() - began
            for depth, count in depths.items():
                began = time.perf_counter()
                nearest_by_table(planes, table, count)
                spent[depth] += time.perf_counter() - began
            rows[number] = nearest_by_table(planes, table, most)[0]
        query_rows = max(1, len(queries))
        figures.values["seconds encode_query"] = tabled / query_rows
        seconds = {depth: total / query_rows for depth, total in spent.items()}
        given = GivenRanking(rows, seconds, n)
        yield from judged_rankings(figures, given, searches, task, part(progress, 0.75, 1.0))
