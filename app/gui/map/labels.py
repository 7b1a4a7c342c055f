"""Names of clusters on the map: each above where its photographs lie most densely, none over another."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QRectF

from app.gui.map.camera import Camera

if TYPE_CHECKING:
    from app.map_results import Cluster

MOST = 16
_NUMBERED = re.compile(r" \d+$")
_PAD_X, _PAD_Y, _APART = 7.0, 2.0, 6.0


class Name(NamedTuple):
    """A name and the plate that it stands on, px."""

    text: str
    plate: QRectF


def placed_names(
    clusters: Sequence[Cluster], camera: Camera, width_of: Callable[[str], float], height: float, above: float
) -> list[Name]:
    """Give the names that have room, of larger clusters first; a number says nothing, so it is no name.

    Parameters
    ----------
    clusters : sequence of Cluster
        The largest first.
    camera : Camera
    width_of : callable
        Gives the width of a text, px.
    height : float
        Of a line, px.
    above : float
        How far above the place of a cluster its name stands, so that it does not hide the picture there, px.
    """
    names: list[Name] = []
    for one in clusters:
        if _NUMBERED.search(one.name) or len(names) >= MOST:
            continue
        x, y = camera.to_px((one.x, one.y))
        width, tall = width_of(one.name) + 2 * _PAD_X, height + 2 * _PAD_Y
        plate = QRectF(x - width / 2, y - above - tall, width, tall)
        inside = 0 <= x <= camera.width and 0 <= y <= camera.height
        around = plate.adjusted(-_APART, -_APART, _APART, _APART)
        if inside and not any(around.intersects(other.plate) for other in names):
            names.append(Name(one.name, plate))
    return names
