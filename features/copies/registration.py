"""Two small pictures laid over each other by a map, and how far what they show agrees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
import numpy.typing as npt

from core.arrays import Float32Matrix, PlaneMap, UInt8Pixels

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
    """How two pictures agree where they lie over each other.

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
