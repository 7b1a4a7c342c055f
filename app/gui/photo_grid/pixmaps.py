"""Thumbnails as pixmaps: decoded a few at a time between two frames, scaled once per size, bounded in bytes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import NamedTuple

from PySide6.QtCore import QObject, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPixmap

LIMIT = 128 * 2**20
_SLICE_S = 0.008  # half a frame: what is left of it paints
_ROUND = 3
_ENLARGED = 2  # an icon stays an icon


class Make(NamedTuple):
    """The size and look of pixmaps.

    Attributes
    ----------
    side : int
        Of a well, device px.
    ratio : float
        Device pixels in one.
    well, ground : str
        Colours in the well and outside: they show behind the round corners.
    """

    side: int
    ratio: float
    well: str
    ground: str


@dataclass
class _Entry:
    jpeg: bytes
    pixmap: QPixmap | None = None
    make: Make | None = None
    readable: bool = True

    @property
    def size(self) -> int:
        pixmap = self.pixmap
        return len(self.jpeg) + (0 if pixmap is None else pixmap.width() * pixmap.height() * 4)


class Pixmaps(QObject):
    """The pixmaps of a grid, by content hash; those unused for longest go first when there are too many bytes.

    Attributes
    ----------
    decoded : Signal(set)
        Content hashes of what can be painted now, or is known to be unreadable.

    Parameters
    ----------
    limit : int
        Bytes of all pixmaps and JPEGs kept, never exceeded.
    """

    decoded = Signal(set)

    def __init__(self, parent: QObject, limit: int = LIMIT) -> None:
        super().__init__(parent)
        self._limit = limit
        self._entries: OrderedDict[bytes, _Entry] = OrderedDict()
        self._bytes = 0
        self._make = Make(1, 1.0, "#000000", "#000000")
        self._wanted: dict[bytes, None] = {}
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self.work)

    @property
    def limit(self) -> int:
        """Largest number of bytes."""
        return self._limit

    @limit.setter
    def limit(self, limit: int) -> None:
        self._limit = limit
        self._shrink()

    @property
    def held(self) -> int:
        """Present number of bytes."""
        return self._bytes

    def get(self, content_hash: bytes) -> tuple[QPixmap, float] | None:
        """Return a pixmap and its stretch while it has another size; None if there is none."""
        entry = self._entries.get(content_hash)
        if entry is None or entry.pixmap is None or entry.make is None:
            return None
        return entry.pixmap, (self._make.side / self._make.ratio) / (entry.make.side / entry.make.ratio)

    def unreadable(self, content_hash: bytes) -> bool:
        """Return whether a thumbnail cannot be shown."""
        entry = self._entries.get(content_hash)
        return entry is not None and not entry.readable

    def retry(self) -> None:
        """Forget thumbnails that could not be shown: they may be there by now."""
        for content_hash in [content_hash for content_hash, entry in self._entries.items() if not entry.readable]:
            self._drop(content_hash)

    def want(self, content_hashes: Sequence[bytes], make: Make) -> list[bytes]:
        """Set the visible thumbnails, the most urgent first, and return those that must be fetched."""
        self._make = make
        # What cannot be held together is not asked for: it would push out what was just fetched, again and again.
        room = max(1, self._limit // (make.side * make.side * 4))
        self._wanted = dict.fromkeys(content_hashes[:room])
        for content_hash in reversed(self._wanted):
            if content_hash in self._entries:
                self._entries.move_to_end(content_hash)
        self._timer.start()
        return [content_hash for content_hash in self._wanted if content_hash not in self._entries]

    def take(self, jpegs: dict[bytes, bytes]) -> None:
        """Keep thumbnails; the visible ones are decoded soon."""
        for content_hash, jpeg in jpegs.items():
            self._drop(content_hash)
            self._entries[content_hash] = _Entry(jpeg, readable=bool(jpeg))
            self._bytes += len(jpeg)
        for content_hash in reversed(self._wanted):
            if content_hash in jpegs:
                self._entries.move_to_end(content_hash)
        self._shrink()
        self._timer.start()
        nothing = {content_hash for content_hash, jpeg in jpegs.items() if not jpeg}
        if nothing:
            self.decoded.emit(nothing)

    def work(self) -> None:
        """Decode for half a frame; called again while there is something to decode."""
        started = perf_counter()
        some: set[bytes] = set()
        for content_hash in self._wanted:
            entry = self._entries.get(content_hash)
            if entry is None or not entry.readable or entry.make == self._make:
                continue
            if some and perf_counter() - started > _SLICE_S:
                break
            self._bytes -= entry.size
            entry.pixmap, entry.make = _made(entry.jpeg, self._make), self._make
            entry.readable = entry.pixmap is not None
            self._bytes += entry.size
            self._shrink()
            some.add(content_hash)
        else:
            self._timer.stop()
        if some:
            self.decoded.emit(some)

    def _shrink(self) -> None:
        while self._bytes > self._limit and self._entries:
            self._drop(next(iter(self._entries)))

    def _drop(self, content_hash: bytes) -> None:
        entry = self._entries.pop(content_hash, None)
        if entry is not None:
            self._bytes -= entry.size


def _made(jpeg: bytes, make: Make) -> QPixmap | None:
    """Decode a thumbnail to fit the well, with slightly round corners; opaque, since that paints faster."""
    image = QImage.fromData(jpeg)
    if image.isNull():
        return None
    factor = min(make.side / max(image.width(), image.height()), _ENLARGED * make.ratio)
    size = QSize(max(1, round(image.width() * factor)), max(1, round(image.height() * factor)))
    smooth = image.scaled(size, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation)
    rounded = QImage(size, QImage.Format.Format_RGB32)
    # The corners of a square photograph are those of the well: outside them is the ground.
    covers = min(size.width(), size.height()) > make.side - _ROUND * make.ratio
    rounded.fill(QColor(make.ground if covers else make.well))
    painter = QPainter(rounded)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(smooth))
    painter.drawRoundedRect(QRectF(rounded.rect()), _ROUND * make.ratio, _ROUND * make.ratio)
    painter.end()
    pixmap = QPixmap.fromImage(rounded)
    pixmap.setDevicePixelRatio(make.ratio)
    return pixmap
