"""Which pairs of pictures are worth a look: near ones by an index, and those whose thumbnails hash alike.

The index finds what was cropped, recoloured or written upon; the hashes find mirrored and turned pictures, whose
vectors lie far apart. Of what the index proposes only those pairs stay whose keypoints vote for one turn and scale
(:mod:`core.search.pairs.pose_votes`), which strangers do not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.duplicates.compared_pictures import Ids, points
from app.indexes.loaded_index import LoadedIndex
from core.exact_search.measure_images import Images
from core.message import Message
from core.progress import Progress, part
from core.search.hamming.hamming_scan import nearest
from core.search.pairs.code_pairs import pairs_within
from core.search.pairs.pose_votes import pose_votes
from features.copies.turnable_hash import ORIENTATIONS, oriented
from storage.library.transaction import Transaction

ALL_MEASURED = 10_000
"""Most pictures of which every pair is measured exactly; of more the codes of the index say which are near."""

NEIGHBOURS = 24
"""How many pictures are tried with each, the nearest."""

VOTES = 5
"""Keypoints that agree in turn and scale, at least, where an index proposes a pair."""

HASH_RADIUS = 9
"""Bits of 63 by which the hashes of one picture, mirrored or turned, differ at most."""

_ROWS = 512
_PAIRS = 8_192

Rows = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Candidates:
    """Pairs of places, the first the lower one, each once.

    Attributes
    ----------
    first, second : ndarray of int64, (p,)
    orientation : ndarray of int64, (p,)
        Place in `ORIENTATIONS` of how the whole of the first may be the whole of the second; -1 for none.
    votes : ndarray of int64, (p,)
        Keypoints that agree in turn and scale.
    """

    first: Rows
    second: Rows
    orientation: Rows
    votes: Rows


def candidates(
    r: Transaction, index: LoadedIndex, ids: Ids, hashes: list[bytes | None], fresh: Rows, progress: Progress
) -> Candidates:
    """Propose pairs of pictures of which at least one is new.

    Parameters
    ----------
    r : Transaction
    index : LoadedIndex
    ids : ndarray of int64, (n,)
        The photographs that stand for the pictures, in any order.
    hashes : list of bytes or None, n
    fresh : ndarray of int64, (m,)
        Places of the new ones.
    progress : Progress
    """
    near = _near(r, index, ids, fresh, part(progress, 0.0, 0.4))
    framed, orientation = _framed(hashes, fresh, part(progress, 0.4, 0.5))
    both = np.unique(np.concatenate([near, framed]), axis=0)
    known = {(a, b): way for (a, b), way in zip(framed.tolist(), orientation.tolist(), strict=True)}
    turned = np.array([known.get((a, b), -1) for a, b in both.tolist()], np.int64)
    votes = _votes(r, ids, both, part(progress, 0.5, 1.0))
    kept = (votes >= VOTES) | (turned >= 0)
    return Candidates(both[kept, 0], both[kept, 1], turned[kept], votes[kept])


def _near(r: Transaction, index: LoadedIndex, ids: Ids, fresh: Rows, progress: Progress) -> Rows:
    """Return the nearest pictures of each new one by the index, as pairs of places, (p, 2)."""
    if len(ids) <= ALL_MEASURED:
        vectors, present = r.descriptors.read(index.kind, ids)
        images = Images.of(index.measure, vectors.astype(np.float32))
        if images is not None:
            return _by_images(images, present & ~images.blank, fresh, progress)
    if index.structure is None:
        return np.empty((0, 2), np.int64)
    order = np.argsort(ids)
    at = np.searchsorted(index.ids, ids[order])
    there = (at < len(index.ids)) & (index.ids[np.minimum(at, len(index.ids) - 1)] == ids[order])
    places = order[there]
    planes = np.ascontiguousarray(index.structure.codes(at[there]))
    asked = np.flatnonzero(np.isin(places, fresh))
    found = []
    for start in range(0, len(asked), _ROWS):
        progress(start, len(asked), Message("Looking for near photos"))
        some = asked[start : start + _ROWS]
        rows = nearest(planes, np.ascontiguousarray(planes[:, some].T), NEIGHBOURS + 1).rows
        found.append(_pairs(places[some], places[rows]))
    return np.concatenate(found) if found else np.empty((0, 2), np.int64)


def _by_images(images: Images, telling: npt.NDArray[np.bool_], fresh: Rows, progress: Progress) -> Rows:
    """Measure new pictures with all."""
    vectors, squared = images.vectors, images.squared.astype(np.float32)
    asked = fresh[telling[fresh]]
    found = []
    for start in range(0, len(asked), _ROWS):
        progress(start, len(asked), Message("Measuring all photos with each other"))
        some = asked[start : start + _ROWS]
        far = squared - 2 * (vectors[some] @ vectors.T)
        far[:, ~telling] = np.inf
        count = min(NEIGHBOURS + 1, far.shape[1])
        found.append(_pairs(some, np.argpartition(far, count - 1, axis=1)[:, :count]))
    return np.concatenate(found) if found else np.empty((0, 2), np.int64)


def _pairs(ones: Rows, others: Rows) -> Rows:
    """Return pairs, the lower place first; none with itself."""
    left, right = np.repeat(ones, others.shape[1]), others.reshape(-1)
    pairs = np.column_stack((np.minimum(left, right), np.maximum(left, right)))
    return np.unique(pairs[left != right], axis=0)


def _framed(hashes: list[bytes | None], fresh: Rows, progress: Progress) -> tuple[Rows, Rows]:
    """Return the pairs whose hashes say that one is the other, mirrored or turned, and how."""
    places = np.array([place for place, one in enumerate(hashes) if one is not None], np.int64)
    if not len(places):
        return np.empty((0, 2), np.int64), np.empty(0, np.int64)
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
        return np.empty((0, 2), np.int64), np.empty(0, np.int64)
    every, way_of, off = np.concatenate(pairs), np.concatenate(ways), np.concatenate(apart)
    order = np.lexsort((way_of, off))
    every, first_of = np.unique(every[order], axis=0, return_index=True)
    return every, way_of[order][first_of]


def _votes(r: Transaction, ids: Ids, pairs: Rows, progress: Progress) -> Rows:
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
