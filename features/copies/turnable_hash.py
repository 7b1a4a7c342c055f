"""A hash of 63 bits that says how all mirror images and quarter turns of its picture hash.

The picture in 32 x 32 greys, its cosine transform, of which the signs of the 8 x 8 lowest frequencies are kept, but for
the mean. Mirroring a picture changes the signs of every other frequency, transposing it transposes them. So one hash
finds copies that are mirrored, turned or inverted, which no stored vector shows.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from core.arrays import PlaneMap, UInt8Pixels

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
    negative : bool
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
"""Those that are looked for; the picture as it is comes first."""


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
