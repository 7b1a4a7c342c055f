"""Choice and size of the photographs drawn as pictures: none pops up, none hides another.

Each photograph has a spacing from which on it is shown (:func:`core.embedding.plane.spacings_of_appearance`). A picture grows out of
its point while one comes closer, from the moment its spacing is 1 / sqrt(2) of a picture's side to that at which it is
all of it. Full ones are a side apart, growing ones at least half the sum of both, so none overlaps, wherever one looks.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.gui.map.camera import Camera
from core.arrays import Float32Vectors, Int64Rows
from core.embedding.plane import representatives

MOST_PICTURE_PX = 440
"""Side of a picture at most."""

_LEAST_PX, _USUAL_PX = 50.0, 124.0
_ACROSS = 11.0  # pictures that fit into a square as large as the view, along each side
_MOST_SHOWN = 0.9  # of the photographs
_FILLED = 0.14  # of the map by pictures: where they fill less, they grow as one comes closer, and no more come
_GROWN = 1.7  # of the usual side
_GAP = 0.93
_SEEN_FROM_PX = 9.0


@dataclass(frozen=True, eq=False)
class PlacedPictures:
    """Pictures in view, the smallest first.

    Attributes
    ----------
    rows : ndarray of int64, (m,)
    sides : ndarray of float32, (m,)
        Of the squares that they fill in one direction, px.
    """

    rows: Int64Rows
    sides: Float32Vectors


@dataclass(frozen=True)
class Spacings:
    """At which spacings the pictures of a map change from becoming more to becoming larger.

    Attributes
    ----------
    filled : float
        The least at which pictures fill the map well; among closer ones it is empty.
    closest : float
        The least at which most photographs are not shown yet.
    """

    filled: float = 1.0
    closest: float = 1.0


def spacings_of(shown_at: Float32Vectors) -> Spacings:
    """Return the spacings of a map."""
    spacings, counts = np.unique(shown_at[shown_at > 0].astype(np.float64), return_counts=True)
    filled = np.cumsum(counts[::-1])[::-1] * np.square(spacings)
    most = counts.cumsum()  # shown only below these
    closest = spacings[most >= (1 - _MOST_SHOWN) * most[-1]].min(initial=1.0) if len(most) else 1.0
    return Spacings(float(spacings[filled >= _FILLED].min(initial=1.0)), float(closest))


def side_px(camera: Camera, spacings: Spacings) -> float:
    """Return the side of a picture.

    It is the same while more and more fill the map; where that would be empty it grows a little with what it lies on,
    then lets what lies close together part, and at last grows until one is looked at alone.
    """
    usual = min(max(math.sqrt(camera.width * camera.height) / _ACROSS, _LEAST_PX), _USUAL_PX)
    parted = min(max(usual, spacings.filled * camera.scale), _GROWN * usual)
    return max(parted, min(spacings.closest * camera.scale, MOST_PICTURE_PX))


def most_scale(shown_at: Float32Vectors) -> float:
    """Return the scale beyond which nothing more is seen: where the closest neighbours are pictures side by side."""
    positive = shown_at[shown_at > 0]
    closest = max(float(positive.min(initial=1.0)), 1 / 2048)
    return 2 * MOST_PICTURE_PX / closest


def placed_pictures(
    camera: Camera,
    xy: Float32Vectors,
    shown_at: Float32Vectors,
    spacings: Spacings,
    allowed: npt.NDArray[np.bool_] | None = None,
) -> PlacedPictures:
    """Return the pictures in view.

    Parameters
    ----------
    camera : Camera
    xy : ndarray, (n, 2)
    shown_at : ndarray, (n,)
    spacings : Spacings
    allowed : ndarray of bool, (n,), optional
    """
    side = side_px(camera, spacings)
    least = float(np.float32(side / camera.scale / np.sqrt(2)))
    rows = representatives(xy, camera.seen(side / 2), least, shown_at)
    if allowed is not None:
        rows = rows[allowed[rows]]
    grown = np.clip(2 * np.log2(shown_at[rows].astype(np.float64) * camera.scale / side) + 1, 0, 1)
    sides = (_GAP * side * grown).astype(np.float32)
    large = sides >= _SEEN_FROM_PX
    rows, sides = rows[large], sides[large]
    order = np.argsort(sides, kind="stable")
    return PlacedPictures(rows[order], sides[order])
