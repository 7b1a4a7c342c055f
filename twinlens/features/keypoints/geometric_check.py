"""The geometric check of a search's first candidates: the same picture comes first, then the same scene.

Keypoints of two pictures are matched, each with at most one of the other: a pair counts if it is clearly better than
the second best (the ratio test of Lowe, IJCV 2004), here in both directions.

Philbin, Chum, Isard, Sivic, Zisserman: Object retrieval with large vocabularies and fast spatial matching, CVPR 2007: a
single pair of keypoints, with place, size and direction, already says where all others should be, so every pair is
tried, with no chance in it. The pairs that agree refine it to an affine map and, where there are enough, to a
homography (MAGSAC++ of cv2's USAC, seeded). How sure it is: Moisan and Stival: A probabilistic criterion to detect
rigid point matches, IJCV 2004: the logarithm of how often chance alone would make so many pairs agree.

Another photograph of the same building agrees too, and by no chance. It is told from a copy where both pictures show
the same: there, nearly all pairs of a copy agree, or a good part of all its keypoints.

The query is tried as it is, mirrored, in negative and both; with each candidate the pairs of keypoints are found for
all four, and the two with the most pairs are checked.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import PlaneMap
from twinlens.features.keypoints.keypoints import Keypoints

CANDIDATES_TO_CHECK = 20
"""Number of candidates to check: nearly all photographs that are found at all are among so many."""

SECONDS = 2.0
"""After so long the rest stays as it was."""

_SURE = 12.0  # score from which nothing else is tried


@dataclass(frozen=True, eq=False)
class Agreement:
    """Geometric agreement of two pictures.

    Parameters
    ----------
    score : float
        Powers of ten by which more agrees than chance explains; 0 where nothing does.
    query, candidate : ndarray of float32, (n, 2)
        Places of the pairs that agree, in shares of each picture's longer side.
    homography : ndarray of float64, (3, 3), or None
        From the query's places to the candidate's.
    copied : bool
        Whether so much agrees of what both show as in a copy.
    """

    score: float
    query: npt.NDArray[np.float32]
    candidate: npt.NDArray[np.float32]
    homography: PlaneMap | None
    copied: bool = False

    @property
    def agrees(self) -> bool:
        """Whether they show the same thing: in a copy, or in another photograph of it."""
        return self.score >= ACCEPTED

    @property
    def accepted(self) -> bool:
        """Whether they are the same picture: one is a copy, an edit or a part of the other."""
        return self.agrees and self.copied

    def __len__(self) -> int:
        return len(self.query)


@dataclass(frozen=True, eq=False)
class CandidateAgreement:
    """Agreement of a candidate with the query.

    Attributes
    ----------
    agreement : Agreement
        Places of the query are those in the picture as it was given.
    mirrored, inverted : bool
        The variant in which the query was recognised.
    """

    agreement: Agreement
    mirrored: bool = False
    inverted: bool = False


class CandidateCheck:
    """A query against which candidates are checked.

    Parameters
    ----------
    variants : bool
        Whether it is also tried mirrored and in negative.
    """

    def __init__(self, query: Keypoints, variants: bool = True) -> None:
        mirrored = query.mirrored()
        variants_of_query = [query, mirrored, query.inverted(), mirrored.inverted()] if variants else [query]
        self._width = query.width
        self._queries = tuple(variants_of_query)
        self._roots = np.concatenate([one.roots for one in variants_of_query])

    def of(self, candidate: Keypoints) -> CandidateAgreement:
        """Check one candidate."""
        count = len(self._queries[0])
        if not count or not len(candidate):
            return CandidateAgreement(NOTHING)
        alike = self._roots @ candidate.roots.T
        pairs = [match(alike[start : start + count]) for start in range(0, len(alike), count)]
        best = CandidateAgreement(NOTHING)
        # The query as it is comes before its variants where they have as many pairs.
        for number in sorted(range(len(pairs)), key=lambda number: -len(pairs[number]))[:2]:
            found = agreement(self._queries[number], candidate, pairs[number])
            if found.score > best.agreement.score:
                best = CandidateAgreement(self._in_the_query(found, number), number in (1, 3), number in (2, 3))
            if found.score >= _SURE:
                break
        return best

    def each(self, candidates: Iterable[Keypoints], seconds: float = SECONDS) -> list[CandidateAgreement]:
        """Check candidates in their order, until all are checked or the time is over; unchecked ones are left out.

        Give a generator: it is asked for one after the other, and may raise `twinlens.core.errors.Cancelled`.
        """
        end = time.monotonic() + seconds
        checked = []
        for candidate in candidates:
            checked.append(self.of(candidate))
            if time.monotonic() > end:
                break
        return checked

    def _in_the_query(self, found: Agreement, number: int) -> Agreement:
        if number not in (1, 3):
            return found
        places: npt.NDArray[np.float32] = np.column_stack(
            (np.float32(self._width) - found.query[:, 0], found.query[:, 1])
        )
        back = np.array([[-1, 0, self._width], [0, 1, 0], [0, 0, 1]], np.float64)
        return replace(found, query=places, homography=None if found.homography is None else found.homography @ back)


def order_candidates(checked: Sequence[CandidateAgreement], count: int) -> list[int]:
    """Return the new order of candidates: the same picture first, then the same thing, the surest first, then the rest.

    Parameters
    ----------
    checked : sequence of CandidateAgreement
        Of the first candidates, in their order.
    count : int
        How many candidates there are.
    """
    agreeing = [row for row, one in enumerate(checked) if one.agreement.agrees]
    agreeing.sort(key=lambda row: (not checked[row].agreement.accepted, -checked[row].agreement.score))
    among = set(agreeing)
    return [*agreeing, *(row for row in range(count) if row not in among)]


ACCEPTED = 4.0
"""Score from which two pictures show the same thing: chance does it once in ten thousand pairs of pictures."""

_FEWEST = 5  # places that agree in a copy
_PAIRS = 0.78  # of the pairs where both pictures show the same, agree in a copy; two photographs of a tower had 0.75
_KEYPOINTS = 0.2  # of the keypoints there, agree in a copy with fewer such pairs; two photographs of a tower had 0.16
_FARTHEST = 2.0  # share of the longer side; a keypoint lies in its picture
_MOST = 160  # pairs that are looked at, the most certain
_LOOSE, _TIGHT = 0.05, 0.015  # shares of the longer side by which a pair may be off a first guess, and the final map
_TURN, _SCALE = 30.0, math.log(1.7)  # how far direction (degrees) and size of a pair may be off a first guess
_CHANCE_OF_POSE = (2 * _TURN / 360) * 0.35  # that an unrelated pair agrees in both: sizes are not spread evenly
_WILDEST = 12.0  # times larger or smaller
_FLATTEST = 4.0  # times longer in one direction than across
_ENOUGH = 8  # pairs for a homography
_SEED = 7
Points = npt.NDArray[np.float64]
NOTHING = Agreement(0.0, np.zeros((0, 2), np.float32), np.zeros((0, 2), np.float32), None)


def agreement(query: Keypoints, candidate: Keypoints, matches: Matches) -> Agreement:
    """Find the map under which the most pairs agree, with its certainty.

    Parameters
    ----------
    matches : Matches
        Between them. A query that may be mirrored is given mirrored: no map found here reflects.
    """
    if len(matches) < 3 or not (_are_of_a_picture(query) and _are_of_a_picture(candidate)):
        return NOTHING
    rows, columns = matches.query[:_MOST], matches.candidate[:_MOST]
    source, target = query.places[rows].astype(np.float64), candidate.places[columns].astype(np.float64)
    scales = np.log(candidate.sizes[columns].astype(np.float64) / query.sizes[rows])
    turns = candidate.angles[columns].astype(np.float64) - query.angles[rows]
    agreeing = _guess(source, target, scales, turns)
    score = _score(source, target, agreeing, _LOOSE, _CHANCE_OF_POSE, 1)
    refined = _affine(source, target, agreeing)
    if refined is None:
        return NOTHING
    affine, agreeing = refined
    found = np.vstack((affine, (0, 0, 1)))
    if agreeing.sum() >= _ENOUGH:
        found, agreeing = _homography(source, target, found, agreeing)
    score = max(score, _score(source, target, agreeing, _TIGHT, 1.0, 3))
    if score <= 0:
        return NOTHING
    shown, shows = _inside(query.places, found, candidate), _inside(candidate.places, np.linalg.inv(found), query)
    places = _distinct(source, target, agreeing)
    pairs = agreeing.sum() / (agreeing | (shown[rows] & shows[columns])).sum()
    keypoints = places / max(1, min(_places(query.places[shown]), _places(candidate.places[shows])))
    copied = places >= _FEWEST and (pairs >= _PAIRS or keypoints >= _KEYPOINTS)
    return Agreement(score, query.places[rows[agreeing]], candidate.places[columns[agreeing]], found, bool(copied))


def _are_of_a_picture(keypoints: Keypoints) -> bool:
    """Return whether keypoints have places in or near a picture, sizes and directions."""
    lengths = np.column_stack((keypoints.places, keypoints.sizes))
    return bool(
        (np.abs(lengths) <= _FARTHEST).all() and (keypoints.sizes > 0).all() and np.isfinite(keypoints.angles).all()
    )


def _guess(source: Points, target: Points, scales: Points, turns: Points) -> npt.NDArray[np.bool_]:
    """Return the map of the pair with which most other pairs agree; of equals the first."""
    factors, radians = np.exp(scales), np.radians(turns)
    linear = factors * np.exp(1j * radians)  # a similarity is a complex factor and a shift
    z, w = source @ (1, 1j), target @ (1, 1j)
    off = np.abs(linear[:, None] * (z[None, :] - z[:, None]) - (w[None, :] - w[:, None]))
    near = off < _LOOSE * np.minimum(1, factors)[:, None]
    near &= np.abs(scales[None, :] - scales[:, None]) < _SCALE
    near &= np.abs((turns[None, :] - turns[:, None] + 180) % 360 - 180) < _TURN
    near &= (np.abs(scales) < math.log(_WILDEST))[:, None]
    return np.asarray(near[near.sum(axis=1).argmax()])


def _affine(
    source: Points, target: Points, agreeing: npt.NDArray[np.bool_]
) -> tuple[PlaneMap, npt.NDArray[np.bool_]] | None:
    """Refine to an affine map, (2, 3), by repeated least squares over the pairs that agree."""
    ones = np.column_stack((source, np.ones(len(source))))
    best = None
    for tolerance in (_LOOSE, 0.5 * _LOOSE, _TIGHT, _TIGHT):
        if _distinct(source, target, agreeing) < 3:
            break
        solved, _, rank, _ = np.linalg.lstsq(ones[agreeing], target[agreeing], rcond=1e-4)
        if rank < 3 or not _sound(np.asarray(solved[:2].T, np.float64)):
            break
        off = np.linalg.norm(ones @ solved - target, axis=1)
        agreeing = off < tolerance * min(1.0, math.sqrt(np.linalg.det(solved[:2])))
        best = solved.T
    if best is None or _distinct(source, target, agreeing) < 3:
        return None
    return np.asarray(best), agreeing


def _sound(linear: PlaneMap) -> bool:
    """Return whether a map, (2, 2), neither reflects nor collapses nor scales wildly."""
    large, small = np.linalg.svd(linear, compute_uv=False)
    return bool(
        np.linalg.det(linear) > 0 and large < _FLATTEST * small and 1 / _WILDEST < math.sqrt(large * small) < _WILDEST
    )


def _homography(
    source: Points, target: Points, affine: PlaneMap, agreeing: npt.NDArray[np.bool_]
) -> tuple[PlaneMap, npt.NDArray[np.bool_]]:
    """Refine to a homography, (3, 3); the affine map where none is sound or it agrees with no more pairs."""
    import cv2

    moved = source @ affine[:2, :2].T + affine[:2, 2]
    scale = min(1.0, math.sqrt(np.linalg.det(affine[:2, :2])))
    near = np.linalg.norm(moved - target, axis=1) < 3 * _LOOSE * scale
    settings = cv2.UsacParams()
    settings.randomGeneratorState = _SEED
    settings.confidence = 0.999
    settings.maxIterations = 500
    settings.threshold = _TIGHT * scale
    settings.score = cv2.SCORE_METHOD_MAGSAC
    settings.sampler = cv2.SAMPLING_UNIFORM
    settings.loMethod = cv2.LOCAL_OPTIM_SIGMA
    try:
        found, _ = cv2.findHomography(source[near], target[near], settings)
    except cv2.error:  # of points on a line
        return affine, agreeing
    if found is None or not np.isfinite(found).all():
        return affine, agreeing
    w = source @ found[2, :2] + found[2, 2]
    if not (w[agreeing] > 0.2 * w[agreeing].max()).all():  # the horizon is among what agrees
        return affine, agreeing
    with np.errstate(divide="ignore", invalid="ignore"):
        off = np.linalg.norm((source @ found[:2, :2].T + found[:2, 2]) / w[:, None] - target, axis=1)
    now = (w > 0) & (off < _TIGHT * scale)
    middle = np.append(source[agreeing].mean(axis=0), 1.0)
    if now.sum() <= agreeing.sum() or not _sound(_slope(found, middle)):
        return affine, agreeing
    return np.asarray(found), now


def _slope(homography: PlaneMap, point: npt.NDArray[np.float64]) -> PlaneMap:
    """Return the derivative of a homography at a point, (2, 2)."""
    x, y, w = homography @ point
    return np.asarray((homography[:2, :2] - np.outer((x / w, y / w), homography[2, :2])) / w)


def _distinct(source: Points, target: Points, agreeing: npt.NDArray[np.bool_]) -> int:
    """Count the places that agree."""
    return min(_places(points[agreeing]) for points in (source, target))


def _places(points: npt.NDArray[np.floating]) -> int:
    """Count places; keypoints at one place, of several directions, are one."""
    return len({(int(x), int(y)) for x, y in points.astype(np.float64) / (0.5 * _TIGHT)})


def _inside(places: npt.NDArray[np.float32], homography: PlaneMap, other: Keypoints) -> npt.NDArray[np.bool_]:
    """Return which places lie within the other picture."""
    x, y, w = homography[:, :2] @ places.T.astype(np.float64) + homography[:, 2:]
    return np.asarray((w > 0) & (x >= 0) & (x <= other.width * w) & (y >= 0) & (y <= other.height * w))


def _score(
    source: Points, target: Points, agreeing: npt.NDArray[np.bool_], tolerance: float, pose: float, defining: int
) -> float:
    """Return by how many powers of ten more pairs agree than chance explains.

    A pair that has nothing to do with the others is near the place where it should be with a probability of at most
    the disc of the tolerance over the area in which the keypoints lie; that k of n are is bounded by Chernoff's
    exp(-n KL(k/n, p)). As many maps were tried as there are choices of the pairs that define one.
    """
    count, total = _distinct(source, target, agreeing) - defining, len(source) - defining
    if count <= 0:
        return 0.0
    area = 12 * float(np.sqrt(np.maximum(target.var(axis=0), 1e-4)).prod())
    chance = min(0.5, math.pi * tolerance**2 / area * pose)
    share = min(1.0, count / total)
    if share <= chance:
        return 0.0
    divergence = share * math.log(share / chance)
    if share < 1:
        divergence += (1 - share) * math.log((1 - share) / (1 - chance))
    return max(0.0, total * divergence / math.log(10) - defining * math.log10(len(source)))


RATIO = 0.9
"""Of the distances to the nearest and to the second nearest, at most."""

_BACKGROUND = 0.6  # about how alike two descriptions are that have nothing to do with each other
Similarities = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Matches:
    """Pairs of keypoints, the most certain first.

    Parameters
    ----------
    query, candidate : ndarray of int, (m,)
        Rows of the keypoints; none stands twice.
    ratios : ndarray of float32, (m,)
        Of the distances to the nearest and to the second nearest.
    """

    query: npt.NDArray[np.intp]
    candidate: npt.NDArray[np.intp]
    ratios: npt.NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.query)


def match(similarities: Similarities, ratio: float = RATIO) -> Matches:
    """Pair the rows and columns of the dot products of two tables of RootSIFT.

    Parameters
    ----------
    similarities : ndarray of float32, (n, m)
    """
    if not similarities.size:
        nothing = np.zeros(0, np.intp)
        return Matches(nothing, nothing, np.zeros(0, np.float32))
    rows = np.arange(len(similarities))
    nearest = similarities.argmax(axis=1)
    back = similarities.argmax(axis=0)
    mutual = rows[back[nearest] == rows]
    columns = nearest[mutual]
    best = similarities[mutual, columns]
    chosen = similarities[mutual]
    chosen[np.arange(len(mutual)), columns] = _BACKGROUND
    second = np.maximum(chosen.max(axis=1), _BACKGROUND)
    ratios = np.sqrt(np.maximum(1 - best, 0) / np.maximum(1 - second, 1e-6)).astype(np.float32)
    order = np.lexsort((mutual, ratios))
    order = order[ratios[order] < ratio]
    return Matches(mutual[order], columns[order], ratios[order])
