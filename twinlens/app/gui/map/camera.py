"""Camera of the map: the centre of the view and its zoom, and the motion in which both glide.

The same motion moves points to a new layout and unfolds pictures.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np
from PySide6.QtCore import QObject, Qt, QTimer, Signal

from twinlens.core.arrays import Float32Vectors

Rect = tuple[float, float, float, float]
Place = tuple[float, float]
BORDER_PX = 36
"""Around the whole map, where all of it is seen: half a thumbnail fits there."""

_LEAST = 0.8  # of the scale at which all is seen
_BEYOND = 0.04  # how far the middle of the view may leave the map


@dataclass(frozen=True)
class Camera:
    """View of the map; y points down in both map and pixels.

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
        """Return the map position of a pixel."""
        return self.x + (px[0] - self.width / 2) / self.scale, self.y + (px[1] - self.height / 2) / self.scale

    def to_px(self, place: Place) -> Place:
        """Return the pixel of a map position."""
        return (place[0] - self.x) * self.scale + self.width / 2, (place[1] - self.y) * self.scale + self.height / 2

    def all_to_px(self, xy: Float32Vectors, ratio: float = 1.0) -> tuple[Float32Vectors, Float32Vectors]:
        """Return the pixels of points, (n,) each; device pixels with their ratio."""
        return self.columns_to_px(xy[:, 0], xy[:, 1], ratio)

    def columns_to_px(
        self, x: Float32Vectors, y: Float32Vectors, ratio: float = 1.0
    ) -> tuple[Float32Vectors, Float32Vectors]:
        """Return the pixels of points given by their columns, (n,) each."""
        px, py = np.multiply(x, np.float32(self.scale * ratio)), np.multiply(y, np.float32(self.scale * ratio))
        px += np.float32((self.width / 2 - self.x * self.scale) * ratio)
        py += np.float32((self.height / 2 - self.y * self.scale) * ratio)
        return px, py

    def seen(self, margin_px: float = 0.0) -> Rect:
        """Return the visible rectangle of the map, with a margin."""
        across = (self.width / 2 + margin_px) / self.scale
        down = (self.height / 2 + margin_px) / self.scale
        return self.x - across, self.y - down, self.x + across, self.y + down

    def zoomed(self, factor: float, px: Place) -> Camera:
        """Zoom by a factor about a fixed pixel."""
        x, y = self.to_map(px)
        scale = self.scale * factor
        return replace(
            self, x=x - (px[0] - self.width / 2) / scale, y=y - (px[1] - self.height / 2) / scale, scale=scale
        )

    def panned(self, across_px: float, down_px: float) -> Camera:
        """Move the view by pixels, as a hand moves a sheet of paper."""
        return replace(self, x=self.x - across_px / self.scale, y=self.y - down_px / self.scale)

    def centred(self, place: Place, scale: float | None = None) -> Camera:
        """Center the view on a position."""
        return replace(self, x=place[0], y=place[1], scale=self.scale if scale is None else scale)

    def resized(self, width: int, height: int) -> Camera:
        """Keep the centre in a view of another size; the whole map stays whole."""
        if (width, height) == (self.width, self.height):
            return self
        whole = Camera.fitting(width, height).scale
        return replace(self, width=width, height=height, scale=self.depth() * whole)

    def kept_within(self, most: float) -> Camera:
        """Limit the zoom to ``most`` pixels a unit and to the whole map, and keep the view on the map."""
        least = _LEAST * Camera.fitting(self.width, self.height).scale
        return replace(
            self,
            x=min(max(self.x, -_BEYOND), 1 + _BEYOND),
            y=min(max(self.y, -_BEYOND), 1 + _BEYOND),
            scale=min(max(self.scale, least), max(most, least)),
        )

    def depth(self) -> float:
        """Zoom factor over the view of the whole map."""
        return self.scale / Camera.fitting(self.width, self.height).scale


def between(start: Camera, goal: Camera, share: float) -> Camera:
    """Return a view between two views, (0, 1) -> (start, goal).

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
    """Return whether two views look the same."""
    return (
        abs(math.log(one.scale / other.scale)) < 1e-3
        and abs(one.x - other.x) * other.scale < 0.3
        and abs(one.y - other.y) * other.scale < 0.3
    )


_GLIDE_S = 0.055
_TRAVEL_S = 0.16
_FOLD_S = 0.07
_TICK_MS = 16
_STEP_S = 0.05  # after a pause no more than that is caught up with
_ARRIVED = 2e-4  # of the map
_FOLDED = 0.02
_THROW_S = 0.16  # how long a thrown sheet goes on at its speed, were there no friction


class Motion(QObject):
    """Current view and points, in motion towards their goals.

    Attributes
    ----------
    moved : Signal()
        Something is elsewhere than before: it is to be painted.
    rested : Signal()
        All has arrived.
    """

    moved = Signal()
    rested = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.camera = Camera.fitting(1, 1)
        self.xy: Float32Vectors = np.empty((0, 2), np.float32)
        self._goal = self.camera
        self.fold = 1.0
        self.unsettled = False  # more layouts are to come: pictures stay folded
        self._layout = self.xy
        self._last = 0.0
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self.step)

    @property
    def goal(self) -> Camera:
        """The target of the motion."""
        return self._goal

    @property
    def travels(self) -> bool:
        """Whether points are moving."""
        return self.xy is not self._layout

    @property
    def moves(self) -> bool:
        """Whether anything is moving."""
        return self._timer.isActive()

    def look(self, camera: Camera) -> None:
        """Jump to a view."""
        self.camera = self._goal = camera
        self.moved.emit()

    def glide(self, camera: Camera) -> None:
        """Glide somewhere."""
        self._goal = camera
        self._go()

    def throw(self, across_px_s: float, down_px_s: float, most: float) -> None:
        """Let the sheet glide on after a hand that was moving let it go."""
        self.glide(self.camera.panned(across_px_s * _THROW_S, down_px_s * _THROW_S).kept_within(most))

    def place(self, xy: Float32Vectors) -> None:
        """Put points somewhere at once."""
        self.xy = self._layout = xy
        self.moved.emit()

    def travel(self, xy: Float32Vectors) -> None:
        """Send points to other places: as many as there are."""
        assert xy.shape == self.xy.shape
        if not self.travels:
            self.xy = self.xy.copy()
        self._layout = xy
        self._go()

    def finish(self) -> None:
        """Be everywhere at once."""
        self.xy, self.camera, self.fold = self._layout, self._goal, 1.0
        self._on_rest()

    def _go(self) -> None:
        if not self._timer.isActive():
            self._last = perf_counter() - _TICK_MS / 1000
            self._timer.start()

    def step(self) -> None:
        """Move on by the time since the last step; repeats itself while anything moves."""
        now = perf_counter()
        passed, self._last = min(now - self._last, _STEP_S), now
        if close_to(self.camera, self._goal):
            self.camera = self._goal
        else:
            self.camera = between(self.camera, self._goal, 1 - math.exp(-passed / _GLIDE_S))
        if self.travels:
            way = self._layout - self.xy
            if float(np.abs(way).max(initial=0.0)) < _ARRIVED:
                self.xy = self._layout
            else:
                self.xy += way * np.float32(1 - math.exp(-passed / _TRAVEL_S))
        wish = 0.0 if self.travels or self.unsettled else 1.0
        self.fold += (wish - self.fold) * (1 - math.exp(-passed / _FOLD_S))
        if abs(self.fold - wish) < _FOLDED:
            self.fold = wish
        if self.camera is self._goal and not self.travels and self.fold == wish:
            self._on_rest()
        else:
            self.moved.emit()

    def _on_rest(self) -> None:
        self._timer.stop()
        self.moved.emit()
        self.rested.emit()
