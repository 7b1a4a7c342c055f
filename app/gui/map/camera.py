"""The camera of the map: the centre of the view, and its zoom."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from core.arrays import Float32Vectors

Rect = tuple[float, float, float, float]
Place = tuple[float, float]

BORDER_PX = 36
"""Around the whole map, where all of it is seen: half a thumbnail fits there."""

_LEAST = 0.8  # of the scale at which all is seen
_BEYOND = 0.04  # how far the middle of the view may leave the map


@dataclass(frozen=True)
class Camera:
    """A view of the map; y points down in both.

    Attributes
    ----------
    x, y : float
        What lies in the middle of the view.
    scale : float
        Pixels in a unit of the map.
    width, height : int
        Of the view, px.
    """

    x: float
    y: float
    scale: float
    width: int
    height: int

    @classmethod
    def fitting(cls, width: int, height: int, rect: Rect = (0.0, 0.0, 1.0, 1.0), border: float = BORDER_PX) -> Camera:
        """Show the whole of a rectangle, with a border around it."""
        left, top, right, bottom = rect
        across = max(1.0, width - 2 * border) / max(right - left, 1e-6)
        down = max(1.0, height - 2 * border) / max(bottom - top, 1e-6)
        return cls((left + right) / 2, (top + bottom) / 2, min(across, down), width, height)

    def to_map(self, px: Place) -> Place:
        """Return what lies at a pixel."""
        return self.x + (px[0] - self.width / 2) / self.scale, self.y + (px[1] - self.height / 2) / self.scale

    def to_px(self, place: Place) -> Place:
        """Return the pixel at which something lies."""
        return (place[0] - self.x) * self.scale + self.width / 2, (place[1] - self.y) * self.scale + self.height / 2

    def all_to_px(self, xy: Float32Vectors, ratio: float = 1.0) -> tuple[Float32Vectors, Float32Vectors]:
        """Return the pixels at which points lie, (n,) each; device pixels with their ratio."""
        return self.columns_to_px(xy[:, 0], xy[:, 1], ratio)

    def columns_to_px(
        self, x: Float32Vectors, y: Float32Vectors, ratio: float = 1.0
    ) -> tuple[Float32Vectors, Float32Vectors]:
        """Return the pixels at which points lie by their columns, (n,) each."""
        px, py = np.multiply(x, np.float32(self.scale * ratio)), np.multiply(y, np.float32(self.scale * ratio))
        px += np.float32((self.width / 2 - self.x * self.scale) * ratio)
        py += np.float32((self.height / 2 - self.y * self.scale) * ratio)
        return px, py

    def seen(self, margin_px: float = 0.0) -> Rect:
        """Return the rectangle of the map that is seen, with a margin around it."""
        across = (self.width / 2 + margin_px) / self.scale
        down = (self.height / 2 + margin_px) / self.scale
        return self.x - across, self.y - down, self.x + across, self.y + down

    def zoomed(self, factor: float, px: Place) -> Camera:
        """Come closer by a factor; what lies at a pixel stays there."""
        x, y = self.to_map(px)
        scale = self.scale * factor
        return replace(
            self, x=x - (px[0] - self.width / 2) / scale, y=y - (px[1] - self.height / 2) / scale, scale=scale
        )

    def panned(self, across_px: float, down_px: float) -> Camera:
        """Move what is seen by pixels, as a hand moves a sheet of paper."""
        return replace(self, x=self.x - across_px / self.scale, y=self.y - down_px / self.scale)

    def centred(self, place: Place, scale: float | None = None) -> Camera:
        """Put something into the middle."""
        return replace(self, x=place[0], y=place[1], scale=self.scale if scale is None else scale)

    def resized(self, width: int, height: int) -> Camera:
        """Keep the middle, in a view of another size; what was seen as a whole stays so."""
        if (width, height) == (self.width, self.height):
            return self
        whole = Camera.fitting(width, height).scale
        return replace(self, width=width, height=height, scale=self.depth() * whole)

    def kept_within(self, most: float) -> Camera:
        """Come neither closer than ``most`` pixels a unit nor much further away than all, and stay above the map."""
        least = _LEAST * Camera.fitting(self.width, self.height).scale
        return replace(
            self,
            x=min(max(self.x, -_BEYOND), 1 + _BEYOND),
            y=min(max(self.y, -_BEYOND), 1 + _BEYOND),
            scale=min(max(self.scale, least), max(most, least)),
        )

    def depth(self) -> float:
        """How many times closer it is than where all is seen."""
        return self.scale / Camera.fitting(self.width, self.height).scale


def between(start: Camera, goal: Camera, share: float) -> Camera:
    """Return a view on the way from one to another, (0, 1) -> (start, goal).

    The scale changes by equal factors, around the one pixel that shows the same in both: so a zoom about the pointer
    stays about the pointer all the way.

    Examples
    --------
    >>> start = Camera(0.5, 0.5, 100, 200, 200)
    >>> goal = start.zoomed(4, (50, 60))
    >>> halfway = between(start, goal, 0.5)
    >>> halfway.scale, [round(one, 6) for one in halfway.to_px(start.to_map((50, 60)))]
    (200.0, [50.0, 60.0])
    """
    if share >= 1:
        return goal
    scale = math.exp((1 - share) * math.log(start.scale) + share * math.log(goal.scale))
    whole = 1 / start.scale - 1 / goal.scale
    way = share if abs(whole) * start.scale < 1e-6 else (1 / start.scale - 1 / scale) / whole
    return replace(
        goal, x=start.x + way * (goal.x - start.x), y=start.y + way * (goal.y - start.y), scale=round(scale, 9)
    )


def close_to(one: Camera, other: Camera) -> bool:
    """Return whether nobody sees a difference."""
    return (
        abs(math.log(one.scale / other.scale)) < 1e-3
        and abs(one.x - other.x) * other.scale < 0.3
        and abs(one.y - other.y) * other.scale < 0.3
    )
