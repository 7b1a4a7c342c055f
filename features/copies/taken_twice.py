"""Whether two pictures that look the same were taken twice: seen large, a copy shows what its original shows.

A burst from a tripod looks the same when it is small. Large, a leaf has moved, or, where nothing is to be seen, the
noise of the sensor is another. Where compression has taken that away, the blocks of a JPEG still tell
(:mod:`features.copies.blocks`), also where the sizes differ (:mod:`features.copies.made_smaller`). What cannot be
decided is told as taken twice: to take a copy for a series loses nothing. So it is with formats that lose as much as
lies between two shots, as WebP: neither grain nor blocks of theirs tell a copy from another shot.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
import numpy.typing as npt

from core.arrays import Float32Matrix, UInt8Pixels
from features.copies.blocks import Blocks
from features.copies.made_smaller import noise_between
from features.copies.relation import RelationKind

LARGE_SIDE = 1_600
"""Pixels of the longer side at which pictures are compared."""

RAW = "RAW"
"""Format of photographs that every program develops in its own way."""

_WINDOW = 16  # pixels across
_UNLIKE = 0.5  # share of what a window shows that the other does not
_SEEN = 6.0  # levels by which a window must differ for that
_FAINT = 5.0  # levels of deviation; what a window with less shows is hardly seen
_FEWEST_WINDOWS = 3  # side by side, half over each other
_EQUAL = 0.3  # levels by which the same pixels may differ once they were decoded
_COPY_NOISE = 0.4  # levels between a copy and its original; there is twice as much between two shots
FORMATS_WITH_BLOCKS = frozenset({"JPEG", "PNG", "TIFF", "BMP"})
"""Formats of which blocks tell; others lose as much as lies between two shots."""

_SMOOTH = 0.1  # share of a picture, in which the least is to be seen
_FEWEST_PIXELS = 1_000
_MORE = 2.5  # times more grain in one of both
_COARSE_GRAIN = 10.0  # levels that no sensor leaves at this size


@dataclass(frozen=True, eq=False)
class LargePicture:
    """A picture as it is looked at closely.

    Attributes
    ----------
    grey : ndarray of uint8, (h, w)
        Its longer side at most `SIDE`.
    size : tuple of int
        Pixels across and down of the full picture.
    format : str
    blocks : Blocks or None
        None where the other is of another size, or they cannot be had.
    """

    grey: UInt8Pixels
    size: tuple[int, int]
    format: str
    blocks: Blocks | None = None


def relate_closely(first: LargePicture, second: LargePicture, made_smaller: bool | None = None) -> RelationKind:
    """Return the relation of two pictures that look the same, upright and one over the other.

    Parameters
    ----------
    first, second : LargePicture
    made_smaller : bool or None
        Of pictures of two sizes, whether the larger one made smaller gives the other
        (:mod:`features.copies.made_smaller`); None where nothing says.

    Returns
    -------
    RelationKind
        The same picture; similar ones, taken twice; or edited, where something was added.
    """
    a, b = _of_one_size(first.grey, second.grey)
    moved, one_size = _differs_somewhere(a, b), first.size == second.size
    copied = _is_copied(first, second) if one_size else made_smaller
    if (first.format == RAW) is not (second.format == RAW):
        return RelationKind.SIMILAR if moved else RelationKind.SAME  # one shot developed twice, of which nothing goes
    if copied and one_size:
        return RelationKind.EDITED if moved else RelationKind.SAME
    if _has_added_grain(a, b):
        return RelationKind.EDITED
    equal = copied is None and one_size and float(np.abs(b - a).mean()) <= _EQUAL
    return RelationKind.SAME if (copied or equal) and not moved else RelationKind.SIMILAR


def _is_copied(first: LargePicture, second: LargePicture) -> bool | None:
    """Return whether one of two pictures of a size was compressed again from the other; None where nothing says.

    Where one of them has lost nothing, the noise between both says it, however coarse the other one's table is.
    """
    if first.blocks is None or second.blocks is None or not {first.format, second.format} <= FORMATS_WITH_BLOCKS:
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


def _differs_somewhere(a: Float32Matrix, b: Float32Matrix) -> bool:
    """Return whether a part of one picture is not in the other; one no larger than a window is a single part."""
    apart = b - a
    variance = np.var if min(a.shape) <= _WINDOW else _variance
    differing = variance(apart)
    shown = np.maximum(variance(a), variance(b))
    hot = (differing > _UNLIKE * (shown + _FAINT**2)) & (differing > _SEEN**2)
    if not hot.ndim:
        return bool(hot)
    count, _, sizes, _ = cv2.connectedComponentsWithStats(hot.astype(np.uint8))
    return count > 1 and int(sizes[1:, cv2.CC_STAT_AREA].max()) >= _FEWEST_WINDOWS


def _variance(values: Float32Matrix) -> Float32Matrix:
    """Return the variance of the window about every eighth pixel."""
    mean = cv2.boxFilter(values, -1, (_WINDOW, _WINDOW))
    made = cv2.boxFilter(values * values, -1, (_WINDOW, _WINDOW)) - mean * mean
    half = _WINDOW // 2
    return cast("Float32Matrix", np.maximum(made[half:-half:half, half:-half:half], 0))


def _has_added_grain(a: Float32Matrix, b: Float32Matrix) -> bool:
    """Return whether one of two pictures has grain that no sensor leaves, where the least is to be seen."""
    smooth = _smoothest(a, b)
    if smooth.sum() < _FEWEST_PIXELS:
        return False
    grain = [float((one - cv2.GaussianBlur(one, (0, 0), 1.2))[smooth].std()) for one in (a, b)]
    return max(grain) > max(_COARSE_GRAIN, _MORE * min(grain))


def _smoothest(a: Float32Matrix, b: Float32Matrix) -> npt.NDArray[np.bool_]:
    """Return where the least is to be seen, and nothing is cut off."""
    both = (cv2.GaussianBlur(a, (0, 0), 1.5) + cv2.GaussianBlur(b, (0, 0), 1.5)) / 2
    light = cv2.blur(both, (_WINDOW, _WINDOW))
    shown = cv2.blur((both - cv2.GaussianBlur(both, (0, 0), 6)) ** 2, (_WINDOW, _WINDOW))
    there = (light > 15) & (light < 240)
    if not there.any():
        return there
    return np.asarray(there & (shown <= np.quantile(shown[there], _SMOOTH)))
