"""Edits: a photograph as it gets about, cropped, turned, recoloured, captioned, pasted into another picture.

With them anyone can tell which descriptor to trust for what: the copy is the query, the photograph the right result.
Every edit is a function of a photograph, another photograph (into which it is pasted) and a generator of random
numbers (where a crop lies, and noise); the same seed gives the same copy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import UInt8Pixels

VERSION = 1
"""Version of the edits; raise it when one of them makes another copy than before."""

Change = Callable[[UInt8Pixels, UInt8Pixels, np.random.Generator], UInt8Pixels]


@dataclass(frozen=True)
class Edit:
    """One way in which a copy differs from its photograph.

    Attributes
    ----------
    change : callable
        (photograph, another one, generator) -> copy; all of them uint8, (h, w, 3), of any size.
    """

    name: str
    change: Change

    def apply(self, rgb: UInt8Pixels, other: UInt8Pixels, seed: int) -> UInt8Pixels:
        """Make the copy; it shares no memory with the photograph."""
        copy = self.change(rgb, other, np.random.default_rng(seed))
        return np.array(copy, np.uint8, order="C")


# ---- light and colour ------------------------------------------------------------------------------------------------


def _rounded(values: npt.NDArray[np.floating]) -> UInt8Pixels:
    return np.asarray(np.clip(np.rint(values), 0, 255), np.uint8)


def _table(levels: npt.NDArray[np.floating]) -> Change:
    """Replace every level by another, (256,)."""
    table = _rounded(levels)
    return lambda rgb, _other, _rng: np.asarray(table[rgb], np.uint8)


_LEVELS = np.arange(256, dtype=np.float64)


def _grey(rgb: UInt8Pixels, _other: UInt8Pixels, _rng: np.random.Generator) -> UInt8Pixels:
    return np.repeat(np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY), np.uint8)[..., None], 3, axis=2)


def _hsv(turn: float, factor: float) -> Change:
    """Turn hues by degrees, and multiply saturations."""

    def change(rgb: UInt8Pixels, _other: UInt8Pixels, _rng: np.random.Generator) -> UInt8Pixels:
        hsv = cv2.cvtColor(rgb.astype(np.float32) / 255, cv2.COLOR_RGB2HSV)
        hsv[..., 0] = (hsv[..., 0] + turn) % 360
        hsv[..., 1] = np.minimum(hsv[..., 1] * factor, 1)
        return _rounded(cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB) * 255.0)

    return change


# ---- what is lost ----------------------------------------------------------------------------------------------------


def _jpeg(quality: int) -> Change:
    def change(rgb: UInt8Pixels, _other: UInt8Pixels, _rng: np.random.Generator) -> UInt8Pixels:
        _, data = cv2.imencode(".jpg", np.ascontiguousarray(rgb[..., ::-1]), [cv2.IMWRITE_JPEG_QUALITY, quality])
        return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)[..., ::-1]

    return change


def _resized(across: float, down: float) -> Change:
    def change(rgb: UInt8Pixels, _other: UInt8Pixels, _rng: np.random.Generator) -> UInt8Pixels:
        return _to_size(rgb, rgb.shape[1] * across, rgb.shape[0] * down)

    return change


def _to_size(rgb: UInt8Pixels, width: float, height: float) -> UInt8Pixels:
    size = max(1, round(width)), max(1, round(height))
    how = cv2.INTER_AREA if size[0] * size[1] < rgb.shape[0] * rgb.shape[1] else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(rgb, size, interpolation=how), np.uint8)


def _blurred(share: float) -> Change:
    """Blur with a deviation of a share of the longer side."""

    def change(rgb: UInt8Pixels, _other: UInt8Pixels, _rng: np.random.Generator) -> UInt8Pixels:
        return np.asarray(cv2.GaussianBlur(rgb, (0, 0), share * max(rgb.shape)), np.uint8)

    return change


def _noisy(deviation: float) -> Change:
    def change(rgb: UInt8Pixels, _other: UInt8Pixels, rng: np.random.Generator) -> UInt8Pixels:
        return _rounded(rgb + rng.normal(0, deviation, rgb.shape))

    return change


# ---- form ------------------------------------------------------------------------------------------------------------


def _crop(area: float) -> Change:
    """Cut a part of so much of the area, of the same shape, anywhere."""

    def change(rgb: UInt8Pixels, _other: UInt8Pixels, rng: np.random.Generator) -> UInt8Pixels:
        height, width = (max(1, round(side * area**0.5)) for side in rgb.shape[:2])
        top, left = (int(rng.integers(full - part + 1)) for full, part in zip(rgb.shape, (height, width), strict=False))
        return rgb[top : top + height, left : left + width]

    return change


def _turned(degrees: float) -> Change:
    """Turn it in a frame that is as large as it takes; the corners are black."""

    def change(rgb: UInt8Pixels, _other: UInt8Pixels, _rng: np.random.Generator) -> UInt8Pixels:
        if degrees % 90 == 0:
            return np.rot90(rgb, round(degrees / 90))
        height, width = rgb.shape[:2]
        turn = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1)
        cosine, sine = np.abs(turn[0, :2])
        wide, high = round(width * cosine + height * sine), round(width * sine + height * cosine)
        turn[:, 2] += (wide - width) / 2, (high - height) / 2
        return np.asarray(cv2.warpAffine(rgb, turn, (wide, high), flags=cv2.INTER_LINEAR), np.uint8)

    return change


def _seen_aslant(rgb: UInt8Pixels, _other: UInt8Pixels, _rng: np.random.Generator) -> UInt8Pixels:
    height, width = rgb.shape[:2]
    corners = np.array(((0, 0), (1, 0), (1, 1), (0, 1)), np.float32) * (width, height)
    seen = np.array(((0.12, 0.08), (0.95, 0), (0.88, 1), (0, 0.86)), np.float32) * (width, height)
    view = cv2.getPerspectiveTransform(corners.astype(np.float32), seen.astype(np.float32))
    return np.asarray(cv2.warpPerspective(rgb, view, (width, height), flags=cv2.INTER_LINEAR), np.uint8)


# ---- what is added ---------------------------------------------------------------------------------------------------


def _captioned(rgb: UInt8Pixels, _other: UInt8Pixels, _rng: np.random.Generator) -> UInt8Pixels:
    """Put a white bar with text below it."""
    height, width = rgb.shape[:2]
    bar = np.full((max(12, height // 6), width, 3), 255, np.uint8)
    _write(bar, "a day to remember", 0.5)
    return np.concatenate((rgb, bar))


def _written_over(rgb: UInt8Pixels, _other: UInt8Pixels, _rng: np.random.Generator) -> UInt8Pixels:
    copy = rgb.copy()
    for row in (0.25, 0.55, 0.85):
        _write(copy, "sample, not for sale", row, (255, 255, 255))
    return copy


def _write(rgb: UInt8Pixels, text: str, row: float, colour: tuple[int, int, int] = (0, 0, 0)) -> None:
    height, width = rgb.shape[:2]
    (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 1, 2)
    scale = min(0.9 * width / wide, 0.7 * height / high)
    place = round(0.05 * width), round(row * height + scale * high / 2)
    thick = max(1, round(2 * scale))
    cv2.putText(rgb, text, place, cv2.FONT_HERSHEY_SIMPLEX, scale, colour, thick, cv2.LINE_AA)


def _bordered(rgb: UInt8Pixels, _other: UInt8Pixels, _rng: np.random.Generator) -> UInt8Pixels:
    edge = max(1, round(0.08 * max(rgb.shape)))
    return np.pad(rgb, ((edge, edge), (edge, edge), (0, 0)), constant_values=255)


def _screenshot(rgb: UInt8Pixels, _other: UInt8Pixels, _rng: np.random.Generator) -> UInt8Pixels:
    """Show it in a window: a bar with a title above, a column of lines beside it, all a little smaller."""
    small = _to_size(rgb, rgb.shape[1] * 0.7, rgb.shape[0] * 0.7)
    height, width = small.shape[:2]
    bar, column = max(8, height // 10), max(12, width // 4)
    screen = np.full((height + 2 * bar, width + column, 3), 236, np.uint8)
    screen[:bar] = (60, 64, 72)
    _write(screen[:bar], "pictures - viewer", 0.5, (230, 230, 230))
    for row in range(2 * bar, height, bar):
        screen[row : row + max(1, bar // 4), column // 8 : column - column // 4] = (120, 120, 130)
    screen[bar : bar + height, column:] = small
    return screen


def _pasted(rgb: UInt8Pixels, other: UInt8Pixels, rng: np.random.Generator) -> UInt8Pixels:
    """Paste it, at half of its size, into another picture that is as large as it was."""
    copy = _to_size(other, rgb.shape[1], rgb.shape[0])
    small = _to_size(rgb, rgb.shape[1] / 2, rgb.shape[0] / 2)
    height, width = small.shape[:2]
    top, left = int(rng.integers(rgb.shape[0] - height + 1)), int(rng.integers(rgb.shape[1] - width + 1))
    copy[top : top + height, left : left + width] = small
    return copy


def _several(*edits: Change) -> Change:
    def change(rgb: UInt8Pixels, other: UInt8Pixels, rng: np.random.Generator) -> UInt8Pixels:
        for edit in edits:
            rgb = np.ascontiguousarray(edit(rgb, other, rng))
        return rgb

    return change


def _mirrored(rgb: UInt8Pixels, _other: UInt8Pixels, _rng: np.random.Generator) -> UInt8Pixels:
    return rgb[:, ::-1]


def _upside_down(rgb: UInt8Pixels, _other: UInt8Pixels, _rng: np.random.Generator) -> UInt8Pixels:
    return rgb[::-1]


_DARKER = _table(0.5 * _LEVELS)
_LIGHTER = _table(_LEVELS * 1.3 + 30)

EDITS: tuple[Edit, ...] = (
    Edit("jpeg 50", _jpeg(50)),
    Edit("jpeg 10", _jpeg(10)),
    Edit("half size", _resized(1 / 2, 1 / 2)),
    Edit("fifth size", _resized(1 / 5, 1 / 5)),
    Edit("aspect", _resized(1, 0.75)),
    Edit("crop 80 %", _crop(0.8)),
    Edit("crop 50 %", _crop(0.5)),
    Edit("crop 25 %", _crop(0.25)),
    Edit("turn 5", _turned(5)),
    Edit("turn 30", _turned(30)),
    Edit("turn 90", _turned(90)),
    Edit("turn 180", _turned(180)),
    Edit("mirror", _mirrored),
    Edit("perspective", _seen_aslant),
    Edit("grey", _grey),
    Edit("darker", _DARKER),
    Edit("lighter", _LIGHTER),
    Edit("saturated", _hsv(0, 1.8)),
    Edit("hue", _hsv(60, 1)),
    Edit("inverted", _table(255 - _LEVELS)),
    Edit("blur", _blurred(0.008)),
    Edit("noise", _noisy(20)),
    Edit("caption", _captioned),
    Edit("border", _bordered),
    Edit("pasted", _pasted),
    Edit("several", _several(_crop(0.7), _turned(3), _LIGHTER, _resized(0.6, 0.6), _jpeg(40))),
)
"""The edits whose average is stated."""

FURTHER_EDITS: tuple[Edit, ...] = (
    Edit("crop 10 %", _crop(0.1)),
    Edit("turn 45", _turned(45)),
    Edit("upside down", _upside_down),
    Edit("gamma", _table(255 * (_LEVELS / 255) ** 2.2)),
    Edit("contrast", _table(128 + 2.2 * (_LEVELS - 128))),
    Edit("blur more", _blurred(0.016)),
    Edit("written over", _written_over),
    Edit("screenshot", _screenshot),
    Edit("mirror, crop 50 %", _several(_mirrored, _crop(0.5))),
    Edit("inverted, half size", _several(_table(255 - _LEVELS), _resized(1 / 2, 1 / 2))),
)
"""Harder ones and others, each on its own."""

HARD_EDITS: tuple[Edit, ...] = (
    Edit("grey, mirrored quarter", _several(_crop(0.25), _mirrored, _grey)),
    Edit("caption, jpeg 20", _several(_captioned, _jpeg(20))),
    Edit("cropped, turned", _several(_crop(0.6), _turned(10))),
)
"""Edits on top of each other, as the demo makes them."""

BY_NAME = {edit.name: edit for edit in (*EDITS, *FURTHER_EDITS, *HARD_EDITS)}
"""All edits by their names, by which processes tell each other which they mean."""
