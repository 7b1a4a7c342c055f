"""A comparison of several indexes: one query searched in each, and each judged by exact search.

It has the ranks of photographs in each column: in its results, in the exact ranking, and by the bits of their codes.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from twinlens.app.compare.columns import MOST, ComparisonColumn, title_of
from twinlens.app.compare.comparison_results import ColumnBytes, ColumnStanding, ComparedColumn, CompareResult
from twinlens.app.compare.temporary_index import TemporaryIndexes
from twinlens.app.indexes.index_specification import metric_text
from twinlens.app.indexes.indexes import text_of
from twinlens.app.indexes.loaded_index import LoadedIndex
from twinlens.app.methods import catalogue
from twinlens.app.search.query_distance import Distances, QueryDistance
from twinlens.app.search.search_options import Filters, SearchOptions
from twinlens.app.search.search_query import QuerySource, SearchQuery
from twinlens.app.search.search_results import MissedPhotograph, SearchResult
from twinlens.app.search.searcher import Searcher
from twinlens.core.arrays import Int64Ids, OptionalMask
from twinlens.core.errors import Remedy, TwinlensError
from twinlens.core.evaluation.judgement import QueryTruth, found_among
from twinlens.core.exact_search.measure import BLOCK, Measure
from twinlens.core.files.untrusted_input import shown
from twinlens.core.hashing.method_under_metric import UnderMetric
from twinlens.core.hashing.packed_codes import bytes_of, from_planar, planar, unpack_bits
from twinlens.core.message import NOTHING, Message
from twinlens.core.progress import Progress, part, silent
from twinlens.core.vectors import one_thread
from twinlens.storage.library.store import Transaction

_EVERYTHING = Filters()
_HALF = 0.5


@dataclass(frozen=True)
class ComparisonSettings:
    """The options of a comparison.

    Attributes
    ----------
    columns : sequence of ComparisonColumn
        One to six.
    k : int
        Number of results of each.
    """

    columns: Sequence[ComparisonColumn]
    k: int = 20
    filters: Filters = _EVERYTHING


@dataclass(frozen=True, eq=False)
class ExactRanking:
    """All photographs that may be found, in the order of (exact distance, id).

    Attributes
    ----------
    ids : Ids, (n,)
    distances : ndarray of float64, (n,)
    seconds : float
        Time that measuring took.
    """

    ids: Int64Ids
    distances: Distances
    seconds: float

    def places(self, ids: Int64Ids) -> Int64Ids:
        """Return the places of photographs, (m,) -> (m,), from 0; -1 for photographs that are not in it."""
        order = np.argsort(self.ids)
        found = np.searchsorted(self.ids, ids, sorter=order)
        found[found == len(order)] = 0
        places = order[found] if len(order) else np.zeros(len(ids), np.int64)
        there = self.ids[places] == ids if len(order) else np.zeros(len(ids), np.bool_)
        return np.where(there, places, -1)


@dataclass(frozen=True, eq=False)
class CodeDistances:
    """Codes of some photographs, compared with that of the query.

    Attributes
    ----------
    ids : Ids, (m,)
        Photographs that have a code, ascending.
    hamming : ndarray of int64, (m,)
        Differing bits from the nearest example or view.
    places : ndarray of int64, (m,)
        Places from 0 by (differing bits, id) among all that may be found; -1 for others.
    differing : ndarray of uint8, (m, bytes)
        The differing bits, packed.
    """

    ids: Int64Ids
    hamming: npt.NDArray[np.int64]
    places: npt.NDArray[np.int64]
    differing: npt.NDArray[np.uint8]
    bits: int

    def row(self, photograph_id: int) -> int:
        """Return the row of a photograph; -1 if it is not in it."""
        row = int(np.searchsorted(self.ids, photograph_id))
        return row if row < len(self.ids) and self.ids[row] == photograph_id else -1

    def differ(self, photograph_id: int) -> npt.NDArray[np.bool_] | None:
        """Return whether each bit differs, (bits,); None for a photograph without a code."""
        row = self.row(photograph_id)
        return None if row < 0 else unpack_bits(self.differing[row : row + 1], self.bits)[0]


@dataclass(frozen=True, eq=False)
class ColumnResults:
    """One column with its result.

    Attributes
    ----------
    passing : int
        Photographs that may be found.
    build_seconds : float or None
        Time to make the index; None for one of the library.
    exact : ExactRanking or None
        Ranking of everything by its own measure; None until known.
    codes : CodeDistances or None
        Codes of the photographs that any column found or missed; None until known, and where there are no codes.
    """

    column: ComparisonColumn
    title: Message
    index: LoadedIndex
    result: SearchResult
    passing: int
    build_seconds: float | None
    exact: ExactRanking | None = None
    codes: CodeDistances | None = None


@dataclass(frozen=True, eq=False)
class Comparison:
    """Results of one query in several columns.

    Attributes
    ----------
    reference : int or None
        Place of the column whose exact ranking judges all; None: each column has its own.
    paths : dict of int to str
        Of the photographs that any column found or missed.
    """

    query: SearchQuery
    k: int
    columns: tuple[ColumnResults, ...]
    filters: Filters = _EVERYTHING
    reference: int | None = None
    paths: dict[int, str] = field(default_factory=dict)

    def held_against(self, reference: int | None) -> Comparison:
        """Return the comparison judged by the exact ranking of one column, or of each column; measures nothing."""
        return replace(self, reference=reference)

    def exact_of(self, place: int) -> ExactRanking | None:
        """Return the exact ranking with which a column is compared."""
        return self.columns[place if self.reference is None else self.reference].exact

    def ids(self) -> Int64Ids:
        """Return the photographs that any column found or missed, ascending."""
        every = [np.array([result.id for result in one.result.hits], np.int64) for one in self.columns]
        every += [one.exact.ids[: self.k] for one in self.columns if one.exact is not None]
        return np.unique(np.concatenate(every))

    def differ(self, place: int, photograph_id: int) -> npt.NDArray[np.bool_] | None:
        """Return whether each bit of a photograph's code in a column differs; None if there is no code."""
        codes = self.columns[place].codes
        return None if codes is None else codes.differ(photograph_id)

    def result(self) -> CompareResult:
        """Return the comparison as a document."""
        reference = None if self.reference is None else self.columns[self.reference].index.row.name
        columns = [self._column(place) for place in range(len(self.columns))]
        return CompareResult(
            query=self.columns[0].result.query,
            k=self.k,
            reference=reference,
            filters=self.filters.values(),
            columns=columns,
        )

    def _column(self, place: int) -> ComparedColumn:
        one = self.columns[place]
        row, encoder = one.index.row, one.index.encoder
        method = catalogue.method(row.method)
        exact = self.exact_of(place)
        results = [result.id for result in one.result.hits]
        first = np.empty(0, np.int64) if exact is None else exact.ids[: self.k]
        missed = self._missed(one, first, results, exact)
        estimate_of = NOTHING if encoder is None else method.estimate_of
        if estimate_of and isinstance(encoder, UnderMetric):
            estimate_of = Message("{what} under the metric", what=estimate_of)
        return ComparedColumn(
            name=row.name,
            title=one.title,
            index=one.column.index,
            changed=row.id < 0,
            text=text_of(row),
            descriptor=one.index.descriptor.text(),
            metric=metric_text(row),
            method="" if not one.index.search.uses_codes else method.text(),
            search=one.index.search.text(),
            bits=None if encoder is None else encoder.bits,
            fitted_on=None if encoder is None else row.fitted_on,
            build_seconds=one.build_seconds,
            bytes=_bytes(one.index),
            answer=one.result,
            passing=one.passing,
            reference=self.columns[place if self.reference is None else self.reference].index.row.name,
            overlap=None if exact is None else _overlap(results, first, self.k),
            agreeing=None if exact is None else len(first) - len(missed),
            missed=missed,
            estimate_of=estimate_of,
            bits_tell=NOTHING if encoder is None else method.bits_tell,
            standings=self._standings(one, results, exact),
        )

    def _missed(
        self, one: ColumnResults, first: Int64Ids, ranked: list[int], exact: ExactRanking | None
    ) -> list[MissedPhotograph]:
        if exact is None:
            return []
        measure = one.index.measure if self.reference is None else self.columns[self.reference].index.measure
        similarities = measure.similarities(exact.distances[: self.k])
        return [
            MissedPhotograph(
                rank=place + 1,
                path=self.paths[int(first[place])],
                id=int(first[place]),
                similarity=round(float(similarities[place]), 6),
            )
            for place in np.flatnonzero(~np.isin(first, ranked)).tolist()
        ]

    def _standings(self, one: ColumnResults, ranked: list[int], exact: ExactRanking | None) -> list[ColumnStanding]:
        if exact is None or one.exact is None:
            return []
        ids, codes = self.ids(), one.codes
        method = catalogue.method(one.index.row.method)
        true, own = exact.places(ids), one.exact.places(ids)
        similar = one.index.measure.similarities(one.exact.distances)
        found = {photograph_id: rank for rank, photograph_id in enumerate(ranked, 1)}
        standings = []
        for photograph_id, place, mine in zip(ids.tolist(), true.tolist(), own.tolist(), strict=True):
            row = -1 if codes is None else codes.row(photograph_id)
            hamming = None if codes is None or row < 0 else int(codes.hamming[row])
            by_code = -1 if codes is None or row < 0 else int(codes.places[row])
            standings.append(
                ColumnStanding.model_construct(  # many, and all of them made here
                    id=photograph_id,
                    rank=found.get(photograph_id),
                    agrees=0 <= place < self.k,
                    true_rank=place + 1 if place >= 0 else None,
                    similarity=round(float(similar[mine]), 6) if mine >= 0 else None,
                    hamming=hamming,
                    estimate=None if codes is None or hamming is None else method.estimate(hamming / codes.bits),
                    code_rank=by_code + 1 if by_code >= 0 else None,
                )
            )
        return standings


def _bytes(index: LoadedIndex) -> ColumnBytes:
    """Return the bytes of an index, as bench counts them: the model, the codes, and the search structure."""
    if index.encoder is None or index.structure is None:
        vector = index.kind.dimensions * index.kind.stored().itemsize
        return ColumnBytes(model=0, codes=0, search=0, per_photograph=vector)
    code = bytes_of(index.encoder.bits)
    return ColumnBytes(
        model=sum(array.nbytes for array in index.encoder.pack().arrays.values()),
        codes=code * len(index.ids),
        search=index.structure.built.bytes,
        per_photograph=code,
    )


def _overlap(ranked: Sequence[int], first: Int64Ids, k: int) -> float:
    """Return the share of the exact first results that were found; 1 where there are none."""
    right = QueryTruth(frozenset(first.tolist()))
    return found_among(np.array(ranked, np.int64), right, k) if len(first) else 1.0


def compare_indexes(
    searcher: Searcher,
    query: QuerySource | SearchQuery,
    wanted: ComparisonSettings,
    temporaries: TemporaryIndexes | None = None,
    progress: Progress = silent,
) -> Comparison:
    """Search by several indexes, and compare each with exact search.

    Parameters
    ----------
    query : Path, int, bytes, Palette or SearchQuery
        As in :meth:`twinlens.app.search.searcher.Searcher.search_indexes`.
    wanted : ComparisonSettings
        Columns that are not indexes of the library are made first.
    temporaries : TemporaryIndexes, optional
        Cache of temporary indexes.

    Raises
    ------
    TwinlensError
        As :meth:`twinlens.app.search.searcher.Searcher.find`, if an index cannot be made, or there are too many
        columns.
    """
    kept = TemporaryIndexes() if temporaries is None else temporaries
    with searcher.moment() as moment:
        for number, column in enumerate(wanted.columns):
            step = part(progress, _HALF * number / len(wanted.columns), _HALF * (number + 1) / len(wanted.columns))
            kept.build(searcher, moment, column, step)
    return judge_columns(searcher, search_columns(searcher, query, wanted, kept), part(progress, _HALF, 1.0))


def search_columns(
    searcher: Searcher,
    query: QuerySource | SearchQuery,
    wanted: ComparisonSettings,
    temporaries: TemporaryIndexes,
    progress: Progress = silent,
) -> Comparison:
    """Search by the columns that are ready; :func:`judge_columns` finds what each has missed.

    Parameters
    ----------
    searcher, question, wanted, temporaries, progress
        As in :func:`compare_indexes`.

    Raises
    ------
    TwinlensError
        As :func:`compare_indexes`, and if no column is ready.
    """
    if not 1 <= len(wanted.columns) <= MOST:
        raise TwinlensError(
            "{columns} columns are too many or too few to compare.",
            "Choose 1 to {most}.",
            columns=len(wanted.columns),
            most=MOST,
        )
    each = SearchOptions(k=wanted.k, check=False, filters=wanted.filters)
    query = SearchQuery.of(query)
    with searcher.moment() as moment:
        known = [(column, temporaries.get(searcher, moment, column)) for column in wanted.columns]
        ready = [(column, one) for column, one in known if one is not None]
        if not ready or all(len(one.loaded.ids) == 0 for _, one in ready):
            raise TwinlensError("The library has no photos yet.", Remedy("add folder"))
        loaded = [one.loaded for _, one in ready]
        described = searcher.describe(moment, query, loaded)
        found = []
        for number, (column, one) in enumerate(ready):
            step = part(progress, number / len(ready), (number + 1) / len(ready))
            index = one.loaded
            space = searcher.space(moment, index, wanted.filters)
            if index.structure is not None:  # one-off work must not count against the first column
                searcher.unchecked(space, described, each, step)
            result = searcher.unchecked(space, described, each, step)
            seconds = one.seconds if index.row.id < 0 else None
            found.append(ColumnResults(column, title_of(moment.r, column), index, result, space.count, seconds))
    return Comparison(query, wanted.k, tuple(found), wanted.filters)


def judge_columns(searcher: Searcher, found: Comparison, progress: Progress = silent) -> Comparison:
    """Rank everything by every column's measure, and read the codes of photographs that any found or missed.

    Raises
    ------
    TwinlensError
        If the pictures of the query are gone.
    """
    with searcher.moment() as moment:
        indexes = [one.index for one in found.columns]
        described = searcher.describe(moment, found.query, indexes)
        spaces = [searcher.space(moment, index, found.filters) for index in indexes]
        criteria = [described.distance(index) for index in indexes]
        known: dict[tuple[object, ...], ExactRanking] = {}
        judged = []
        for number, (one, space, criterion) in enumerate(zip(found.columns, spaces, criteria, strict=True)):
            step = part(progress, number / len(indexes), (number + 1) / len(indexes))
            measure = one.index.measure
            same = measure if isinstance(measure, Measure) else id(measure)
            key = one.index.kind.id, same, one.index.ids.tobytes()
            exact = known.get(key) or rank_everything(moment.r, one.index, space.mask, criterion, step)
            known[key] = exact  # columns of one measure share it
            judged.append(replace(one, exact=exact, result=_with_truth(found.k, one, exact)))
        found = replace(found, columns=tuple(judged))
        ids = found.ids()
        looked = [
            replace(one, codes=code_distances(one.index, space.mask, criterion, ids))
            for one, space, criterion in zip(found.columns, spaces, criteria, strict=True)
        ]
        rows = moment.r.photographs.by_id(ids.tolist())
        named = zip(rows, searcher.library.paths(moment.r, rows), strict=True)
        found = replace(found, columns=tuple(looked), paths={row.id: shown(path) for row, path in named})
    own = found.held_against(None)
    full = [
        replace(one, result=one.result.model_copy(update={"missed": own._column(place).missed}))
        for place, one in enumerate(found.columns)
    ]
    return replace(found, columns=tuple(full))


def _with_truth(k: int, one: ColumnResults, exact: ExactRanking) -> SearchResult:
    overlap = _overlap([result.id for result in one.result.hits], exact.ids[:k], k)
    return one.result.model_copy(update={"overlap": overlap, "exact_seconds": exact.seconds})


def rank_everything(
    r: Transaction, index: LoadedIndex, mask: OptionalMask, criterion: QueryDistance, progress: Progress = silent
) -> ExactRanking:
    """Rank every photograph that may be found, as does :func:`twinlens.app.search.confirmation.rank_exactly`."""
    started = time.perf_counter()
    ids = index.ids if mask is None else index.ids[mask]
    distances = np.empty(len(ids))
    for start in range(0, len(ids), BLOCK):
        progress(start, len(ids), Message("Comparing every photo"))
        rows = slice(start, min(start + BLOCK, len(ids)))
        vectors, _ = r.descriptors.read(index.kind, ids[rows])
        distances[rows] = criterion.distances(vectors.astype(np.float32))
    np.copyto(distances, np.inf, where=np.isnan(distances))
    order = np.argsort(distances, kind="stable")  # of equals the lower id, since ids ascend
    return ExactRanking(ids[order], distances[order], time.perf_counter() - started)


def code_distances(
    index: LoadedIndex, mask: OptionalMask, criterion: QueryDistance, ids: Int64Ids
) -> CodeDistances | None:
    """Compare codes with that of the query; return None if the index has none."""
    if index.encoder is None or index.structure is None:
        return None
    bits = index.encoder.bits
    with one_thread():
        queries = planar(index.encoder.encode(np.concatenate(criterion.searched())))
    planes = index.structure.codes(np.arange(len(index.ids)))
    each = np.stack([np.bitwise_count(planes ^ query[:, None]).sum(axis=0, dtype=np.int64) for query in queries.T])
    nearest = each.min(axis=0)
    allowed = np.arange(len(index.ids)) if mask is None else np.flatnonzero(mask)
    places = np.full(len(index.ids), -1, np.int64)
    places[allowed[np.argsort(nearest[allowed], kind="stable")]] = np.arange(len(allowed))
    known = np.intersect1d(ids, index.ids)
    rows = np.searchsorted(index.ids, known)
    differing = from_planar(planes[:, rows] ^ queries[:, each[:, rows].argmin(axis=0)], bits)
    return CodeDistances(known, nearest[rows], places[rows], differing, bits)
