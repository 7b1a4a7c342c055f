"""Relation of two pictures: the same picture, an edited version, similar, or strangers.

The whole frames are laid over each other first, then, where these do not agree, what the keypoints say; how far what
lies over each other agrees decides (:mod:`features.copies.registration`). So a picture that shows the same place from a
step further on is told from a crop, and a burst from a copy that was compressed again.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum

import cv2
import numpy as np

from core.arrays import PlaneMap, UInt8Pixels
from features.copies.registration import Registration, register
from features.copies.turnable_hash import UPRIGHT, Orientation
from features.keypoints.candidate_check import CandidateCheck
from features.keypoints.keypoints import Keypoints

VERSION = 2
"""Of what is decided here; raised whenever the same pictures would be told to be something else."""


_ASPECT = 0.025  # by which sides of the same picture may be rounded
_SHIFT = 0.7  # pixels of a small picture that whole frames may be apart
_STEP = 0.012  # of the longer side, likewise, by keypoints
_SAME_AGREEING, _SAME_OFF, _SAME_MOST = 0.95, 7.0, 45.0
_FRAME_AGREEING = 0.5  # of whole frames: a line written over a picture leaves so much
_PART_AGREEING = 0.55
_CERTAIN_FRAME = 0.9
_WITHIN = 0.97  # share of a picture that lies in the other where it is a part of it
_HAND_SCALE, _HAND_TURN, _HAND_SHIFT = 0.1, 8.0, 0.15  # what a hand does between two shots, at most


class RelationKind(StrEnum):
    """The relation of two pictures."""

    SAME = "same"
    """The same picture, compressed again, or in another size or format."""
    EDITED = "edited"
    """One is made from the other: cropped, turned, mirrored, recoloured, written upon."""
    SIMILAR = "similar"
    """The same scene, taken twice."""
    DAMAGED = "damaged"
    """The same picture, and one of both files has rotted, or was copied badly."""
    OTHER = "other"
    NOT_COMPARED = "not compared"
    """What compares them failed on these two."""


@dataclass(frozen=True)
class ComparedPicture:
    """A picture as it is compared.

    Attributes
    ----------
    small : ndarray of uint8, (h, w, 3)
        A thumbnail.
    keypoints : Keypoints or None
        None where none are known.
    size : tuple of int
        Pixels across and down of the full picture.
    """

    small: UInt8Pixels
    keypoints: Keypoints | None
    size: tuple[int, int]


@dataclass(frozen=True)
class Relation:
    """The relation of a second picture to a first.

    Attributes
    ----------
    kind : RelationKind
    first_seen, second_seen : float
        Shares of each picture that the other shows.
    turned : float
        Degrees by which the second is turned against the first, clockwise, in (-180, 180].
    mirrored, negative : bool
    stretched : float
        How many times wider the second is for its height.
    lighter : float
        Levels by which it is lighter, on the average.
    colour : float
        Its colourfulness over that of the first; about 0 for grey.
    hue_off : float
        Levels by which its colours differ, beside their lightness.
    differing : float
        Share of what both show that differs: where something was written or put over it.
    places : tuple of float, nine
        The map from the first to the second, in shares of each one's longer side, row by row.
    second_damaged : bool or None
        Of two of which one is damaged, whether it is the second; None where nothing says which, or none is.
    damaged_from : float
        Share of the height from which on that shows.
    """

    kind: RelationKind
    first_seen: float = 0.0
    second_seen: float = 0.0
    turned: float = 0.0
    mirrored: bool = False
    negative: bool = False
    stretched: float = 1.0
    lighter: float = 0.0
    colour: float = 1.0
    hue_off: float = 0.0
    differing: float = 0.0
    places: tuple[float, ...] = ()
    second_damaged: bool | None = None
    damaged_from: float = 0.0

    def turned_around(self) -> Relation:
        """Return what the first picture is to the second."""
        back = np.linalg.inv(np.reshape(self.places, (3, 3))) if self.places else None
        return replace(
            self,
            first_seen=self.second_seen,
            second_seen=self.first_seen,
            turned=self.turned if self.mirrored or self.turned == 180 else -self.turned,
            stretched=1 / self.stretched,
            lighter=-self.lighter,
            colour=1 / max(self.colour, 1e-3),
            second_damaged=None if self.second_damaged is None else not self.second_damaged,
            places=() if back is None else tuple((back / back[2, 2]).ravel().tolist()),
        )


STRANGERS = Relation(RelationKind.OTHER)
NOT_COMPARED = Relation(RelationKind.NOT_COMPARED)


def relate(
    first: ComparedPicture, second: ComparedPicture, orientation: Orientation | None = UPRIGHT, variants: bool = True
) -> Relation:
    """Return the relation of a second picture to a first.

    Parameters
    ----------
    first, second : Look
    orientation : Orientation or None
        How the whole of the first may be the whole of the second; None to leave that out.
    variants : bool
        Whether the keypoints are also compared mirrored and in negative.
    """
    framed = None if orientation is None else _by_frame(first, second, orientation)
    if framed is not None and (framed.kind is RelationKind.SAME or framed.differing < 1 - _CERTAIN_FRAME):
        return framed
    pointed = _by_keypoints(first, second, variants)
    if pointed is not None and pointed.kind is not RelationKind.OTHER:
        return pointed
    return framed or pointed or STRANGERS


def _by_frame(first: ComparedPicture, second: ComparedPicture, orientation: Orientation) -> Relation | None:
    """Compare whole frames; None where they do not lie over each other well enough to say anything."""
    sides = first.size if orientation.quarters % 2 == 0 else first.size[::-1]
    stretched = (second.size[0] / second.size[1]) / (sides[0] / sides[1])
    if not 0.5 < stretched < 2:
        return None
    a, b = (np.array(one.small.shape[1::-1]) / max(one.small.shape) for one in (first, second))
    places = orientation.frame_map((a[0], a[1]), (b[0], b[1]))
    found = register(first.small, second.small, places)
    if found is None or found.negative != orientation.negative or found.agreeing < 0.6:
        return None
    if _shift(first.small, second.small, places) > _SHIFT:
        return None
    return _decided(first, second, places, found, orientation.mirrored, whole=True)


def _by_keypoints(first: ComparedPicture, second: ComparedPicture, variants: bool) -> Relation | None:
    """Compare what the keypoints lay over each other; None where they do not agree."""
    if first.keypoints is None or second.keypoints is None:
        return None
    checked = CandidateCheck(first.keypoints, variants).of(second.keypoints)
    places = checked.agreement.homography
    if not checked.agreement.agrees or places is None:
        return None
    found = register(first.small, second.small, places)
    if found is None:
        return None
    whole = _off_whole(first, second, places) < _STEP
    return _decided(first, second, places, found, checked.mirrored, whole)


def _decided(
    first: ComparedPicture, second: ComparedPicture, places: PlaneMap, found: Registration, mirrored: bool, whole: bool
) -> Relation:
    """Return the relation of pictures that agree so far, laid over each other so."""
    turned, scale, stretched = _pose(places, first, mirrored)
    upright = not mirrored and not found.negative and abs(turned) < 2
    kind = RelationKind.SIMILAR
    if whole and upright and abs(math.log(stretched)) < _ASPECT and _same(found):
        kind = RelationKind.SAME
    elif whole:
        kind = RelationKind.EDITED if found.agreeing >= _FRAME_AGREEING else RelationKind.SIMILAR
    elif found.agreeing >= _PART_AGREEING and max(found.first_seen, found.second_seen) >= _WITHIN:
        again = upright and _taken_again(first, second, places, turned, scale)
        kind = RelationKind.SIMILAR if again else RelationKind.EDITED
    elif found.agreeing < 0.15:
        kind = RelationKind.OTHER
    return Relation(
        kind,
        found.first_seen,
        found.second_seen,
        turned,
        mirrored,
        found.negative,
        stretched,
        found.lighter,
        found.colour,
        found.hue_off,
        found.differing,
        tuple((places / places[2, 2]).ravel().tolist()),
    )


def _same(found: Registration) -> bool:
    return (
        found.agreeing >= _SAME_AGREEING
        and found.off <= _SAME_OFF
        and found.off_most <= _SAME_MOST
        and 0.6 < found.colour < 1.7
    )


def _taken_again(
    first: ComparedPicture, second: ComparedPicture, places: PlaneMap, turned: float, scale: float
) -> bool:
    """Return whether the second is what a hand that holds still takes next: as large, and a little aside."""
    if first.size != second.size:
        return False
    middle = np.array((first.keypoints.width / 2, first.keypoints.height / 2, 1.0)) if first.keypoints else None
    if middle is None:
        return False
    moved = places @ middle
    aside = math.hypot(moved[0] / moved[2] - middle[0], moved[1] / moved[2] - middle[1])
    return abs(math.log(scale)) < _HAND_SCALE and abs(turned) < _HAND_TURN and aside < _HAND_SHIFT


def _pose(places: PlaneMap, first: ComparedPicture, mirrored: bool) -> tuple[float, float, float]:
    """Return the turn in degrees, the scale, and the stretch of a map about the middle of the first picture."""
    longer = max(first.small.shape)
    x, y = first.small.shape[1] / longer / 2, first.small.shape[0] / longer / 2
    points = places @ np.array(((x, x + 0.01, x), (y, y, y + 0.01), (1, 1, 1)))
    points = points[:2] / points[2]
    across, down = (points[:, 1] - points[:, 0]) / 0.01, (points[:, 2] - points[:, 0]) / 0.01
    if mirrored:
        across = -across
    wide, high = float(np.hypot(*across)), float(np.hypot(*down))
    turned = math.degrees(math.atan2(across[1], across[0]))
    turned = 180.0 if turned < -179.99 else turned
    quarter = 45 < abs(turned) < 135
    stretched = (high / wide) if quarter else (wide / high)
    return turned, math.sqrt(max(wide * high, 1e-9)), stretched


def _off_whole(first: ComparedPicture, second: ComparedPicture, places: PlaneMap) -> float:
    """Return how far the corners of the first lie from those of the second, in shares of the longer side."""
    (high, wide), (tall, broad) = first.small.shape[:2], second.small.shape[:2]
    corners = np.array(((0, wide, 0, wide), (0, 0, high, high))) / max(high, wide)
    targets = np.array(((0, broad, 0, broad), (0, 0, tall, tall))) / max(tall, broad)
    moved = places @ np.vstack((corners, np.ones(4)))
    moved = moved[:2] / moved[2]
    return float(max(np.hypot(*(targets - point[:, None])).min() for point in moved.T))


def _shift(first: UInt8Pixels, second: UInt8Pixels, places: PlaneMap) -> float:
    """Return by how many pixels two pictures are aside when their whole frames lie over each other."""
    size = second.shape[1], second.shape[0]
    if min(size) < 2:
        return 0.0
    scaled = np.diag((max(second.shape),) * 2 + (1.0,)) @ places @ np.diag((1 / max(first.shape),) * 2 + (1.0,))
    half = np.array(((1, 0, 0.5), (0, 1, 0.5), (0, 0, 1)))
    grey = np.asarray(cv2.cvtColor(first, cv2.COLOR_RGB2GRAY), np.float32)
    ratio = math.sqrt(second.shape[0] * second.shape[1] / (first.shape[0] * first.shape[1]))
    if ratio < 1:
        grey = np.asarray(cv2.GaussianBlur(grey, (0, 0), 0.5 / ratio), np.float32)
    moved = cv2.warpPerspective(grey, np.linalg.inv(half) @ scaled @ half, size, flags=cv2.INTER_LINEAR)
    target = cv2.cvtColor(second, cv2.COLOR_RGB2GRAY).astype(np.float32)
    (x, y), response = cv2.phaseCorrelate(moved, target, cv2.createHanningWindow(size, cv2.CV_32F))
    return math.hypot(x, y) if response > 0.1 else 0.0
