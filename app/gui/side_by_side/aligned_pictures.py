"""Pictures that are drawn at the same place of what they show, at any size."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QTransform

MOST_SCALE = 16.0
_STEPS = 5  # of half the size each


class AlignedPicture:
    """One picture, with smaller copies that paint it fast.

    Parameters
    ----------
    places : tuple of float or None
        The map from the first picture to this one, in shares of each one's longer side; None to lay frame on frame.
    """

    def __init__(self, places: tuple[float, ...] | None) -> None:
        self.places = places
        self._levels: list[QImage] = []
        self.size = (1.0, 1.0)

    def set_levels(self, levels: Sequence[QImage]) -> None:
        """Take the picture in its sizes; a larger one takes the place of a thumbnail."""
        self._levels = list(levels)
        self.size = (float(levels[0].width()), float(levels[0].height()))

    @property
    def there(self) -> bool:
        """Whether there is something to paint."""
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
        """Paint it.

        Parameters
        ----------
        painter : QPainter
        to_shares : ndarray, (3, 3)
            From its shares to those of the first picture.
        view : QTransform
            From shares of the first picture to the widget.
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
    """Return a picture and halves of it that paint fast; takes a while for a large one."""
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
    """Return a map of columns, (3, 3), as Qt writes it, of rows."""
    return QTransform(*(float(one) for one in np.asarray(map_, np.float64).T.ravel()))
