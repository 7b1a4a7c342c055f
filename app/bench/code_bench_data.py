"""Data of a bench of search structures: packed codes, queries, and the distances of their true nearest."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from app.bench.vector_file import load_vectors
from app.methods import catalogue
from core.arrays import Int64Rows, UInt64Words
from core.errors import TwinlensError
from core.files.tilde import expanded
from core.hashing.packed_codes import LARGEST_BITS, Bytes, planar
from core.message import Message
from core.progress import Progress
from core.search import SEARCHES
from core.search.hamming.mapped_codes import nearest_mapped
from core.search.search_structure import CodeSearch, Search

NEIGHBOURS = 100
DRAWN = 100
SEED = 0


@dataclass(frozen=True)
class CodeExperiment:
    """The declaration of ``bench --codes``.

    Attributes
    ----------
    base : str
        File of packed codes, uint8 (n, bytes), as :func:`core.hashing.packed_codes.pack_bits` makes them.
    queries : str
        Likewise; empty: some of the base are drawn, and never are their own answer. Nor are they where it is the base.
    search : tuple of str
        Text forms of structures; empty for all there are.
    query_count : int
        How many queries are drawn, or taken from the front of those that are given; 0 for all that are given.
    neighbours : int
        How many nearest codes each structure is asked for.
    """

    base: str
    queries: str = ""
    search: tuple[str, ...] = ()
    query_count: int = 0
    neighbours: int = NEIGHBOURS


@dataclass(frozen=True, eq=False)
class CodeTask:
    """Codes, queries, their rows in the base where they are of it, and how far the true nearest of each are."""

    base: Bytes
    asked: UInt64Words
    own: Int64Rows | None
    k: int
    true: list[npt.NDArray[np.int64]]
    seconds: float

    @property
    def wanted(self) -> int:
        """Number of neighbours to ask for: one more than wanted, since the query itself is found and left out."""
        return self.k + (self.own is not None)


def structure(text: str) -> Search:
    """Read a structure; refuse what has no meaning where there are no vectors to rank by."""
    search = catalogue.search_structure(text)
    if not isinstance(search, CodeSearch):
        known = [one.key for one in SEARCHES if one.uses_codes and one.in_memory]
        raise TwinlensError(
            Message("“{search}” does not search codes.", search=text), Message("Choose one of: {known}.", known=known)
        )
    if search.asymmetric or search.candidates != type(search)().candidates:
        name = "asymmetric" if search.asymmetric else "candidates"
        raise TwinlensError(
            Message("“{search}”: {parameter} needs vectors, and there are only codes.", search=text, parameter=name),
            Message("Leave it out."),
        )
    return search


def load_codes(experiment: CodeExperiment) -> tuple[Bytes, Bytes, Int64Rows | None]:
    """Load base, queries, and the queries' rows in the base."""
    if experiment.neighbours < 1:
        raise TwinlensError(Message("The number of neighbours must be at least 1."), Message("Give 1 or more."))
    base = _table(experiment.base)
    if not experiment.queries:
        if len(base) < 2:
            raise TwinlensError(
                Message("{file} has only one code.", file=experiment.base), Message("Give a file of queries.")
            )
        count = min(experiment.query_count or DRAWN, len(base))
        own = np.sort(np.random.default_rng(SEED).choice(len(base), count, replace=False))
        return base, base[own], own
    queries = _table(experiment.queries)
    if queries.shape[1] != base.shape[1]:
        raise TwinlensError(
            Message(
                "The codes of the queries have {bytes} bytes, those of the base {base_bytes}.",
                bytes=queries.shape[1],
                base_bytes=base.shape[1],
            ),
            Message("Give queries of the same length."),
        )
    queries = queries[: experiment.query_count or None]
    itself = expanded(experiment.queries).resolve() == expanded(experiment.base).resolve()
    return base, queries, np.arange(len(queries)) if itself else None


def _table(name: str) -> Bytes:
    table: Any = load_vectors(name)
    packed = isinstance(table, np.ndarray) and table.dtype == np.uint8 and table.ndim == 2
    if not packed or 0 in table.shape or 8 * table.shape[1] > LARGEST_BITS:
        raise TwinlensError(
            Message(
                "{file} has an array {shape} of {dtype}, which is not packed codes.",
                file=name,
                shape="x".join(map(str, table.shape)),
                dtype=table.dtype,
            ),
            Message(
                "Give a uint8 table with at most {bytes} bytes per row, as numpy.packbits makes it.",
                bytes=LARGEST_BITS // 8,
            ),
        )
    codes: Bytes = table
    return codes


def find_truth(base: Bytes, queries: Bytes, own: Int64Rows | None, k: int, progress: Progress) -> CodeTask:
    """Find how far the true nearest are, all queries in one pass over the codes."""
    asked = np.ascontiguousarray(planar(queries).T)
    began = time.perf_counter()
    found = nearest_mapped(base, asked, k + (own is not None), progress)
    seconds = (time.perf_counter() - began) / len(asked)
    k = min(k, len(base) - (own is not None))
    kept = [
        others(own, number, rows, distances.astype(np.int64), k)
        for number, (rows, distances) in enumerate(zip(found.rows, found.distances, strict=True))
    ]
    return CodeTask(base, asked, own, k, kept, seconds)


def others(
    own: Int64Rows | None, number: int, rows: Int64Rows, distances: npt.NDArray[np.int64], k: int
) -> npt.NDArray[np.int64]:
    """Return how far the first k are that are not the query itself."""
    return (distances if own is None else distances[rows != own[number]])[:k]
