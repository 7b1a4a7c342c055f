"""Damage: which of two files that were one has rotted on a disk or was copied badly, and from where on it shows.

Nobody edits a compressed file in a few bytes, and no edit leaves the upper part of a picture as it was, down to the
middle of a row of blocks, and changes all that follows. A decoder goes on behind a damaged place: from there on blocks
are shifted, tinted or grey. Which of both is damaged shows where the changed blocks begin: a whole picture goes on
there as it does elsewhere, a damaged one jumps.
"""

from __future__ import annotations

import io
import math
from dataclasses import dataclass

import numpy as np
from PIL.JpegImagePlugin import JpegImageFile
from PIL.TiffImagePlugin import TiffImageFile

from core.arrays import BoolMask, Float64Matrix, UInt8Pixels
from features.copies.copy_traces import coded_pixels
from features.formats import jpeg
from features.formats.formats import BMP, JPEG, PNM, TIFF, recognise
from features.reading.reading import read
from features.reading.reading_limits import Limits, decoding

_BLOCK = 8  # pixels
_ROTTEN = 0.5  # share of the bytes that differ at most: of two compressions nearly all do
_PIECEMEAL = frozenset({BMP, PNM, TIFF})
"""Formats in which an edit may change a few bytes only: those of its pixels, or of its strip of the picture."""
_CHAINED = frozenset({"tiff_lzw", "tiff_deflate", "tiff_adobe_deflate"})
"""Compressions of TIFF in which each pixel of a strip depends on all before."""
_RUN = 0.5  # share of the pixels from the first that differs to the last that do: an edit leaves some between its rows

_TAIL = 16  # bytes behind the place where a file is cut short
_CHANGED = 0.3  # share of a block's pixels
_NOISE = 6.0  # levels by which a block that was compressed again differs, at most
_UNTOUCHED = 5.0  # levels by which the blocks before the place in its row differ, on the average, at most
_LEAST_ROWS = 3  # of blocks behind the place: a corner may be whatever a person put there
_EDGE = 0.1  # share of a row that the edge of a bar may leave as it was
_PREFIX, _SUFFIX = 0.98, 0.8  # shares of the blocks before and behind the place: that agree, and that differ
_SURE = 2.2  # deviations of chance by which a damaged one jumps more
_ALIKE, _UNLIKE = 1.5, 2.5  # levels by which rows of small pictures differ, on the average
_ROWS = 0.7  # share of the rows behind the place that do


@dataclass(frozen=True)
class Damage:
    """One of two pictures is damaged.

    Attributes
    ----------
    second : bool or None
        Whether it is the second one; None where nothing says which.
    start : float
        Share of the height from which on it shows, in [0, 1].
    """

    second: bool | None
    start: float


def damage(first: bytes, second: bytes, name: str = "", limits: Limits = Limits()) -> Damage | None:  # noqa: B008
    """Return which of two files is damaged; None where neither is, or there is no evidence.

    Parameters
    ----------
    first, second : bytes
    name : str
        As :func:`features.reading.reading.read` wants it.

    Raises
    ------
    UnreadableError
        If one cannot be read.
    """
    one, other = _pixels(first, name, limits), _pixels(second, name, limits)
    down, across = one.shape[0] // _BLOCK, one.shape[1] // _BLOCK
    if one.shape != other.shape or not down or not across:
        return None
    apart = (np.maximum(one, other) - np.minimum(one, other)).max(axis=2)[: down * _BLOCK, : across * _BLOCK]
    blocks = apart.reshape(down, _BLOCK, across, _BLOCK)
    rotten, shorter = _bytes_tell(first, second, name, apart > 0)
    if not rotten:
        changed = _from_a_place_on(blocks.mean(axis=(1, 3)))
    else:
        changed = (blocks > 0).mean(axis=(1, 3)) >= _CHANGED
        changed = changed if changed.any() else blocks.any(axis=(1, 3))
    if changed is None or not changed.any():
        return None
    start = float(changed.any(axis=1).argmax() / down)
    which = _is_overwritten(first, second) if rotten and shorter is None else shorter
    return Damage(_jumps_more(one, other, changed) if which is None else which, start)


def may_differ_from_a_row_on(first: UInt8Pixels, second: UInt8Pixels) -> bool:
    """Return whether two small pictures of one size may agree down to a row, and differ from there on.

    That is quickly told of any pair, and worth :func:`damage`.
    """
    if first.shape != second.shape:
        return False
    rows = (np.maximum(first, second) - np.minimum(first, second)).reshape(len(first), -1).mean(axis=1)
    unlike = rows > _UNLIKE
    place = int(unlike.argmax())
    return place > 1 and float(rows[:place].mean()) <= _ALIKE and float(unlike[place:].mean()) >= _ROWS


def _bytes_tell(first: bytes, second: bytes, name: str, apart: BoolMask) -> tuple[bool, bool | None]:
    """Return whether two files are one, but for a few bytes or what is cut off; and then whether the second is cut.

    ``apart`` are the pixels in which they differ, (h, w).
    """
    form = recognise(first, name)
    if recognise(second, name) is not form:
        return False, None
    if form is JPEG:
        first, second = coded_pixels(first), coded_pixels(second)
    length = min(len(first), len(second))
    differing = np.frombuffer(first, np.uint8, length) != np.frombuffer(second, np.uint8, length)
    few = len(first) == len(second) and float(differing.mean()) <= _ROTTEN
    packed = _compression(first) if form is TIFF else ""
    if form in _PIECEMEAL and packed != "jpeg":
        return few and (_is_one_bit(first, second, differing) or (packed in _CHAINED and _runs_on(apart))), None
    if len(first) == len(second):
        return few, None
    if differing[: max(0, length - _TAIL)].any() or length <= _TAIL:
        return False, None
    return True, len(second) < len(first)


def _compression(data: bytes) -> str:
    """Return Pillow's name of the compression of a TIFF."""
    with decoding("TIFF"):
        return str(TiffImageFile(io.BytesIO(data)).info.get("compression", "raw"))


def _is_one_bit(first: bytes, second: bytes, differing: BoolMask) -> bool:
    """Return whether two files differ in one bit, as no edit leaves them."""
    at = int(differing.argmax())
    return int(differing.sum()) == 1 and (first[at] ^ second[at]).bit_count() == 1


def _runs_on(apart: BoolMask) -> bool:
    """Return whether pixels differ from one place on to another one, at least a row of them."""
    at = np.flatnonzero(apart)
    return at.size >= apart.shape[1] and at.size >= _RUN * int(at[-1] - at[0] + 1)


def _from_a_place_on(apart: Float64Matrix) -> BoolMask | None:
    """Return the blocks from which on two pictures differ, where they agree before; None where there is no such place.

    The place lies within a row: what begins with one, or nearly, is rather a bar or another edge of a person's making.
    An edit of a lower part may leave the beginning of its first row, where the picture is dark or has no detail; then
    it leaves that of a later row as well, or has changed it a little. Damage leaves but two rows of 8 px, which a
    decoder writes at once.
    """
    levels = apart.ravel()
    changed = levels > _NOISE
    count, width = changed.size, apart.shape[1]
    seen = np.concatenate(([0], np.cumsum(changed)))
    places = np.arange(count + 1)
    right = (places - seen) + (seen[-1] - seen)  # blocks that agree before, and that differ behind
    place = int(right.argmax())
    column = place % width
    row, below = changed[place - column :][:width], changed[place - column + 2 * width :][:column]
    if min(column, width - column) <= _EDGE * width or count - place < _LEAST_ROWS * width:
        return None
    if levels[place - column : place].mean() > _UNTOUCHED:
        return None
    for before, behind in ((changed[:place], changed[place:]), (row[:column], row[column:]), (row[:column], below)):
        if before.mean() > 1 - _PREFIX or behind.mean() < _SUFFIX:
            return None
    return np.asarray((places[:-1] >= place).reshape(apart.shape))


def _jumps_more(first: UInt8Pixels, second: UInt8Pixels, changed: BoolMask) -> bool | None:
    """Return whether the second of two pictures jumps more at the edge of the changed blocks; None where neither does.

    As many levels are counted for it as against it where that is chance alone.
    """
    more, different, count = 0, 0, 0
    for one, other, mask in (
        (first, second, changed),
        (first.transpose(1, 0, 2), second.transpose(1, 0, 2), changed.T),
    ):
        rows, columns = mask.shape
        at = np.arange(1, rows) * _BLOCK
        jumps = [
            np.abs(each[at, : columns * _BLOCK].astype(np.int16) - each[at - 1, : columns * _BLOCK])
            for each in (one, other)
        ]
        edge = np.repeat(mask[1:] != mask[:-1], _BLOCK, axis=1)
        apart = (jumps[1] - jumps[0])[edge].astype(np.int64)
        more += int(apart.sum())
        different += int(np.abs(apart).sum())
        count += int(np.count_nonzero(apart))
    sure = different > 0 and abs(more) / different * math.sqrt(count) >= _SURE
    return more > 0 if sure else None


def _is_overwritten(first: bytes, second: bytes) -> bool | None:
    """Return whether the second of two files has but one value where they differ; None where both or neither have."""
    length = min(len(first), len(second))
    a, b = (np.frombuffer(one, np.uint8, length) for one in (first, second))
    at = np.flatnonzero(a != b)
    plain = [at.size >= _TAIL and len(np.unique(one[at])) == 1 for one in (a, b)]
    return plain[1] if plain[0] != plain[1] else None


def _pixels(data: bytes, name: str, limits: Limits) -> UInt8Pixels:
    """Decode a file in full size, a JPEG in the colours and the order in which its blocks are, (h, w, c)."""
    if recognise(data, name) is not JPEG:
        return read(data, name, limits, limits.side).rgb
    with decoding("JPEG"):
        image = JpegImageFile(io.BytesIO(data))
        image.draft("YCbCr", image.size)
        jpeg.scale(image, data, limits, max(image.size))
        pixels = np.asarray(image)
    return pixels if pixels.ndim == 3 else pixels[..., None]
