"""Relation of two pictures: the same picture, an edited version, similar, or strangers.

Two small pictures are laid over each other by a map and judged by how far their contents agree. The whole frames come
first; where these do not agree, the keypoints give the map. So a picture that shows the same place from a step further
on is told from a crop, and a burst from a copy that was compressed again.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import cast

import cv2
import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float32Matrix, PlaneMap, UInt8Pixels
from twinlens.features.copies import RelationKind
from twinlens.features.copies.perceptual_hash import UPRIGHT, Orientation
from twinlens.features.keypoints.geometric_check import CandidateCheck
from twinlens.features.keypoints.keypoints import Keypoints

VERSION = 4
"""Of what is decided here; raised whenever the same pictures would be told to be something else."""

_ASPECT = 0.025  # by which sides of the same picture may be rounded
_SHIFT = 0.7  # pixels of a small picture that whole frames may be apart
_STEP = 0.012  # of the longer side, likewise, by keypoints
_SAME_AGREEING, _SAME_OFF, _SAME_MOST = 0.95, 7.0, 45.0
_FRAME_AGREEING = 0.5  # of whole frames: a line written over a picture leaves so much
_PART_AGREEING = 0.55
_CERTAIN_FRAME = 0.9
_AGAIN_AGREEING = 0.15  # of a scene taken twice: people move, and parallax shifts
_TILTED, _TILTED_AGREEING = math.log(1.5), 0.35  # a stretch that a second shot hardly has: more must agree
_WITHIN = 0.97  # share of a picture that lies in the other where it is a part of it
_HAND_SCALE, _HAND_TURN, _HAND_SHIFT = 0.1, 8.0, 0.15  # what a hand does between two shots, at most


@dataclass(frozen=True)
class ComparedPicture:
    """A picture prepared for comparison.

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
    first_seen, second_seen : float
        Shares of each picture that the other shows.
    turned : float
        Degrees by which the second is turned against the first, clockwise, in (-180, 180].
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
    second_made : bool or None
        Of two of which one was made from the other, whether that is the second; None where nothing says.
    frames : tuple of int
        Of the first and of the second, where they have other numbers of frames or pages.
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
    second_made: bool | None = None
    frames: tuple[int, int] = (1, 1)

    def turned_around(self) -> Relation:
        """Return the relation of the first picture to the second."""
        return replace(
            self,
            first_seen=self.second_seen,
            second_seen=self.first_seen,
            turned=self.turned if self.mirrored or self.turned == 180 else -self.turned,
            stretched=1 / self.stretched,
            lighter=-self.lighter,
            colour=1 / max(self.colour, 1e-3),
            second_damaged=None if self.second_damaged is None else not self.second_damaged,
            second_made=None if self.second_made is None else not self.second_made,
            places=_back(*self.places) if self.places else (),
            frames=self.frames[::-1],
        )


def _back(*places: float) -> tuple[float, ...]:
    """Return the inverse of a map, its last number 1: the adjugate, of any scale; nothing without one."""
    a, b, c, d, e, f, g, h, i = places
    last = a * e - b * d
    if not last:
        return ()
    adjugate = (e * i - f * h, c * h - b * i, b * f - c * e, f * g - d * i, a * i - c * g, c * d - a * f)
    return tuple(one / last for one in (*adjugate, d * h - e * g, b * g - a * h, last))


STRANGERS = Relation(RelationKind.OTHER)
NOT_COMPARED = Relation(RelationKind.NOT_COMPARED)
UNREACHED = Relation(RelationKind.UNREACHED)


def relate(
    first: ComparedPicture, second: ComparedPicture, orientation: Orientation | None = UPRIGHT, variants: bool = True
) -> Relation:
    """Return the relation of a second picture to a first.

    Parameters
    ----------
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
    """Compare whole frames; None where they do not lie over each other well enough."""
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
    """Compare the parts that the keypoints lay over each other; None where they do not agree."""
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
    elif found.agreeing < (_AGAIN_AGREEING if abs(math.log(stretched)) < _TILTED else _TILTED_AGREEING):
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


def looks_the_same(first: UInt8Pixels, second: UInt8Pixels) -> bool:
    """Return whether one of two small pictures, each whole, is the other compressed again or in another size."""
    (high, wide), (tall, broad) = (np.array(one.shape[:2]) / max(one.shape[:2]) for one in (first, second))
    if abs(math.log(broad / tall * high / wide)) >= _ASPECT:
        return False
    found = register(first, second, np.diag((broad / wide, tall / high, 1.0)))
    return _same(found) if found is not None else np.array_equal(first, second)


def _taken_again(
    first: ComparedPicture, second: ComparedPicture, places: PlaneMap, turned: float, scale: float
) -> bool:
    """Return whether two photos look like consecutive shots: same scale, small shift."""
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
    """Return the distance of the corners of both pictures, as a share of the longer side."""
    (high, wide), (tall, broad) = first.small.shape[:2], second.small.shape[:2]
    corners = np.array(((0, wide, 0, wide), (0, 0, high, high))) / max(high, wide)
    targets = np.array(((0, broad, 0, broad), (0, 0, tall, tall))) / max(tall, broad)
    moved = places @ np.vstack((corners, np.ones(4)))
    moved = moved[:2] / moved[2]
    return float(max(np.hypot(*(targets - point[:, None])).min() for point in moved.T))


def _shift(first: UInt8Pixels, second: UInt8Pixels, places: PlaneMap) -> float:
    """Return the shift, pixels of the smaller one, between two pictures whose whole frames lie over each other."""
    if first.size < second.size:
        first, second, places = second, first, np.asarray(np.linalg.inv(places), np.float64)
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


_BLUR = 0.9  # pixels; takes away what compression and noise add
_WINDOW = 9  # pixels across
_TEXTURE = 3.0  # levels of deviation; a window with less says nothing
_LIKE = 0.75  # correlation of a window from which both show the same
_FEWEST = 150  # pixels that must lie over each other
_SMOOTH = 0.02  # share of windows with texture below which the picture is smooth
_STEPS = (np.arange(20) + 0.5) / 20
_GRID = np.stack((np.tile(_STEPS, 20), np.repeat(_STEPS, 20), np.ones(400)))  # points spread over a picture


@dataclass(frozen=True)
class Registration:
    """Agreement of two pictures where they lie over each other.

    Attributes
    ----------
    first_seen, second_seen : float
        Shares of each picture that the other shows, by the map.
    agreeing : float
        Share of the windows with texture that show the same, lighter or darker, in [0, 1].
    differing : float
        Share of the pixels, of all that lie over each other, that differ by much more than the rest.
    off : float
        Mean difference, levels, of the channel that differs most.
    off_most : float
        Difference that 1 of 200 pixels exceeds, levels.
    lighter : float
        By how many levels the second is lighter, on the average.
    colour : float
        Colourfulness of the second over that of the first; 0 for grey.
    hue_off : float
        Mean difference of the colours beside their lightness, levels.
    negative : bool
        One is the negative of the other.
    """

    first_seen: float
    second_seen: float
    agreeing: float
    differing: float
    off: float
    off_most: float
    lighter: float
    colour: float
    hue_off: float
    negative: bool


def register(first: UInt8Pixels, second: UInt8Pixels, places: PlaneMap) -> Registration | None:
    """Lay one picture over another and compare them.

    Parameters
    ----------
    first, second : ndarray of uint8, (h, w, 3)
        Small, a few hundred pixels; each of its own size.
    places : ndarray of float64, (3, 3)
        From the first to the second, in shares of each one's longer side.

    Returns
    -------
    Registration or None
        None where too little lies over each other.
    """
    pixels = _in_pixels(places, first, second)
    if pixels is None:
        return None
    back: PlaneMap = np.asarray(np.linalg.inv(pixels), np.float64)
    first_seen, second_seen = _seen(pixels, first, second), _seen(back, second, first)
    scale = _scale(pixels, first)
    if scale > 1:  # the finer one is made as coarse as the other
        compared = _laid_over(second, first, back, 1 / scale)
        found = None if compared is None else (compared[1], compared[0], compared[2])
    else:
        found = _laid_over(first, second, pixels, scale)
    if found is None:
        return None
    return _compared(*found, first_seen, second_seen)


def _in_pixels(places: PlaneMap, first: UInt8Pixels, second: UInt8Pixels) -> PlaneMap | None:
    made = np.diag((max(second.shape), max(second.shape), 1.0)) @ places @ np.diag((*[1 / max(first.shape)] * 2, 1.0))
    if not np.isfinite(made).all() or abs(np.linalg.det(made)) < 1e-9:
        return None
    return np.asarray(made)


def _scale(pixels: PlaneMap, first: UInt8Pixels) -> float:
    """Return how many times larger the first is shown in the second, about its middle."""
    height, width = first.shape[:2]
    points = np.array(((width / 2, height / 2, 1), (width / 2 + 1, height / 2, 1), (width / 2, height / 2 + 1, 1))).T
    x, y, w = pixels @ points
    x, y = x / w, y / w
    return float(np.sqrt(abs((x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]))))


def _seen(pixels: PlaneMap, first: UInt8Pixels, second: UInt8Pixels) -> float:
    """Return the share of the first picture that lies within the second."""
    height, width = first.shape[:2]
    moved = pixels @ (_GRID * ((width,), (height,), (1,)))
    with np.errstate(divide="ignore", invalid="ignore"):
        x, y = moved[0] / moved[2], moved[1] / moved[2]
    tall, wide = second.shape[:2]
    slack = 0.012 * max(second.shape)
    inside = (moved[2] > 0) & (x > -slack) & (y > -slack) & (x < wide + slack) & (y < tall + slack)
    return float(inside.mean())


def _laid_over(
    fine: UInt8Pixels, coarse: UInt8Pixels, pixels: PlaneMap, scale: float
) -> tuple[Float32Matrix, Float32Matrix, npt.NDArray[np.bool_]] | None:
    """Return the finer picture in the frame of the other, that one, and where both show something."""
    if scale < 0.02:
        return None
    if scale < 0.8:
        size = max(8, round(fine.shape[1] * scale)), max(8, round(fine.shape[0] * scale))
        small = cv2.resize(fine, size, interpolation=cv2.INTER_AREA)
        pixels = pixels @ np.diag((fine.shape[1] / size[0], fine.shape[0] / size[1], 1.0))
        fine = cast("UInt8Pixels", small)
    shift = np.array(((1, 0, 0.5), (0, 1, 0.5), (0, 0, 1)), np.float64)  # cv2 counts from the middle of a pixel
    pixels = np.linalg.inv(shift) @ pixels @ shift
    size = coarse.shape[1], coarse.shape[0]
    moved = cv2.warpPerspective(fine, pixels, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    inside = cv2.warpPerspective(np.ones(fine.shape[:2], np.uint8), pixels, size, flags=cv2.INTER_NEAREST)
    inside = cv2.erode(inside, np.ones((3, 3), np.uint8), borderValue=1)
    there = inside.astype(np.bool_)
    if there.sum() < _FEWEST:
        return None
    return _blurred(moved), _blurred(coarse), there


def _blurred(rgb: npt.ArrayLike) -> Float32Matrix:
    return cast("Float32Matrix", cv2.GaussianBlur(np.asarray(rgb, np.float32), (0, 0), _BLUR))


def _compared(
    first: Float32Matrix, second: Float32Matrix, there: npt.NDArray[np.bool_], first_seen: float, second_seen: float
) -> Registration:
    grey_a, grey_b = (cast("Float32Matrix", cv2.cvtColor(one, cv2.COLOR_RGB2GRAY)) for one in (first, second))
    a, b = np.ascontiguousarray(first[there].T), np.ascontiguousarray(second[there].T)  # (3, n), fast to sum up
    light_a, light_b = grey_a[there], grey_b[there]
    negative = _correlation(light_a, light_b) < -0.3
    correlations, textured = _windows(grey_a, grey_b, there)
    signed = -correlations if negative else correlations
    apart = np.abs(b - a)
    off = apart.max(axis=0)
    if textured[there].mean() >= _SMOOTH:
        like = signed > _LIKE
        agreeing = float(like[textured].mean())
        differing = float((textured & ~like).sum() / there.sum())
    else:
        agreeing = float((off < 12).mean())
        differing = 1 - agreeing
    chroma_a, chroma_b = a - light_a, b - light_b
    return Registration(
        first_seen,
        second_seen,
        agreeing,
        differing,
        float(apart.mean(axis=1).max()),
        float(np.quantile(off, 0.995)),
        float((light_b - light_a).mean()),
        float((np.abs(chroma_b).mean() + 0.5) / (np.abs(chroma_a).mean() + 0.5)),
        float(np.abs(chroma_b - chroma_a).mean()),
        negative,
    )


def _correlation(a: Float32Matrix, b: Float32Matrix) -> float:
    if a.std() < 1e-3 or b.std() < 1e-3:
        return 0.0
    return float(np.corrcoef(a, b)[0, 1])


def _windows(
    a: Float32Matrix, b: Float32Matrix, there: npt.NDArray[np.bool_]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
    """Return the correlation of the window about each pixel, and whether it has texture."""
    weight = _mean(there.astype(np.float32)) + np.float32(1e-6)
    a, b = np.where(there, a, 0), np.where(there, b, 0)
    mean_a, mean_b = _mean(a) / weight, _mean(b) / weight
    var_a = np.maximum(_mean(a * a) / weight - mean_a**2, 0)
    var_b = np.maximum(_mean(b * b) / weight - mean_b**2, 0)
    cov = _mean(a * b) / weight - mean_a * mean_b
    textured = there & (np.maximum(var_a, var_b) > _TEXTURE**2)
    return (cov / np.sqrt(var_a * var_b + 1.0)).astype(np.float32), textured


def _mean(values: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    return cast("npt.NDArray[np.float32]", cv2.boxFilter(values.astype(np.float32), -1, (_WINDOW, _WINDOW)))
