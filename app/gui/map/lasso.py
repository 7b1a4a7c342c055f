"""The lasso: a line drawn around points, and what it means for those that were selected before."""

from __future__ import annotations

from enum import Enum

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import Qt

from app.gui.map.camera import Camera, Place
from core.arrays import Float32Vectors
from core.embedding.plane import points_in_polygon

LassoMask = npt.NDArray[np.bool_]

_STEP_PX = 3.0  # nearer corners change nothing that is seen


class LassoMode(Enum):
    """The effect of a lasso on the photographs inside."""

    ALONE = "alone"
    ADDED = "added"
    REMOVED = "removed"

    @classmethod
    def by(cls, modifiers: Qt.KeyboardModifier) -> LassoMode:
        """Return the kind of selection by the keys held."""
        if modifiers & Qt.KeyboardModifier.AltModifier:
            return cls.REMOVED
        return cls.ADDED if modifiers & Qt.KeyboardModifier.ControlModifier else cls.ALONE


class Lasso:
    """Corners in the places of the map, so that it stays where it was drawn."""

    def __init__(self, start: Place) -> None:
        self.corners: list[Place] = [start]

    def draw(self, place: Place, camera: Camera) -> bool:
        """Go on to a place; tell whether that is a corner more."""
        (x, y), (left, top) = place, self.corners[-1]
        if max(abs(x - left), abs(y - top)) * camera.scale < _STEP_PX:
            return False
        self.corners.append(place)
        return True

    def inside(self, xy: Float32Vectors, allowed: LassoMask | None) -> LassoMask:
        """Return which points it has inside, (n,)."""
        found = np.zeros(len(xy), np.bool_)
        found[points_in_polygon(xy, self.corners)] = True
        return found if allowed is None else found & allowed

    def takes(self, before: LassoMask, xy: Float32Vectors, allowed: LassoMask | None, taking: LassoMode) -> LassoMask:
        """Return what is selected then."""
        own = self.inside(xy, allowed)
        if taking is LassoMode.ADDED:
            return before | own
        return before & ~own if taking is LassoMode.REMOVED else own
