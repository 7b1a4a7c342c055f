"""Traces that copying leaves in the blocks of a picture: which tell a copy from a second exposure, where no eye does.

Recompression: JPEG rounds the cosine transform of every 8 x 8 pixels to multiples of a table. So a copy has what
rounding the finer picture by the table of the coarser one gives, in nearly every coefficient, however coarse that table
is. Of another exposure, where it looks the same to the eye, some of them are others. A picture that is no JPEG has a
table of ones.

Reduction: the larger picture is brought to the size of the smaller one, by each of the filters that programs use, and
their blocks are compared. Of a copy, every coefficient lies where rounding by the table of its JPEG puts it. Of another
exposure, the noise of two sensors lies between them, and some coefficients lie elsewhere: how many tells how much noise
that is, however coarse the table. Noise is tried in growing amounts on the larger picture itself, until as many of its
coefficients would lie elsewhere.

Generation: of two copies, the file that was made from the other has what rounding by its own table gives of the other's
coefficients, even where the other's table is coarser. A picture that was enlarged shows hardly more than it showed
before: made smaller and larger again, it stays nearly as it is, but for what its own JPEG has lost.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, cast

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image
from PIL.JpegImagePlugin import JpegImageFile

from twinlens.core.arrays import Float32Matrix, UInt8Pixels
from twinlens.features.decoders import jpeg
from twinlens.features.formats.exif import read_exif
from twinlens.features.formats.formats import JPEG, recognise
from twinlens.features.pictures.channels import upright
from twinlens.features.reading.reading import read
from twinlens.features.reading.reading_limits import Limits, decoding

Rows = npt.NDArray[np.int16]


@dataclass(frozen=True, eq=False)
class Blocks:
    """Some of the blocks of a picture, the same ones of every picture of its size.

    Attributes
    ----------
    rows : ndarray of int16, (1 + n, 64)
        The table, then the coefficients of each block in eighths; of a block that is cut off all are 0.
    beginning : bytes
        The first of a JPEG's coded data, which files of two compressions hardly share; empty of others.
    """

    rows: Rows
    beginning: bytes = b""

    @classmethod
    def of(cls, data: bytes, name: str = "", limits: Limits = Limits()) -> Blocks:  # noqa: B008 (frozen)
        """Take the blocks of a file; raises as :func:`twinlens.features.reading.reading.read` does."""
        table, grey = light(data, name, limits)
        beginning = coded_pixels(data)[:_BEGINNING] if recognise(data, name) is JPEG else b""
        return cls(np.vstack([table.reshape(1, -1), transformed(grey)]), beginning)

    @property
    def coarseness(self) -> int:
        """The loss by rounding with the table."""
        return int(self.rows[0].sum())

    @property
    def has_lost_nothing(self) -> bool:
        """Whether it is rounded to whole levels only."""
        return bool((self.rows[0] == 1).all())

    def is_copy(self, other: Blocks) -> bool | None:
        """Return whether one of two pictures of a size is the other compressed again; None where too little says."""
        if self.rows.shape != other.rows.shape:
            return None
        fine, coarse = (one.rows for one in sorted((self, other), key=lambda one: one.coarseness))
        known = fine[1:].any(axis=1) & coarse[1:].any(axis=1)
        step = coarse[0].astype(np.float32)
        a, b = (one[1:][known].astype(np.float32) / STEPS for one in (fine, coarse))
        rounded = np.rint(b / step) * step
        telling = (rounded != 0) | (np.abs(a) > step / 2)
        telling[:, 0] = False
        if telling.sum() < _FEWEST_COEFFICIENTS:
            return None
        return float((np.abs(a - rounded) <= step / 2 + _DECODING_SLACK)[telling].mean()) >= _AGREEING

    def is_made_from(self, other: Blocks) -> bool | None:
        """Return whether it is the other picture of its size saved again, False if the other was made from it.

        None where both tables are too near to each other, or too little says.
        """
        if self.rows.shape != other.rows.shape:
            return None
        fine, coarse = sorted((self, other), key=lambda one: one.coarseness)
        step, wide = (one.rows[0].astype(np.float32) for one in (fine, coarse))
        both = fine.rows[1:].any(axis=1) & coarse.rows[1:].any(axis=1)
        a, b = (one.rows[1:][both].astype(np.float32) / STEPS for one in (fine, coarse))
        room = step / 2 + 2 * _DECODING_SLACK
        telling = (np.abs(b) > wide / 2) & (wide > _APART * 2 * room)
        telling[:, 0] = False
        if telling.sum() < _FEWEST_COEFFICIENTS:
            return None
        near = float((np.abs(a - b) <= room)[telling].mean())
        expected = float(np.broadcast_to(2 * room / wide, a.shape)[telling].mean())  # of a finer one that came first
        more = (near - expected) / (1 - expected)
        if more >= _OF_FINER:
            return self is fine
        # A finer one that is not the coarser one's like, but for rounding, has another history: colours cut off, say.
        return self is coarse if more <= _OF_COARSER and fine.is_copy(coarse) else None


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
BLOCK_SIDE = 8
"""Pixels across a block."""

_MIDDLE = 1024  # pixels across and down of the part whose detail is measured
_LITTLE_DETAIL, _MUCH_DETAIL = 0.36, 0.6  # of enlarged pictures at most, of those that were made smaller at least
_FULL_DETAIL = 0.9  # where nothing else says: what JPEG and grain add to an enlarged picture has less
_ON_GRID, _OFF_GRID = 0.85, 1.3  # of enlarged pictures at most or at least; of those made smaller 1.0 to 1.2
_WIDE_STEP = 4  # levels, from which a step of a table is wider than what a larger picture's JPEG has lost
_FEWEST_ON_GRID = 300

_AT = np.array([BLOCK_SIDE * u + v for u in range(BLOCK_SIDE) for v in range(BLOCK_SIDE) if u + v <= _HIGHEST])
Size = tuple[int, int]


def _by_pillow(filter_: Image.Resampling) -> Callable[[Float32Matrix, Size], Float32Matrix]:
    return lambda one, size: np.asarray(Image.fromarray(one, "F").resize(size, filter_), np.float32)


def _by_opencv(interpolation: int) -> Callable[[Float32Matrix, Size], Float32Matrix]:
    return lambda one, size: cast("Float32Matrix", cv2.resize(one, size, interpolation=interpolation))


FILTERS: tuple[Callable[[Float32Matrix, Size], Float32Matrix], ...] = (
    _by_pillow(Image.Resampling.LANCZOS),
    _by_pillow(Image.Resampling.BICUBIC),
    _by_pillow(Image.Resampling.BILINEAR),
    _by_pillow(Image.Resampling.BOX),
    _by_pillow(Image.Resampling.NEAREST),  # or the original of a copy that skips pixels seems to be an enlarged one
    _by_opencv(cv2.INTER_AREA),
    _by_opencv(cv2.INTER_LINEAR),
)
"""By which programs make pictures smaller."""


class ResizedPicture(NamedTuple):
    """A picture at a smaller size.

    Attributes
    ----------
    blocks : list of Blocks
        By each of `FILTERS`.
    detail : float
        What the picture shows beyond that size, over what it shows just within; little of an enlarged one.
    """

    blocks: list[Blocks]
    detail: float


def resized(data: bytes, size: Size, name: str = "", limits: Limits = Limits()) -> ResizedPicture:  # noqa: B008 (frozen)
    """Take the blocks of a file at another size, by each of `FILTERS`; raises as reading it does.

    Parameters
    ----------
    data : bytes
    size : tuple of int
        Pixels across and down.
    name, limits
        As of :func:`twinlens.features.reading.reading.read`.
    """
    grey = light(data, name, limits)[1]
    while (
        min(grey.shape[1] / size[0], grey.shape[0] / size[1]) > _COARSE_STEPS
    ):  # what rounding does to it is averaged away
        grey = np.asarray(Image.fromarray(grey).reduce(2), np.uint8)
    full = grey.astype(np.float32)
    table = np.ones((1, BLOCK_SIDE * BLOCK_SIDE), np.int16)
    blocks = [Blocks(np.vstack([table, transformed(one(full, size))])) for one in FILTERS]
    return ResizedPicture(blocks, _detail_beyond(full, size[0] / full.shape[1]))


def _detail_beyond(full: Float32Matrix, scale: float) -> float:
    """Return what the middle of a picture loses when it is made smaller, over what it loses when made half as large."""
    high, wide = (min(side, _MIDDLE) for side in full.shape)
    top, left = (full.shape[0] - high) // 2, (full.shape[1] - wide) // 2
    middle = full[top : top + high, left : left + wide]
    small = _lost(middle, scale)
    if small is None or (smaller := _lost(small[0], 0.5)) is None:
        return 1.0
    return small[1] / max(smaller[1], 1e-6)


def _lost(picture: Float32Matrix, scale: float) -> tuple[Float32Matrix, float] | None:
    """Return a picture made smaller, and the deviation of what it has lost; None of one that is too small."""
    size = round(picture.shape[1] * scale), round(picture.shape[0] * scale)
    if min(size) < 4 * BLOCK_SIDE:
        return None
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    back = cv2.resize(small, picture.shape[::-1], interpolation=cv2.INTER_CUBIC)
    rim = math.ceil(2 / scale) if scale < 1 else 2
    return np.asarray(small, np.float32), float((picture - back)[rim:-rim, rim:-rim].std())


def is_enlarged(small: Blocks, larger: ResizedPicture) -> bool | None:
    """Return whether of two copies the larger one was made from the smaller; None where nothing says.

    The coefficients of a copy made smaller lie anywhere within the steps of its table, about those of the larger one.
    Of a picture that was enlarged, made smaller again, they lie where they were, but for what its own JPEG has lost.
    """
    found = [_off_grid(small, one) for one in larger.blocks]
    off = min((one for one in found if one is not None), default=None)
    if off is not None and (off <= _ON_GRID or (off >= _OFF_GRID and larger.detail < _MUCH_DETAIL)):
        return True
    if larger.detail >= (_FULL_DETAIL if off is None else _MUCH_DETAIL):
        return False
    return True if off is None and larger.detail <= _LITTLE_DETAIL else None


def _off_grid(small: Blocks, larger: Blocks) -> float | None:
    """Return how far coefficients lie from those of a JPEG, over what rounding makes; None where too little says."""
    if small.rows.shape != larger.rows.shape:
        return None
    step = small.rows[0, _AT].astype(np.float32)
    both = small.rows[1:].any(axis=1) & larger.rows[1:].any(axis=1)
    a, b = (one.rows[1:, _AT][both].astype(np.float32) / STEPS for one in (small, larger))
    telling = (np.abs(a) > step / 2) & (step >= _WIDE_STEP)
    telling[:, 0] = False
    if telling.sum() < _FEWEST_ON_GRID:
        return None
    return float(np.median((np.abs(b - a) / step)[telling])) / 0.25


def is_made_smaller(small: Blocks, larger: Sequence[Blocks], scale: float) -> bool | None:
    """Return whether a picture is a larger one made smaller; None where there is too little evidence.

    Parameters
    ----------
    small : Blocks
        Of a JPEG, or of a format that loses nothing.
    larger : sequence of Blocks
        The blocks of the larger one that :func:`resized` made at its size.
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
    """Return the share of coefficients off their expected place, these places, and the steps; plain and sharpened."""
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
    """Return the share of the clear coefficients that differ from the expected ones after rounding."""
    telling = (rounded != 0) | (np.abs(expected) > step / 2)
    telling[:, 0] = True
    return float((np.abs(rounded - expected) > step / 2 + _SLACK)[telling].mean())


_ACROSS = 64  # blocks of a row or column that are looked at, spread evenly
_LEAST, _MOST = 3, 252  # levels; beyond them decoding cuts off what the coefficients say
STEPS = 8
"""A coefficient is kept in eighths."""

_BEGINNING = 1024  # bytes
_FEWEST_COEFFICIENTS = 300  # coefficients that are not 0
_DECODING_SLACK = 0.25  # by which decoding changes a coefficient
_AGREEING = 0.94  # share of the coefficients of a copy
_OF_FINER, _OF_COARSER = 0.85, 0.5  # of the coefficients beyond those expected by chance, at least and at most
_APART = 1.3  # times the room of a finer table's rounding, from which a coarser table's steps tell


def coded_pixels(data: bytes) -> bytes:
    """Return the bytes behind the header of a JPEG: its coded pixels, and whatever follows them."""
    with decoding("JPEG"):
        file = io.BytesIO(data)
        JpegImageFile(file)  # reads the header
        return data[file.tell() :]


def light(data: bytes, name: str, limits: Limits) -> tuple[Rows, UInt8Pixels]:
    """Return the table and the lightness of a file in full size; the table is ones where it is no JPEG."""
    found = _of_jpeg(data, limits) if recognise(data, name) is JPEG else None
    if found is not None:
        return found
    grey = Image.fromarray(read(data, name, limits, limits.side).rgb).convert("L")
    return np.ones((BLOCK_SIDE, BLOCK_SIDE), np.int16), np.asarray(grey)


def _of_jpeg(data: bytes, limits: Limits) -> tuple[Rows, UInt8Pixels] | None:
    """Return table and lightness of a JPEG, as they are in the file; none where its colours are kept otherwise."""
    with decoding("JPEG"):
        image = JpegImageFile(io.BytesIO(data))
        if image.mode not in ("L", "RGB") or 0 not in image.quantization:
            return None
        turn = read_exif(image.info.get("exif")).orientation
        table = np.array(image.quantization[0], np.int16).reshape(BLOCK_SIDE, BLOCK_SIDE)
        image.draft("L", image.size)
        jpeg.scale(image, data, limits, max(image.size))
        return table.T if turn > 4 else table, np.asarray(upright(image, turn))


def transformed(light: npt.NDArray[np.uint8 | np.float32]) -> Rows:
    """Return the coefficients of some blocks in eighths, (n, 64)."""
    down, across = light.shape[0] // BLOCK_SIDE, light.shape[1] // BLOCK_SIDE
    rows, columns = (np.linspace(0, n - 1, min(n, _ACROSS)).astype(int) for n in (down, across))
    whole = light[: down * BLOCK_SIDE, : across * BLOCK_SIDE].reshape(down, BLOCK_SIDE, across, BLOCK_SIDE)
    blocks = whole[rows][:, :, columns].transpose(0, 2, 1, 3).reshape(-1, BLOCK_SIDE, BLOCK_SIDE)
    cut_off = (blocks.min(axis=(1, 2), initial=255) < _LEAST) | (blocks.max(axis=(1, 2), initial=0) > _MOST)
    basis = np.asarray(cv2.dct(np.eye(BLOCK_SIDE, dtype=np.float32), flags=cv2.DCT_ROWS).T, np.float32)
    made = np.rint(STEPS * (basis @ (blocks.astype(np.float32) - 128) @ basis.T))
    made[cut_off] = 0
    return cast("Rows", made.reshape(-1, BLOCK_SIDE * BLOCK_SIDE).astype(np.int16))
