"""A picture at a size of its own choosing, whatever its shape, for descriptors that look at every pixel."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from features.pictures.picture import Picture

_STEPS = 256.0  # of a level: finer differences are rounding, and what is flat stays flat
_SEEN_WHOLLY = 1 - 1e-4  # an average of ones may be a hair under one
Plane = npt.NDArray[np.float32]


class Stretched(NamedTuple):
    """A picture at another size.

    Attributes
    ----------
    image : ndarray of float32, (rows, columns) or (rows, columns, 3)
        Grey or sRGB, 0 to 255, averaged over what is visible; 0 where nothing is.
    visible : ndarray of float32, (rows, columns), or None
        Which share of each pixel is visible; None where all is.
    """

    image: Plane
    visible: Plane | None

    @property
    def whole(self) -> npt.NDArray[np.bool_] | None:
        """The wholly visible pixels; None where all are."""
        return None if self.visible is None else self.visible > _SEEN_WHOLLY


def stretched(picture: Picture, rows: int, columns: int, colour: bool = False) -> Stretched | None:
    """Bring a picture to a size without keeping its shape; None where nothing of it is visible.

    Where it gets smaller, areas are averaged; where larger, pixels are interpolated. It is computed once for all
    descriptors that ask for the same size.

    Parameters
    ----------
    rows, columns : int
        At least 1.
    colour : bool
        Whether the three channels are wanted, instead of grey.
    """
    return picture.shared(("stretched", rows, columns, colour), lambda: _stretched(picture, rows, columns, colour))


def _stretched(picture: Picture, rows: int, columns: int, colour: bool) -> Stretched | None:
    image = picture.rgb if colour else picture.grey
    if picture.mask is None:
        return Stretched(_rounded(_resized(image, rows, columns)), None)
    if not picture.mask.any():
        return None
    mask = picture.mask.astype(np.float32)
    visible = _resized(mask, rows, columns)
    # What is transparent lies over a flat colour, which must not bleed into its neighbours.
    weighted = _resized(image * (mask[..., None] if colour else mask), rows, columns)
    share = visible[..., None] if colour else visible
    straight = np.divide(weighted, share, out=np.zeros_like(weighted), where=share > 0)
    visible.flags.writeable = False
    return Stretched(_rounded(straight), visible)


def _resized(image: npt.NDArray[np.generic], rows: int, columns: int) -> Plane:
    """Average along what gets shorter, then interpolate along what gets longer: one step would do neither well."""
    import cv2

    height, width = image.shape[:2]
    smaller = cv2.resize(
        image.astype(np.float32), (min(width, columns), min(height, rows)), interpolation=cv2.INTER_AREA
    )
    return np.asarray(cv2.resize(smaller, (columns, rows), interpolation=cv2.INTER_LINEAR))


def _rounded(image: Plane) -> Plane:
    rounded = np.rint(image * np.float32(_STEPS)) / np.float32(_STEPS)
    rounded.flags.writeable = False
    return np.asarray(rounded)
