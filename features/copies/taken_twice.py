"""Whether two pictures that look the same were taken twice: seen large, a copy shows what its original shows.

A burst from a tripod looks the same when it is small. Large, a leaf has moved, all is half a pixel aside or a little
lighter, or, where nothing is to be seen, there is other grain: the noise of a sensor is never the same again. Where a
messenger has compressed all that away, the blocks of a JPEG still tell (:mod:`features.copies.blocks`), also where the
sizes differ (:mod:`features.copies.made_smaller`). What cannot be decided is told as taken twice: to take a copy for a
series loses nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
import numpy.typing as npt

from features.copies.blocks import Blocks
from features.copies.relation import RelationKind
from features.pictures.picture import Pixels

SIDE = 1_600
"""Pixels of the longer side at which pictures are compared."""

_WINDOW = 16  # pixels across
_UNLIKE = 0.5  # share of what a window shows that the other does not
_SEEN = 6.0  # levels by which a window must differ for that
_FAINT = 5.0  # levels of deviation; what a window with less shows is hardly seen
_FEWEST_WINDOWS = 3  # side by side, half over each other
_ASIDE = 0.35  # pixels
_LARGE = 800  # pixels of the longer side; of smaller ones sizes were rounded by as much
_LIGHTER = 0.75  # levels
_EQUAL = 0.3  # levels by which the same pixels may differ once they were decoded
TOLD_BY_BLOCKS = frozenset({"JPEG", "PNG", "TIFF", "BMP"})
"""Formats of which blocks tell; others lose more than they can tell."""

_SMOOTH = 0.1  # share of a picture, in which the least is to be seen
_FEWEST_PIXELS = 1_000
_LIKE = 0.18  # correlation of grain from which it is the same
_LEAST = 0.7  # levels of grain; less says nothing
_SMOOTHED = 2.5  # times less grain in one of both: it was compressed away, or added
_COARSE = 10.0  # levels that no sensor leaves at this size

Levels = npt.NDArray[np.float32]


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

    grey: Pixels
    size: tuple[int, int]
    format: str
    blocks: Blocks | None = None


def told_closely(first: LargePicture, second: LargePicture, made_smaller: bool | None = None) -> RelationKind:
    """Tell what two pictures that look the same are, upright and one over the other.

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
    copied = None if first.blocks is None or second.blocks is None else first.blocks.is_copy(second.blocks)
    moved = _differs_somewhere(a, b)
    if copied:
        return RelationKind.EDITED if moved else RelationKind.SAME
    grain = _by_grain(a, b)
    if grain is RelationKind.EDITED:
        return grain
    if first.size != second.size:
        return RelationKind.SAME if made_smaller and not moved else RelationKind.SIMILAR
    if moved or grain is RelationKind.SIMILAR or _aside(a, b) > _ASIDE or _lighter(a, b) > _LIGHTER:
        return RelationKind.SIMILAR
    told = first.format == second.format or {first.format, second.format} <= TOLD_BY_BLOCKS
    if told and (copied is False or float(np.abs(b - a).mean()) > _EQUAL):
        return RelationKind.SIMILAR
    return RelationKind.SAME


def _of_one_size(first: Pixels, second: Pixels) -> tuple[Levels, Levels]:
    size = min(first.shape[1], second.shape[1]), min(first.shape[0], second.shape[0])
    made = (
        one if one.shape[::-1] == size else cv2.resize(one, size, interpolation=cv2.INTER_AREA)
        for one in (first, second)
    )
    a, b = (np.asarray(one, np.float32) for one in made)
    return a, b


def _differs_somewhere(a: Levels, b: Levels) -> bool:
    """Return whether a part of one picture is not in the other."""
    apart = b - a
    differing = _variance(apart)
    shown = np.maximum(_variance(a), _variance(b))
    hot = (differing > _UNLIKE * (shown + _FAINT**2)) & (differing > _SEEN**2)
    count, _, sizes, _ = cv2.connectedComponentsWithStats(hot.astype(np.uint8))
    return count > 1 and int(sizes[1:, cv2.CC_STAT_AREA].max()) >= _FEWEST_WINDOWS


def _variance(values: Levels) -> Levels:
    """Return the variance of the window about every eighth pixel."""
    mean = cv2.boxFilter(values, -1, (_WINDOW, _WINDOW))
    made = cv2.boxFilter(values * values, -1, (_WINDOW, _WINDOW)) - mean * mean
    half = _WINDOW // 2
    return cast("Levels", np.maximum(made[half:-half:half, half:-half:half], 0))


def _aside(a: Levels, b: Levels) -> float:
    """Return by how many pixels one picture lies aside of the other, where that is a fraction."""
    if max(a.shape) < _LARGE:
        return 0.0
    both = (a + b) / 2
    x, y = (cv2.Sobel(both, cv2.CV_32F, *way, scale=1 / 8) for way in ((1, 0), (0, 1)))
    apart = b - a
    slopes = np.array((((x * x).sum(), (x * y).sum()), ((x * y).sum(), (y * y).sum())), np.float64)
    if np.linalg.cond(slopes) > 1e6:
        return 0.0
    return math.hypot(*np.linalg.solve(slopes, ((x * apart).sum(), (y * apart).sum())))


def _lighter(a: Levels, b: Levels) -> float:
    """Return by how many levels one picture is lighter as a whole."""
    return abs(float(np.median(cv2.blur(b - a, (_WINDOW, _WINDOW))[:: _WINDOW // 2, :: _WINDOW // 2])))


def _by_grain(a: Levels, b: Levels) -> RelationKind:
    """Tell what two pictures are by the grain of where the least is to be seen; the same where it says nothing."""
    smooth = _smoothest(a, b)
    if smooth.sum() < _FEWEST_PIXELS:
        return RelationKind.SAME
    grain_a, grain_b = ((one - cv2.GaussianBlur(one, (0, 0), 1.2))[smooth] for one in (a, b))
    strong, weak = float(max(grain_a.std(), grain_b.std())), float(min(grain_a.std(), grain_b.std()))
    if strong > _SMOOTHED * weak:
        return RelationKind.EDITED if strong > _COARSE else RelationKind.SAME
    if weak < _LEAST or float(np.corrcoef(grain_a, grain_b)[0, 1]) >= _LIKE:
        return RelationKind.SAME
    return RelationKind.SIMILAR


def _smoothest(a: Levels, b: Levels) -> npt.NDArray[np.bool_]:
    """Return where the least is to be seen, and nothing is cut off."""
    both = (cv2.GaussianBlur(a, (0, 0), 1.5) + cv2.GaussianBlur(b, (0, 0), 1.5)) / 2
    light = cv2.blur(both, (_WINDOW, _WINDOW))
    shown = cv2.blur((both - cv2.GaussianBlur(both, (0, 0), 6)) ** 2, (_WINDOW, _WINDOW))
    there = (light > 15) & (light < 240)
    if not there.any():
        return there
    return np.asarray(there & (shown <= np.quantile(shown[there], _SMOOTH)))
