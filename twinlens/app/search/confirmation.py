"""The ranking of photographs by an index, and the geometric check of the first ones, which puts matches first.

A ranking finds candidates by codes and orders them by the exact measure, or measures every photograph. Of large
libraries most are left out by bounds from vectors of eight bits a number. From the ranking come the photographs whose
keypoints are worth comparing with the query's; a query and a photograph are not compared again while both are
unchanged.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from twinlens.app.indexes.fitted_models import stored_keypoints
from twinlens.app.search.query_descriptors import QueryDescriptors
from twinlens.app.search.query_distance import Distances, QueryDistance
from twinlens.app.search.search_options import SearchOptions
from twinlens.app.search.search_results import GeometricCheck
from twinlens.app.search.search_space import SearchSpace
from twinlens.core.arrays import Int64Ids
from twinlens.core.containers import RecentValues
from twinlens.core.exact_search.measure import NearestItems, nearest_by
from twinlens.core.exact_search.measure_images import imaging, measure_error, without_image
from twinlens.core.message import Message
from twinlens.core.progress import Progress, part, silent
from twinlens.core.search.search_structure import (
    CodeSearch,
    Search,
    encode_queries,
    find_any_candidates,
    needs_projections,
)
from twinlens.core.vectors import as_float32, one_thread
from twinlens.features.keypoints.geometric_check import (
    CANDIDATES_TO_CHECK,
    NOTHING,
    SECONDS,
    CandidateAgreement,
    CandidateCheck,
    order_candidates,
)
from twinlens.features.keypoints.keypoints import Keypoints, restored_keypoints
from twinlens.storage.library.store import Transaction

_log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class RankedPhotographs:
    """Photographs, (n,), in the order of (distance, id); exact if every one that may be found was measured."""

    ids: Int64Ids
    distances: Distances
    costs: SearchCosts
    exact: bool = False

    def first(self, k: int) -> RankedPhotographs:
        """Return the first k."""
        return replace(self, ids=self.ids[:k], distances=self.distances[:k])


class SearchCosts(NamedTuple):
    """Costs of a ranking: seconds of three steps, measured items, compared codes, visited buckets or list places."""

    encode: float = 0.0
    scan: float = 0.0
    rerank: float = 0.0
    looked_at: int = 0
    scanned: int = 0
    probed: int = 0

    @classmethod
    def total(cls, each: Iterable[SearchCosts]) -> SearchCosts:
        """Return the sum of costs."""
        return cls(*map(sum, zip(*each, strict=True)))


def rank_first(
    space: SearchSpace, query_distance: QueryDistance, options: SearchOptions, progress: Progress
) -> RankedPhotographs:
    """Rank as many photographs as are shown or checked; exactly if the options say so, or without codes."""
    first = max(options.k, CANDIDATES_TO_CHECK) if options.check else options.k
    if options.exact or space.index.structure is None:
        return rank_exactly(space, query_distance, first, progress)
    return rank(space, query_distance, options.k, first)


def rank(
    space: SearchSpace, query_distance: QueryDistance, k: int, first: int = 0, few: bool = False
) -> RankedPhotographs:
    """Find candidates by the codes of every liked example, and rank them by the exact measure.

    Parameters
    ----------
    k : int
        Number of results, on which the number of candidates depends.
    first : int
        Number of candidates to return, if more than k.
    few : bool
        Take no more candidates of each code than k: the code of a part is very near to that of its photograph.
    """
    index = space.index
    assert index.encoder is not None
    assert index.structure is not None
    start = time.perf_counter()
    search = _shallow(index.search) if few else index.search
    liked = query_distance.searched()
    with one_thread():
        queries = encode_queries(index.encoder, np.concatenate(liked), needs_projections(search))
    made = time.perf_counter()
    found = []
    for vectors in liked:
        found.append(
            find_any_candidates(search, index.structure, len(index.ids), queries[: len(vectors)], k, space.mask)
        )
        queries = queries[len(vectors) :]
    rows = found[0].rows if len(found) == 1 else np.unique(np.concatenate([one.rows for one in found]))
    scanned = time.perf_counter()
    ids = index.ids[rows]
    stored, present = space.r.descriptors.read(index.kind, ids)
    distances = query_distance.distances(as_float32(stored))
    ids, distances = _first(ids[present], distances[present], max(k, first))
    done = time.perf_counter()
    costs = SearchCosts(
        made - start,
        scanned - made,
        done - scanned,
        int(present.sum()),
        sum(one.scanned for one in found),
        sum(one.probed for one in found),
    )
    return RankedPhotographs(ids, distances, costs)


def _shallow(search: Search) -> Search:
    """Return a search with no more candidates than results."""
    return search.model_copy(update={"candidates": 1}) if isinstance(search, CodeSearch) else search


def _first(ids: Int64Ids, distances: Distances, k: int) -> tuple[Int64Ids, npt.NDArray[np.float64]]:
    """Return the first k by (distance, id)."""
    order = np.lexsort((ids, distances))[:k]
    return ids[order], distances[order]


def rank_exactly(
    space: SearchSpace, query_distance: QueryDistance, k: int, progress: Progress = silent
) -> RankedPhotographs:
    """Rank every photograph that may be found by the exact measure."""
    start = time.perf_counter()
    index, mask = space.index, space.mask
    found = _by_eight_bits(space, query_distance, k, progress)
    if found is not None:
        there = np.isfinite(found.distances)
        rows, distances = found.rows[there], found.distances[there]
        costs = SearchCosts(rerank=time.perf_counter() - start, looked_at=space.count)
        return RankedPhotographs(index.ids[rows], distances, costs, exact=True)
    ids = index.ids if mask is None else index.ids[mask]
    has_vector = np.ones(len(ids), bool)

    def measured(rows: slice) -> Distances:
        progress(rows.start, len(ids), Message("Comparing every photo"))
        vectors, has_vector[rows] = space.r.descriptors.read(index.kind, ids[rows], verify=False)
        distances = query_distance.distances(as_float32(vectors))
        distances[~has_vector[rows]] = np.inf
        return distances

    found = nearest_by(measured, len(ids), k)
    there = has_vector[found.rows]
    rows, distances = found.rows[there], found.distances[there]
    costs = SearchCosts(rerank=time.perf_counter() - start, looked_at=len(ids))
    return RankedPhotographs(ids[rows], distances, costs, exact=True)


LEAST = 20_000
"""Photographs that may be found; fewer are compared one by one in less than half a second."""


def _by_eight_bits(
    space: SearchSpace, query_distance: QueryDistance, k: int, progress: Progress
) -> NearestItems | None:
    """Rank exactly with vectors of eight bits, which save most measurements; None where that does not pay."""
    index, query = space.index, query_distance.single()
    if not space.library_id or query is None or space.count < LEAST:
        return None
    from twinlens.app.search.rounded_vectors import eight_bit_vectors  # here, since few searches are exact

    vectors = eight_bit_vectors(space.r, space.library_id, index, part(progress, 0, 0.5))
    image = imaging(index.measure)
    if vectors is None or image is None:
        return None
    (image_of_query,) = image(query[None])
    if without_image(index.measure, query[None], image_of_query[None])[0]:
        return None

    def measured(rows: Int64Ids) -> Distances:
        stored, present = space.r.descriptors.read(index.kind, index.ids[rows], verify=False)
        distances = query_distance.distances(as_float32(stored))
        distances[~present | np.isnan(distances)] = np.inf
        return distances

    longest = max(float(image_of_query @ image_of_query), vectors.longest**2)
    slack = measure_error(longest, len(query))
    return vectors.nearest(image_of_query, k, measured, space.mask, slack, part(progress, 0.5, 1))


def with_distances(
    space: SearchSpace, query_distance: QueryDistance, ranked: RankedPhotographs, ids: Int64Ids
) -> RankedPhotographs:
    """Return photographs, (n,), with their distances, computed for those that were not ranked."""
    order = np.argsort(ranked.ids)
    places = np.searchsorted(ranked.ids, ids, sorter=order)
    places[places == len(order)] = 0
    distances = ranked.distances[order[places]]
    new = ranked.ids[order[places]] != ids
    if new.any():
        vectors, _ = space.r.descriptors.read(space.index.kind, ids[new])
        distances[new] = query_distance.distances(as_float32(vectors))
    return replace(ranked, ids=ids, distances=distances)


FROM_PARTS = 5
"""Number of candidates that the parts of the query's pictures add."""


def photographs_to_confirm(space: SearchSpace, descriptors: QueryDescriptors, ranked: Int64Ids) -> Int64Ids:
    """Return the photographs to check: the first, (n,), and a few that resemble parts of the query."""
    first = ranked[:CANDIDATES_TO_CHECK]
    query_distance = descriptors.parts_distance(space.index)
    if query_distance is None:
        return first
    if space.index.structure is None:
        found = rank_exactly(space, query_distance, CANDIDATES_TO_CHECK + FROM_PARTS)
    else:
        found = rank(space, query_distance, CANDIDATES_TO_CHECK + FROM_PARTS, few=True)
    return np.concatenate([first, ids_without(found.ids, first)[:FROM_PARTS]])


def ids_without(ids: Int64Ids, known: Int64Ids) -> Int64Ids:
    """Return those of a few ids that are not among others; numpy's own way imports its masked arrays first."""
    taken = set(known.tolist())
    return np.array([one for one in ids.tolist() if one not in taken], np.int64)


_KEPT = 2_000  # of a few hundred bytes, where nothing agrees, to 3 KB


@dataclass(frozen=True, eq=False)
class Confirmation:
    """Agreement of a photograph with the example of the query that it matches best.

    Attributes
    ----------
    example : int
        Place of the example in the query.
    """

    example: int
    checked: CandidateAgreement

    @property
    def accepted(self) -> bool:
        """Whether both match."""
        return self.checked.agreement.accepted


@dataclass(frozen=True, eq=False)
class Confirmations:
    """Outcome of checking some photographs.

    Attributes
    ----------
    found : dict of int to Confirmation
        Of the checked photographs, by their ids.
    first : tuple of int
        Ids of the photographs that agree with the query, matches before all others and the most certain first.
    lacking : int
        Number of photographs whose keypoints the library does not keep.
    left : int
        Number of photographs that there was no time for.
    """

    found: dict[int, Confirmation]
    first: tuple[int, ...]
    lacking: int = 0
    left: int = 0


class ConfirmationCache:
    """Cache of the last comparisons of pictures with photographs; safe to use from several threads.

    Parameters
    ----------
    seconds : float
        Time after which the rest of the photographs stays unchecked.
    """

    def __init__(self, seconds: float = SECONDS) -> None:
        self.seconds = seconds
        self._kept: RecentValues[tuple[bytes, int, bytes], CandidateAgreement] = RecentValues(_KEPT)

    def prepared(self, keypoints: Keypoints) -> QueryKeypoints:
        """Return a picture, prepared for comparisons."""
        return QueryKeypoints(keypoints, self._kept)


class QueryKeypoints:
    """A picture prepared for comparisons with photographs. Made by :class:`ConfirmationCache`."""

    def __init__(self, keypoints: Keypoints, kept: RecentValues[tuple[bytes, int, bytes], CandidateAgreement]) -> None:
        self.keypoints = keypoints
        self._kept = kept
        self._digest = _digest(keypoints)
        self._check: CandidateCheck | None = None

    def of(self, photograph_id: int, packed: bytes) -> CandidateAgreement:
        """Return the comparison with a photograph of the library, given its packed keypoints."""
        key = self._digest, photograph_id, hashlib.sha256(packed).digest()
        found = self._kept.get(key)
        if found is None:
            if self._check is None:
                self._check = CandidateCheck(self.keypoints)
            found = self._check.of(restored_keypoints(packed))
            self._kept.keep(key, found)
        return found


def confirm(
    r: Transaction,
    descriptors: QueryDescriptors,
    ids: Sequence[int] | Int64Ids,
    checks: ConfirmationCache,
    progress: Progress = silent,
) -> Confirmations:
    """Compare photographs with the liked pictures of a query; the best match of each counts.

    Parameters
    ----------
    ids : sequence of int
        Photographs, the most promising first.
    checks : ConfirmationCache
        Earlier comparisons.
    """
    pictures = [(example, checks.prepared(keypoints)) for example, keypoints in descriptors.keypoints()]
    if not pictures:
        return Confirmations({}, ())
    every = [int(one) for one in ids]
    kept = stored_keypoints(r, every)
    end = time.monotonic() + checks.seconds
    found: dict[int, Confirmation] = {}
    lacking = 0
    for number, (photograph_id, packed) in enumerate(zip(every, kept, strict=True)):
        progress(number, len(every), Message("Comparing the first results in detail"))
        if packed is None:
            lacking += 1
            continue
        with one_thread():
            tried = [Confirmation(example, one.of(photograph_id, packed)) for example, one in pictures]
        found[photograph_id] = max(tried, key=lambda one: one.checked.agreement.score)
        if time.monotonic() > end:
            break
    nothing = Confirmation(pictures[0][0], CandidateAgreement(NOTHING))
    checked = [found.get(one, nothing) for one in every]
    places = order_candidates([one.checked for one in checked], len(checked))
    first = tuple(every[place] for place in places if checked[place].checked.agreement.agrees)
    return Confirmations(found, first, lacking, len(every) - lacking - len(found))


def reordered(ranked: Int64Ids, confirmed: Confirmations, liked: set[int], confirmed_only: bool) -> Int64Ids:
    """Return ranked photographs with the matches first, (n,) -> (m,).

    Parameters
    ----------
    ranked : Ids, (n,)
        The order before the check.
    confirmed : Confirmations
        Photographs that agree with the query join the ranked ones.
    liked : set of int
        The liked photographs of the query, which come before all others.
    confirmed_only : bool
        Leave out all but matches.
    """
    up = list(confirmed.first)
    if up:
        up = [*(one for one in ranked[:CANDIDATES_TO_CHECK].tolist() if one in liked), *up]
    if confirmed_only:
        up = [one for one in up if one in confirmed.found and confirmed.found[one].accepted]
    rest = [] if confirmed_only else ranked.tolist()
    return np.array(list(dict.fromkeys([*up, *rest])), np.int64)


def as_geometric_check(confirmation: Confirmation) -> GeometricCheck:
    """Return a comparison as a field of a result."""
    checked = confirmation.checked
    return GeometricCheck(
        confirmed=confirmation.accepted,
        score=round(checked.agreement.score, 3),
        inliers=len(checked.agreement),
        mirrored=checked.mirrored,
        inverted=checked.inverted,
    )


def _digest(keypoints: Keypoints) -> bytes:
    """Return a digest of keypoints."""
    h = hashlib.sha256(repr((len(keypoints), keypoints.width, keypoints.height)).encode())
    for array in (keypoints.places, keypoints.sizes, keypoints.angles, keypoints.levels):
        h.update(np.ascontiguousarray(array).tobytes())
    return h.digest()
