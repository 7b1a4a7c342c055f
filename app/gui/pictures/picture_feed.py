"""Loads the small pictures that a view paints, a few at a time, and none that were scrolled past."""

from __future__ import annotations

from PySide6.QtCore import QObject

from app.gui.frame.opened import Opened
from app.gui.pictures.small_pictures import SmallPictures
from app.gui.process.jobs import Jobs
from core.progress import Progress

_AT_ONCE = 64


class PictureFeed(QObject):
    """Serves one store of small pictures.

    Parameters
    ----------
    pictures : SmallPictures
    opened : Opened
    jobs : Jobs
    """

    def __init__(self, pictures: SmallPictures, opened: Opened, jobs: Jobs) -> None:
        super().__init__(pictures)
        self._pictures, self._opened = pictures, opened
        self._loading = jobs.latest()
        self._wanted: list[bytes] = []
        pictures.wanted.connect(self._on_wanted)

    def _on_wanted(self, contents: list[bytes]) -> None:
        self._wanted = contents
        self._next()

    def _next(self) -> None:
        library, some = self._opened.library, self._wanted[:_AT_ONCE]
        if not some or self._loading.running:
            return

        def work(__: Progress) -> dict[bytes, bytes]:
            from app.library.pictures import thumbnails

            return thumbnails(library, some)

        def then(jpegs: dict[bytes, bytes]) -> None:
            self._wanted = [one for one in self._wanted if one not in some]
            self._pictures.take({one: jpegs.get(one, b"") for one in some})
            self._next()

        self._loading.begin(work).then(then).failed(lambda __: self._wanted.clear())
