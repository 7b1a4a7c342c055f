"""Names of clusters on the map: each beside where its photographs lie most densely, none over another or a picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QRectF

from app.gui.map.camera import Camera

if TYPE_CHECKING:
    from app.map.results import PhotoCluster

Boxes = npt.NDArray[np.float64]

MOST_NAMES = 16
_PAD_X, _PAD_Y, _APART = 7.0, 2.0, 6.0
_NO_PICTURES: Boxes = np.empty((0, 4))


class PlacedName(NamedTuple):
    """A name, the plate that it stands on, px, and at which side of its cluster it stands."""

    text: str
    plate: QRectF
    side: int = 0


def placed_names(
    clusters: Sequence[PhotoCluster],
    camera: Camera,
    width_of: Callable[[str], float],
    height: float,
    above: float,
    pictures: Boxes = _NO_PICTURES,
    before: Mapping[str, int] = MappingProxyType({}),
) -> list[PlacedName]:
    """Return the names that have room, of larger clusters first; those that only have a number have none.

    Each stands at the side of its cluster at which it covers no picture, above it rather than below or beside it; where
    it covers some at every side, at that where it covers least.

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
    pictures : ndarray, (m, 4)
        Left, top, right and bottom of those that are seen, px.
    before : mapping
        At which side each name stood: it stays there as long as it can, so that names do not dance.
    """
    names: list[PlacedName] = []
    for one in clusters:
        if not one.word or len(names) >= MOST_NAMES:
            continue
        x, y = camera.to_px((one.x, one.y))
        if not (0 <= x <= camera.width and 0 <= y <= camera.height):
            continue
        width, tall = width_of(one.word) + 2 * _PAD_X, height + 2 * _PAD_Y
        plates = _sides(x, y, width, tall, above)
        covered = np.round(_covered(plates, pictures))
        others = np.array([other.plate.getCoords() for other in names]).reshape(-1, 4)
        free = _covered(plates + np.array([-_APART, -_APART, _APART, _APART]), others) == 0
        if not free.any():
            continue
        covered[~free] = np.inf
        kept = before.get(one.word, 0)
        side = kept if covered[kept] == covered.min() else int(covered.argmin())
        left, top, _, _ = plates[side].tolist()
        names.append(PlacedName(one.word, QRectF(left, top, width, tall), side))
    return names


def _sides(x: float, y: float, width: float, tall: float, above: float) -> Boxes:
    """Return where a name may stand, the best place first."""
    beside = width / 2 + above
    middles = [(0.0, -above - tall / 2), (0.0, above + tall / 2), (beside, 0.0), (-beside, 0.0)]
    middles += [(across, down) for down in (-above - tall / 2, above + tall / 2) for across in (beside, -beside)]
    middles += [(across, down) for down in (-2 * above - tall, 2 * above + tall) for across in (0.0, beside, -beside)]
    middle = np.array(middles) + np.array([x, y])
    half = np.array([width / 2, tall / 2])
    return np.concatenate([middle - half, middle + half], axis=1)


def _covered(plates: Boxes, boxes: Boxes) -> Boxes:
    """Return how much of some boxes each plate covers, px²."""
    low = np.maximum(plates[:, None, :2], boxes[None, :, :2])
    high = np.minimum(plates[:, None, 2:], boxes[None, :, 2:])
    return np.asarray(np.maximum(high - low, 0).prod(axis=2).sum(axis=1))
