"""Which photographs are seen as pictures, and how large: nothing appears at once, nothing hides another.

Each photograph has a spacing from which on it is shown (:func:`core.embedding.plane.appearing`). A picture grows out of
its point while one comes closer, from the moment its spacing is 1 / sqrt(2) of a picture's side to that at which it is
all of it. Full ones are a side apart, growing ones at least half the sum of both, so none overlaps, wherever one looks.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.gui.map.camera import Camera
from core.embedding.plane import representatives

Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]

MOST_PX = 440
"""Side of a picture at most."""

_LEAST_PX, _USUAL_PX = 50.0, 92.0
_ACROSS = 11.0  # pictures that fit into a square as large as the view, along each side
_FILLED = 0.14  # of the map by pictures: where they fill less, they grow as one comes closer, and no more come
_GAP = 0.93
_SEEN_FROM_PX = 9.0


@dataclass(frozen=True, eq=False)
class Placed:
    """Pictures in view, the smallest first.

    Attributes
    ----------
    rows : ndarray of int64, (m,)
    sides : ndarray of float32, (m,)
        Of the squares that they fill in one direction, px.
    """

    rows: Rows
    sides: Floats


def common_spacing(shown_at: Floats) -> float:
    """Give the least spacing at which pictures a spacing wide fill the map well: among closer ones it is empty."""
    spacings, counts = np.unique(shown_at[shown_at > 0].astype(np.float64), return_counts=True)
    filled = np.cumsum(counts[::-1])[::-1] * np.square(spacings)
    return float(spacings[filled >= _FILLED].min(initial=1.0))


def side_px(camera: Camera, spacing: float) -> float:
    """Give the side of a picture: the same, until most have room; from then on it grows with what it lies on."""
    usual = min(max(math.sqrt(camera.width * camera.height) / _ACROSS, _LEAST_PX), _USUAL_PX)
    return min(max(usual, spacing * camera.scale), MOST_PX)


def most_scale(shown_at: Floats) -> float:
    """Give the scale beyond which nothing more is seen: where the closest neighbours are pictures side by side."""
    positive = shown_at[shown_at > 0]
    closest = max(float(positive.min(initial=1.0)), 1 / 2048)
    return 2 * MOST_PX / closest


def placed(
    camera: Camera, xy: Floats, shown_at: Floats, spacing: float, allowed: npt.NDArray[np.bool_] | None = None
) -> Placed:
    """Give the pictures in view.

    Parameters
    ----------
    camera : Camera
    xy : ndarray, (n, 2)
    shown_at : ndarray, (n,)
    spacing : float
        What :func:`common_spacing` gives.
    allowed : ndarray of bool, (n,), optional
    """
    side = side_px(camera, spacing)
    least = float(np.float32(side / camera.scale / np.sqrt(2)))
    rows = representatives(xy, camera.seen(side / 2), least, shown_at)
    if allowed is not None:
        rows = rows[allowed[rows]]
    grown = np.clip(2 * np.log2(shown_at[rows].astype(np.float64) * camera.scale / side) + 1, 0, 1)
    sides = (_GAP * side * grown).astype(np.float32)
    large = sides >= _SEEN_FROM_PX
    rows, sides = rows[large], sides[large]
    order = np.argsort(sides, kind="stable")
    return Placed(rows[order], sides[order])
