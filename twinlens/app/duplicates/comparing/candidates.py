"""Candidate pairs: pictures that are neighbours by an index, or whose thumbnails have similar hashes.

A picture that was compared before keeps the distance of its furthest neighbour (:class:`NeighbourReach`). A new picture
within that reach is paired with it, so the order in which photographs were added does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from twinlens.app.duplicates.comparing.compared_contents import points
from twinlens.app.duplicates.comparing.pair_confirmation import ProposedPair
from twinlens.app.duplicates.comparing.picture_space import Distances, PictureSpace, near, within_reach
from twinlens.core.arrays import BoolMask, Int64Ids, Int64Numbers, Int64Rows, UInt64Words
from twinlens.core.message import Message
from twinlens.core.progress import Progress, part
from twinlens.core.search.pairs.code_pairs import pairs_within
from twinlens.core.search.pairs.pose_votes import pose_votes
from twinlens.features.copies.perceptual_hash import ORIENTATIONS, oriented
from twinlens.storage.library.store import Transaction

NEIGHBOURS = 24
"""Nearest pictures that are tried with each; more where all of these are likely to belong to it."""

MOST_NEIGHBOURS = 16 * NEIGHBOURS
"""Nearest pictures that are tried with each, at most."""

VOTES = 5
"""Keypoints of a proposed pair that agree in rotation and scale, at least."""

MOST_LAID = 4 * NEIGHBOURS
"""Nearest pictures that each is laid over, at most."""

HASH_RADIUS = 9
"""Bits of 63 by which the hashes of one picture, mirrored or turned, differ at most."""

FEW = 500
"""New pictures whose hashes are compared with all one by one, at most: for more, to find all pairs is faster."""

_PAIRS = 8_192
_HELD, _PASSING = 20_000, 5_000  # pictures whose keypoints are in memory, 3.6 KB each: new ones, and others


@dataclass(frozen=True, eq=False)
class CandidatePairs:
    """Candidate pairs of pictures by their places, the lower place first, each pair once.

    Attributes
    ----------
    first, second : ndarray of int64, (p,)
    orientation : ndarray of int64, (p,)
        Place in `ORIENTATIONS` of how the whole of the first may be the whole of the second; -1 for none.
    votes : ndarray of int64, (p,)
        Keypoints that agree in rotation and scale.
    """

    first: Int64Rows
    second: Int64Rows
    orientation: Int64Rows
    votes: Int64Rows

    def pair(self, at: int) -> ProposedPair:
        """Return the pair at a row."""
        way = int(self.orientation[at])
        orientation = None if way < 0 else ORIENTATIONS[way]
        return ProposedPair(int(self.first[at]), int(self.second[at]), orientation, int(self.votes[at]))


@dataclass(frozen=True, eq=False)
class TurnedPairs:
    """Pairs of pictures that, by their hashes, are one picture, perhaps mirrored or turned.

    Attributes
    ----------
    pairs : ndarray of int64, (p, 2)
        The lower place first, in order.
    orientation : ndarray of int64, (p,)
        Place in `ORIENTATIONS` of how the first is the second.
    """

    pairs: Int64Rows
    orientation: Int64Rows

    def of(self, fresh: Int64Rows, known: npt.NDArray[np.bool_]) -> TurnedPairs:
        """Return the pairs of new pictures with each other and with known ones, given by place and as (n,)."""
        new = np.zeros(len(known), np.bool_)
        new[fresh] = True
        kept = new[self.pairs].any(axis=1) & (new | known)[self.pairs].all(axis=1)
        return TurnedPairs(self.pairs[kept], self.orientation[kept])


@dataclass(frozen=True, eq=False)
class CandidatePictures:
    """The pictures to compare, by their places.

    Attributes
    ----------
    ids : ndarray of int64, (n,)
        The photographs that stand for them, in any order.
    framed : TurnedPairs
        Those of them that look alike as a whole.
    fresh : ndarray of int64, (m,)
        Places of the new ones.
    old : ndarray of int64, (o,)
        Places of those that were compared before. Pictures in neither are still to come.
    """

    ids: Int64Ids
    framed: TurnedPairs
    fresh: Int64Rows
    old: Int64Rows


@dataclass(frozen=True, eq=False)
class NeighbourReach:
    """The distance of each picture to the furthest of its nearest neighbours, by place.

    Attributes
    ----------
    distance : ndarray of float64, (n,)
        NaN where it is not known.
    crowded : ndarray of bool, (n,)
        More pictures are near than are compared with it.
    """

    distance: Distances
    crowded: npt.NDArray[np.bool_]


def candidates(
    r: Transaction, space: PictureSpace, pictures: CandidatePictures, reach: NeighbourReach, progress: Progress
) -> CandidatePairs:
    """Propose pairs of pictures of which at least one is new.

    Parameters
    ----------
    reach : NeighbourReach
        Of pictures that were compared before; distances of the others are added to it.
    """
    ids, fresh = pictures.ids, pictures.fresh
    known = ~np.isnan(reach.distance)
    framed, orientation = pictures.framed.pairs, pictures.framed.orientation
    queries = new = np.union1d(fresh, pictures.old[~known[pictures.old]])
    old = np.setdiff1d(pictures.old[known[pictures.old]], queries)
    late = within_reach(space, fresh, old, reach.distance[old], MOST_NEIGHBOURS)
    pairs, votes = np.empty((0, 2), np.int64), np.empty(0, np.int64)
    more, count, share = np.concatenate([framed, late]), NEIGHBOURS, 0.0
    while len(queries):
        near = _near(space, queries, count, reach, part(progress, share, share + 0.4 * (0.9 - share)))
        more = np.unique(np.concatenate([more, near]), axis=0)
        more = more[~_among(more, pairs, len(ids))]
        share += 0.4 * (0.9 - share)
        voted = _votes(r, ids, more, new, part(progress, share, share + 0.5 * (0.9 - share)))
        share += 0.5 * (0.9 - share)
        pairs, votes = np.concatenate([pairs, more]), np.concatenate([votes, voted])
        more = more[:0]
        likely = np.bincount(pairs[votes >= VOTES].reshape(-1), minlength=len(ids))
        queries = queries[likely[queries] >= count]
        if count >= MOST_NEIGHBOURS:
            reach.crowded[queries] = True
            break
        count *= 4
    turned = np.full(len(pairs), -1, np.int64)
    alike = _among(pairs, framed, len(ids))
    turned[alike] = orientation[np.searchsorted(_keys(framed, len(ids)), _keys(pairs[alike], len(ids)))]
    kept = np.flatnonzero((votes >= VOTES) | (turned >= 0))
    kept = kept[np.lexsort((pairs[kept, 1], pairs[kept, 0]))]
    return CandidatePairs(pairs[kept, 0], pairs[kept, 1], turned[kept], votes[kept])


def _near(space: PictureSpace, queries: Int64Rows, count: int, reach: NeighbourReach, progress: Progress) -> Int64Rows:
    """Return the pairs of pictures with their nearest, (p, 2), and add the distances to the known ones."""
    found = [np.empty((0, 2), np.int64)]
    done = 0
    for some, pairs, furthest in near(space, queries, count):
        progress(done, len(queries), Message("Looking for near photos"))
        found.append(pairs)
        reach.distance[some] = furthest
        done += len(some)
    return np.unique(np.concatenate(found), axis=0)


def _among(pairs: Int64Rows, others: Int64Rows, n: int) -> npt.NDArray[np.bool_]:
    """Return which pairs of n places are among others."""
    return np.isin(_keys(pairs, n), _keys(others, n))


def _keys(pairs: Int64Rows, n: int) -> Int64Numbers:
    """Return pairs of n places as numbers, in the same order."""
    return pairs[:, 0] * n + pairs[:, 1]


def turned_pairs(hashes: Sequence[bytes | None], fresh: Int64Rows, progress: Progress) -> TurnedPairs:
    """Find pairs of pictures that look alike as a whole, mirrored or turned; at least one of each pair is new.

    A few new ones are compared with all one by one; for many it is faster to find all pairs, and to keep theirs.

    Parameters
    ----------
    hashes : sequence of bytes or None, n
    fresh : ndarray of int64, (m,)
        Places of the new ones.
    """
    places = np.array([place for place, one in enumerate(hashes) if one is not None], np.int64)
    own = np.frombuffer(b"".join(one for one in hashes if one is not None), "<u8").astype(np.uint64)
    new = np.isin(places, fresh)
    pairs_of = _pairs_of_few if np.count_nonzero(new) <= FEW else _pairs_of_all
    found = _NearestPairs(len(hashes))
    for way, orientation in enumerate(ORIENTATIONS if new.any() else ()):
        progress(way, len(ORIENTATIONS), Message("Looking for mirrored and turned photos"))
        for first, second, distances in pairs_of(oriented(own, orientation) if way else own, own, new):
            # Of a pair that is found both ways around, the one that turns the lower place is kept.
            wanted = (new[first] | new[second]) & (first < second)
            pairs = np.column_stack((places[first], places[second]))
            found.add(pairs[wanted], distances[wanted].astype(np.int64), way)
    return found.pairs()


_NearCodes = tuple[Int64Rows, Int64Rows, npt.NDArray[np.unsignedinteger[Any]]]
"""Rows of turned codes, of codes as they are, and the distances in bits."""


def _pairs_of_few(turned: UInt64Words, own: UInt64Words, new: BoolMask) -> Iterator[_NearCodes]:
    """Yield the pairs of a turned code and one as it is that are near, if one of both is new."""
    for row in np.flatnonzero(new):
        near, distances = _within(turned[row], own)
        yield np.full(len(near), row), near, distances
        near, distances = _within(own[row], turned)
        once = ~new[near]
        yield near[once], np.full(int(once.sum()), row), distances[once]


def _within(one: np.uint64, others: UInt64Words) -> tuple[Int64Rows, npt.NDArray[np.uint8]]:
    distances = np.bitwise_count(others ^ one)
    near = np.flatnonzero(distances <= HASH_RADIUS)
    return near, distances[near]


def _pairs_of_all(turned: UInt64Words, own: UInt64Words, _new: BoolMask) -> Iterator[_NearCodes]:
    """Yield all pairs of a turned code and one as it is that are near."""
    both = own if turned is own else np.concatenate([turned, own])
    for some in pairs_within(both[None], HASH_RADIUS, 64):
        if turned is own:
            yield some.first, some.second, some.distances
        else:
            kept = (some.first < len(own)) & (some.second >= len(own))
            yield some.first[kept], some.second[kept] - len(own), some.distances[kept]


class _NearestPairs:
    """Pairs of n pictures within the radius, as they come; of a crowd, each picture keeps some of its nearest."""

    def __init__(self, n: int) -> None:
        self._counts = np.zeros((n, HASH_RADIUS + 1), np.int32)  # of kept pairs, by picture and distance
        self._pairs = [np.empty((0, 2), np.int64)]
        self._distances = [np.empty(0, np.int64)]
        self._ways = [np.empty(0, np.int64)]

    def add(self, pairs: Int64Rows, distances: Int64Rows, way: int) -> None:
        """Add pairs, (p, 2), but those of which both pictures have enough that are as near."""
        nearer = np.arange(HASH_RADIUS + 1) <= distances[:, None]
        full = [(self._counts[column] * nearer).sum(axis=1) >= MOST_LAID for column in pairs.T]
        kept = ~(full[0] & full[1])
        self._pairs.append(pairs[kept])
        self._distances.append(distances[kept])
        self._ways.append(np.full(int(kept.sum()), way, np.int64))
        for column in pairs[kept].T:
            np.add.at(self._counts, (column, distances[kept]), 1)

    def pairs(self) -> TurnedPairs:
        """Return what is kept, each pair once, as it is nearest."""
        pairs, ways = np.concatenate(self._pairs), np.concatenate(self._ways)
        order = np.lexsort((ways, np.concatenate(self._distances)))
        order = order[among_nearest(pairs[order], MOST_LAID)]
        once, first_of = np.unique(pairs[order], axis=0, return_index=True)
        return TurnedPairs(once, ways[order][first_of])


def among_nearest(pairs: Int64Rows, most: int) -> npt.NDArray[np.bool_]:
    """Return which pairs, (p, 2) with the nearest first, are among the first so many of one of their pictures."""
    pictures = pairs.T.reshape(-1)
    order = np.lexsort((np.tile(np.arange(len(pairs)), 2), pictures))
    begins = np.flatnonzero(np.diff(pictures[order], prepend=-1))
    ranks = np.empty(len(order), np.int64)
    ranks[order] = np.arange(len(order)) - np.repeat(begins, np.diff(begins, append=len(order)))
    return (ranks[: len(pairs)] < most) | (ranks[len(pairs) :] < most)


def _votes(r: Transaction, ids: Int64Ids, pairs: Int64Rows, new: Int64Rows, progress: Progress) -> Int64Rows:
    """Count the keypoints of each pair that agree in rotation and scale; one of each pair is new, given by place.

    The keypoints of some new pictures stay in memory while those of all others pass, so that a large library takes no
    more of it.
    """
    made, done = np.zeros(len(pairs), np.int64), 0
    is_new, places = np.zeros(len(ids), np.bool_), np.zeros(len(ids), np.int64)
    is_new[new] = True
    held, passing = np.where(is_new[pairs[:, :1]], pairs, pairs[:, ::-1]).T
    for some in _by_turns(held, _HELD):
        kept = np.unique(held[some])
        own = points(r, ids[kept])
        for few in _by_turns(passing[some], _PASSING):
            here = some[few]
            others = np.setdiff1d(passing[here], kept)
            read = own.and_more(points(r, ids[others]))
            places[kept], places[others] = np.arange(len(kept)), len(kept) + np.arange(len(others))
            for start in range(0, len(here), _PAIRS):
                progress(done, len(pairs), Message("Comparing photos"))
                rows = here[start : start + _PAIRS]
                made[rows] = pose_votes(read, *places[pairs[rows]].T)
                done += len(rows)
    return made


def _by_turns(places: Int64Rows, most: int) -> Iterator[Int64Rows]:
    """Yield rows, each once, in turns of at most so many different places."""
    turn = np.unique(places, return_inverse=True)[1] // most
    order = np.argsort(turn, kind="stable")
    yield from np.split(order, np.flatnonzero(np.diff(turn[order])) + 1) if len(order) else ()
