"""Steps by arrow keys on the map: to the nearest photograph in that direction."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

_ASIDE = 2.0  # how much more a pixel to the side counts than one ahead
_WIDEST = 1.2  # pixels aside for each one ahead, at most


def toward(
    px: npt.NDArray[np.float32], py: npt.NDArray[np.float32], here: tuple[float, float], way: tuple[int, int]
) -> int | None:
    """Return the place of the point to which a key leads, None where none lies that way.

    Parameters
    ----------
    px, py : ndarray, (n,)
    here : tuple of float
    way : tuple of int
        (1, 0) for right, (0, -1) for up.

    Examples
    --------
    >>> px, py = np.array([9, 5, 0], np.float32), np.array([0, 4, 9], np.float32)
    >>> toward(px, py, (0, 0), (1, 0)), toward(px, py, (0, 0), (0, 1)), toward(px, py, (0, 0), (-1, 0))
    (0, 2, None)
    """
    right, below = px - here[0], py - here[1]
    ahead = right * way[0] + below * way[1]
    aside = np.abs(right * way[1]) + np.abs(below * way[0])
    fits = np.flatnonzero((ahead > 0.5) & (aside <= _WIDEST * ahead))
    if len(fits) == 0:
        return None
    return int(fits[np.argmin(ahead[fits] + _ASIDE * aside[fits])])


def middlemost(px: npt.NDArray[np.float32], py: npt.NDArray[np.float32], middle: tuple[float, float]) -> int | None:
    """Return the place of the point nearest to the middle; None where there is none."""
    if len(px) == 0:
        return None
    return int(np.argmin(np.square(px - middle[0]) + np.square(py - middle[1])))
