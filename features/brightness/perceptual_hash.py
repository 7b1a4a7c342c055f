"""A perceptual hash of 64 bits, as most finders of duplicates use: the yardstick that descriptors are held against.

Zauner: Implementation and Benchmarking of Perceptual Image Hash Functions, 2010: the picture in 32 x 32 greys, its
cosine transform, of which the 8 x 8 lowest frequencies are compared with their median.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from core.arrays import UInt8Pixels

BYTES = 8

_SIDE, _LOWEST = 32, 8

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
