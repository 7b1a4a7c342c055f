"""Perceptual hashes: one of 63 bits that also covers mirror images and quarter turns, and the usual one of 64 bits.

The picture is brought to 32 x 32 greys and cosine transformed.

Of 63 bits are the signs of the 8 x 8 lowest frequencies, but for the mean. Mirroring a picture changes the signs of
every other frequency, transposing it transposes them. So one hash finds copies that are mirrored, turned or inverted,
which no stored vector shows.

Of 64 bits are the same frequencies compared with their median (Zauner: Implementation and Benchmarking of Perceptual
Image Hash Functions, 2010). Most finders of duplicates use it, so descriptors are measured against it.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import PlaneMap, UInt8Pixels

_SIDE, _LOWEST = 32, 8
_LEAST_CONTRAST = 4.0  # levels; the hash of a blank picture is noise
Hashes = npt.NDArray[np.uint64]


@dataclass(frozen=True)
class Orientation:
    """A mirror image or quarter turn.

    Attributes
    ----------
    mirrored : bool
        Left and right exchanged, before it is turned.
    quarters : int
        Quarter turns, counterclockwise, 0 to 3.
    """

    mirrored: bool = False
    quarters: int = 0
    negative: bool = False

    def frame_map(self, first: tuple[float, float], second: tuple[float, float]) -> PlaneMap:
        """Map the whole of one picture to the whole of another, (3, 3).

        Parameters
        ----------
        first, second : tuple of float
            Widths and heights, in any unit; the first picture is the one that is mirrored and turned.
        """
        made = np.diag((1 / first[0], 1 / first[1], 1.0))
        if self.mirrored:
            made = np.array(((-1.0, 0, 1), (0, 1, 0), (0, 0, 1))) @ made
        quarter = np.array(((0.0, 1, 0), (-1, 0, 1), (0, 0, 1)))
        made = np.linalg.matrix_power(quarter, self.quarters) @ made
        return np.asarray(np.diag((*second, 1.0)) @ made)


UPRIGHT = Orientation()
ORIENTATIONS: tuple[Orientation, ...] = (
    *(Orientation(mirrored, quarters) for mirrored in (False, True) for quarters in range(4)),
    Orientation(negative=True),
)
"""All orientations that are tried; the picture as it is comes first."""


def turnable_hash(grey: UInt8Pixels) -> int | None:
    """Hash a picture.

    Parameters
    ----------
    grey : ndarray of uint8, (h, w)

    Returns
    -------
    int or None
        Of 64 bits, the first of them 0; None for a picture that shows next to nothing.
    """
    small = cv2.resize(grey, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA).astype(np.float32)
    if float(small.std()) < _LEAST_CONTRAST:
        return None
    signs = cv2.dct(small)[:_LOWEST, :_LOWEST] > 0
    signs[0, 0] = False
    return int(np.packbits(signs, bitorder="little").view("<u8")[0])


def oriented(hashes: Hashes, orientation: Orientation) -> Hashes:
    """Return the hashes of the mirror images, turns or negatives of some pictures, (n,)."""
    rows = hashes.astype("<u8").view(np.uint8).reshape(-1, _LOWEST)
    signs = np.unpackbits(rows, axis=1, bitorder="little").astype(np.bool_).reshape(-1, _LOWEST, _LOWEST)
    odd = np.arange(_LOWEST) % 2 == 1
    if orientation.mirrored:
        signs = signs ^ odd[None, None, :]
    for _ in range(orientation.quarters):  # transposed, then upside down
        signs = signs.transpose(0, 2, 1) ^ odd[None, :, None]
    if orientation.negative:
        signs = ~signs
    signs = np.array(signs)
    signs[:, 0, 0] = False
    return np.packbits(signs.reshape(-1, _LOWEST * _LOWEST), axis=1, bitorder="little").view("<u8")[:, 0]


BYTES = 8
Hash = npt.NDArray[np.uint8]


def perceptual_hash(grey: UInt8Pixels) -> Hash:
    """Hash a picture.

    Parameters
    ----------
    grey : ndarray of uint8, (h, w)
        Of any size.

    Returns
    -------
    ndarray of uint8, (8,)
        Bit 8 r + c says whether frequency r down and c across is above the median of all 64.
    """
    small = cv2.resize(grey, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA)
    lowest = cv2.dct(small.astype(np.float32))[:_LOWEST, :_LOWEST]
    return np.packbits(lowest > np.median(lowest), bitorder="little")


def hash_of_jpeg(data: bytes) -> Hash | None:
    """Hash a JPEG, a thumbnail say; None where it is none."""
    if not data:
        return None
    grey = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_GRAYSCALE)
    return None if grey is None else perceptual_hash(np.asarray(grey, np.uint8))
