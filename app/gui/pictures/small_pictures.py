"""A store of small pictures, by content: asked for when they are first drawn, kept while there is room."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from time import perf_counter

from PySide6.QtCore import QObject, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QImage, QPainter, QPainterPath, QPixmap

LIMIT = 64 * 2**20
ROUND = 4
_SLICE_S = 0.008  # half a frame: what is left of it paints


class SmallPictures(QObject):
    """A source of small pictures; painting requests them and is told when more can be painted.

    Scaling takes half a frame at most; what is not scaled by then is painted in the next one.

    Parameters
    ----------
    parent : QObject
    limit : int
        Bytes of all pictures that are kept, and again as many of those that were scaled.
    """

    wanted = Signal(list)
    """Hashes whose pictures were drawn without being there, to be given to :meth:`take`."""
    came = Signal()

    def __init__(self, parent: QObject | None = None, limit: int = LIMIT) -> None:
        super().__init__(parent)
        self._limit = limit
        self._held = 0
        self._images: OrderedDict[bytes, QImage] = OrderedDict()
        self._scaled: OrderedDict[bytes, dict[tuple[int, int, float], QPixmap]] = OrderedDict()
        self._scaled_bytes = 0
        self._lacking: dict[bytes, None] = {}
        self._asked: set[bytes] = set()
        self._spent, self._late = 0.0, False
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(0)
        self._again.timeout.connect(self._on_frame)
        self._soon = QTimer(self)  # what one repaint lacks is asked for at once
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._ask)

    @property
    def held(self) -> int:
        """Bytes of what is kept."""
        return self._held

    def want(self, contents: Iterable[bytes]) -> None:
        """Show what will be drawn soon."""
        for content in contents:
            if content and content not in self._images and content not in self._asked:
                self._lacking[content] = None
                self._soon.start()

    def take(self, images: Mapping[bytes, QImage]) -> None:
        """Keep pictures; a null one stands for what cannot be shown."""
        for content, image in images.items():
            self._drop(content)
            self._images[content] = image
            self._held += image.sizeInBytes()
            self._asked.discard(content)
        while self._held > self._limit and len(self._images) > 1:
            self._drop(next(iter(self._images)))
        self.came.emit()

    def retry(self) -> None:
        """Ask again for what could not be shown."""
        for content in [content for content, image in self._images.items() if image.isNull()]:
            self._drop(content)
        self._asked.clear()

    def image(self, content: bytes) -> QImage:
        """Return a picture, or a null one."""
        image = self._images.get(content)
        if image is None:
            self.want([content])
            return QImage()
        self._images.move_to_end(content)
        return image

    def pixmap(self, content: bytes, size: QSize, ratio: float) -> QPixmap | None:
        """Return a picture that fills a size, its edges cut and its corners round; None until it is there."""
        key = (size.width(), size.height(), ratio)
        made = self._scaled.get(content, {}).get(key)
        if made is None:
            image = self.image(content)
            if image.isNull() or size.isEmpty():
                return None
            self._again.start()
            if self._spent > _SLICE_S:
                self._late = True
                return None
            began = perf_counter()
            made = _filled(image, size, ratio)
            self._spent += perf_counter() - began
            self._scaled.setdefault(content, {})[key] = made
            self._scaled_bytes += _bytes(made)
        self._scaled.move_to_end(content)
        while self._scaled_bytes > self._limit and len(self._scaled) > 1:
            self._forget_scaled(next(iter(self._scaled)))
        return made

    def _on_frame(self) -> None:
        late, self._spent, self._late = self._late, 0.0, False
        if late:
            self.came.emit()

    def _forget_scaled(self, content: bytes) -> None:
        self._scaled_bytes -= sum(map(_bytes, self._scaled.pop(content, {}).values()))

    def _drop(self, content: bytes) -> None:
        image = self._images.pop(content, None)
        if image is not None:
            self._held -= image.sizeInBytes()
        self._forget_scaled(content)

    def _ask(self) -> None:
        lacking = [content for content in self._lacking if content not in self._images]
        self._lacking.clear()
        self._asked.update(lacking)
        if lacking:
            self.wanted.emit(lacking)


def _bytes(pixmap: QPixmap) -> int:
    return pixmap.width() * pixmap.height() * 4


def _filled(image: QImage, size: QSize, ratio: float) -> QPixmap:
    whole = QSize(round(size.width() * ratio), round(size.height() * ratio))
    scaled = image.scaled(
        whole, Qt.AspectRatioMode.KeepAspectRatioByExpanding, Qt.TransformationMode.SmoothTransformation
    )
    left, top = (scaled.width() - whole.width()) // 2, (scaled.height() - whole.height()) // 2
    made = QImage(whole, QImage.Format.Format_ARGB32_Premultiplied)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    path = QPainterPath()
    path.addRoundedRect(QRectF(made.rect()), ROUND * ratio, ROUND * ratio)
    painter.setClipPath(path)
    painter.drawImage(-left, -top, scaled)
    painter.end()
    pixmap = QPixmap.fromImage(made)
    pixmap.setDevicePixelRatio(ratio)
    return pixmap
