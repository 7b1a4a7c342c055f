"""The close comparison of two pictures that look the same when they are small: copy, second shot, or other content.

A burst from a tripod looks the same when it is small. Large, a leaf has moved, or, where nothing is to be seen, the
noise of the sensor is another. Where compression has taken that away, the blocks of a JPEG still tell
(:mod:`twinlens.features.copies.copy_traces`). Where nothing has moved and nothing tells, two pictures are only likely
to be one. So it is with formats that lose as much as lies between two shots, as WebP.

Programs that make pictures smaller round their sides and lay their pixels differently, by less than two pixels. So much
is aligned before two sizes are compared (Evangelidis and Psarakis: Parametric image alignment using enhanced
correlation coefficient maximization, PAMI 2008).

Drawings: pages, chats, codes and plots are ink on paper, and those of one letterhead or program have most of it in
common. One is made from another only where ink was added, or taken away; where some was and some other is there
instead, they are two.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float32Matrix, PlaneMap, UInt8Pixels
from twinlens.features.copies import RelationKind
from twinlens.features.copies.copy_traces import Blocks, noise_between
from twinlens.features.copies.relation import Relation

LARGE_SIDE = 1_600
"""Pixels of the longer side at which pictures are compared."""

RAW = "RAW"
"""Format of photographs that every program develops in its own way."""

_COPY_NOISE = 0.4  # levels between a copy and its original; there is twice as much between two shots
_EQUAL = 0.3  # levels by which the same pixels may differ once they were decoded


@dataclass(frozen=True, eq=False)
class LargePicture:
    """A picture prepared for a close comparison.

    Attributes
    ----------
    grey : ndarray of uint8, (h, w)
        Its longer side at most `LARGE_SIDE`.
    size : tuple of int
        Pixels across and down of the full picture.
    blocks : Blocks or None
        None where the other is of another size, or they cannot be had.
    """

    grey: UInt8Pixels
    size: tuple[int, int]
    format: str
    blocks: Blocks | None = None


OVER_EACH_OTHER = Relation(RelationKind.SAME, places=(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0))
"""Of two pictures that look the same, upright and one over the other."""


def relate_closely(
    first: LargePicture, second: LargePicture, made_smaller: bool | None = None, small: Relation = OVER_EACH_OTHER
) -> RelationKind:
    """Return the relation of two pictures whose thumbnails are related.

    Parameters
    ----------
    made_smaller : bool or None
        Of pictures of two sizes, whether the larger one made smaller gives the other
        (:mod:`twinlens.features.copies.copy_traces`); None where nothing says.
    small : Relation
        Of their thumbnails.

    Returns
    -------
    RelationKind
        Of drawings with other content, other. Of thumbnails that are not the same, as these say. Else the same picture;
        likely the same, where nothing has moved; similar ones, taken twice; or edited, where something was added.
    """
    if _are_other_drawings(first.grey, second.grey, small.places):
        return RelationKind.OTHER
    if small.kind is not RelationKind.SAME:
        return small.kind
    one_size = first.size == second.size
    a, b = _of_one_size(first.grey, second.grey)
    moved = _differs_somewhere(a, b)
    if moved and not one_size:
        b = _aligned(a, b, _MISPLACED)
        moved = _differs_somewhere(a, b)
    copied = _is_copied(first, second) if one_size else made_smaller
    if (first.format == RAW) is not (second.format == RAW):
        return RelationKind.SIMILAR if moved else RelationKind.SAME  # one shot developed twice, of which nothing goes
    if copied and one_size:
        return RelationKind.EDITED if moved else RelationKind.SAME
    if _has_added_grain(a, b):
        return RelationKind.EDITED
    if moved:
        return RelationKind.SIMILAR
    equal = not copied and one_size and float(np.abs(b - a).mean()) <= _EQUAL
    return RelationKind.SAME if copied or equal else RelationKind.LIKELY


def _is_copied(first: LargePicture, second: LargePicture) -> bool | None:
    """Return whether one of two pictures of a size was compressed again from the other; None where nothing says.

    Where one of them is no JPEG, the noise between both says it, however coarse the other one's table is.
    """
    if first.blocks is None or second.blocks is None:
        return None
    fine, coarse = sorted((first.blocks, second.blocks), key=lambda one: one.coarseness)
    if not fine.has_lost_nothing:
        return fine.is_copy(coarse)
    noise = noise_between(coarse, [fine])
    return None if noise is None else noise <= _COPY_NOISE


def _of_one_size(first: UInt8Pixels, second: UInt8Pixels) -> tuple[Float32Matrix, Float32Matrix]:
    size = min(first.shape[1], second.shape[1]), min(first.shape[0], second.shape[0])
    made = (
        one if one.shape[::-1] == size else cv2.resize(one, size, interpolation=cv2.INTER_AREA)
        for one in (first, second)
    )
    a, b = (np.asarray(one, np.float32) for one in made)
    return a, b


_ALIGNED_SIDE = 640  # pixels of the longer side at which pictures are aligned
_MISPLACED = 1.6  # pixels by which programs lay the pixels of a smaller picture differently, across or down
_MISMATCHED = 0.01  # of the longer side, by which keypoints lay drawings beside each other
_STEPS = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 1e-5)
_ALIGNING_BLUR = 5  # pixels across
_FROM_MIDDLE = np.array(((1, 0, 0.5), (0, 1, 0.5), (0, 0, 1)))  # cv2 counts from the middle of a pixel
_TO_MIDDLE = np.linalg.inv(_FROM_MIDDLE)


def _aligned(a: Float32Matrix, b: Float32Matrix, most: float) -> Float32Matrix:
    """Return the second picture laid over the first, where it is off by some pixels at most; else as it is."""
    scale = min(1.0, _ALIGNED_SIDE / max(a.shape))
    size = max(1, round(a.shape[1] * scale)), max(1, round(a.shape[0] * scale))
    small, other = (cv2.resize(one, size, interpolation=cv2.INTER_AREA) for one in (a, b))
    start, every = np.eye(2, 3, dtype=np.float32), np.ones(small.shape, np.uint8)
    try:
        _, found = cv2.findTransformECC(small, other, start, cv2.MOTION_AFFINE, _STEPS, every, _ALIGNING_BLUR)
    except cv2.error:  # they have nothing in common
        return b
    full = np.diag((a.shape[1] / size[0], a.shape[0] / size[1], 1.0))
    places = full @ _FROM_MIDDLE @ np.vstack((found, (0, 0, 1))) @ _TO_MIDDLE @ np.linalg.inv(full)
    high, wide = a.shape
    corners = np.array(((0, wide, 0, wide), (0, 0, high, high), (1, 1, 1, 1)))
    off = float(np.abs(places @ corners - corners).max())
    return _warped(b, np.linalg.inv(places), (wide, high)) if off <= most else b


def _warped(
    picture: Float32Matrix, places: PlaneMap, size: tuple[int, int], border: int = cv2.BORDER_REPLICATE
) -> Float32Matrix:
    """Return a picture moved by a map, which counts from the edges of pixels."""
    places = _TO_MIDDLE @ places @ _FROM_MIDDLE
    return np.asarray(cv2.warpPerspective(picture, places, size, flags=cv2.INTER_CUBIC, borderMode=border), np.float32)


_LEVEL, _LEVELS = 9, 3  # width of a level of a drawing, and how many of them
_DRAWN, _DRAWN_SMALL = 0.7, 0.55  # share of its pixels that have these; of a thumbnail
_THIN, _MOST_THICK = 7, 0.01  # pixels across ink between its levels; share of a drawing that is thicker
_INK = 0.2  # of the contrast of a drawing, by which it must differ to show ink
_INK_BLUR = 1.2  # pixels; takes away what programs and compression do to the edges of ink
_ENDS = (0.005, 0.995)  # shares of the pixels that are darker than ink, and than paper
_REPLACED = 12  # pixels of ink that is gone, and of ink that is there instead, at least


def is_drawing(grey: UInt8Pixels) -> bool:
    """Return whether a thumbnail may be ink on paper: most of its pixels have one of a few levels."""
    return float(_at_its_levels(grey).mean()) >= _DRAWN_SMALL


def _is_line_drawing(grey: UInt8Pixels) -> bool:
    """Return whether a picture is ink on paper: what has none of its few levels is thin, unlike a thing on white."""
    flat = _at_its_levels(grey)
    if float(flat.mean()) < _DRAWN:
        return False
    thick = cv2.erode((~flat).astype(np.uint8), np.ones((_THIN, _THIN), np.uint8))
    return float(thick.mean()) <= _MOST_THICK


def _at_its_levels(grey: UInt8Pixels) -> npt.NDArray[np.bool_]:
    """Return which pixels have one of the most frequent levels."""
    counts = np.bincount(grey.ravel(), minlength=256).astype(np.float64)
    kept = np.zeros(256, np.bool_)
    for _ in range(_LEVELS):
        at = int(np.convolve(counts, np.ones(_LEVEL), "same").argmax())
        near = slice(max(0, at - _LEVEL // 2), at + _LEVEL // 2 + 1)
        kept[near], counts[near] = True, 0
    return np.asarray(kept[grey], np.bool_)


def _are_other_drawings(first: UInt8Pixels, second: UInt8Pixels, places: tuple[float, ...]) -> bool:
    """Return whether two drawings, laid over each other so, have ink of which the other has other ink instead."""
    if not (places and _is_line_drawing(first) and _is_line_drawing(second)):
        return False
    size = second.shape[1], second.shape[0]
    laid = np.diag((*[max(size)] * 2, 1.0)) @ np.reshape(places, (3, 3)) @ np.diag((*[1 / max(first.shape)] * 2, 1.0))
    there = _warped(np.ones(first.shape, np.float32), laid, size, cv2.BORDER_CONSTANT) > 1 - 1e-3
    a = _warped(np.asarray(first, np.float32), laid, size)
    b = _aligned(a, np.asarray(second, np.float32), _MISMATCHED * max(size))
    a, b = (np.asarray(cv2.GaussianBlur(one, (0, 0), _INK_BLUR), np.float32) for one in (a, b))
    there = cv2.erode(there.astype(np.uint8), np.ones((9, 9), np.uint8), borderValue=1).astype(np.bool_)
    if not there.any():
        return False
    (dark, light), (darkest, lightest) = (np.quantile(one[there], _ENDS) for one in (a, b))
    contrast = float(lightest - darkest)
    share = (a - dark) / max(float(light - dark), 1.0)
    if float(((a - a[there].mean()) * (b - b[there].mean()))[there].mean()) < 0:  # a negative
        share = 1 - share
    expected = np.asarray(darkest + contrast * share, np.float32)
    off = ((b - expected) / max(contrast, 1.0))[there]
    return bool(min((off > _INK).sum(), (off < -_INK).sum()) >= _REPLACED)


_WINDOW = 16  # pixels across
_UNLIKE = 0.5  # share of what a window shows that the other does not
_SEEN = 6.0  # levels by which a window must differ for that
_FAINT = 5.0  # levels of deviation; what a window with less shows is hardly seen
_FEWEST_WINDOWS = 3  # side by side, half over each other
_FINEST = 1.6  # pixels
_SMOOTH = 0.1  # share of a picture, in which the least is to be seen
_FEWEST_PIXELS = 1_000
_MORE = 2.5  # times more grain in one of both
_COARSE_GRAIN = 10.0  # levels that no sensor leaves at this size


def _differs_somewhere(a: Float32Matrix, b: Float32Matrix) -> bool:
    """Return whether a part of one picture is not in the other; one no larger than a window is a single part."""
    a, b = (_without_the_finest(one) for one in (a, b))
    apart = b - a
    variance = np.var if min(a.shape) <= _WINDOW // 2 else _variance
    differing = variance(apart)
    shown = np.maximum(variance(a), variance(b))
    hot = (differing > _UNLIKE * (shown + _FAINT**2)) & (differing > _SEEN**2)
    if not hot.ndim:
        return bool(hot)
    count, _, sizes, _ = cv2.connectedComponentsWithStats(hot.astype(np.uint8))
    return count > 1 and int(sizes[1:, cv2.CC_STAT_AREA].max()) >= _FEWEST_WINDOWS


def _without_the_finest(picture: Float32Matrix) -> Float32Matrix:
    """Return every second pixel of a picture, less what compression takes away, and what programs sharpen."""
    return np.ascontiguousarray(cv2.GaussianBlur(picture, (0, 0), _FINEST)[::2, ::2], np.float32)


def _variance(values: Float32Matrix) -> Float32Matrix:
    """Return the variance of the windows of every second pixel, half over each other."""
    across, half = _WINDOW // 2, _WINDOW // 4
    mean = cv2.boxFilter(values, -1, (across, across))
    made = cv2.boxFilter(values * values, -1, (across, across)) - mean * mean
    return cast("Float32Matrix", np.maximum(made[half:-half:half, half:-half:half], 0))


def _has_added_grain(a: Float32Matrix, b: Float32Matrix) -> bool:
    """Return whether one of two pictures has grain that no sensor leaves, where there is least texture."""
    smooth = _smoothest(a, b)
    if smooth.sum() < _FEWEST_PIXELS:
        return False
    grain = [float((one - cv2.GaussianBlur(one, (0, 0), 1.2))[smooth].std()) for one in (a, b)]
    return max(grain) > max(_COARSE_GRAIN, _MORE * min(grain))


def _smoothest(a: Float32Matrix, b: Float32Matrix) -> npt.NDArray[np.bool_]:
    """Return the places with the least texture, where nothing is cut off."""
    both = (cv2.GaussianBlur(a, (0, 0), 1.5) + cv2.GaussianBlur(b, (0, 0), 1.5)) / 2
    light = cv2.blur(both, (_WINDOW, _WINDOW))
    shown = cv2.blur((both - cv2.GaussianBlur(both, (0, 0), 6)) ** 2, (_WINDOW, _WINDOW))
    there = (light > 15) & (light < 240)
    if not there.any():
        return there
    return np.asarray(there & (shown <= np.quantile(shown[there], _SMOOTH)))
