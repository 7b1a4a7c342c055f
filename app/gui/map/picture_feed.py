"""Pictures for the map: those in view, decoded in jobs; whole ones one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QImage

from app.gui.frame.opened import Opened
from app.gui.look.images import image_of
from app.gui.map.picture_store import Detail, Pictures, Want
from app.gui.process.jobs import Jobs
from core.embedding.plane import appearing
from core.errors import TwinlensError
from core.progress import Progress

if TYPE_CHECKING:
    from app.gui.map.canvas import MapCanvas

_AT_ONCE = 40

Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float32]


class MapFeed(QObject):
    """Serves the wishes of a canvas."""

    def __init__(self, canvas: MapCanvas, opened: Opened, jobs: Jobs) -> None:
        super().__init__(canvas)
        self._opened = opened
        self._pictures: Pictures = canvas.pictures
        self._jobs = jobs
        self._rooming = self._jobs.latest()
        self._loading = self._jobs.latest()
        self._decoding = self._jobs.latest()
        self._wanted: list[Want] = []
        self._canvas = canvas
        canvas.pictures_wanted.connect(self._on_wanted)
        canvas.room_wanted.connect(self._on_room_wanted)

    def _on_wanted(self, wanted: list[Want]) -> None:
        self._wanted = wanted
        self._next()
        self._next_whole()

    def _on_room_wanted(self, allowed: Mask, xy: Floats) -> None:
        """Work out which pictures have room where only some photographs are shown."""

        def work(_: Progress) -> Floats:
            shown_at = np.zeros(len(xy), np.float32)
            shown_at[allowed] = appearing(xy[allowed])
            return shown_at

        self._rooming.begin(work).then(lambda shown_at: self._canvas.take_room(allowed, shown_at))

    def _next(self) -> None:
        opened = self._opened
        some = [one for one in self._wanted if self._pictures.image(one.content_hash) is None or not _whole(one)]
        some = some[:_AT_ONCE]
        if not some or self._loading.running:
            return
        detail = Detail.SMALL if all(one.side <= Detail.SMALL for one in some) else Detail.THUMBNAIL
        hashes = list(dict.fromkeys(one.content_hash for one in some))

        def work(_: Progress) -> dict[bytes, QImage]:
            from app.library.pictures import thumbnails

            return {one: decoded(jpeg, detail) for one, jpeg in thumbnails(opened.library, hashes).items()}

        self._loading.begin(work).then(lambda made: self._on_come(made, detail))

    def _on_come(self, made: dict[bytes, QImage], detail: Detail) -> None:
        self._pictures.take(made, detail)
        self._wanted = [one for one in self._wanted if not self._is_done(one, made)]
        if made:
            self._next()
        self._next_whole()

    def _is_done(self, one: Want, made: dict[bytes, QImage]) -> bool:
        image = made.get(one.content_hash)
        return image is not None and (image.isNull() or not _whole(one))

    def _next_whole(self) -> None:
        opened = self._opened
        one = next((one for one in self._wanted if _whole(one) and self._pictures.image(one.content_hash)), None)
        if one is None or self._decoding.running:
            return

        def work(_: Progress) -> QImage:
            from app.library.pictures import large_picture

            try:
                return image_of(large_picture(opened.library, one.photograph, Detail.WHOLE))
            except TwinlensError:
                return QImage()  # its disk is away: the thumbnail is what there is

        def then(image: QImage) -> None:
            self._pictures.take({one.content_hash: image}, Detail.WHOLE)
            self._wanted = [other for other in self._wanted if other.content_hash != one.content_hash]
            self._next_whole()

        self._decoding.begin(work).then(then)


def _whole(one: Want) -> bool:
    return Detail.for_side(one.side) is Detail.WHOLE


def decoded(jpeg: bytes, detail: Detail) -> QImage:
    """Decode a thumbnail, no larger than is needed; a null image where there is none."""
    image = QImage.fromData(jpeg) if jpeg else QImage()
    if image.isNull():
        return image
    if max(image.width(), image.height()) > detail:
        mode = Qt.TransformationMode.SmoothTransformation
        image = image.scaled(detail, detail, Qt.AspectRatioMode.KeepAspectRatio, mode)
    return image.convertToFormat(QImage.Format.Format_RGB32)
