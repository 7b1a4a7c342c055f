"""Whether a picture is a larger one made smaller, or another exposure of the same scene, by what is between both.

The larger picture is brought to the size of the smaller one, by each of the filters that programs use, and its blocks
(:mod:`features.copies.blocks`) are compared with those of the smaller one. Of a copy, every coefficient lies where
rounding by the table of its JPEG puts it. Of another exposure, the noise of two sensors lies between them, and some
coefficients lie elsewhere: how many tells how much noise that is, however coarse the table. Noise is tried in growing
amounts on the larger picture itself, until as many of its coefficients would lie elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image

from core.arrays import Float32Matrix
from features.copies.blocks import BLOCK_SIDE, STEPS, Blocks, light, transformed
from features.reading.reading_limits import Limits

_HIGHEST = 4  # sum of the two frequencies of a coefficient that is compared: filters differ most in higher ones
_QUIET = 0.6  # share of the blocks that are compared, those that show the least
_FEWEST = 40  # blocks
_SLACK = 0.3  # by which coefficients may lie elsewhere
_ROUNDING = 0.29  # levels of noise that rounding to whole levels makes
_CLEAR = 3.5  # steps of the table from which a coefficient tells what a filter has done to its frequency
_FEWEST_CLEAR = 200
_MOST_LIGHTER = 6.0
_FITTED = 0.01  # by so much a filter with sharpening must fit better than one without
_COARSE_STEPS = 6.0  # times as large, from which a picture is halved first, which takes less memory
_NOISE = np.array((0, 0.15, 0.25, 0.35, 0.5, 0.7, 1, 1.4, 2, 2.8, 4))
_LEAST_NOISE, _MORE_NOISE = 0.28, 0.6  # levels between a copy and its original, at most: at no size, and at its own

_AT = np.array([BLOCK_SIDE * u + v for u in range(BLOCK_SIDE) for v in range(BLOCK_SIDE) if u + v <= _HIGHEST])

Size = tuple[int, int]


def _by_pillow(filter_: Image.Resampling) -> Callable[[Float32Matrix, Size], Float32Matrix]:
    return lambda one, size: np.asarray(Image.fromarray(one, "F").resize(size, filter_), np.float32)


def _by_opencv(interpolation: int) -> Callable[[Float32Matrix, Size], Float32Matrix]:
    return lambda one, size: cast("Float32Matrix", cv2.resize(one, size, interpolation=interpolation))


FILTERS: tuple[Callable[[Float32Matrix, Size], Float32Matrix], ...] = (
    *map(
        _by_pillow,
        (Image.Resampling.LANCZOS, Image.Resampling.BICUBIC, Image.Resampling.BILINEAR, Image.Resampling.BOX),
    ),
    *map(_by_opencv, (cv2.INTER_AREA, cv2.INTER_LINEAR)),
)
"""By which programs make pictures smaller."""


def resized(data: bytes, size: Size, name: str = "", limits: Limits = Limits()) -> list[Blocks]:  # noqa: B008 (frozen)
    """Take the blocks that a file has at another size, by each of `FILTERS`; raises as reading it does.

    Parameters
    ----------
    data : bytes
    size : tuple of int
        Pixels across and down.
    name, limits
        As of :func:`features.reading.reading.read`.
    """
    grey = light(data, name, limits)[1]
    while (
        min(grey.shape[1] / size[0], grey.shape[0] / size[1]) > _COARSE_STEPS
    ):  # what rounding does to it is averaged away
        grey = np.asarray(Image.fromarray(grey).reduce(2), np.uint8)
    full = grey.astype(np.float32)
    table = np.ones((1, BLOCK_SIDE * BLOCK_SIDE), np.int16)
    return [Blocks(np.vstack([table, transformed(one(full, size))])) for one in FILTERS]


def is_made_smaller(small: Blocks, larger: Sequence[Blocks], scale: float) -> bool | None:
    """Return whether a picture is a larger one made smaller; None where too little says.

    Parameters
    ----------
    small : Blocks
        Of a JPEG, or of a format that loses nothing.
    larger : sequence of Blocks
        What :func:`resized` made of the larger one at its size.
    scale : float
        Its width over that of the larger one: what filters do differently, and the noise of a sensor, grow with it.
    """
    found = noise_between(small, larger)
    return None if found is None else found <= _LEAST_NOISE + _MORE_NOISE * min(scale, 1.0)


def noise_between(small: Blocks, larger: Sequence[Blocks]) -> float | None:
    """Return the noise, levels, that lies between a picture and the larger one made as small; None where nothing says.

    Parameters
    ----------
    small, larger
        As of :func:`is_made_smaller`.
    """
    fits = [fit for one in larger for fit in _fits(small, one)]
    if not fits:
        return None
    elsewhere, expected, step = min(fits, key=lambda fit: fit[0])
    rng = np.random.default_rng(0)
    rounding, noise = (rng.normal(0, 1, expected.shape) * scale for scale in (_ROUNDING, 1.0))
    shares = [_elsewhere(_rounded(expected + rounding + amount * noise, step), expected, step) for amount in _NOISE]
    return float(np.interp(elsewhere, np.maximum.accumulate(shares), _NOISE))


def _fits(small: Blocks, larger: Blocks) -> list[tuple[float, npt.NDArray[np.float64], npt.NDArray[np.float64]]]:
    """Return what share of coefficients lies elsewhere, where they are expected, and the steps; plain and sharpened."""
    if small.rows.shape != larger.rows.shape:
        return []
    there = small.rows[1:].any(axis=1) & larger.rows[1:].any(axis=1)
    if there.sum() < _FEWEST:
        return []
    step = small.rows[0, _AT].astype(np.float64)
    whole = np.abs(larger.rows[1:][there]).sum(axis=1, dtype=np.int64) - np.abs(larger.rows[1:][there][:, 0])
    quiet = whole <= np.quantile(whole, _QUIET)
    seen, shown = (one.rows[1:, _AT][there] / STEPS for one in (small, larger))
    made: list[tuple[float, npt.NDArray[np.float64], npt.NDArray[np.float64]]] = []
    for gain in (np.ones(len(step)), _gains(seen, shown, step)):
        expected = shown[quiet] * gain
        lighter = float(np.median(seen[quiet][:, 0] - expected[:, 0]))
        expected[:, 0] += lighter if abs(lighter) < _MOST_LIGHTER else 0
        share = _elsewhere(_rounded(seen[quiet], step), expected, step)
        made.append((share + (_FITTED if made else 0), expected, step))
    return made


def _gains(
    seen: npt.NDArray[np.float64], shown: npt.NDArray[np.float64], step: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Return how much stronger each frequency is in the smaller picture, which may have been sharpened."""
    gains = np.ones(len(step))
    for at in range(1, len(step)):
        clear = (np.abs(seen[:, at]) >= _CLEAR * step[at]) & (np.abs(shown[:, at]) > 1e-3)
        if clear.sum() > _FEWEST_CLEAR:
            gains[at] = np.clip(np.median(seen[clear, at] / shown[clear, at]), 0.7, 1.5)
    return gains


def _rounded(values: npt.NDArray[np.float64], step: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.asarray(np.rint(values / step) * step)


def _elsewhere(
    rounded: npt.NDArray[np.float64], expected: npt.NDArray[np.float64], step: npt.NDArray[np.float64]
) -> float:
    """Return what share of the coefficients that tell something is not what rounding the expected ones gives."""
    telling = (rounded != 0) | (np.abs(expected) > step / 2)
    telling[:, 0] = True
    return float((np.abs(rounded - expected) > step / 2 + _SLACK)[telling].mean())
