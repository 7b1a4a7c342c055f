"""Names and dates under the photos of the library, asked for as they come into sight."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from PySide6.QtCore import QDateTime, QLocale, QObject, Qt, QTimer, Signal

from app.gui.frame.opened import OpenLibrary
from app.gui.photo_grid.grid_rows import Caption
from app.gui.process.jobs import Jobs
from core.progress import Progress

if TYPE_CHECKING:
    from app.library.browsing import Photograph

_MOST = 5_000
"""Captions that are kept: more than any screen shows."""
_AT_ONCE = 500
_UNKNOWN = Caption()


class Captions(QObject):
    """The captions that were painted lately; what is not known yet is left empty, and asked for.

    Parameters
    ----------
    opened : Opened
    jobs : Jobs
    parent : QObject
    """

    came = Signal()
    """More can be painted than before."""

    def __init__(self, opened: OpenLibrary, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._opened = opened
        self._asking = jobs.latest()
        self._known: OrderedDict[int, Caption] = OrderedDict()
        self._lacking: dict[int, None] = {}
        self._soon = QTimer(self)  # what one repaint lacks is asked for at once
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._ask)

    def of(self, photograph_id: int) -> Caption:
        """Return a caption, an empty one until it is known."""
        known = self._known.get(photograph_id)
        if known is None:
            self._lacking[photograph_id] = None
            self._soon.start()
            return _UNKNOWN
        return known

    def forget(self) -> None:
        """Ask for all again: files were renamed, or read anew."""
        self._known.clear()

    def _ask(self) -> None:
        opened = self._opened
        if self._asking.running or not self._lacking:
            return
        wanted = list(reversed(self._lacking))[:_AT_ONCE]  # what was scrolled past asks again if it is seen again
        self._lacking = {}

        def work(_: Progress) -> list[Photograph]:
            from app.library.browsing import photographs

            return photographs(opened.library, wanted)

        def then(found: list[Photograph]) -> None:
            # One that is gone has none, until the photographs are listed anew.
            self._known.update(dict.fromkeys(wanted, _UNKNOWN) | {one.id: _caption(one) for one in found})
            while len(self._known) > _MOST:
                self._known.popitem(last=False)
            self.came.emit()  # what is in sight by now and still lacks one asks again
            self._soon.start()

        self._asking.begin(work).then(then)


def _caption(photograph: Photograph) -> Caption:
    day = QDateTime.fromString(photograph.taken or "", Qt.DateFormat.ISODate).date()
    written = QLocale().toString(day, QLocale.FormatType.ShortFormat) if day.isValid() else ""
    return Caption(photograph.name, written)
