"""The zoom is the size and place of a picture in a view; a picture and a part of it can be turned by quarters."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QImage, QTransform

from twinlens.app.gui.viewer.crop import Region


def turned(image: QImage, quarters: int) -> QImage:
    """Return a picture turned by quarters to the right."""
    return image.transformed(QTransform().rotate(90 * quarters)) if quarters % 4 else image


def turned_region(region: Region, quarters: int) -> Region:
    """Return a region of a picture after it was turned by quarters to the right.

    Examples
    --------
    >>> turned_region((0.0, 0.0, 0.25, 0.5), 1)
    (0.5, 0.0, 1.0, 0.25)
    """
    for __ in range(quarters % 4):
        left, top, right, bottom = region
        region = (1 - bottom, left, 1 - top, right)
    return region


MOST_ZOOM = 16.0  # device pixels per pixel of the picture
_BLOWN_UP = 2.0  # enlargement of small pictures to fit, at most


class Zoom:
    """The zoom: size and place of a picture in a view.

    Attributes
    ----------
    level : float
        Device pixels per pixel of the picture; 0 for fitted.
    centre : QPointF
        Centre of the view, in shares of the picture.
    """

    def __init__(self) -> None:
        self.level = 0.0
        self.centre = QPointF(0.5, 0.5)
        self._size = (0.0, 0.0)
        self._room = QRectF(0, 0, 1, 1)
        self._ratio = 1.0

    def lay_out(self, size: tuple[float, float], room: QRectF, ratio: float) -> None:
        """Set the size of the picture, the room for it, and the device pixels per pixel of the room."""
        self._size, self._room, self._ratio = size, room, ratio
        if self.level:
            self.zoom_to(self.level)

    def fit(self) -> None:
        """Fit the whole picture."""
        self.level = 0.0
        self.centre = QPointF(0.5, 0.5)

    def overflows(self) -> bool:
        """Return whether a part of the picture is out of sight."""
        box = self.target()
        return self.level > 0 and (box.width() > self._room.width() or box.height() > self._room.height())

    def fitting(self) -> float:
        """Return the level at which the picture just fits."""
        width, height = self._size
        room = self._room
        if width <= 0 or height <= 0:
            return 1.0
        return max(0.001, min(room.width() * self._ratio / width, room.height() * self._ratio / height, _BLOWN_UP))

    def target(self) -> QRectF:
        """Return the place of the whole picture."""
        width, height = self._size
        scale = (self.level or self.fitting()) / self._ratio
        box = QRectF(0, 0, width * scale, height * scale)
        middle = self._room.center()
        if self.level:
            box.moveTopLeft(middle - QPointF(self.centre.x() * box.width(), self.centre.y() * box.height()))
        else:
            box.moveCenter(middle)
        return box

    def zoom_by(self, factor: float, at: QPointF | None = None) -> None:
        """Enlarge or shrink; see :meth:`zoom_to`."""
        self.zoom_to((self.level or self.fitting()) * factor, at)

    def zoom_to(self, level: float, at: QPointF | None = None) -> None:
        """Zoom around a point of the view.

        The picture is never smaller than fitted, or than pixel for pixel if fitting enlarges it.
        """
        fitting = self.fitting()
        level = max(level, min(fitting, 1.0))
        if abs(level - fitting) <= fitting * 0.001:
            self.fit()
            return
        middle = self._room.center()
        at = at or middle
        before = self.target()
        x = (at.x() - before.left()) / max(before.width(), 1)
        y = (at.y() - before.top()) / max(before.height(), 1)
        self.level = min(level, max(MOST_ZOOM, fitting))
        box = self.target()
        self.centre = QPointF(
            x + (middle.x() - at.x()) / max(box.width(), 1), y + (middle.y() - at.y()) / max(box.height(), 1)
        )
        self._keep_inside()

    def pan(self, x: float, y: float) -> None:
        """Move the picture by pixels of the view, up to its edges."""
        box = self.target()
        self.centre -= QPointF(x / max(box.width(), 1), y / max(box.height(), 1))
        self._keep_inside()

    def _keep_inside(self) -> None:
        box = self.target()
        self.centre = QPointF(
            _kept(self.centre.x(), box.width(), self._room.width()),
            _kept(self.centre.y(), box.height(), self._room.height()),
        )


def _kept(centre: float, whole: float, seen: float) -> float:
    """Return a centre that keeps the view on the picture; a side that fits is centred."""
    half = seen / 2 / max(whole, 1)
    return 0.5 if half >= 0.5 else min(max(centre, half), 1 - half)
