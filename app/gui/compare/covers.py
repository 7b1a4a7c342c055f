"""Pictures that fill their tiles: scaled a few at a time between two frames, kept for the visible size."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from time import perf_counter

from PySide6.QtCore import QObject, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPixmap

ROUND = 4
_KEPT = 1_500
_SLICE_S = 0.008


class Covers(QObject):
    """Images by content hash, and pixmaps of them in one size.

    Attributes
    ----------
    made : Signal()
        More can be painted than before.
    """

    made = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._images: OrderedDict[bytes, QImage] = OrderedDict()
        self._pixmaps: dict[bytes, QPixmap] = {}
        self._wanted: dict[bytes, None] = {}
        self._make = (QSize(1, 1), 1.0, "#000000")
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self.work)

    def lacking(self, content_hashes: Iterable[bytes]) -> list[bytes]:
        """Return the pictures whose images are missing."""
        return [one for one in dict.fromkeys(content_hashes) if one not in self._images]

    def take(self, images: dict[bytes, QImage]) -> None:
        """Keep images; a null one means that the picture cannot be shown."""
        self._images |= images
        while len(self._images) > _KEPT:
            self._pixmaps.pop(self._images.popitem(last=False)[0], None)
        self._timer.start()

    def set_make(self, size: QSize, ratio: float, ground: str) -> None:
        """Set the size of pixmaps, and the colour behind their round corners."""
        if (size, ratio, ground) != self._make:
            self._make = (QSize(size), ratio, ground)
            self._pixmaps.clear()

    def want(self, content_hashes: Iterable[bytes]) -> None:
        """Set the pictures that are visible now, the most urgent first."""
        self._wanted = dict.fromkeys(content_hashes)
        if any(one not in self._pixmaps for one in self._wanted):
            self._timer.start()

    def get(self, content_hash: bytes) -> QPixmap | None:
        """Return a pixmap; None if there is none yet."""
        return self._pixmaps.get(content_hash)

    def work(self) -> None:
        """Scale for half a frame; called again while there is something to scale."""
        started, some = perf_counter(), False
        for content_hash in self._wanted:
            image = self._images.get(content_hash)
            if image is None or image.isNull() or content_hash in self._pixmaps:
                continue
            if some and perf_counter() - started > _SLICE_S:
                break
            self._pixmaps[content_hash] = _cover(image, *self._make)
            some = True
        else:
            self._timer.stop()
        if some:
            self.made.emit()


def _cover(image: QImage, size: QSize, ratio: float, ground: str) -> QPixmap:
    """Scale an image so that it fills a tile, cut at its middle, corners a little round."""
    target = QSize(max(1, round(size.width() * ratio)), max(1, round(size.height() * ratio)))
    scaled = image.scaled(
        target, Qt.AspectRatioMode.KeepAspectRatioByExpanding, Qt.TransformationMode.SmoothTransformation
    )
    middle = QRect(
        (scaled.width() - target.width()) // 2, (scaled.height() - target.height()) // 2, target.width(),
        target.height(),
    )  # fmt: skip
    rounded = QImage(target, QImage.Format.Format_RGB32)
    rounded.fill(QColor(ground))
    painter = QPainter(rounded)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(scaled.copy(middle)))
    painter.drawRoundedRect(QRectF(rounded.rect()), ROUND * ratio, ROUND * ratio)
    painter.end()
    pixmap = QPixmap.fromImage(rounded)
    pixmap.setDevicePixelRatio(ratio)
    return pixmap
