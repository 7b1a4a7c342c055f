"""Search structures: declarations that ``build`` turns, with codes, into something that finds candidates.

A structure finds candidates by their codes; the caller ranks them by the exact measure. Ties are in a stated order:
(distance, row), and rows are in the order of photograph ids.

A structure can be updated without a rebuild. What was built stays; rows that are gone or changed are masked in it, and
new codes stand beside it and are scanned. When these have become many, a rebuild pays; until somebody finds the time
for it, results stay right.

A query finds candidates by codes, and by real-valued projections where a search wants them. By asymmetric distance it
keeps its real values, and only the items are codes. Where its projection is near 0, whether an item's bit differs says
little; where it is large, much. So a differing bit counts as much as the query's projection is large:

    d(x, code) = sum over bits that differ from the query's of |p_j(x)|

which ranks as the inner product of p(x) with the item's code of -1 and 1 does (Gordo, Perronnin, Gong, Lazebnik:
Asymmetric Distances for Binary Embeddings, PAMI 2014). It needs no more room and no other codes, and ranks finer.

A projection costs more than a code, of which only signs have to be known, so it is computed only for searches that use
it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Int64Ids, OptionalMask, UInt64Words
from twinlens.core.declaration.declaration import Declaration, parameter
from twinlens.core.hashing.hash_method import Encoder
from twinlens.core.hashing.packed_codes import pack_bits, planar
from twinlens.core.search.hamming_scan import nearest_by_hamming
from twinlens.core.vectors import Vectors


@dataclass(frozen=True)
class Candidates:
    """The candidates of one query.

    Attributes
    ----------
    rows : ndarray of int64, (c,)
        Rows of the codes, ordered by (distance, row).
    distances : ndarray of int64, (c,)
        Hamming distances, in bits.
    scanned : int
        How many codes were compared.
    probed : int
        How many buckets or places of sorted lists were visited; 0 where there are none.
    """

    rows: npt.NDArray[np.int64]
    distances: npt.NDArray[np.int64]
    scanned: int
    probed: int = 0


class Structure(Protocol):
    """Codes made ready for queries."""

    @property
    def bytes(self) -> int:
        """Bytes that it keeps beside the codes."""

    def codes(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
        """Return the codes of rows, (words, len(rows))."""

    def candidates(self, code: npt.NDArray[np.uint64], k: int, mask: OptionalMask = None) -> Candidates:
        """Find the k nearest codes that the structure can reach.

        Parameters
        ----------
        code : ndarray of uint64, (words,)
            The query's code, as :func:`twinlens.core.hashing.packed_codes.planar` lays it out.
        k : int
            How many at most.
        mask : ndarray of bool, (n,), optional
            Only rows where it is True are found.
        """


class Search(Declaration):
    """Base of the search structures."""

    uses_codes: ClassVar[bool] = True
    """False for the exact search, which needs no hash method."""

    in_memory: ClassVar[bool] = True
    """False where only a server searches, for an index that a library there keeps; :meth:`build` refuses then."""

    @property
    def exact(self) -> bool:
        """Whether it always finds the k nearest codes; else it may miss some."""
        return False

    @abstractmethod
    def build(self, planes: npt.NDArray[np.uint64], bits: int | None = None) -> Structure:
        """Make codes ready.

        Parameters
        ----------
        planes : ndarray of uint64, (words, n)
            Planar codes, as :func:`twinlens.core.hashing.packed_codes.planar` lays them out; kept, not copied.
        bits : int, optional
            Length of a code; by default all bits of its words.
        """

    @abstractmethod
    def depth(self, k: int) -> int:
        """Return the number of candidates to rank exactly for k results."""


class CodeSearch(Search):
    """Base of the structures that find candidates by their codes, which are then ranked by the exact measure."""

    built_at_once: ClassVar[bool] = False
    """Whether building takes next to no time, so that it is built anew at every change."""

    candidates: int = parameter(
        1_000,
        ge=1,
        le=1_000_000,
        unit="items",
        help="How many of the nearest codes are ranked by the exact measure. More finds more of the true neighbours, "
        "and takes longer.",
    )

    asymmetric: bool = parameter(
        False,
        help="Choose the candidates from eight times as many by an asymmetric distance: a bit that differs counts as "
        "much as the query's projection is large. It finds more of the true neighbours with the same codes.",
    )

    def depth(self, k: int) -> int:
        """Return ``candidates``, or k where that is more."""
        return max(k, self.candidates)


_BESIDE = 0.02
"""Share of the codes that may stand beside what was built before a rebuild pays."""

_FEW = 20_000
"""Codes beside that never make one pay: scanning them takes less time than a person can tell."""


@dataclass(frozen=True, eq=False)
class UpdatableStructure:
    """Codes of some ids, and the structure that searches them.

    Attributes
    ----------
    ids : ndarray of int64, (n,)
        Ascending; row i of what is found is ``ids[i]``.
    built : Structure
        Over ``built_ids`` as they were.
    built_ids : ndarray of int64, (m,)
    built_planes : ndarray of uint64, (words, m)
    rows : ndarray of int64, (m,)
        The present row of each built one; -1 where it is gone or changed.
    beside : ndarray of uint64, (words, b)
        Codes that are not in what was built.
    beside_rows : ndarray of int64, (b,)
        Their rows, ascending.
    bits : int
        Length of a code.
    """

    ids: Int64Ids
    search: Search
    built: Structure
    built_ids: Int64Ids
    built_planes: UInt64Words
    rows: Int64Ids
    beside: UInt64Words
    beside_rows: Int64Ids
    bits: int

    @classmethod
    def build(cls, search: Search, ids: Int64Ids, planes: UInt64Words, bits: int) -> UpdatableStructure:
        """Build anew, for ids, ascending, and their planar codes, (words, n)."""
        none = np.empty((len(planes), 0), np.uint64)
        rows = np.arange(len(ids))
        return cls(ids, search, search.build(planes, bits), ids, planes, rows, none, np.empty(0, np.int64), bits)

    @classmethod
    def unbuilt(cls, search: Search, ids: Int64Ids, planes: UInt64Words, bits: int) -> UpdatableStructure:
        """Build nothing yet: until it is :meth:`rebuilt`, every code stands beside, and is scanned."""
        none = np.empty(0, np.int64)
        return cls.build(search, none, np.empty((len(planes), 0), np.uint64), bits).changed(ids, planes)

    def changed(self, ids: Int64Ids, planes: UInt64Words) -> UpdatableStructure:
        """Update to the present ids, ascending, and their codes, (words, n); of these only new ones are kept."""
        places = np.searchsorted(ids, self.built_ids)
        there = places < len(ids)
        there[there] = ids[places[there]] == self.built_ids[there]
        same = np.flatnonzero(there)
        for word, now in zip(self.built_planes, planes, strict=True):
            same = same[word[same] == now[places[same]]]
        rows = np.full(len(self.built_ids), -1, np.int64)
        rows[same] = places[same]
        new = np.ones(len(ids), np.bool_)
        new[rows[same]] = False
        beside = np.flatnonzero(new)
        return UpdatableStructure(
            ids,
            self.search,
            self.built,
            self.built_ids,
            self.built_planes,
            rows,
            np.ascontiguousarray(planes[:, beside]),
            beside,
            self.bits,
        )

    def rebuilt(self) -> UpdatableStructure:
        """Build anew of the present codes."""
        return UpdatableStructure.build(self.search, self.ids, self.codes(np.arange(len(self.ids))), self.bits)

    @property
    def is_built(self) -> bool:
        """Whether the structure itself finds all codes but the added ones."""
        return len(self.built_ids) > 0 or len(self.ids) == 0

    @property
    def rebuild_pays(self) -> bool:
        """Whether enough has changed that a rebuild is worth its time."""
        if not self.is_built:
            return True
        apart = len(self.beside_rows) + int(np.count_nonzero(self.rows < 0))
        return apart > max(_FEW, _BESIDE * len(self.ids))

    @property
    def bytes(self) -> int:
        """Bytes that it keeps beside the codes."""
        return self.built.bytes + self.rows.nbytes + self.beside_rows.nbytes

    def codes(self, rows: Int64Ids) -> UInt64Words:
        """Return the codes of rows, (words, len(rows))."""
        where = np.empty(len(self.ids), np.int64)
        kept = np.flatnonzero(self.rows >= 0)
        where[self.rows[kept]] = kept
        where[self.beside_rows] = len(self.built_ids) + np.arange(len(self.beside_rows))
        places = where[rows]
        found = np.empty((len(self.built_planes), len(rows)), np.uint64)
        old = places < len(self.built_ids)
        found[:, old] = self.built_planes[:, places[old]]
        found[:, ~old] = self.beside[:, places[~old] - len(self.built_ids)]
        return found

    def candidates(self, code: npt.NDArray[np.uint64], k: int, mask: OptionalMask = None) -> Candidates:
        """Find the k nearest codes that the structure can reach, and any that stand beside it; ordered as ever."""
        if len(self.beside_rows) == 0 and len(self.ids) == len(self.built_ids):
            return self.built.candidates(code, k, mask)
        old = self.built.candidates(code, k, self._allowed(mask))
        new = nearest_by_hamming(self.beside, code[None], k, None if mask is None else mask[self.beside_rows])
        rows = np.concatenate([self.rows[old.rows], self.beside_rows[new.rows[0]]])
        distances = np.concatenate([old.distances, new.distances[0].astype(np.int64)])
        order = np.lexsort((rows, distances))[:k]
        return Candidates(rows[order], distances[order], old.scanned + self.beside.shape[1], old.probed)

    def _allowed(self, mask: OptionalMask) -> OptionalMask:
        """Return which built rows still exist and may be found."""
        allowed = self.rows >= 0
        if mask is None:
            return None if allowed.all() else allowed
        allowed[allowed] = mask[self.rows[allowed]]
        return allowed


@dataclass(frozen=True, eq=False)
class CodeQuery:
    """One encoded query.

    Attributes
    ----------
    code : ndarray of uint64, (words,)
    projection : ndarray of float64, (bits,), or None
        Whose signs the code holds; None where no search needs it.
    """

    code: npt.NDArray[np.uint64]
    projection: npt.NDArray[np.float64] | None


def needs_projections(search: Search) -> bool:
    """Return whether a search uses the projection of a query beside its code."""
    return isinstance(search, CodeSearch) and search.asymmetric


def encode_queries(encoder: Encoder, x: Vectors, projected: bool) -> list[CodeQuery]:
    """Encode queries, (q, d), with their projections where these are needed."""
    projections = encoder.project(x) if projected else None
    codes = encoder.encode(x) if projections is None else pack_bits(projections >= 0)
    words = np.ascontiguousarray(planar(codes).T)
    return [CodeQuery(code, None if projections is None else projections[row]) for row, code in enumerate(words)]


def find_candidates(
    search: Search, structure: Structure, n: int, query: CodeQuery, k: int, mask: OptionalMask = None
) -> Candidates:
    """Find the candidates to be measured exactly for k results.

    A structure that reaches fewer than k, as lists and buckets of a small library may, is followed by a scan.

    Parameters
    ----------
    search : Search
        The declaration of the structure.
    n : int
        Codes in it.
    query : CodeQuery
        Of :func:`encode_queries`, with its projection where :func:`needs_projections`.
    mask : ndarray of bool, (n,), optional
        Only rows where it is True are found.

    Returns
    -------
    Candidates
        Ordered by (Hamming distance, row).
    """
    depth = search.depth(k)
    if isinstance(search, CodeSearch) and not search.exact:
        structure = _Enough(structure, n, k)
    if not needs_projections(search):
        return structure.candidates(query.code, depth, mask)
    assert query.projection is not None
    wide = structure.candidates(query.code, WIDER * depth, mask)
    if len(wide.rows) <= depth:
        return wide
    kept = np.sort(nearest_by_projection(query.projection, structure.codes(wide.rows), depth))
    return Candidates(wide.rows[kept], wide.distances[kept], wide.scanned, wide.probed)


def find_any_candidates(
    search: Search, structure: Structure, n: int, queries: Sequence[CodeQuery], k: int, mask: OptionalMask = None
) -> Candidates:
    """Find the candidates of any of some queries: all that :func:`find_candidates` finds for one of them.

    Fewer, by the distance from the nearest query, would not do: of edited copies among 10,000 photographs, asked as
    they are, mirrored and in negative, a thousand candidates each (2,350 together) hold 96 % of the exact first 50, and
    the thousand nearest of these 85 %.

    Parameters
    ----------
    search, structure, n, k, mask
        As in :func:`find_candidates`.
    queries : sequence of CodeQuery
        At least one.

    Returns
    -------
    Candidates
        Ordered by (Hamming distance, row), the distance from the nearest of the queries.
    """
    found = [find_candidates(search, structure, n, query, k, mask) for query in queries]
    if len(found) == 1:
        return found[0]
    rows = np.concatenate([one.rows for one in found])
    distances = np.concatenate([one.distances for one in found])
    order = np.lexsort((distances, rows))
    rows, first = np.unique(rows[order], return_index=True)
    distances = distances[order][first]
    nearest_first = np.lexsort((rows, distances))
    return Candidates(
        rows[nearest_first],
        distances[nearest_first],
        sum(one.scanned for one in found),
        sum(one.probed for one in found),
    )


@dataclass(frozen=True, eq=False)
class _Enough:
    """A structure that finds at least so many, where there are so many."""

    structure: Structure
    n: int
    least: int

    @property
    def bytes(self) -> int:
        return self.structure.bytes

    def codes(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
        return self.structure.codes(rows)

    def candidates(self, code: npt.NDArray[np.uint64], k: int, mask: OptionalMask = None) -> Candidates:
        found = self.structure.candidates(code, k, mask)
        there = self.n if mask is None else int(np.count_nonzero(mask))
        if len(found.rows) >= min(self.least, there):
            return found
        everything = nearest_by_hamming(self.codes(np.arange(self.n)), code[None], k, mask)
        scanned = found.scanned + self.n
        return Candidates(everything.rows[0], everything.distances[0].astype(np.int64), scanned, found.probed)


WIDER = 8
"""So many times the candidates are found by Hamming distance, and of them the nearest by this one are kept."""


def asymmetric_distances(projection: npt.NDArray[np.float64], planes: UInt64Words) -> npt.NDArray[np.float64]:
    """Measure codes by their asymmetric distance from a query.

    Parameters
    ----------
    projection : ndarray of float64, (bits,)
        Of the query, as :meth:`twinlens.core.hashing.hash_method.Encoder.project` gives it.
    planes : ndarray of uint64, (words, c)
        Codes.

    Returns
    -------
    ndarray of float64, (c,)
        Of a code always the same, whatever is measured beside it.
    """
    table = _table(projection)
    code = planar(pack_bits(projection[None, :] >= 0))
    found = np.zeros(planes.shape[1])
    for word, (run, own) in enumerate(zip(planes, code[:, 0], strict=True)):
        differ = np.ascontiguousarray(run ^ own).view(np.uint8).reshape(-1, 8)
        for byte in range(min(8, len(table) - 8 * word)):
            found += table[8 * word + byte][differ[:, byte]]
    return found


def nearest_by_projection(projection: npt.NDArray[np.float64], planes: UInt64Words, k: int) -> npt.NDArray[np.int64]:
    """Return the k nearest places of some codes, (words, c), ordered by (asymmetric distance, place)."""
    near = asymmetric_distances(projection, planes)
    return np.argsort(near, kind="stable")[:k].astype(np.int64)


def _table(projection: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Add up, for every byte and each of its 256 values, the weights of the bits that are 1, (bytes, 256)."""
    weights = np.zeros((-(-len(projection) // 8), 8))
    weights.reshape(-1)[: len(projection)] = np.abs(projection)
    bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
    return np.asarray(weights @ bits.T.astype(np.float64))
