"""Controller of side by side: what is known of the photographs, and their pictures, decoded one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

from app.gui.frame.opened import OpenLibrary
from app.gui.look.images import image_of
from app.gui.process.jobs import Jobs
from app.gui.process.outlived import outlived
from app.gui.side_by_side.aligned_pictures import levels_of
from app.gui.side_by_side.side_by_side import ShownGroup, SideBySide
from core.progress import Progress

if TYPE_CHECKING:
    from app.duplicates.beside import AlignedPhotograph

MOST_PHOTOGRAPHS = 4


class SideBySideControl(QObject):
    """Shows photographs side by side, over the whole window.

    Parameters
    ----------
    over : QWidget
        Whose window it covers.
    opened : Opened
    jobs : Jobs
    """

    step = Signal(int)
    """The next (1) or previous (-1) group is wanted."""
    keep_wanted = Signal(int)
    """The photograph of this id is to be kept of its group."""

    def __init__(self, over: QWidget, opened: OpenLibrary, jobs: Jobs) -> None:
        super().__init__(over)
        self._over, self._opened = over, opened
        self._asking, self._decoding = jobs.latest(), jobs.latest()
        self._returns: QWidget | None = None
        self.view = SideBySide(over)
        self.view.closed.connect(self.close)
        self.view.step.connect(self.step)
        self.view.keep_wanted.connect(self.keep_wanted)
        self.view.hide()

    def is_open(self) -> bool:
        """Return whether photographs are shown."""
        return self.view.isVisible()

    def show(self, ids: Sequence[int], group: ShownGroup | None = None) -> None:
        """Show photographs, four at most, perhaps of a group; the first is the one that the others are laid over."""
        library, wanted = self._opened.library, list(dict.fromkeys(ids))[:MOST_PHOTOGRAPHS]
        if not self.is_open():
            self._returns = self._over.window().focusWidget()
            self.view.cover()

        def work(__: Progress) -> tuple[list[AlignedPhotograph], list[bytes]]:
            from app.duplicates.beside import align_photographs
            from app.library.browsing import photographs
            from app.library.pictures import thumbnails

            shown = align_photographs(library, wanted)
            hashes = {one.id: one.content_hash for one in photographs(library, [one.id for one in shown])}
            jpegs = thumbnails(library, list(hashes.values()))
            return shown, [jpegs.get(hashes.get(one.id, b""), b"") for one in shown]

        self._asking.begin(work).then(lambda told: self._on_known(told, group))

    def _on_known(self, told: tuple[list[AlignedPhotograph], list[bytes]], group: ShownGroup | None) -> None:
        shown, jpegs = told
        self.view.show_photographs(shown)
        self.view.show_group(group)
        for place, jpeg in enumerate(jpegs):
            image = QImage()
            if jpeg and image.loadFromData(jpeg):
                self.view.set_levels(place, levels_of(image))
        self._decode([one.id for one in shown], 0)

    def _decode(self, ids: list[int], place: int) -> None:
        """Decode the pictures one after the other: the first is what the others lie over."""
        if place >= len(ids):
            return
        library = self._opened.library

        def work(__: Progress) -> list[QImage]:
            from app.library.pictures import large_picture

            return levels_of(image_of(large_picture(library, ids[place])))

        def then(levels: list[QImage]) -> None:
            self.view.set_levels(place, levels)
            self._decode(ids, place + 1)

        def failed(failure: Any) -> None:
            self.view.set_message(place, failure.words())
            self._decode(ids, place + 1)

        self._decoding.begin(work).then(then).failed(failed)

    def close(self) -> None:
        """Show what lies below again."""
        self._decoding.cancel()
        self.view.show_photographs([])
        self.view.show_group(None)
        self.hide()
        if self._returns is not None and not outlived(self._returns):
            self._returns.setFocus()

    def hide(self) -> None:
        """Take it away, as when the library is left."""
        self.view.uncover()
