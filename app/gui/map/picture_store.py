"""Pictures of photographs in the sizes in which they are seen: decoded in jobs, scaled a few at a time."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from enum import IntEnum
from time import perf_counter
from typing import NamedTuple

from PySide6.QtCore import QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QImage, QPixmap

LIMIT = 128 * 2**20
_SLICE_S = 0.006
_BYTES = 4  # of a pixel


class Detail(IntEnum):
    """The needed size of a picture: its side in pixels."""

    SMALL = 112
    THUMBNAIL = 256
    WHOLE = 1024

    @classmethod
    def for_side(cls, side_px: float) -> Detail:
        """Return what is needed to be seen with a side, device px."""
        return next((one for one in cls if side_px <= one), cls.WHOLE)


class Want(NamedTuple):
    """A picture that is looked at: whose, and how large, device px."""

    content_hash: bytes
    photograph: int
    side: int


class _Held:
    """An image, and a pixmap of it in one size."""

    def __init__(self, image: QImage, detail: Detail) -> None:
        self.image, self.detail = image, detail
        self.pixmap: QPixmap | None = None
        self.side = 0

    @property
    def size(self) -> int:
        scaled = 0 if self.pixmap is None else self.pixmap.width() * self.pixmap.height()
        return _BYTES * (self.image.width() * self.image.height() + scaled)


class Pictures(QObject):
    """Images by content hash, and pixmaps of them; what was looked at least lately goes first.

    Attributes
    ----------
    made : Signal()
        More can be painted than before.
    came : Signal()
        There are more images than before.
    """

    made = Signal()
    came = Signal()

    def __init__(self, parent: QObject, limit: int = LIMIT) -> None:
        super().__init__(parent)
        self._limit, self._bytes = limit, 0
        self._held: OrderedDict[bytes, _Held] = OrderedDict()
        self._wanted: list[Want] = []
        self._exact = True
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self.work)

    @property
    def held(self) -> int:
        """Bytes that are held."""
        return self._bytes

    def want(self, wanted: Iterable[Want], exact: bool) -> list[Want]:
        """Return what is looked at, the most urgent first, and get what must be fetched.

        Parameters
        ----------
        wanted : iterable of Want
        exact : bool
            Whether sizes stay: then pixmaps of another size are made anew.
        """
        self._wanted, self._exact = list(wanted), exact
        for want in reversed(self._wanted):
            if want.content_hash in self._held:
                self._held.move_to_end(want.content_hash)
        if any(self._lacks_pixmap(want) for want in self._wanted):
            self._timer.start()
        return [want for want in self._wanted if self._lacks_image(want)]

    def _lacks_image(self, want: Want) -> bool:
        held = self._held.get(want.content_hash)
        return held is None or (held.detail < Detail.for_side(want.side) and not held.image.isNull())

    def _lacks_pixmap(self, want: Want) -> bool:
        held = self._held.get(want.content_hash)
        if held is None or held.image.isNull():
            return False
        return held.pixmap is None or (self._exact and held.side != want.side)

    def take(self, images: dict[bytes, QImage], detail: Detail) -> None:
        """Keep images in a detail; a null one is kept as what cannot be shown."""
        for content_hash, image in images.items():
            before = self._held.get(content_hash)
            if before is not None:
                if image.isNull():
                    before.detail = max(before.detail, detail)  # there is no better one
                    continue
                self._bytes -= before.size
            made = _Held(image, detail)
            if before is not None:
                made.pixmap = before.pixmap
            self._held[content_hash] = made
            self._bytes += made.size
        self._shrink()
        self._timer.start()
        self.came.emit()

    def get(self, content_hash: bytes) -> QPixmap | None:
        """Return a pixmap, of whichever size there is; None while there is none."""
        held = self._held.get(content_hash)
        return None if held is None else held.pixmap

    def image(self, content_hash: bytes) -> QImage | None:
        """Return an image, of whichever detail there is; None while there is none."""
        held = self._held.get(content_hash)
        return None if held is None or held.image.isNull() else held.image

    def has(self, content_hash: bytes) -> bool:
        """Return whether an image has come, or that there is none."""
        return content_hash in self._held

    def forget(self) -> None:
        """Forget everything: another library is shown, or what could not be shown may be there by now."""
        self._held.clear()
        self._bytes, self._wanted = 0, []

    def work(self) -> None:
        """Scale for a part of a frame; done by itself while there is something to scale."""
        started, some = perf_counter(), False
        for want in self._wanted:
            if not self._lacks_pixmap(want):
                continue
            if some and perf_counter() - started > _SLICE_S:
                break
            held = self._held[want.content_hash]
            self._bytes -= held.size
            held.pixmap, held.side = _scaled(held.image, want.side), want.side
            self._bytes += held.size
            some = True
        else:
            self._timer.stop()
        self._shrink()
        if some:
            self.made.emit()

    def _shrink(self) -> None:
        while self._bytes > self._limit and self._held:
            self._bytes -= self._held.popitem(last=False)[1].size


def _scaled(image: QImage, side: int) -> QPixmap:
    """Scale an image to a longer side; one that is smaller stays as it is."""
    if max(image.width(), image.height()) <= side:
        return QPixmap.fromImage(image)
    target = QSize(side, side)
    mode = Qt.TransformationMode.SmoothTransformation
    return QPixmap.fromImage(image.scaled(target, Qt.AspectRatioMode.KeepAspectRatio, mode))
