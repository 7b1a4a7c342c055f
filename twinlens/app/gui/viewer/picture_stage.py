"""The picture stage shows pictures in panes or one over the other, aligned, zoomed and moved together."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QImage, QMouseEvent, QPainter, QPaintEvent, QPen, QTransform, QWheelEvent
from PySide6.QtWidgets import QWidget

from twinlens.app.gui.look.theme import DARK

_GROUND = QColor(12, 12, 13)
_GAP = 2


class ComparisonMode(StrEnum):
    """The way in which pictures are compared."""

    BESIDE = "beside"
    FLICK = "flick"
    SLIDER = "slider"
    DIFFERENCE = "difference"


MOST_SCALE = 16.0


class PictureStage(QWidget):
    """The stage of several aligned pictures.

    Signals
    -------
    moved
        The visible part or picture has changed.
    """

    moved = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setMouseTracking(True)
        self.pictures: list[AlignedPicture] = []
        self.mode = ComparisonMode.BESIDE
        self.aligned = True
        self.front = 0
        """The visible picture of those that lie over each other."""
        self._level = 0.0  # device pixels per pixel of the first picture; 0 for fitted
        self._centre = QPointF(0.5, 0.5)  # centre of the view, in shares of the first picture
        self._split = 0.5
        self._held: QPointF | None = None

    def show_pictures(self, pictures: Sequence[AlignedPicture]) -> None:
        """Show other pictures, with the first one fitted."""
        self.pictures = list(pictures)
        self.front = 0
        self.fit()

    # --- geometry ----------------------------------------------------------------------------------------------------

    def panes(self) -> list[QRect]:
        """Return the panes."""
        count = max(1, len(self.pictures)) if self.mode is ComparisonMode.BESIDE else 1
        wide = (self.width() - (count - 1) * _GAP) // count
        return [QRect(place * (wide + _GAP), 0, wide, self.height()) for place in range(count)]

    def _first_size(self) -> tuple[float, float]:
        return self.pictures[0].size if self.pictures else (1.0, 1.0)

    def level(self) -> float:
        """Return the device pixels per pixel of the first picture."""
        if self._level:
            return self._level
        pane, (wide, high) = self.panes()[0], self._first_size()
        ratio = self.devicePixelRatioF()
        return max(1e-4, min(pane.width() * ratio / wide, pane.height() * ratio / high))

    def _view(self, pane: QRect) -> QTransform:
        """Return the map from shares of the first picture to the widget."""
        scale = self.level() * max(self._first_size()) / self.devicePixelRatioF()
        centre = self._middle() if not self._level else self._centre
        made = QTransform.fromTranslate(-centre.x(), -centre.y()) * QTransform.fromScale(scale, scale)
        middle = QPointF(pane.center())
        return made * QTransform.fromTranslate(middle.x(), middle.y())

    def _middle(self) -> QPointF:
        wide, high = self._first_size()
        return QPointF(wide / max(wide, high) / 2, high / max(wide, high) / 2)

    def fits(self) -> bool:
        """Return whether the whole first picture is fitted."""
        return not self._level

    def fit(self) -> None:
        """Fit the whole first picture."""
        self._level, self._centre = 0.0, self._middle()
        self._tell()

    def zoom_to(self, level: float, at: QPointF | None = None) -> None:
        """Zoom around a point of the widget."""
        pane = next((one for one in self.panes() if at is not None and one.contains(at.toPoint())), self.panes()[0])
        point = QPointF(pane.center()) if at is None else at
        place = self._view(pane).inverted()[0].map(point)
        if not self._level:
            self._centre = self._middle()
        self._level = 0.0
        fitted = self.level()
        if level <= fitted:
            self.fit()
            return
        self._level = min(level, max(MOST_SCALE, fitted))
        now = self._view(pane).inverted()[0].map(point)
        self._centre += place - now
        self._tell()

    def fit_or_whole(self, at: QPointF | None = None) -> None:
        """Fit the whole first picture, or, if it is fitted, show it pixel for pixel."""
        if self._level:
            self.fit()
        else:
            self.zoom_to(1.0, at)

    def pan(self, x: float, y: float) -> None:
        """Move the visible part by pixels."""
        if self._level:
            scale = self._level * max(self._first_size()) / self.devicePixelRatioF()
            wide, high = (side / max(self._first_size()) for side in self._first_size())
            self._centre = QPointF(
                min(max(self._centre.x() - x / scale, 0.0), wide), min(max(self._centre.y() - y / scale, 0.0), high)
            )
            self._tell()

    def split(self, share: float) -> None:
        """Move the line of the slider."""
        self._split = min(max(share, 0.0), 1.0)
        self._tell()

    def slide(self, by: float) -> None:
        """Move the line of the slider by a share."""
        self.split(self._split + by)

    def _tell(self) -> None:
        self.update()
        self.moved.emit()

    # --- painting ----------------------------------------------------------------------------------------------------

    def paintEvent(self, __: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Paint the panes."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), _GROUND)
        if not self.pictures:
            return
        panes = self.panes()
        if self.mode is ComparisonMode.BESIDE:
            for place, pane in enumerate(panes):
                self._paint(painter, place, pane, pane)
        elif self.mode is ComparisonMode.SLIDER:
            cut = round(panes[0].width() * self._split)
            self._paint(painter, 0, panes[0], panes[0].adjusted(0, 0, cut - panes[0].width(), 0))
            self._paint(painter, self._other(), panes[0], panes[0].adjusted(cut, 0, 0, 0))
            painter.setPen(QPen(QColor(DARK.accent), 2))
            painter.drawLine(cut, 0, cut, self.height())
        elif self.mode is ComparisonMode.DIFFERENCE:
            painter.drawImage(panes[0].topLeft(), self.difference())
        else:
            self._paint(painter, self.front, panes[0], panes[0])
        painter.end()

    def _other(self) -> int:
        return self.front if self.front else min(1, len(self.pictures) - 1)

    def _paint(self, painter: QPainter, place: int, pane: QRect, clip: QRect) -> None:
        picture = self.pictures[place]
        painter.save()
        painter.setClipRect(clip)
        picture.paint(painter, picture.share_map(self.aligned, self.pictures[0]), self._view(pane))
        painter.restore()

    def difference(self) -> QImage:
        """Return the difference of the two pictures where both are visible, three times as strong."""
        from twinlens.app.duplicates.side_by_side import painted_difference

        pane = self.panes()[0]
        first, second = (self._drawn(place, pane) for place in (0, self._other()))
        apart = painted_difference(first, second)
        return QImage(apart.data, pane.width(), pane.height(), QImage.Format.Format_RGB32).copy()

    def _drawn(self, place: int, pane: QRect) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """Return the painted pixels of a picture, (h, w, 4) with blue first; transparent outside it."""
        pixels = np.zeros((pane.height(), pane.width(), 4), np.uint8)
        image = QImage(pixels.data, pane.width(), pane.height(), QImage.Format.Format_ARGB32_Premultiplied)
        painter = QPainter(image)
        self._paint(painter, place, pane, QRect(0, 0, pane.width(), pane.height()))
        painter.end()
        return pixels

    # --- the pointer -------------------------------------------------------------------------------------------------

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 (Qt's name)
        """Zoom all pictures around the pointer."""
        turned = event.angleDelta().y() or event.pixelDelta().y()
        self.zoom_to(self.level() * 1.0015**turned, event.position())
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Begin a drag."""
        self._held = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Move all pictures together, or the line of the slider."""
        if self._held is None or not event.buttons() & Qt.MouseButton.LeftButton:
            return
        if self.mode is ComparisonMode.SLIDER:
            self.split(event.position().x() / max(1, self.width()))
        else:
            moved = event.position() - self._held
            self._held = event.position()
            self.pan(moved.x(), moved.y())

    def mouseReleaseEvent(self, __: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """End the drag."""
        self._held = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Switch between fitted and pixel for pixel."""
        self.fit_or_whole(event.position())


_STEPS = 5  # smaller copies, each of half the size


class AlignedPicture:
    """A picture with smaller copies for fast painting, aligned with the first one.

    Parameters
    ----------
    places : tuple of float or None
        The map from the first picture to this one, in shares of each one's longer side; None to align the frames.
    """

    def __init__(self, places: tuple[float, ...] | None) -> None:
        self.places = places
        self._levels: list[QImage] = []
        self.size = (1.0, 1.0)

    def set_levels(self, levels: Sequence[QImage]) -> None:
        """Set the picture in its sizes; a larger one replaces a thumbnail."""
        self._levels = list(levels)
        self.size = (float(levels[0].width()), float(levels[0].height()))

    @property
    def there(self) -> bool:
        """Return whether there is a picture."""
        return bool(self._levels)

    def share_map(self, aligned: bool, first: AlignedPicture) -> np.ndarray:
        """Return the map from shares of this picture to shares of the first one, (3, 3)."""
        if self is first:
            return np.eye(3)
        if aligned and self.places is not None:
            return np.linalg.inv(np.reshape(np.array(self.places, np.float64), (3, 3)))
        wide, high = self.size[0] / max(self.size), self.size[1] / max(self.size)
        own_wide, own_high = first.size[0] / max(first.size), first.size[1] / max(first.size)
        return np.diag((own_wide / wide, own_high / high, 1.0))

    def paint(self, painter: QPainter, to_shares: np.ndarray, view: QTransform) -> None:
        """Paint the picture.

        Parameters
        ----------
        to_shares : ndarray, (3, 3)
            Map from its shares to those of the first picture.
        view : QTransform
            Map from shares of the first picture to the widget.
        """
        if not self._levels:
            return
        longer = max(self.size)
        shares = qt_map(to_shares)
        middle = QPointF(self.size[0] / longer / 2, self.size[1] / longer / 2)
        whole = shares * view
        across = whole.map(middle + QPointF(0.001, 0)) - whole.map(middle)
        scale = float(np.hypot(across.x(), across.y())) / 0.001 / longer * painter.device().devicePixelRatio()
        level = int(np.clip(np.floor(-np.log2(max(scale, 1e-6))), 0, len(self._levels) - 1))
        image = self._levels[level]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, scale < 4)
        to_share = QTransform.fromScale(self.size[0] / image.width() / longer, self.size[1] / image.height() / longer)
        painter.setTransform(to_share * whole, True)
        clip = painter.transform().inverted()[0].mapRect(QRectF(painter.viewport()))
        source = clip.intersected(QRectF(image.rect())).toAlignedRect().intersected(image.rect())
        if not source.isEmpty():
            painter.drawImage(source.topLeft(), image, source)
        painter.restore()


def levels_of(image: QImage) -> list[QImage]:
    """Return a picture and successive halves of it; slow for a large one."""
    levels = [image.convertToFormat(QImage.Format.Format_RGB32)]
    for __ in range(_STEPS):
        last = levels[-1]
        if max(last.width(), last.height()) < 400:
            break
        wide, high = max(1, last.width() // 2), max(1, last.height() // 2)
        smooth = Qt.TransformationMode.SmoothTransformation
        levels.append(last.scaled(wide, high, Qt.AspectRatioMode.IgnoreAspectRatio, smooth))
    return levels


def qt_map(map_: np.ndarray) -> QTransform:
    """Return the Qt transform, which acts on rows, of a map that acts on columns, (3, 3)."""
    return QTransform(*(float(one) for one in np.asarray(map_, np.float64).T.ravel()))
