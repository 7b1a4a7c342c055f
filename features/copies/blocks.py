"""The blocks of a picture, by which one that was compressed again is told from one that was taken again.

JPEG rounds the cosine transform of every 8 x 8 pixels to multiples of a table. So a copy has what rounding the finer
picture by the table of the coarser one gives, in nearly every coefficient, however coarse that table is. Of another
exposure, where it looks the same to the eye, some of them are others. A picture that is no JPEG has a table of ones.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image
from PIL.JpegImagePlugin import JpegImageFile

from core.arrays import UInt8Pixels
from features.formats import jpeg
from features.formats.exif import read_exif
from features.formats.formats import JPEG, recognise
from features.pictures.shrinking import upright
from features.reading.reading import read
from features.reading.reading_limits import Limits
from features.reading.unreadable import decoding

BLOCK_SIDE = 8
"""Pixels across a block."""

_ACROSS = 64  # blocks of a row or column that are looked at, spread evenly
_LEAST, _MOST = 3, 252  # levels; beyond them decoding cuts off what the coefficients say
STEPS = 8
"""A coefficient is kept in eighths."""

_BEGINNING = 1024  # bytes
_FEWEST_COEFFICIENTS = 300  # coefficients that are not 0
_DECODING_SLACK = 0.25  # by which decoding changes a coefficient
_AGREEING = 0.94  # share of the coefficients of a copy

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
        """Take the blocks of a file; raises as :func:`features.reading.reading.read` does."""
        table, grey = light(data, name, limits)
        beginning = coded_pixels(data)[:_BEGINNING] if recognise(data, name) is JPEG else b""
        return cls(np.vstack([table.reshape(1, -1), transformed(grey)]), beginning)

    @property
    def coarseness(self) -> int:
        """How much rounding by the table loses."""
        return int(self.rows[0].sum())

    @property
    def has_lost_nothing(self) -> bool:
        """Whether it is rounded to whole levels only."""
        return bool((self.rows[0] == 1).all())

    def is_copy(self, other: Blocks) -> bool | None:
        """Return whether one of two pictures of a size was compressed again from the other; None where too little says.

        Parameters
        ----------
        other : Blocks
        """
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


def coded_pixels(data: bytes) -> bytes:
    """Return what follows the header of a JPEG: its coded pixels, and whatever is behind them."""
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
