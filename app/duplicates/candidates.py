"""Candidate pairs: pictures near each other by an index, or with similar hashes of their thumbnails.

The index finds what was cropped, recoloured or written upon; the hashes find mirrored and turned pictures, whose
vectors lie far apart. Of what the index proposes only those pairs stay whose keypoints vote for one turn and scale
(:mod:`core.search.pairs.pose_votes`), which strangers do not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.duplicates.compared_pictures import points
from app.duplicates.confirming import ProposedPair
from app.duplicates.neighbours import Distances, PictureSpace, near, within_reach
from core.arrays import Int64Ids, Int64Rows
from core.message import Message
from core.progress import Progress, part
from core.search.pairs.code_pairs import pairs_within
from core.search.pairs.pose_votes import pose_votes
from features.copies.turnable_hash import ORIENTATIONS, oriented
from storage.library.transaction import Transaction

NEIGHBOURS = 24
"""How many pictures are tried with each, the nearest; more where all of these are likely to belong to it."""

MOST_NEIGHBOURS = 16 * NEIGHBOURS
"""How many are tried at most."""

VOTES = 5
"""Keypoints that agree in turn and scale, at least, where an index proposes a pair."""

HASH_RADIUS = 9
"""Bits of 63 by which the hashes of one picture, mirrored or turned, differ at most."""

_PAIRS = 8_192


@dataclass(frozen=True, eq=False)
class CandidatePairs:
    """Pairs of places, the first the lower one, each once.

    Attributes
    ----------
    first, second : ndarray of int64, (p,)
    orientation : ndarray of int64, (p,)
        Place in `ORIENTATIONS` of how the whole of the first may be the whole of the second; -1 for none.
    votes : ndarray of int64, (p,)
        Keypoints that agree in turn and scale.
    """

    first: Int64Rows
    second: Int64Rows
    orientation: Int64Rows
    votes: Int64Rows

    def pair(self, at: int) -> ProposedPair:
        """Return one of them."""
        way = int(self.orientation[at])
        orientation = None if way < 0 else ORIENTATIONS[way]
        return ProposedPair(int(self.first[at]), int(self.second[at]), orientation, int(self.votes[at]))


@dataclass(frozen=True, eq=False)
class TurnedPairs:
    """Pairs of places whose hashes say that one is the other, mirrored or turned.

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
    framed : Framed
        Those of them that look alike as a whole.
    fresh : ndarray of int64, (m,)
        Places of the new ones.
    old : ndarray of int64, (o,)
        Places of those that were compared before with all that was there; others are still to come.
    """

    ids: Int64Ids
    framed: TurnedPairs
    fresh: Int64Rows
    old: Int64Rows


@dataclass(frozen=True, eq=False)
class NeighbourReach:
    """How far the nearest of pictures lie, by their places.

    Attributes
    ----------
    distance : ndarray of float64, (n,)
        NaN where that is not known.
    crowded : ndarray of bool, (n,)
        More pictures lie near than are compared with it.
    """

    distance: Distances
    crowded: npt.NDArray[np.bool_]


def candidates(
    r: Transaction, space: PictureSpace, pictures: CandidatePictures, reach: NeighbourReach, progress: Progress
) -> CandidatePairs:
    """Propose pairs of pictures of which at least one is new.

    Parameters
    ----------
    r : Transaction
    space : Space
    pictures : Pictures
    reach : Reach
        Of those that were compared before; what is found of others is put into it.
    progress : Progress
    """
    ids, fresh = pictures.ids, pictures.fresh
    known = ~np.isnan(reach.distance)
    framed, orientation = pictures.framed.pairs, pictures.framed.orientation
    asked = np.union1d(fresh, pictures.old[~known[pictures.old]])
    old = np.setdiff1d(pictures.old[known[pictures.old]], asked)
    late = within_reach(space, fresh, old, reach.distance[old], MOST_NEIGHBOURS)
    pairs, votes = np.empty((0, 2), np.int64), np.empty(0, np.int64)
    more, count, share = np.concatenate([framed, late]), NEIGHBOURS, 0.0
    while len(asked):
        near = _near(space, asked, count, reach, part(progress, share, share + 0.4 * (0.9 - share)))
        more = np.unique(np.concatenate([more, near]), axis=0)
        more = more[~_among(more, pairs, len(ids))]
        share += 0.4 * (0.9 - share)
        voted = _votes(r, ids, more, part(progress, share, share + 0.5 * (0.9 - share)))
        share += 0.5 * (0.9 - share)
        pairs, votes = np.concatenate([pairs, more]), np.concatenate([votes, voted])
        more = more[:0]
        likely = np.bincount(pairs[votes >= VOTES].reshape(-1), minlength=len(ids))
        asked = asked[likely[asked] >= count]
        if count >= MOST_NEIGHBOURS:
            reach.crowded[asked] = True
            break
        count *= 4
    turns = {(a, b): way for (a, b), way in zip(framed.tolist(), orientation.tolist(), strict=True)}
    turned = np.array([turns.get((a, b), -1) for a, b in pairs.tolist()], np.int64)
    kept = np.flatnonzero((votes >= VOTES) | (turned >= 0))
    kept = kept[np.lexsort((pairs[kept, 1], pairs[kept, 0]))]
    return CandidatePairs(pairs[kept, 0], pairs[kept, 1], turned[kept], votes[kept])


def _near(space: PictureSpace, asked: Int64Rows, count: int, reach: NeighbourReach, progress: Progress) -> Int64Rows:
    """Return the pairs of pictures with their nearest, (p, 2), and put how far these lie into what is known."""
    found = [np.empty((0, 2), np.int64)]
    done = 0
    for some, pairs, furthest in near(space, asked, count):
        progress(done, len(asked), Message("Looking for near photos"))
        found.append(pairs)
        reach.distance[some] = furthest
        done += len(some)
    return np.unique(np.concatenate(found), axis=0)


def _among(pairs: Int64Rows, others: Int64Rows, n: int) -> npt.NDArray[np.bool_]:
    """Return which pairs of n places are among others."""
    keys, known = (one[:, 0] * n + one[:, 1] for one in (pairs, others))
    return np.isin(keys, known)


def turned_pairs(hashes: Sequence[bytes | None], fresh: Int64Rows, progress: Progress) -> TurnedPairs:
    """Find what looks alike as a whole; of one pair at least one picture is new.

    It takes as long for a few new ones as for all, since all are compared with all.

    Parameters
    ----------
    hashes : sequence of bytes or None, n
    fresh : ndarray of int64, (m,)
        Places of the new ones.
    progress : Progress
    """
    places = np.array([place for place, one in enumerate(hashes) if one is not None], np.int64)
    if not len(places):
        return TurnedPairs(np.empty((0, 2), np.int64), np.empty(0, np.int64))
    own = np.frombuffer(b"".join(one for one in hashes if one is not None), "<u8").astype(np.uint64)
    new = np.zeros(len(hashes), np.bool_)
    new[fresh] = True
    pairs, ways, apart = [], [], []
    for way, orientation in enumerate(ORIENTATIONS):
        progress(way, len(ORIENTATIONS), Message("Looking for mirrored and turned photos"))
        both = np.concatenate([oriented(own, orientation), own])[None] if way else own[None]
        for found in pairs_within(np.ascontiguousarray(both), HASH_RADIUS, 64):
            first, second = found.first, found.second
            if way:
                across = (first < len(own)) & (second >= len(own)) & (first != second - len(own))
                first, second = first[across], second[across] - len(own)
            a, b = places[first], places[second]
            # Of a pair that is told both ways around, the one that turns the lower place is kept.
            kept = (new[a] | new[b]) & (a < b)
            pairs.append(np.column_stack((a[kept], b[kept])))
            ways.append(np.full(int(kept.sum()), way, np.int64))
            distances = found.distances if not way else found.distances[across]
            apart.append(distances[kept].astype(np.int64))
    if not pairs:
        return TurnedPairs(np.empty((0, 2), np.int64), np.empty(0, np.int64))
    every, way_of, off = np.concatenate(pairs), np.concatenate(ways), np.concatenate(apart)
    order = np.lexsort((way_of, off))
    every, first_of = np.unique(every[order], axis=0, return_index=True)
    return TurnedPairs(every, way_of[order][first_of])


def _votes(r: Transaction, ids: Int64Ids, pairs: Int64Rows, progress: Progress) -> Int64Rows:
    """Count for pairs of places the keypoints that agree."""
    used = np.unique(pairs)
    progress(0, 2, Message("Reading keypoints"))
    read = points(r, ids[used])
    places = np.searchsorted(used, pairs).astype(np.int64)
    made = np.zeros(len(pairs), np.int64)
    for start in range(0, len(pairs), _PAIRS):
        progress(len(pairs) + start, 2 * len(pairs), Message("Comparing keypoints"))
        some = slice(start, start + _PAIRS)
        made[some] = pose_votes(read, places[some, 0], places[some, 1])
    return made
