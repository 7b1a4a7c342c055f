"""Damage: which of two files that were one has rotted on a disk or was copied badly, and from where on it shows.

Nobody edits a compressed file in a few bytes, and no edit leaves the upper part of a picture as it was, down to the
middle of a row of blocks, and changes all that follows. A decoder goes on behind a damaged place: from there on blocks
are shifted, tinted or grey, also where a program opens the file and saves it in another format. Which of both is
damaged shows where the changed blocks begin: a whole picture goes on there as it does elsewhere, a damaged one jumps.
"""

from __future__ import annotations

import io
import math
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from PIL import Image
from PIL.TiffImagePlugin import TiffImageFile

from twinlens.core.arrays import BoolMask, UInt8Pixels
from twinlens.features.copies.copy_traces import coded_pixels
from twinlens.features.formats.formats import BMP, JPEG, PNM, TIFF, recognise
from twinlens.features.pictures.channels import upright
from twinlens.features.pictures.picture import Picture
from twinlens.features.reading.reading import read
from twinlens.features.reading.reading_limits import Limits, decoding

_BLOCK = 8  # pixels
_ROTTEN = 0.5  # share of the bytes that differ at most: of two compressions nearly all do
_PIECEMEAL = frozenset({BMP, PNM, TIFF})
"""Formats in which an edit may change a few bytes only: those of its pixels, or of its strip of the picture."""
_CHAINED = frozenset({"tiff_lzw", "tiff_deflate", "tiff_adobe_deflate"})
"""Compressions of TIFF in which each pixel of a strip depends on all before."""
_RUN = 0.5  # share of the pixels from the first that differs to the last that do: an edit leaves some between its rows

_TAIL = 16  # bytes behind the place where a file is cut short
_CHANGED = 0.3  # share of a block's pixels
_BEHIND, _BEHIND_IN_ROW = 0.65, 0.8  # the same behind the place, at least
_SHARP = 3.0  # times that pixels below an edge differ more than those above


class _SavedAgain(NamedTuple):
    """The changes that saving a picture again makes.

    Attributes
    ----------
    noise : float
        Levels of lightness by which a block differs, at most.
    before, before_in_row : float
        Shares of the blocks before the place, and of those in its row, that differ more.
    aside : float
        Share of a row that lies before the place and behind it, at least.
    """

    noise: float
    before: float
    before_in_row: float
    aside: float


_COMPRESSED = _SavedAgain(6.0, 0.1, 0.12, 0.0)
_EXACT = _SavedAgain(1.5, 0.002, 0.02, 0.1)  # so the finest damage shows, as of a progressive JPEG
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
        As :func:`twinlens.features.reading.reading.read` wants it.

    Raises
    ------
    UnreadableError
        If one cannot be read.
    """
    pictures = [read(each, name, limits, limits.side) for each in (first, second)]
    turn = max(each.facts.orientation for each in pictures)  # of the JPEG; what is made of it is often upright
    one, other = (_pixels(each, turn) for each in pictures)
    down, across = one.shape[0] // _BLOCK, one.shape[1] // _BLOCK
    if one.shape != other.shape or not down or not across:
        return None
    channels = np.maximum(one, other) - np.minimum(one, other)
    apart = channels.max(axis=2)
    rotten, shorter = _bytes_tell(first, second, name, apart > 0)
    if not rotten:
        changed = _from_a_place_on(channels[..., 0])
    else:
        blocks = apart[: down * _BLOCK, : across * _BLOCK].reshape(down, _BLOCK, across, _BLOCK)
        changed = (blocks > 0).mean(axis=(1, 3)) >= _CHANGED
        changed = changed if changed.any() else blocks.any(axis=(1, 3))
    if changed is None or not changed.any():
        return None
    start = float(changed.any(axis=1).argmax() / down)
    which = _is_overwritten(first, second) if rotten and shorter is None else shorter
    return Damage(_jumps_more(one, other, changed) if which is None else which, start)


def may_differ_from_a_row_on(first: UInt8Pixels, second: UInt8Pixels) -> bool:
    """Return whether two small pictures of one size may agree from one side on to a row, and differ from there on.

    That is quickly told of any pair, and worth :func:`damage`.
    """
    if first.shape != second.shape:
        return False
    apart = (np.maximum(first, second) - np.minimum(first, second)).reshape(*first.shape[:2], -1).mean(axis=2)
    rows, columns = apart.mean(axis=1), apart.mean(axis=0)
    return any(_differs_from_one_on(some) for some in (rows, rows[::-1], columns, columns[::-1]))


def _differs_from_one_on(rows: npt.NDArray[np.float64]) -> bool:
    """Return whether rows that differ so much, (n,), agree down to one of them, and differ from there on."""
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


def _from_a_place_on(apart: UInt8Pixels) -> BoolMask | None:
    """Return the blocks from which on two pictures differ, (rows, columns), where they agree before; None without one.

    ``apart`` are the differences of lightness, (h, w). A row is two blocks high where the colours have half the size.
    """
    for height, saved in product((_BLOCK, 2 * _BLOCK), (_COMPRESSED, _EXACT)):
        down, across = apart.shape[0] // height, apart.shape[1] // _BLOCK
        blocks = apart[: down * height, : across * _BLOCK].reshape(down, height, across, _BLOCK)
        changed = blocks.mean(axis=(1, 3)) > saved.noise
        seen = np.concatenate(([0], np.cumsum(changed)))
        places = np.arange(changed.size + 1)
        place = int(((places - seen) + (seen[-1] - seen)).argmax())  # blocks that agree before, and that differ behind
        row, column = divmod(place, across)
        if 0 < row < down - 1 and _begins_at(apart, changed, row, column, height, saved):
            behind = (places[:-1] >= place).reshape(changed.shape)
            return np.asarray(np.repeat(behind, height // _BLOCK, axis=0))
    return None


def _begins_at(apart: UInt8Pixels, changed: BoolMask, row: int, column: int, height: int, saved: _SavedAgain) -> bool:
    """Return whether blocks differ from a place on, which lies within a row: there it begins, and one row lower before.

    Both edges are sharp and on the grid of blocks. An edit of a lower part begins with a row, or fades in, or leaves
    the beginning of its first row since the picture is dark there: then that has no sharp edge one row lower.
    """
    across = changed.shape[1]
    place = row * across + column
    first, second = changed[row], changed[row + 1]
    agree = (changed.ravel()[:place], saved.before), (first[:column], saved.before_in_row)
    differ = (changed.ravel()[place:], _BEHIND), (first[column:], _BEHIND_IN_ROW), (second[:column], _BEHIND)
    edges = (row * height, slice(column * _BLOCK, None)), ((row + 1) * height, slice(column * _BLOCK))
    return (
        min(column, across - column) > saved.aside * across
        and all(some.mean() <= most for some, most in agree)
        and all(some.mean() >= least for some, least in differ)
        and all(
            apart[y : y + 2, x].mean() >= max(saved.noise, _SHARP * float(apart[y - 2 : y, x].mean())) for y, x in edges
        )
    )


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


def _pixels(picture: Picture, turn: int) -> UInt8Pixels:
    """Return pixels in the colours of a JPEG, and in the order of one that has EXIF's orientation, (h, w, 3)."""
    back = {6: 8, 8: 6}.get(turn, turn)
    return np.asarray(upright(Image.fromarray(picture.rgb), back).convert("YCbCr"))
