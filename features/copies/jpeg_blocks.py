"""The blocks of a JPEG picture, by which one that was compressed again is told from one that was taken again.

Compressing rounds the cosine transform of every 8 x 8 pixels to multiples of a table. So a copy has what rounding the
finer picture by the table of the coarser one gives, in nearly every coefficient, however coarse that table is. Of
another exposure, where it looks the same to the eye, some of them are others.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
import numpy.typing as npt
from PIL.JpegImagePlugin import JpegImageFile

from features.formats import jpeg
from features.formats.exif import read_exif
from features.pictures.shrinking import upright
from features.reading.reading_limits import Limits
from features.reading.unreadable import decoding

_SIDE = 8
_ACROSS = 64  # blocks of a row or column that are looked at, spread evenly
_LEAST, _MOST = 3, 252  # levels; beyond them decoding cuts off what the coefficients say
_STEPS = 8  # a coefficient is kept in eighths
_FEWEST = 300  # coefficients that are not 0
_SAME_AGAIN, _SAME = 0.97, 0.9  # share that agrees, by one table and by two

Rows = npt.NDArray[np.int16]
Transform = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class JpegBlocks:
    """Some of the blocks of a picture, the same ones of every picture of its size.

    Attributes
    ----------
    rows : ndarray of int16, (1 + n, 64)
        The table, then the coefficients of each block in eighths; of a block that is cut off all are 0.
    """

    rows: Rows

    @classmethod
    def of(cls, data: bytes, limits: Limits = Limits()) -> JpegBlocks | None:  # noqa: B008 (frozen)
        """Look at a JPEG file; None where its colours are kept in a way that has no lightness of its own.

        Raises
        ------
        UnreadableError
            If it is damaged, or too large.
        """
        with decoding("JPEG"):
            image = JpegImageFile(io.BytesIO(data))
            turn = read_exif(image.info.get("exif")).orientation
            if image.mode not in ("L", "RGB") or 0 not in image.quantization:
                return None
            table = np.array(image.quantization[0], np.int16).reshape(_SIDE, _SIDE)
            image.draft("L", image.size)
            jpeg.scale(image, data, limits, max(image.size))
            light = np.asarray(upright(image, turn))
        return cls(np.vstack([(table.T if turn > 4 else table).reshape(1, -1), _transformed(light)]))

    @classmethod
    def of_bytes(cls, data: bytes) -> JpegBlocks:
        """Read what :meth:`to_bytes` wrote."""
        return cls(np.frombuffer(data, "<i2").astype(np.int16).reshape(-1, _SIDE * _SIDE))

    def to_bytes(self) -> bytes:
        """Write them."""
        return self.rows.astype("<i2").tobytes()

    def is_copy(self, other: JpegBlocks) -> bool | None:
        """Return whether one of two pictures of a size was compressed again from the other; None where too little says.

        Parameters
        ----------
        other : JpegBlocks
        """
        if self.rows.shape != other.rows.shape:
            return None
        fine, coarse = sorted((self.rows, other.rows), key=lambda one: int(one[0].sum()))
        step = coarse[0].astype(np.float32) * _STEPS
        known = fine[1:].any(axis=1) & coarse[1:].any(axis=1)
        a, b = (np.rint(one[1:][known] / step)[:, 1:] for one in (fine, coarse))
        telling = (a != 0) | (b != 0)
        if telling.sum() < _FEWEST:
            return None
        agreeing = float((a == b)[telling].mean())
        return agreeing >= (_SAME_AGAIN if np.array_equal(fine[0], coarse[0]) else _SAME)


def _transformed(light: npt.NDArray[np.uint8]) -> Rows:
    """Return the coefficients of some blocks in eighths, (n, 64)."""
    down, across = light.shape[0] // _SIDE, light.shape[1] // _SIDE
    rows, columns = (np.linspace(0, n - 1, min(n, _ACROSS)).astype(int) for n in (down, across))
    whole = light[: down * _SIDE, : across * _SIDE].reshape(down, _SIDE, across, _SIDE)
    blocks = whole[rows][:, :, columns].transpose(0, 2, 1, 3).reshape(-1, _SIDE, _SIDE)
    cut_off = (blocks.min(axis=(1, 2), initial=255) < _LEAST) | (blocks.max(axis=(1, 2), initial=0) > _MOST)
    basis = _basis()
    made = np.rint(_STEPS * (basis @ (blocks.astype(np.float32) - 128) @ basis.T))
    made[cut_off] = 0
    return cast("Rows", made.reshape(-1, _SIDE * _SIDE).astype(np.int16))


def _basis() -> Transform:
    """Return the matrix of the cosine transform of 8 values."""
    return np.asarray(cv2.dct(np.eye(_SIDE, dtype=np.float32), flags=cv2.DCT_ROWS).T, np.float32)
