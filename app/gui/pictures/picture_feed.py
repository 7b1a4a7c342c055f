"""Loads the small pictures that a view paints, a few at a time, and none that were scrolled past.

What the cache has lost is made again in the order in which it is seen, and comes as it is made: what is not there yet
is asked for once more, and only what cannot be made is given up.
"""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QImage

from app.gui.frame.opened import OpenLibrary
from app.gui.look.images import image_of
from app.gui.pictures.small_pictures import LARGER_SIDE, SmallPictures
from app.gui.process.jobs import Jobs
from core.errors import TwinlensError
from core.progress import Progress

_AT_ONCE = 64


class PictureFeed(QObject):
    """Serves one store of small pictures.

    Parameters
    ----------
    pictures : SmallPictures
    opened : Opened
    jobs : Jobs
    larger : bool
        Whether photographs are decoded, too, one by one, where they are seen larger than their thumbnails.
    """

    def __init__(self, pictures: SmallPictures, opened: OpenLibrary, jobs: Jobs, larger: bool = False) -> None:
        super().__init__(pictures)
        self._pictures, self._opened, self._jobs = pictures, opened, jobs
        self._loading, self._decoding = jobs.latest(), jobs.latest()
        self._wanted: list[bytes] = []
        self._larger: list[bytes] = []
        self._made_anew: set[bytes] = set()
        pictures.wanted.connect(self._on_wanted)
        pictures.spoiled.connect(self._on_spoiled)
        if larger:
            pictures.larger_wanted.connect(self._on_larger_wanted)

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
            self._wanted = [one for one in self._wanted if one not in jpegs]
            self._pictures.take(jpegs)
            self._next()

        def failed(__: object) -> None:
            self._wanted.clear()
            self._pictures.ask_again()  # when it is painted next

        self._loading.begin(work).then(then).failed(failed)

    def _on_spoiled(self, content: bytes) -> None:
        library = self._opened.library
        if content in self._made_anew:
            return
        self._made_anew.add(content)

        def work(__: Progress) -> bytes:
            from app.library.pictures import thumbnail_anew

            return thumbnail_anew(library, content)

        self._jobs.begin(work).then(lambda jpeg: self._pictures.take({content: jpeg}))

    def _on_larger_wanted(self, contents: list[bytes]) -> None:
        self._larger = list(contents)
        self._next_larger()

    def _next_larger(self) -> None:
        if not self._larger or self._decoding.running:
            return
        library, content = self._opened.library, self._larger[0]

        def work(__: Progress) -> QImage:
            from app.library.pictures import picture_of

            try:
                return image_of(picture_of(library, content, LARGER_SIDE))
            except TwinlensError:
                return QImage()  # its disk is away: the thumbnail is what there is

        def then(image: QImage) -> None:
            self._larger = [one for one in self._larger if one != content]
            self._pictures.take_larger(content, image)
            self._next_larger()

        self._decoding.begin(work).then(then).failed(lambda __: self._larger.clear())
